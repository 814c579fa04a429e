//! The problem at which a run has stopped, for programs.

use crate::experiment::attempts::AttemptFigures;
use crate::experiment::opened::constraint_in_words;
use crate::experiment::opened::words::name_of;
use crate::lcp::MixedError;
use crate::model::World;
use crate::report::StepError;
use serde::Serialize;

/// A problem that a step did not solve: whose it is, who was asked, who gave up, and what was left.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnsolvedStep {
    /// Number of the failed step.
    pub step: u64,
    /// Time at its beginning, s.
    pub time: f64,
    /// Key of the solver that was asked for.
    pub asked: &'static str,
    /// Key of the solver that gave up last, where it was a solver that did.
    pub gave_up: Option<&'static str>,
    /// ‖r‖∞ that was left and what would have counted as solved, in the rows' units; absent where there is no λ to measure.
    pub residual: Option<[f64; 2]>,
    /// Number of the island's scalar rows.
    pub rows: usize,
    /// The island's bodies by name, or by number where they have none.
    pub bodies: Vec<String>,
    /// Its constraints with their bodies: `hinge 2: link 2 – link 3`.
    pub constraints: Vec<String>,
    /// The solvers tried on it.
    pub attempts: Vec<AttemptFigures>,
}

impl UnsolvedStep {
    /// The problem behind the `error` of a step from `world`; absent if the step failed for another reason.
    pub fn of(error: &StepError, world: &World) -> Option<Self> {
        let StepError::Contact(error, Some(unsolved)) = error else { return None };
        let (gave_up, residual) = match *error {
            MixedError::NotConverged { solver, residual, expected, .. } => {
                (Some(solver), residual.is_finite().then_some([residual, expected]))
            }
            MixedError::Ray { solver, .. } | MixedError::NotApplicable { solver, .. } => {
                (Some(solver), None)
            }
            _ => (None, None),
        };
        let constraints = unsolved.concerned.iter();
        Some(Self {
            step: world.steps() + 1,
            time: world.time(),
            asked: unsolved.asked,
            gave_up,
            residual,
            rows: unsolved.rows,
            bodies: unsolved.bodies().into_iter().map(|id| name_of(world, id)).collect(),
            constraints: constraints.map(|&(id, bodies)| constraint_in_words(world, id, bodies)).collect(),
            attempts: unsolved.trail.attempts().iter().map(AttemptFigures::new).collect(),
        })
    }
}
