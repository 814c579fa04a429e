//! Which contacts and limits are in the problem of a step, and what their rows ask for.
//!
//! b of a contact's row J_n v⁺ + b ≥ 0 is the scheme's, with two exceptions:
//!
//! - **Free travel.** A contact that the scheme would not take yet (φ above its bound) but that could be reached
//!   within the step has b = φ/h: it may close, and not cross. Nothing tunnels.
//! - **Impact.** Where φ̇ < −threshold and the bodies would meet within the step, b = e φ̇, Newton's law [Trefny's
//!   c]. The impact is taken at the start of the step in which it falls, O(h) early. A penetration whose
//!   correction asks for more than the rebound gets it. By Poisson's law b = 0 there, and once that is solved, the contact
//!   returns e times its λ in a second solve, of what is then left [Anitescu & Potra 1997].

use super::stage::Stage;
use super::workspace::Workspace;
use crate::constraint::{Row, Touch};
use crate::detect::Reach;
use crate::math::largest;
use crate::model::joint::Unit;

/// Limits closer than this, or than two steps of their motion, are in the problem: in rad, or in extents of the scene.
const LIMIT_REACH: f64 = 0.1;
/// Steps of a limit's motion within which it is in the problem: the step's own forces may double its rate.
const LIMIT_TRAVEL: f64 = 2.0;
/// A contact slides at the acceleration level where it slips faster than gravity changes a velocity in so many
/// steps; a slower one may stop within the step.
const SLIPPING_STEPS: f64 = 2.0;

/// What a scheme's row asks of the gap of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum GapTerm {
    /// The row has no gap term, or one for overlaps alone: contacts within the contact tolerance.
    #[default]
    Touching,
    /// The row has the gap's free travel in it: contacts within the active distance.
    Travelling,
}

/// Which unilateral rows are in the problem, decided when they are evaluated.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gate {
    term: GapTerm,
    /// The scheme takes contacts with φ up to here, m.
    pub(super) distance: f64,
    /// Slower impacts do not rebound, m/s.
    pub(super) threshold: f64,
    /// Faster slip goes on through the step, m/s: at the acceleration level its direction is given.
    pub(super) slipping: f64,
    /// Farther limits of a displacement are left out, m.
    limit_reach: f64,
    /// τ of a sticking contact's row J_t v⁺ + τ J̇_t v = 0, s: how far ahead of the pose the row is meant.
    pub(super) lead: f64,
}

/// What a row in the problem asks for.
pub(super) enum Demand {
    /// What the scheme asks for.
    Scheme,
    /// φ may close within the step.
    FreeTravel,
    /// J v⁺ ≥ −e φ̇; holds e φ̇.
    Rebound(f64),
}

impl Gate {
    /// Whether `touch` is so near that it asks for what the scheme asks for.
    pub(super) fn is_near(&self, touch: &Touch) -> bool {
        match touch.tangent {
            Some(_) => touch.row.g <= self.distance,
            None => touch.row.g <= 0.0 || self.term == GapTerm::Travelling,
        }
    }

    /// What the row of `touch` asks for over a step `h`; `None` leaves it out.
    pub(super) fn demand(&self, touch: &Touch, h: f64) -> Option<Demand> {
        self.demand_at(touch, h, self.is_near(touch))
    }

    /// The same for a row that is near, or not.
    pub(super) fn demand_at(&self, touch: &Touch, h: f64, near: bool) -> Option<Demand> {
        let (phi, rate) = (touch.row.g, touch.approach);
        let travelling = self.term == GapTerm::Travelling;
        let reach = if touch.row.unit == Unit::Radian { LIMIT_REACH } else { self.limit_reach };
        if touch.tangent.is_none() && phi > reach && phi > LIMIT_TRAVEL * h * rate.abs() {
            return None;
        }
        let meets = phi + h * rate <= 0.0 || (near && !travelling);
        if touch.restitution > 0.0 && meets && rate < -self.threshold {
            return Some(Demand::Rebound(touch.restitution * rate));
        }
        Some(if near { Demand::Scheme } else { Demand::FreeTravel })
    }

