//! For the package `driftlab` alone: what its scene format and its experiments share with the engine. No part of the public face;
//! any version may change it.

pub use crate::constraint::row::{further_bodies, row_of};
pub use crate::lcp::Delassus;
pub use crate::lcp::internal::*;
pub use crate::math::{Rotation, largest};
pub use crate::schemes::{BETA, GAMMA};
pub use crate::stages::colors::Colors;
pub use crate::stages::springs::mobilities;
