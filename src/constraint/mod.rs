//! Rows assembled once for all schemes, and the Delassus matrix that couples them.

mod delassus;
mod rows;

pub use delassus::Delassus;
pub use rows::{Row, Rows};
