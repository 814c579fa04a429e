//! Forking a run, and a fork that follows another run.

use super::LiveRun;
use super::hand::{MouseHand, give};
use crate::method::{Method, Stabilizer};
use crate::model::World;
use crate::scene::Interaction;
use crate::workbench::engine::Stepping;
use crate::workbench::runs::recorder::Recorder;
use std::sync::Arc;

/// The state from which a run began.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Origin {
    /// Simulation time, s.
    pub time: f64,
    /// Kinetic and potential energy, J.
    pub energy: f64,
}

impl LiveRun {
    /// Another run from the present state, by `method` with steps of `time_step` seconds.
    pub fn fork(&self, method: Method, time_step: f64, stepping: &Stepping) -> Self {
        let mut fork = Self::new(self.scene.clone(), stepping);
        fork.push = self.push;
        fork.acts.choices = self.acts.choices.clone();
        fork.opened_with = self.opened_with.clone();
        (fork.run.method, fork.run.time_step) = (method.clone(), time_step);
        fork.judged.noted = (method, time_step);
        fork.obey(None, self.recorder.recorded());
        fork.begin_at(self);
        if self.played.is_some() {
            // Contacts of another engine are none from which ours goes on.
            let mut world = self.run.world.clone();
            let _cleared = world.restore_contacts(Vec::new());
            fork.begin_from(world);
        }
        fork
    }

    /// Begins again from the present state of `other`, under the present method.
    pub fn begin_at(&mut self, other: &Self) {
        self.begin_from(other.run.world.clone());
    }

    /// Begins again from a state of the same bodies, under the present method.
    pub(crate) fn begin_from(&mut self, world: World) {
        self.abandon();
        self.run.world = world;
        self.begin_record();
    }

    /// The scene's start under that method, with steps of `h` seconds.
    pub(crate) fn begin_under(&mut self, method: Method, h: f64) {
        self.adopt(method, h);
        self.restart();
    }

    /// Lets another run's hand and recorded pointer act on the coming steps; without a hand it acts as before. A hand
    /// that acts on a past state discards the recorded future.
    pub fn obey(&mut self, hand: Option<MouseHand>, pointer: Option<Arc<Interaction>>) {
        if self.played.is_some() {
            return;
        }
        self.recorder = pointer.map_or(Recorder::Live, Recorder::Replay);
        if let (Some(hand), Recorder::Live) = (hand, &self.recorder) {
            give(&mut self.run.world, hand);
            self.note_hand();
        }
    }

    /// What the mouse does to the bodies.
    pub fn hand(&self) -> MouseHand {
        (self.run.world.grab(), self.run.world.repulsion(), self.run.world.switches())
    }

    /// Begins to keep its own time, after it has followed another run's or the other way round.
    pub fn lead(&mut self) {
        self.making.pace.restart();
    }

    /// The state from which the run began.
    pub fn origin(&self) -> Origin {
        self.record.origin
    }

    /// The scheme at that place of the table with the parameters that it had when it was last in use here.
    pub fn remembered(&self, place: usize) -> Option<Stabilizer> {
        self.acts.choices.remembered(place)
    }

    /// The present method with another scheme, on the level that this scheme had last here.
    pub fn under(&self, stabilizer: Stabilizer) -> Method {
        self.acts.choices.under(&self.run.method, stabilizer)
    }

    /// Sets the memory for recorded states, bytes.
    pub fn keep_within(&mut self, bytes: usize) {
        self.record.states.keep_within(bytes);
    }

    /// Times of the first and the last recorded state, s; those after the last kept state are not yet among them.
    pub fn recorded_span(&self) -> [f64; 2] {
        let now = self.run.world.time();
        let [first, last] = self.record.states.span().unwrap_or([now, now]);
        [first.min(now), last.max(now)]
    }
}
