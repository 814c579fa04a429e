//! The solution of the problem that was solved last: a problem that is the same to the bit has the same one.
//!
//! A pile at rest poses the same problem in every step (`posed.rs`), from the same warm start. The solution depends on the problem, the
//! solver and the warm start alone, so that to recognise them is an economy and no influence.

use super::posed::Posed;
use crate::lcp::{MixedOutcome, Solver};
use glam::DVec3;

/// By what a problem was solved and from where, and what that came to.
#[derive(Debug, Default)]
pub(super) struct Answer {
    warm: Vec<f64>,
    lambda: Vec<f64>,
    v: Vec<DVec3>,
    solver: Option<Solver>,
    /// With whether rows were allowed to yield; none behind a failure.
    outcome: Option<(bool, MixedOutcome)>,
}

impl Answer {
    /// The outcome for `posed` from the warm start `lambda`, if that is what was solved last; `lambda` and `v` become the solution.
    pub fn recall(
        &self,
        posed: &Posed,
        by: (&Solver, bool),
        lambda: &mut Vec<f64>,
        v: &mut Vec<DVec3>,
    ) -> Option<MixedOutcome> {
        let (yields, outcome) = self.outcome?;
        let same = |x: &[f64], y: &[f64]| {
            x.len() == y.len() && x.iter().zip(y).all(|(x, y)| x.to_bits() == y.to_bits())
        };
        let by_the_same = yields == by.1 && self.solver.as_ref() == Some(by.0);
        if !posed.is_solved() || !by_the_same || !same(&self.warm, lambda) {
            return None;
        }
        lambda.clone_from(&self.lambda);
        v.clone_from(&self.v);
        Some(outcome)
    }

    /// Forgets the last answer, and keeps from which λ another problem is about to be solved.
    pub fn begin(&mut self, lambda: &[f64]) {
        self.forget();
        self.warm.clear();
        self.warm.extend_from_slice(lambda);
    }

    /// From which λ the problem that is being solved started.
    pub fn warm(&self) -> &[f64] {
        &self.warm
    }

    /// Keeps the solution of `posed`.
    pub fn keep(
        &mut self,
        posed: &mut Posed,
        by: (&Solver, bool),
        (lambda, v): (&[f64], &[DVec3]),
        outcome: MixedOutcome,
    ) {
        posed.note_solved();
        self.lambda.clear();
        self.lambda.extend_from_slice(lambda);
        self.v.clear();
        self.v.extend_from_slice(v);
        if self.solver.as_ref() != Some(by.0) {
            self.solver = Some(by.0.clone());
        }
        self.outcome = Some((by.1, outcome));
    }

    /// Forgets it.
    pub fn forget(&mut self) {
        self.outcome = None;
    }
}
