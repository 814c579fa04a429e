//! Energy, and who did which work in a step: the split of `engine/src/stages/accounts.rs`, from the numbers of a recording.
//!
//! ```text
//! T⁺ − T = ½ (v⁺ − v)ᵀM (v⁺ + v) = Σ p·v̄ ,     v̄ = ½ (v + v⁺)                 exact where momentum closes
//! ```
//!
//! | work, J | what it is |
//! |---|---|
//! | gravity | Σ m g·(q⁺ − q) of the weights, and the loss of their potential in fields |
//! | springs | the loss of ½ k s² from q to q⁺, less d (s⁺ − s)²/h |
//! | applied | F·(q⁺ − q) of the scene's applied forces: constant ones by the mean of F and F⁺, driven ones by their mean |
//! | motors | Σ p·v̄ of motors; −Σ λ_t s of surfaces that run at s |
//! | drivers | −Σ p·v̄ over the bodies whose motion is prescribed; prescribed velocities; lengths that are wound |
//! | hand | Σ p·v̄ of the hand |
//! | friction | Σ p·v̄ + λ_t s of the tangential impulses of contacts, their rolling resistance, and friction in joints |
//! | impacts | Σ p·v̄ of the normal impulses of contacts and of limits, where the sum is negative |
//! | drag | Σ p·v̄ of damping and drag: external impulses beyond the scene's on damped bodies |
//! | other | the same on bodies without damping: forces that the scene does not tell |
//! | method | T⁺ − T less all of these: the method's own error |
//!
//! Gravity, springs and applied forces are taken along the path, where (1) has h F·v̄; the difference is what the time step
//! does to the energy, and is the method's, as are the work of joints and that of contacts which push overlaps apart.

use super::impulses::{Acting, Cause, Push};
use super::moment::Moment;
use crate::model::{BodyKind, World};
use crate::report::ConstraintId;
use glam::{DVec2, DVec3};
use serde::Serialize;

/// Work done in a step or over a run, J. The table above has the definitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct WorkSplit {
    /// Of weights and fields.
    pub gravity: f64,
    /// Of springs.
    pub springs: f64,
    /// Of the scene's applied forces, constant and driven.
    pub applied: f64,
    /// Of motors, and of surfaces that run.
    pub motors: f64,
    /// Of whoever moves bodies and lengths whose motion is prescribed.
    pub drivers: f64,
    /// Of the hand.
    pub hand: f64,
    /// Of friction in contacts and joints, and of rolling resistance.
    pub friction: f64,
    /// Of impacts: what they take.
    pub impacts: f64,
    /// Of damping and drag.
    pub drag: f64,
    /// Of forces that the scene does not tell.
    pub other: f64,
    /// What is left of the change of the kinetic energy: the method's own error.
    pub method: f64,
}

