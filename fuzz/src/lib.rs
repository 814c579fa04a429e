//! The targets, from the tests that replay their kept seeds: the same code under libFuzzer and on stable Rust.

#[path = "../../tests/fuzz/intents.rs"]
pub mod intents;
#[path = "../../tests/fuzz/source.rs"]
mod source;
#[path = "../../tests/fuzz/targets.rs"]
pub mod targets;
#[path = "../../tests/fuzz/worlds.rs"]
mod worlds;
