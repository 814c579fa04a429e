//! The targets, from the tests that replay their kept seeds: the same code under libFuzzer and on stable Rust.

#[path = "../../tests/fuzz/dense.rs"]
pub mod dense;
#[path = "../../tests/fuzz/exact.rs"]
mod exact;
#[path = "../../tests/fuzz/intents.rs"]
pub mod intents;
#[path = "../../tests/fuzz/judge.rs"]
mod judge;
#[path = "../../tests/fuzz/passive.rs"]
mod passive;
#[path = "../../tests/contact/rates.rs"]
mod rates;
#[path = "../../tests/fuzz/source.rs"]
mod source;
#[path = "../../tests/fuzz/tally.rs"]
pub mod tally;
#[path = "../../tests/fuzz/targets.rs"]
pub mod targets;
#[path = "../../tests/fuzz/worlds.rs"]
mod worlds;
