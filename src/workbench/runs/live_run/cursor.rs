//! The cursor over the recorded states: back, and forward again to the same bits.
//!
//! Going back destroys nothing. Going forward replays the recorded steps, with the methods and the pointer of that time, up to
//! the last recorded state; steps beyond it are new. The recorded future is left only when a person acts on a past state: changes
//! how it is stepped, moves a body, pulls or pushes.

use super::LiveRun;
use super::hand::give;
use super::stepping::{SLACK, Task};
use crate::method::Method;
use crate::scene::Interaction;
use crate::workbench::engine::Job;
use crate::workbench::runs::checkpoints::{Hand, State};
use crate::workbench::runs::recorder::Recorder;
use std::sync::Arc;

impl LiveRun {
    /// Whether there are recorded states after the present one.
    pub fn is_in_the_past(&self) -> bool {
        self.steps_behind() > 0
    }

    /// The number of steps from the present state to the last recorded one.
    pub fn steps_behind(&self) -> u64 {
        self.record.states.last().unwrap_or_default().saturating_sub(self.run.world.steps())
    }

    /// Goes one step back.
    pub fn step_back(&mut self) {
        let now = self.run.world.steps();
        let here = match self.making.task {
            // The step back asked for before this one is still being computed.
            Some(Task::Along { to, .. }) => to.min(now),
            _ => now,
        };
        self.abandon();
        if !self.is_in_the_past() {
            self.keep_state();
        }
        let Some(before) =
            here.checked_sub(1).filter(|steps| self.record.states.at_or_before(*steps).is_some())
        else {
            return;
        };
        self.judged.failure = None;
        // The mouse no longer pulls as it did at that time; a recorded pointer does.
        if self.recorder == Recorder::Live {
            self.take_hand_away();
        }
        self.travel(before);
        // Recorded steps have succeeded before.
        let _continued = self.collect();
    }

    /// Goes to the recorded state at `time`, s, or to the nearest one that is recorded.
    pub fn seek(&mut self, time: f64) {
        self.abandon();
        if !self.is_in_the_past() {
            self.keep_state();
        }
        let Some(to) = self.record.states.step_at(time) else { return };
        if to == self.run.world.steps() {
            return;
        }
        self.judged.failure = None;
        if self.recorder == Recorder::Live {
            self.take_hand_away();
        }
        self.travel(to);
        // Recorded steps have succeeded before.
        let _continued = self.collect();
    }

    /// Goes to the recorded state at `time`, s, or to the nearest one that is recorded, and forgets what came after it.
    pub(crate) fn fall_back(&mut self, time: f64) {
        self.seek(time);
        // Times that were added up step by step differ by rounding.
        let (to, end) = (self.destined_steps(), self.destination() + SLACK * self.run.time_step);
        self.record.states.cut(to);
        self.record.lines.branch_off(to);
        let branch = self.record.branch.take().filter(|branch| branch.begins_by(to));
        self.set_branch(branch);
        let worked = self.record.history.worked_at(end);
        self.record.history.rewind(end, worked);
    }

    /// Number of steps of the state that is shown, or to which the run is on its way.
    fn destined_steps(&self) -> u64 {
        match self.making.task {
            Some(Task::Along { to, .. }) => to,
            _ => self.run.world.steps(),
        }
    }

    /// Goes forward by as many of the `due` steps as are recorded.
    pub(crate) fn go_along(&mut self, due: u64) {
        let along = due.min(self.steps_behind());
        self.making.pace.give_back(due - along, self.run.time_step);
        self.travel(self.run.world.steps() + along);
    }

    /// Goes to the recorded state after `to` steps: at once if that state is kept, otherwise by repeating the steps from the
    /// nearest kept state before it.
    pub(crate) fn travel(&mut self, to: u64) {
        let Some(from) = self.record.states.at_or_before(to) else { return };
        if from.world.steps() == to {
            let there = from.clone();
            return self.stand_at(there);
        }
        let now = self.run.world.steps();
        // The grab of a recorded pointer is part of the state but unknown to the mouse.
        let lost_hand = from.hand == Hand::Recording && self.recorder == Recorder::Live;
        let is_on_the_way =
            from.world.steps() < now && now < to && !lost_hand && self.run.goes_on_elsewhere();
        let (method, time_step) = (from.method.clone(), from.time_step);
        let mut ahead = self.run.hand_over();
        let (worked, gains) =
            if is_on_the_way { (self.record.worked, self.judged.gains) } else { (from.worked, from.gains) };
        if !is_on_the_way {
            ahead.go_to(from.world.clone(), from.report);
            ahead.recall_elsewhere(from.elsewhere.clone());
        } else if from.hand == Hand::Mouse {
            give(&mut ahead.world, (from.world.grab(), from.world.repulsion(), from.world.switches()));
        }
        ahead.pointer = match from.hand {
            Hand::Mouse => None,
            Hand::Recording => self.recorded(),
        };
        (ahead.method, ahead.time_step) = (method, time_step);
        let steps = to - ahead.world.steps();
        self.making.engine.begin(Job { run: ahead, steps, watched: None, by_phase: false });
        self.making.task = Some(Task::Along { to, worked, gains });
    }

    /// The recording that acts on the present state, if one does.
    pub(super) fn recorded(&self) -> Option<Arc<Interaction>> {
        self.recorder.recorded().or_else(|| self.scene.interaction.clone().map(Arc::new))
    }

    /// Shows a kept state.
    pub(crate) fn stand_at(&mut self, state: State) {
        let hand = self.hand();
        self.run.go_to(state.world, state.report);
        self.run.recall_elsewhere(state.elsewhere);
        if self.recorder == Recorder::Live {
            give(&mut self.run.world, hand);
        }
        (self.record.worked, self.judged.gains) = (state.worked, state.gains);
        self.record.account = state.account;
        self.judged.edited = state.edited.then(|| self.run.world.steps());
        self.adopt(state.method, state.time_step);
    }

    /// Restores the method and time step of a recorded state, without marking a change.
    pub(crate) fn adopt(&mut self, method: Method, time_step: f64) {
        (self.run.method, self.run.time_step) = (method.clone(), time_step);
        self.judged.noted = (method, time_step);
    }

    /// Leaves the recorded states after the present one: a person acts on it, and what follows will differ.
    pub(crate) fn cut(&mut self) {
        let travels = matches!(self.making.task, Some(Task::Along { .. }));
        if !travels && !self.is_in_the_past() {
            return;
        }
        self.abandon();
        self.leave(self.run.world.steps(), self.run.world.time(), self.record.worked);
    }

    /// How often a recorded future was left.
    pub fn cuts(&self) -> u64 {
        self.record.cuts
    }
}
