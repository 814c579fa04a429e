//! The memory of the stages of a step. It copies the world's state when a step begins, writes the new state when the step
//! ends, and measures it for the report.
//!
//! A scheme works on copies of the world's pose and velocity; only [`Workspace::commit`] writes them back,
//! so that a step that fails leaves the world as it was.

use super::rest_cache::RestCache;
use crate::math::largest;
use crate::method::{Effort, Method};
use crate::model::World;
use crate::report::{Break, StageObserver, StepError, StepReport};
use crate::stages::constraints::Constraints;
use crate::stages::motion::{SolvedBy, StepContext};
use crate::stages::nonholonomic::prescribed;
use crate::stages::position_errors::{JointMetrics, Worst, overlap};
use crate::stages::step_in_progress::{Rollback, Stages, Step};
use crate::stages::terms::PosedProblem;
use glam::DVec3;

/// Memory that steps reuse: poses, rows, matrices with their symbolic factors. Nothing in it changes a result.
///
/// ```
/// use driftlab::prelude::*;
///
/// let mut world = World::new([0.0, -9.81]);
/// world.add_body(Body::dynamic().shape(Shape::circle(0.1)))?;
/// let mut workspace = Workspace::default();
/// for _ in 0..10 {
///     step(&mut world, &Method::none(), 1e-3, &mut workspace)?;
/// }
/// assert_eq!(workspace.impulses().count(), 0); // nothing touches
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Workspace {
    pub(crate) stages: Stages,
    /// Errors, rates and stiffness of the joints at the pose that is measured.
    pub(crate) joint_metrics: JointMetrics,
    pub(crate) rest_cache: RestCache,
    /// What the last step has broken.
    pub(super) breaks: Vec<Break>,
}

impl Workspace {
    /// A workspace that also copies each mixed problem that a step poses. Steps give the same bits as without.
    pub fn recording_problems() -> Self {
        let mut workspace = Self::default();
        workspace.stages.solve.record = Some(Vec::new());
        workspace
    }

    /// A workspace that computes every step and solves every island anew, without the caches of steps at rest
    /// and of solved islands (`lcp/islands/island_memory.rs`). Steps give the same bits as with them.
    #[doc(hidden)]
    pub fn without_caches() -> Self {
        let mut workspace = Self::default();
        workspace.rest_cache.is_off = true;
        workspace
    }

    /// Solves islands on the threads of `pool` instead of rayon's global pool. Steps give the same bits.
    ///
    /// Several threads are used if a step's contacts form several large groups of bodies. A step that is itself made on a thread
    /// of rayon uses that thread alone.
    #[cfg(feature = "parallel")]
    pub fn on_threads_of(mut self, pool: std::sync::Arc<rayon::ThreadPool>) -> Self {
        for problem in self.stages.solve.problems() {
            problem.workspace = std::mem::take(&mut problem.workspace).on_threads_of(pool.clone());
        }
        self
    }

    /// From now on `observer` is told whenever a step goes over to another stage, or nobody: whoever has a clock
    /// measures them. Steps give the same bits.
    pub fn observe(&mut self, observer: Option<StageObserver>) {
        self.stages.constraints.observer = observer;
        self.stages.solve.problems().into_iter().for_each(|problem| problem.observer = observer);
    }

    /// The mixed problems that the last step posed, in their order, also if it failed; none unless the workspace records them.
    pub fn posed_problems(&self) -> &[PosedProblem] {
        self.stages.solve.record.as_deref().unwrap_or_default()
    }

    /// Which springs of the world acted in the middle of the last step; the inverse of the mass that each of their rows
    /// moved; and the bodies that the step's mean velocity moved, each with 1 for its coordinates that it moved: for
    /// the linearised step.
    #[doc(hidden)]
    pub fn swinging(&self) -> (&[bool], &[f64], &[(usize, DVec3)]) {
        let (springs, mobility) = self.stages.constraints.swinging.springs();
        (springs, mobility, &self.stages.motion.mean)
    }

    /// What broke at the end of the last completed step.
    pub fn breaks(&self) -> &[Break] {
        &self.breaks
    }

    /// Whether the last step was not computed, because all bodies are at rest: the step before it ended, to the bit, in the state
    /// in which it began.
    pub fn has_repeated(&self) -> bool {
        self.rest_cache.hit
    }

    /// Makes a step whose result is known, without computing it; returns its report.
    pub(crate) fn repeat(&mut self, world: &mut World, method: &Method, h: f64) -> Option<StepReport> {
        self.breaks.clear();
        let report = self.rest_cache.begin(world, method, h)?;
        world.time += h;
        world.steps += 1;
        Some(StepReport { step: world.steps, time: world.time, ..report })
    }

    /// Begins a step, of one part or several.
    pub(crate) fn begin_step(&mut self) {
        self.stages.totals.begin_step();
        if let Some(record) = &mut self.stages.solve.record {
            record.clear();
        }
    }

    /// Sets whether the next attempt at the step may leave rows violated without a proof that there is no solution.
    pub(crate) fn let_yield(&mut self, yields: bool) {
        self.stages.solve.problems().into_iter().for_each(|problem| problem.workspace.yields = yields);
    }

