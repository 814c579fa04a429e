//! The scalar rows of a world, evaluated once for all schemes: one row (`row.rs`), the rows of joints, non-holonomic constraints,
//! springs and the grab (`rows.rs`), and those of contacts, limits and motors (`touches.rs`).

mod row;
mod rows;
mod touches;

pub use row::Row;
pub use rows::Rows;
pub use touches::{MotorRow, Tangent, Touch, Touches};
