//! Non-unique solutions are detected: impulses that may be exchanged without changing the motion, and velocities that
//! Coulomb's law does not determine.

use super::generators::Random;
use super::mixed::{solve, solve_from};
use super::mixed_problems::{FALL, Recipe, bodies, box_weight, contact, random, row, stack};
use driftlab::experiment::{Uniqueness, uniqueness};
use driftlab::lcp::{Law, MixedProblem};
use glam::{DVec2, DVec3};

fn examine(key: &str, problem: &MixedProblem) -> Uniqueness {
    uniqueness(problem, &solve(key, problem).unwrap().lambda)
}

/// The two contacts of a box at rest carry m g h/2 each, and their friction impulses may be opposite, each up to μ m g h/2: the
/// impulses are not unique in one direction, over a range of 2 μ relative to the largest impulse, and the velocity is unique.
#[test]
fn friction_of_two_contacts_may_be_exchanged() {
    for key in ["newton", "lemke", "interior"] {
        for mu in [0.25, 0.5] {
            let found = examine(key, &stack(&[1.0], mu));
            assert_eq!((found.directions, found.ambiguous, found.searched), (1, 0, 1), "{key}");
            assert!((found.exchange - 2.0 * mu).abs() < 1e-9, "{key}: {}", found.exchange);
            assert_eq!((found.apart, found.unexamined), (0.0, 0));
        }
    }
}

/// The impulses of four frictionless contacts in a line under a box are not unique in two directions, whichever solution is
/// examined: one with all contacts loaded, or a vertex with two unloaded contacts, as a pivoting method finds.
#[test]
fn a_vertex_is_as_ambiguous_as_the_inside() {
    let mut problem = bodies(&[box_weight(1.0, DVec2::ONE)]);
    problem.free[1].y = -FALL;
    for x in [-0.5, -0.25, 0.25, 0.5] {
        problem.rows.push(row(0, 1, DVec2::Y, DVec2::ZERO, DVec2::new(x, -0.5), Law::Unilateral));
    }
    for start in [[0.5, 0.0, 0.0, 0.5], [0.0, 0.5, 0.5, 0.0], [0.25; 4]] {
        let lambda: Vec<f64> = start.iter().map(|share| share * FALL).collect();
        assert!(problem.residual(&lambda) < 1e-15);
        let found = uniqueness(&problem, &lambda);
        assert_eq!((found.directions, found.searched, found.unexamined), (2, 0, 0), "{start:?}");
        assert!(found.exchange > 0.0 && found.exchange.is_finite());
    }
}

/// Bounds remove directions: with the load m g h at the right corner of a box on four contacts, only that corner can carry, so
/// that the impulses are unique although every w is zero.
#[test]
fn bounds_that_cannot_be_left_take_directions_away() {
    let mut problem = bodies(&[box_weight(1.0, DVec2::ONE)]);
    // v* of a blow by −m g h at the right corner: ω = r × J/I = 0.5 · (−g h)/(1/6).
    problem.free[1] = DVec3::new(0.0, -FALL, -3.0 * FALL);
    for x in [-0.5, 0.0, 0.25, 0.5] {
        problem.rows.push(row(0, 1, DVec2::Y, DVec2::ZERO, DVec2::new(x, -0.5), Law::Unilateral));
    }
    let found = uniqueness(&problem, &[0.0, 0.0, 0.0, FALL]);
    assert_eq!((found.directions, found.exchange, found.unexamined), (0, 0.0, 0));
}

/// Twelve boxes on one another have 6²⁴ combinations of states, times 48³ more than any number holds: they are counted
/// as too many to be tried.
#[test]
fn combinations_are_counted_without_overflow() {
    let found = examine("newton", &stack(&[1.0; 12], 0.5));
    assert_eq!((found.searched, found.ambiguous, found.unexamined), (1, 0, 0));
}

/// The impulses and velocity of a ball on the floor are unique.
#[test]
fn a_ball_on_the_floor_is_unique() {
    let mut problem = bodies(&[DVec3::new(1.0, 1.0, 2.0)]);
    problem.free[1] = DVec3::new(0.1, -FALL, 0.0);
    contact(&mut problem, 0, 1, DVec2::Y, DVec2::ZERO, DVec2::new(0.0, -1.0), 0.5);
    for key in ["newton", "lemke"] {
        assert_eq!(examine(key, &problem), Uniqueness { searched: 1, ..Uniqueness::default() });
    }
}

