//! Claims about the evidence, in one test crate.

mod benchmarks;
mod beside;
mod challenge;
mod corpus;
mod creep;
mod engines;
mod figures;
#[cfg(feature = "engines")]
mod omissions;
mod pages;
mod worlds;

/// The program as `.ci` and the pages call it.
fn evidence() -> assert_cmd::Command {
    assert_cmd::cargo::cargo_bin_cmd!("driftlab-evidence")
}
