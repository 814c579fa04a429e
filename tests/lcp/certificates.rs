//! Problems without a solution end with an error, with a proof of infeasibility where there is one, never with a solution.

use super::generators::{Random, infeasible};
use super::{by_hand, proves_infeasibility, solve};
use driftlab::lcp::LcpError;

/// On problems that are infeasible by construction both solvers end on a ray marked infeasible, whose direction is a Farkas
/// certificate.
#[test]
fn infeasible_problems_end_on_a_ray_that_proves_it() {
    let mut random = Random(6);
    for k in 0..1500 {
        let n = if k < 1480 { random.whole(2, 30) } else { 120 };
        let rank = random.whole(1, n - 1);
        let (problem, proof) = infeasible(&mut random, n, rank);
        assert!(proves_infeasibility(&problem, &proof), "the generator's own proof, problem {k}");
        for key in ["lemke", "dantzig"] {
            let Err(LcpError::Ray { direction, infeasible, .. }) = solve(key, &problem) else {
                panic!("{key}, problem {k}, n = {n}, rank {rank}: {:?}", solve(key, &problem));
            };
            assert!(infeasible, "{key}, problem {k}, n = {n}, rank {rank}");
            assert!(proves_infeasibility(&problem, &direction), "{key}, problem {k}");
        }
    }
}

/// A feasible problem without a solution is an error but not called infeasible. M = [[0, 1], [0, 0]] gives
/// w = (z₂ + q₁, q₂). With q = (−1, 1) every z₂ ≥ 1 is feasible and has z₂ w₂ = z₂ > 0: no solution. With q = (−1, 0),
/// z = (0, 1) is a solution; the matrix is not copositive-plus, so Lemke may miss it, but must not call it infeasible.
#[test]
fn a_feasible_problem_without_a_solution_is_not_called_infeasible() {
    let unsolvable = by_hand([[0.0, 1.0], [0.0, 0.0]], [-1.0, 1.0]);
    assert!(matches!(solve("lemke", &unsolvable), Err(LcpError::Ray { infeasible: false, .. })));
    assert!(solve("dantzig", &unsolvable).is_err());
    let solvable = by_hand([[0.0, 1.0], [0.0, 0.0]], [-1.0, 0.0]);
    match solve("lemke", &solvable) {
        Ok(solution) => assert!(super::residual(&solvable, &solution.z) <= super::ASKED),
        Err(error) => assert!(matches!(error, LcpError::Ray { infeasible: false, .. }), "{error}"),
    }
}

/// 300 random feasible problems without a solution are errors and not called infeasible: M = [[0, A], [0, 0]] with A > 0 and
/// q = (−a, b), a, b > 0, is feasible for large z₂, but z₂ ≠ 0 would need b = 0.
#[test]
fn feasible_but_unsolvable_problems_get_no_answer() {
    let mut random = Random(7);
    for k in 0..300 {
        let half = random.whole(1, 8);
        let n = 2 * half;
        let mut m = vec![0.0; n * n];
        for i in 0..half {
            (half..n).for_each(|j| m[i * n + j] = random.within(0.1, 1.0));
        }
        let q = (0..n).map(|i| random.within(0.1, 1.0) * if i < half { -1.0 } else { 1.0 }).collect();
        let problem = driftlab::lcp::LcpProblem::new(m, q).unwrap();
        for key in ["lemke", "dantzig"] {
            let error = solve(key, &problem).expect_err("there is no solution");
            assert!(
                !matches!(error, LcpError::Ray { infeasible: true, .. }),
                "{key}, problem {k}: {error}"
            );
        }
        assert!(matches!(solve("lemke", &problem), Err(LcpError::Ray { .. })), "problem {k}");
    }
}

/// Random matrices, hardly ever semidefinite or P-matrices: whatever a solver returns as a solution meets the accepted
/// residual, whatever it calls infeasible comes with a valid certificate, and everything else is an error.
#[test]
fn solvers_are_honest_outside_their_classes() {
    let mut random = Random(8);
    for k in 0..2000 {
        let n = random.whole(1, 15);
        let problem = driftlab::lcp::LcpProblem::new(random.list(n * n), random.list(n)).unwrap();
        for key in ["lemke", "dantzig"] {
            match solve(key, &problem) {
                Ok(solution) => assert!(super::residual(&problem, &solution.z) <= super::ASKED),
                Err(LcpError::Ray { infeasible: true, direction, .. }) => {
                    assert!(proves_infeasibility(&problem, &direction), "{key}, problem {k}");
                }
                Err(LcpError::NotApplicable { .. }) if key == "dantzig" => {}
                Err(LcpError::Ray { .. } | LcpError::PivotLimit { .. }) => {}
                Err(error) => panic!("{key}, problem {k}: {error}"),
            }
        }
    }
}
