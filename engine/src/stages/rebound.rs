//! The default of the restitution threshold: impacts no faster than the speed at which two bodies are pressed together do not
//! rebound.
//!
//! A body that is held up by contacts of the last step may fall for a step before they close again. If that were an
//! impact, the load would make it bounce for ever. Therefore an approach is an impact only if it is faster than the
//! load along the normal makes it within a step:
//!
//! ```text
//! threshold = 2 min(p, P) ,    p_k = max over l of  |n_k · n_l| p_l ,    P = max |u_F| over the bodies
//! p_k ≥ −J_n u ,    u = u_F + M⁻¹ Σ Jᵀλ⁻ ,    u_F = h M⁻¹F
//! ```
//!
//! J_n is the contact's row, so −J_n u is the speed at which the two bodies are driven together in a step, in m/s. F is the
//! weight, the applied forces, the springs, the grab and the mouse's repulsion; λ⁻ are the impulses of the step before, those of
//! joints and of all contacts but the pair's own: a body that rests on the ground presses against one that lies on it,
//! and a disk in a pile against the wall beside it. Gravity along a wall does not press against it. l is k or a contact
//! of a body that k moves: a body passes on the load on one side, even where it has just left the contact on the other
//! side, on which λ⁻ is zero. λ⁻ may contain an impact. The bound P keeps that from suppressing the next impact: no
//! load counts as more than the strongest applied force. For rotations J_n of P takes the contact's lever.

use super::motion::{Motion, StepContext};
use super::springs::soft_row;
use crate::constraint::{Constraint, Row, Rows, Touch};
use crate::math::largest;
use crate::model::joint::Unit;
use crate::model::{ContactState, World};
use crate::rules::REBOUND_STEPS;
use glam::{DVec2, DVec3};

/// The loads that press the bodies together within a step.
#[derive(Debug, Default)]
pub(crate) struct Pressing {
    /// Whether any body rebounds.
    pub rebounds: bool,
    /// The threshold that the method gives, m/s.
    given: Option<f64>,
    /// u by body, m/s and rad/s; empty if no body rebounds.
    driven: Vec<DVec3>,
    /// P of translations, m/s, and of turns, rad/s.
    most: [f64; 2],
    /// p by contact, m/s.
    pressed: Vec<f64>,
    /// The contacts of each body that forces move: its index and the contact's, in this order.
    ends: Vec<(usize, usize)>,
}

impl Pressing {
    /// Clears the loads of the last step.
    pub fn forget(&mut self) {
        self.given = None;
        self.driven.clear();
    }

    /// Gathers u at the beginning of a step, with all rows evaluated.
    pub fn gather(&mut self, context: &StepContext<'_>, rows: &Rows, motion: &Motion) {
        let StepContext { world, contact, h, .. } = *context;
        self.forget();
        self.given = contact.restitution_threshold;
        if !self.rebounds || self.given.is_some() {
            return;
        }
        let Motion { free_acceleration, inverse_mass, v, .. } = motion;
        let driven = &mut self.driven;
        driven.extend(free_acceleration.iter().map(|a| h * *a));
        for (index, (row, soft)) in rows.soft().enumerate() {
            let pulls = rows.grab_start().is_some_and(|start| rows.equations().len() + index >= start);
            let grab = world.grab.filter(|_| pulls);
            let mobility = row.mobility(inverse_mass);
            let own = soft_row((row, soft), grab.is_none().then_some(mobility), row.rate(v), h);
            let Some((compliance, bias)) = own else { continue };
            let lambda = -(row.rate(v) + bias) / (mobility + compliance);
            let most = grab.map_or(f64::INFINITY, |grab| h * grab.max_force);
            row.push(lambda.max(-most).min(most), inverse_mass, driven);
        }
        self.most =
            [largest(driven.iter().map(|u| u.truncate().length())), largest(driven.iter().map(|u| u.z))];
        for (row, force) in rows.joints().iter().zip(Constraint::forces(world)) {
            row.push(h * force, inverse_mass, driven);
        }
        for state in world.contacts() {
            for (row, lambda) in rows_of(state, world, motion).iter().flatten().zip(state.impulse) {
                row.push(lambda, inverse_mass, driven);
            }
        }
    }

