//! Fields that point to a centre.
//!
//! With r the vector from the centre to a body's centre of mass, m its mass and s its scale of gravity,
//!
//! ```text
//! F = −m s k r/|r|^(n+1) ,     U = −m s k/((n − 1) |r|^(n−1))   (n ≠ 1) ,   m s k ln|r|   (n = 1)
//! ```
//!
//! k in m^(n+1)/s²: the acceleration at the distance of 1 m. n = 2 is Newton's gravity with k = G M, n = −1 a spring to the
//! centre. The field acts on all dynamic bodies, and at its centre it is zero. A centre in the world is as fixed as gravity is:
//! it takes no force back from the bodies. One on a body does (`carried_fields.rs`).
//!
//! Schemes take F where they take the weight, at the pose with which a step begins; RATTLE takes it anew at the end of the
//! step, sweeps in each of their substeps, explicit integrators in each of their stages, so that they keep their orders.

use super::error::{ModelError, finite, finite_vector};
use super::table::BodyId;
use crate::math::Rotation;
use glam::{DVec2, DVec3};

/// A field of accelerations that point to a centre, or away from it.
///
/// ```
/// use driftlab::prelude::*;
///
/// let sun = Field { center: DVec2::ZERO, strength: 4.0, exponent: 2.0, on: None };
/// assert_eq!(sun.acceleration(DVec2::new(2.0, 0.0)), DVec2::new(-1.0, 0.0));
/// assert_eq!(sun.potential(DVec2::new(2.0, 0.0)), -2.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Field {
    /// The centre, m: in the world, or from the centre of mass of the body that carries it, in its axes.
    pub center: DVec2,
    /// k, m^(n+1)/s²: positive attracts.
    pub strength: f64,
    /// n.
    pub exponent: f64,
    /// The body that carries the centre, and is drawn by the others as much as it draws them.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub on: Option<BodyId>,
}

/// The field itself, about `center` as if that were a point of the world.
impl Field {
    /// Acceleration of a body at `position`, m/s².
    pub fn acceleration(&self, position: DVec2) -> DVec2 {
        let r = position - self.center;
        let distance = libm::hypot(r.x, r.y);
        if distance == 0.0 {
            return DVec2::ZERO;
        }
        -self.strength * power(distance, -self.exponent) * (r / distance)
    }

    /// Potential energy per mass at `position`, J/kg.
    pub fn potential(&self, position: DVec2) -> f64 {
        let r = position - self.center;
        let (distance, order) = (libm::hypot(r.x, r.y), self.exponent - 1.0);
        if order == 0.0 {
            self.strength * libm::log(distance)
        } else {
            -self.strength * power(distance, -order) / order
        }
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        finite_vector("centre of the field", self.center)?;
        finite("strength of the field", self.strength)?;
        finite("exponent of the field", self.exponent)
    }
}

impl Field {
    /// With its centre in the world, where its carrier is at `q`.
    pub(super) fn carried_at(&self, q: DVec3) -> Self {
        let center = q.truncate() + Rotation::from_angle(q.z).apply(self.center);
        Self { center, on: None, ..*self }
    }
}

/// xⁿ; by multiplication for small whole n, so that a world scaled by a power of two keeps its digits.
fn power(x: f64, n: f64) -> f64 {
    if n.fract() == 0.0 && n.abs() <= 8.0 {
        let product = (0..n.abs() as u32).fold(1.0, |product, _| product * x);
        return if n < 0.0 { 1.0 / product } else { product };
    }
    libm::pow(x, n)
}
