//! Recorded states, over which a cursor goes back and forth: as many as fit a fixed amount of memory.
//!
//! About one state per frame is kept, with the method of the steps that follow it. States in between are computed again by the
//! same steps, to the same bits. The last state is kept when the cursor leaves it.

use super::account::Account;
use crate::model::{ContactState, World};
use crate::report::StepReport;
use crate::stabilizer::Method;
use std::collections::VecDeque;
use std::sync::Arc;

/// Memory for states, bytes.
const MEMORY: usize = 64 << 20;
/// Rough size of a body with its name and shapes, bytes.
const BODY: usize = 400;
/// Rough size of a joint or a spring, bytes.
const LINK: usize = 160;
/// Size of a contact, bytes.
const CONTACT: usize = size_of::<ContactState>();
/// Largest number of states that are kept, however small the world.
const STATES: usize = 3_600;

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
    /// Work of the corrections up to this state, J.
    pub work: f64,
    /// The forces of the step that led to this state, if they are known.
    pub account: Option<Arc<Account>>,
}

/// States in the order of their steps, oldest forgotten first.
#[derive(Clone, Debug, Default)]
pub struct States {
    kept: VecDeque<State>,
}

impl States {
    /// Keeps a state, and discards those of the same step and of later ones.
    pub fn keep(&mut self, state: State) {
        let steps = state.world.steps;
        self.kept.retain(|kept| kept.world.steps < steps);
        let links = state.world.joints().len() + state.world.springs().len();
        let contacts = state.world.contacts().len() * CONTACT;
        let bodies = state.world.bodies().len() * BODY;
        let forces = state.account.as_ref().map_or(0, |account| account.size());
        let size = bodies + links * LINK + contacts + forces + size_of::<State>();
        let room = (MEMORY / size).clamp(1, STATES);
        while self.kept.len() >= room {
            self.kept.pop_front();
        }
        self.kept.push_back(state);
    }

    /// The newest state that is kept of `steps` steps or fewer.
    pub fn at_or_before(&self, steps: u64) -> Option<&State> {
        let after = self.kept.partition_point(|state| state.world.steps <= steps);
        self.kept.get(after.checked_sub(1)?)
    }

    /// Number of steps of the last state.
    pub fn last(&self) -> Option<u64> {
        self.kept.back().map(|state| state.world.steps)
    }

    /// Discards the states after `steps` steps.
    pub fn cut(&mut self, steps: u64) {
        self.kept.retain(|state| state.world.steps <= steps);
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
