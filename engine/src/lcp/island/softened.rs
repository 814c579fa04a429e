//! The problem of rows that yield (`yielding.rs`), and how far a solution of it moves the bodies.

use crate::lcp::mixed::problem::{Law, MixedProblem};
use crate::math::largest;

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
