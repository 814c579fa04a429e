//! States that a step in parts can go back to.

use super::figures::{Corrections, Figures};
use super::ledger::Ledger;
use super::motion::Motion;
use super::totals::Totals;
use glam::DVec3;

/// Most times that a step is halved before it fails: 2¹⁰ parts.
pub(super) const MAX_DEPTH: usize = 10;

/// The parts of a step, with a state to go back to for every depth of halving.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// How many the step has been cut into.
    pub made: usize,
    pub saved: [Saved; MAX_DEPTH + 1],
}

/// A state to go back to.
#[derive(Debug, Default)]
pub(super) struct Saved {
    q: Vec<DVec3>,
    v: Vec<DVec3>,
    ledger: Ledger,
    corrections: Corrections,
    figures: Figures,
    made: usize,
}

impl Saved {
    /// Copies the present state of a step that has been cut into so many parts.
    pub fn take(&mut self, motion: &Motion, totals: &Totals, figures: &Figures, made: usize) {
        self.q.clone_from(&motion.q);
        self.v.clone_from(&motion.v);
        self.ledger.copy_from(&totals.ledger);
        self.corrections = totals.corrections;
        (self.figures, self.made) = (*figures, made);
    }

    /// Goes back to it.
    pub fn restore(
        &self,
        motion: &mut Motion,
        totals: &mut Totals,
        figures: &mut Figures,
        made: &mut usize,
    ) {
        motion.q.clone_from(&self.q);
        motion.v.clone_from(&self.v);
        totals.ledger.copy_from(&self.ledger);
        totals.corrections = self.corrections;
        (*figures, *made) = (self.figures, self.made);
    }
}
