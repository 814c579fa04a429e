//! Islands that several threads solve come to what one thread comes to, where one of them fails, too.

use super::mixed_problems::{box_weight, pyramid, row};
use driftlab::lcp::{Law, MixedProblem, MixedWorkspace, Solver};
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// `problem` with the bodies and rows of `other` as well; the ground is one body.
fn beside(problem: &mut MixedProblem, other: &MixedProblem) {
    let (bodies, rows) = (problem.inverse_mass.len() - 1, problem.rows.len());
    problem.inverse_mass.extend_from_slice(&other.inverse_mass[1..]);
    problem.free.extend_from_slice(&other.free[1..]);
    let moved = |body: usize| if body == 0 { 0 } else { body + bodies };
    problem.rows.extend(other.rows.iter().map(|row| {
        let mut row = driftlab::lcp::MixedRow { a: moved(row.a), b: moved(row.b), ..*row };
        if let Law::Friction { normal, .. } = &mut row.law {
            *normal += rows;
        }
        row
    }));
}

/// A body that one row wants to move up and another down: 0 ≤ λ ⊥ v − 1 ≥ 0 and −v − 1 ≥ 0 have no solution.
fn contradiction() -> MixedProblem {
    let mut problem = super::mixed_problems::bodies(&[box_weight(1.0, DVec2::ONE)]);
    for along in [DVec2::Y, -DVec2::Y] {
        problem.rows.push(row(0, 1, along, DVec2::ZERO, DVec2::ZERO, Law::Unilateral));
        problem.rows.last_mut().unwrap().bias = -1.0;
    }
    problem
}

/// 26 pyramids of 15 boxes, each with a push of its own, with no, one or two islands between them that have no solution, which
/// pivoting methods say by an error: the outcome, λ, v, what came of each island, or the error and the island that
/// failed, are those of one thread. The error is that of the first of the two islands.
#[test]
fn threads_change_neither_solutions_nor_errors() {
    let pools = [1, 2, 5]
        .map(|threads| Arc::new(rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()));
    for contradictions in [&[][..], &[14], &[23, 7]] {
        let mut problem = super::mixed_problems::bodies(&[]);
        let mut failing = Vec::new();
        for pile in 0..26 {
            if contradictions.contains(&pile) {
                failing.push([problem.rows.len() as u32, problem.rows.len() as u32 + 1]);
                beside(&mut problem, &contradiction());
            }
            let mut one = pyramid(5, 0.5);
            one.free[1 + pile % 15] += DVec3::new(0.1 * pile as f64, 0.1, -0.2);
            beside(&mut problem, &one);
        }
        for key in ["auto", "newton", "lemke", "pgs"] {
            let solver = Solver::by_key(key).unwrap();
            let [one, two, five] = pools.clone().map(|pool| {
                let mut workspace = MixedWorkspace::default().on_threads_of(pool);
                let (mut lambda, mut v) = (Vec::new(), Vec::new());
                let outcome = solver.solve_mixed(&problem, &mut lambda, &mut v, &mut workspace);
                let islands = workspace.islands().iter();
                let islands: Vec<_> =
                    islands.map(|island| (island.rows, island.trail, island.infeasible)).collect();
                let failed = workspace.failed().0.to_vec();
                let solution = outcome.is_ok().then(|| format!("{lambda:?} {v:?}"));
                (outcome, solution, islands, failed)
            });
            assert_eq!(one, two, "{key}, {contradictions:?}");
            assert_eq!(one, five, "{key}, {contradictions:?}");
            if key == "lemke" {
                assert_eq!(one.0.is_err(), !failing.is_empty());
                assert_eq!(one.3, failing.first().map_or(vec![], |rows| rows.to_vec()));
            }
        }
    }
}
