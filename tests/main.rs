//! Claims about physics, scenes, the command line and the window, in one test crate.

#[cfg(feature = "app")]
mod command_line;
mod contact;
mod detect;
mod lcp;
#[cfg(feature = "scene")]
mod maps;
mod physics;
#[cfg(feature = "scene")]
mod scene;
#[cfg(feature = "app")]
mod window;

/// The program as a user starts it.
#[cfg(feature = "app")]
fn driftlab() -> assert_cmd::Command {
    assert_cmd::cargo::cargo_bin_cmd!("driftlab")
}
