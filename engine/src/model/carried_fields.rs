//! Fields that bodies carry. With r from the centre c, the point at the arm s of the carrier, to another dynamic body,
//!
//! ```text
//! F on the other one ,   (−F, −s × F) on the carrier ,    U = Σ of the others
//! ```
//!
//! so that linear and angular momentum stay what they are. A carrier that forces do not move takes nothing up. A carrier's own
//! field does not act on itself.

use super::error::ModelError;
use super::field::Field;
use super::world::World;
use glam::{DVec2, DVec3};

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

    /// Hands on every force, N, N and N m, that fields on bodies exert with the bodies at `q`, by the index of the body on which
    /// it acts: for each pair of a carrier and another body one on the latter, then the one on the carrier.
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
    /// A field with a number that is not finite, a carrier that does not exist, a centre beside a point mass. The world is then
    /// as it was.
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
