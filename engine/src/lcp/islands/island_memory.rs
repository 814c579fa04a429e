//! The memory for solving a step's problem: of the whole problem, and of each island with its outcome.
//!
//! **The cache of solved islands.** A pile at rest has the same rows in every step, even while other bodies move. The
//! outcome of an island depends only on its problem, the solver and the warm start: where these are the same to the
//! bit, the last outcome stands, which saves the solve and changes no bit. Beside it there is only the cache of whole
//! steps at rest (`step/rest_cache.rs`).

use super::reading::{IslandReading, RowReading};
use super::split::Islands;
use crate::lcp::body_space::{BodySpace, Graph};
use crate::lcp::direct::delassus::Delassus;
use crate::lcp::direct::equations::Equations;
use crate::lcp::direct::hinge_chain::HingeChains;
use crate::lcp::homotopy::Homotopy;
use crate::lcp::info::Effort;
use crate::lcp::interior::Interior;
use crate::lcp::newton::{Newton, NewtonEffort};
use crate::lcp::nncg::Nncg;
use crate::lcp::problem::acceptance::{Acceptance, InSpeeds};
use crate::lcp::problem::mixed::MixedProblem;
use crate::lcp::problem::solution::{IslandOutcome, MixedError};
use crate::lcp::problem::trail::Trail;
use crate::parameter::Values;
use glam::DVec3;
use std::mem::swap;

/// The keys of a solver and of the method that it leaves out.
pub(crate) type SolverKeys = (&'static str, Option<&'static str>);

/// Memory of the solvers of mixed problems: buffers and symbolic factors, reused while the rows' pattern stays. A
/// used workspace gives the same bits as a fresh one.
#[derive(Debug, Default)]
pub struct MixedWorkspace {
    /// The factors of a problem of equations alone.
    pub(crate) system: Delassus,
    /// The factors used instead of `system` where all rows are those of hinges in chains.
    pub(crate) hinges: HingeChains,
    pub(crate) rhs: Vec<f64>,
    /// Residuals of the rows, m/s, where not all rows are in m/s as posed, or their solution was refined over the bodies.
    pub(crate) left: Vec<f64>,
    /// The problem converted to m/s.
    pub(crate) speeds: InSpeeds,
    pub(crate) islands: Islands,
    /// The memory kept for each island.
    pub(crate) slots: Vec<IslandSlot>,
    /// Memory of the methods that no thread is using: one set for every thread that has solved islands.
    pub(crate) idle: Vec<Box<IslandWorkspace>>,
    /// How the islands were solved last: the solver with its parameters and effort, and whether rows might be violated.
    solved_by: Option<(SolverKeys, Values, Effort, bool)>,
    /// The threads that solve the islands, in place of rayon's global pool.
    #[cfg(feature = "parallel")]
    pub(crate) pool: Option<std::sync::Arc<rayon::ThreadPool>>,
    /// The outcome of each island of the last solve.
    pub(crate) readings: Vec<IslandReading>,
    /// Rows of the island at which the last solve failed, or those whose numbers are not finite, with the solvers tried on them;
    /// no rows if it did not fail.
    pub(crate) failed: (Vec<u32>, Trail),
    /// Whether `auto` may leave rows violated without a proof that there is no solution (`auto/regularized.rs`).
    pub(crate) yields: bool,
    /// How much work `auto` may put into an island.
    pub(crate) effort: Effort,
    /// Whether the solution of an island that is unchanged to the bit is reused.
    pub(crate) recalls: bool,
    /// Whether the last solve was that of a system of equations, which counts as one island.
    pub(crate) is_system: bool,
}

/// The memory of all methods for one island at a time. Its contents after one island have no influence on the next.
#[derive(Debug, Default)]
pub(crate) struct IslandWorkspace {
    /// The island that is being solved.
    pub island: Island,
    pub space: BodySpace,
    pub newton: Newton,
    pub homotopy: Homotopy,
    pub interior: Interior,
    pub nncg: Nncg,
    /// λ for a method whose failure must leave the warm start as it is.
    pub spare: Vec<f64>,
    pub residuals: Vec<f64>,
}