/// The impulses on a body welded to two walls are not unique in three directions and without bound, since opposite impulses of
/// the welds cancel. With a contact, whose force the welds can resist, there are five directions.
#[test]
fn a_body_welded_twice_has_three_directions() {
    let mut problem = bodies(&[box_weight(1.0, DVec2::ONE)]);
    problem.free[1].y = -FALL;
    for _ in 0..2 {
        for jb in [DVec3::X, DVec3::Y, DVec3::Z] {
            let equation = row(0, 1, DVec2::X, DVec2::ZERO, DVec2::ZERO, Law::Equation);
            problem.rows.push(driftlab::lcp::MixedRow { ja: DVec3::ZERO, jb, ..equation });
        }
    }
    let found = examine("auto", &problem);
    assert_eq!((found.directions, found.exchange, found.searched), (3, f64::INFINITY, 0));
    contact(&mut problem, 0, 1, DVec2::Y, DVec2::ZERO, DVec2::new(0.0, -0.5), 0.5);
    let found = examine("auto", &problem);
    assert_eq!((found.ambiguous, found.exchange), (0, f64::INFINITY));
    // λ_n and λ_t are two further directions: the welds can resist any contact force.
    assert_eq!(found.directions, 5);
}

/// Painlevé's rod with a mass of 1 kg and a half length of 1 m, at 45° on the ground with μ = 2: A = ½ [5 3; 3 5] in kg⁻¹. Its
/// tip leaves the ground at 0.1 m/s and slides at 1 m/s.
fn painleve() -> MixedProblem {
    let mut problem = bodies(&[DVec3::new(1.0, 1.0, 3.0)]);
    // `contact` has t = n turned left, −x: a rod that leans to the right slides to the left.
    problem.free[1] = DVec3::new(-1.0, 0.1, 0.0);
    let tip = DVec2::from_angle(-0.75 * std::f64::consts::PI);
    contact(&mut problem, 0, 1, DVec2::Y, DVec2::ZERO, tip, 2.0);
    problem
}

/// Painlevé's rod has three solutions with different velocities, and examined from each of them the problem is found ambiguous,
/// with at least the largest distance to the others. By hand, with q = (0.1, 1):
/// - it leaves: λ = 0, w = q;
/// - it slides on: 0.1 + (2.5 − 2 · 1.5) λ_n = 0, λ = (0.2, −0.4), w_t = 1 + 1.5 · 0.2 − 2.5 · 0.4 = 0.3 > 0;
/// - it jams: A λ = −q, λ = (0.3125, −0.5875), within the cone of ±0.625.
///
/// Velocities of two of them differ by √(ΔλᵀA Δλ/m): √0.55625 m/s of the first and the last, √0.26 of the first and the second,
/// √0.05625 of the others.
#[test]
fn painleves_rod_has_three_velocities() {
    let problem = painleve();
    let entry = |i: usize, j: usize| {
        let mut v = vec![DVec3::ZERO; 2];
        problem.rows[j].push(1.0, &problem.inverse_mass, &mut v);
        problem.rows[i].rate(&v)
    };
    for (i, j, expected) in [(0, 0, 2.5), (0, 1, 1.5), (1, 1, 2.5)] {
        assert!((entry(i, j) - expected).abs() < 1e-12, "A[{i}, {j}] = {}", entry(i, j));
    }
    let solutions = [[0.0, 0.0], [0.2, -0.4], [0.3125, -0.5875]];
    let farthest = [0.55625_f64, 0.26, 0.55625].map(f64::sqrt);
    for (lambda, farthest) in solutions.iter().zip(farthest) {
        assert!(problem.residual(lambda) < 1e-15, "{lambda:?}: {:e}", problem.residual(lambda));
        let found = uniqueness(&problem, lambda);
        assert_eq!((found.directions, found.ambiguous, found.searched), (0, 1, 1), "{lambda:?}");
        assert!(found.apart >= farthest - 1e-9, "{lambda:?}: {} of {farthest}", found.apart);
        // Relative to the problem's speed, that of sliding, the distance is √2.5 times as large.
        assert!((found.apart_relative - found.apart * 2.5_f64.sqrt()).abs() < 1e-9);
    }
    let found = uniqueness(&problem, &solutions[0]);
    assert!((found.apart - 0.55625_f64.sqrt()).abs() < 1e-9, "{}", found.apart);
}

