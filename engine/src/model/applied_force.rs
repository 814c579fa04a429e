//! Forces and torques on a body, in the axes of the world or of the body, constant or driven by a profile.
//!
//! With R the rotation of the body and r = R p the arm of the force's point p from the centre of mass,
//!
//! ```text
//! F = f  (world axes)   or   R f  (body axes) ,     moment = τ + r × F
//! ```
//!
//! f in N, τ in N m. Every scheme evaluates them at the start of the step, as it does with the weight. That is exact for τ and
//! for a force in the world's axes at the centre of mass, which do not depend on the pose; for a force that turns with the body
//! the error is of first order in h. A driven force is the same times p, its profile's mean over the step, so that its impulse is
//! exact; explicit integrators take p at each of their stages. A rocket's thruster is a driven force in the body's axes.
//! One with a switch acts in those steps that begin while the world has it on. They
//! have no potential energy: their work is reported (`StepReport::applied_work`).

use super::error::{ModelError, finite, finite_vector};
use super::profile::Profile;
use crate::math::Rotation;
use glam::{DVec2, DVec3};

/// The axes in which a constant force is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Axes {
    /// The force keeps its direction.
    #[default]
    World,
    /// The force turns with the body.
    Body,
}

/// A constant force and torque that act on a body.
///
/// ```
/// use driftlab::prelude::*;
///
/// let mut world = World::new(DVec2::ZERO);
/// let rocket = Body::dynamic().shape(Shape::rectangle(0.2, 1.0)).mass(2.0);
/// let rocket = world.add_body(rocket.applied(AppliedForce::force([0.0, 10.0])))?;
/// step(&mut world, &Method::none(), 0.1, &mut Workspace::default())?;
/// assert!((world[rocket].velocity.linear.y - 0.5).abs() < 1e-12); // F h/m
/// world.set_applied_force(rocket, None)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AppliedForce {
    /// f, N.
    pub force: DVec2,
    /// τ, N m, counter-clockwise.
    pub torque: f64,
    /// p, the point on which the force acts, in the body's axes from its centre of mass, m.
    pub at: DVec2,
    /// The axes of f.
    pub axes: Axes,
}

impl AppliedForce {
    /// A torque alone, N m, counter-clockwise.
    pub fn torque(torque: f64) -> Self {
        Self { torque, ..Self::default() }
    }

    /// A force in the world's axes at the centre of mass, N.
    pub fn force(force: impl Into<DVec2>) -> Self {
        Self { force: force.into(), ..Self::default() }
    }

    /// Force and moment about the centre of mass on a body at this angle, rad: (N, N, N m).
    pub fn on(&self, angle: f64) -> DVec3 {
        let rotation = Rotation::from_angle(angle);
        let force = if self.axes == Axes::Body { rotation.apply(self.force) } else { self.force };
        force.extend(self.torque + rotation.apply(self.at).perp_dot(force))
    }

    /// Whether the force and torque have a moment about the centre of mass.
    pub fn turns(&self) -> bool {
        self.torque != 0.0 || self.at != DVec2::ZERO
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        finite_vector("applied force", self.force)?;
        finite("applied torque", self.torque)?;
        finite_vector("point of the applied force", self.at)
    }
}

/// Number of switches: as many as a keyboard has letters, digits and arrows.
pub(super) const SWITCHES: u8 = 40;

/// A force and torque that a profile drives: p(t) times the constant one. A body may have several.
///
/// ```
/// use driftlab::prelude::*;
///
/// // 3 N from 1 s to 2 s.
/// let burn = Profile::table(&[[1.0, 0.0], [1.0 + 1e-9, 1.0], [2.0, 1.0], [2.0 + 1e-9, 0.0]], false)?;
/// let mut world = World::new(DVec2::ZERO);
/// let rocket = Body::dynamic().shape(Shape::rectangle(0.2, 1.0)).mass(2.0);
/// let rocket = world.add_body(rocket.driven(DrivenForce::new(AppliedForce::force([0.0, 3.0]), burn)))?;
/// for _ in 0..30 {
///     step(&mut world, &Method::none(), 0.1, &mut Workspace::default())?;
/// }
/// assert!((world[rocket].velocity.linear.y - 1.5).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DrivenForce {
    /// The force where p = 1.
    pub applied: AppliedForce,
    /// p, without unit.
    pub profile: Profile,
    /// The switch, from 0 to 39, without which it does not act ([`World::switches`](super::World::switches)); none: it always
    /// acts.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub switch: Option<u8>,
}

impl DrivenForce {
    /// A force that its profile alone drives.
    pub fn new(applied: AppliedForce, profile: Profile) -> Self {
        Self { applied, profile, switch: None }
    }

    /// Whether it acts where these switches are on.
    pub fn acts(&self, switches: u64) -> bool {
        self.switch.is_none_or(|own| switches >> own & 1 == 1)
    }
}
