//! The forces of a world as another engine's user applies them: constant over a step, taken at its start.
//!
//! ```text
//! external    fields, applied forces, driven forces with the mean of their profiles over the step, force laws; neither the
//!             weight nor damping and drag, which engines have themselves
//! hand        the mouse's repulsion and its grab
//! ```
//!
//! The grab is a spring, and would be unstable as an explicit force. Its force is the one that backward Euler gives its body if
//! nothing else holds it: with c = h²k + h d, K = J M⁻¹Jᵀ and v* = v + h a of all forces but the grab,
//!
//! ```text
//! p = −(h k s + c ṡ⁺) ,  ṡ⁺ = J v* + K p ,      (K + 1/c) p = −(h k s/c + J v*) ,      |p| ≤ h F_max ,      F = p/h
//! ```

use super::motion::repulsive_force;
use super::timed_forces::driven_force;
use crate::model::{Frame, Grab, ModelError, Softness, World};
use glam::{DMat2, DVec2, DVec3};

/// Force and moment about the centre of mass on each body of a world, (N, N, N m); zero on bodies that forces do not move.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq)]
pub struct GivenForces {
    /// Of fields, applied and driven forces and force laws.
    pub external: Vec<DVec3>,
    /// Of the mouse.
    pub hand: Vec<DVec3>,
}

impl GivenForces {
    /// Those of the next step of `h`, s.
    ///
    /// ```
    /// use driftlab::prelude::*;
    /// use driftlab::step::GivenForces;
    ///
    /// let mut world = World::new([0.0, -9.81]);
    /// let push = AppliedForce::force([3.0, 0.0]);
    /// world.add_body(Body::dynamic().shape(Shape::circle(0.1)).mass(2.0).applied(push))?;
    /// let given = GivenForces::of(&world, 0.01)?;
    /// assert_eq!(given.external, [DVec3::new(3.0, 0.0, 0.0)]); // the weight is the engine's
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// What a force law did wrong.
    pub fn of(world: &World, h: f64) -> Result<Self, ModelError> {
        let mut external = Vec::new();
        world.forces_of_laws(&mut external)?;
        external.resize(world.bodies().len(), DVec3::ZERO);
        let mut hand = vec![DVec3::ZERO; external.len()];
        for (index, body) in world.bodies().iter().enumerate() {
            let (force, pull) = (&mut external[index], &mut hand[index]);
            if !body.is_dynamic() {
                *force = DVec3::ZERO;
                continue;
            }
            let frame = world.frame(index);
            *force += (body.gravitational_mass() * world.field_at(frame.position)).extend(0.0);
            *force += body.applied.map_or(DVec3::ZERO, |applied| applied.on(frame.angle));
            *force += driven_force(world, index, frame.angle, |own| own.mean(world.time, h));
            if let Some(repulsion) = world.repulsion() {
                *pull = repulsive_force(&repulsion, body, &frame);
            }
        }
        if world.has_carried_fields() {
            let coordinates = |index: usize| world.bodies()[index].pose.coordinates();
            world.forces_of_carried_fields(coordinates, |index, force| {
                if world.bodies()[index].is_dynamic() {
                    external[index] += force;
                }
            });
        }
        if let Some((grab, index)) = world.held() {
            let body = &world.bodies()[index];
            let (w, frame) = (body.inverse_mass(), world.frame(index));
            let weight = (body.gravitational_mass() * world.gravity()).extend(0.0);
            let v = world.velocity_of(index) + h * w * (weight + external[index] + hand[index]);
            hand[index] += grab_force(&grab, &frame, w, v, h);
        }
        Ok(Self { external, hand })
    }
}

/// Force and moment of the grab over a step of `h`, s, on a body with the inverse masses `w` that would have the velocity `v`
/// behind it.
fn grab_force(grab: &Grab, frame: &Frame, w: DVec3, v: DVec3, h: f64) -> DVec3 {
    let (mut s, mut j) = (Vec::with_capacity(2), Vec::with_capacity(2));
    grab.equations(frame, |row| {
        s.push(row.g);
        j.push(row.jb);
    });
    let [x, y] = [j[0], j[1]];
    let Softness { stiffness, damping } = grab.softness;
    let c = h * (h * stiffness + damping);
    if c.is_nan() || c <= 0.0 {
        return DVec3::ZERO;
    }
    // h k/c, which is 1/h where k alone is infinite.
    let share = if stiffness.is_infinite() { 1.0 / h } else { h * stiffness / c };
    let k =
        DMat2::from_cols(DVec2::new(x.dot(w * x), y.dot(w * x)), DVec2::new(x.dot(w * y), y.dot(w * y)));
    let soft = DMat2::from_diagonal(DVec2::splat(1.0 / c));
    let wanted = -(share * DVec2::new(s[0], s[1]) + DVec2::new(x.dot(v), y.dot(v)));
    let force = ((k + soft).inverse() * wanted / h).clamp_length_max(grab.max_force);
    force.x * x + force.y * y
}
