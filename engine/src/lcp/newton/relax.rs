//! Islands without a solution: the proof, and the velocity that violates their rows least.
//!
//! Where no velocity meets the rows, the proximal iteration without friction does not stop: its steps Δ tend to a
//! direction y with Jᵀy = 0, and w to the violation −Δ/ρ̃ that is least in the norm Σ wᵢ²/Aᵢᵢ [Rockafellar 1976].
//! y is Farkas' certificate (`problem/certificate.rs`). Each row's b is then moved by its violation, and the problem
//! with friction is solved for these rows: its λ is finite, since that problem is feasible.

use super::{BACK_OFF, INFO, Newton, NewtonEffort, RELAXED_SHARE};
use crate::lcp::body_space::BodySpace;
use crate::lcp::problem::certificate;
use crate::lcp::problem::mixed::{Law, MixedProblem};
use crate::lcp::problem::solution::{MixedError, SolveResult, Solved};
use crate::math::largest;

/// Initial κ: two decades below that of a problem with a solution, since here λ does not settle. Of the most outer iterations six
/// lead from there to the largest κ; the others allow for failures, and let the direction settle.
const RELAXED_KAPPA: f64 = 1e2;
const MAX_RELAXED: usize = 24;
/// Factor of κ, which gains a digit of the direction each time, and the largest κ: λ grows with κ times the violation, and 1e8
/// leaves eight of its sixteen digits.
const RELAXED_GROWTH: f64 = 10.0;
const LAST_RELAXED_KAPPA: f64 = 1e8;
/// Steps that agree to this share have reached their limit: two digits beyond what the last κ leaves.
const SETTLED: f64 = 1e-10;

/// The least violation of a problem without a solution; both lists are by row.
pub(crate) struct LeastViolation {
    /// The violation of each row, friction left out.
    pub violation: Vec<f64>,
    /// λ with this violation.
    pub lambda: Vec<f64>,
}

impl Newton {
    /// Returns the least violation, where it is proved that there is no solution.
    pub fn least(&mut self, problem: &MixedProblem, space: &mut BodySpace) -> Option<LeastViolation> {
        let bare = without_friction(problem);
        space.begin(&bare, &vec![0.0; bare.rows.len()]);
        self.begin(space);
        space.measure();
        let mut kappa = RELAXED_KAPPA;
        let (mut proved, mut last) = (None, Vec::new());
        for _ in 0..MAX_RELAXED {
            if !self.inner(space, kappa, usize::MAX) {
                kappa *= BACK_OFF;
                continue;
            }
            let steps = space.rows.iter().zip(&self.step);
            let violation: Vec<f64> =
                steps.map(|(row, step)| step / row.stiffness(kappa).max(f64::MIN_POSITIVE)).collect();
            space.advance(&self.states, &self.step);
            space.measure();
            if certificate::proves(problem, &self.step) {
                let most = SETTLED * largest(violation.iter().copied());
                let unchanged = |(x, y): (&f64, &f64)| (x - y).abs() <= most;
                let done = last.len() == violation.len() && last.iter().zip(&violation).all(unchanged);
                last.clone_from(&violation);
                proved = Some(violation);
                if done {
                    break;
                }
            }
            kappa = (kappa * RELAXED_GROWTH).min(LAST_RELAXED_KAPPA);
        }
        proved.map(|violation| LeastViolation { violation, lambda: space.lambda.clone() })
    }

    /// Solves the problem with each row's b moved by its violation; `lambda`, the warm start, becomes the solution.
    pub fn solve_moved(
        &mut self,
        problem: &MixedProblem,
        space: &mut BodySpace,
        tolerance: f64,
        lambda: &mut [f64],
        least: &LeastViolation,
    ) -> SolveResult {
        let solved = |iterations| Solved { solver: INFO.key, iterations, infeasible: true, dependent: 0 };
        if problem.rows.iter().all(|row| row.law.normal().is_none()) {
            lambda.copy_from_slice(&least.lambda);
            return Ok(solved(0));
        }
        let mut moved = problem.clone();
        for (row, violation) in moved.rows.iter_mut().zip(&least.violation) {
            row.bias += violation;
        }
        space.begin(&moved, lambda);
        self.begin(space);
        self.ending = self.iterate(space, tolerance, NewtonEffort::FULL);
        space.write_best(lambda);
        let (residual, iterations) = (space.residual, self.factorisations);
        let expected = tolerance.max(RELAXED_SHARE * largest(least.violation.iter().copied()));
        if residual <= expected {
            Ok(solved(iterations))
        } else {
            Err(MixedError::NotConverged { solver: INFO.key, residual, expected, iterations })
        }
    }
}

/// Returns `problem` with friction held at zero.
pub(crate) fn without_friction(problem: &MixedProblem) -> MixedProblem {
    let mut bare = problem.clone();
    for row in bare.rows.iter_mut().filter(|row| row.law.normal().is_some()) {
        row.law = Law::Bounded { lower: 0.0, upper: 0.0 };
    }
    bare
}
