//! Unilateral rows, φ(q) ≥ 0: the contacts that detection found and the limits of joints; and motors, whose row
//! demands a speed as far as a force allows.
//!
//! A contact's row has the gap φ with ∂φ/∂q and k = vᵀ(∂²φ/∂q²)v from `detect`, and beside it the row of the relative
//! tangential velocity for Coulomb friction. A limit lo ≤ x ≤ hi of a joint's coordinate is the pair
//! φ = x − lo and φ = hi − x, without friction.

use super::rows::{Row, row};
use crate::detect::Contact;
use crate::model::joint::{Equation, Unit};
use crate::model::{Frame, World};
use glam::{DVec2, DVec3};

/// The tangential row of a contact.
#[derive(Clone, Copy, Debug)]
pub struct Tangent {
    /// Relative tangential velocity, body a's share.
    pub ta: DVec3,
    /// Body b's share.
    pub tb: DVec3,
    /// J̇_t v at the velocity it was evaluated at, m/s².
    pub k: f64,
    /// Coulomb's μ of the pair: the geometric mean.
    pub friction: f64,
    /// Where, in the world, m.
    pub point: DVec2,
    /// Unit normal from a to b.
    pub normal: DVec2,
}

/// A unilateral row.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// φ (as `g`), its gradient and k.
    pub row: Row,
    /// The tangential row, of a contact.
    pub tangent: Option<Tangent>,
    /// Coefficient of restitution of the pair: the larger one.
    pub restitution: f64,
    /// φ̇ = J v at the velocity it was evaluated at, m/s or rad/s.
    pub approach: f64,
}

/// A motor's row: ẋ is to be `speed`.
#[derive(Clone, Copy, Debug)]
pub struct Drive {
    /// The coordinate x and its gradient.
    pub row: Row,
    /// rad/s or m/s.
    pub speed: f64,
    /// N m or N.
    pub max_force: f64,
}

/// Friction of a pair of bodies [Anitescu & Hart 2004 leave it open]: the geometric mean.
fn pair_friction(a: f64, b: f64) -> f64 {
    (a * b).sqrt()
}

/// Restitution of a pair of bodies: the larger one.
fn pair_restitution(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The unilateral rows and motors of a world at one pose and velocity.
#[derive(Debug, Default)]
pub struct Touches {
    touches: Vec<Touch>,
    contacts: usize,
    drives: Vec<Drive>,
}

impl Touches {
    /// Evaluates the rows of `contacts`, the limits and the motors at the frames' poses.
    pub fn evaluate(&mut self, world: &World, frames: &[Frame], contacts: &[Contact], v: &[DVec3]) {
        self.evaluate_contacts(world, frames, contacts, v);
        self.drives.clear();
        for joint in world.joints() {
            if joint.limits.is_none() && joint.motor.is_none() {
                continue;
            }
            let [a, b] = joint.bodies;
            let Some(x) = joint.kind.coordinate(&frames[a], &frames[b]) else { continue };
            let x = Equation { g: x.g - joint.zero, ..x };
            for phi in joint.limits.into_iter().flat_map(|limits| sides(x, limits)) {
                let row = row(a, b, phi);
                let approach = row.rate(v);
                self.touches.push(Touch { row, tangent: None, restitution: 0.0, approach });
            }
            if let Some(motor) = joint.motor {
                let (speed, max_force) = (motor.speed, motor.max_force);
                self.drives.push(Drive { row: row(a, b, x), speed, max_force });
            }
        }
    }

    fn evaluate_contacts(&mut self, world: &World, frames: &[Frame], contacts: &[Contact], v: &[DVec3]) {
        let bodies = world.bodies();
        self.touches.clear();
        self.contacts = contacts.len();
        for contact in contacts {
            let [a, b] = contact.bodies();
            let gap = contact.gap(bodies, &frames[a], &frames[b]);
            let row = Row { a, b, ja: gap.ja, jb: gap.jb, g: gap.phi, k: gap.k, unit: Unit::Metre };
            let tangent = Tangent {
                ta: gap.ta,
                tb: gap.tb,
                k: gap.kt,
                friction: pair_friction(bodies[a].friction, bodies[b].friction),
                point: gap.point,
                normal: gap.normal,
            };
            self.touches.push(Touch {
                row,
                tangent: Some(tangent),
                restitution: pair_restitution(bodies[a].restitution, bodies[b].restitution),
                approach: row.rate(v),
            });
        }
    }

    /// All unilateral rows: contacts in the order in which they were given, then limits.
    pub fn all(&self) -> &[Touch] {
        &self.touches
    }

    /// The contacts among them.
    pub fn contacts(&self) -> &[Touch] {
        &self.touches[..self.contacts]
    }

    /// The limits among them.
    pub fn limits(&self) -> &[Touch] {
        &self.touches[self.contacts..]
    }

    /// The motors.
    pub fn drives(&self) -> &[Drive] {
        &self.drives
    }

    /// Whether there is neither a unilateral row nor a motor.
    pub fn is_empty(&self) -> bool {
        self.touches.is_empty() && self.drives.is_empty()
    }
}

/// φ = x − lo and φ = hi − x, where the bounds are finite.
fn sides(x: Equation, [low, high]: [f64; 2]) -> impl Iterator<Item = Equation> {
    let lower = Equation { g: x.g - low, ..x };
    let upper = Equation { g: high - x.g, ja: -x.ja, jb: -x.jb, k: -x.k, unit: x.unit };
    [lower, upper].into_iter().filter(|phi| phi.g.is_finite())
}
