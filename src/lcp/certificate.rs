//! Farkas' certificate: the proof that a mixed problem has no solution, whatever its forces.
//!
//! ```text
//! W Jᵀy = 0 ,  c y = 0 ,  yᵢ ≥ 0 of unilateral rows, 0 of friction and towards finite bounds ,  (J v* + b)ᵀy < 0
//! ```
//!
//! Every velocity that impulses can reach has yᵀw = yᵀ(J v* + b), and a solution has yᵀw ≥ 0. Friction is left out:
//! it does not restrict w, so a proof that needs it is none.

use super::mixed::{Law, MixedProblem};
use crate::math::largest;
use glam::DVec3;

/// Share of its terms that a sum which should be zero may keep.
const ROUNDED: f64 = 1e-7;

/// Whether `y`, by row, is a certificate.
pub(super) fn proves(problem: &MixedProblem, y: &[f64]) -> bool {
    let mut sum = vec![DVec3::ZERO; problem.weight.len()];
    let mut terms = sum.clone();
    let mut slope = 0.0;
    // Aᵢᵢ y² measures y in the kinetic energy's norm, whatever the masses.
    let top = largest(problem.rows.iter().zip(y).map(|(row, y)| row.diagonal(&problem.weight).sqrt() * y));
    let mut rate = 0.0;
    for (row, &y) in problem.rows.iter().zip(y) {
        let size = row.diagonal(&problem.weight).sqrt() * y.abs();
        let allowed = match row.law {
            Law::Equation => true,
            Law::Unilateral => y >= -ROUNDED * top,
            Law::Bounded { lower, upper } => {
                (y <= 0.0 || upper.is_infinite() || size <= ROUNDED * top)
                    && (y >= 0.0 || lower.is_infinite() || size <= ROUNDED * top)
            }
            Law::Friction { .. } => size <= ROUNDED * top,
        };
        if !allowed || row.compliance * y.abs() > ROUNDED * row.diagonal(&problem.weight) * y.abs() {
            return false;
        }
        let w = row.rate(&problem.free) + row.bias;
        slope += y * w;
        rate += (y * w).abs();
        for (body, j) in [(row.a, row.ja), (row.b, row.jb)] {
            let weight = problem.weight[body];
            let push = DVec3::new(weight.x.sqrt(), weight.y.sqrt(), weight.z.sqrt()) * j * y;
            sum[body] += push;
            terms[body] += push.abs();
        }
    }
    let left = largest(sum.iter().flat_map(|x| x.to_array()));
    let scale = largest(terms.iter().flat_map(|x| x.to_array()));
    // The second test: what Wᐟ²Jᵀy is not zero by cannot make up for the slope at velocities of the size of w.
    top > 0.0 && left <= ROUNDED * scale && slope < -ROUNDED * rate
}
