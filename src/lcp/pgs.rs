//! Projected Gauss–Seidel: rows are satisfied in turn, over and over.
//!
//! **Problem**: the mixed problem of `mixed.rs` in body space, and the dense z ≥ 0, w = M z + q ≥ 0, zᵀw = 0.
//!
//! ```text
//! λᵢ ← Πᵢ(λᵢ − wᵢ / Aᵢᵢ) ,   v ← v + W Jᵢᵀ Δλᵢ          zᵢ ← max(0, zᵢ − wᵢ / Mᵢᵢ)
//! ```
//!
//! **Classes**: converges for symmetric positive semidefinite M with a positive diagonal where the problem is
//! solvable (in w; z need not converge), and for H₊-matrices. With friction there is no proof; in practice it
//! converges, linearly, at a rate that worsens with the square of the length of chains and stacks.
//!
//! **Failure**: in a step none: it sweeps as often as it may and reports the residual that is left. It is here
//! for comparison. A dense problem is judged as by every solver of that table.
//!
//! Source: [Cottle, Pang & Stone 1992, §5.3]; [Catto 2005] (sequential impulses).

use super::mixed::MixedProblem;
use super::problem::{ACCEPTED, LcpError, LcpProblem, Solution};
use super::{LcpSolver, SolverInfo, TOLERANCE};
use crate::math::largest;
use crate::parameter::{Parameter, ParameterKind, Values};
use glam::DVec3;

/// The method's entry in the tables.
pub(super) static INFO: SolverInfo = SolverInfo {
    key: "pgs",
    name: "Projected Gauss–Seidel",
    summary: "Sweeps over the rows from the warm start; cheap, slow to converge, for comparison.",
    source: "Cottle, Pang & Stone 1992, §5.3; Catto 2005",
    parameters: &[ITERATIONS, TOLERANCE],
};

const ITERATIONS: Parameter = Parameter {
    key: "iterations",
    symbol: "",
    unit: "",
    minimum: 1.0,
    maximum: 1e7,
    default: 100.0,
    kind: ParameterKind::Integer,
    meaning: "Sweeps over all rows, unless the tolerance is met before.",
};

/// Sweeps between measurements of the residual, each of which costs about a sweep.
const SWEEPS_PER_CHECK: usize = 8;
/// A dense problem is to be solved exactly: its sweeps are this many times the parameter.
const DENSE_PATIENCE: usize = 1_000;

/// Projected Gauss–Seidel for dense problems.
pub(super) struct Pgs;

impl LcpSolver for Pgs {
    fn info(&self) -> &'static SolverInfo {
        &INFO
    }

    fn solve(&self, problem: &LcpProblem, values: &Values) -> Result<Solution, LcpError> {
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
        while residual > tolerance.min(accepted) && swept < sweeps.saturating_mul(DENSE_PATIENCE) {
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
        match residual <= accepted {
            true => Ok(Solution { w: problem.w(&z), z, residual, pivots: swept }),
            false => Err(LcpError::Inaccurate { residual, pivots: swept }),
        }
    }
}

fn limits(values: &Values) -> (usize, f64) {
    let get = |p: &Parameter| values.get(p.key).unwrap_or(p.default);
    (get(&ITERATIONS) as usize, get(&TOLERANCE))
}

/// Sweeps over `problem` from the warm start `lambda` until ‖r‖∞ is at most `tolerance`; returns how often. `v` is scratch.
pub(super) fn sweep(
    problem: &MixedProblem,
    values: &Values,
    tolerance: f64,
    lambda: &mut [f64],
    v: &mut Vec<DVec3>,
) -> usize {
    let (sweeps, _) = limits(values);
    for swept in 0..sweeps {
        // Afresh now and then, so that rounding does not gather in v.
        if swept % SWEEPS_PER_CHECK == 0 {
            problem.velocity(lambda, v);
            let residual = largest((0..lambda.len()).map(|i| problem.row_residual(i, v, lambda)));
            if residual <= tolerance {
                return swept;
            }
        }
        for (i, row) in problem.rows.iter().enumerate() {
            let diagonal = row.diagonal(&problem.weight);
            if diagonal > 0.0 {
                let [lower, upper] = problem.bounds(i, lambda);
                let next = (lambda[i] - problem.w(i, v, lambda) / diagonal).max(lower).min(upper);
                row.push(next - lambda[i], &problem.weight, v);
                lambda[i] = next;
            }
        }
    }
    sweeps
}
