//! From a complementary basis to a solution in the problem's own numbers, or the honest statement that
//! rounding has spoilt it.
//!
//! With α the indices of the basic z, M_αα z_α = −q_α is solved by a fresh LU of the given numbers and refined;
//! what counts is the residual of the whole problem.

use super::lu::{Lu, subtract};
use super::problem::{ACCEPTED, LcpError, LcpProblem, Solution};
use super::scaled::Scaled;
use super::tableau::Tableau;
use crate::math::largest;

/// Most refinements of the final system; the first brings rounding level, the others are for bad condition.
const REFINEMENTS: usize = 3;

/// The solution that the tableau's basis stands for.
pub(super) fn solution(
    problem: &LcpProblem,
    scaled: &Scaled,
    tableau: &Tableau,
    pivots: usize,
) -> Result<Solution, LcpError> {
    let pivoted = judged(problem, scaled, &tableau.z(), pivots);
    let best = match solved(scaled, &tableau.basic_z()) {
        Some(z) => {
            let fresh = judged(problem, scaled, &z, pivots);
            // Written so that NaN loses.
            if fresh.residual <= pivoted.residual || pivoted.residual.is_nan() { fresh } else { pivoted }
        }
        None => pivoted,
    };
    match best.residual <= ACCEPTED * (1.0 + largest(problem.q().iter().copied())) {
        true => Ok(best),
        false => Err(LcpError::Inaccurate { residual: best.residual, pivots }),
    }
}

/// z = 0, w = q, for q that is nowhere negative.
pub(super) fn at_rest(problem: &LcpProblem) -> Solution {
    let n = problem.n();
    Solution { z: vec![0.0; n], w: problem.q().to_vec(), residual: 0.0, pivots: 0 }
}

fn judged(problem: &LcpProblem, scaled: &Scaled, z: &[f64], pivots: usize) -> Solution {
    // A basic variable of a degenerate solution is zero but for rounding.
    let z: Vec<_> = scaled.unscaled(z).into_iter().map(|z| if z < 0.0 { 0.0 } else { z }).collect();
    let (w, residual) = (problem.w(&z), problem.residual(&z));
    Solution { z, w, residual, pivots }
}

fn solved(scaled: &Scaled, alpha: &[usize]) -> Option<Vec<f64>> {
    let n = alpha.len();
    let row = |i: usize| alpha.iter().map(move |&j| scaled.row(i)[j]);
    let block: Vec<f64> = alpha.iter().flat_map(|&i| row(i)).collect();
    let lu = Lu::factor(block.clone(), n)?;
    let mut x = vec![0.0; n];
    for _ in 0..=REFINEMENTS {
        // r = −q − M x
        let mut r: Vec<f64> = alpha.iter().map(|&i| -scaled.q[i]).collect();
        for (r, row) in r.iter_mut().zip(block.chunks_exact(n.max(1))) {
            *r -= row.iter().zip(&x).map(|(m, x)| m * x).sum::<f64>();
        }
        let step = lu.solve(&r, 1);
        if step.iter().any(|x| !x.is_finite()) {
            return None;
        }
        subtract(&mut x, -1.0, &step);
    }
    let mut z = vec![0.0; scaled.n];
    alpha.iter().zip(&x).for_each(|(&k, &x)| z[k] = x);
    Some(z)
}
