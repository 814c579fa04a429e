//! A step in progress, on which a scheme acts: the world and method, and all memory of the stages.

use super::accounting::solve_stats::Outcome;
use super::accounting::step_totals::StepTotals;
use super::checkpoints::Substeps;
use super::constraints::Constraints;
use super::forces::RkStages;
use super::gauss_seidel::sweeps::Sequence;
use super::impulses::Solve;
use super::motion::Motion;
use super::rattle_predictor::RattlePredictor;
use super::step_context::StepContext;
use crate::report::StepError;

/// One step, or part of a step, in progress.
pub struct Step<'a> {
    pub(crate) context: StepContext<'a>,
    pub(crate) motion: &'a mut Motion,
    pub(crate) constraints: &'a mut Constraints,
    pub(crate) solve: &'a mut Solve,
    pub(crate) totals: &'a mut StepTotals,
    /// The constraints in the order in which sweeping schemes visit them.
    pub(crate) sequence: &'a mut Sequence,
    /// The sums of the explicit integrators.
    pub(crate) stages: &'a mut RkStages,
    /// The end of the step as RATTLE predicts it.
    pub(crate) predictor: &'a mut RattlePredictor,
    pub(crate) substeps: &'a mut Substeps,
}

impl Step<'_> {
    /// Returns the outcome for the report, if the scheme has `advanced` and the new state is finite.
    pub(crate) fn finish(self, advanced: Result<(), StepError>) -> Result<Outcome, StepError> {
        let Self { context, motion, constraints, solve, totals, substeps, .. } = self;
        // First, since any solve may have failed for want of the contacts that were too many.
        constraints.uncrowded().and(advanced)?;
        if !(motion.integrals.is_finite() && totals.ledger.is_finite()) {
            return Err(StepError::Factorization);
        }
        let energies @ [kinetic, potential] = motion.energies_of_bodies(context.world);
        let finite = (kinetic + potential).is_finite();
        // The energies are finite if all numbers in them are.
        if !(finite && motion.is_finite_beside_energies() || motion.is_finite()) {
            return Err(motion.lost(context.world).unwrap_or(StepError::Factorization));
        }
        if !(finite && totals.corrections.work.is_finite()) {
            return Err(motion.lost(context.world).unwrap_or(StepError::EnergyNotFinite));
        }
        Ok(Outcome { solves: solve.stats, corrections: totals.corrections, parts: substeps.made, energies })
    }
}
