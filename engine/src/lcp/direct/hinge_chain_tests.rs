//! The chain solver gives the λ of the general factorisation, but for rounding: which of them solves a problem must not show.

use super::delassus::{Accuracy, Delassus};
use super::hinge_chain::HingeChains;
use crate::lcp::problem::mixed::{Law, MixedProblem, MixedRow};
use crate::math::largest;
use glam::DVec3;

/// `links` bodies of uneven mass that hang from body 0, hinge i between i and i + 1, with levers and velocities that have no
/// regularity; every third hinge has its bodies the other way round.
fn chain(links: usize) -> MixedProblem {
    let irregular = |i: usize| (0.37 + 0.618_033_988_749_895 * i as f64).fract() - 0.5;
    let mut problem = MixedProblem::default();
    for body in 0..=links {
        let w = if body == 0 { 0.0 } else { 0.3 + irregular(7 * body).abs() };
        problem.inverse_mass.push(DVec3::new(w, w, 17.0 * w));
        let v = [1, 2, 3].map(|i| if body == 0 { 0.0 } else { irregular(11 * body + i) });
        problem.free.push(v.into());
    }
    for hinge in 0..links {
        let [ax, ay, bx, by, cx, cy] = [1, 2, 3, 4, 5, 6].map(|i| irregular(13 * hinge + i));
        let (a, b) = if hinge % 3 == 2 { (hinge + 1, hinge) } else { (hinge, hinge + 1) };
        let row = |axis: DVec3, za, zb, bias| MixedRow {
            a,
            b,
            ja: DVec3::new(0.0, 0.0, za) - axis,
            jb: DVec3::new(0.0, 0.0, zb) + axis,
            bias,
            compliance: 0.0,
            law: Law::Equation,
            further: None,
        };
        problem.rows.push(row(DVec3::X, ay, -by, cx));
        problem.rows.push(row(DVec3::Y, -ax, bx, cy));
    }
    problem
}

fn difference(one: &[f64], other: &[f64]) -> f64 {
    assert_eq!(one.len(), other.len());
    largest(one.iter().zip(other).map(|(x, y)| x - y))
}

fn flat(v: &[DVec3]) -> Vec<f64> {
    v.iter().flat_map(|v| v.to_array()).collect()
}

/// λ and v⁺ of the whole matrix A.
fn expected(problem: &MixedProblem) -> (Vec<f64>, Vec<DVec3>) {
    let (mut matrix, mut v) = (Delassus::default(), Vec::new());
    matrix.factor(problem.rows.len(), |i| &problem.rows[i], &problem.inverse_mass).unwrap();
    let rhs: Vec<f64> = problem.rows.iter().map(|row| -(row.rate(&problem.free) + row.bias)).collect();
    let mut lambda = vec![0.0; rhs.len()];
    matrix.solve(&rhs, &mut lambda);
    problem.velocity(&lambda, &mut v);
    (lambda, v)
}

fn left(problem: &MixedProblem, v: &[DVec3]) -> f64 {
    largest(problem.rows.iter().map(|row| row.rate(v) + row.bias))
}

/// Chains of any length, refined, by one substitution, and for another right-hand side.
#[test]
fn chains_have_the_solution_of_any_rows() {
    for links in [1, 2, 3, 4, 10, 57, 58] {
        let problem = chain(links);
        let (expected, moved) = expected(&problem);
        let size = largest(expected.iter().copied());
        let (mut chains, mut lambda, mut v) = (HingeChains::default(), Vec::new(), Vec::new());
        for accuracy in [Accuracy::Once, Accuracy::Refined] {
            let residual = chains.solve(&problem, accuracy, &mut lambda, &mut v).unwrap();
            assert!(difference(&lambda, &expected) < 1e-13 * size, "{links} links, {accuracy:?}");
            assert!(difference(&flat(&v), &flat(&moved)) < 1e-13 * size, "{links} links, {accuracy:?}");
            assert!(left(&problem, &v) < 1e-14);
            assert!(accuracy == Accuracy::Once || residual < 1e-14);
        }
        let rhs: Vec<f64> = problem.rows.iter().map(|row| -(row.rate(&problem.free) + row.bias)).collect();
        let mut again = vec![0.0; rhs.len()];
        assert!(chains.solve_again(&rhs, &mut again) < 1e-14);
        assert!(difference(&again, &expected) < 1e-13 * size, "{links} links, again");
    }
}

