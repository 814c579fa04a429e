//! The driftlab recording: what an engine of rigid bodies does, step by step, as lines of JSON that driftlab opens, plots, judges
//! and continues. The format is specified in `docs/RECORDING.md`.
//!
//! This crate knows the lines ([`format`]), how a world is told ([`scene`]) and how lines get out without slowing a game
//! ([`Probe`]), and nothing of any engine's equations.

pub mod format;
pub mod scene;

mod probe;
mod sink;

pub use probe::Probe;
