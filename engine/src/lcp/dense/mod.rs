//! Linear complementarity problems given as a dense matrix, without bodies: `driftlab lcp` reads them from a file.
//!
//! - `problem.rs`, `scaled.rs`: the problem, its variables and its residual, how solving can end; and that problem
//!   equilibrated
//! - `lemke.rs`, `dantzig.rs`: one solver each; a third is `lcp/pgs.rs`
//! - `pivots.rs`: the record of the exchanges of a pivoting method
//! - `tableau.rs`: the tableau of both pivoting methods, and the step from a basis to a solution
//! - `inverse.rs`, `lu.rs`: the inverse of the tableau's block, which gains and loses rows; a fresh factorisation of it
//!
//! ```text
//! find z ≥ 0 with w = M z + q ≥ 0 and zᵀw = 0
//! ```
//!
//! Every solver is judged by one number, the natural residual ‖min(z, w)‖∞ with w of the matrix as it was
//! given: never of one that was regularised or scaled on the way, since a regularised Lemke 'solves' an
//! unsolvable problem with a residual of order one. It has the unit of z and w, which the problem does not
//! tell apart; it is zero exactly at a solution.

pub mod dantzig;
pub mod inverse;
pub mod lemke;
pub mod lu;
pub(super) mod pivots;
pub(super) mod problem;
pub mod scaled;
pub mod tableau;

pub(super) use pivots::Pivots;
pub(super) use problem::{LcpError, LcpProblem, Solution};
