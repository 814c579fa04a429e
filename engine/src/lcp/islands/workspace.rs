//! The memory that solving a step's problem takes: of the whole, of each island, and what an island came to.

use super::island_cache::IslandCache;
use super::outcome::{IslandFailure, IslandOutcome};
use super::reading::{IslandReading, Reading};
use super::split::Islands;
#[cfg(feature = "parallel")]
use super::threads::Threads;
use crate::lcp::body_space::{BodySpace, Graph};
use crate::lcp::direct::delassus::Delassus;
use crate::lcp::direct::equations::Equations;
use crate::lcp::direct::hinge_chain::HingeChains;
use crate::lcp::homotopy::Homotopy;
use crate::lcp::info::SolverInfo;
use crate::lcp::interior::Interior;
use crate::lcp::newton::Newton;
use crate::lcp::problem::acceptance::{Acceptance, RowMeasure};
use crate::lcp::problem::outcome::{MixedError, Solved};
use crate::lcp::problem::problem::MixedProblem;
use crate::lcp::problem::trail::{Start, Trail};
use crate::lcp::problem::units::InSpeeds;
use crate::parameter::Values;
use glam::DVec3;
use std::mem::swap;

/// Memory of the solvers of mixed problems: buffers and symbolic factors, kept while the rows' pattern stays. A
/// used one gives the same bits as a fresh one.
#[derive(Debug, Default)]
pub struct MixedWorkspace {
    /// Of a problem of equations alone.
    pub(crate) system: Delassus,
    /// In its place, where all are hinges in chains.
    pub(crate) hinges: HingeChains,
    pub(crate) rhs: Vec<f64>,
    pub(crate) compliances: Vec<(u32, f64)>,
    /// What the rows are left with, m/s, where not all of them are in m/s as they stand, or their solution was refined over the bodies.
    pub(crate) left: Vec<f64>,
    /// The problem in one unit.
    pub(crate) speeds: InSpeeds,
    pub(crate) islands: Islands,
    /// By island.
    pub(crate) places: Vec<IslandSlot>,
    /// Memory of the methods that nobody is using: one set for every thread that has solved islands.
    pub(crate) idle: Vec<Box<IslandWorkspace>>,
    /// Who solves the islands.
    #[cfg(feature = "parallel")]
    pub(crate) threads: Threads,
    /// What came of each island of the last solve.
    pub(crate) readings: Vec<IslandReading>,
    /// Rows of the island at which the last solve failed, or those whose numbers are not finite, and who was tried on them; empty where
    /// none did.
    failed: (Vec<u32>, Trail),
    /// Whether `auto` may leave rows violated without a proof that there is no solution (`regularized.rs`).
    pub(crate) yields: bool,
    /// Whether an island that is to the bit that of the last solve has its solution (`island_cache.rs`).
    pub(crate) recalls: bool,
    /// Whether that was a system of equations, which counts as one island.
    pub(crate) is_system: bool,
}

/// The memory of all methods for one island at a time. What the last island has left in it has no influence on the next.
#[derive(Debug, Default)]
pub(crate) struct IslandWorkspace {
    /// The island that is being solved.
    pub island: Island,
    /// What is kept of it.
    pub kept: IslandFactors,
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

/// What solves one island of a step's problem.
pub(crate) trait IslandSolver: Sync {
    /// Name, source, parameters.
    fn info(&self) -> &'static SolverInfo;

    /// Solves the problem of the island of `workspace`: its λ, the warm start, becomes the solution.
    ///
    /// # Errors
    /// Why there is none. λ is then to be thrown away.
    fn solve(
        &self,
        values: &Values,
        problem: &MixedProblem,
        workspace: &mut IslandWorkspace,
    ) -> Result<Solved, MixedError>;

    /// Which λ it starts from.
    fn start(&self) -> Start {
        Start::WarmStart
    }

    /// Whether it sweeps, and promises nothing: what its sweeps have come to, redundant equations and all, with the residual that is
    /// left. All others promise a residual that counts as solved, or the least violation of a problem that is proved to have no solution.
    fn sweeps(&self) -> bool {
        false
    }

