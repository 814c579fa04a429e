//! The work of a correction that is part of the dynamics: how much energy the stabilization puts in.
//!
//! In impulses, the joints do the work λᵀ J (v + v⁺)/2. An ideal joint has
//! J v⁺ = 0 and, by the end of the step, J v = h k for what was J v = 0 before (k = J̇ v: the joint has turned
//! meanwhile). What goes beyond that is due to the stabilization,
//!
//! ```text
//! W = ½ λᵀ (J v⁺ + J v − h k) ,
//! ```
//!
//! the force of a joint times the gap that it closes; what a bias put in and the next step takes out again
//! cancels in the sum over a run. In forces, with λ_s = −A⁻¹s the multipliers of the stabilizing part s of the
//! right-hand side and δ = h M⁻¹Jᵀλ_s, the work is T(v⁺) − T(v⁺ − δ).
//!
//! An overlapping contact (φ < 0, λ > 0) leaves at p = J v⁺ = −b. Without the gap's bias it would leave at
//! p₀ = max(0, u, −e φ̇): stopped, as fast as it separates already (u = J v − h k), or as it rebounds. A contact alone
//! has λ = (p − u)/A, and the difference of its kinetic energies, ½(p² − p₀²)/A, is
//!
//! ```text
//! W = ½ λ (p² − p₀²)/(p − u) ,
//! ```
//!
//! which is the joints' ½ λ (J v⁺ + J v − h k) where u ≥ 0 and leaves out what an impact (u < 0) loses or gives back by itself.
//! A ball pushed out from rest without gravity has W = ½ m p², all its energy. Of contacts that act together each is
//! counted by its own λ, p and u. Limits are contacts here.

use super::constraints::Constraints;
use super::motion::Motion;
use super::problem::Problem;
use super::solve::Solution;
use super::totals::Totals;
use glam::DVec3;

impl Totals {
    /// Remembers J v − h k of the joint rows, at the velocity with which a step begins.
    pub fn note_start(&mut self, constraints: &Constraints, motion: &Motion, h: f64) {
        self.start_rates.clear();
        let rows = constraints.rows.joints().iter();
        self.start_rates.extend(rows.map(|row| row.rate(&motion.v) - h * row.k));
    }

    /// Adds the work of `solution`, whose λ acted for `duration` (1 for impulses) in a step h, at the velocity v⁺.
    pub fn add_work(
        &mut self,
        solution: &Solution<'_>,
        constraints: &Constraints,
        motion: &Motion,
        [h, duration]: [f64; 2],
    ) {
        let rows = constraints.rows.joints().iter().zip(solution.lambda).zip(&self.start_rates);
        let work = rows.map(|((row, lambda), start)| lambda * (row.rate(&motion.v) + start));
        self.corrections.work += 0.5 * duration * work.sum::<f64>();
        let gaps = work_of_gaps(solution.problem, constraints, motion, h);
        self.corrections.work += duration * gaps;
    }
}

/// Work of the contacts' and limits' bias per unit of time that their multipliers acted for.
fn work_of_gaps(problem: &Problem, constraints: &Constraints, motion: &Motion, h: f64) -> f64 {
    let Constraints { touches, .. } = constraints;
    if touches.all().is_empty() {
        return 0.0;
    }
    let work_of = |(index, lambda): (usize, &[f64])| {
        let touch = &touches.all()[index];
        let (left, start) = (touch.row.rate(&motion.v), touch.approach - h * touch.row.k);
        let impact =
            if touch.approach < -touch.threshold { -touch.restitution * touch.approach } else { 0.0 };
        let ideal = impact.max(start).max(0.0);
        let pushed = touch.row.g < 0.0 && lambda[0] > 0.0 && left > ideal;
        if pushed { 0.5 * lambda[0] * (left * left - ideal * ideal) / (left - start) } else { 0.0 }
    };
    problem.touch_multipliers().map(work_of).sum()
}

/// T(v⁺) − T(v⁺ − δ) of the velocity v⁺ of `motion`, J.
pub(super) fn work_of_change(delta: &[DVec3], motion: &Motion) -> f64 {
    let mut work = 0.0;
    for ((delta, v), w) in delta.iter().zip(&motion.v).zip(&motion.inverse_mass) {
        if w.x > 0.0 {
            work += (*delta * (*v - 0.5 * *delta) / *w).element_sum();
        }
    }
    work
}
