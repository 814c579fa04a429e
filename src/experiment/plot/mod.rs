//! Figures of experiments: error curves over time, maps over parameters, outlines of bodies.

pub(crate) mod curves;
#[cfg(feature = "figures")]
pub(crate) mod map;
#[cfg(any(feature = "window", feature = "figures"))]
pub mod outline;
#[cfg(feature = "figures")]
pub(crate) mod ruler;
