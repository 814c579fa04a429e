//! What a Rapier user does by hooks: groups that overrule categories, and belts.

use driftlab_engine::model::Filter;
use rapier2d_f64::geometry::SolverFlags;
use rapier2d_f64::math::Vector;
use rapier2d_f64::pipeline::{ContactModificationContext, PairFilterContext, PhysicsHooks};
use rapier2d_f64::prelude::{ColliderHandle, ColliderSet};

/// What a shape has that a collider has not, at the place that the collider's user data say.
#[derive(Clone, Copy, Debug)]
pub struct Surface {
    pub filter: Filter,
    /// Speed of the surface, m/s.
    pub speed: f64,
}

/// The hooks of a world.
pub struct Hooks<'a>(pub &'a [Surface]);

impl Hooks<'_> {
    fn surface(&self, colliders: &ColliderSet, handle: ColliderHandle) -> Option<&Surface> {
        let place = colliders.get(handle)?.user_data;
        self.0.get(usize::try_from(place).ok()?)
    }
}

impl PhysicsHooks for Hooks<'_> {
    fn filter_contact_pair(&self, context: &PairFilterContext) -> Option<SolverFlags> {
        let of = |handle| self.surface(context.colliders, handle);
        match (of(context.collider1), of(context.collider2)) {
            (Some(one), Some(other)) if !one.filter.passes(&other.filter) => None,
            _ => Some(SolverFlags::default()),
        }
    }

    fn modify_solver_contacts(&self, context: &mut ContactModificationContext) {
        let colliders = context.colliders;
        let speed = [context.collider1, context.collider2]
            .into_iter()
            .filter_map(|handle| self.surface(colliders, handle))
            .map(|surface| surface.speed)
            .sum::<f64>();
        let Some(manifold) = context.rigid_mut() else { return };
        // With t the normal n from the first to the second body turned a quarter, friction acts against J_t v + s: the second
        // body is carried along −t.
        let normal = *manifold.normal;
        let carried = Vector::new(speed * normal.y, -speed * normal.x);
        for contact in manifold.solver_contacts.iter_mut() {
            contact.tangent_velocity = carried;
        }
    }
}
