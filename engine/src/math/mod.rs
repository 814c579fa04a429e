//! Sums of vectors, rotations, and the two sparse factorisations: LDLᵀ of rows for equations, LU
//! of bodies for contacts.

mod block_lu;
mod ldlt;
#[cfg(test)]
mod ldlt_tests;
mod ordering;
mod simd2;
mod vectors;

pub use block_lu::{BlockLu, BlockSlot};
pub use ldlt::{ROUNDED_PIVOT, SparseLdlt};
pub use simd2::{Block, LargestPair, Pair, Symmetric, Vector, crossed};
pub use vectors::{Rotation, add, largest, mapped, over};
