//! Projected Gauss–Seidel: rows are satisfied in turn, over and over.
//!
//! **Problem**: that of a step (`problem/mixed.rs`), with v kept up to date beside λ; or z ≥ 0, w = M z + q ≥ 0, zᵀw = 0, dense.
//!
//! ```text
//! λᵢ ← Πᵢ(λᵢ − wᵢ / Aᵢᵢ) ,   v ← v + W Jᵢᵀ Δλᵢ                       Πᵢ the projection onto the row's bounds
//! zᵢ ← max(0, zᵢ − wᵢ / Mᵢᵢ)
//! ```
//!
//! **Classes**: for symmetric positive semidefinite M with a positive diagonal, as without friction in a step, every solvable
//! problem: w converges, λ and z need not; and H₊-matrices. With friction there is no proof; in practice it converges, linearly,
//! at a rate that worsens with the square of the length of chains and stacks.
//!
//! **Failure**: none in a step, where the residual that is left after the largest number of sweeps is reported: the method is
//! included for comparison. Of a dense problem [`LcpError::NotApplicable`] where a diagonal entry is not positive,
//! [`LcpError::Inaccurate`] where the sweeps do not suffice.
//!
//! Source: [Cottle, Pang & Stone 1992, §5.3]; [Catto 2005] (sequential impulses).

use crate::lcp::dense::{LcpError, LcpProblem, Pivots, Solution};
use crate::lcp::info::{ACCEPTED, SolverInfo, TOLERANCE};
use crate::lcp::problem::mixed::MixedProblem;
use crate::math::largest;
use crate::parameter::{Parameter, Values, integer};
use glam::DVec3;

/// The method's entry in the tables.
pub(crate) static INFO: SolverInfo = SolverInfo {
    key: "pgs",
    name: "Projected Gauss–Seidel",
    summary: "Sweeps over the rows from the warm start; cheap, slow to converge, for comparison.",
    source: "Cottle, Pang & Stone 1992, §5.3; Catto 2005",
    parameters: &[ITERATIONS, TOLERANCE],
};

const ITERATIONS: Parameter = Parameter {
    meaning: "Sweeps over all rows, unless the tolerance is met before.",
    ..integer("iterations", "sweeps", "", [1.0, 1e7], 100.0)
};

/// Sweeps between measurements of the residual, each of which costs about a sweep.
const SWEEPS_PER_CHECK: usize = 8;
/// Sweeps on a dense problem for each one that the parameter allows: a dense problem is to be solved to the accepted residual.
const DENSE_SWEEPS: usize = 1_000;

/// Solves a dense problem, without pivots.
pub(super) fn solve(problem: &LcpProblem, values: &Values, _: &mut Pivots) -> Result<Solution, LcpError> {
    let n = problem.n();
    if (0..n).any(|i| problem.row(i)[i] <= 0.0 && largest(problem.row(i).iter().copied()) > 0.0) {
        let reason = "a diagonal entry is not positive";
        return Err(LcpError::NotApplicable { reason, pivots: 0 });
    }
    let (sweeps, tolerance) = limits(values);
    let size = largest(problem.q().iter().copied());
    let (accepted, tolerance) = (ACCEPTED * size, tolerance * size);
    let mut z = vec![0.0; n];
    let mut residual = problem.residual(&z);
    let mut swept = 0;
    while residual > tolerance.min(accepted) && swept < sweeps.saturating_mul(DENSE_SWEEPS) {
        for i in (0..n).filter(|&i| problem.row(i)[i] > 0.0) {
            let w = problem.q()[i] + problem.row(i).iter().zip(&z).map(|(m, z)| m * z).sum::<f64>();
            z[i] = (z[i] - w / problem.row(i)[i]).max(0.0);
        }
        swept += 1;
        if swept % SWEEPS_PER_CHECK == 0 {
            residual = problem.residual(&z);
        }
    }
    residual = problem.residual(&z);
    if residual <= accepted {
        Ok(Solution { w: problem.w(&z), z, residual, pivots: swept })
    } else {
        Err(LcpError::Inaccurate { residual, pivots: swept })
    }
}

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

/// Returns the largest number of sweeps, and the tolerance.
fn limits(values: &Values) -> (usize, f64) {
    let get = |p: &Parameter| values.get(p.key).unwrap_or(p.default);
    (get(&ITERATIONS) as usize, get(&TOLERANCE))
}
