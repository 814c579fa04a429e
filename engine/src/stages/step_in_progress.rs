//! A step in progress, on which a scheme acts: the world and method, and all memory of the stages.
//!
//! A step of the velocity level, read from top to bottom:
//!
//! ```text
//! step.evaluate(gap)       g, J and k of all constraints at q; φ, J_n and J_t of contacts
//! step.kick()              v* = v + h M⁻¹F
//! step.solve(|row| b)?     J v⁺ + b = 0 ,  0 ≤ J_n v⁺ + b ⊥ λ_n ≥ 0 ,  friction, limits, motors, springs, the grab
//! step.drift()             q⁺ = q + h v⁺
//! ```
//!
//! A scheme of another crate, under the feature `unstable-schemes`, that returns to the constraint manifold moves
//! first, and solves at the new pose:
//!
//! ```text
//! step.drift()             q* = q + h v
//! step.project_positions() M dq = Jᵀμ ,  g(q* + dq) = 0
//! step.evaluate(gap)       g, J and k at q⁺
//! ```
//!
//! [`Step::solve_by`] poses the same problem and leaves its solution to the scheme. In place of the solve a scheme may push
//! along single rows of joints by impulses of its own. Either way the impulses are in the ledger, from which the joints'
//! forces, the contacts' impulses and [`Workspace::impulses`](crate::step::Workspace::impulses) are taken.
//!
//! A step may be made in parts: in halves, if Newton's method does not converge over the whole step, and in the equal substeps of
//! schemes that sweep.
//! A `Checkpoint` is the state to which a part goes back when it is cut into halves. A `Rollback` is the state of
//! the world before the new one is written, in case that has more contacts than a step may have.

use super::accounts::StepTotals;
use super::constraints::{Constraints, GapTerm};
use super::descent::Descent;
use super::force_filters::FilteredForces;
use super::forces::RkStages;
use super::impulses::Solve;
use super::ledger::Ledger;
use super::motion::{Motion, SolvedBy, StepContext};
use super::rattle_predictor::RattlePredictor;
use super::sweeps::Sequence;
use crate::constraint::{Clock, Constraint, Row, Touch};
use crate::lcp::MixedProblem;
use crate::model::{ConstraintId, Memory, Pose, Remembered, Velocity, World};
use crate::parameter::Values;
use crate::report::{Stage, StepError, StepReport, tell};
use glam::DVec3;
use std::iter;

/// What the stages of a step work with, from step to step; only the scheme's memory outlasts a step, in the world.
#[derive(Debug, Default)]
pub(crate) struct Stages {
    pub motion: Motion,
    pub constraints: Constraints,
    pub solve: Solve,
    pub totals: StepTotals,
    /// The constraints in the order in which sweeping schemes visit them.
    pub sequence: Sequence,
    /// The rows by body, under a scheme that visits bodies.
    pub descent: Descent,
    /// The sums of the explicit integrators.
    pub integration: RkStages,
    /// The end of the step as RATTLE predicts it.
    pub predictor: RattlePredictor,
    /// The forces of the generalised-α methods.
    pub filtered: FilteredForces,
    /// What the scheme remembers at the end of the step.
    pub memory: Memory,
    /// The starts of the parts into which the step is cut, one for every depth of halving.
    pub checkpoints: [Checkpoint; MAX_DEPTH + 1],
}

/// One step, or part of a step, in progress.
#[doc(hidden)]
pub struct Step<'a> {
    pub(crate) context: StepContext<'a>,
    /// The scheme's key, and how many numbers it remembers.
    pub(crate) remembers: (&'static str, Remembered),
    pub(crate) stages: &'a mut Stages,
}

