//! Farkas' certificate: the proof that a mixed problem has no solution, whatever its forces.
//!
//! ```text
//! W Jᵀy = 0 ,  c y = 0 ,  yᵢ ≥ 0 of unilateral rows, 0 of friction and towards finite bounds ,  (J v* + b)ᵀy < 0
//! ```
//!
//! Every velocity that impulses can reach has yᵀw = yᵀ(J v* + b), and a solution has yᵀw ≥ 0. Friction is left out:
//! its rows do not restrict w, so that y has to be zero on them.
//!
//! **Where y does not quite cancel**, W Jᵀy ≠ 0, it proves less, but still something: yᵀw = yᵀ(J v* + b) + (Jᵀy)ᵀ(v − v*) ≥ 0
//! asks for a change of velocity. With the speed |Δ|ᵦ = √(Δv² + k²Δω²) of body β, its radius of gyration k, and the dual norm
//! √(f² + (τ/k)²) of its share (f, τ) of Jᵀy,
//!
//! ```text
//! max |v − v*|ᵦ ≥ −(J v* + b)ᵀy / Σ √(fᵦ² + (τᵦ/kᵦ)²)   weak duality of linear programming; ∞ for a certificate
//! ```
//!
//! in every solution, whatever the friction.

use crate::lcp::problem::mixed::{Law, MixedProblem, MixedRow};
use crate::math::largest;
use glam::DVec3;

/// Largest remainder of a sum that should be zero, as a share of its terms: half of the digits, since y is a solver's result.
const ROUNDED_CERTIFICATE: f64 = 1e-7;

/// Returns the bounds of a certificate's entry: w of an equation is given, and w of other rows as far as λ has no bound.
fn allowed(law: Law) -> [f64; 2] {
    let [lower, upper] = match law {
        Law::Equation => [f64::NEG_INFINITY, f64::INFINITY],
        Law::Unilateral => [0.0, f64::INFINITY],
        Law::Bounded { lower, upper } => [lower, upper],
        Law::Friction { .. } | Law::Sliding { .. } => [0.0, 0.0],
    };
    [lower, upper].map(|bound| if bound.is_infinite() { bound } else { 0.0 })
}

/// Whether `y`, by row, is a certificate.
pub(crate) fn proves(problem: &MixedProblem, y: &[f64]) -> bool {
    let (mut slope, mut terms) = (0.0, 0.0);
    let top = largest(problem.rows.iter().zip(y).map(|(row, y)| size(problem, row, *y)));
    for (row, &y) in problem.rows.iter().zip(y) {
        let nothing = size(problem, row, y) <= ROUNDED_CERTIFICATE * top;
        let [least, most] = allowed(row.law);
        if !(nothing || y >= least && y <= most) {
            return false;
        }
        let w = row.rate(&problem.free) + row.bias;
        slope += y * w;
        terms += (y * w).abs();
    }
    slope < -ROUNDED_CERTIFICATE * terms && moves_nothing(problem, y)
}

/// Whether all rows are satisfied if every movable body stands still: then there is no certificate, and looking for one is
/// pointless. Impulses that stop all bodies exist as well, whatever the friction [Anitescu & Potra 1997], if equations do not
/// contradict each other.
pub(crate) fn is_feasible_at_rest(problem: &MixedProblem) -> bool {
    let still = |body: usize| problem.inverse_mass[body] != DVec3::ZERO;
    let free = |body: usize| if still(body) { DVec3::ZERO } else { problem.free[body] };
    problem.rows.iter().all(|row| {
        let rate: f64 = row.arms().map(|(body, j)| j.dot(free(body))).sum();
        let w = rate + row.bias;
        let [least, most] = allowed(row.law);
        (w >= 0.0 || most == 0.0) && (w <= 0.0 || least == 0.0)
    })
}

