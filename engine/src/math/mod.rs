//! Planar vector identities, rotations, small dense matrices, and the sparse factorisations: of rows for equations, of
//! bodies for contacts.

mod block_ldlt;
mod block_lu;
mod chain_ldlt;
mod dense;
#[cfg(test)]
mod dense_tests;
mod eigenvalues;
mod elimination;
mod factors;
mod lanes;
mod largest;
mod ldlt;
mod orthogonal;
mod pair;
mod pattern;
mod rotation;
mod singular;
#[cfg(test)]
mod tests;
mod up_looking;

pub use block_lu::{BlockLu, BlockSlot};
pub use dense::Dense;
pub use lanes::{Block, Symmetric, Vector};
pub use largest::{LargestPair, largest};
pub use ldlt::{FactorError, ROUNDED_PIVOT, SparseLdlt};
pub use orthogonal::{Order, Orthogonal, add, dot};
pub use pair::{Pair, crossed};
pub use pattern::elimination_cost;
pub use rotation::{Rotation, cross, perp};
pub use singular::Singular;