/// Two blocks that push each other can have a continuous range of velocities, and the whole range is found from each solution.
/// Blocks of 1 kg that do not turn slide on a floor at 3 and 2 m/s, the faster one behind, with g h = 1 m/s, μ = 0.2 and 0.6
/// below them and 0.5 on the face between them. The face's friction T moves weight from the rough block to the smooth one:
/// the floor carries 1 ± T, both move on at u = 2.1 + 0.2 T, and the face presses with P = 0.7 − 0.4 T. By |T| ≤ 0.5 P every
/// T from −7/16 to 7/24 is a solution. Each has its own velocity, so that none allows an exchange of impulses.
#[test]
fn blocks_that_push_each_other_have_a_range_of_velocities() {
    let mut problem = bodies(&[DVec3::new(1.0, 1.0, 0.0); 2]);
    problem.free[1..].copy_from_slice(&[DVec3::new(3.0, -1.0, 0.0), DVec3::new(2.0, -1.0, 0.0)]);
    let zero = DVec2::ZERO;
    contact(&mut problem, 0, 1, DVec2::Y, zero, zero, 0.2);
    contact(&mut problem, 0, 2, DVec2::Y, zero, zero, 0.6);
    contact(&mut problem, 1, 2, DVec2::X, zero, zero, 0.5);
    let [least, most] = [-7.0 / 16.0, 7.0 / 24.0];
    for t in [least, -0.2, 0.0, 0.1, most] {
        let (smooth, rough, push) = (1.0 + t, 1.0 - t, 0.7 - 0.4 * t);
        let lambda = [smooth, 0.2 * smooth, rough, 0.6 * rough, push, t];
        assert!(problem.residual(&lambda) < 1e-15, "{t}: {:e}", problem.residual(&lambda));
        let mut v = Vec::new();
        problem.velocity(&lambda, &mut v);
        assert!((v[1].x - 2.1 - 0.2 * t).abs() < 1e-15, "{t}");
        let found = uniqueness(&problem, &lambda);
        assert_eq!((found.directions, found.ambiguous), (0, 1), "{t}");
        // At the ends of the range the face slides up or down; these are among the contact states that are searched.
        let farthest = 0.2 * (t - least).max(most - t);
        assert!((found.apart - farthest).abs() < 1e-9, "{t}: {} of {farthest}", found.apart);
    }
}

/// Impulses that are no solution, or of the wrong number, are counted as unexamined.
#[test]
fn what_is_no_solution_is_not_examined() {
    let problem = stack(&[1.0], 0.5);
    let unexamined = Uniqueness { unexamined: 1, ..Uniqueness::default() };
    assert_eq!(uniqueness(&problem, &[0.0; 4]), unexamined);
    assert_eq!(uniqueness(&problem, &[0.0; 3]), unexamined);
}

/// Among 60 random problems with μ up to 3, at least one has several velocities; these differ by more than 1e-6 m/s, well above
/// rounding, and the verdict is the same for a solution polished by Newton's method.
#[test]
fn random_problems_with_large_friction_are_sometimes_ambiguous() {
    let mut numbers = Random(41);
    let (mut ambiguous, mut searched) = (0, 0);
    for case in 0..60 {
        let recipe = Recipe {
            bodies: 2,
            contacts: 3,
            friction: 3.0,
            equations: 0,
            bounded: 0,
            repeated: 0.0,
            compliant: 0.0,
            decades: 0.5,
        };
        let problem = random(&mut numbers, recipe);
        let Ok(solution) = solve("auto", &problem) else { continue };
        let found = uniqueness(&problem, &solution.lambda);
        searched += usize::from(found.searched > 0);
        ambiguous += usize::from(found.ambiguous > 0);
        assert!(found.ambiguous == 0 || found.apart > 1e-6, "case {case}");
        let again = solve_from("newton", &problem, &solution.lambda).unwrap();
        assert_eq!(uniqueness(&problem, &again.lambda).ambiguous > 0, found.ambiguous > 0, "case {case}");
    }
    assert!(ambiguous >= 1 && searched >= 50, "{ambiguous} of {searched}");
}
