//! A run: a world, how it is stepped, the pointer that acts on it, and the memory that its steps are made in.
//!
//! One type serves every caller: a headless run iterates over a fixed number of steps; the window makes steps as
//! time passes, changes world and method between them, and hands the run to another thread while a step is made.

pub(crate) mod broken;
pub mod choice;
pub mod elsewhere;
pub(crate) mod extreme;
pub(crate) mod impulses;
pub(crate) mod record;
pub(crate) mod summary;
pub(crate) mod swept;
pub(crate) mod trajectory;
pub(crate) mod verdict;

use crate::experiment::uniqueness::{Uniqueness, of_step};
use crate::method::Method;
#[cfg(feature = "window")]
use crate::model::JointId;
use crate::model::World;
use crate::peers::Peer;
use crate::report::{ConstraintImpulse, StepError, StepReport};
use crate::scene::{Interaction, Scene};
use crate::step::{Break, PosedProblem, SolvedProblem, Workspace};
use crate::step::{measure, step};
use glam::DVec3;
use std::sync::Arc;

/// A world in motion: an iterator over the reports of its steps. Before each of them the recorded pointer acts, if the
/// scene has one.
///
/// The iterator ends after the given number of steps, or with the first step that fails.
pub struct Run {
    pub(crate) world: World,
    pub(crate) method: Method,
    pub(crate) time_step: f64,
    /// The recorded pointer. Runs of the same recording share it.
    pub(crate) pointer: Option<Arc<Interaction>>,
    remaining: u64,
    workspace: Workspace,
    /// The world in another engine, where that makes the steps.
    peer: Peer,
    /// The state before the last step that it made.
    before: Option<elsewhere::Before>,
    initial: StepReport,
    report: StepReport,
    /// Number of the last step made with this workspace, unless it failed.
    solved_step: Option<u64>,
    /// The other solutions of that step, once somebody has asked for them.
    other_solutions: Option<Uniqueness>,
}

impl Run {
    /// A run of the scene from its present state: `steps` steps by its own settings.
    pub fn new(scene: &Scene, steps: u64) -> Self {
        Self::under(scene, scene.settings.method.clone(), steps)
    }

    /// A run of the scene from its present state: `steps` steps by `method`.
    pub fn under(scene: &Scene, method: Method, steps: u64) -> Self {
        let world = scene.world.clone();
        let mut workspace = Workspace::default();
        let initial = measure(&world, &method, &mut workspace);
        let time_step = scene.settings.time_step;
        let pointer = scene.interaction.clone().map(Arc::new);
        let mut peer = Peer::default();
        peer.prepare(&world, &method, time_step);
        Self {
            world,
            method,
            time_step,
            pointer,
            remaining: steps,
            workspace,
            peer,
            before: None,
            initial,
            report: initial,
            solved_step: None,
            other_solutions: None,
        }
    }

    /// Keeps the mixed problems of each step, too (see [`Workspace::posed_problems`]).
    pub fn recording_problems(mut self) -> Self {
        self.workspace = Workspace::recording_problems();
        self
    }

    /// The mixed problems that the last step posed.
    pub fn posed_problems(&self) -> &[PosedProblem] {
        self.workspace.posed_problems()
    }

    /// The problem of the dynamics of the last step that was made, with its solution; none before a step, behind one that failed,
    /// and under schemes that bring their own solver.
    pub fn solved_problem(&self) -> Option<SolvedProblem> {
        self.solved_step.and_then(|_| self.workspace.solved_problem(&self.world))
    }

    /// Which other solutions the problem of [`Run::solved_problem`] has, in m/s at every level; none before a step,
    /// behind one that failed, and under schemes that bring their own solver.
    ///
    /// Of a step in parts, and of the two phases of a rebound by Poisson's law, that is the last one. For joints
    /// without contacts, limits or motors it is the number of equations that depend on others, as the factorisation counts them.
    pub fn uniqueness(&mut self) -> Option<Uniqueness> {
        self.solved_step?;
        let examine = || of_step(self.solved_problem(), &self.report, self.time_step);
        self.other_solutions = self.other_solutions.or_else(|| Some(examine()));
        self.other_solutions
    }

    /// Number of the step whose problem [`Run::solved_problem`] returns.
    pub fn solved_step(&self) -> Option<u64> {
        self.solved_step
    }

    /// The figures before the first step: row 0.
    pub fn initial(&self) -> &StepReport {
        &self.initial
    }

    /// The figures of the last step that was made, or those before the first.
    pub fn report(&self) -> &StepReport {
        &self.report
    }

    /// The world as it is now.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The method that it is stepped by.
    pub fn method(&self) -> &Method {
        &self.method
    }

    /// The time step, s.
    pub fn time_step(&self) -> f64 {
        self.time_step
    }

    /// What broke at the end of the last step that was made.
    pub fn breaks(&self) -> &[Break] {
        self.workspace.breaks()
    }

    /// The impulses of the last step that was made; none before the first.
    pub fn impulses(&self) -> impl Iterator<Item = &ConstraintImpulse> {
        self.workspace.impulses()
    }

