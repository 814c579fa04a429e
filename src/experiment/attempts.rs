//! Which solvers were tried on the problems of a run's steps, how often each attempt ended in which way, and the step
//! that took the most attempts.

use crate::lcp::{Attempt, Trail};
use crate::report::StepReport;
use serde::Serialize;

/// The solver attempts of a run's steps; of each step, those on the island with the most attempts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AttemptSummary {
    /// Attempts with the same solver, start and ending counted together, in the order in which they first occurred.
    pub tally: Vec<AttemptCount>,
    /// The step with the most attempts; absent where no step solved anything.
    pub longest: Option<LongestTrail>,
    #[serde(skip)]
    trail: Trail,
}

/// The number of attempts with the same solver, start and ending.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttemptCount {
    /// Key of the solver.
    pub solver: &'static str,
    /// Which λ they started from.
    pub from: &'static str,
    /// Why they ended.
    pub ending: &'static str,
    /// Number of these attempts.
    pub attempts: u64,
    /// Sum of their pivots, factorisations or sweeps.
    pub iterations: usize,
}

/// The attempts of one step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LongestTrail {
    /// Number of the step.
    pub step: u64,
    /// Time at its end, s.
    pub time: f64,
    /// The attempts, in their order.
    pub attempts: Vec<AttemptFigures>,
}

/// One attempt.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttemptFigures {
    /// Key of the solver.
    pub solver: &'static str,
    /// Which λ it started from.
    pub from: &'static str,
    /// Its pivots, factorisations or sweeps.
    pub iterations: usize,
    /// The residual at its end as a share of the problem's speed; absent where the method has no λ to show.
    pub residual: Option<f64>,
    /// Why it ended.
    pub ending: &'static str,
}

impl AttemptSummary {
    /// Takes in one step.
    pub fn add(&mut self, report: &StepReport) {
        for attempt in report.trail.attempts() {
            let AttemptFigures { solver, from, ending, .. } = AttemptFigures::new(attempt);
            let alike = |count: &&mut AttemptCount| {
                (count.solver, count.from, count.ending) == (solver, from, ending)
            };
            match self.tally.iter_mut().find(alike) {
                Some(count) => {
                    count.attempts += 1;
                    count.iterations += attempt.iterations;
                }
                None => self.tally.push(AttemptCount {
                    solver,
                    from,
                    ending,
                    attempts: 1,
                    iterations: attempt.iterations,
                }),
            }
        }
        if report.trail.is_longer_than(&self.trail) {
            self.trail = report.trail;
            let attempts = self.trail.attempts().iter().map(AttemptFigures::new).collect();
            self.longest = Some(LongestTrail { step: report.step, time: report.time, attempts });
        }
    }
}

impl AttemptFigures {
    pub(crate) fn new(attempt: &Attempt) -> Self {
        let Attempt { solver, from, iterations, residual, ending, .. } = *attempt;
        Self { solver, from: from.key(), iterations, residual, ending: ending.key() }
    }
}
