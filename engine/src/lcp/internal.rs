//! For [`crate::internal`]: what the program's search for other solutions shares with the solvers.

pub use crate::lcp::direct::delassus::unit_metric;
pub use crate::lcp::islands::split::Islands;
pub use crate::lcp::problem::acceptance::{Acceptance, InSpeeds};
