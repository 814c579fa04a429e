//! Figures of experiments: error curves over time, maps over parameters, outlines of bodies.

pub(crate) mod curves;
pub(crate) mod error_curve;
#[cfg(feature = "figures")]
pub(crate) mod map;
pub(crate) mod measure;
#[cfg(any(feature = "window", feature = "figures"))]
pub mod outline;
#[cfg(feature = "figures")]
pub(crate) mod ruler;