    /// What a joint's rows exerted in that step; none for a joint that was not there.
    #[cfg(feature = "window")]
    pub(crate) fn impulse_of(
        &self,
        constraint: impl Into<crate::report::ConstraintId>,
    ) -> Option<&ConstraintImpulse> {
        self.workspace.impulse_of(constraint)
    }

    /// The force of a joint's motor along its coordinate in that step, N or N m; none without a motor.
    #[cfg(feature = "window")]
    pub(crate) fn motor_force(&self, joint: JointId) -> Option<f64> {
        self.workspace.motor_force(joint)
    }

    /// The force of a joint's limits along its coordinate in that step, N or N m; none without limits.
    #[cfg(feature = "window")]
    pub(crate) fn limit_force(&self, joint: JointId) -> Option<f64> {
        self.workspace.limit_force(joint)
    }

    /// The part of each body's change of momentum in that step that these impulses and the external forces do not
    /// explain: (N s, N s, N m s).
    pub fn momentum_residuals(&self) -> Vec<DVec3> {
        self.workspace.momentum_residuals()
    }

    /// M (v⁺ − v) of each body in that step: (N s, N s, N m s).
    #[cfg(feature = "window")]
    pub(crate) fn momentum_changes(&self) -> Vec<DVec3> {
        self.workspace.momentum_changes()
    }

    /// h F of the weight, the applied forces, the mouse's repulsion, damping and drag on each body in that step: (N s, N s, N m
    /// s).
    pub(crate) fn external_impulses(&self) -> Vec<DVec3> {
        self.workspace.external_impulses()
    }

    /// Makes one step, however many steps the iterator has left.
    ///
    /// # Errors
    /// An error of [`step`], or that another engine could not make it; the run is then unchanged, except for the recorded
    /// pointer's grab or repulsion.
    pub fn advance(&mut self) -> Result<StepReport, StepError> {
        if let Some(pointer) = &self.pointer {
            pointer.apply(&mut self.world, self.time_step);
        }
        self.solved_step = None;
        if self.is_elsewhere() {
            return self.advance_elsewhere();
        }
        self.peer.forget();
        self.report = step(&mut self.world, &self.method, self.time_step, &mut self.workspace)?;
        // Schemes with a solver of their own pose no such problem; what the workspace holds is then an older one.
        self.solved_step = self.method.stabilizer.scheme().uses_solver.then(|| self.world.steps());
        // A step that repeats the last one has the same.
        self.other_solutions = self.other_solutions.filter(|_| self.workspace.has_repeated());
        Ok(self.report)
    }

    /// The world, to be changed between two steps; [`Run::remeasure`] then measures its figures again.
    /// [`Run::solved_problem`] is none until the next step.
    pub fn world_mut(&mut self) -> &mut World {
        self.solved_step = None;
        &mut self.world
    }

    /// Measures the world's figures again, after something other than a step has changed it.
    pub fn remeasure(&mut self) {
        self.report = measure(&self.world, &self.method, &mut self.workspace);
    }

    /// The problem of the last step is no longer of interest: the run begins anew.
    #[cfg(feature = "window")]
    pub(crate) fn forget_solve(&mut self) {
        self.solved_step = None;
    }

    /// From now on `observer` is told whenever a step goes over to another stage.
    #[cfg(feature = "window")]
    pub(crate) fn observe(&mut self, observer: Option<crate::report::StageObserver>) {
        self.workspace.observe(observer);
    }

    /// Replaces the world by another state, whose figures are known.
    #[cfg(feature = "window")]
    pub(crate) fn go_to(&mut self, world: World, report: StepReport) {
        (self.world, self.report) = (world, report);
    }

    /// Hands out this run in its present state, to be stepped elsewhere. The returned run gets the workspace for steps; this
    /// one creates a new workspace if it needs one before [`Run::take_back`].
    #[cfg(feature = "window")]
    pub(crate) fn hand_over(&mut self) -> Self {
        let solved_step = self.solved_step.take();
        Self {
            solved_step,
            world: self.world.clone(),
            method: self.method.clone(),
            pointer: self.pointer.clone(),
            peer: self.peer.hand_over(),
            before: self.before.take(),
            workspace: std::mem::take(&mut self.workspace),
            ..*self
        }
    }

    /// Takes over the state that `ahead`, which was handed over before, has reached, and its workspace for steps.
    /// Method, time step and pointer stay this run's own.
    #[cfg(feature = "window")]
    pub(crate) fn take_back(&mut self, ahead: Self) {
        (self.world, self.report, self.workspace) = (ahead.world, ahead.report, ahead.workspace);
        (self.solved_step, self.peer, self.before) = (ahead.solved_step, ahead.peer, ahead.before);
    }
}

impl Iterator for Run {
    type Item = Result<StepReport, StepError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.remaining = self.remaining.checked_sub(1)?;
        let report = self.advance();
        if report.is_err() {
            self.remaining = 0;
        }
        Some(report)
    }
}
