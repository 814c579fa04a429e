#![doc = include_str!("../README.md")]

pub mod format;
pub mod scene;

mod probe;
mod sink;

pub use probe::Probe;
