//! Poisson's law: the impulses of a collision alone, which are what rebounds.
//!
//! ```text
//! collision       M (vᶜ − v) = Jᵀλ + J_nᵀ c_n + J_tᵀ c_t ,   J vᶜ = J v ,   0 ≤ J_n vᶜ + φ⁺/h ⊥ c_n ≥ 0 ,  |c_t| ≤ μ c_n
//! compression     the step's problem, in which what collides stops:      0 ≤ J_n v ⊥ λ_n ≥ 0
//! decompression   v⁺ = what is left of the step's problem with           0 ≤ J_n v⁺ + b ⊥ λ_n − e c_n ≥ 0
//! ```
//!
//! v is the velocity with which the step begins; φ⁺ = max(φ, 0) of what does not collide, 0 of what does; b = min(scheme's b, 0).
//!
//! A collision takes no time, so that weight, springs and motors do nothing in it, and neither does what brings a constraint back
//! to g = 0, nor the force that turns a joint. The multiplier of compression contains all of them, h F, γ φ/h, γ g/h and h k:
//! returned, they would be energy that no impact had. [Anitescu & Potra 1997] stop at the instant of the impact, and their
//! compression has v⁻ and no forces; here the impact happens within a step, so that its impulse c_n is found by a problem of its own.
//!
//! **Energy.** Without friction λ_n of decompression minimises ½ λᵀA λ over λ_n ≥ e c_n, A the Delassus matrix of the contacts with the
//! joints held. c_n itself is such a λ where e ≤ 1, so that decompression returns at most ½ c_nᵀA c_n, which is what the collision had
//! taken. A ball on the ground leaves at e times the speed of its approach, exactly as by Newton's law.
//! An overlap's push-out speed −b and the rebound are not added: the contact leaves at the larger of the two.

use super::constraints::{ActiveSet, Constraints, Demand};
use super::problem::{Problem, Record, Slip};
use super::restitution::Restitution;
use super::span::Span;
use crate::constraint::Touch;
use crate::lcp::{MixedOutcome, Solver};
use crate::report::StepError;
use glam::DVec3;

/// c_n of the collisions of a step.
#[derive(Debug, Default)]
pub(super) struct Collision {
    /// Of every unilateral row, by its index among all, N s.
    normal: Vec<f64>,
    /// The velocity with which the step began.
    pub before: Vec<DVec3>,
}

impl Collision {
    /// Solves the collision from `self.before` at the rows' present poses, in the memory of `problem`. `ask(index, touch)` is b of a
    /// unilateral row that takes part.
    pub fn solve(
        &mut self,
        problem: &mut Problem,
        constraints: &Constraints,
        inverse_mass: &[DVec3],
        (solver, record): (&Solver, &mut Record),
        ask: impl Fn(usize, &Touch) -> Option<f64>,
    ) -> Result<MixedOutcome, StepError> {
        let Constraints { rows, touches, .. } = constraints;
        let Self { normal, before } = self;
        problem.begin(Default::default(), inverse_mass, before);
        problem.pose_joints(rows, |row| -row.rate(before));
        problem.pose_nonholonomic(rows, rows.nonholonomic().iter().map(|row| -row.rate(before)));
        for (index, touch) in touches.all().iter().enumerate() {
            if let Some(b) = ask(index, touch) {
                problem.pose_touch(index, touch, b, Slip::Free(0.0));
            }
        }
        problem.start_cold();
        let outcome = problem.solve(solver, record)?;
        normal.clear();
        normal.resize(touches.all().len(), 0.0);
        for (index, lambda) in problem.touch_multipliers() {
            normal[index] = lambda[0];
        }
        Ok(outcome)
    }

    /// e c_n of unilateral row number `index`, N s.
    pub fn returned(&self, index: usize, touch: &Touch) -> f64 {
        touch.restitution * self.normal[index]
    }
}

impl ActiveSet {
    /// b of a unilateral row in the collision of a step h: what collides stops, what is apart may close.
    pub fn ask_of_collision(&self, touch: &Touch, h: f64) -> Option<f64> {
        let touching = self.is_instant() && self.is_near(touch);
        Some(match self.demand(touch, h)? {
            Demand::Rebound(_) => 0.0,
            _ if touching => 0.0,
            _ => touch.row.g.max(0.0) / h,
        })
    }

    /// Whether `touch` rebounds in a step h.
    pub fn rebounds(&self, touch: &Touch, h: f64) -> bool {
        matches!(self.demand(touch, h), Some(Demand::Rebound(_)))
    }
}

/// Whether the method's impacts obey Poisson's law.
pub(super) fn obeys_poisson(span: &Span<'_>) -> bool {
    span.method.contact.restitution == Restitution::AnitescuPotra
}
