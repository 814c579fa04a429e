//! Sums of vectors, rotations, small dense matrices, and the two sparse factorisations: LDLᵀ of rows for equations, LU
//! of bodies for contacts.

mod block_lu;
mod dense;
#[cfg(test)]
mod dense_tests;
mod ldlt;
#[cfg(test)]
mod ldlt_tests;
mod ordering;
mod simd2;
mod singular;
mod vectors;

pub use block_lu::{BlockLu, BlockSlot};
pub use dense::Dense;
pub use ldlt::{ROUNDED_PIVOT, SparseLdlt};
pub use simd2::{Block, LargestPair, Pair, Symmetric, Vector, crossed};
pub use singular::Singular;
pub use vectors::{Rotation, add, dot, largest, mapped};
