//! Lemke's method on the mixed problem of a step: converted to a plain one (`polyhedral.rs`), solved, and judged as given.
//!
//! A warm start that solves the problem to rounding stays as it is, and no path is followed.

use crate::lcp::dense;
use crate::lcp::dense::scaled::Scaled;
use crate::lcp::dense::{LcpError, Pivots};
use crate::lcp::direct::equations::Equations;
use crate::lcp::info::ACCEPTED;
use crate::lcp::pivoting::polyhedral::PlainForm;
use crate::lcp::problem::acceptance::Acceptance;
use crate::lcp::problem::certificate;
use crate::lcp::problem::mixed::MixedProblem;
use crate::lcp::problem::solution::{MixedError, SolveResult, Solved};
use crate::parameter::Values;

/// A certificate is accepted if it proves that every solution changes a velocity by at least this many times the problem's speed:
/// a true certificate, but for its rounding, proves 1e9 times and more; that of a solvable problem no more than its solution's
/// change.
const OUT_OF_REACH: f64 = 1e6;
/// A residual of up to this share of the problem's speed is rounding: a thousandth of what counts as solved, some 10⁴ ε.
const ROUNDING: f64 = 1e-12;

/// Solves `problem`; `lambda` becomes the solution.
pub(crate) fn lemke(
    problem: &MixedProblem,
    acceptance: &Acceptance,
    values: &Values,
    equations: &mut Equations,
    lambda: &mut [f64],
) -> SolveResult {
    let solver = dense::lemke::INFO.key;
    equations.factor(problem).map_err(|_| MixedError::NotFinite)?;
    if lambda.iter().any(|x| *x != 0.0) && problem.residual(lambda) <= acceptance.tolerance(ROUNDING) {
        return Ok(Solved { solver, iterations: 0, infeasible: false, dependent: equations.dependent() });
    }
    let mut posed = PlainForm::new(problem.clone()).ok_or(MixedError::NotFinite)?;
    let expected = acceptance.tolerance(ACCEPTED);
    let solution = match dense::lemke::solve_scaled(
        posed.problem(),
        Scaled::without_units,
        values,
        &mut Pivots::default(),
    ) {
        Ok(solution) => solution,
        Err(LcpError::Ray { pivots, direction, infeasible }) => {
            let direction = posed.direction(&direction);
            // At large mass ratios, and with equations that nearly depend on each other, the plain problem's certificate may be
            // rounding.
            let is_out_of_reach =
                || certificate::least_change(problem, &direction) > OUT_OF_REACH * acceptance.speed();
            let infeasible = infeasible
                && certificate::moves_nothing(problem, &direction)
                && (problem.slides() || is_out_of_reach());
            return Err(MixedError::Ray { solver, pivots, direction, infeasible });
        }
        Err(LcpError::Inaccurate { residual, pivots: iterations }) => {
            return Err(MixedError::NotConverged { solver, residual, expected, iterations });
        }
        Err(LcpError::PivotLimit { pivots: iterations }) => {
            return Err(MixedError::NotConverged { solver, residual: f64::NAN, expected, iterations });
        }
        Err(LcpError::NotApplicable { reason, .. }) => {
            return Err(MixedError::NotApplicable { solver, reason });
        }
    };
    lambda.copy_from_slice(&posed.multipliers(&solution.z));
    let (residual, iterations) = (problem.residual(lambda), solution.pivots);
    if acceptance.admits(problem, lambda, residual, ACCEPTED) {
        Ok(Solved { solver, iterations, infeasible: false, dependent: equations.dependent() })
    } else {
        Err(MixedError::NotConverged { solver, residual, expected, iterations })
    }
}

/// Returns λ of `problem` and the number of pivots, without a warm start and without judging the residual of the problem as
/// given.
pub(crate) fn unjudged(problem: &MixedProblem) -> Option<(Vec<f64>, usize)> {
    let mut posed = PlainForm::new(problem.clone())?;
    let values = Values::defaults(dense::lemke::INFO.parameters);
    let solution =
        dense::lemke::solve_scaled(posed.problem(), Scaled::without_units, &values, &mut Pivots::default())
            .ok()?;
    let lambda = posed.multipliers(&solution.z);
    lambda.iter().all(|x| x.is_finite()).then_some((lambda, solution.pivots))
}
