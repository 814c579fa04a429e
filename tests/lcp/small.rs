//! Complementarity problems small enough to solve on paper, and the checks of input data.

use super::{by_hand, near, solve, solved};
use driftlab::lcp::{self, LcpError, LcpProblem, ProblemError};
use driftlab::parameter::Values;

/// The four active sets of a 2 × 2 problem with M = [[2, 1], [1, 2]] have the solutions found by hand.
#[test]
fn two_by_two_problems_come_out_as_on_paper() {
    let m = [[2.0, 1.0], [1.0, 2.0]];
    // Both clamped: 2a + b = 5, a + 2b = 6 → a = 4/3, b = 7/3.
    // One clamped: z₁ = 2, w₂ = 2 − 1 = 1, and its mirror image. None: z = 0.
    let cases = [
        ([-5.0, -6.0], [4.0 / 3.0, 7.0 / 3.0], [0.0, 0.0]),
        ([-4.0, -1.0], [2.0, 0.0], [0.0, 1.0]),
        ([-1.0, -4.0], [0.0, 2.0], [1.0, 0.0]),
        ([3.0, 0.0], [0.0, 0.0], [3.0, 0.0]),
    ];
    for (q, z, w) in cases {
        for key in ["lemke", "dantzig"] {
            let solution = solved(key, &by_hand(m, q), "on paper");
            assert!(near(&solution.z, &z, 1e-15) && near(&solution.w, &w, 2e-15), "{key}: {solution:?}");
        }
    }
}

/// A block on the ground, carried by λ_n = 10, is pushed aside: friction μ λ_n = 5 against a push of 8 leaves a sliding speed
/// of 3; against a push of 4 it sticks with β = 4, γ = 0.
#[test]
fn a_pushed_block_slides_or_sticks_as_on_paper() {
    let m = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, -1.0, 1.0], [0.0, -1.0, 1.0, 1.0], [0.5, -1.0, -1.0, 0.0]];
    let sliding = solved("lemke", &by_hand(m, [-10.0, 8.0, -8.0, 0.0]), "sliding");
    assert!(near(&sliding.z, &[10.0, 0.0, 5.0, 3.0], 1e-14), "{:?}", sliding.z);
    let sticking = solved("lemke", &by_hand(m, [-10.0, 4.0, -4.0, 0.0]), "sticking");
    assert!(near(&sticking.z[..1], &[10.0], 1e-14) && near(&sticking.z[3..], &[0.0], 1e-14));
    assert!((sticking.z[2] - sticking.z[1] - 4.0).abs() < 1e-14, "{:?}", sticking.z);
}

/// The residual is ‖min(z, M z + q)‖∞, and NaN where z contains NaN.
#[test]
fn the_residual_is_the_natural_one_and_keeps_nan() {
    let problem = by_hand([[2.0, 0.0], [0.0, 1.0]], [-4.0, 3.0]);
    // z = (1, −1): w = (−2, 2), min = (−2, −1).
    assert_eq!(problem.residual(&[1.0, -1.0]), 2.0);
    assert_eq!(problem.residual(&[2.0, 0.0]), 0.0);
    assert!(problem.residual(&[f64::NAN, 0.0]).is_nan());
    assert!(problem.residual(&[2.0, f64::NAN]).is_nan());
}

/// z = (0, 3) with w₁ = 3e308 − 5 is the only complementary pair of this problem, and w₁ is larger than any
/// floating-point number: no solver calls it a solution, since nothing about w₁ has been computed.
#[test]
fn what_overflows_is_not_called_solved() {
    let problem = by_hand([[2.0, 1e308], [1.0, 2.0]], [-5.0, -6.0]);
    assert_eq!(problem.residual(&[0.0, 3.0]), f64::INFINITY);
    for key in ["lemke", "dantzig", "pgs"] {
        let ended = solve(key, &problem);
        assert!(ended.is_err(), "{key}: {ended:?}");
    }
    let error = solve("pgs", &problem).unwrap_err();
    assert!(matches!(error, LcpError::Inaccurate { residual: f64::INFINITY, .. }), "{error:?}");
    assert!(error.to_string().contains("overflows"), "{error}");
}

