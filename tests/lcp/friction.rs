//! Lemke's method on contacts with friction: what it returns is a solution to rounding, and it rarely fails.

use super::generators::Random;
use super::mixed::{distance, share, solve};
use super::mixed_problems::{Recipe, contact, pyramid, random, stack};
use driftlab::lcp::{MixedError, MixedProblem};
use glam::DVec2;

/// A kind of random contact problem that rarely jams.
struct Kind {
    cases: usize,
    contacts: (usize, usize),
    friction: f64,
    /// Joints, bounds, repeated and compliant rows as well.
    mixed: bool,
}

/// On random problems with up to 200 contacts between half as many bodies and friction up to μ = 1, Lemke's
/// method gives a solution to the accepted residual, or an error on no more than 1 % of them. None of these problems,
/// feasible by construction, is called infeasible.
#[test]
fn random_contacts_are_solved_or_rarely_refused() {
    let kinds = [
        Kind { cases: 300, contacts: (4, 16), friction: 0.5, mixed: true },
        Kind { cases: 300, contacts: (1, 40), friction: 1.0, mixed: false },
        Kind { cases: 300, contacts: (1, 40), friction: 1.0, mixed: true },
        Kind { cases: 20, contacts: (80, 80), friction: 1.0, mixed: true },
        Kind { cases: 5, contacts: (200, 200), friction: 1.0, mixed: false },
    ];
    let (mut numbers, mut refused, mut count) = (Random(31), 0, 0);
    for Kind { cases, contacts, friction, mixed } in &kinds {
        for case in 0..*cases {
            let contacts = numbers.whole(contacts.0, contacts.1);
            let (extra, share_of) = if *mixed { (3, 0.3) } else { (0, 0.0) };
            let recipe = Recipe {
                bodies: contacts.div_ceil(2).max(4),
                contacts,
                friction: *friction,
                equations: extra,
                bounded: extra,
                repeated: share_of,
                compliant: share_of,
                decades: 0.5,
            };
            let problem = random(&mut numbers, recipe);
            count += 1;
            match solve("lemke", &problem) {
                Ok(solution) => {
                    assert!(share(&problem, &solution) <= 1.0, "{contacts} contacts, case {case}");
                }
                Err(MixedError::Ray { infeasible, .. }) => {
                    assert!(!infeasible, "case {case} is feasible by construction");
                    refused += 1;
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused * 100 <= count, "refused {refused} of {count}");
}

/// A stack between floor and ceiling that leave room, pushed to and fro with a spin: every contact may stick, slide
/// or open.
fn confined(boxes: usize, mu: f64) -> MixedProblem {
    let mut problem = stack(&vec![1.0; boxes], mu);
    for x in [-0.5, 0.5] {
        contact(&mut problem, 0, boxes, -DVec2::Y, DVec2::ZERO, DVec2::new(x, 0.5), mu);
    }
    for (i, v) in problem.free.iter_mut().enumerate().skip(1) {
        v.x = if i % 2 == 0 { 0.5 } else { -0.3 };
        v.z = 0.2;
    }
    problem
}

/// Boxes that are confined between floor and ceiling and sheared are solved by `auto` to the accepted residual, and by
/// Lemke's method as well.
#[test]
fn confined_boxes_are_solved() {
    for boxes in [1, 5, 10, 20] {
        for mu in [0.3, 0.5, 1.0] {
            let sheared = confined(boxes, mu);
            for key in ["auto", "lemke"] {
                let solution =
                    solve(key, &sheared).unwrap_or_else(|error| panic!("{key}, {boxes}, {mu}: {error}"));
                assert!(share(&sheared, &solution) <= 1.0, "{key}, {boxes} boxes, friction {mu}");
            }
        }
    }
}

/// Under Lemke's method boxes at rest stay at rest to 1e-11 m/s, although with redundant contacts every row is degenerate.
#[test]
fn pivoting_holds_boxes_at_rest() {
    for (problem, what) in [
        (stack(&[1.0; 20], 0.5), "stack of 20"),
        (stack(&[1.0; 100], 0.6), "stack of 100"),
        (pyramid(5, 0.6), "pyramid of 15"),
        (pyramid(8, 0.6), "pyramid of 36"),
    ] {
        let solution = solve("lemke", &problem).unwrap_or_else(|error| panic!("{what}: {error}"));
        let still = vec![glam::DVec3::ZERO; solution.v.len()];
        assert!(distance(&solution.v, &still) < 1e-11, "{what}");
    }
}

/// Lemke's method solves a pyramid whose boxes all slip alike. Hundreds of rows tie exactly, and rounding in these ties can
/// make the path cycle; a second covering vector avoids the ties.
#[test]
fn sheared_pyramids_do_not_lead_lemke_in_a_circle() {
    for mu in [0.3, 0.6, 1.0] {
        let mut problem = pyramid(8, mu);
        problem.free.iter_mut().skip(1).for_each(|v| v.x = 0.05);
        let solution = solve("lemke", &problem).unwrap_or_else(|error| panic!("friction {mu}: {error}"));
        assert!(share(&problem, &solution) <= 1.0, "friction {mu}");
    }
}
