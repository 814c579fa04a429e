//! Past states, to step back to: as many as a fixed amount of memory holds.

use crate::model::{ContactState, World};
use crate::report::StepReport;
use crate::stabilizer::Method;
use std::collections::VecDeque;

/// Memory for past states, bytes.
const MEMORY: usize = 64 << 20;
/// Rough size of a body with its name and shapes, bytes.
const BODY: usize = 400;
/// Rough size of a joint or a spring, bytes.
const LINK: usize = 160;
/// Size of a contact, bytes.
const CONTACT: usize = size_of::<ContactState>();
/// Number of states that is kept at most, where bodies are few.
const STATES: usize = 3_600;

/// A state and everything that led on from it.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The complete state.
    pub world: World,
    /// Its figures.
    pub report: StepReport,
    /// How it was stepped from there.
    pub method: Method,
    /// By how much, s.
    pub time_step: f64,
    /// Work of the corrections up to there, J.
    pub work: f64,
}

/// A bounded stack of states, oldest forgotten first.
#[derive(Clone, Debug, Default)]
pub struct Snapshots {
    states: VecDeque<Snapshot>,
}

impl Snapshots {
    /// Keeps one more state, unless the last one kept is of the same step.
    pub fn push(&mut self, snapshot: Snapshot) {
        let steps = snapshot.world.steps;
        self.states.retain(|state| state.world.steps < steps);
        let links = snapshot.world.joints().len() + snapshot.world.springs().len();
        let contacts = snapshot.world.contacts().len() * CONTACT;
        let bodies = snapshot.world.bodies().len() * BODY;
        let size = bodies + links * LINK + contacts + size_of::<Snapshot>();
        let room = (MEMORY / size).clamp(1, STATES);
        while self.states.len() >= room {
            self.states.pop_front();
        }
        self.states.push_back(snapshot);
    }

    /// The newest state of a step before `steps`; the later ones are forgotten. It stays: other steps after it
    /// may be asked for.
    pub fn before(&mut self, steps: u64) -> Option<&Snapshot> {
        self.states.retain(|state| state.world.steps < steps);
        self.states.back()
    }

    /// Number of states that are kept.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.states.clear();
    }
}
