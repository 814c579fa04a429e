//! Figures: error curves over time, maps over parameters, and the canvas on which both are drawn.

#[cfg(feature = "figures")]
pub mod canvas;
pub(crate) mod chart;
#[cfg(feature = "figures")]
pub(crate) mod curves;
#[cfg(feature = "figures")]
pub(crate) mod drawn_chart;
#[cfg(feature = "figures")]
pub(crate) mod map;
#[cfg(any(feature = "window", feature = "figures"))]
pub mod outline;
#[cfg(feature = "figures")]
pub mod paper;
#[cfg(feature = "figures")]
pub(crate) mod picture;
#[cfg(feature = "figures")]
pub(crate) mod ruler;
