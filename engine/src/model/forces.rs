//! Forces of other crates: a law F(q, v, t) that reads the whole world.
//!
//! Every scheme evaluates it once, at the start of the step, as it does with the weight: a law that changes within the step is
//! followed with an error of first order in h. Its work is F·(q⁺ − q), part of `StepReport::applied_work`.

use super::body::Body;
use super::error::{ModelError, finite, finite_vector};
use super::table::BodyId;
use glam::{DVec2, DVec3};

/// The forces that laws exert in a step. A wrong one, such as a force that is not finite or acts on a body that does
/// not exist, ends the step with an error.
///
/// ```
/// use driftlab::prelude::*;
///
/// // Two bodies attract each other by 1 N, and a third one is turned by 0.5 N m.
/// let mut world = World::new(DVec2::ZERO);
/// let body = |x: f64| Body::dynamic().at([x, 0.0]).mass_and_inertia(1.0, 1.0);
/// let [a, b, c] = [world.add_body(body(0.0))?, world.add_body(body(1.0))?, world.add_body(body(2.0))?];
/// world.add_force_law(move |world, forces| {
///     let towards = (world[b].pose.position - world[a].pose.position).normalize();
///     forces.push(a, towards);
///     forces.push_at(b, -towards, world[b].pose.position);
///     forces.turn(c, 0.5);
/// });
/// step(&mut world, &Method::none(), 0.1, &mut Workspace::default())?;
/// assert_eq!([a, b].map(|body| world[body].velocity.linear.x), [0.1, -0.1]);
/// assert_eq!(world[c].velocity.angular, 0.05);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Forces<'a> {
    ids: &'a [BodyId],
    bodies: &'a [Body],
    sums: &'a mut Vec<DVec3>,
    wrong: Option<ModelError>,
}

impl<'a> Forces<'a> {
    /// No forces yet; `sums` will be the force and moment on every body, (N, N, N m).
    pub(super) fn none(ids: &'a [BodyId], bodies: &'a [Body], sums: &'a mut Vec<DVec3>) -> Self {
        sums.clear();
        sums.resize(bodies.len(), DVec3::ZERO);
        Self { ids, bodies, sums, wrong: None }
    }

    /// A force on the centre of mass, N.
    pub fn push(&mut self, body: BodyId, force: impl Into<DVec2>) {
        self.add(body, force.into(), |_| 0.0);
    }

    /// A force on the body at this point of the world: N, m.
    pub fn push_at(&mut self, body: BodyId, force: impl Into<DVec2>, point: impl Into<DVec2>) {
        let (force, point) = (force.into(), point.into());
        self.add(body, force, |centre| (point - centre).perp_dot(force));
    }

    /// A torque, N m, counter-clockwise.
    pub fn turn(&mut self, body: BodyId, torque: f64) {
        self.add(body, DVec2::ZERO, |_| torque);
    }

    /// Adds a force with its moment about the centre of mass.
    fn add(&mut self, id: BodyId, force: DVec2, moment: impl Fn(DVec2) -> f64) {
        let Ok(index) = self.ids.binary_search(&id) else {
            self.wrong.get_or_insert(ModelError::NoSuchBody(id));
            return;
        };
        let body = &self.bodies[index];
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
    pub(super) fn wrong(self) -> Option<ModelError> {
        self.wrong
    }
}
