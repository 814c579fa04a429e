//! The violation of each law by a velocity, against values by hand.

use super::BodySpace;
use crate::lcp::problem::acceptance::Acceptance;
use crate::lcp::problem::mixed::{Law, MixedProblem, MixedRow};
use glam::DVec3;

/// A body moves at 1 m/s along x, with one row n = x at a time, w = 1 + b at λ = 0. A contact is violated by −w where that is
/// positive, an equation by |w|, a row with an upper bound alone by w; a force of limited size, and friction, ask for no
/// velocity.
#[test]
fn violations_are_those_of_the_laws() {
    let violation = |law: Law, bias: f64| {
        let row = |law: Law, bias: f64| MixedRow {
            a: 0,
            b: 0,
            ja: DVec3::ZERO,
            jb: DVec3::X,
            bias,
            compliance: 0.0,
            law,
        };
        // A satisfied contact, to which friction can belong.
        let problem = MixedProblem {
            weight: vec![DVec3::ONE],
            free: vec![DVec3::X],
            rows: vec![row(Law::Unilateral, 0.0), row(law, bias)],
            rounding: 0.0,
            rests: false,
        };
        let mut space = BodySpace::default();
        space.enter(&problem, &Acceptance::of(&problem), &[0.0; 2]);
        space.measure();
        space.violation()
    };
    let below = Law::Bounded { lower: f64::NEG_INFINITY, upper: 0.0 };
    let limited = Law::Bounded { lower: -1.0, upper: 1.0 };
    let friction = Law::Friction { normal: 0, coefficient: 0.5 };
    for (law, bias, expected) in [
        (Law::Unilateral, -3.0, 2.0),
        (Law::Unilateral, 3.0, 0.0),
        (Law::Equation, -3.0, 2.0),
        (Law::Equation, 3.0, 4.0),
        (below, 3.0, 4.0),
        (below, -3.0, 0.0),
        (limited, 3.0, 0.0),
        (limited, -3.0, 0.0),
        (friction, 3.0, 0.0),
        (friction, -3.0, 0.0),
    ] {
        assert_eq!(violation(law, bias), expected, "{law:?}, {bias}");
    }
}