/// What a scheme does with a step; schemes of other crates as well, under the feature `unstable-schemes`. Any version
/// may change it.
#[cfg_attr(not(feature = "unstable-schemes"), doc(hidden))]
impl Step<'_> {
    /// h, s.
    pub fn length(&self) -> f64 {
        self.context.h
    }

    /// The scheme's parameters.
    pub fn values(&self) -> &Values {
        self.context.values
    }

    /// The world as it was when the step began.
    pub fn world(&self) -> &World {
        self.context.world
    }

    /// The rows of joints as last evaluated in the step, in the order of the joints.
    pub fn joints(&self) -> &[Row] {
        self.stages.constraints.rows.joints()
    }

    /// v of every body: x and y in m/s, the angle in rad/s.
    pub fn velocities(&self) -> &[DVec3] {
        &self.stages.motion.v
    }

    /// The diagonal of M⁻¹, 1/kg and 1/(kg m²), by body, with damping in it (`model/damping.rs`); zero where forces do not move a
    /// body.
    pub fn inverse_masses(&self) -> &[DVec3] {
        &self.stages.motion.inverse_mass
    }

    /// Evaluates all rows at the present pose, that at which the step began unless the scheme has moved the bodies, and finds the
    /// contacts there. J v of bodies on a prescribed path is the c of the scheme's equation.
    pub fn evaluate(&mut self, gap: GapTerm) {
        self.evaluate_unbiased(gap);
        self.stages.totals.note_start(&self.stages.constraints, &self.stages.motion, self.context.h);
    }

    /// [`Step::evaluate`] of the same rows; it does not note J v − h k of the joints, which only the work of a
    /// stabilization needs.
    pub(crate) fn evaluate_unbiased(&mut self, gap: GapTerm) {
        self.stages.motion.prescribe_mean_velocity(&self.context);
        self.stages.constraints.evaluate(self.context.world, &self.stages.motion);
        self.stages.constraints.find_contacts(&self.context, &self.stages.motion, gap);
        self.stages.constraints.note_start(self.context.world, &mut self.stages.motion, self.context.h);
    }

    /// Moves the springs of bodies that they alone hold to the middle of the step, q + ½h v; [`Step::drift`] then moves these
    /// bodies by the mean of v and v⁺.
    pub(crate) fn swing(&mut self) {
        self.stages.constraints.swing(&self.context, &mut self.stages.motion);
    }

    /// v ← v + h M⁻¹F with the weight, applied forces, force laws and the mouse's repulsion, F as it was when the step began.
    pub fn kick(&mut self) {
        self.stages.constraints.rows.forget_state();
        self.stages.motion.kick(self.context.h);
    }

    /// v ← v + M⁻¹Jᵀλ along the row of that index among [`Step::joints`], λ in N s or N m s.
    pub fn push(&mut self, index: usize, lambda: f64) {
        if let Some(row) = self.stages.constraints.rows.joints().get(index) {
            row.push(lambda, &self.stages.motion.inverse_mass, &mut self.stages.motion.v);
            self.stages.totals.ledger.add_row(index, row, lambda);
            self.stages.constraints.rows.forget_state();
        }
    }

    /// The joint, contact or limit of a row, by its index among [`Step::joints`] or [`Step::unilateral`].
    pub fn joint_of(&self, index: usize) -> Option<ConstraintId> {
        let world = self.context.world;
        let mut rows =
            Constraint::positions(world).flat_map(|own| std::iter::repeat_n(own, own.rows(world)));
        rows.nth(index)?.id(world, &[])
    }

    /// The rows of contacts and limits as last evaluated in the step, contacts first.
    pub fn unilateral(&self) -> &[Touch] {
        self.stages.constraints.touches.all()
    }

    /// The contact or limit of a row, by its index among [`Step::unilateral`].
    pub fn unilateral_of(&self, index: usize) -> Option<ConstraintId> {
        let Constraints { contacts, .. } = &self.stages.constraints;
        let world = self.context.world;
        match index.checked_sub(contacts.len()) {
            None => Constraint::Contact(index).id(world, contacts),
            Some(limit) => Constraint::limits(world).nth(limit)?.id(world, contacts),
        }
    }

    /// v ← v + M⁻¹(J_nᵀλ_n + J_tᵀλ_t) along the rows of the contact or limit of that index among [`Step::unilateral`],
    /// with λ in N s or N m s; a limit has no λ_t.
    pub fn push_unilateral(&mut self, index: usize, [normal, tangential]: [f64; 2]) {
        let Constraints { contacts, touches, rows, .. } = &mut self.stages.constraints;
        let Some(touch) = touches.all().get(index) else { return };
        let tangent = touch.tangent.map(|own| (Row { ja: own.ta, jb: own.tb, ..touch.row }, tangential));
        for (at, (row, lambda)) in [Some((touch.row, normal)), tangent].into_iter().flatten().enumerate() {
            row.push(lambda, &self.stages.motion.inverse_mass, &mut self.stages.motion.v);
            let mut own = self.stages.totals.ledger.unilateral(index, contacts, touch, true);
            own.add(at, lambda, [row.ja, row.jb], &row.further);
        }
        rows.forget_state();
    }

    /// The numbers that the scheme has remembered of a constraint in the last step; `None` of one that it has not.
    pub fn recall(&self, constraint: impl Into<ConstraintId>) -> Option<&[f64]> {
        self.recalled()?.of(constraint.into())
    }

    /// Remembers numbers of a constraint for the next step: [`Remembered::per_constraint`] of them, zeros for those that
    /// are missing.
    pub fn remember(&mut self, constraint: impl Into<ConstraintId>, numbers: &[f64]) {
        let (_, Remembered { per_constraint, .. }) = self.remembers;
        let all: Vec<f64> = numbers.iter().copied().chain(iter::repeat(0.0)).take(per_constraint).collect();
        self.stages.memory.put(constraint.into(), &all);
    }

    /// The numbers that the scheme has remembered of the world, zero at first; they may be changed for the next step.
    pub fn memory_of_world(&mut self) -> &mut [f64] {
        &mut self.stages.memory.of_world
    }

    /// v ← v⁺ of J v⁺ + b = 0 in joints, and of every other row as the head of this file says; `bias` gives b of joints
    /// and of near contacts; `constraints.rs` says which b the others get. The work of the bias is in the report.
    ///
    /// # Errors
    /// A problem that the method's solver does not solve.
    pub fn solve(&mut self, bias: impl Fn(&Row) -> f64) -> Result<(), StepError> {
        self.solve_for(bias, true)
    }

    /// [`Step::solve`] with a solver of the scheme's own: `solve` gets the posed problem and λ of its rows to start from,
    /// which it changes into its solution, and returns the number of its iterations. λ is then written, and judged, as
    /// that of the engine's solvers: a residual above 1e-9 of the problem's speed counts as an approximate island.
    ///
    /// The problem is posed once more, and solved again, where the grab would pull harder than its limit, or where
    /// contacts rebound by Poisson's law.
    ///
    /// # Errors
    /// What `solve` returns, and [`StepError::Mixed`] if its λ is not finite.
    pub fn solve_by(
        &mut self,
        bias: impl Fn(&Row) -> f64,
        solve: impl Fn(&MixedProblem, &mut [f64]) -> Result<usize, StepError>,
    ) -> Result<(), StepError> {
        self.with_solver(SolvedBy::Scheme(self.remembers.0, &solve, false)).solve_for(bias, true)
    }

    /// The same step, whose problems that one solves.
    pub(crate) fn with_solver<'s>(&'s mut self, solver: SolvedBy<'s>) -> Step<'s> {
        let Self { context, remembers, stages } = self;
        Step { context: StepContext { solver, ..*context }, remembers: *remembers, stages }
    }

    /// A whole step of the velocity level that stabilizes nothing: J v⁺ + c = 0, q⁺ = q + h v⁺.
    ///
    /// # Errors
    /// A problem that the method's solver does not solve.
    pub(crate) fn advance_unbiased(&mut self, gap: GapTerm) -> Result<(), StepError> {
        self.evaluate_unbiased(gap); // g, J and k at q, of which J acts here; φ, J_n and J_t of contacts; limits, motors
        self.swing(); // springs of free bodies at q + ½h v
        self.kick(); // v* = v + h M⁻¹F
        self.solve_unbiased()?; // A λ = −J v*, v⁺ = v* + M⁻¹Jᵀλ
        self.drift(); // q⁺ = q + h v⁺, angles too
        Ok(())
    }

    /// J v⁺ + c = 0 in joints, of which no part is the work of a stabilization.
    pub(crate) fn solve_unbiased(&mut self) -> Result<(), StepError> {
        self.solve_for(|_| 0.0, false)
    }

    fn solve_for(&mut self, bias: impl Fn(&Row) -> f64, stabilizes: bool) -> Result<(), StepError> {
        let Self { context, stages: Stages { motion, constraints, solve, totals, .. }, .. } = self;
        solve.impulses(context, constraints, motion, context.h, bias)?;
        solve.write(&mut totals.ledger, constraints, 1.0); // λ of each constraint into the ledger
        motion.v.copy_from_slice(&solve.dynamics.v); // v⁺; of islands, velocities within rounding are zero
        if stabilizes {
            totals.add_work(solve, constraints, motion, [context.h, 1.0]);
        }
        Ok(())
    }

    /// q⁺ = q + h v⁺; bodies on a prescribed path move to their position at the end of the step.
    pub fn drift(&mut self) {
        self.stages.constraints.rows.forget_state();
        self.stages.motion.drift(&self.context);
    }
}