impl WorkSplit {
    /// Its parts by name.
    pub fn parts(&self) -> [(&'static str, f64); 11] {
        let Self {
            gravity,
            springs,
            applied,
            motors,
            drivers,
            hand,
            friction,
            impacts,
            drag,
            other,
            method,
        } = *self;
        [
            ("gravity", gravity),
            ("springs", springs),
            ("applied", applied),
            ("motors", motors),
            ("drivers", drivers),
            ("hand", hand),
            ("friction", friction),
            ("impacts", impacts),
            ("drag", drag),
            ("other", other),
            ("method", method),
        ]
    }

    /// What one of its parts is called in a table or a figure, by its name.
    pub fn label(name: &str) -> String {
        if name == "method" { "the method's own error".to_owned() } else { format!("work of {name}") }
    }

    /// What all of them add up to: the change of the kinetic energy.
    pub fn total(&self) -> f64 {
        self.parts().iter().map(|(_, work)| work).sum()
    }

    /// Takes the work of another step in.
    pub(super) fn add(&mut self, other: &Self) {
        self.gravity += other.gravity;
        self.springs += other.springs;
        self.applied += other.applied;
        self.motors += other.motors;
        self.drivers += other.drivers;
        self.hand += other.hand;
        self.friction += other.friction;
        self.impacts += other.impacts;
        self.drag += other.drag;
        self.other += other.other;
        self.method += other.method;
    }
}

/// m, m, I of a body that forces move; zero of others, and I = 0 of one that cannot turn.
pub(super) fn mass(world: &World, body: usize) -> DVec3 {
    let own = &world.bodies()[body];
    if !own.is_dynamic() {
        return DVec3::ZERO;
    }
    let properties = own.mass_properties();
    let inertia = if own.inverse_mass().z > 0.0 { properties.inertia } else { 0.0 };
    DVec3::new(properties.mass, properties.mass, inertia)
}

/// Kinetic energy at the velocities `v`, J.
pub(super) fn kinetic(world: &World, v: &[DVec3]) -> f64 {
    v.iter().enumerate().map(|(body, v)| 0.5 * mass(world, body).dot(*v * *v)).sum()
}

/// The force of the weight, fields, and applied forces on each body at `begin`, N, N and N m; driven forces by their mean
/// over the
/// `h` seconds from then on.
pub(super) fn external_forces(world: &World, begin: &Moment, start: f64, h: f64) -> Vec<DVec3> {
    let force = |(index, body): (usize, &crate::model::Body)| {
        if !body.is_dynamic() {
            return DVec3::ZERO;
        }
        let q = begin.q[index];
        let fields = world.fields().iter().filter(|field| field.on.is_none());
        let fields: DVec2 = fields.map(|field| field.acceleration(q.truncate())).sum();
        let weight = body.gravitational_mass() * (world.gravity() + fields);
        let constant = body.applied.map_or(DVec3::ZERO, |applied| applied.on(q.z));
        weight.extend(0.0) + constant + driven(world, index, q.z, start, h)
    };
    let mut forces: Vec<DVec3> = world.bodies().iter().enumerate().map(force).collect();
    world.forces_of_carried_fields(
        |body| begin.q[body],
        |body, force| {
            if world.bodies()[body].is_dynamic() {
                forces[body] += force;
            }
        },
    );
    forces
}

fn driven(world: &World, body: usize, angle: f64, start: f64, h: f64) -> DVec3 {
    let acting = world.bodies()[body].driven.iter().filter(|own| own.acts(world.switches()));
    acting
        .map(|own| own.profile.mean(start, h) * own.applied.on(angle))
        .fold(DVec3::ZERO, |sum, own| sum + own)
}

/// A step between two moments.
pub(super) struct Span<'a> {
    pub world: &'a World,
    pub begin: &'a Moment,
    pub end: &'a Moment,
    /// Time at its beginning, and its length, s.
    pub start: f64,
    pub h: f64,
}

