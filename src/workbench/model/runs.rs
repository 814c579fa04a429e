//! The runs of the model.

use super::linked::Goal;
use crate::scene::Scene;
use crate::workbench::engine::Stepping;
use crate::workbench::map::StabilityMap;
use crate::workbench::runs::comparison::{Comparison, ForkId};
use crate::workbench::runs::player::Player;
use crate::workbench::runs::undo::Gesture;
use crate::workbench::runs::undo::Undo;
use crate::workbench::watched::Watchable;

/// The runs, and what has been changed about them.
pub struct Runs {
    /// The main run, and those beside it.
    pub(super) comparison: Comparison,
    /// The fork whose method the panel edits; the main run's if there is none, or no such fork any more.
    pub(super) edited: Option<ForkId>,
    /// Play, pause and speed of all of them.
    pub player: Player,
    /// Who makes their steps.
    pub(super) stepping: Stepping,
    /// The stability map of the edited run.
    pub(super) map: StabilityMap,
    /// What can be undone and redone.
    pub undo: Undo,
    /// Number of strokes on the stage; a stroke is one change.
    pub(super) stroke: u64,
    /// Since when the mouse button is down, s of the window's time.
    pub(super) pressed_since: Option<f64>,
    /// The time that a link asks for, while it is not reached.
    pub(crate) goal: Option<Goal>,
    /// What is watched: the body that was selected last, or what was chosen.
    pub watched: Option<Watchable>,
}

impl Runs {
    /// The runs of a scene, whose steps are made as `stepping` says.
    pub(super) fn new(scene: Scene, player: Player, stepping: Stepping) -> Self {
        Self {
            comparison: Comparison::new(scene, &stepping),
            edited: None,
            player,
            map: StabilityMap::new(&stepping),
            stepping,
            undo: Undo::default(),
            stroke: 0,
            pressed_since: None,
            goal: None,
            watched: None,
        }
    }

    /// Since when the mouse button is down, s of the window's time; none while it is up. What a person changes during
    /// one press is one change.
    pub fn press_since(&mut self, since: Option<f64>) {
        self.pressed_since = since;
        self.comparison.note_gesture(since);
    }

    /// The press of a control that is under way.
    pub(super) fn control(&self) -> Option<Gesture> {
        self.pressed_since.map(Gesture::Control)
    }

    /// From now on, steps are made as `stepping` says.
    pub(super) fn move_to(&mut self, stepping: Stepping) {
        self.stepping = stepping;
        self.comparison.move_to(&self.stepping);
        self.map = StabilityMap::new(&self.stepping);
    }
}
