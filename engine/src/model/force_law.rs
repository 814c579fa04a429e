//! Forces of other crates: a law F(q, v, t) that reads the whole world.
//!
//! Every scheme evaluates it once, at the start of the step, as it does with the weight: a law that changes within the step is
//! followed with an error of first order in h. Its work is F·(q⁺ − q), part of `StepReport::applied_work`.

use super::error::{ModelError, finite, finite_vector};
use super::table::BodyId;
use super::world::World;
use crate::math::cross;
use glam::{DVec2, DVec3};
use std::fmt;
use std::sync::Arc;

type Law = dyn Fn(&World, &mut Forces<'_>) + Send + Sync;

/// A force law of a world. Clones of the world share it; two laws are equal if they are the same one.
#[derive(Clone)]
pub struct ForceLaw(Arc<Law>);

impl ForceLaw {
    pub(super) fn new(law: impl Fn(&World, &mut Forces<'_>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(law))
    }

    /// Adds the forces of the law in the present state of `world`.
    pub(crate) fn act(&self, world: &World, forces: &mut Forces<'_>) {
        (self.0)(world, forces);
    }
}

impl fmt::Debug for ForceLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ForceLaw")
    }
}

impl PartialEq for ForceLaw {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The forces that laws exert in a step. A wrong one, such as a force that is not finite or acts on a body that does not exist, ends
/// the step with an error.
#[derive(Debug)]
pub struct Forces<'a> {
    world: &'a World,
    sums: &'a mut Vec<DVec3>,
    wrong: Option<ModelError>,
}

impl<'a> Forces<'a> {
    /// No forces yet; `sums` will be the force and moment on every body, (N, N, N m).
    pub(crate) fn none(world: &'a World, sums: &'a mut Vec<DVec3>) -> Self {
        sums.clear();
        sums.resize(world.bodies().len(), DVec3::ZERO);
        Self { world, sums, wrong: None }
    }

    /// A force on the centre of mass, N.
    pub fn push(&mut self, body: BodyId, force: impl Into<DVec2>) {
        self.add(body, force.into(), |_| 0.0);
    }

    /// A force on the body at this point of the world: N, m.
    pub fn push_at(&mut self, body: BodyId, force: impl Into<DVec2>, point: impl Into<DVec2>) {
        let (force, point) = (force.into(), point.into());
        self.add(body, force, |centre| cross(point - centre, force));
    }

    /// A torque, N m, counter-clockwise.
    pub fn turn(&mut self, body: BodyId, torque: f64) {
        self.add(body, DVec2::ZERO, |_| torque);
    }

    /// Adds a force with its moment about the centre of mass.
    fn add(&mut self, id: BodyId, force: DVec2, moment: impl Fn(DVec2) -> f64) {
        let Some(index) = self.world.index_of(id) else {
            self.wrong.get_or_insert(ModelError::NoSuchBody(id));
            return;
        };
        let body = &self.world.bodies()[index];
        let moment = moment(body.pose.position);
        let checked = finite_vector("force of a law", force).and(finite("torque of a law", moment));
        if let Err(error) = checked {
            self.wrong.get_or_insert(error);
        } else if moment != 0.0 && body.is_point_mass() {
            self.wrong.get_or_insert(ModelError::TurnsPointMass("a force law"));
        } else {
            self.sums[index] += force.extend(moment);
        }
    }

    /// The first thing that was wrong.
    pub(crate) fn wrong(self) -> Option<ModelError> {
        self.wrong
    }
}