    /// Copies the world's pose and velocity, finds M⁻¹F, opens the ledger and begins the report, for a step or one of its parts.
    pub(crate) fn begin<'a>(&'a mut self, world: &'a World, method: &'a Method, h: f64) -> Step<'a> {
        let Self { stages, rest_cache, .. } = self;
        let Stages { motion, constraints, solve, totals, memory, .. } = &mut *stages;
        for problem in solve.problems() {
            // Exact unless the method says otherwise.
            problem.workspace.effort = if method.is_bounded() { Effort::Bounded } else { Effort::Exact };
            problem.workspace.recalls = !rest_cache.is_off;
            problem.workspace.forget_failure();
        }
        motion.begin(world, h, method.is_explicit());
        totals.begin_part(world, &motion.v);
        constraints.read(world);
        constraints.active = Default::default();
        solve.report = StepReport { substeps: 1, ..StepReport::before_any_solve(&method.solver) };
        solve.corrected.clear();
        let Method { stabilizer, level, integrator, solver, contact, .. } = method;
        let (values, level, integrator) = (&stabilizer.values, *level, *integrator);
        let solver = SolvedBy::Solver(solver);
        let context =
            StepContext { world, values, level, integrator, solver, contact, time: world.time, h };
        let remembers = (stabilizer.info().key, stabilizer.scheme().memory);
        memory.begin(remembers.0, remembers.1.per_world);
        if world.memory.is_of(remembers.0) {
            memory.of_world.iter_mut().zip(&world.memory.of_world).for_each(|(own, last)| *own = *last);
        }
        Step { context, remembers, stages }
    }

    /// Writes the new state into the world after a step or a part of length `h`; notes overlaps and passages in the report.
    ///
    /// # Errors
    /// The new state has more contacts than a step may have; the world is then as it was.
    pub(crate) fn commit(&mut self, world: &mut World, h: f64) -> Result<(), StepError> {
        let Self { stages, joint_metrics, .. } = self;
        let Stages { motion, totals, constraints, solve, memory, .. } = stages;
        let report = &mut solve.report;
        let before = constraints.detector.may_be_crowded().then(|| Rollback::of(world));
        totals.close_part(world, motion, h);
        (report.passages, report.passed) = constraints.passages(world, motion);
        world.time += h;
        world.steps += 1;
        motion.write(world);
        totals.write_forces(world);
        motion.copy_unmoved(world); // bodies on a prescribed path at their new time
        // `position_errors.rs`: the rows of joints and limits, and the largest −φ, at q⁺.
        report.contact_error = constraints.evaluate_report(world, motion, joint_metrics);
        if let (Err(error), Some(before)) = (constraints.uncrowded(), before) {
            before.restore(world);
            return Err(error);
        }
        motion.integrals.write(world);
        report.work = totals.work(world, motion);
        totals.write_contacts(world, constraints);
        if !(memory.is_empty() && world.memory.is_empty()) {
            world.memory.copy_from(memory);
        }
        Ok(())
    }

    /// Measures errors and energies of a world in its present state, without a step.
    pub(crate) fn measure_anew(&mut self, world: &World, report: StepReport) -> StepReport {
        self.rest_cache.forget();
        self.stages.motion.copy_from(world);
        self.stages.constraints.read(world);
        let contact_error =
            self.stages.constraints.evaluate_report(world, &self.stages.motion, &mut self.joint_metrics);
        let [kinetic_energy, potential_energy] = self.stages.motion.energies_of_bodies(world);
        self.stages.solve.report = StepReport { contact_error, kinetic_energy, potential_energy, ..report };
        StepReport { applied_work: 0.0, ..self.measure(world) }
    }

    /// Completes the report of a step (what its solves noted, then `finish` and `commit`) by the errors at q⁺, which `commit` has
    /// evaluated.
    pub(crate) fn measure(&self, world: &World) -> StepReport {
        let [errors, rates] = self.joint_metrics.worst;
        let Constraints { rows, touches, .. } = &self.stages.constraints;
        let mut violations = Worst::default();
        let nonholonomic = rows.nonholonomic().iter().zip(prescribed(world, world.time));
        touches.limits().iter().for_each(|limit| violations.take(limit.row.unit, overlap(limit)));
        StepReport {
            step: world.steps,
            time: world.time,
            joint_error: largest([errors.of_unit.largest(), violations.of_unit.largest()]),
            joint_error_unit: if violations.size > errors.size { violations.unit } else { errors.unit },
            joint_errors: errors.of_unit,
            limit_errors: violations.of_unit,
            nonholonomic_error: largest(
                nonholonomic.map(|(row, v0)| row.rate(&self.stages.motion.v) - v0.value),
            ),
            velocity_error: rates.of_unit.largest(),
            velocity_error_unit: rates.unit,
            applied_work: self.stages.motion.applied_work(world),
            bodies: world.bodies().len(),
            fastest_rate: self.joint_metrics.fastest_rate(&self.stages.motion.inverse_mass), // of the swing that joint forces impose
            ..self.stages.solve.report
        }
    }
}
