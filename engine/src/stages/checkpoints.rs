//! States that a step can go back to: that of a part of a step which is cut into halves ([`Checkpoint`]), and that of the world
//! before a step is written into it, in case the world then has more contacts than a step may have ([`Rollback`]).

use super::accounting::ledger::Ledger;
use super::accounting::solve_stats::{Corrections, SolveStats};
use super::accounting::step_totals::StepTotals;
use super::motion::Motion;
use crate::model::{Pose, Velocity, World};
use glam::DVec3;

/// Most times that a step is halved before it fails: 2¹⁰ parts.
pub(crate) const MAX_DEPTH: usize = 10;

/// The parts of a step, with a checkpoint for every depth of halving.
#[derive(Debug, Default)]
pub(crate) struct Substeps {
    /// Number of parts into which the step has been cut.
    pub made: usize,
    pub checkpoints: [Checkpoint; MAX_DEPTH + 1],
}

/// The state of a step at the start of one of its parts.
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
    /// Copies the present state of a step that has been cut into `made` parts.
    pub fn take(&mut self, motion: &Motion, totals: &StepTotals, stats: &SolveStats, made: usize) {
        self.q.clone_from(&motion.q);
        self.v.clone_from(&motion.v);
        self.ledger.copy_from(&totals.ledger);
        self.corrections = totals.corrections;
        (self.stats, self.made) = (*stats, made);
    }

    /// Restores the copied state.
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
    /// Copies `world` before a step writes into it.
    pub fn of(world: &World) -> Self {
        let bodies = world.bodies().iter().map(|body| (body.pose, body.velocity)).collect();
        let forces = world.joints().iter().map(|joint| joint.force).collect();
        Self { time: world.time, steps: world.steps, bodies, forces }
    }

    /// Restores the copied state.
    pub fn restore(self, world: &mut World) {
        let Self { time, steps, bodies, forces } = self;
        (world.time, world.steps) = (time, steps);
        for (body, before) in world.bodies_mut().iter_mut().zip(bodies) {
            (body.pose, body.velocity) = before;
        }
        world.joints_mut().iter_mut().zip(forces).for_each(|(joint, force)| joint.force = force);
    }
}
