//! Linear algebra of the pivoting methods: LU, and the inverse of a block that gains and loses rows.

pub(super) mod inverse;
pub(super) mod lu;
