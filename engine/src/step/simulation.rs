//! A world with everything that stepping it takes, for programs that want one line per step.

use super::{Workspace, measure, step};
use crate::method::Method;
use crate::model::{BodyId, World};
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
///
/// A clone is a snapshot: its steps have the same bits. It has no memory of the last step's rows ([`Workspace`]) yet.
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
    report: Option<StepReport>,
    /// The pairs of bodies that touched before the last step.
    touched: Vec<[BodyId; 2]>,
}

impl Clone for Simulation {
    fn clone(&self) -> Self {
        let Self { world, method, time_step, workspace: _, report, touched } = self;
        Self {
            world: world.clone(),
            method: method.clone(),
            time_step: *time_step,
            workspace: Workspace::default(),
            report: *report,
            touched: touched.clone(),
        }
    }
}

/// The pairs of bodies that have begun and ceased to touch in a step, in the order of their ids. A pair touches if a
/// contact of it carries an impulse or overlaps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContactEvents {
    /// Pairs that touch since the last step.
    pub begun: Vec<[BodyId; 2]>,
    /// Pairs that have touched before it.
    pub ended: Vec<[BodyId; 2]>,
}

impl Simulation {
    /// A simulation by steps of `time_step` seconds; the parameters of `method` that nobody has set get their defaults
    /// at that step.
    pub fn new(world: World, method: Method, time_step: f64) -> Self {
        let method = method.at_step(time_step);
        let workspace = Workspace::default();
        Self { world, method, time_step, workspace, report: None, touched: Vec::new() }
    }

    /// Makes one step.
    ///
    /// # Errors
    /// The errors of [`step`]; the world is then as it was.
    pub fn step(&mut self) -> Result<StepReport, StepError> {
        let before = touching(&self.world);
        let report = step(&mut self.world, &self.method, self.time_step, &mut self.workspace)?;
        (self.touched, self.report) = (before, Some(report));
        Ok(report)
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

    /// The report of the last step that succeeded; none before the first.
    pub fn report(&self) -> Option<&StepReport> {
        self.report.as_ref()
    }

    /// Which bodies have begun and ceased to touch in the last step that succeeded.
    ///
    /// ```
    /// use driftlab::prelude::*;
    ///
    /// let mut world = World::new([0.0, -9.81]);
    /// let floor = world.add_body(Body::fixed().shape(Shape::rectangle(10.0, 1.0)))?;
    /// let ball = world.add_body(Body::dynamic().at([0.0, 1.5]).shape(Shape::circle(0.5)))?;
    /// let mut fall = Simulation::new(world, Method::none(), 1e-2);
    /// while fall.contact_events().begun.is_empty() {
    ///     fall.step()?;
    /// }
    /// assert_eq!(fall.contact_events().begun, [[floor, ball]]);
    /// // From 0.5 m above the floor it falls for √(2 · 0.5 m / g) = 0.319 s.
    /// assert!((fall.world.time() - 0.319).abs() < 2e-2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contact_events(&self) -> ContactEvents {
        let (before, after) = (&self.touched, touching(&self.world));
        let missing = |from: &[[BodyId; 2]], pairs: &[[BodyId; 2]]| {
            let missing = pairs.iter().filter(|pair| from.binary_search(pair).is_err());
            missing.copied().collect()
        };
        ContactEvents { begun: missing(before, &after), ended: missing(&after, before) }
    }
}

/// The pairs of bodies that touch, in order; contacts are in the order of their bodies.
fn touching(world: &World) -> Vec<[BodyId; 2]> {
    let touching = world.contacts().iter().filter(|contact| contact.impulse[0] > 0.0 || contact.gap < 0.0);
    let mut pairs: Vec<_> = touching.map(|contact| contact.id.bodies).collect();
    pairs.dedup();
    pairs
}