impl<'a> Step<'a> {
    /// What the scheme has remembered in the last step, if it was this scheme's.
    pub(crate) fn recalled(&self) -> Option<&'a Memory> {
        let memory = &self.context.world.memory;
        memory.is_of(self.remembers.0).then_some(memory)
    }

    /// Completes the report of the step by the energies, if the scheme has `advanced` and the new state is finite.
    pub(crate) fn finish(self, advanced: Result<(), StepError>) -> Result<(), StepError> {
        let Self { context, stages: Stages { motion, constraints, solve, totals, .. }, .. } = self;
        tell(constraints.observer, Stage::Assembly); // also after sweeps
        motion.undamp();
        if let Some(wrong) = &motion.wrong {
            return Err(StepError::Model(wrong.clone()));
        }
        // Before the scheme's own error: any solve may have failed for want of the contacts that were too many.
        constraints.uncrowded().and(advanced)?;
        totals.ledger.current_entries(); // entries that no solve has written are zero
        // The impulses need no look: each moves a body, so that they are finite if the velocities are, which are looked at below.
        if !motion.integrals.is_finite() {
            return Err(StepError::Factorization);
        }
        let StepReport { kinetic_energy, potential_energy, correction_work, .. } = &mut solve.report;
        [*kinetic_energy, *potential_energy] = motion.energies_of_bodies(context.world);
        let finite = (*kinetic_energy + *potential_energy).is_finite();
        // The energies are finite only if all numbers in them are.
        let moves_finitely = finite && motion.is_finite_beside_energies() || motion.is_finite();
        if moves_finitely && finite && correction_work.is_finite() {
            return Ok(());
        }
        let other = if moves_finitely { StepError::EnergyNotFinite } else { StepError::Factorization };
        Err(motion.lost(context.world).unwrap_or(other))
    }
}

