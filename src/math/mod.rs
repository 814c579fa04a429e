//! Planar vector identities, rotations, and the sparse factorisation that the equality systems use.

mod largest;
mod ldlt;
mod pattern;
mod rotation;

pub use largest::largest;
pub use ldlt::{FactorError, ROUNDED_PIVOT, SparseLdlt};
pub use rotation::{Rotation, cross, perp};
