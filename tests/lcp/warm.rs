//! The warm start of Lemke's method saves the pivots if it is the solution, and does not change the solution if it is not.

use super::generators::Random;
use super::mixed::{distance, share, solve, solve_from};
use super::mixed_problems::{Recipe, pyramid, random, stack};
use driftlab::lcp::MixedProblem;

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

/// Lemke's method started from its own solution returns the same bits without a pivot.
#[test]
fn a_pivoted_solution_is_a_fixed_point() {
    let mut numbers = Random(41);
    for problem in [stack(&[1.0; 10], 0.5), pyramid(5, 0.6), unique(&mut numbers)] {
        let first = solve("lemke", &problem).unwrap();
        let again = solve_from("lemke", &problem, &first.lambda).unwrap();
        assert_eq!(again.outcome.iterations, 0);
        assert_eq!((first.lambda, first.v), (again.lambda, again.v));
    }
}

/// From a nearby warm start and from a random one, the velocity is that of the cold start to 1e-9 if it is unique.
#[test]
fn a_wrong_warm_start_changes_no_answer() {
    let mut numbers = Random(42);
    for case in 0..100 {
        let problem = unique(&mut numbers);
        let next = later(&problem);
        let cold = solve("lemke", &next).unwrap();
        let near = solve("lemke", &problem).unwrap().lambda;
        let absurd: Vec<f64> = (0..near.len()).map(|_| numbers.within(-2.0, 5.0)).collect();
        for (warm, what) in [(near, "near"), (absurd, "absurd")] {
            let solution = solve_from("lemke", &next, &warm).unwrap();
            assert!(share(&next, &solution) <= 1.0, "{what}, case {case}");
            let apart = distance(&cold.v, &solution.v);
            assert!(apart < 1e-9, "{what}, case {case}: {apart:e}");
        }
    }
}