/// Makes the step by `attempt`; if its Newton's method does not converge, in two halves, and these likewise, `depth` times.
pub(crate) fn in_parts(
    step: &mut Step<'_>,
    depth: usize,
    attempt: fn(&mut Step<'_>) -> Result<(), StepError>,
) -> Result<(), StepError> {
    let mut checkpoint = std::mem::take(&mut step.stages.checkpoints[depth]);
    let Checkpoint { q, v, ledger, report } = &mut checkpoint;
    q.clone_from(&step.stages.motion.q);
    v.clone_from(&step.stages.motion.v);
    ledger.copy_from(&step.stages.totals.ledger);
    *report = step.stages.solve.report;
    let whole = step.context;
    step.stages.motion.clock = Clock::at(whole.time);
    let mut result = attempt(step);
    let failed = matches!(result, Err(StepError::NotConverged { .. } | StepError::TurnsTooFar { .. }));
    if failed && depth > 0 {
        step.stages.motion.q.clone_from(q);
        step.stages.motion.v.clone_from(v);
        step.stages.totals.ledger.copy_from(ledger);
        step.stages.solve.report = StepReport { substeps: report.substeps + 1, ..*report };
        let half = whole.h / 2.0;
        step.context = StepContext { h: half, ..whole };
        result = in_parts(step, depth - 1, attempt).and_then(|()| {
            step.context = StepContext { time: whole.time + half, h: half, ..whole };
            in_parts(step, depth - 1, attempt)
        });
    }
    step.context = whole;
    step.stages.checkpoints[depth] = checkpoint;
    result
}

/// Finds the contacts and limits that `term` requires once, and makes `substeps` equal substeps, each at its own time with its
/// own prescribed velocities and right-hand sides of non-holonomic rows. `begin` may change what they start from. Their impulses
/// are summed up.
pub(crate) fn in_substeps(
    step: &mut Step<'_>,
    term: GapTerm,
    substeps: usize,
    begin: impl FnOnce(&mut Step<'_>),
    mut advance: impl FnMut(&mut Step<'_>),
) {
    step.evaluate(term);
    let whole = step.context;
    step.stages.sequence.begin(&whole, &step.stages.constraints, &step.stages.motion, substeps);
    begin(step);
    let h = whole.h / substeps as f64;
    step.stages.motion.damp(whole.world, h);
    step.stages.constraints.note_start(whole.world, &mut step.stages.motion, h);
    let Constraints { rows, touches, swinging, .. } = &mut step.stages.constraints;
    swinging.find(&whole, (rows, touches), &mut step.stages.motion, h);
    for substep in 0..substeps {
        step.context = StepContext { time: whole.time + substep as f64 * h, h, ..whole };
        step.stages.motion.prescribe_mean_velocity(&step.context);
        step.stages.motion.before.clone_from(&step.stages.motion.v);
        step.stages.motion.renew_fields(whole.world, substep as f64 * h);
        step.stages.motion.damp(whole.world, h);
        step.stages.constraints.swinging.predict(whole.world, &step.stages.motion, h);
        step.stages.sequence.pose_forces(&step.context, &step.stages.constraints, &step.stages.motion);
        step.stages.sequence.note_start(&step.stages.motion.v);
        advance(step);
        step.stages.sequence.bank();
    }
    step.context = whole;
}

/// Most times that a step is halved before it fails: 2¹⁰ parts.
pub(crate) const MAX_DEPTH: usize = 10;

/// The state of a step at the start of one of its parts.
#[derive(Debug, Default)]
pub(crate) struct Checkpoint {
    q: Vec<DVec3>,
    v: Vec<DVec3>,
    ledger: Ledger,
    report: StepReport,
}

/// The state of a world that a step is about to write into.
pub(crate) struct Rollback {
    time: f64,
    steps: u64,
    bodies: Vec<(Pose, Velocity)>,
    forces: Vec<[[f64; 3]; 2]>,
}

impl Rollback {
    /// Copies `world` before a step writes into it.
    pub fn of(world: &World) -> Self {
        let bodies = world.bodies().iter().map(|body| (body.pose, body.velocity)).collect();
        let forces = world.joints().iter().map(|joint| [joint.force, joint.coordinate_force]).collect();
        Self { time: world.time, steps: world.steps, bodies, forces }
    }

    /// Restores the copied state.
    pub fn restore(self, world: &mut World) {
        let Self { time, steps, bodies, forces } = self;
        (world.time, world.steps) = (time, steps);
        for (body, before) in world.bodies_mut().iter_mut().zip(bodies) {
            (body.pose, body.velocity) = before;
        }
        for (joint, before) in world.joints_mut().iter_mut().zip(forces) {
            [joint.force, joint.coordinate_force] = before;
        }
        world.place_driven();
    }
}