impl Span<'_> {
    fn mean(&self, body: usize) -> DVec3 {
        0.5 * (self.begin.v[body] + self.end.v[body])
    }

    /// Σ p·v̄.
    fn power(&self, on: &[(usize, DVec3)]) -> f64 {
        on.iter().map(|(body, on)| on.dot(self.mean(*body))).sum()
    }

    /// T⁺ − T, from the differences of the velocities.
    fn kinetic_change(&self) -> f64 {
        let of = |body: usize| {
            let (v, after) = (self.begin.v[body], self.end.v[body]);
            0.5 * mass(self.world, body).dot((after - v) * (after + v))
        };
        (0..self.begin.v.len()).map(of).sum()
    }

    /// The work of a step whose impulses are all known; `beyond` are the external impulses beyond the scene's own, by body.
    pub fn work(&self, acting: &Acting, beyond: &[DVec3]) -> WorkSplit {
        let mut work = self.along_the_path();
        let any_wound = self.begin.rows.iter().any(|own| own.row.c != 0.0);
        for push in &acting.pushes {
            let power = self.power(&push.on);
            match push.cause {
                Cause::Motor(_) => work.motors += power,
                Cause::Friction(_) => work.friction += power,
                Cause::Hand => work.hand += power,
                Cause::Lower(_) => work.impacts += power,
                Cause::Upper(id) => {
                    let wound = self.wound(push, ConstraintId::UpperLimit(id));
                    work.drivers += wound;
                    work.impacts += power - wound;
                }
                Cause::Joint(id) if any_wound => {
                    work.drivers += self.wound(push, ConstraintId::Joint(id));
                }
                Cause::Nonholonomic(_, true) => work.drivers += power,
                Cause::Contact => work.impacts += power,
                Cause::Joint(_)
                | Cause::Nonholonomic(_, false)
                | Cause::Spring(_)
                | Cause::Suspension(_) => {}
            }
            let prescribed = push
                .on
                .iter()
                .filter(|(body, _)| matches!(self.world.bodies()[*body].kind(), BodyKind::Kinematic(_)));
            work.drivers -= prescribed.map(|(body, on)| on.dot(self.mean(*body))).sum::<f64>();
        }
        for contact in &acting.pressed {
            let on = [0, 1].map(|side: usize| (contact.bodies[side], contact.friction_on[side]));
            let friction = self.power(&on);
            // Our tangent is −t.
            let belt = -contact.impulse[1] * contact.speed;
            work.friction += friction + belt;
            work.motors -= belt;
            work.impacts -= friction;
        }
        work.impacts = work.impacts.min(0.0);
        for (body, beyond) in beyond.iter().enumerate() {
            let power = beyond.dot(self.mean(body));
            let is_damped = !self.world.bodies()[body].damping.is_none();
            *(if is_damped { &mut work.drag } else { &mut work.other }) += power;
        }
        work.method = 0.0;
        work.method = self.kinetic_change() - work.total();
        work
    }

    /// −λ c of a length that a profile drives, whose row has J v = −c; λ from the impulse, which is Jᵀλ.
    fn wound(&self, push: &Push, constraint: ConstraintId) -> f64 {
        let row = self.begin.rows.iter().find(|own| own.constraint == constraint && own.row.c != 0.0);
        let Some(row) = row else { return 0.0 };
        let (mut product, mut square) = (0.0, 0.0);
        for (body, on) in &push.on {
            let j: DVec3 = row.row.arms().filter(|(own, _)| own == body).map(|(_, j)| j).sum();
            (product, square) = (product + j.dot(*on), square + j.length_squared());
        }
        if square > 0.0 { -product / square * row.row.c } else { 0.0 }
    }

    /// The work of weights, springs and applied forces from q to q⁺.
    fn along_the_path(&self) -> WorkSplit {
        let mut work = WorkSplit::default();
        let Self { world, begin, end, start, h } = *self;
        for (index, body) in world.bodies().iter().enumerate().filter(|(_, body)| body.is_dynamic()) {
            let (q, after) = (begin.q[index], end.q[index]);
            let at = |q: DVec3| -> f64 {
                let fields = world.fields().iter().filter(|field| field.on.is_none());
                fields.map(|field| field.potential(q.truncate())).sum()
            };
            let lost = world.gravity().dot((after - q).truncate()) + at(q) - at(after);
            work.gravity += body.gravitational_mass() * lost;
            let constant = body.applied.map_or(DVec3::ZERO, |own| 0.5 * (own.on(q.z) + own.on(after.z)));
            work.applied += (constant + driven(world, index, q.z, start, h)).dot(after - q);
        }
        work.gravity += world.energy_of_carried_fields(|body| begin.q[body])
            - world.energy_of_carried_fields(|body| end.q[body]);
        for (before, after) in begin.rows.iter().zip(&end.rows) {
            let Some(softness) = before.softness else { continue };
            let (s, after) = (before.row.g, after.row.g);
            let change = after - s;
            work.springs -=
                change * (0.5 * softness.stiffness * (s + after) + softness.damping * change / h);
        }
        work
    }
}