    /// Whether the rows hold the accelerations of this instant, and not the velocities at the end of the step.
    pub(super) fn is_instant(&self) -> bool {
        self.term == GapTerm::Touching
    }

    /// Poisson's law: what each of `touches` returns of the multiplier of its compression.
    pub(super) fn returned(self, touches: &[Touch], h: f64) -> impl Fn(usize, f64) -> f64 {
        move |index, compression| match self.demand(&touches[index], h) {
            Some(Demand::Rebound(_)) => touches[index].restitution * compression,
            _ => 0.0,
        }
    }
}

/// max(0, −φ).
pub(super) fn overlap(touch: &Touch) -> f64 {
    // NaN passes: it is no overlap of zero.
    if touch.row.g >= 0.0 { 0.0 } else { -touch.row.g }
}

impl Stage<'_> {
    /// Finds the contacts at the rows' poses and evaluates all unilateral rows and motors there.
    pub(super) fn find_touches(&mut self, term: GapTerm) {
        let rules = &self.method.contact;
        let distance = match term {
            GapTerm::Touching => rules.contact_tolerance_in(self.world),
            GapTerm::Travelling => rules.active_distance_in(self.world),
        };
        let threshold = rules.restitution_threshold_in(self.world, self.h);
        let slipping = match term {
            GapTerm::Touching => SLIPPING_STEPS * self.h * self.world.gravity.length(),
            // These rows are written for the end of the step, in friction as in the gap.
            GapTerm::Travelling => f64::INFINITY,
        };
        let limit_reach = LIMIT_REACH * self.extent();
        self.gate = Gate { term, distance, threshold, slipping, limit_reach, lead: 0.0 };
        self.find_touches_within(Reach { distance, travel: rules.active_travel * self.h });
    }

    fn find_touches_within(&mut self, reach: Reach) {
        let Workspace { rows, detector, contacts, touches, v, .. } = &mut *self.ws;
        detector.detect(self.world, rows.frames(), &reach, contacts);
        touches.evaluate(self.world, rows.frames(), contacts, v);
    }

    /// The rows of the contacts last found, with limits and motors, at the rows' poses.
    pub(super) fn evaluate_same_touches(&mut self) {
        let Workspace { rows, contacts, touches, v, .. } = &mut *self.ws;
        touches.evaluate(self.world, rows.frames(), contacts, v);
    }

    /// Joint rows, contacts within the active distance and limits at the present pose.
    pub(super) fn evaluate_positions(&mut self) {
        self.evaluate_joints();
        let distance = self.method.contact.active_distance_in(self.world);
        self.find_touches_within(Reach { distance, travel: 0.0 });
    }

    /// Largest −φ over the contacts as last evaluated, m.
    pub(super) fn contact_error(&self) -> f64 {
        largest(self.ws.touches.contacts().iter().map(overlap))
    }

    /// Notes the errors that a correction of positions is about to remove.
    pub(super) fn note_errors_before(&mut self) {
        self.outcome.joint_error_before = Some(self.joint_error());
        self.outcome.contact_error_before = Some(self.contact_error());
    }

    /// Whether there are unilateral rows, and nothing to correct beyond rounding.
    pub(super) fn touches_but_fits(&self) -> bool {
        !self.ws.touches.all().is_empty() && self.position_error() <= self.rounding()
    }

    /// Largest error over joints, limits and contacts as last evaluated, as a length, m.
    pub(super) fn position_error(&self) -> f64 {
        let extent = self.extent();
        let touches = &self.ws.touches;
        let overlaps = largest(touches.contacts().iter().map(overlap));
        let limits = touches.limits().iter().map(|limit| Row { g: overlap(limit), ..limit.row });
        let limits = largest(limits.map(|row| self.length_of_errors(&[row], extent)));
        largest([overlaps, limits, self.length_of_errors(self.ws.rows.joints(), extent)])
    }
}
