//! The forces of the mouse: its grab and its repulsion.
//!
//! **Grab**: a damped spring of rest length zero pulls a point of a body to the cursor. It is linearly implicit like
//! every spring, and its force is limited so that a person can pull a mechanism without making the step unstable.
//!
//! **Repulsion**, as in Cline & Pai's rectangle demo: each dynamic body whose surface comes within the radius R of the
//! cursor c is pushed away from it. With p the point of the body nearest to c and s = |p − c| < R its distance,
//!
//! ```text
//! F = S (1 − s/R) (p − c)/s      at p ,  so that it also turns the body
//! ```
//!
//! S in N. Inside the body (s = 0) the force has its full size S, from the cursor towards the centre of mass. The
//! paper does not state its law; this one is continuous at R and bounded. The force is explicit: it is evaluated at
//! the pose at the start of the step.

use super::body::{Body, Frame};
use super::error::{ModelError, finite, finite_vector, fitting, positive};
use super::joint::{Equation, Unit};
use super::spring::Softness;
use super::table::BodyId;
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;

/// Natural frequency of the grab with the grabbed body's mass, Hz [Box2D v3's and Solver2D's mouse joints
/// lie between 4 and 7.5 Hz].
pub const GRAB_FREQUENCY: f64 = 5.0;
/// Damping ratio of the grab: critical.
pub const GRAB_DAMPING_RATIO: f64 = 1.0;
/// Largest force of the grab, in multiples of the grabbed body's weight at 9.81 m/s² [Box2D v3: 100].
pub const GRAB_FORCE_LIMIT: f64 = 100.0;

/// A force-limited soft spring from a point of a body to a target in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Grab {
    /// The grabbed body.
    pub body: BodyId,
    /// The grabbed point relative to the centre of mass, in the body's frame, m.
    pub anchor: DVec2,
    /// Where the point is pulled to, m.
    pub target: DVec2,
    /// Stiffness and damping.
    pub softness: Softness,
    /// Largest force, N.
    pub max_force: f64,
}

impl Grab {
    /// Grabs `body`, whose id is `id`, at the world point `at`, m, with the usual strength.
    pub fn new(id: BodyId, body: &Body, at: impl Into<DVec2>) -> Self {
        let at = at.into();
        let properties = body.mass_properties();
        let rate = TAU * GRAB_FREQUENCY;
        Self {
            body: id,
            anchor: body.point_in_body(at) - properties.center,
            target: at,
            softness: Softness {
                stiffness: properties.mass * rate * rate,
                damping: 2.0 * GRAB_DAMPING_RATIO * properties.mass * rate,
            },
            max_force: GRAB_FORCE_LIMIT * properties.mass * 9.81,
        }
    }

    /// Checks that the points are finite and that no number is negative. Stiffness, damping and force may be
    /// infinite, since a very large strength overflows an f64.
    pub(super) fn check(&self) -> Result<(), ModelError> {
        finite_vector("anchor of the grab", self.anchor)?;
        finite_vector("target of the grab", self.target)?;
        let Softness { stiffness, damping } = self.softness;
        let check = |quantity, value: f64| fitting(value >= 0.0, quantity, "a number, 0 or more", value);
        check("stiffness of the grab", stiffness)?;
        check("damping of the grab", damping)?;
        check("largest force of the grab", self.max_force)
    }

    /// The grabbed point in the world, m.
    pub fn point(&self, frame: &Frame) -> DVec2 {
        frame.position + frame.rotation.apply(self.anchor)
    }

    /// The two rows of the grab, s = p − target, which act on body b alone.
    #[inline]
    pub fn equations(&self, frame: &Frame, mut emit: impl FnMut(Equation)) {
        let arm = frame.rotation.apply(self.anchor);
        let s = frame.position + arm - self.target;
        let turn = arm.perp();
        let centripetal = -frame.angular * frame.angular * arm;
        let mut row = |g: f64, jb: DVec3, k: f64| {
            emit(Equation { g, ja: DVec3::ZERO, jb, k, unit: Unit::Metre });
        };
        row(s.x, DVec3::new(1.0, 0.0, turn.x), centripetal.x);
        row(s.y, DVec3::new(0.0, 1.0, turn.y), centripetal.y);
    }
}

/// A point that pushes bodies away.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Repulsion {
    /// The centre c, m.
    pub center: DVec2,
    /// The radius R > 0, m.
    pub radius: f64,
    /// The strength S, N.
    pub strength: f64,
}

impl Repulsion {
    pub(super) fn check(&self) -> Result<(), ModelError> {
        finite_vector("centre of the repulsion", self.center)?;
        positive("radius of the repulsion", self.radius)?;
        finite("strength of the repulsion", self.strength)
    }
}
