//! Planar vector identities, rotations, and the sparse factorisations: of rows for equations, of bodies for contacts.

mod block_lu;
mod largest;
mod ldlt;
mod pattern;
mod rotation;

pub use block_lu::{BlockLu, BlockSlot};
pub use largest::largest;
pub use ldlt::{FactorError, ROUNDED_PIVOT, SparseLdlt};
pub use rotation::{Rotation, cross, perp};
