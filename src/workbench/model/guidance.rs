//! The tour that is being taken: its present step, and whether what it asks for has been done; and the tours of a folder.

use super::Model;
use crate::peers;
use crate::workbench::library::tours::{self, Until};
use crate::workbench::stage::pointer::Hold;
use std::path::Path;

impl Model {
    /// Notices when what a tour asks for has been done.
    pub(crate) fn watch_tour(&mut self) {
        let done = self.library.asked().is_some_and(|ask| self.has_done(&ask.until));
        if let Some(progress) = self.library.progress.as_mut().filter(|_| done) {
            progress.done = true;
        }
    }

    fn has_done(&self, until: &Until) -> bool {
        let edited = self.edited();
        match until {
            Until::Scheme(key) => edited.method().stabilizer.info().key == key,
            Until::Beside(key) => {
                let under = |place: usize| peers::at(place).is_some_and(|scheme| scheme.info().key == key);
                self.comparison().forks().iter().any(|fork| under(fork.run().scheme_index()))
            }
            Until::Parameter { key, limits } => {
                let mut values = edited.method().stabilizer.values.iter();
                values.any(|(parameter, value)| parameter.key == key && limits.hold(value))
            }
            Until::TimeStep(limits) => limits.hold(edited.time_step()),
            Until::Error(limits) => {
                let report = self.run().report();
                limits.hold(report.joint_error.max(report.contact_error))
            }
            Until::Pulled => matches!(self.hand.hold, Hold::Body { .. }),
            Until::Playing => self.runs.player.playing,
            Until::Tab(tab) => self.shown.plot.tab == *tab,
            Until::Elapsed(time) => {
                let begun = self.library.progress.map_or(0.0, |progress| progress.begun);
                self.run().world().time() - begun >= *time
            }
            Until::FromStart { time_step, elapsed } => {
                let run = self.run();
                let lasted = run.world().time() - run.origin().time;
                time_step.hold(run.time_step()) && !run.is_touched() && lasted >= *elapsed
            }
        }
    }

    /// Takes the tours of a folder, by name, beside the shipped ones; says which of its files is none.
    pub fn add_tours(&mut self, folder: &Path) {
        // Who has no such folder has no tours.
        let problems = tours::add_folder(&mut self.library.tours, folder).unwrap_or_default();
        if !problems.is_empty() {
            self.say(problems.join("\n"));
        }
    }
}
