//! A solve read afterwards: for every row λ, w, the residual, the island it was in, and the solver of that island.
//!
//! A solve stores only the island of each row and the outcome of each island; all else is computed when it is read. Rows have the
//! order of the solved problem, so that the caller, who assembled it, knows by the index which joint's or contact's row
//! each one is.

use crate::lcp::problem::acceptance::Acceptance;
use crate::lcp::problem::trail::Trail;

/// The outcome of one island.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct IslandReading {
    /// Its rows.
    pub rows: usize,
    /// Key of the solver that solved it.
    pub solver: &'static str,
    /// The solvers tried on it.
    pub trail: Trail,
    /// Whether it is proved to have no solution: λ is then that of the least violation.
    pub infeasible: bool,
    /// The measure by which λ counts as its solution.
    pub(crate) acceptance: Acceptance,
}

/// The law of a row at the solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowReading {
    /// λ.
    pub lambda: f64,
    /// The bounds of λ; for friction, at λ of its normal row.
    pub bounds: [f64; 2],
    /// w = J v + c λ + b.
    pub w: f64,
    /// The residual of the row's law, in the unit of w: zero at a solution.
    pub residual: f64,
    /// The residual as a share of its island's speed, by the measure that judges solvers: at most 1e-9 where the island is
    /// solved. Zero without an island.
    pub relative_residual: f64,
    /// Number of its island; absent where no body that the row touches can move.
    pub island: Option<usize>,
}
