//! For the package `driftlab-evidence` alone: what it shares with the experiments. No part of the public face; any version may
//! change it.

pub use super::plot::outline;
pub use super::run::trajectory::{Sample, Trajectory, stepped};
pub use super::run::units::larger;
