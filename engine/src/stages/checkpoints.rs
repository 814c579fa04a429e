//! States that a step in parts can go back to.
//!
//! What a step writes into its world before it knows whether the world has too many contacts there, to be taken back then.

use super::accounting::ledger::Ledger;
use super::accounting::solve_stats::{Corrections, SolveStats};
use super::accounting::step_totals::StepTotals;
use super::motion::Motion;
use crate::model::{Pose, Velocity, World};
use glam::DVec3;

/// Most times that a step is halved before it fails: 2¹⁰ parts.
pub(crate) const MAX_DEPTH: usize = 10;

/// The parts of a step, with a state to go back to for every depth of halving.
#[derive(Debug, Default)]
pub(crate) struct Substeps {
    /// How many the step has been cut into.
    pub made: usize,
    pub checkpoints: [Checkpoint; MAX_DEPTH + 1],
}

/// A state to go back to.
#[derive(Debug, Default)]
pub(crate) struct Checkpoint {
    q: Vec<DVec3>,
    v: Vec<DVec3>,
    ledger: Ledger,
    corrections: Corrections,
    stats: SolveStats,
    made: usize,
}

impl Checkpoint {
    /// Copies the present state of a step that has been cut into so many parts.
    pub fn take(&mut self, motion: &Motion, totals: &StepTotals, stats: &SolveStats, made: usize) {
        self.q.clone_from(&motion.q);
        self.v.clone_from(&motion.v);
        self.ledger.copy_from(&totals.ledger);
        self.corrections = totals.corrections;
        (self.stats, self.made) = (*stats, made);
    }

    /// Goes back to it.
    pub fn restore(
        &self,
        motion: &mut Motion,
        totals: &mut StepTotals,
        stats: &mut SolveStats,
        made: &mut usize,
    ) {
        motion.q.clone_from(&self.q);
        motion.v.clone_from(&self.v);
        totals.ledger.copy_from(&self.ledger);
        totals.corrections = self.corrections;
        (*stats, *made) = (self.stats, self.made);
    }
}

/// The state of a world that a step is about to write into.
pub(crate) struct Rollback {
    time: f64,
    steps: u64,
    bodies: Vec<(Pose, Velocity)>,
    forces: Vec<[f64; 3]>,
}

impl Rollback {
    /// What `world` is before it is written into.
    pub fn of(world: &World) -> Self {
        let bodies = world.bodies().iter().map(|body| (body.pose, body.velocity)).collect();
        let forces = world.joints().iter().map(|joint| joint.force).collect();
        Self { time: world.time, steps: world.steps, bodies, forces }
    }

    /// Takes back what has been written.
    pub fn restore(self, world: &mut World) {
        let Self { time, steps, bodies, forces } = self;
        (world.time, world.steps) = (time, steps);
        for (body, before) in world.bodies_mut().iter_mut().zip(bodies) {
            (body.pose, body.velocity) = before;
        }
        world.joints_mut().iter_mut().zip(forces).for_each(|(joint, force)| joint.force = force);
    }
}
