//! Box2D and Rapier as runs of ours: on the command line and in the window.

mod command_line;
mod window;

/// The program as a user starts it.
fn driftlab() -> assert_cmd::Command {
    assert_cmd::cargo::cargo_bin_cmd!("driftlab")
}
