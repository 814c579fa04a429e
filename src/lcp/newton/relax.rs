//! Islands without a solution: the proof, and the velocity that violates their rows least.
//!
//! Where no velocity meets the rows, the proximal iteration without friction does not stop: its steps Δ tend to a
//! direction y with Jᵀy = 0, and w to the violation −Δ/ρ̃ that is least in the norm Σ wᵢ²/Aᵢᵢ [Rockafellar 1976].
//! y is Farkas' certificate (`certificate.rs`). The rows are then given as much as they are violated by, and
//! the problem with friction solved for these: its λ is finite, since that problem is feasible.

use super::{BACK_OFF, Newton};
use crate::lcp::body_space::BodySpace;
use crate::lcp::certificate;
use crate::lcp::mixed::{Law, MixedProblem};

/// κ at first, and the outer iterations in which the direction has to show.
const RELAXED_KAPPA: f64 = 1e2;
const MAX_RELAXED: usize = 24;
/// Growth of κ, and its end: λ grows with κ times the violation.
const RELAXED_GROWTH: f64 = 10.0;
const LAST_RELAXED_KAPPA: f64 = 1e8;
/// Steps that agree to this share have reached their limit.
const SETTLED: f64 = 1e-10;

/// What is left of a problem without a solution.
pub(super) struct Relaxed {
    /// The problem with its violated rows moved.
    pub moved: MixedProblem,
    /// The largest violation.
    pub violation: f64,
    /// Without friction, the λ that gives the least violation: there is nothing more to solve.
    pub lambda: Option<Vec<f64>>,
}

impl Newton {
    /// The problem with its violated rows moved, and the largest violation, where a certificate proves that it has
    /// no solution.
    pub(super) fn relaxed(&mut self, problem: &MixedProblem, space: &mut BodySpace) -> Option<Relaxed> {
        let mut bare = problem.clone();
        for row in &mut bare.rows {
            if row.law.normal().is_some() {
                row.law = Law::Bounded { lower: 0.0, upper: 0.0 };
            }
        }
        space.begin(&bare, &vec![0.0; bare.rows.len()]);
        self.begin(space);
        space.measure(&bare);
        let mut kappa = RELAXED_KAPPA;
        let (mut proved, mut last) = (None, Vec::new());
        for _ in 0..MAX_RELAXED {
            self.noise = self.rounding_of_f(space);
            if !self.inner(space, kappa) {
                kappa *= BACK_OFF;
                continue;
            }
            let mut y = vec![0.0; bare.rows.len()];
            let mut violation = y.clone();
            for (row, step) in space.rows.iter().zip(&self.step) {
                y[row.source as usize] = *step;
                violation[row.source as usize] = step / row.stiffness(kappa).max(f64::MIN_POSITIVE);
            }
            self.advance(space);
            space.measure(&bare);
            if certificate::proves(problem, &y) {
                let most = SETTLED * crate::math::largest(violation.iter().copied());
                let settled = |(x, y): (&f64, &f64)| (x - y).abs() <= most;
                let done = last.len() == violation.len() && last.iter().zip(&violation).all(settled);
                last.clone_from(&violation);
                proved = Some(violation);
                if done {
                    break;
                }
            }
            kappa = (kappa * RELAXED_GROWTH).min(LAST_RELAXED_KAPPA);
        }
        let violation = proved?;
        let mut moved = problem.clone();
        for (row, violation) in moved.rows.iter_mut().zip(&violation) {
            row.bias += violation;
        }
        let frictionless = problem.rows.iter().all(|row| row.law.normal().is_none());
        let mut present = vec![0.0; problem.rows.len()];
        space.write_present(&mut present);
        let lambda = frictionless.then_some(present);
        Some(Relaxed { moved, violation: crate::math::largest(violation), lambda })
    }
}
