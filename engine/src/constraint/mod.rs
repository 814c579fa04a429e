//! The scalar rows of a world, bilateral and unilateral, evaluated once for all schemes.

mod rows;
mod touches;

pub use rows::{Row, Rows};
pub use touches::{MotorRow, Tangent, Touch, Touches};
