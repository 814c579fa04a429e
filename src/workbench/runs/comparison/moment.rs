//! A moment of all runs, and edits that act on all of them.

use super::{Comparison, EqualCost, Fork, ForkId, Role};
use crate::method::Method;
use crate::model::World;
use crate::workbench::editor::edit::Edit;
use crate::workbench::editor::item::Item;
use crate::workbench::editor::scene_text::SceneText;
use crate::workbench::engine::Stepping;
use crate::workbench::runs::live_run::RunMoment;

/// All runs at one moment.
#[derive(Clone, Debug)]
pub struct Moment {
    main: RunMoment,
    forks: Vec<(ForkId, Role, RunMoment)>,
    cost: Option<EqualCost>,
}

impl Moment {
    /// Whether nothing has changed between them.
    pub fn is_like(&self, other: &Self) -> bool {
        let alike = |(a, b): (&(ForkId, Role, RunMoment), &(ForkId, Role, RunMoment))| {
            a.0 == b.0 && a.2.is_like(&b.2)
        };
        let costs = match (&self.cost, &other.cost) {
            (Some(own), Some(others)) => own.is_like(others),
            (own, others) => own.is_none() && others.is_none(),
        };
        self.main.is_like(&other.main)
            && costs
            && self.forks.len() == other.forks.len()
            && self.forks.iter().zip(&other.forks).all(alike)
    }

    /// Simulation time of the main run, s.
    pub fn time(&self) -> f64 {
        self.main.time()
    }

    /// World, method and time step (s) of a run (none: of the main one) at that moment.
    pub fn of(&self, run: Option<ForkId>) -> Option<(&World, &Method, f64)> {
        match run {
            None => Some(self.main.stepping()),
            Some(id) => self.forks.iter().find(|fork| fork.0 == id).map(|fork| fork.2.stepping()),
        }
    }

    /// Rough size, bytes.
    pub fn size(&self) -> usize {
        self.main.size() + self.forks.iter().map(|(.., run)| run.size()).sum::<usize>()
    }
}

impl Comparison {
    /// All runs as they are now.
    pub fn moment(&self) -> Moment {
        let forks = self.forks.iter().map(|fork| (fork.id, fork.role, fork.run().moment()));
        Moment { main: self.main.moment(), forks: forks.collect(), cost: self.cost.clone() }
    }

    /// Returns to a moment: the runs beside the main one are those of that moment.
    pub fn return_to(&mut self, moment: &Moment, stepping: &Stepping) {
        self.main.return_to(&moment.main);
        let mut present = std::mem::take(&mut self.forks);
        for (id, role, then) in &moment.forks {
            let known = present.iter().position(|fork| fork.id == *id);
            let mut fork = match known {
                Some(place) => present.remove(place),
                None => Fork::new(*id, *role, then.run(stepping)),
            };
            fork.run_mut().return_to(then);
            self.forks.push(fork);
        }
        self.cost.clone_from(&moment.cost);
        self.hand = super::IDLE;
        self.share_memory();
    }

    /// The scene of all runs begins with the main run's present state from now on.
    pub fn begin_here(&mut self) {
        self.main.begin_here();
        self.share_scene();
    }

    /// Writes a text of the scene, which is that of all runs.
    pub fn write(&mut self, text: SceneText, words: &str) {
        text.write(&mut self.main.scene, words);
        self.share_scene();
    }

    /// The scene runs for another time, s, where no other is asked for.
    pub fn last_for(&mut self, seconds: f64) {
        self.main.scene.settings.duration = Some(seconds);
        self.share_scene();
    }

    fn share_scene(&mut self) {
        self.forks.iter_mut().for_each(|fork| fork.run_mut().scene = self.main.scene.clone());
    }

    /// Carries out an edit in all runs at their present states; returns what was added.
    ///
    /// # Errors
    /// Why the main run refuses it. All runs are then as they were.
    pub fn edit_world(&mut self, edit: &Edit) -> Result<Vec<Item>, String> {
        let added = self.main.edit(edit)?;
        let now = self.main.world().time();
        for fork in self.forks.iter_mut().filter(|fork| fork.exists_at(now)) {
            // A run that cannot follow begins again beside the main one: all have the same bodies.
            if fork.run_mut().edit(edit).is_err() {
                fork.run_mut().begin_again_at(&self.main);
            }
        }
        self.share_scene();
        // Undoing may have led here from a recorded future, so that there is none now that the edit could have cut.
        self.begin_later_forks_here();
        Ok(added)
    }
}
