//! The warm start of the pivoting methods saves the pivots if its contact states still hold, and does not change the solution
//! if they do not.

use super::generators::Random;
use super::mixed::{distance, share, solve, solve_from};
use super::mixed_problems::{Recipe, pyramid, random, stack};
use driftlab::lcp::MixedProblem;

const KEYS: [&str; 2] = ["lemke", "dantzig"];

/// A similar problem, like that of the next step: slightly heavier, with a little slip.
fn later(problem: &MixedProblem) -> MixedProblem {
    let mut later = problem.clone();
    for v in later.free.iter_mut().skip(1) {
        v.y *= 1.001;
        v.x += 1e-4;
    }
    later
}

/// Contacts with little friction, which have one solution.
fn unique(numbers: &mut Random) -> MixedProblem {
    let recipe = Recipe {
        bodies: 8,
        contacts: 16,
        friction: 0.1,
        equations: 0,
        bounded: 3,
        repeated: 0.0,
        compliant: 0.0,
        decades: 0.5,
    };
    random(numbers, recipe)
}

/// A pivoting method started from its own solution returns the same bits without a pivot.
#[test]
fn a_pivoted_solution_is_a_fixed_point() {
    let mut numbers = Random(41);
    for key in KEYS {
        for problem in [stack(&[1.0; 10], 0.5), pyramid(5, 0.6), unique(&mut numbers)] {
            let first = solve(key, &problem).unwrap();
            let again = solve_from(key, &problem, &first.lambda).unwrap();
            assert_eq!(again.outcome.iterations, 0, "{key}");
            assert_eq!((first.lambda, first.v), (again.lambda, again.v), "{key}");
        }
    }
}

/// If the same contacts press and stick in the next step, one factorisation confirms the states, from the method's own λ and
/// from Newton's, which spreads the load over dependent contacts; the boxes stay at rest.
#[test]
fn states_that_hold_are_kept() {
    for key in KEYS {
        for (problem, source) in
            [(stack(&[1.0; 20], 0.5), key), (stack(&[1.0; 20], 0.5), "newton"), (pyramid(6, 0.6), "newton")]
        {
            let warm = solve(source, &problem).unwrap().lambda;
            let next = later(&problem);
            let solution = solve_from(key, &next, &warm).unwrap();
            assert_eq!(solution.outcome.iterations, 1, "{key} from {source}");
            assert!(solution.outcome.residual < 1e-13, "{key} from {source}");
            let still = vec![glam::DVec3::ZERO; solution.v.len()];
            assert!(distance(&solution.v, &still) < 1e-13, "{key} from {source}");
        }
    }
}

/// From a nearby warm start and from a random one, the velocity is that of the cold start to 1e-9 if it is unique.
#[test]
fn a_wrong_warm_start_changes_no_answer() {
    let mut numbers = Random(42);
    for case in 0..100 {
        let problem = unique(&mut numbers);
        let next = later(&problem);
        for key in KEYS {
            let cold = solve(key, &next).unwrap();
            let near = solve(key, &problem).unwrap().lambda;
            let absurd: Vec<f64> = (0..near.len()).map(|_| numbers.within(-2.0, 5.0)).collect();
            for (warm, what) in [(near, "near"), (absurd, "absurd")] {
                let solution = solve_from(key, &next, &warm).unwrap();
                assert!(share(&next, &solution) <= 1.0, "{key}, {what}, case {case}");
                let apart = distance(&cold.v, &solution.v);
                assert!(apart < 1e-9, "{key}, {what}, case {case}: {apart:e}");
            }
        }
    }
}
