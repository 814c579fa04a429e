//! Lemke's method on the mixed problem of a step: posed as a plain one (`polyhedral.rs`), solved, judged as given.

use super::certificate;
use super::equations::Equations;
use super::lemke;
use super::mixed::{MixedError, MixedProblem};
use super::polyhedral::Polyhedral;
use super::problem::{ACCEPTED, LcpError};
use super::solve::{Solved, accepted};
use crate::parameter::Values;

/// Solves `problem`; `lambda` becomes the solution.
pub(super) fn lemke(
    problem: &MixedProblem,
    values: &Values,
    equations: &mut Equations,
    lambda: &mut [f64],
) -> Result<Solved, MixedError> {
    let solver = lemke::INFO.key;
    let posed = Polyhedral::new(problem, equations).ok_or(MixedError::NotFinite)?;
    let expected = accepted(problem, ACCEPTED);
    let solution = match lemke::solve(&posed.plain, values) {
        Ok(solution) => solution,
        Err(LcpError::Ray { pivots, direction, infeasible }) => {
            let direction = posed.direction(problem, equations, &direction);
            // At large mass ratios the plain problem's certificate may be rounding.
            let infeasible = infeasible && certificate::moves_nothing(problem, &direction);
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
    lambda.copy_from_slice(&posed.multipliers(problem, equations, &solution.z));
    let (residual, iterations) = (problem.residual(lambda), solution.pivots);
    match residual <= expected {
        true => Ok(Solved { solver, iterations, infeasible: false, dependent: equations.dependent() }),
        false => Err(MixedError::NotConverged { solver, residual, expected, iterations }),
    }
}
