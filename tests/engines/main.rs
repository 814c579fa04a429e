//! Box2D and Rapier as runs of ours: on the command line and in the window, and what a program without them says.

#[cfg(not(feature = "rapier"))]
mod absent;
#[cfg(feature = "engines")]
mod command_line;
#[cfg(feature = "engines")]
mod samples;
#[cfg(feature = "engines")]
mod window;

/// The program as a user starts it.
fn driftlab() -> assert_cmd::Command {
    assert_cmd::cargo::cargo_bin_cmd!("driftlab")
}
