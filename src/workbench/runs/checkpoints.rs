//! Recorded states, over which a cursor goes back and forth: as many as fit a fixed amount of memory.
//!
//! At most one state per frame is kept, with the method of the steps that follow it. States in between are computed again by the
//! same steps, to the same bits. The last state is kept when the cursor leaves it.

use super::force_balance::Account;
use super::history::Worked;
use crate::experiment::GainJudge;
use crate::method::Method;
use crate::model::{ContactState, World};
use crate::peers::Kept;
use crate::platform::HISTORY;
use crate::report::StepReport;
use std::collections::VecDeque;
use std::sync::Arc;

/// Rough size of a body with its name and shapes, bytes.
const BODY: usize = 400;
/// Rough size of a joint or a spring, bytes.
const LINK: usize = 160;
/// Size of a contact, bytes.
const CONTACT: usize = size_of::<ContactState>();
/// Largest number of states that are kept, however small the world.
const STATES: usize = 100_000;

/// Part of a step by which a time may fall short of a state's and still mean it.
const SLACK: f64 = 1e-3;

/// What moved the pointer that acted on the world during the steps after a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hand {
    /// The mouse, whose grab and push are part of the state.
    Mouse,
    /// A recording, which determines the pointer before each step.
    Recording,
}

/// A state, and all that determines the steps after it.
#[derive(Clone, Debug)]
pub struct State {
    /// The complete state.
    pub world: World,
    /// Its figures.
    pub report: StepReport,
    /// The method of the steps after it.
    pub method: Method,
    /// The time step of the steps after it, s.
    pub time_step: f64,
    /// What moved the pointer during the steps after it.
    pub hand: Hand,
    /// What was done up to this state.
    pub worked: Worked,
    /// What has been found of energy from nothing up to this state.
    pub gains: GainJudge,
    /// The forces of the step that led to this state, if they are known.
    pub account: Option<Arc<Account>>,
    /// Whether a person made it of the state before, so that no steps lead here.
    pub edited: bool,
    /// What another engine remembers here, if one makes the steps after it.
    pub elsewhere: Option<Kept>,
}

impl State {
    /// Rough size, bytes.
    pub fn size(&self) -> usize {
        let links = self.world.joints().len() + self.world.springs().len();
        let contacts = self.world.contacts().len() * CONTACT;
        let forces = self.account.as_ref().map_or(0, |account| account.size());
        let elsewhere = self.elsewhere.as_ref().map_or(0, Kept::bytes);
        self.world.bodies().len() * BODY + links * LINK + contacts + forces + elsewhere + size_of::<Self>()
    }
}

/// States in the order of their steps, oldest forgotten first.
#[derive(Clone, Debug)]
pub struct States {
    /// Shared with whoever makes their steps again.
    kept: VecDeque<Arc<State>>,
    /// Memory that they may take, and that they take, bytes.
    room: usize,
    taken: usize,
    /// Part of that memory which others need, bytes.
    reserved: usize,
}

impl Default for States {
    fn default() -> Self {
        Self { kept: VecDeque::new(), room: HISTORY, taken: 0, reserved: 0 }
    }
}

impl States {
    /// Keeps a state, and discards those of the same step and of later ones.
    pub fn keep(&mut self, state: State) {
        if let Some(before) = state.world.steps().checked_sub(1) {
            self.cut(before);
        } else {
            self.clear();
        }
        self.taken += state.size();
        self.kept.push_back(Arc::new(state));
        self.forget();
    }

    /// Sets the memory that they may take, bytes.
    pub fn keep_within(&mut self, room: usize) {
        self.room = room;
        self.forget();
    }

    /// Leaves part of that memory to others, bytes.
    pub fn reserve(&mut self, bytes: usize) {
        self.reserved = bytes;
        self.forget();
    }

    /// Takes out the states after `steps` steps or more.
    pub fn split(&mut self, steps: u64) -> Self {
        let first = self.kept.partition_point(|state| state.world.steps() < steps);
        let kept = self.kept.split_off(first);
        let taken = kept.iter().map(|state| state.size()).sum();
        self.taken -= taken;
        Self { kept, room: self.room, taken, reserved: 0 }
    }

    /// Appends states that are later than all here.
    pub fn append(&mut self, mut later: Self) {
        self.taken += later.taken;
        self.kept.append(&mut later.kept);
        self.forget();
    }

    /// Forgets the oldest states beyond the room for them; the newest is always kept.
    fn forget(&mut self) {
        while self.kept.len() > 1 && (self.taken + self.reserved > self.room || self.kept.len() > STATES) {
            self.taken -= self.kept.pop_front().map_or(0, |state| state.size());
        }
    }

    /// Memory that they take, bytes.
    pub fn memory(&self) -> usize {
        self.taken
    }

    /// Times of the first and the last state, s.
    pub fn span(&self) -> Option<[f64; 2]> {
        Some([self.kept.front()?.world.time(), self.kept.back()?.world.time()])
    }

    /// The number of steps of the recorded state at `time`, s: the last one that is not later, or the first one.
    pub fn step_at(&self, time: f64) -> Option<u64> {
        let first = self.kept.front()?;
        let after = self.kept.partition_point(|state| state.world.time() <= time + SLACK * state.time_step);
        let Some(from) = after.checked_sub(1).and_then(|before| self.kept.get(before)) else {
            return Some(first.world.steps());
        };
        let steps = ((time - from.world.time()) / from.time_step + SLACK).max(0.0) as u64;
        let most = self.kept.get(after).map_or(0, |next| next.world.steps() - from.world.steps());
        Some(from.world.steps() + steps.min(most))
    }

    /// Discards all.
    pub fn clear(&mut self) {
        self.kept.clear();
        self.taken = 0;
    }

    /// The newest state that is kept of `steps` steps or fewer.
    pub fn at_or_before(&self, steps: u64) -> Option<&State> {
        let after = self.kept.partition_point(|state| state.world.steps() <= steps);
        self.kept.get(after.checked_sub(1)?).map(|state| &**state)
    }

    /// The states from the newest to the oldest.
    pub fn newest_first(&self) -> impl Iterator<Item = &State> {
        self.kept.iter().rev().map(|state| &**state)
    }

    /// The states of `steps` steps or fewer, in their order.
    pub fn up_to(&self, steps: u64) -> Vec<Arc<State>> {
        let after = self.kept.partition_point(|state| state.world.steps() <= steps);
        self.kept.range(..after).cloned().collect()
    }

    /// Number of steps of the last state.
    pub fn last(&self) -> Option<u64> {
        self.kept.back().map(|state| state.world.steps())
    }

    /// Discards the states after `steps` steps.
    pub fn cut(&mut self, steps: u64) {
        while self.kept.back().is_some_and(|state| state.world.steps() > steps) {
            self.taken -= self.kept.pop_back().map_or(0, |state| state.size());
        }
    }

    /// Number of states that are kept.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}
