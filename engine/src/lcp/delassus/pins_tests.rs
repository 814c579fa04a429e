//! Pins in chains have the λ that any rows have, but for rounding: whether a problem takes the short way is no matter of physics.

use super::matrix::{Accuracy, Delassus};
use super::pins::Pins;
use crate::lcp::mixed::problem::{Law, MixedProblem, MixedRow};
use crate::math::largest;
use glam::DVec3;

/// `links` bodies of uneven mass that hang from body 0, pin i between i and i + 1, with levers and velocities that have no
/// regularity; every third pin has its bodies the other way round.
fn chain(links: usize) -> MixedProblem {
    let irregular = |i: usize| (0.37 + 0.618_033_988_749_895 * i as f64).fract() - 0.5;
    let mut problem = MixedProblem::default();
    for body in 0..=links {
        let w = if body == 0 { 0.0 } else { 0.3 + irregular(7 * body).abs() };
        problem.weight.push(DVec3::new(w, w, 17.0 * w));
        let v = [1, 2, 3].map(|i| if body == 0 { 0.0 } else { irregular(11 * body + i) });
        problem.free.push(v.into());
    }
    for pin in 0..links {
        let [ax, ay, bx, by, cx, cy] = [1, 2, 3, 4, 5, 6].map(|i| irregular(13 * pin + i));
        let (a, b) = if pin % 3 == 2 { (pin + 1, pin) } else { (pin, pin + 1) };
        let row = |axis: DVec3, za, zb, bias| MixedRow {
            a,
            b,
            ja: DVec3::new(0.0, 0.0, za) - axis,
            jb: DVec3::new(0.0, 0.0, zb) + axis,
            bias,
            compliance: 0.0,
            law: Law::Equation,
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

#[test]
fn pins_have_the_solution_of_any_rows() {
    for links in [1, 2, 3, 4, 10, 57, 58] {
        let problem = chain(links);
        let mut matrix = Delassus::default();
        matrix.factor(problem.rows.len(), |i| &problem.rows[i], &problem.weight, &[]).unwrap();
        let rhs: Vec<f64> = problem.rows.iter().map(|row| -(row.rate(&problem.free) + row.bias)).collect();
        let (mut expected, mut moved) = (vec![0.0; rhs.len()], Vec::new());
        matrix.solve(&rhs, &mut expected);
        problem.velocity(&expected, &mut moved);
        let size = largest(expected.iter().copied());

        let (mut pins, mut lambda, mut v) = (Pins::default(), Vec::new(), Vec::new());
        pins.take_up(&problem);
        let unseen = pins.solve(&problem, Accuracy::Once, &mut lambda, &mut v);
        assert!(unseen.is_some_and(f64::is_nan));
        assert!(difference(&lambda, &expected) < 1e-13 * size, "{links} links, once");
        let residual = pins.solve(&problem, Accuracy::Refined, &mut lambda, &mut v);
        assert!(difference(&lambda, &expected) < 1e-13 * size, "{links} links");
        assert!(difference(&flat(&v), &flat(&moved)) < 1e-13 * size, "{links} links");
        assert!(residual.unwrap() < 1e-14);
        let left = problem.rows.iter().map(|row| row.rate(&v) + row.bias);
        assert!(largest(left) < 1e-14);
        assert!(pins.share(1.0) > 0.0 && pins.share(0.0) == 0.0);

        let mut again = vec![0.0; rhs.len()];
        assert!(pins.solve_again(&rhs, &mut again) < 1e-14);
        assert!(difference(&again, &expected) < 1e-13 * size, "{links} links, again");
    }
}

#[test]
fn light_links_between_heavy_bodies_are_refined() {
    // Every second link is 10⁴ times as heavy as its neighbours.
    let mut problem = chain(20);
    for weight in problem.weight.iter_mut().skip(2).step_by(2) {
        *weight *= 1e-4;
    }
    let (mut pins, mut lambda, mut v) = (Pins::default(), Vec::new(), Vec::new());
    pins.take_up(&problem);
    assert!(pins.solve(&problem, Accuracy::Refined, &mut lambda, &mut v).is_some());
    let left = |v: &[DVec3]| largest(problem.rows.iter().map(|row| row.rate(v) + row.bias));
    // As little as by the factors of the whole matrix, which are refined as well.
    let (mut matrix, mut expected, mut moved) = (Delassus::default(), vec![0.0; 40], Vec::new());
    matrix.factor(problem.rows.len(), |i| &problem.rows[i], &problem.weight, &[]).unwrap();
    let rhs: Vec<f64> = problem.rows.iter().map(|row| -(row.rate(&problem.free) + row.bias)).collect();
    matrix.solve(&rhs, &mut expected);
    problem.velocity(&expected, &mut moved);
    assert!(left(&v) <= left(&moved), "{} {}", left(&v), left(&moved));
}

#[test]
fn other_rows_between_the_same_bodies_are_not_taken_for_pins() {
    let problem = chain(5);
    let mut pins = Pins::default();
    pins.take_up(&problem);
    let solves = |pins: &mut Pins, problem: &MixedProblem| {
        let asked = Accuracy::Refined;
        pins.solve(problem, asked, &mut Vec::new(), &mut Vec::new()).is_some()
    };
    assert!(solves(&mut pins, &problem));
    let changes: [fn(&mut MixedRow); 5] = [
        |row| row.compliance = 1e-3,
        |row| row.ja.x = 0.5,
        |row| row.jb.y = 1e-3,
        |row| row.law = Law::Unilateral,
        |row| row.a = 0,
    ];
    for change in changes {
        let mut other = problem.clone();
        change(&mut other.rows[7]);
        assert!(!solves(&mut pins, &other));
        assert!(!pins.has_solved());
    }
    assert!(solves(&mut pins, &problem));
    // A body that is pinned to the wall at two points: one row depends on the others.
    let mut twice = chain(1);
    twice.rows.extend(chain(2).rows.into_iter().skip(2).map(|row| MixedRow { a: 0, b: 1, ..row }));
    pins.take_up(&twice);
    assert!(!solves(&mut pins, &twice));
}
