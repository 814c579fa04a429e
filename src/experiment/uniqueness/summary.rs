//! Which other solutions the problems of a run's steps have.

use super::Uniqueness;
use crate::experiment::units::larger;
use serde::Serialize;

/// The figures of a run's steps that were examined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct UniquenessSummary {
    /// Steps examined: those whose dynamics a solver solved.
    pub steps: u64,
    /// Steps whose impulses are not unique.
    pub impulse_steps: u64,
    /// Most independent directions in which impulses of a step can change without a velocity changing.
    pub directions: usize,
    /// Largest change of an impulse along one of them, as a share of the largest impulse; ∞ (in JSON null) without bounds.
    pub exchange: f64,
    /// Steps for which a second velocity was found.
    pub velocity_steps: u64,
    /// Largest distance between two velocities of a body, m/s.
    pub apart: f64,
    /// `apart` as a share of the problem's speed, the largest.
    pub apart_relative: f64,
    /// When the velocities first were not unique, s.
    pub first_at: Option<f64>,
    /// Steps with friction in which a second velocity was looked for.
    pub searched_steps: u64,
    /// Steps in which more coupled rows have friction than the search covers.
    pub unsearched_steps: u64,
    /// Steps with a subproblem that was not solved, or so large that only a lower bound of the directions is known.
    pub unexamined_steps: u64,
}

impl UniquenessSummary {
    /// Takes in the step that ended at `time`, s.
    pub(crate) fn add(&mut self, found: &Uniqueness, time: f64) {
        self.steps += 1;
        self.impulse_steps += u64::from(found.directions > 0);
        self.directions = self.directions.max(found.directions);
        self.exchange = larger(self.exchange, found.exchange);
        if found.ambiguous > 0 {
            self.velocity_steps += 1;
            self.first_at.get_or_insert(time);
        }
        self.apart = larger(self.apart, found.apart);
        self.apart_relative = larger(self.apart_relative, found.apart_relative);
        self.searched_steps += u64::from(found.searched > 0);
        self.unsearched_steps += u64::from(found.unsearched > 0);
        self.unexamined_steps += u64::from(found.unexamined > 0);
    }
}
