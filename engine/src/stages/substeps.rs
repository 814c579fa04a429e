//! Steps in parts: halves, if Newton's method does not converge over the whole step, and the equal substeps of schemes that
//! sweep.

use super::checkpoints::MAX_DEPTH;
use super::constraints::GapTerm;
use super::step_context::StepContext;
use crate::report::StepError;
use crate::stages::step_in_progress::Step;

/// Makes the step by `attempt`; if its Newton's method does not converge, in two halves, and these likewise.
pub(crate) fn in_parts(
    step: &mut Step<'_>,
    attempt: fn(&mut Step<'_>) -> Result<(), StepError>,
) -> Result<(), StepError> {
    part(step, attempt, MAX_DEPTH)
}

fn part(
    step: &mut Step<'_>,
    attempt: fn(&mut Step<'_>) -> Result<(), StepError>,
    depth: usize,
) -> Result<(), StepError> {
    let mut checkpoint = std::mem::take(&mut step.substeps.checkpoints[depth]);
    checkpoint.take(step.motion, step.totals, &step.solve.stats, step.substeps.made);
    let whole = step.context;
    let mut result = attempt(step);
    if depth > 0 && result.as_ref().is_err_and(StepError::calls_for_smaller_parts) {
        let Step { motion, totals, solve, substeps, .. } = &mut *step;
        checkpoint.restore(motion, totals, &mut solve.stats, &mut substeps.made);
        step.substeps.made += 1;
        let half = whole.h / 2.0;
        step.context = StepContext { h: half, ..whole };
        result = part(step, attempt, depth - 1).and_then(|()| {
            step.context = StepContext { time: whole.time + half, h: half, ..whole };
            part(step, attempt, depth - 1)
        });
    }
    step.context = whole;
    step.substeps.checkpoints[depth] = checkpoint;
    result
}

/// Finds the contacts and limits that `term` requires once, and makes `substeps` equal substeps, each at its own time with its
/// own prescribed velocities and right-hand sides of non-holonomic rows. Their impulses are summed up.
pub(crate) fn in_substeps(
    step: &mut Step<'_>,
    term: GapTerm,
    substeps: usize,
    mut advance: impl FnMut(&mut Step<'_>),
) {
    let Step { context, motion, constraints, sequence, .. } = &mut *step;
    let whole = *context;
    motion.prescribe_mean_velocity(context);
    constraints.evaluate(context.world, motion);
    constraints.find_contacts(context, motion, term);
    sequence.begin(context, constraints, &motion.q, substeps);
    let h = whole.h / substeps as f64;
    for substep in 0..substeps {
        step.context = StepContext { time: whole.time + substep as f64 * h, h, ..whole };
        step.motion.prescribe_mean_velocity(&step.context);
        step.sequence.pose_nonholonomic(whole.world, step.context.end());
        step.sequence.note_start(&step.motion.v);
        advance(step);
        step.sequence.bank();
    }
    step.context = whole;
}
