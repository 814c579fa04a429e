//! The memory that solving a step's problem takes.

#[cfg(feature = "parallel")]
use super::helpers::Threads;
use super::reading::{IslandReading, Reading};
use super::single::{Came, Failed, Island};
use super::split::Islands;
use crate::lcp::bodies::homotopy::Homotopy;
use crate::lcp::bodies::interior::Interior;
use crate::lcp::bodies::newton::Newton;
use crate::lcp::bodies::space::{BodySpace, Graph};
use crate::lcp::delassus::dantzig::DantzigMemory;
use crate::lcp::delassus::equations::Equations;
use crate::lcp::delassus::matrix::Delassus;
use crate::lcp::mixed::acceptance::Acceptance;
use crate::lcp::mixed::problem::MixedProblem;
use crate::lcp::mixed::trail::Trail;
use glam::DVec3;
use std::mem::swap;

/// Memory of the solvers of mixed problems: buffers and symbolic factors, kept while the rows' pattern stays. A
/// used one gives the same bits as a fresh one.
#[derive(Debug, Default)]
pub struct MixedWorkspace {
    /// Of a problem of equations alone.
    pub(super) system: Delassus,
    pub(super) rhs: Vec<f64>,
    pub(super) compliances: Vec<(u32, f64)>,
    pub(super) islands: Islands,
    /// By island.
    pub(super) places: Vec<Place>,
    /// Memory of the methods that nobody is using: one set for every thread that has solved islands.
    pub(super) idle: Vec<Box<IslandWorkspace>>,
    /// Who solves the islands.
    #[cfg(feature = "parallel")]
    pub(super) threads: Threads,
    /// What came of each island of the last solve.
    pub(super) readings: Vec<IslandReading>,
    /// Rows of the island at which the last solve failed, and who was tried on it; empty where none did.
    failed: (Vec<u32>, Trail),
    /// Whether `auto` may leave rows violated without a proof that there is no solution (`yielding.rs`).
    pub(crate) yields: bool,
    /// Whether that was a system of equations, which counts as one island.
    pub(super) is_system: bool,
}

/// The memory of all methods for one island at a time. What the last island has left in it has no influence on the next.
#[derive(Debug, Default)]
pub(super) struct IslandWorkspace {
    /// The island that is being solved.
    pub island: Island,
    /// What is kept of it.
    pub kept: Kept,
    pub dantzig: DantzigMemory,
    pub space: BodySpace,
    pub newton: Newton,
    pub homotopy: Homotopy,
    pub interior: Interior,
    /// λ for a method whose failure must leave the warm start as it is.
    pub spare: Vec<f64>,
    /// The velocity of the island's bodies that its λ gives.
    pub v: Vec<DVec3>,
    pub residuals: Vec<f64>,
    /// Who was tried on it.
    pub trail: Trail,
}

/// Equations of an island that stay while its rows' pattern stays.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Its equations.
    pub equations: Equations,
    /// All its equations where some depend on others, for which these stand back while it is solved.
    pub redundancy: Equations,
}

/// One island's place in the whole: what is kept of it from solve to solve, and what the last one came to.
#[derive(Debug, Default)]
pub(super) struct Place {
    kept: Kept,
    /// The pattern of its bodies, with the factors.
    graph: Graph,
    /// The solution, by row of the island.
    pub lambda: Vec<f64>,
    /// The velocity that it gives, by body of the island.
    pub v: Vec<DVec3>,
    pub trail: Trail,
    /// What counts as its solution.
    pub acceptance: Acceptance,
    pub came: Option<Result<Came, Failed>>,
}

impl IslandWorkspace {
    /// Exchanges what belongs to an island with what is in its place: before it is solved, and behind that.
    pub fn swap_with(&mut self, place: &mut Place) {
        swap(&mut self.kept, &mut place.kept);
        swap(&mut self.space.graph, &mut place.graph);
        swap(&mut self.island.lambda, &mut place.lambda);
        swap(&mut self.v, &mut place.v);
    }
}

impl MixedWorkspace {
    /// It with islands solved by the threads of `pool`, in place of those of rayon's global pool. The bits are the same.
    #[cfg(feature = "parallel")]
    pub fn on_threads_of(self, pool: std::sync::Arc<rayon::ThreadPool>) -> Self {
        Self { threads: Threads::of(pool), ..self }
    }

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

    /// Keeps island `index` as that of the failure.
    pub(super) fn keep_failure(&mut self, index: usize) {
        self.failed.0.clear();
        self.failed.0.extend_from_slice(self.islands.rows_of(index));
        self.failed.1 = self.places[index].trail;
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
