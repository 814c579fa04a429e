//! The solvers solve thousands of random problems of every matrix class that they cover.

use super::generators::{Random, frictional, p_matrix, semidefinite};
use super::{residual, solved};
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
