//! Which number of a step's end has overflowed, and whose it is.

use super::motion::Motion;
use crate::model::{Body, World};
use crate::report::StepError;

impl Motion {
    /// The first body that forces move with a number that is not finite. (A fixed body is lost where the impulses are, which 0 · ∞ makes
    /// known.)
    pub fn lost(&self, world: &World) -> Option<StepError> {
        let moves = |&body: &usize| self.inverse_mass[body].x > 0.0;
        let number = |body: usize| {
            let (q, v) = (self.q[body], self.v[body]);
            let mass = world.bodies()[body].mass_properties();
            let kinetic = Body::kinetic_energy_at(mass.mass, mass.inertia, v.into());
            let numbers = [
                ("position", q.truncate().is_finite()),
                ("angle", q.z.is_finite()),
                ("velocity", v.truncate().is_finite()),
                ("angular velocity", v.z.is_finite()),
                ("kinetic energy", kinetic.is_finite()),
                ("potential energy", (mass.mass * world.gravity.dot(q.truncate())).is_finite()),
            ];
            numbers.into_iter().find(|(_, finite)| !finite).map(|(number, _)| number)
        };
        (0..self.q.len())
            .filter(moves)
            .find_map(|body| number(body).map(|number| StepError::NotFinite { body, number }))
    }
}
