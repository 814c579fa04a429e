//! Errors and orders of schemes on any scene: each at several time steps, against a converged reference.
//!
//! The reference is the same world stepped by one method at a much smaller time step. The change of the reference
//! when its own time step is doubled shows what it resolves: errors near that change are as much the reference's as
//! the scheme's, and no order is fitted to them. Nor is an order fitted to errors near the size of the motion itself,
//! which no longer follow a power of h. Motions are compared at the multiples of the largest time step, which all
//! runs reach.
//!
//! Nothing here reads a clock: the caller passes one.

mod cell;
mod errors;
mod order;
#[cfg(feature = "figures")]
mod picture;
mod record;
mod steps;

pub use cell::Cell;
pub use errors::{Errors, Kind};
pub use order::Fit;
#[cfg(feature = "figures")]
pub use picture::draw;
pub use record::{csv, timings_csv};
pub use steps::TimeSteps;

pub use crate::scene::REFERENCE;

use super::run::trajectory::{Trajectory, stepped};
use super::run::units::{errors_in, joint_units};
use super::sweep::compare::label;
use crate::method::{Integrator, Level, Method};
use crate::scene::Scene;
use cell::failure;

/// An error counts as the scheme's own if it is at least this many times what the reference resolves.
pub const RESOLVED: f64 = 10.0;
/// An error above this fraction of the motion's extent is too large to follow a power of h.
pub const SATURATED: f64 = 0.1;
/// Rounding over many steps, below which no reference resolves errors: relative to the motion's extent, or in SI
/// units where the extent is below 1. A tenth of the tolerance at which projections to the manifold stop.
const ROUNDING: f64 = 1e-13;

/// What is to be computed.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The methods.
    pub methods: Vec<Method>,
    /// Their time steps, and the length of the run.
    pub steps: TimeSteps,
    /// The method of the reference.
    pub reference: Method,
    /// How many steps of the reference make one of the smallest time step; even, so that the reference can be
    /// repeated at twice its step.
    pub refined: u64,
}

impl Plan {
    /// All steps that [`converge`] reports to its observer; steps that are made only to be timed are not among them.
    pub fn total_steps(&self) -> u64 {
        let methods =
            (self.methods.len() as u64).saturating_mul(self.steps.steps().fold(0, u64::saturating_add));
        let references = [1, 2].map(|coarser| self.steps.finer(self.refined / coarser).steps);
        references.iter().fold(methods, |sum, steps| sum.saturating_add(*steps))
    }
}

/// Where an error lies between what the reference resolves and the motion itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Below [`RESOLVED`] times the reference's own error.
    Unresolved,
    /// The scheme's own, and small.
    Sound,
    /// Above [`SATURATED`] of the motion's extent.
    Saturated,
}

/// One method at all time steps.
#[derive(Clone, Debug)]
pub struct MethodErrors {
    /// The method.
    pub method: Method,
    /// The method as [`spelled`].
    pub label: String,
    /// A cell for each time step, the largest first.
    pub cells: Vec<Cell>,
}

impl MethodErrors {
    /// The integrator, where one acts.
    pub fn integrator(&self) -> Option<Integrator> {
        (self.method.level == Level::Acceleration).then_some(self.method.integrator)
    }
}

/// Errors of all methods at all time steps.
#[derive(Clone, Debug)]
pub struct Convergence {
    /// Name of the scene.
    pub scene: String,
    /// The plan that was followed.
    pub plan: Plan,
    /// Time step of the reference, s.
    pub reference_step: f64,
    /// How far the reference moves when its time step is doubled: the largest differences, and the constraint error that
    /// it has then.
    pub movement: Errors,
    /// How far the motion itself goes: displacement, turn, speeds, kinetic energy.
    pub extent: Errors,
    /// A line for each method.
    pub lines: Vec<MethodErrors>,
    /// The unit of constraint errors, or the units in words.
    constraint_unit: String,
}

/// Why there is no reference to compare with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the reference, {scheme} at h = {step} s, {failure}")]
pub struct ReferenceFailure {
    /// The method as [`spelled`].
    pub scheme: String,
    /// Its time step, s, as text.
    pub step: String,
    /// When and why it failed.
    pub failure: String,
}

