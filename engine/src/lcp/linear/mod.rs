//! Linear algebra of the pivoting methods: matrices that may be mostly zero, LU, and the inverse of a block that
//! gains and loses rows.

pub(super) mod inverse;
pub(super) mod lu;
pub(super) mod matrix;
