//! A world with everything that stepping it takes, for programs that want one line per step.

use super::{Workspace, measure, step};
use crate::method::Method;
use crate::model::World;
use crate::report::{StepError, StepReport};

/// A world, the method and time step by which it advances, and the workspace. All of them may be changed between two steps.
///
/// ```
/// use driftlab::prelude::*;
///
/// let mut world = World::new([0.0, -9.81]);
/// let wall = world.add_body(Body::fixed())?;
/// let bob = world.add_body(Body::dynamic().at([1.0, 0.0]).shape(Shape::circle(0.1)))?;
/// world.add_joint(Joint::distance(wall, bob))?;
///
/// let mut pendulum = Simulation::new(world, Method::rattle(), 1e-3);
/// let report = pendulum.run(1000)?;
/// assert!(report.joint_error < 1e-9);
/// assert!((pendulum.world.time() - 1.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Simulation {
    /// The complete state.
    pub world: World,
    /// How it advances.
    pub method: Method,
    /// h, s.
    pub time_step: f64,
    /// The memory of the steps, which also answers questions about the last one.
    pub workspace: Workspace,
}

impl Simulation {
    /// A simulation by steps of `time_step` seconds; the parameters of `method` that nobody has set get their defaults at that step.
    pub fn new(world: World, method: Method, time_step: f64) -> Self {
        Self { world, method: method.at_step(time_step), time_step, workspace: Workspace::default() }
    }

    /// Makes one step.
    ///
    /// # Errors
    /// The errors of [`step`]; the world is then as it was.
    pub fn step(&mut self) -> Result<StepReport, StepError> {
        step(&mut self.world, &self.method, self.time_step, &mut self.workspace)
    }

    /// Makes this many steps; returns the report of the last one, or of the present state if there are none.
    ///
    /// # Errors
    /// The error of the first step that fails; the world is then as that step found it.
    pub fn run(&mut self, steps: u64) -> Result<StepReport, StepError> {
        let mut report = None;
        for _ in 0..steps {
            report = Some(self.step()?);
        }
        Ok(report.unwrap_or_else(|| measure(&self.world, &self.method, &mut self.workspace)))
    }
}