/// The method as the command line spells it: scheme, parameters, and level and integrator where they are not the
/// scheme's defaults.
pub fn spelled(method: &Method) -> String {
    let mut text = label(&method.stabilizer);
    let told = method.level == Level::Acceleration && method.integrator != Integrator::default();
    if told {
        text += &format!(",integrator={}", method.integrator.key());
    } else if method.level != method.stabilizer.info().levels[0] {
        text += &format!(",level={}", method.level.key());
    }
    text
}

/// Follows a plan on a scene; `clock` returns seconds since an arbitrary moment, and `observe` is called for each
/// step. Once it returns false, every run ends with its next step, and the result means nothing.
///
/// # Errors
/// A reference that cannot step to the end. A method that cannot is not an error: its cell gives the reason.
pub fn converge(
    scene: &Scene,
    plan: Plan,
    clock: &dyn Fn() -> f64,
    observe: &mut dyn FnMut() -> bool,
) -> Result<Convergence, ReferenceFailure> {
    let mut reference = |coarser: u64| {
        let pace = plan.steps.finer(plan.refined / coarser);
        let scene = stepped(scene, pace.h);
        let run = Trajectory::of(&scene, &plan.reference, pace.steps, pace.stride, |run| {
            let report = run.next()?;
            observe().then_some(report)
        });
        match failure(&run) {
            None => Ok(run),
            Some(failure) => {
                let (scheme, step) = (spelled(&plan.reference), crate::numbers::shortest(pace.h));
                Err(ReferenceFailure { scheme, step, failure })
            }
        }
    };
    let fine = reference(1)?;
    let movement = Errors::between(&fine, &reference(2)?);
    let extent = Errors::extent(&fine);
    let mut line = |method: &Method| {
        let cell = |pace| Cell::new(scene, method, pace, &fine, clock, observe);
        MethodErrors {
            method: method.clone(),
            label: spelled(method),
            cells: plan.steps.paces().map(cell).collect(),
        }
    };
    let lines = plan.methods.iter().map(&mut line).collect();
    let reference_step = plan.steps.finer(plan.refined).h;
    let constraint_unit = errors_in(&joint_units(&scene.world));
    let scene = scene.name.clone();
    Ok(Convergence { scene, plan, reference_step, movement, extent, lines, constraint_unit })
}

impl Convergence {
    /// The unit of errors of that kind, or the units in words.
    pub fn unit(&self, kind: Kind) -> &str {
        match kind {
            Kind::Position => "m",
            Kind::Angle => "rad",
            Kind::Velocity => "m/s",
            Kind::AngularVelocity => "rad/s",
            Kind::Energy => "J",
            Kind::Constraint => &self.constraint_unit,
        }
    }

    /// The smallest error of that kind that is resolved: the change of the reference when its time step is doubled,
    /// or rounding. For constraint errors, the reference's own error, which is at least that of the initial state if
    /// the scene starts off the manifold.
    pub fn resolution(&self, kind: Kind) -> f64 {
        self.movement[kind].max(ROUNDING * self.extent[kind].max(1.0))
    }

    /// Whether an error is resolved, and small.
    pub fn standing(&self, kind: Kind, error: f64) -> Standing {
        match error {
            _ if error <= RESOLVED * self.resolution(kind) => Standing::Unresolved,
            _ if error < SATURATED * self.extent[kind] => Standing::Sound,
            _ => Standing::Saturated,
        }
    }

    /// The order between each time step and the one before it; `None` for the first, for runs that failed and for errors
    /// that are not resolved.
    pub fn orders(&self, line: &MethodErrors, kind: Kind) -> Vec<Option<f64>> {
        let point = |cell: &Cell| {
            let error = cell.errors.as_ref().ok()?[kind];
            (self.standing(kind, error) != Standing::Unresolved).then_some((cell.h, error))
        };
        let pair = |cells: &[Cell]| Some(order::between(point(&cells[0])?, point(&cells[1])?));
        std::iter::once(None).chain(line.cells.windows(2).map(pair)).collect()
    }

    /// The order fitted to the errors that are resolved and small.
    pub fn fit(&self, line: &MethodErrors, kind: Kind) -> Option<Fit> {
        order::fit(&self.sound(line, kind))
    }

    /// The points (h, error) that are resolved and small, the largest h first.
    fn sound(&self, line: &MethodErrors, kind: Kind) -> Vec<(f64, f64)> {
        let points = line.cells.iter().filter_map(|cell| Some((cell.h, cell.errors.as_ref().ok()?[kind])));
        points.filter(|(_, error)| self.standing(kind, *error) == Standing::Sound).collect()
    }
}
