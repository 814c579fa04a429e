//! A solve read afterwards: of every row λ, w and the residual, which island it was in, and who solved that.
//!
//! A solve keeps only which island each row was in and what came of each island; all else is computed where it is asked for.
//! Rows are those of the problem that was solved, in its order: whoever has posed it knows by the same index which joint's or
//! contact's row each one is.

use crate::lcp::problem::acceptance::Acceptance;
use crate::lcp::problem::problem::MixedProblem;
use crate::lcp::problem::trail::Trail;
use glam::DVec3;

/// What came of one island.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct IslandReading {
    /// Its rows.
    pub rows: usize,
    /// Key of the solver that solved it.
    pub solver: &'static str,
    /// Who was tried on it.
    pub trail: Trail,
    /// Whether it has no solution, with proof: its rows are met with the least violation.
    pub infeasible: bool,
    /// What counts as its solution.
    pub(crate) acceptance: Acceptance,
}

/// What a row demands and what it has got.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowReading {
    /// λ.
    pub lambda: f64,
    /// The bounds of λ; those of friction at the λ of its normal row.
    pub bounds: [f64; 2],
    /// w = J v + c λ + b.
    pub w: f64,
    /// What is left of the row's law, in the unit of w: zero at a solution.
    pub residual: f64,
    /// The same as a share of its island's speed, by the measure that judges solvers: at most 1e-9 where the island is solved. Zero
    /// without an island.
    pub relative_residual: f64,
    /// Number of its island; absent where no body that the row touches can move.
    pub island: Option<usize>,
}

/// A problem with its solution, to be read row by row.
#[derive(Debug)]
pub struct Reading<'a> {
    problem: &'a MixedProblem,
    lambda: &'a [f64],
    v: Vec<DVec3>,
    islands: Vec<IslandReading>,
    /// By row.
    island: Vec<Option<usize>>,
}

impl<'a> Reading<'a> {
    /// A solution of `problem`, with the island of every row.
    pub(crate) fn new(
        problem: &'a MixedProblem,
        lambda: &'a [f64],
        islands: Vec<IslandReading>,
        island: Vec<Option<usize>>,
    ) -> Self {
        let mut v = Vec::new();
        problem.velocity_or_rest(lambda, &mut v);
        Self { problem, lambda, v, islands, island }
    }
}

impl Reading<'_> {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.problem.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.problem.rows.is_empty()
    }

    /// Row `i`, if there are so many.
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

    /// What came of the island that row `i` was in.
    pub fn island_of(&self, i: usize) -> Option<&IslandReading> {
        self.island.get(i).copied().flatten().and_then(|island| self.islands.get(island))
    }
}
