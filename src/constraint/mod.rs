//! The scalar rows of a world, bilateral and unilateral, evaluated once for all schemes.

mod rows;

pub use rows::{MotorRow, Row, Rows, Tangent, Touch, Touches};
