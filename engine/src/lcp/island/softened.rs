//! The problem of rows that yield (`yielding.rs`), how far a solution of it moves the bodies, and Lemke's method and sweeps on it.

use crate::lcp::bodies::pgs;
use crate::lcp::delassus::lemke;
use crate::lcp::dense;
use crate::lcp::info::ACCEPTED;
use crate::lcp::mixed::Acceptance;
use crate::lcp::mixed::problem::{Law, MixedProblem};
use crate::math::largest;
use crate::parameter::Values;

/// κ of rows that yield no more in the end, one after the other.
const KAPPA: [f64; 2] = [1e6, 1e8];
/// Steps of the method of multipliers for each, and the share of the residual that a step has to leave at most.
const STEPS: usize = 20;
const FALLING: f64 = 0.5;

/// λ of `problem` by Lemke's method on rows that yield, and yield no more in the end, with the pivots that it took: the method of
/// multipliers of `yielding.rs`, for as long as its residual falls.
pub(super) fn lemke_by_multipliers(
    problem: &MixedProblem,
    acceptance: &Acceptance,
) -> Option<(Vec<f64>, usize)> {
    let mut pivots = 0;
    for kappa in KAPPA {
        let mut soft = softened(problem, kappa);
        let mut residual = f64::INFINITY;
        for _ in 0..STEPS {
            let Some((lambda, spent)) = lemke::unjudged(&soft) else { break };
            pivots += spent;
            let left = problem.residual(&lambda);
            if acceptance.admits(problem, &lambda, left, ACCEPTED) {
                return Some((lambda, pivots));
            }
            // Written so that NaN ends it.
            let falls = left <= FALLING * residual;
            if !falls {
                break;
            }
            residual = left;
            take_back(&mut soft, problem, &lambda);
        }
    }
    None
}

/// Gives the rows of `soft`, which is `problem` with more compliance, the offset that takes back what `lambda` yields.
pub(super) fn take_back(soft: &mut MixedProblem, problem: &MixedProblem, lambda: &[f64]) {
    for ((soft, row), lambda) in soft.rows.iter_mut().zip(&problem.rows).zip(lambda) {
        soft.bias = row.bias - (soft.compliance - row.compliance) * lambda;
    }
}

/// `problem` with the compliance Aᵢᵢ/κ on every row but friction. Rows that move nothing stay without λ.
pub(super) fn softened(problem: &MixedProblem, kappa: f64) -> MixedProblem {
    let mut soft = problem.clone();
    for row in soft.rows.iter_mut().filter(|row| row.law.normal().is_none()) {
        let diagonal = row.diagonal(&problem.weight);
        if diagonal > 0.0 {
            row.compliance += diagonal / kappa;
        } else {
            row.law = Law::Bounded { lower: 0.0, upper: 0.0 };
        }
    }
    soft
}

/// Makes `lambda` that of rows with κ = 1 by sweeps, which divide by Aᵢᵢ alone: where rounding spoils all else, of bodies that a blow-up
/// has carried 10⁹ m away, or of masses in a ratio of 10¹³. Returns how many.
pub(super) fn sweep(problem: &MixedProblem, lambda: &mut [f64]) -> usize {
    lambda.fill(0.0);
    let values = Values::defaults(dense::pgs::INFO.parameters);
    let (soft, mut v) = (softened(problem, 1.0), Vec::new());
    pgs::sweep(&soft, &values, ACCEPTED * soft.free_speed(), lambda, &mut v)
}

/// The largest change of a body's velocity, √(Δv² + k²Δω²) with its radius of gyration k.
pub(super) fn largest_change(problem: &MixedProblem, lambda: &[f64]) -> f64 {
    let mut v = Vec::new();
    problem.velocity(lambda, &mut v);
    let changes = v.iter().zip(&problem.free).zip(&problem.weight).map(|((v, free), weight)| {
        let change = *v - *free;
        let gyration = if weight.z > 0.0 { weight.x / weight.z } else { 0.0 };
        (change.x * change.x + change.y * change.y + gyration * change.z * change.z).sqrt()
    });
    largest(changes)
}