/// Several chains that hang from one wall, or from each end on two, beside each other.
#[test]
fn chains_on_a_common_wall_are_solved_apart() {
    let (mut problem, other) = (chain(7), chain(4));
    let first = problem.inverse_mass.len() - 1;
    problem.inverse_mass.extend(&other.inverse_mass[1..]);
    problem.free.extend(&other.free[1..]);
    let moved = |body: usize| if body == 0 { 0 } else { body + first };
    problem.rows.extend(other.rows.iter().map(|row| MixedRow { a: moved(row.a), b: moved(row.b), ..*row }));
    let last = problem.inverse_mass.len() - 1;
    // The end of the second chain on the wall, too.
    let hold = |row: &MixedRow| MixedRow { a: last, b: 0, bias: 0.1, ..*row };
    problem.rows.extend(chain(1).rows.iter().map(hold));
    let (expected, _) = expected(&problem);
    let (mut chains, mut lambda, mut v) = (HingeChains::default(), Vec::new(), Vec::new());
    assert!(chains.solve(&problem, Accuracy::Refined, &mut lambda, &mut v).unwrap() < 1e-14);
    assert!(difference(&lambda, &expected) < 1e-13 * largest(expected.iter().copied()));
}

/// Every second link is 10⁴ times as heavy as its neighbours: the residual is no larger than that of the refined general
/// factorisation.
#[test]
fn light_links_between_heavy_bodies_are_refined() {
    let mut problem = chain(20);
    for inverse_mass in problem.inverse_mass.iter_mut().skip(2).step_by(2) {
        *inverse_mass *= 1e-4;
    }
    let (mut chains, mut lambda, mut v) = (HingeChains::default(), Vec::new(), Vec::new());
    assert!(chains.solve(&problem, Accuracy::Refined, &mut lambda, &mut v).is_some());
    let (_, moved) = expected(&problem);
    assert!(left(&problem, &v) <= left(&problem, &moved), "{}", left(&problem, &v));
}

/// Hinges are told by their rows alone: memory of other chains changes no bit, and a problem with any other row is left to the
/// general factorisation.
#[test]
fn hinges_are_told_by_their_rows() {
    let (other, mut held) = (chain(9), chain(6));
    held.inverse_mass[6] = DVec3::ZERO; // the same bodies, of which others can move
    let solve = |memory: &mut HingeChains, problem: &MixedProblem| {
        let (mut lambda, mut v) = (Vec::new(), Vec::new());
        memory.solve(problem, Accuracy::Refined, &mut lambda, &mut v).map(|_| lambda)
    };
    let mut used = HingeChains::default();
    for problem in [&chain(6), &held, &other, &held] {
        let fresh = solve(&mut HingeChains::default(), problem);
        assert!(fresh.is_some() && solve(&mut used, problem) == fresh);
        let (expected, _) = expected(problem);
        assert!(difference(&fresh.unwrap(), &expected) < 1e-13 * largest(expected.iter().copied()));
    }
    let changes: [fn(&mut MixedProblem); 8] = [
        |problem| problem.rows[3].compliance = 1e-9,
        |problem| problem.rows[4].law = Law::Unilateral,
        |problem| problem.rows[5].jb.x = 1e-3,
        |problem| problem.rows[6].ja *= 2.0,
        |problem| problem.rows[7].ja = DVec3::ZERO,
        |problem| problem.rows[9].a = 0,
        |problem| problem.rows.swap(2, 3),
        |problem| problem.rows.truncate(11),
    ];
    for (at, change) in changes.into_iter().enumerate() {
        let mut problem = chain(6);
        change(&mut problem);
        assert_eq!(solve(&mut used, &problem), None, "change {at}");
        assert!(solve(&mut used, &chain(6)).is_some());
    }
}
