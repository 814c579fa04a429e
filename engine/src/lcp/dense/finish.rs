//! From a complementary basis to a solution in the problem's own numbers, or to the error that rounding has spoilt it.
//!
//! With α the indices of the basic z, M_αα z_α = −q_α is solved by the tableau's inverse and refined with M; where more than
//! rounding is left, by a fresh LU of the given numbers. What counts is the residual of the whole problem, in its own numbers: at
//! most 1e-9 of ‖q‖∞, or row by row no more than what rounds the terms of w = M z + q. A row with entries that are many powers of
//! ten larger than q loses as many digits of w, and no other z in floating point leaves a smaller residual.

use crate::lcp::dense::plain::Plain;
use crate::lcp::dense::problem::{LcpError, Solution};
use crate::lcp::dense::scaled::Scaled;
use crate::lcp::dense::tableau::Tableau;
use crate::lcp::info::{ACCEPTED, ROUNDED};
use crate::lcp::linear::lu::{Lu, subtract};
use crate::math::largest;

/// Most refinements of the final system; the first brings rounding level, the others are for bad condition.
const REFINEMENTS: usize = 3;

/// Residual, relative to ‖q‖∞, that is rounding: no other factorisation would leave less.
const ROUNDING: f64 = 1e-14;

/// Returns the solution that belongs to the tableau's basis.
pub(in crate::lcp) fn solution(
    problem: &Plain,
    scaled: &Scaled,
    tableau: &Tableau,
    pivots: usize,
) -> Result<Solution, LcpError> {
    let unit = largest(problem.q.iter().copied());
    // Written so that a NaN residual counts as worse.
    let better = |one: Solution, other: Solution| {
        if other.residual <= one.residual || one.residual.is_nan() { other } else { one }
    };
    let mut best = judged(problem, scaled, &tableau.refined(REFINEMENTS), pivots);
    if best.residual.is_nan() || best.residual > ROUNDING * unit {
        best = better(best, judged(problem, scaled, &tableau.z(), pivots));
        if let Some(z) = solved(scaled, &tableau.basic_z()) {
            best = better(best, judged(problem, scaled, &z, pivots));
        }
    }
    if best.residual <= ACCEPTED * unit || is_rounding(problem, &best) {
        Ok(best)
    } else {
        Err(LcpError::Inaccurate { residual: best.residual, pivots })
    }
}

/// Returns z = 0, w = q, for a q without negative entries.
pub(in crate::lcp) fn at_rest(problem: &Plain) -> Solution {
    let n = problem.n();
    Solution { z: vec![0.0; n], w: problem.q.clone(), residual: 0.0, pivots: 0 }
}

/// Whether no row's residual is more than rounding of the terms of its w.
fn is_rounding(problem: &Plain, Solution { z, w, .. }: &Solution) -> bool {
    (0..z.len()).all(|i| {
        let terms = problem.m.row(i).iter().map(|(j, entry)| (entry * z[j]).abs());
        let rounded = ROUNDED * f64::EPSILON * terms.fold(problem.q[i].abs(), f64::max);
        // Overflow and NaN do not count as rounding.
        w[i].is_finite() && rounded.is_finite() && z[i].min(w[i]).abs() <= rounded
    })
}

fn judged(problem: &Plain, scaled: &Scaled, z: &[f64], pivots: usize) -> Solution {
    // A basic variable of a degenerate solution is zero but for rounding.
    let z: Vec<_> = scaled.unscaled(z).into_iter().map(|z| if z < 0.0 { 0.0 } else { z }).collect();
    let (w, residual) = (problem.w(&z), problem.residual(&z));
    Solution { z, w, residual, pivots }
}

fn solved(scaled: &Scaled, alpha: &[usize]) -> Option<Vec<f64>> {
    let n = alpha.len();
    let mut block = Vec::with_capacity(n * n);
    alpha.iter().for_each(|&i| scaled.m.gather(i, alpha, &mut block));
    let mut lu = Lu::default();
    if !lu.factor(n, |a| a.extend_from_slice(&block)) {
        return None;
    }
    let (mut x, mut step) = (vec![0.0; n], Vec::new());
    for _ in 0..=REFINEMENTS {
        // r = −q − M x
        let mut r: Vec<f64> = alpha.iter().map(|&i| -scaled.q[i]).collect();
        for (r, row) in r.iter_mut().zip(block.chunks_exact(n.max(1))) {
            *r -= row.iter().zip(&x).map(|(m, x)| m * x).sum::<f64>();
        }
        lu.solve(&r, 1, &mut step);
        if step.iter().any(|x| !x.is_finite()) {
            return None;
        }
        subtract(&mut x, -1.0, &step);
    }
    let mut z = vec![0.0; scaled.n()];
    alpha.iter().zip(&x).for_each(|(&k, &x)| z[k] = x);
    Some(z)
}
