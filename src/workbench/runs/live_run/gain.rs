//! Energy from nothing in the run that is shown, by the rule of a run without a window (`experiment/diagnosis/gain.rs`).
//!
//! It is looked for from the run's start. Where a person changes the method or moves a body, and behind steps on which
//! a hand has acted, the search begins anew from the state reached: until there the energy has another history.

use super::LiveRun;
use crate::experiment::{GainJudge, Run, is_held};
use crate::report::StepReport;

impl LiveRun {
    /// Forgets what was found, and looks from the present state on.
    pub(crate) fn judge_anew(&mut self) {
        self.judged.gains = GainJudge::new(&self.run.world, self.run.report(), self.run.time_step);
    }

    /// Takes in the steps that led to the present state; `driven`: a hand has acted on them ([`is_driven`]).
    pub(crate) fn judge(&mut self, reports: &[StepReport], driven: bool) {
        if driven {
            return self.judge_anew();
        }
        reports.iter().for_each(|report| self.judged.gains.add(report));
    }
}

/// Whether a hand, live or recorded, has acted on the steps that `run` has just made.
pub(crate) fn is_driven(run: &Run) -> bool {
    run.pointer.is_some() || is_held(&run.world)
}
