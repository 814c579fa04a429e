//! Prescribed velocity: the velocity of a body's point is a given function of time.
//!
//! ```text
//! e         = v + ω r^⊥ − v₀(t)                            2 rows, m/s
//! N         = [ 1 0 −r_y ; 0 1 r_x ]
//! (N v)_q v = −ω² r
//! ```
//!
//! The velocity is constant, or that of a point that circles c at the rate Ω from p₀ at t = 0:
//! ```text
//! v₀(t) = Ω (R(Ωt) (p₀ − c))^⊥ ,    v̇₀(t) = −Ω² R(Ωt) (p₀ − c)
//! ```
//! The constraint could be integrated to one on the position, but is not [Hong et al., section 5]: velocity errors
//! let the point drift off its circle. It does work.

use super::{MOST_ROWS, Prescribed, velocity_equation};
use crate::math::Rotation;
use crate::model::body::Frame;
use crate::model::error::{ModelError, finite, finite_vector};
use crate::model::joint::Equation;
use glam::{DVec2, DVec3};

/// A velocity as a function of time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum VelocityLaw {
    /// Constant, m/s.
    Constant(DVec2),
    /// The velocity of a point on a circle.
    Circle {
        /// c, m.
        center: DVec2,
        /// p₀, where the point is at t = 0, m.
        start: DVec2,
        /// Ω, rad/s, counter-clockwise.
        rate: f64,
    },
}

impl VelocityLaw {
    /// v₀ and v̇₀ at time `t`, s.
    pub(super) fn at(&self, t: f64) -> [Prescribed; MOST_ROWS] {
        let (value, rate) = match *self {
            Self::Constant(v) => (v, DVec2::ZERO),
            Self::Circle { center, start, rate } => {
                let arm = Rotation::from_angle(rate * t).apply(start - center);
                (rate * arm.perp(), -rate * rate * arm)
            }
        };
        [Prescribed { value: value.x, rate: rate.x }, Prescribed { value: value.y, rate: rate.y }]
    }

    /// Where a point that is at `now` at time `t` was at t = 0 on its circle about `center`, m.
    pub fn start_of_circle(center: DVec2, rate: f64, now: DVec2, t: f64) -> DVec2 {
        if t == 0.0 {
            return now;
        }
        center + Rotation::from_angle(rate * t).inverse_apply(now - center)
    }
}

/// A point of a body with a prescribed velocity.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PrescribedVelocity {
    /// The point relative to the centre of mass, in the body's frame, m.
    pub anchor: DVec2,
    /// Its velocity.
    pub law: VelocityLaw,
}

impl PrescribedVelocity {
    #[inline]
    pub(super) fn equations(&self, b: &Frame, mut emit: impl FnMut(Equation)) {
        let r = b.rotation.apply(self.anchor);
        let centripetal = -b.angular * b.angular * r;
        emit(velocity_equation(DVec3::ZERO, DVec3::new(1.0, 0.0, -r.y), centripetal.x));
        emit(velocity_equation(DVec3::ZERO, DVec3::new(0.0, 1.0, r.x), centripetal.y));
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        finite_vector("anchor of the prescribed velocity", self.anchor)?;
        match self.law {
            VelocityLaw::Constant(v) => finite_vector("prescribed velocity", v),
            VelocityLaw::Circle { center, start, rate } => {
                finite_vector("center of the circle", center)?;
                finite_vector("start on the circle", start)?;
                finite("rate of the circle", rate)
            }
        }
    }
}