    /// Gives every contact its restitution threshold, if any of them may rebound.
    pub fn set_thresholds(&mut self, world: &World, motion: &Motion, contacts: &mut [Touch]) {
        let may_rebound = |touch: &Touch| touch.restitution > 0.0 && touch.approach < 0.0;
        if let Some(given) = self.given {
            contacts.iter_mut().for_each(|touch| touch.rebound_speed = given);
        } else if !self.driven.is_empty() && contacts.iter().any(may_rebound) {
            self.pressed.clear();
            for touch in contacts.iter() {
                self.pressed.push(self.driven_together(world, motion, touch));
            }
            self.pass_on(contacts, motion);
            let [speed, turn] = self.most;
            for (touch, pressed) in contacts.iter_mut().zip(&self.pressed) {
                let lever = touch.row.ja.z.abs().max(touch.row.jb.z.abs());
                touch.rebound_speed = REBOUND_STEPS * pressed.min(speed + lever * turn);
            }
        }
    }

    /// Gives every limit that rebounds its threshold: its own load, and not those of contacts beside it.
    pub fn set_limit_thresholds(&self, limits: &mut [Touch]) {
        for limit in limits.iter_mut().filter(|limit| limit.restitution > 0.0) {
            let pressed = || (-limit.row.along(&self.driven)).max(0.0);
            limit.rebound_speed = match self.given {
                Some(given) => given,
                None if self.driven.is_empty() => f64::INFINITY,
                None => REBOUND_STEPS * pressed(),
            };
        }
    }

    /// −J_n u of `touch`, a contact, m/s; 0 where that drives the bodies apart.
    fn driven_together(&self, world: &World, motion: &Motion, touch: &Touch) -> f64 {
        let Row { a, b, ja, jb, .. } = touch.row;
        let pair = [a.min(b), a.max(b)].map(|body| world.body_ids()[body]);
        let first = world.contacts().partition_point(|state| state.id.bodies < pair);
        let mut own = 0.0;
        for state in world.contacts()[first..].iter().take_while(|state| state.id.bodies == pair) {
            for (row, lambda) in rows_of(state, world, motion).iter().flatten().zip(state.impulse) {
                let mobility = |body: usize, j: DVec3| {
                    let side = if body == row.a { row.ja } else { row.jb };
                    j.dot(motion.inverse_mass[body] * side)
                };
                own += lambda * (mobility(a, ja) + mobility(b, jb));
            }
        }
        (own - touch.row.along(&self.driven)).max(0.0)
    }

    /// Computes p of all contacts from −J_n u.
    fn pass_on(&mut self, contacts: &[Touch], motion: &Motion) {
        let Self { pressed, ends, .. } = self;
        ends.clear();
        for (index, Touch { row, .. }) in contacts.iter().enumerate() {
            let moved = [row.a, row.b].into_iter().filter(|&body| motion.inverse_mass[body].x > 0.0);
            ends.extend(moved.map(|body| (body, index)));
        }
        ends.sort_unstable();
        let normal = |contact: usize| contacts[contact].row.jb.truncate();
        let mut grows = true;
        // Ends: p only grows, along paths without a cycle, since no share is above one.
        while grows {
            grows = false;
            for of_body in ends.chunk_by(|one, other| one.0 == other.0) {
                for (&(_, k), &(_, l)) in of_body.iter().flat_map(|k| of_body.iter().map(move |l| (k, l))) {
                    let passed = normal(k).dot(normal(l)).abs().min(1.0) * pressed[l];
                    if passed > pressed[k] {
                        pressed[k] = passed;
                        grows = true;
                    }
                }
            }
        }
    }
}

/// The normal and the tangential row of a contact of the step before, at the bodies' present places.
fn rows_of(state: &ContactState, world: &World, motion: &Motion) -> Option<[Row; 2]> {
    let [a, b] = state.id.bodies;
    let (a, b) = (world.index_of(a)?, world.index_of(b)?);
    let along = |direction: DVec2| {
        let side = |body: usize| {
            let arm = state.point - motion.q[body].truncate();
            direction.extend(arm.perp_dot(direction))
        };
        Row { a, b, ja: -side(a), jb: side(b), g: 0.0, k: 0.0, c: 0.0, unit: Unit::Metre, further: None }
    };
    Some([along(state.normal), along(state.normal.perp())])
}
