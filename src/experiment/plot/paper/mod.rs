//! Charts for papers: curves and published levels over linear or logarithmic axes.

mod axis;
mod chart;

pub(crate) use axis::raised;
pub use axis::{Axis, Reach, Scale};
pub use chart::{Chart, Curve, Level, LevelAxis, Stroke, legend};
