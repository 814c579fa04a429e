//! What presses two bodies together, and the default of the restitution threshold: slower impacts do not rebound.
//!
//! A resting body falls for a step before its contact closes again. If that were an impact it would bounce for ever on what presses it
//! down. Only a speed along the normal beyond what presses along the normal gives within a step is an impact:
//!
//! ```text
//! threshold = 2 min(p, P) ,    p = max(0, −J_n u) ,    P = max |u_F| over the bodies
//! u = u_F + M⁻¹ Σ Jᵀλ⁻ ,       u_F = h M⁻¹F
//! ```
//!
//! J_n is the contact's row, so p is the speed at which the two bodies are driven together in a step, in m/s. F is the weight, the springs,
//! the grab and the mouse's repulsion; λ⁻ are the impulses of the step before, those of joints and of all contacts but the pair's own: what
//! rests on the ground presses against what lies upon it, and a disk in a pile against the wall beside it. Gravity along the wall does not
//! press against it.
//! λ⁻ may contain an impact. P keeps that from silencing the next one: nothing counts as more than the strongest applied force, J_n of P with
//! the contact's lever for what turns.

use super::constraints::{Constraints, ContactRules};
use super::motion::Motion;
use super::span::Span;
use crate::constraint::{Row, Rows, Touch};
use crate::math::{cross, largest, perp};
use crate::model::joint::Unit;
use crate::model::{ContactState, World};
use glam::{DVec2, DVec3};

/// Of the speed that presses two bodies together: rounding and the turning of normals stay below as much again.
const STEPS: f64 = 2.0;

impl ContactRules {
    /// The restitution threshold at the time step `h` in `world` where gravity alone presses along the normal, m/s.
    pub fn restitution_threshold_in(&self, world: &World, h: f64) -> f64 {
        self.restitution_threshold.unwrap_or_else(|| STEPS * h * world.gravity.length())
    }
}

/// What moves the bodies within a step apart from what a pair of them does to each other.
#[derive(Debug, Default)]
pub(super) struct Pressing {
    /// The threshold that the method gives, m/s.
    given: Option<f64>,
    /// u by body, m/s and rad/s; empty where nothing rebounds.
    driven: Vec<DVec3>,
    /// P of translations, m/s, and of turns, rad/s.
    most: [f64; 2],
}

impl Pressing {
    /// Nothing is known of the step that begins.
    pub fn forget(&mut self) {
        self.given = None;
        self.driven.clear();
    }

    /// Gathers u at the beginning of a step, with all rows evaluated.
    pub fn gather(&mut self, span: &Span<'_>, rows: &Rows, motion: &Motion) {
        let Span { world, method, h, .. } = *span;
        self.forget();
        self.given = method.contact.restitution_threshold;
        let rebounds = world.bodies().iter().any(|body| body.collides && body.restitution > 0.0);
        if !rebounds || self.given.is_some() {
            return;
        }
        let Motion { external, inverse_mass, v, .. } = motion;
        let driven = &mut self.driven;
        driven.extend(external.iter().map(|a| h * *a));
        let grab = rows.grab_start().map(|start| start - rows.equations().len());
        for (index, (row, soft)) in rows.soft().enumerate() {
            let Some((compliance, bias)) = soft.row(row.g, h) else { continue };
            let mobility =
                row.ja.dot(inverse_mass[row.a] * row.ja) + row.jb.dot(inverse_mass[row.b] * row.jb);
            let lambda = -(row.rate(v) + bias) / (mobility + compliance);
            let pulls = grab.is_some_and(|grab| index >= grab);
            let most = world.grab.filter(|_| pulls).map_or(f64::INFINITY, |grab| h * grab.max_force);
            row.push(lambda.max(-most).min(most), inverse_mass, driven);
        }
        self.most =
            [largest(driven.iter().map(|u| u.truncate().length())), largest(driven.iter().map(|u| u.z))];
        let forces = world.joints().iter().flat_map(|joint| &joint.force[..joint.kind.rows()]);
        for (row, force) in rows.joints().iter().zip(forces) {
            row.push(h * force, inverse_mass, driven);
        }
        for state in world.contacts() {
            for (row, lambda) in rows_of(state, motion).iter().zip(state.impulse) {
                row.push(lambda, inverse_mass, driven);
            }
        }
    }

    /// The restitution threshold of `touch`, a contact between the bodies `a` and `b` of its row, m/s.
    fn threshold(&self, world: &World, motion: &Motion, touch: &Touch) -> f64 {
        if let Some(given) = self.given {
            return given;
        }
        let Row { a, b, ja, jb, .. } = touch.row;
        if self.driven.is_empty() || touch.restitution == 0.0 {
            return f64::INFINITY;
        }
        let pair = [a.min(b) as u32, a.max(b) as u32];
        let first = world.contacts().partition_point(|state| state.id.bodies < pair);
        let mut own = 0.0;
        for state in world.contacts()[first..].iter().take_while(|state| state.id.bodies == pair) {
            for (row, lambda) in rows_of(state, motion).iter().zip(state.impulse) {
                let mobility = |body: usize, j: DVec3| {
                    let side = if body == row.a { row.ja } else { row.jb };
                    j.dot(motion.inverse_mass[body] * side)
                };
                own += lambda * (mobility(a, ja) + mobility(b, jb));
            }
        }
        let pressed = (own - touch.row.rate(&self.driven)).max(0.0);
        let [speed, turn] = self.most;
        STEPS * pressed.min(speed + ja.z.abs().max(jb.z.abs()) * turn)
    }
}

/// The normal and the tangential row of a contact of the step before, at the bodies' present places.
fn rows_of(state: &ContactState, motion: &Motion) -> [Row; 2] {
    let [a, b] = state.id.bodies.map(|body| body as usize);
    let along = |direction: DVec2| {
        let side = |body: usize| {
            let arm = state.point - motion.q[body].truncate();
            direction.extend(cross(arm, direction))
        };
        Row { a, b, ja: -side(a), jb: side(b), g: 0.0, k: 0.0, unit: Unit::Metre }
    };
    [along(state.normal), along(perp(state.normal))]
}

impl Constraints {
    /// Gives every unilateral row its restitution threshold.
    pub(super) fn find_thresholds(&mut self, world: &World, motion: &Motion) {
        let Self { touches, pressing, .. } = self;
        touches.set_thresholds(|touch| pressing.threshold(world, motion, touch));
    }
}
