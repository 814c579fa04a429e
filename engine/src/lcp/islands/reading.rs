//! A solve read afterwards: for every row λ, w, the residual, the island it was in, and the solver of that island.
//!
//! A solve stores only the island of each row and the outcome of each island; all else is computed on demand. Rows have the order
//! of the solved problem, so that the caller, who assembled it, knows by the index which joint's or contact's row each one is.

use crate::lcp::problem::acceptance::Acceptance;
use crate::lcp::problem::mixed::MixedProblem;
use crate::lcp::problem::trail::Trail;
use glam::DVec3;

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

/// A problem with its solution, to be read row by row.
#[derive(Debug)]
pub struct Reading<'a> {
    pub(super) problem: &'a MixedProblem,
    pub(super) lambda: &'a [f64],
    pub(super) v: Vec<DVec3>,
    pub(super) islands: Vec<IslandReading>,
    /// The island of each row.
    pub(super) island: Vec<Option<usize>>,
}

impl Reading<'_> {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.problem.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.problem.rows.is_empty()
    }

    /// Reads row `i`, if it exists.
    pub fn row(&self, i: usize) -> Option<RowReading> {
        let row = self.problem.rows.get(i)?;
        let residual = self.problem.row_residual(i, &self.v, self.lambda);
        let relative =
            |island: &IslandReading| island.acceptance.relative(&self.problem.weight, [(row, residual)]);
        Some(RowReading {
            lambda: self.lambda[i],
            bounds: self.problem.bounds(i, self.lambda),
            w: self.problem.w(i, &self.v, self.lambda),
            residual,
            relative_residual: self.island_of(i).map_or(0.0, relative),
            island: self.island[i],
        })
    }

    /// All rows, in the order of the problem.
    pub fn rows(&self) -> impl Iterator<Item = RowReading> {
        (0..self.len()).filter_map(|i| self.row(i))
    }

    /// Returns the outcome of the island that row `i` was in.
    pub fn island_of(&self, i: usize) -> Option<&IslandReading> {
        self.island.get(i).copied().flatten().and_then(|island| self.islands.get(island))
    }
}
