//! A run that plays back what another program has computed: it has no method of its own, and neither hand nor edit
//! moves its bodies.

use super::LiveRun;
use crate::report::StepReport;
use crate::workbench::engine::Stepping;
use crate::workbench::runs::played::Played;
use crate::workbench::watched::Watched;

impl LiveRun {
    /// A trajectory of the scene of `main`, at its first sample. Contacts are looked for as the method of `main` looks for them.
    pub(crate) fn playing_back(main: &Self, played: Played, stepping: &Stepping) -> Self {
        let mut run = Self::new(main.scene.clone(), stepping);
        let h = played.time_step(main.time_step());
        run.adopt(main.method().clone(), h);
        run.played = Some(played);
        run.record.watched = main.record.watched;
        run.move_to(stepping);
        run.restart();
        run
    }

    /// What it plays back, if it is not stepped.
    pub fn played(&self) -> Option<&Played> {
        self.played.as_ref()
    }

    /// Records the figures of the samples that have been passed, and those of the watched body there; a step that has
    /// passed none has those of an earlier one.
    pub(crate) fn record_samples(&mut self, reports: &[StepReport]) {
        let Some(played) = &self.played else { return };
        let mut world = self.record.watched.map(|_| self.run.world.clone());
        for report in reports {
            if self.record.history.span().is_some_and(|[_, last]| report.time <= last) {
                continue;
            }
            let watched = self.record.watched.zip(world.as_mut()).map(|(index, world)| {
                played.place_at(report.time, world);
                Watched::of(world, index)
            });
            self.record.history.push_with(report, watched.unwrap_or_default());
        }
    }
}
