//! Protects the truth about problems without a solution: a ray, and a proof where there is one, never a number.

use super::generators::{Random, infeasible};
use super::{by_hand, proves_infeasibility, solve};
use driftlab::lcp::LcpError;

/// Infeasible by construction, with Farkas' certificate from the generator: both solvers end on a ray, say
/// 'infeasible', and their direction is a certificate, too.
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

/// M = [[0, 1], [0, 0]]: w = (z₂ + q₁, q₂). With q = (−1, 1) every z₂ ≥ 1 is feasible and has z₂ w₂ = z₂ > 0: no
/// solution. With q = (−1, 0), z = (0, 1) solves it; the matrix is not copositive-plus, so Lemke may miss that,
/// but not deny that a feasible point exists.
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

/// The same in numbers: a block [[0, A], [0, 0]] with A > 0 and q = (−a, b), a, b > 0, is feasible (large z₂)
/// and has no solution (z₂ ≠ 0 needs b = 0). No solver may give one, nor claim that no point is feasible.
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

/// A matrix that is neither semidefinite nor a P-matrix: Dantzig solves it truly or says that it is not for him.
#[test]
fn dantzig_is_honest_outside_his_classes() {
    let mut random = Random(8);
    let mut refused = 0;
    for k in 0..2000 {
        let n = random.whole(1, 15);
        let problem = driftlab::lcp::LcpProblem::new(random.list(n * n), random.list(n)).unwrap();
        for key in ["lemke", "dantzig"] {
            match solve(key, &problem) {
                Ok(solution) => assert!(super::residual(&problem, &solution.z) <= super::ASKED),
                Err(LcpError::Ray { infeasible: true, direction, .. }) => {
                    assert!(proves_infeasibility(&problem, &direction), "{key}, problem {k}");
                }
                Err(LcpError::NotApplicable { .. }) if key == "dantzig" => refused += 1,
                Err(LcpError::Ray { .. } | LcpError::PivotLimit { .. }) => {}
                Err(error) => panic!("{key}, problem {k}: {error}"),
            }
        }
    }
    assert!(refused > 0);
}
