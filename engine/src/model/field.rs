//! Fields that point to a centre.
//!
//! With r the vector from the centre to a body's centre of mass, m its mass and s its scale of gravity,
//!
//! ```text
//! F = −m s k r/|r|^(n+1) ,     U = −m s k/((n − 1) |r|^(n−1))   (n ≠ 1) ,   m s k ln|r|   (n = 1)
//! ```
//!
//! k in m^(n+1)/s²: the acceleration at the distance of 1 m. n = 2 is Newton's gravity with k = G M, n = −1 a spring to the
//! centre. The field acts on all dynamic bodies, and at its centre it is zero. A centre in the world is as fixed as gravity is: it
//! takes no force back from the bodies. One on a body does, at the end of this file.
//!
//! Schemes take F where they take the weight, at the pose with which a step begins; RATTLE takes it anew at the end of the
//! step, sweeps in each of their substeps, explicit integrators in each of their stages, so that they keep their orders.

use super::error::{ModelError, finite, finite_vector};
use super::table::BodyId;
use super::world::World;
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

    fn check(&self) -> Result<(), ModelError> {
        finite_vector("centre of the field", self.center)?;
        finite("strength of the field", self.strength)?;
        finite("exponent of the field", self.exponent)
    }
}

/// Fields that bodies carry. With r from the centre c, the point at the arm s of the carrier, to another dynamic body,
///
/// ```text
/// F on the other one ,   (−F, −s × F) on the carrier ,    U = Σ of the others
/// ```
///
/// so that linear and angular momentum stay what they are. A carrier that forces do not move takes nothing up. A carrier's own field
/// does not act on itself.
impl World {
    /// A field with its centre in the world as it is at present.
    pub fn placed_field(&self, field: &Field) -> Field {
        let carrier = field.on.and_then(|id| self.index_of(id));
        carrier.map_or(Field { on: None, ..*field }, |index| {
            field.carried_at(self.bodies()[index].pose.coordinates())
        })
    }

    /// Whether a body carries a field.
    pub(crate) fn has_carried_fields(&self) -> bool {
        self.fields().iter().any(|field| field.on.is_some())
    }

    /// Hands on every force, N, N and N m, that fields on bodies exert with the bodies at `q`, by the index of the body on which it
    /// acts: for each pair of a carrier and another body one on the latter, then the one on the carrier.
    pub fn forces_of_carried_fields(&self, q: impl Fn(usize) -> DVec3, mut on: impl FnMut(usize, DVec3)) {
        self.each_carried(&q, |carrier, placed, arm, index| {
            let acceleration = placed.acceleration(q(index).truncate());
            let force = self.bodies()[index].gravitational_mass() * acceleration;
            on(index, force.extend(0.0));
            on(carrier, (-force).extend(-arm.perp_dot(force)));
        });
    }

    /// Potential energy of all fields on bodies, with the bodies at `q`, J.
    pub fn energy_of_carried_fields(&self, q: impl Fn(usize) -> DVec3) -> f64 {
        let mut energy = 0.0;
        self.each_carried(&q, |_, placed, _, index| {
            energy += self.bodies()[index].gravitational_mass() * placed.potential(q(index).truncate());
        });
        energy
    }

    /// Each pair of a carrier, with its field in the world and the arm of the centre, and another dynamic body.
    fn each_carried(&self, q: &impl Fn(usize) -> DVec3, mut take: impl FnMut(usize, &Field, DVec2, usize)) {
        for field in self.fields() {
            let Some(carrier) = field.on.and_then(|id| self.index_of(id)) else { continue };
            let placed = field.carried_at(q(carrier));
            let arm = placed.center - q(carrier).truncate();
            let others = self.bodies().iter().enumerate();
            for (index, _) in others.filter(|(index, body)| *index != carrier && body.is_dynamic()) {
                take(carrier, &placed, arm, index);
            }
        }
    }

    /// Changes the fields that point to a centre.
    ///
    /// # Errors
    /// A field with a number that is not finite, a carrier that does not exist, a centre beside a point mass. The world is then as
    /// it was.
    pub fn set_fields(&mut self, fields: Vec<Field>) -> Result<(), ModelError> {
        fields.iter().try_for_each(|field| self.check_field(field))?;
        self.fields = fields;
        Ok(())
    }

    /// Checks the numbers of a field, and that a body that carries it is there and can be turned by it.
    fn check_field(&self, field: &Field) -> Result<(), ModelError> {
        field.check()?;
        let Some(id) = field.on else { return Ok(()) };
        let carrier = self.body(id).ok_or(ModelError::NoSuchBody(id))?;
        if carrier.is_point_mass() && field.center != DVec2::ZERO {
            return Err(ModelError::TurnsPointMass("a field off its centre"));
        }
        Ok(())
    }
}

impl Field {
    /// With its centre in the world, where its carrier is at `q`.
    fn carried_at(&self, q: DVec3) -> Self {
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
