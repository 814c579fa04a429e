//! The run whose method the panel shows and edits: the main one, or a fork.

use super::Model;
use crate::method::Method;
use crate::peers;
use crate::workbench::runs::comparison::{Fork, ForkId, Role};
use crate::workbench::runs::live_run::{LiveRun, Setting};
use crate::workbench::view_state::side_tab::SideTab;

/// Heading of a refusal.
const LACKING: &str = "This engine cannot have the scene";

impl Model {
    /// The fork whose method the panel edits, if it is not the main run's.
    pub fn edited_fork(&self) -> Option<&Fork> {
        self.runs.comparison.forks().iter().find(|fork| Some(fork.id) == self.runs.edited)
    }

    /// The run whose method the panel shows and edits.
    pub fn edited(&self) -> &LiveRun {
        self.edited_fork().map_or(self.run(), Fork::run)
    }

    /// Lets the panel edit the method of a fork, or of the main run. A trajectory has none.
    pub(crate) fn edit(&mut self, fork: Option<ForkId>) {
        let played = |other: &&Fork| Some(other.id) == fork && other.role == Role::Trajectory;
        if let Some(fork) = self.runs.comparison.forks().iter().find(played) {
            let text = format!("{} is played back: it has no method to edit", fork.run().scheme_name());
            return self.say(text);
        }
        self.runs.edited = fork;
    }

    /// Changes a setting of the edited run; a level that changes together with the scheme is said.
    pub(crate) fn choose(&mut self, setting: Setting) {
        let with_scheme = matches!(setting, Setting::Scheme(_) | Setting::Stabilizer(_));
        let old = self.edited().method().level;
        let fork = self.edited_fork().map(|fork| fork.id);
        let (cuts, repeats) = (self.run().cuts(), self.run().is_in_the_past() && self.run().is_stepping());
        let (comparison, _) = self.comparison_mut();
        comparison.choose(fork, setting);
        if repeats {
            // At once: the recorded steps that are being repeated would bring the method of that time back.
            comparison.note_changes();
            comparison.follow_cut(cuts);
        }
        let method = self.edited().method();
        let (level, info) = (method.level, method.stabilizer.info());
        if with_scheme && level != old {
            let text = format!("{}: constraints are now posed at the {} level", info.short, level.key());
            self.say(text);
        }
    }

    /// Whether the engine at that place cannot have the present world; then says what it lacks. One that is there has it.
    pub(crate) fn is_beyond(&mut self, place: usize) -> bool {
        let Some(scheme) = peers::at(place) else { return false };
        let method = Method::new(scheme.into());
        let is_there = |run: &LiveRun| run.scheme_index() == place;
        let mut forks = self.comparison().forks().iter();
        if !peers::makes(&method) || is_there(self.run()) || forks.any(|fork| is_there(fork.run())) {
            return false;
        }
        let refused = peers::check(&method, self.run().world(), self.run().time_step());
        let is_refused = refused.is_err();
        if let Err(lacks) = refused {
            self.refuse(LACKING, scheme.info().name.to_owned(), lacks);
        }
        is_refused
    }

    /// Lets the stability map follow the edited run, while it can be seen.
    pub(crate) fn survey(&mut self) {
        self.runs.map.collect();
        if self.layout.panel_open && self.layout.side == SideTab::Method {
            let forks = self.runs.comparison.forks().iter();
            let fork = forks.rev().find(|fork| Some(fork.id) == self.runs.edited);
            let run = fork.map_or(self.runs.comparison.main(), Fork::run);
            let (world, method, h) = (run.world(), run.method(), run.time_step());
            self.runs.map.follow(world, method, h, self.runs.player.playing, !self.view.unloaded);
        }
    }
}