/// Returns the lower bound, proved by `y`, of the largest change of a body's velocity in any solution, √(Δv² + k²Δω²) in m/s.
/// Entries of `y`, by row, that have to be zero or have the wrong sign are left out. 0 where `y` proves nothing.
pub(crate) fn least_change(problem: &MixedProblem, y: &[f64]) -> f64 {
    let mut pull = vec![DVec3::ZERO; problem.inverse_mass.len()];
    let mut slope = 0.0;
    for (row, &y) in problem.rows.iter().zip(y) {
        let [least, most] = allowed(row.law);
        let y = if row.compliance > 0.0 { 0.0 } else { y.clamp(least, most) };
        slope += y * (row.rate(&problem.free) + row.bias);
        row.arms().for_each(|(body, j)| pull[body] += y * j);
    }
    let shares = pull.iter().zip(&problem.inverse_mass).map(|(pull, inverse_mass)| {
        let force = if inverse_mass.x > 0.0 { pull.x * pull.x + pull.y * pull.y } else { 0.0 };
        let turning =
            if inverse_mass.x > 0.0 { pull.z * pull.z * inverse_mass.z / inverse_mass.x } else { 0.0 };
        (force + turning).sqrt()
    });
    let change = -slope / shares.sum::<f64>();
    if change > 0.0 { change } else { 0.0 }
}

/// Whether the impulses `y` move no body: W Jᵀy = 0 and c y = 0.
pub(crate) fn moves_nothing(problem: &MixedProblem, y: &[f64]) -> bool {
    let mut sum = vec![DVec3::ZERO; problem.inverse_mass.len()];
    let mut terms = sum.clone();
    let mut yielding = 0.0_f64;
    for (row, &y) in problem.rows.iter().zip(y) {
        yielding = yielding.max(row.compliance.sqrt() * y.abs());
        for (body, j) in row.arms() {
            let inverse_mass = problem.inverse_mass[body];
            let push =
                DVec3::new(inverse_mass.x.sqrt(), inverse_mass.y.sqrt(), inverse_mass.z.sqrt()) * j * y;
            sum[body] += push;
            terms[body] += push.abs();
        }
    }
    let left = largest(sum.iter().flat_map(|x| x.to_array()));
    let scale = largest(terms.iter().flat_map(|x| x.to_array()));
    scale > 0.0 && left <= ROUNDED_CERTIFICATE * scale && yielding <= ROUNDED_CERTIFICATE * scale
}

/// Returns √Aᵢᵢ |y|, the size in the kinetic-energy norm.
fn size(problem: &MixedProblem, row: &MixedRow, y: f64) -> f64 {
    row.diagonal(&problem.inverse_mass).sqrt() * y.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk between two walls whose normals (1, ε) and (−1, ε) nearly oppose each other, each row asking for 1 m/s: it has to
    /// leave along y with 1/ε, which y = (1, 1) proves, Jᵀy = (0, 2ε). With ε = 0 there is no solution, and a wrong sign proves
    /// nothing.
    #[test]
    fn a_wedge_leaves_with_the_speed_that_its_angle_asks_for() {
        let wedge = |slope: f64| {
            let row = |x: f64| MixedRow {
                a: 0,
                b: 0,
                ja: DVec3::ZERO,
                jb: DVec3::new(x, slope, 0.0),
                bias: -1.0,
                compliance: 0.0,
                law: Law::Unilateral,
                further: None,
            };
            let (inverse_mass, free) = (vec![DVec3::new(0.5, 0.5, 3.0)], vec![DVec3::ZERO]);
            MixedProblem { inverse_mass, free, rows: vec![row(1.0), row(-1.0)], ..MixedProblem::default() }
        };
        for slope in [1e-1, 1e-4, 1e-6] {
            let change = least_change(&wedge(slope), &[1.0, 1.0]);
            assert!((change * slope - 1.0).abs() < 1e-12, "{change}");
            assert!(!proves(&wedge(slope), &[1.0, 1.0]));
        }
        assert!(least_change(&wedge(0.0), &[2.0, 2.0]).is_infinite());
        assert!(proves(&wedge(0.0), &[2.0, 2.0]));
        assert_eq!(least_change(&wedge(1e-3), &[-1.0, -1.0]), 0.0);
    }
}
