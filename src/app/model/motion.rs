//! The watched body: the selected one, in all runs, and its figures as a table.

use super::{FileKind, Model};
use crate::app::runs::history::Channel;
use crate::app::runs::simulation::Simulation;
use crate::app::view_state::plot_view::MOTION;

impl Model {
    /// Lets all runs record the selected body from now on.
    pub(in crate::app) fn watch_selected(&mut self) {
        let index = self.selected_body();
        self.comparison.watch(index);
    }

    /// The recorded steps of the watched body, of all runs, as CSV: a row per step.
    pub fn motion_table(&self) -> String {
        let mut text = "run,time".to_owned();
        for quantity in &MOTION {
            text += &format!(",{}", quantity.key);
        }
        text.push('\n');
        let forks = self.comparison.forks().iter().map(|fork| fork.run());
        for run in std::iter::once(self.run()).chain(forks) {
            self.rows_of(run, &mut text);
        }
        text
    }

    fn rows_of(&self, run: &Simulation, text: &mut String) {
        // A name with commas is a text in quotes.
        let name = format!("\"{}\"", self.comparison.full_label(run).replace('"', "\"\""));
        let channels: Vec<Channel> = MOTION.iter().map(|quantity| quantity.channel).collect();
        for (time, values) in run.history().rows(&channels) {
            let values: Vec<String> = values
                .iter()
                .map(|value| if value.is_nan() { String::new() } else { value.to_string() })
                .collect();
            *text += &format!("{name},{time},{}\n", values.join(","));
        }
    }

    /// Lets a person choose where to save that table.
    pub(in crate::app) fn save_motion(&mut self) {
        let table = self.motion_table();
        self.save_by_dialog(FileKind::Table, "motion.csv", table);
    }
}
