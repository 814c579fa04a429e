//! Farkas' certificate: the proof that a mixed problem has no solution, whatever its forces.
//!
//! ```text
//! W Jᵀy = 0 ,  c y = 0 ,  yᵢ ≥ 0 of unilateral rows, 0 of friction and towards finite bounds ,  (J v* + b)ᵀy < 0
//! ```
//!
//! Every velocity that impulses can reach has yᵀw = yᵀ(J v* + b), and a solution has yᵀw ≥ 0. Friction is left out:
//! its rows do not restrict w, so that y has to be zero on them.

use crate::lcp::mixed::problem::{Law, MixedProblem, MixedRow};
use crate::math::largest;
use glam::DVec3;

/// Share of its terms that a sum which should be zero may keep.
const ROUNDED: f64 = 1e-7;

/// Whether `y`, by row, is a certificate.
pub(in crate::lcp) fn proves(problem: &MixedProblem, y: &[f64]) -> bool {
    let (mut slope, mut terms) = (0.0, 0.0);
    let top = largest(problem.rows.iter().zip(y).map(|(row, y)| size(problem, row, *y)));
    for (row, &y) in problem.rows.iter().zip(y) {
        let nothing = size(problem, row, y) <= ROUNDED * top;
        let allowed = match row.law {
            Law::Equation => true,
            Law::Unilateral => y >= 0.0,
            Law::Bounded { lower, upper } => {
                (y <= 0.0 || upper.is_infinite()) && (y >= 0.0 || lower.is_infinite())
            }
            Law::Friction { .. } | Law::Sliding { .. } => false,
        };
        if !(allowed || nothing) {
            return false;
        }
        let w = row.rate(&problem.free) + row.bias;
        slope += y * w;
        terms += (y * w).abs();
    }
    slope < -ROUNDED * terms && moves_nothing(problem, y)
}

/// Whether the impulses `y` move no body: W Jᵀy = 0 and c y = 0.
pub(in crate::lcp) fn moves_nothing(problem: &MixedProblem, y: &[f64]) -> bool {
    let mut sum = vec![DVec3::ZERO; problem.weight.len()];
    let mut terms = sum.clone();
    let mut yielding = 0.0_f64;
    for (row, &y) in problem.rows.iter().zip(y) {
        yielding = yielding.max(row.compliance.sqrt() * y.abs());
        for (body, j) in [(row.a, row.ja), (row.b, row.jb)] {
            let weight = problem.weight[body];
            let push = DVec3::new(weight.x.sqrt(), weight.y.sqrt(), weight.z.sqrt()) * j * y;
            sum[body] += push;
            terms[body] += push.abs();
        }
    }
    let left = largest(sum.iter().flat_map(|x| x.to_array()));
    let scale = largest(terms.iter().flat_map(|x| x.to_array()));
    scale > 0.0 && left <= ROUNDED * scale && yielding <= ROUNDED * scale
}

/// √Aᵢᵢ |y|: in the kinetic energy's norm, whatever the masses.
fn size(problem: &MixedProblem, row: &MixedRow, y: f64) -> f64 {
    row.diagonal(&problem.weight).sqrt() * y.abs()
}
