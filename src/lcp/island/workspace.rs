//! The memory that solving a step's problem takes.

use super::reading::{IslandReading, Reading};
use super::split::{Island, Islands};
use crate::lcp::bodies::homotopy::Homotopy;
use crate::lcp::bodies::interior::Interior;
use crate::lcp::bodies::newton::Newton;
use crate::lcp::bodies::space::BodySpace;
use crate::lcp::delassus::dantzig::DantzigMemory;
use crate::lcp::delassus::equations::Equations;
use crate::lcp::delassus::matrix::Delassus;
use crate::lcp::mixed::acceptance::Acceptance;
use crate::lcp::mixed::problem::MixedProblem;
use crate::lcp::mixed::trail::Trail;
use glam::DVec3;

/// Memory of the solvers of mixed problems: buffers and symbolic factors, kept while the rows' pattern stays. A
/// used one gives the same bits as a fresh one.
#[derive(Debug, Default)]
pub struct MixedWorkspace {
    /// Of a problem of equations alone.
    pub(super) system: Delassus,
    pub(super) islands: Islands,
    /// The island that is being solved.
    pub(super) island: Island,
    /// By island: its equations.
    pub(super) equations: Vec<Equations>,
    /// By island: all its equations where some depend on others, for which these stand back while it is solved.
    pub(super) redundancy: Vec<Equations>,
    pub(super) dantzig: DantzigMemory,
    pub(super) space: BodySpace,
    pub(super) newton: Newton,
    pub(super) homotopy: Homotopy,
    pub(super) interior: Interior,
    /// λ for a method whose failure must leave the warm start as it is.
    pub(super) spare: Vec<f64>,
    pub(super) rhs: Vec<f64>,
    pub(super) compliances: Vec<(u32, f64)>,
    pub(super) v: Vec<DVec3>,
    pub(super) residuals: Vec<f64>,
    /// Of the present island.
    pub(super) trail: Trail,
    /// What came of each island of the last solve.
    pub(super) readings: Vec<IslandReading>,
    /// Rows of the island at which the last solve failed, and who was tried on it; empty where none did.
    failed: (Vec<u32>, Trail),
    /// Whether `auto` may leave rows violated without a proof that there is no solution (`yielding.rs`).
    pub(crate) yields: bool,
    /// Whether that was a system of equations, which counts as one island.
    pub(super) is_system: bool,
}

impl MixedWorkspace {
    /// What came of each island of the last solve; empty behind a failure.
    pub fn islands(&self) -> &[IslandReading] {
        &self.readings
    }

    /// The rows of the island at which the last solve failed, and the attempts on it. No rows where it did not fail, or at none in
    /// particular.
    pub fn failed(&self) -> (&[u32], Trail) {
        (&self.failed.0, self.failed.1)
    }

    /// As if nothing had failed.
    pub(crate) fn forget_failure(&mut self) {
        self.failed.0.clear();
    }

    /// Keeps the present island as that of the failure.
    pub(super) fn keep_failure(&mut self) {
        self.failed.0.clone_from(&self.island.rows);
        self.failed.1 = self.trail;
    }

    /// The last solve, read with the problem and the λ of its end; absent if that is another problem by its number of rows, or the
    /// solve has failed.
    pub fn read<'a>(&'a self, problem: &'a MixedProblem, lambda: &'a [f64]) -> Option<Reading<'a>> {
        let mut islands = self.readings.clone();
        let count = problem.rows.len();
        let (rows, solved) = if self.is_system {
            islands.iter_mut().for_each(|system| system.acceptance = Acceptance::of(problem));
            (islands.first().map_or(0, |system| system.rows), islands.len() == 1)
        } else {
            (self.islands.row_count(), islands.len() == self.islands.len())
        };
        (solved && rows == count && lambda.len() == count).then(|| {
            let mut island = vec![self.is_system.then_some(0); count];
            for index in 0..if self.is_system { 0 } else { islands.len() } {
                self.islands.rows_of(index).iter().for_each(|&row| island[row as usize] = Some(index));
            }
            Reading::new(problem, lambda, islands, island)
        })
    }
}