/// The memory of one island in the whole problem: factors kept from solve to solve, and the outcome of the last one.
#[derive(Debug, Default)]
pub(crate) struct IslandSlot {
    pub island: Island,
    /// The pattern of its bodies, with the factors.
    graph: Graph,
    /// The outcome of the last solve; `None` if no solver was called.
    pub outcome: Option<Result<IslandOutcome, MixedError>>,
    /// The island that was solved last, and its warm start.
    pub problem: MixedProblem,
    pub warm: Vec<f64>,
}

/// One island with the data that its solve needs.
#[derive(Debug, Default)]
pub(crate) struct Island {
    /// Memory for its problem without the equations that depend on others.
    pub problem: MixedProblem,
    /// The measure by which λ counts as its solution.
    pub acceptance: Acceptance,
    /// Equations in conflict: the row, and the change of its b by which all can be satisfied.
    pub violation: Vec<(u32, f64)>,
    /// The warm start, then the solution.
    pub lambda: Vec<f64>,
    /// The velocity of its bodies for its λ.
    pub v: Vec<DVec3>,
    /// How much work `auto` may put into it.
    pub effort: Effort,
    /// The solvers tried on it.
    pub trail: Trail,
    /// The factors of its equations, whose symbolic part stays while the rows' pattern stays.
    pub equations: Equations,
    /// The factors of all its equations, redundant ones included; `equations` lacks these while the island is solved.
    pub redundancy: Equations,
}

impl Island {
    /// Loads `problem`, that of island `index`, with its share of the warm start.
    pub fn begin(&mut self, problem: &MixedProblem, islands: &Islands, index: usize, lambda: &[f64]) {
        self.violation.clear();
        self.trail.clear();
        self.lambda.clear();
        let scale = islands.scale_of(index);
        self.lambda.extend(islands.rows_of(index).iter().map(|&row| lambda[row as usize] / scale));
        self.acceptance = Acceptance::of(problem);
    }
}

impl IslandSlot {
    /// Whether its outcome is that of island `index` of `problem`: the island and its share of the warm start `lambda` are those
    /// that were solved last.
    pub fn holds(&self, islands: &Islands, index: usize, problem: &MixedProblem, lambda: &[f64]) -> bool {
        let (rows, scale) = (islands.rows_of(index), islands.scale_of(index));
        let same = |(&row, x): (&u32, &f64)| (lambda[row as usize] / scale).to_bits() == x.to_bits();
        matches!(self.outcome, Some(Ok(_)))
            && rows.len() == self.warm.len()
            && rows.iter().zip(&self.warm).all(same)
            && islands.extracts_to(problem, index, &self.problem)
    }
}

impl IslandWorkspace {
    /// Makes Newton's steps from the island's λ, which becomes the best found; returns whether that is a solution.
    pub fn improve(&mut self, problem: &MixedProblem, tolerance: f64, effort: NewtonEffort) -> bool {
        let Self { island, space, newton, .. } = self;
        space.enter(problem, &island.acceptance, &island.lambda);
        let solved = newton.improve(space, tolerance, effort);
        space.write_best(&mut island.lambda);
        solved
    }

    /// Swaps the data of an island between workspace and slot: before it is solved, and afterwards.
    pub fn swap_with(&mut self, slot: &mut IslandSlot) {
        swap(&mut self.island, &mut slot.island);
        swap(&mut self.space.graph, &mut slot.graph);
    }
}

impl MixedWorkspace {
    /// Solves islands on the threads of `pool` instead of rayon's global pool. The bits are the same.
    #[cfg(feature = "parallel")]
    pub fn on_threads_of(self, pool: std::sync::Arc<rayon::ThreadPool>) -> Self {
        Self { pool: Some(pool), ..self }
    }

