//! The memory of a step, by purpose, and how a step begins with the world's state and ends in it.
//!
//! A scheme works on copies of the world's pose and velocity; only [`Workspace::commit`] writes them back,
//! so that a step that fails leaves the world as it was.

use super::rest_cache::RestCache;
use crate::lcp::Uniqueness;
use crate::method::Method;
use crate::model::{BodyKind, World};
use crate::report::{StepError, StepReport};
use crate::stages::accounting::joint_metrics::JointMetrics;
use crate::stages::accounting::snapshot::Snapshot;
use crate::stages::accounting::solve_stats::SolveStats;
use crate::stages::accounting::step_totals::StepTotals;
use crate::stages::checkpoints::{Rollback, Substeps};
use crate::stages::constraints::{Constraints, Passages};
use crate::stages::forces::RkStages;
use crate::stages::gauss_seidel::sweeps::Sequence;
use crate::stages::impulses::Solve;
use crate::stages::motion::Motion;
use crate::stages::problem::{PosedProblem, Problem};
use crate::stages::rattle_predictor::RattlePredictor;
use crate::stages::step::Step;
use crate::stages::step_context::StepContext;

/// Memory that steps reuse: poses, rows, matrices with their symbolic factors. It holds no state.
#[derive(Debug, Default)]
pub struct Workspace {
    pub(crate) motion: Motion,
    pub(crate) constraints: Constraints,
    pub(crate) solve: Solve,
    pub(crate) totals: StepTotals,
    sequence: Sequence,
    stages: RkStages,
    predictor: RattlePredictor,
    substeps: Substeps,
    /// The largest overlap of a contact at the pose that is measured, m.
    pub(crate) overlap: f64,
    /// Who has passed through whom on the way there.
    pub(crate) passages: Passages,
    /// What the joints come to there.
    pub(crate) joint_metrics: JointMetrics,
    pub(crate) rest_cache: RestCache,
}

impl Workspace {
    /// One that also copies each step's last problem of the dynamics, so that [`Workspace::uniqueness`] has an answer and
    /// step reports carry it. Steps come to the same bits as without, and take longer.
    pub fn examining_uniqueness() -> Self {
        let mut workspace = Self::default();
        workspace.solve.dynamics.snapshot = Snapshot::taking();
        workspace
    }

    /// One that also keeps a copy of each mixed problem that a step poses. Steps come to the same bits as without.
    pub fn recording_problems() -> Self {
        let mut workspace = Self::default();
        workspace.solve.record = Some(Vec::new());
        workspace
    }

    /// One that computes every step and solves every island anew, where others take over what has not changed: steps at rest
    /// (`step/rest_cache.rs`) and solved islands (`lcp/islands/island_cache.rs`). Steps come to the same bits as with.
    #[doc(hidden)]
    pub fn without_caches() -> Self {
        let mut workspace = Self::default();
        workspace.rest_cache.is_off = true;
        let Solve { dynamics, positions, velocities, .. } = &mut workspace.solve;
        [dynamics, positions, velocities].into_iter().for_each(Problem::switch_cache_off);
        workspace
    }

    /// It with its islands solved by the threads of `pool`, in place of those of rayon's global pool. Steps come to the same bits.
    ///
    /// Threads take part where a step's contacts form several large groups of bodies; a step that a thread of rayon makes has that
    /// thread alone.
    #[cfg(feature = "parallel")]
    pub fn on_threads_of(mut self, pool: std::sync::Arc<rayon::ThreadPool>) -> Self {
        let Solve { dynamics, positions, velocities, .. } = &mut self.solve;
        for problem in [dynamics, positions, velocities] {
            problem.solve_on_threads_of(pool.clone());
        }
        self
    }

    /// The mixed problems that the last step posed, in their order, of a step that failed too; none unless the workspace records.
    pub fn posed_problems(&self) -> &[PosedProblem] {
        self.solve.record.as_deref().unwrap_or_default()
    }

