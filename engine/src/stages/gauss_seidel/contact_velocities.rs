//! The velocity solve of XPBD's contacts: restitution and friction, after the positions have been corrected.
//!
//! ```text
//! each contact with λ_n > 0, p = λ/η :
//!   J_n v⁺ = v* ,    v* = −e J_n v₀ where that approaches faster than the threshold, else 0 ,    p_n ≥ 0
//!   J_t v⁺ = 0 within |p_t| ≤ μ p_n
//! ```
//!
//! one contact after the other [Müller et al. 2020, eqs. 30 and 34, in the other order]: friction is bounded by μ times the
//! impulse after restitution.
//!
//! **Energy.** From v₀, with the loads, the impulses of a contact change the energy by pᵀJ v⁺ − ½ pᵀA p. Where J_n v⁺ ≤ 0 at the
//! end, and friction opposes the slip that it leaves, p_t J_t v⁺ ≤ 0, both terms are losses. But an overlap is pushed out by many
//! times the impulse of the impact, and static friction may be as many times larger. When friction is reduced to μ p_n, its
//! change Δp_t leaves a separating speed A_nt Δp_t at the corner of a body that turns; and a corner that is pushed out turns the
//! body against another contact, which is pushed as much. Both would put in energy. Therefore, if a contact with p_n > 0
//! separates faster than v*, by more than the threshold,
//!
//! - its normal impulse and its friction are found together: both rows at once, sticking or sliding with |p_t| = μ p_n; and
//! - the contacts are visited again, until none does.
//!
//! The paper solves the velocities once: a box dropped at an angle, e = 0 and μ = 1.5, then gained up to 117 h Σ m g |v|.

use super::sequential_constraint::{SequentialConstraint, Source, clamp};
use super::sweeps::Sequence;
use crate::stages::motion::Motion;
use glam::DVec3;

/// Most passes over the contacts: a bound for piles, in which they converge slowly.
const MOST_PASSES: usize = 20;

/// Solves restitution and friction of the contacts; adds the work of pushing overlaps out to `work`.
pub(crate) fn solve_contact_velocities(
    sequence: &mut Sequence,
    threshold: f64,
    h: f64,
    motion: &mut Motion,
    work: &mut f64,
) {
    let Motion { inverse_mass, v, external, .. } = motion;
    let contact = |constraint: &SequentialConstraint| matches!(constraint.source, Source::Contact(_));
    for _ in 0..MOST_PASSES {
        for constraint in sequence.constraints.iter_mut().filter(|constraint| contact(constraint)) {
            constraint.settle(inverse_mass, threshold, v);
        }
        let parting = |constraint: &SequentialConstraint| {
            contact(constraint) && constraint.parts_too_fast(threshold, v)
        };
        if !sequence.constraints.iter().any(parting) {
            break;
        }
    }
    for constraint in
        sequence.constraints.iter().filter(|constraint| contact(constraint) && constraint.start_gap < 0.0)
    {
        // The impulse that took away the speed of an overlap's correction.
        *work += h * constraint.velocity_impulse.min(0.0) * constraint.block.rates(external)[0];
    }
}

impl SequentialConstraint {
    /// Solves restitution and friction of one contact; λ holds impulses here.
    fn settle(&mut self, weight: &[DVec3], threshold: f64, v: &mut [DVec3]) {
        let mass = self.block.mass(0, 0, weight);
        if !(self.lambda[0] > 0.0 && mass > 0.0) {
            return;
        }
        let change = ((self.target() - self.block.rates(v)[0]) / mass).max(-self.lambda[0]);
        self.block.push(&[change, 0.0, 0.0], weight, v);
        self.lambda[0] += change;
        self.velocity_impulse += change;
        if self.slide.friction > 0.0 {
            let slip = self.slide.block.rates(v).map(|rate| -rate);
            let x = self.slide.block.solve(weight, &[0.0; 3], slip);
            let impulse = clamp(self.lambda[1] + x[0], self.slide.friction * self.lambda[0]);
            self.slide.block.push(&[impulse - self.lambda[1], 0.0, 0.0], weight, v);
            self.lambda[1] = impulse;
            if self.parts_too_fast(threshold, v) {
                self.settle_together(weight, v);
            }
        }
    }

    /// v*, the required J_n v⁺.
    fn target(&self) -> f64 {
        if self.approach < -self.threshold { -self.restitution * self.approach } else { 0.0 }
    }

    /// Whether the contact has an impulse although its bodies separate faster than v*, by more than the threshold.
    fn parts_too_fast(&self, threshold: f64, v: &[DVec3]) -> bool {
        self.lambda[0] > 0.0 && self.block.rates(v)[0] > self.target() + threshold
    }

    /// Solves normal impulse and friction at once: J_n v⁺ = v*, and J_t v⁺ = 0 or |p_t| = μ p_n against the slip; both are zero
    /// if the contact separates as fast without them.
    fn settle_together(&mut self, weight: &[DVec3], v: &mut [DVec3]) {
        let (normal, slide, friction) = (&self.block, &self.slide.block, self.slide.friction);
        normal.push(&[-self.lambda[0], 0.0, 0.0], weight, v);
        slide.push(&[-self.lambda[1], 0.0, 0.0], weight, v);
        let (wanted, slip) = (self.target() - normal.rates(v)[0], slide.rates(v)[0]);
        let [nn, tt] = [normal, slide].map(|block| block.mass(0, 0, weight));
        let nt = normal.coupling(slide, weight);
        let mut p = [0.0; 2];
        if wanted > 0.0 {
            // A p = (wanted, −slip)
            let determinant = nn * tt - nt * nt;
            let stick = [(wanted * tt + slip * nt) / determinant, -(slip * nn + wanted * nt) / determinant];
            // p_t = ±μ p_n, and the slip that it leaves has the opposite sign.
            let slides = |side: f64| {
                let p = wanted / (nn + side * friction * nt);
                let left = slip + (nt + side * friction * tt) * p;
                (p > 0.0 && side * left <= 0.0).then_some([p, side * friction * p])
            };
            let sticks = stick[1].abs() <= friction * stick[0];
            let found = if sticks { Some(stick) } else { slides(1.0).or_else(|| slides(-1.0)) };
            p = found.unwrap_or([wanted / nn, 0.0]);
        }
        normal.push(&[p[0], 0.0, 0.0], weight, v);
        slide.push(&[p[1], 0.0, 0.0], weight, v);
        self.velocity_impulse += p[0] - self.lambda[0];
        (self.lambda[0], self.lambda[1]) = (p[0], p[1]);
    }
}
