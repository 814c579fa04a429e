//! A fork: a run that began as a copy of another one's state.

use crate::scene::{Interaction, Scene};
use crate::workbench::runs::live_run::LiveRun;
use std::sync::Arc;

/// Identifies a fork for as long as the window is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ForkId(pub(crate) u64);

/// What a fork is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is compared with the main run.
    Beside,
    /// The run against which the others are measured.
    Reference,
    /// It plays back what another program has computed.
    Trajectory,
}

/// A run beside the main one.
pub struct Fork {
    /// Its identity.
    pub id: ForkId,
    /// What it is for.
    pub role: Role,
    run: LiveRun,
}

/// Part of a step by which two times may differ and still count as the same.
const SLACK: f64 = 1e-3;

impl Fork {
    pub(crate) fn new(id: ForkId, role: Role, run: LiveRun) -> Self {
        Self { id, role, run }
    }

    /// The run.
    pub fn run(&self) -> &LiveRun {
        &self.run
    }

    pub(crate) fn run_mut(&mut self) -> &mut LiveRun {
        &mut self.run
    }

    /// Whether it has begun at `time`, s.
    pub fn exists_at(&self, time: f64) -> bool {
        self.run.origin().time <= time + SLACK * self.run.time_step()
    }

    /// Exchanges its run with the main one.
    pub(crate) fn swap(&mut self, main: &mut LiveRun) {
        std::mem::swap(&mut self.run, main);
        main.lead();
        self.run.lead();
    }

    /// Begins again from the start of `scene`, with the pointer that acts on it there.
    pub(crate) fn restart(&mut self, scene: &Scene, pointer: Option<Arc<Interaction>>) {
        self.run.scene = scene.clone();
        self.run.obey(None, pointer);
        self.run.restart();
    }
}