    /// Whether it takes equations alone, without contacts, limits and motors.
    fn takes_equations_alone(&self) -> bool {
        false
    }
}

/// Equations of an island that stay while its rows' pattern stays.
#[derive(Debug, Default)]
pub(crate) struct IslandFactors {
    /// Its equations.
    pub equations: Equations,
    /// All its equations where some depend on others, for which these stand back while it is solved.
    pub redundancy: Equations,
}

/// One island's place in the whole: what is kept of it from solve to solve, and what the last one came to.
#[derive(Debug, Default)]
pub(crate) struct IslandSlot {
    kept: IslandFactors,
    /// The pattern of its bodies, with the factors.
    graph: Graph,
    /// The solution, by row of the island.
    pub lambda: Vec<f64>,
    /// The velocity that it gives, by body of the island.
    pub v: Vec<DVec3>,
    pub trail: Trail,
    /// What counts as its solution.
    pub acceptance: Acceptance,
    pub came: Option<Result<IslandOutcome, IslandFailure>>,
    /// The island that was solved last, and what it came to.
    pub cache: IslandCache,
}

/// One island, beside its problem.
#[derive(Debug, Default)]
pub(crate) struct Island {
    /// Memory for its problem.
    pub problem: MixedProblem,
    /// What counts as its solution.
    pub acceptance: Acceptance,
    /// What the residuals of its rows are measured by.
    pub measures: Vec<RowMeasure>,
    /// Of equations in conflict: the row, and what has been added to its b so that all can be met.
    pub violation: Vec<(u32, f64)>,
    /// The warm start, then the solution.
    pub lambda: Vec<f64>,
}

impl Island {
    /// Takes island `index` out of `problem`, with its share of the warm start.
    pub fn extract(&mut self, islands: &Islands, index: usize, problem: &MixedProblem, lambda: &[f64]) {
        let mut own = std::mem::take(&mut self.problem);
        islands.extract(problem, index, &mut own);
        self.begin(&own, islands.rows_of(index), lambda);
        self.problem = own;
    }

    /// Takes up `problem`, that of the island with these rows, with its share of the warm start.
    pub fn begin(&mut self, problem: &MixedProblem, rows: &[u32], lambda: &[f64]) {
        self.violation.clear();
        self.lambda.clear();
        self.lambda.extend(rows.iter().map(|&row| lambda[row as usize]));
        self.acceptance = Acceptance::measuring(problem, &mut self.measures);
    }
}

impl IslandWorkspace {
    /// Exchanges what belongs to an island with what is in its place: before it is solved, and behind that.
    pub fn swap_with(&mut self, place: &mut IslandSlot) {
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
        Self { threads: Threads { pool: Some(pool) }, ..self }
    }

    /// What came of each island of the last solve; empty behind a failure.
    pub fn islands(&self) -> &[IslandReading] {
        &self.readings
    }

    /// The rows of the island at which the last solve failed, and the attempts on it; where numbers were not finite before a solver was
    /// asked, the rows with such numbers. No rows where it did not fail, or at none in
    /// particular.
    pub fn failed(&self) -> (&[u32], Trail) {
        (&self.failed.0, self.failed.1)
    }

    /// As if nothing had failed.
    pub(crate) fn forget_failure(&mut self) {
        self.failed.0.clear();
    }

    /// Keeps island `index` as that of the failure.
    pub(crate) fn keep_failure(&mut self, index: usize) {
        self.failed.0.clear();
        self.failed.0.extend_from_slice(self.islands.rows_of(index));
        self.failed.1 = self.places[index].trail;
    }

    /// Keeps `rows` as those of the failure, which no solver was tried on.
    pub(crate) fn keep_failed_rows(&mut self, rows: impl Iterator<Item = usize>) {
        self.failed.0.clear();
        self.failed.0.extend(rows.map(|row| row as u32));
        self.failed.1.clear();
    }

    /// Says of the islands of `rows` that these rows are violated although nothing proves that there is no solution, and by how much as
    /// `problem` has been posed; of an island that was violated without them that is known. Returns for how many islands it was not, and
    /// the longest trail.
    pub(crate) fn note_violated(
        &mut self,
        problem: &MixedProblem,
        lambda: &[f64],
        rows: &[usize],
    ) -> (usize, Trail) {
        let Self { islands, readings, .. } = self;
        let mut v = Vec::new();
        problem.velocity_or_rest(lambda, &mut v);
        let (mut violated, mut longest) = (0, Trail::default());
        for (index, reading) in readings.iter_mut().enumerate() {
            let own = islands.rows_of(index);
            if rows.iter().any(|&row| own.contains(&(row as u32))) && !reading.infeasible {
                violated += 1;
                reading.infeasible = true;
                let left = own.iter().map(|&row| {
                    let row = row as usize;
                    (&problem.rows[row], problem.row_residual(row, &v, lambda))
                });
                reading.trail.yielded(reading.acceptance.relative(&problem.weight, left));
            }
            longest = longest.longer(reading.trail);
        }
        (violated, longest)
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