    /// The outcome of each island of the last solve; empty after a failure.
    pub fn islands(&self) -> &[IslandReading] {
        &self.readings
    }

    /// The rows of the island at which the last solve failed, and the attempts on it; where numbers were not finite before a
    /// solver was called, the rows with such numbers. No rows where it did not fail, or at no particular island.
    pub fn failed(&self) -> (&[u32], Trail) {
        (&self.failed.0, self.failed.1)
    }

    /// Forgets the outcomes of all islands, unless the last solve was by the same solver, given by its key and that of
    /// the method it leaves out, in the same way.
    pub(crate) fn begin_solve_by(&mut self, solver: SolverKeys, values: &Values) {
        let Self { solved_by, slots, effort, yields, .. } = self;
        let same = solved_by.as_ref().is_some_and(|(last, with, tried, violated)| {
            (*last, with, *tried, *violated) == (solver, values, *effort, *yields)
        });
        if !same {
            slots.iter_mut().for_each(|slot| slot.outcome = None);
            *solved_by = Some((solver, values.clone(), *effort, *yields));
        }
    }

    /// Forgets how the islands of the last solve ended, since the problem is another one.
    pub(crate) fn forget_readings(&mut self) {
        self.is_system = true;
        self.readings.clear();
    }

    /// Clears the record of a failure.
    pub(crate) fn forget_failure(&mut self) {
        self.failed.0.clear();
    }

    /// Records `rows` as those of the failure, on which no solver was tried.
    pub(crate) fn keep_failed_rows(&mut self, rows: impl Iterator<Item = usize>) {
        self.failed = (rows.map(|row| row as u32).collect(), Trail::default());
    }

    /// Marks the islands of `rows` as violated although nothing proves that they have no solution, with their residual on
    /// `problem` as posed. Islands already marked stay as they are. Returns how many islands were newly marked, and the longest
    /// trail.
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
                reading.trail.yielded(reading.acceptance.relative(&problem.inverse_mass, left));
            }
            if reading.trail.is_longer_than(&longest) {
                longest = reading.trail;
            }
        }
        (violated, longest)
    }

    /// Reads the last solve, given its problem and the resulting λ: each row, in the order of the problem, with the
    /// outcome of its island. `None` if the number of rows is not that of the last problem, or the solve failed.
    pub fn read(
        &self,
        problem: &MixedProblem,
        lambda: &[f64],
    ) -> Option<Vec<(RowReading, Option<IslandReading>)>> {
        let mut islands = self.readings.clone();
        let count = problem.rows.len();
        let (rows, solved) = if self.is_system {
            islands.iter_mut().for_each(|system| system.acceptance = Acceptance::of(problem));
            (islands.first().map_or(0, |system| system.rows), islands.len() == 1)
        } else {
            (self.islands.row_count(), islands.len() == self.islands.count())
        };
        (solved && rows == count && lambda.len() == count).then(|| {
            let mut island = vec![self.is_system.then_some(0); count];
            for index in 0..if self.is_system { 0 } else { islands.len() } {
                self.islands.rows_of(index).iter().for_each(|&row| island[row as usize] = Some(index));
            }
            let mut v = Vec::new();
            problem.velocity_or_rest(lambda, &mut v);
            let read = |(i, row)| {
                let residual = problem.row_residual(i, &v, lambda);
                let own = island[i].map(|index| islands[index]);
                let relative =
                    |own: IslandReading| own.acceptance.relative(&problem.inverse_mass, [(row, residual)]);
                let reading = RowReading {
                    lambda: lambda[i],
                    bounds: problem.bounds(i, lambda),
                    w: problem.w(i, &v, lambda),
                    residual,
                    relative_residual: own.map_or(0.0, relative),
                    island: island[i],
                };
                (reading, own)
            };
            problem.rows.iter().enumerate().map(read).collect()
        })
    }
}