    /// What other solutions the problem of the last step's dynamics has, of schemes with several the last of them, in m/s at every
    /// level; nothing where there is no copy: before a step, under schemes that sweep, and in a workspace that does not examine.
    ///
    /// Joints without contacts, limits or motors: the equations that depend on others, as the factorisation counts them.
    pub fn uniqueness(&self) -> Option<Uniqueness> {
        self.solve.dynamics.snapshot.uniqueness()
    }

    /// Whether the last step was not computed, because the step before it had returned the world to the state in which it began, to the bit:
    /// all bodies are at rest (`step/rest_cache.rs`).
    pub fn has_repeated(&self) -> bool {
        self.rest_cache.hit
    }

    /// Makes a step whose result is known, without computing it; returns its report.
    pub(crate) fn repeat(&mut self, world: &mut World, method: &Method, h: f64) -> Option<StepReport> {
        let report = self.rest_cache.begin(world, method, h)?;
        world.time += h;
        world.steps += 1;
        Some(StepReport { step: world.steps, time: world.time, ..report })
    }

    /// Remembers a step that was computed, with its report unless it failed, for the next one.
    pub(crate) fn keep(&mut self, world: &World, by: (&Method, f64), report: Option<&StepReport>) {
        self.rest_cache.end(world, by, report);
    }

    /// Begins a step, of one part or several.
    pub(crate) fn begin_step(&mut self) {
        self.totals.begin_step();
        self.solve.dynamics.snapshot.begin_step();
        if let Some(record) = &mut self.solve.record {
            record.clear();
        }
    }

    /// Whether the steps that follow may leave rows violated without a proof that there is no solution.
    pub(crate) fn let_yield(&mut self, yields: bool) {
        let Solve { dynamics, positions, velocities, yields: own, .. } = &mut self.solve;
        for problem in [dynamics, positions, velocities] {
            problem.let_yield(yields);
        }
        *own = yields;
    }

    /// Copies the world's pose and velocity, for a step or one of its parts.
    pub(crate) fn begin<'a>(&'a mut self, world: &'a World, method: &'a Method, h: f64) -> Step<'a> {
        let Self { motion, constraints, solve, totals, sequence, stages, predictor, substeps, .. } = self;
        motion.begin(world);
        totals.begin_part(world, &motion.v);
        constraints.read(world);
        constraints.active = Default::default();
        solve.stats = SolveStats::before_any_solve(&method.solver);
        solve.corrected.clear();
        substeps.made = 1;
        solve.forget_failures();
        let context = StepContext { world, settings: method.settings(), time: world.time, h };
        Step { context, motion, constraints, solve, totals, sequence, stages, predictor, substeps }
    }

    /// Writes the new state into the world, after a step or a part of `h`, if it does not have more contacts than a step may have.
    pub(crate) fn commit(&mut self, world: &mut World, h: f64) -> Result<(), StepError> {
        let Self { motion, totals, constraints, overlap, passages, joint_metrics, .. } = self;
        let before = constraints.detector.may_be_crowded().then(|| Rollback::of(world));
        totals.close_part(motion, h);
        *passages = constraints.passages(world, motion);
        world.time += h;
        world.steps += 1;
        let time = world.time;
        for ((body, q), v) in world.bodies_mut().iter_mut().zip(&motion.q).zip(&motion.v) {
            match body.kind() {
                BodyKind::Fixed => {}
                BodyKind::Dynamic => {
                    body.pose = (*q).into();
                    body.velocity = (*v).into();
                }
                BodyKind::Kinematic(path) => {
                    body.pose = (*q).into();
                    body.velocity.linear = path.velocity(body.velocity.linear, time);
                }
            }
        }
        totals.write_forces(world);
        motion.copy_from(world);
        *overlap = constraints.evaluate_report(world, motion, joint_metrics);
        if let (Err(error), Some(before)) = (constraints.uncrowded(), before) {
            before.restore(world);
            return Err(error);
        }
        motion.integrals.write(world);
        totals.write_contacts(world, constraints);
        Ok(())
    }
}
