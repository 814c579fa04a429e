//! The driftlab recording: what an engine of rigid bodies does, step by step, as lines of JSON that driftlab opens, plots, judges
//! and continues. The format is specified in `docs/RECORDING.md`.
//!
//! This crate knows the lines ([`format`]) and nothing of any engine's equations.

pub mod format;