/// Problems of the wrong size or with NaN or infinity are refused, naming the entry; the empty problem is solved.
#[test]
fn what_is_no_problem_is_refused() {
    assert_eq!(LcpProblem::new(vec![1.0; 3], vec![1.0; 2]), Err(ProblemError::Size { rows: 2, found: 3 }));
    let matrix = LcpProblem::new(vec![1.0, 0.0, f64::NAN, 1.0], vec![0.0; 2]);
    assert_eq!(matrix, Err(ProblemError::Matrix { row: 1, column: 0 }));
    let vector = LcpProblem::new(vec![1.0], vec![f64::INFINITY]);
    assert_eq!(vector, Err(ProblemError::Vector { row: 0 }));
    let empty = LcpProblem::new(vec![], vec![]).unwrap();
    assert!(
        solved("lemke", &empty, "empty").z.is_empty() && solved("dantzig", &empty, "empty").z.is_empty()
    );
}

/// A limit of two pivots is kept: Lemke's method ends with an error, Dantzig's with an error or after at most two pivots.
#[test]
fn the_pivot_limit_ends_with_an_error() {
    // Both rows are active: at least two pivots and, for Lemke's method, one of z₀. One pivot per row allows two.
    let problem = by_hand([[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0]);
    for key in ["lemke", "dantzig"] {
        let solver = lcp::complementarity(key).unwrap();
        let mut values = Values::defaults(solver.info().parameters);
        values.set("pivots_per_row", 1.0).unwrap();
        let ended = solver.solve(&problem, &values);
        let within = ended.is_ok_and(|solution| solution.pivots <= 2);
        let refused = matches!(solver.solve(&problem, &values), Err(LcpError::PivotLimit { pivots: 2 }));
        assert!(within || refused, "{key}");
        assert!(key != "lemke" || refused);
    }
}

/// A matrix with a ratio of 10²⁴ between its entries is solved to rounding, and numbers near the ends of the range give a
/// solution or an error, never NaN.
#[test]
fn absurd_numbers_give_a_solution_or_an_error() {
    // Diagonal: z = (1e12, 1e-12) on paper.
    let ratio = by_hand([[1e-12, 0.0], [0.0, 1e12]], [-1.0, -1.0]);
    for key in ["lemke", "dantzig"] {
        let solution = solved(key, &ratio, "mass ratio");
        assert!((solution.z[0] / 1e12 - 1.0).abs() < 1e-15 && (solution.z[1] / 1e-12 - 1.0).abs() < 1e-15);
        for size in [1e-308, 1e-200, 1e200, 1e308] {
            for push in [1e-308, 1.0, 1e308] {
                let problem = by_hand([[size, size / 2.0], [size / 2.0, size]], [-push, -push]);
                match solve(key, &problem) {
                    Ok(solution) => assert!(super::residual(&problem, &solution.z) <= super::ASKED),
                    Err(LcpError::Ray { infeasible, .. }) => assert!(!infeasible, "{key} {size} {push}"),
                    Err(_) => {}
                }
            }
        }
    }
}

/// If z₀ and another variable tie in the ratio test, z₀ leaves: these problems have the solution z = (1, 0), while the purely
/// lexicographic choice would keep z₀ = 0 basic and end on a ray (M is not copositive-plus).
#[test]
fn the_covering_variable_leaves_first_among_equals() {
    for m in [[[2.0, 0.0], [1.0, 0.0]], [[2.0, 2.0], [1.0, 0.0]], [[2.0, 2.0], [1.0, -2.0]]] {
        let solution = solved("lemke", &by_hand(m, [-2.0, -1.0]), "z₀ among equals");
        assert!(near(&solution.z, &[1.0, 0.0], 1e-15), "{:?}", solution.z);
    }
}
