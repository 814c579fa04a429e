//! Claims about physics, scenes, the command line and the window, in one test crate.

#[cfg(feature = "app")]
mod command_line;
mod contact;
mod detect;
#[cfg(feature = "app")]
mod figures;
#[cfg(feature = "app")]
mod fuzz;
#[cfg(feature = "import")]
mod import;
mod lcp;
#[cfg(feature = "scene")]
mod maps;
mod model;
mod physics;
#[cfg(feature = "app")]
mod right_values;
#[cfg(feature = "scene")]
mod scene;
#[cfg(feature = "app")]
mod window;

/// The largest magnitude of a list, or NaN if any number is NaN, so that a diverged run never counts as one without error.
fn largest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().fold(0.0, |most, x| if x.is_nan() { x } else { x.abs().max(most) + 0.0 * most })
}

/// The program as a user starts it.
#[cfg(feature = "app")]
fn driftlab() -> assert_cmd::Command {
    assert_cmd::cargo::cargo_bin_cmd!("driftlab")
}
