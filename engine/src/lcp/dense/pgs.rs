//! Projected Gauss–Seidel: rows are satisfied in turn, over and over.
//!
//! **Problem**: z ≥ 0, w = M z + q ≥ 0, zᵀw = 0, dense. `body_space/pgs.rs` applies the method to a step's problem.
//!
//! ```text
//! zᵢ ← max(0, zᵢ − wᵢ / Mᵢᵢ)
//! ```
//!
//! **Classes**: converges for symmetric positive semidefinite M with a positive diagonal where the problem is
//! solvable (in w; z need not converge), and for H₊-matrices.
//!
//! **Failure**: [`LcpError::NotApplicable`] where a diagonal entry is not positive, [`LcpError::Inaccurate`] where the sweeps do
//! not suffice.
//!
//! Source: [Cottle, Pang & Stone 1992, §5.3].

use crate::lcp::dense::pivots::Pivots;
use crate::lcp::dense::problem::{LcpError, LcpProblem, Solution};
use crate::lcp::info::{ACCEPTED, SolverInfo, TOLERANCE};
use crate::math::largest;
use crate::parameter::{Parameter, Values, integer};

/// The method's entry in the tables.
pub(in crate::lcp) static INFO: SolverInfo = SolverInfo {
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
pub(in crate::lcp) const SWEEPS_PER_CHECK: usize = 8;
/// Sweeps on a dense problem for each one that the parameter allows: a dense problem is to be solved to the accepted residual.
const DENSE_SWEEPS: usize = 1_000;

/// Solves `problem`, without pivots.
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

/// Returns the largest number of sweeps, and the tolerance.
pub(in crate::lcp) fn limits(values: &Values) -> (usize, f64) {
    let get = |p: &Parameter| values.get(p.key).unwrap_or(p.default);
    (get(&ITERATIONS) as usize, get(&TOLERANCE))
}
