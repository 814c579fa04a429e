//! Figures: error curves over time, maps over parameters, and the canvas on which both are drawn.

pub(crate) mod canvas;
pub(crate) mod curves;
pub(crate) mod error_curve;
pub(crate) mod map;
pub(crate) mod measure;
pub mod outline;
pub(crate) mod picture;
pub(crate) mod ruler;
