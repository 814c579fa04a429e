//! The future that was left: what was recorded after a past state before a person acted on that state. It stays until
//! the next one is left, and can be entered again; the two then change places.

use super::moment::Lines;
use super::{LiveRun, Origin};
use crate::workbench::runs::checkpoints::States;
use crate::workbench::runs::history::{History, Worked};
use crate::workbench::runs::recorder::Recorder;
use crate::workbench::stage::trail::Trail;

/// A future that was left.
pub struct Branch {
    /// The state on which a person acted: its number of steps, and its time, s.
    steps: u64,
    time: f64,
    /// The kept states from there on, with the methods of the steps that follow them.
    states: States,
    /// The figures of the whole run as it was.
    history: History,
    origin: Origin,
    lines: Lines,
}

impl Branch {
    /// When it was left, and its end, s.
    pub fn span(&self) -> [f64; 2] {
        [self.time, self.history.span().map_or(self.time, |[_, last]| last.max(self.time))]
    }

    /// The figures of the run as it was, those before the branch included.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Something else is watched.
    pub(super) fn forget_watched(&mut self) {
        self.history.watch_anew();
    }

    /// Memory that its states take, bytes.
    pub(crate) fn memory(&self) -> usize {
        self.states.memory()
    }

    /// Whether it begins after `steps` steps or fewer.
    pub(crate) fn begins_by(&self, steps: u64) -> bool {
        self.steps <= steps
    }
}

impl LiveRun {
    /// The future that was left last.
    pub fn branch(&self) -> Option<&Branch> {
        self.record.branch.as_ref()
    }

    /// Memory that the recorded states take, those of the future that was left included, bytes.
    pub fn memory(&self) -> usize {
        self.record.states.memory() + self.record.branch.as_ref().map_or(0, Branch::memory)
    }

    /// Whether the future that was left has lines of which that holds.
    pub(crate) fn left_behind(&self, holds: impl Fn(&Lines) -> bool) -> bool {
        self.record.branch.as_ref().is_some_and(|branch| holds(&branch.lines))
    }

    pub(crate) fn set_branch(&mut self, branch: Option<Branch>) {
        self.record.states.reserve(branch.as_ref().map_or(0, Branch::memory));
        self.record.branch = branch;
    }

    /// Leaves the recorded future after the state of `steps` steps at `time`, s; `worked` is what was done up to it.
    pub(crate) fn leave(&mut self, steps: u64, time: f64, worked: Worked) {
        self.record.cuts += 1;
        let branch = Branch {
            steps,
            time,
            states: self.record.states.split(steps),
            history: self.record.history.clone(),
            origin: self.record.origin,
            lines: self.record.lines.clone(),
        };
        self.record.lines.branch_off(steps);
        // What follows begins at this state, too.
        if let Some(here) = branch.states.at_or_before(steps) {
            self.record.states.keep(here.clone());
        }
        self.set_branch(Some(branch));
        self.record.history.rewind(time, worked);
        // Steps of the future that was left are not of this one.
        self.record.recall = self.record.recall.take().map(|_| Default::default());
    }

    /// Leaves all that was recorded from the scene's start on, if anything was; else the future that was left there before.
    pub(crate) fn leave_at_the_start(&mut self) -> Option<Branch> {
        let start = &self.scene.world;
        let (steps, time) = (start.steps(), start.time());
        if self.played.is_some() || self.record.origin.time != time {
            return None;
        }
        self.abandon();
        if !self.is_in_the_past() {
            self.keep_state();
        }
        if self.record.states.last().is_some_and(|last| last > steps)
            && self.record.states.at_or_before(steps).is_some()
        {
            self.leave(steps, time, Worked::default());
        }
        self.record.branch.take().filter(|branch| branch.steps == steps)
    }

    /// Begins again from the present state of `other`, as a fork that began later than the state on which a person acts.
    pub fn begin_again_at(&mut self, other: &Self) {
        if self.played.is_some() {
            return;
        }
        self.abandon();
        if !self.is_in_the_past() {
            self.keep_state();
        }
        let (steps, time) = (other.run.world.steps(), other.run.world.time());
        self.leave(steps, time, Worked::default());
        let branch = self.record.branch.take();
        self.begin_at(other);
        self.set_branch(branch);
    }

    /// Enters the future that was left, at its recorded state at `time`, s, or the nearest one; the present future
    /// becomes the one that was left. Returns whether there was one.
    pub fn enter_branch(&mut self, time: f64) -> bool {
        let Some(mut branch) = self.record.branch.take() else { return false };
        self.abandon();
        if !self.is_in_the_past() {
            self.keep_state();
        }
        let left = self.record.states.split(branch.steps);
        self.record.states.append(std::mem::replace(&mut branch.states, left));
        std::mem::swap(&mut self.record.history, &mut branch.history);
        std::mem::swap(&mut self.record.origin, &mut branch.origin);
        std::mem::swap(&mut self.record.lines, &mut branch.lines);
        self.set_branch(Some(branch));
        self.recall_anew();
        (self.judged.failure, self.judged.doubt, self.making.solved) = (None, None, None);
        if self.recorder == Recorder::Live {
            self.take_hand_away();
        }
        self.record.trail = Trail::default();
        self.making.pace.restart();
        let to = self.record.states.step_at(time);
        let from = to.and_then(|to| self.record.states.at_or_before(to)).cloned();
        if let (Some(to), Some(from)) = (to, from) {
            self.stand_at(from);
            self.travel(to);
            // Recorded steps have succeeded before.
            let _continued = self.collect();
        }
        true
    }
}
