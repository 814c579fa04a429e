//! Steps in parts: where Newton's method does not converge over a step, its two halves are tried, and so on.

use super::ledger::Ledger;
use super::totals::{Corrections, Figures};
use super::workspace::{Span, Step};
use crate::report::StepError;
use glam::DVec3;

/// Most times that a step is halved before it fails: 2¹⁰ parts.
const MAX_DEPTH: usize = 10;

/// The parts of a step, with a state to go back to for every depth of halving.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// How many the step has been cut into.
    pub made: usize,
    saved: [Saved; MAX_DEPTH + 1],
}

/// A state to go back to.
#[derive(Debug, Default)]
struct Saved {
    q: Vec<DVec3>,
    v: Vec<DVec3>,
    ledger: Ledger,
    figures: Figures,
    corrections: Corrections,
    made: usize,
}

impl Saved {
    fn take(&mut self, step: &Step<'_>) {
        self.q.clone_from(&step.motion.q);
        self.v.clone_from(&step.motion.v);
        self.ledger.copy_from(&step.totals.ledger);
        self.figures = step.solve.figures;
        self.corrections = step.totals.corrections;
        self.made = step.parts.made;
    }

    fn restore(&self, step: &mut Step<'_>) {
        step.motion.q.clone_from(&self.q);
        step.motion.v.clone_from(&self.v);
        step.totals.ledger.copy_from(&self.ledger);
        step.solve.figures = self.figures;
        step.totals.corrections = self.corrections;
        step.parts.made = self.made;
    }
}

/// Makes the step by `attempt`; where its Newton's method does not converge, in two halves, and so on.
pub(super) fn in_parts(
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
    let mut saved = std::mem::take(&mut step.parts.saved[depth]);
    saved.take(step);
    let whole = step.span;
    let mut result = attempt(step);
    if depth > 0 && result.as_ref().is_err_and(StepError::calls_for_smaller_parts) {
        saved.restore(step);
        step.parts.made += 1;
        let half = whole.h / 2.0;
        step.span = Span { h: half, ..whole };
        result = part(step, attempt, depth - 1).and_then(|()| {
            step.span = Span { time: whole.time + half, h: half, ..whole };
            part(step, attempt, depth - 1)
        });
    }
    step.span = whole;
    step.parts.saved[depth] = saved;
    result
}
