//! The solvers solve thousands of random problems of every matrix class that they cover.

use super::generators::{Random, frictional, p_matrix, semidefinite};
use super::{by_hand, residual, solve, solved};
use driftlab::lcp::LcpProblem;

/// Prints a summary of a class, visible with --nocapture.
fn tell(class: &str, problems: usize, worst: f64, pivots: usize) {
    println!("{class}: {problems} problems, worst scaled residual {worst:.1e}, most pivots {pivots}");
}

fn check(class: &str, keys: &[&str], problems: impl Iterator<Item = LcpProblem>) {
    let (mut count, mut worst, mut pivots) = (0, 0.0_f64, 0);
    for problem in problems {
        count += 1;
        for key in keys {
            let what = format!("{class} {count}, n = {}", problem.n());
            let solution = solved(key, &problem, &what);
            worst = worst.max(residual(&problem, &solution.z));
            pivots = pivots.max(solution.pivots);
        }
    }
    tell(class, count, worst, pivots);
}

/// With a P-matrix there is exactly one solution for every q, and both solvers find it.
#[test]
fn p_matrices_are_solved_and_their_solution_is_unique() {
    let mut random = Random(1);
    let (mut worst, mut pivots) = (0.0_f64, 0);
    for k in 0..2000 {
        let n = if k < 1950 { random.whole(1, 30) } else { random.whole(50, 120) };
        let problem = p_matrix(&mut random, n);
        let lemke = solved("lemke", &problem, "P-matrix");
        let dantzig = solved("dantzig", &problem, "P-matrix");
        let size = 1.0 + lemke.z.iter().fold(0.0_f64, |most, z| most.max(*z));
        assert!(super::near(&lemke.z, &dantzig.z, 1e-7 * size), "problem {k}, n = {n}");
        worst = worst.max(residual(&problem, &lemke.z)).max(residual(&problem, &dantzig.z));
        pivots = pivots.max(lemke.pivots).max(dantzig.pivots);
    }
    tell("P-matrices", 2000, worst, pivots);
}

/// With a symmetric semidefinite matrix both solvers find a solution and agree on w, which is unique, unlike z [Cottle, Pang &
/// Stone 1992, theorem 3.1.7].
#[test]
fn semidefinite_problems_are_solved_and_w_is_unique() {
    let mut random = Random(2);
    let (mut worst, mut pivots) = (0.0_f64, 0);
    for k in 0..2000 {
        let n = if k < 1950 { random.whole(1, 30) } else { random.whole(50, 150) };
        let rank = random.whole(1, n);
        let problem = semidefinite(&mut random, n, rank);
        let lemke = solved("lemke", &problem, "semidefinite");
        let dantzig = solved("dantzig", &problem, "semidefinite");
        let size = 1.0 + lemke.w.iter().fold(0.0_f64, |most, w| most.max(*w));
        assert!(super::near(&lemke.w, &dantzig.w, 1e-8 * size), "problem {k}, n = {n}, rank {rank}");
        worst = worst.max(residual(&problem, &lemke.z)).max(residual(&problem, &dantzig.z));
        pivots = pivots.max(lemke.pivots).max(dantzig.pivots);
    }
    tell("semidefinite", 2000, worst, pivots);
}

/// Frictional contact at the velocity level is always solvable [Anitescu & Potra 1997], and Lemke finds it.
#[test]
fn frictional_contact_is_solved() {
    let mut random = Random(3);
    let small = (0..1500).map(|_| {
        let contacts = random.whole(1, 12);
        frictional(&mut random, contacts, 0.0)
    });
    check("frictional, n to 48", &["lemke"], small);
    let mut random = Random(4);
    let large = (0..40).map(|k| frictional(&mut random, 14 + k, 0.0));
    check("frictional, n from 56 to 212", &["lemke"], large);
}

/// Definite problems D P D, D q with a scale of its own for each row, 1e-5 to 1e5, are solved however uneven they are:
/// the solution is that of P scaled back, and no row's residual is more than 1e-9 of ‖q‖∞ or than what rounds the terms
/// of its w. An entry of 1e9 beside one of 1e-10 leaves 1e-7 in whichever z, and was refused.
#[test]
fn definite_problems_of_uneven_scales_are_solved() {
    let mut state = 7_u64;
    let mut uniform = |low: f64, high: f64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    for _ in 0..400 {
        let (d, c) =
            ([10_f64.powf(uniform(-5.0, 5.0)), 10_f64.powf(uniform(-5.0, 5.0))], uniform(-0.95, 0.95));
        let q = [uniform(-0.1, 0.1), uniform(-0.1, 0.1)];
        let problem = by_hand([[d[0] * d[0], c * d[0] * d[1]], [c * d[0] * d[1], d[1] * d[1]]], q);
        // By cases, in x = D z: P x + p ⊥ x with p = D⁻¹ q.
        let p = [q[0] / d[0], q[1] / d[1]];
        let both = [(c * p[1] - p[0]) / (1.0 - c * c), (c * p[0] - p[1]) / (1.0 - c * c)];
        let x = match both {
            [x, y] if x > 0.0 && y > 0.0 => both,
            _ if p[0] < 0.0 && p[1] - c * p[0] >= 0.0 => [-p[0], 0.0],
            _ if p[1] < 0.0 && p[0] - c * p[1] >= 0.0 => [0.0, -p[1]],
            _ => [0.0, 0.0],
        };
        for key in ["lemke", "dantzig"] {
            let solution =
                solve(key, &problem).unwrap_or_else(|error| panic!("{key}: {error}, {problem:?}"));
            assert_eq!(solution.residual, problem.residual(&solution.z), "{key}");
            for i in 0..2 {
                let near = (d[i] * solution.z[i] - x[i]).abs() <= 1e-9 * x[0].abs().max(x[1].abs());
                assert!(near, "{key}: {solution:?}, {x:?} of {problem:?}");
                let terms =
                    (0..2).map(|j| (problem.row(i)[j] * solution.z[j]).abs()).fold(q[i].abs(), f64::max);
                let most = (1e-9 * q[0].abs().max(q[1].abs())).max(32.0 * f64::EPSILON * terms);
                assert!(
                    solution.z[i].min(solution.w[i]).abs() <= most,
                    "{key}: {solution:?} of {problem:?}"
                );
            }
        }
    }
}
