//! Projected Gauss–Seidel on a step's problem: rows are satisfied in turn, over and over.
//!
//! **Problem**: the mixed problem of `problem/mixed.rs`, v kept up to date beside λ.
//!
//! ```text
//! λᵢ ← Πᵢ(λᵢ − wᵢ / Aᵢᵢ) ,   v ← v + W Jᵢᵀ Δλᵢ
//! ```
//!
//! **Classes**: without friction every solvable problem; w converges, λ need not. With friction there is no proof; in
//! practice it converges, linearly, at a rate that worsens with the square of the length of chains and stacks.
//!
//! **Failure**: none. After the largest number of sweeps the residual that is left is reported. The method is included for
//! comparison.
//!
//! Source: [Cottle, Pang & Stone 1992, §5.3]; [Catto 2005] (sequential impulses).

use crate::lcp::dense::pgs::{SWEEPS_PER_CHECK, limits};
use crate::lcp::problem::mixed::MixedProblem;
use crate::math::largest;
use crate::parameter::Values;
use glam::DVec3;

/// Sweeps over `problem` from the warm start `lambda` until ‖r‖∞ is at most `tolerance`; returns the number of sweeps. `v` is
/// scratch.
pub(crate) fn sweep(
    problem: &MixedProblem,
    values: &Values,
    tolerance: f64,
    lambda: &mut [f64],
    v: &mut Vec<DVec3>,
) -> usize {
    let (sweeps, _) = limits(values);
    for swept in 0..sweeps {
        // v is computed afresh now and then, so that rounding does not accumulate.
        if swept % SWEEPS_PER_CHECK == 0 {
            problem.velocity(lambda, v);
            let residual = largest((0..lambda.len()).map(|i| problem.row_residual(i, v, lambda)));
            if residual <= tolerance {
                return swept;
            }
        }
        for (i, row) in problem.rows.iter().enumerate() {
            let diagonal = row.diagonal(&problem.inverse_mass);
            if diagonal > 0.0 {
                let [lower, upper] = problem.bounds(i, lambda);
                let next = (lambda[i] - problem.w(i, v, lambda) / diagonal).max(lower).min(upper);
                row.push(next - lambda[i], &problem.inverse_mass, v);
                lambda[i] = next;
            }
        }
    }
    sweeps
}
