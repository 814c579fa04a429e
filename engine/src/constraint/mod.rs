//! The scalar rows of a world, bilateral and unilateral, evaluated once for all schemes.

mod row;
mod rows;
mod touches;

pub use row::Row;
pub use rows::Rows;
pub use touches::{MotorRow, Tangent, Touch, Touches};
