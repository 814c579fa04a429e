//! The complementarity solvers return a solution to rounding, judged with the matrix as given, or an error.

mod block;
mod certificates;
#[cfg(feature = "app")]
mod command;
mod degenerate;
mod friction;
mod generators;
#[cfg(feature = "parallel")]
mod islands;
mod mixed;
mod mixed_parts;
mod mixed_problems;
#[cfg(feature = "app")]
mod opened;
#[cfg(feature = "app")]
mod pivots;
mod random;
mod small;
#[cfg(feature = "scene")]
mod uniqueness;
mod warm;

use driftlab::lcp::{self, LcpError, LcpProblem, Solution};
use driftlab::parameter::Values;

/// Largest accepted residual of a solution: ‖min(z, w)‖∞ ≤ this · ‖q‖∞.
const ASKED: f64 = 1e-9;

/// Solves with the solver of that name at its defaults.
fn solve(key: &str, problem: &LcpProblem) -> Result<Solution, LcpError> {
    let solver = lcp::complementarity(key).unwrap();
    solver.solve(problem, &Values::defaults(solver.info().parameters))
}

/// The scaled residual ‖min(z, M z + q)‖∞/‖q‖∞, computed independently of the library.
fn residual(problem: &LcpProblem, z: &[f64]) -> f64 {
    assert_eq!(z.len(), problem.n());
    let mut worst: f64 = 0.0;
    for (i, &z_i) in z.iter().enumerate() {
        let w: f64 = problem.q()[i] + problem.row(i).iter().zip(z).map(|(m, z)| m * z).sum::<f64>();
        assert!(w.is_finite() && z_i.is_finite());
        worst = worst.max(z_i.min(w).abs());
    }
    let size = problem.q().iter().fold(0.0_f64, |most, q| most.max(q.abs()));
    if worst == 0.0 { 0.0 } else { worst / size }
}

/// Solves, asserts that the residual is accepted, that z ≥ 0 and that w and the reported residual belong to z.
fn solved(key: &str, problem: &LcpProblem, what: &str) -> Solution {
    let solution = solve(key, problem).unwrap_or_else(|error| panic!("{what}, {key}: {error}"));
    let found = residual(problem, &solution.z);
    assert!(found <= ASKED, "{what}, {key}: residual {found:e}");
    assert!(solution.z.iter().all(|&z| z >= 0.0), "{what}, {key}: negative z");
    assert_eq!(solution.w, problem.w(&solution.z), "{what}, {key}");
    assert_eq!(solution.residual, problem.residual(&solution.z), "{what}, {key}");
    solution
}

/// Whether y proves that no z ≥ 0 has M z + q ≥ 0 [Farkas]: y ≥ 0, Mᵀy ≤ 0 up to rounding, qᵀy < 0.
fn proves_infeasibility(problem: &LcpProblem, y: &[f64]) -> bool {
    let column = |j: usize| (0..problem.n()).map(|i| problem.row(i)[j] * y[i]).sum::<f64>();
    let slope: f64 = problem.q().iter().zip(y).map(|(q, y)| q * y).sum();
    y.iter().all(|&y| y >= 0.0) && slope < 0.0 && (0..problem.n()).all(|j| column(j) <= 1e-9 * -slope)
}

/// Rows and right-hand side of a problem written out by hand.
fn by_hand<const N: usize>(m: [[f64; N]; N], q: [f64; N]) -> LcpProblem {
    LcpProblem::new(m.concat(), q.to_vec()).unwrap()
}

fn near(found: &[f64], expected: &[f64], tolerance: f64) -> bool {
    found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= tolerance)
}
