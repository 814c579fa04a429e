//! Rows assembled once for all schemes, bilateral and unilateral, and the Delassus matrix that couples the bilateral
//! ones.

mod delassus;
mod rows;
mod touch;

pub use delassus::Delassus;
pub use rows::{Row, Rows};
pub use touch::{Drive, Tangent, Touch, Touches};
