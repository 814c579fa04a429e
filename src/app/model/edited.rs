//! The run whose method the panel shows and edits: the main one, or a fork.

use super::Model;
use crate::app::comparison::{Fork, ForkId};
use crate::app::side_tab::SideTab;
use crate::app::simulation::Simulation;

impl Model {
    /// The fork whose method the panel edits, if it is not the main run's.
    pub fn edited_fork(&self) -> Option<&Fork> {
        self.comparison.forks().iter().find(|fork| Some(fork.id) == self.edited)
    }

    /// The run whose method the panel shows and edits.
    pub fn edited(&self) -> &Simulation {
        self.edited_fork().map_or(self.run(), Fork::run)
    }

    /// Lets the panel edit the method of a fork, or of the main run.
    pub(in crate::app) fn edit(&mut self, fork: Option<ForkId>) {
        self.edited = fork;
    }

    /// Lets the stability map follow the edited run, while it can be seen.
    pub(in crate::app) fn survey(&mut self) {
        self.map.collect();
        if self.panel_open && self.side == SideTab::Method {
            let forks = self.comparison.forks().iter();
            let fork = forks.rev().find(|fork| Some(fork.id) == self.edited);
            let run = fork.map_or(self.comparison.main(), Fork::run);
            self.map.follow(run, self.player.playing);
        }
    }
}
