//! The order in h of the largest joint error, measured by halving h on the six-link chain.

use super::worlds::{GRAVITY, chain, edit, largest_error, method, run};
use crate::largest;
use driftlab::method::Method;
use driftlab::model::World;
use glam::DVec2;

/// Simulated time, s: a smooth part of the fall.
const DURATION: f64 = 0.3;

/// log₂ of the ratio of largest errors at h and h/2, with `h0` the coarser step.
fn order(
    method: impl Fn(f64) -> Method,
    h: f64,
    error: impl Fn(&[driftlab::report::StepReport]) -> f64,
) -> f64 {
    let at = |h: f64| {
        let mut world = swung_chain();
        error(&run(&mut world, &method(h), h, (DURATION / h).round() as usize))
    };
    (at(h) / at(h / 2.0)).log2()
}

/// The six-link chain under gravity, swung upwards like a rod at 5 rad/s.
///
/// From rest the largest error occurs at the very end of the fall and grows with the motion, so that the measured order
/// approaches its limit only to O(h): 1.92, 3.89 and 7.59 at h = 3 ms, where order 8 already meets rounding. With the
/// initial swing the error peaks within the simulated time.
fn swung_chain() -> World {
    let spin = 5.0;
    let mut world = chain(6, GRAVITY);
    for link in 0..6 {
        edit(&mut world, link, |body| {
            body.velocity.linear = spin * DVec2::new(-body.pose.position.y, body.pose.position.x);
            body.velocity.angular = spin;
        });
    }
    world
}

fn before(reports: &[driftlab::report::StepReport]) -> f64 {
    largest(reports.iter().map(|report| report.joint_error_before.unwrap()))
}

#[track_caller]
fn assert_order(found: f64, expected: f64) {
    assert!((found - expected).abs() < 0.1, "order {found:.3}, expected {expected}");
}

/// Without stabilization the error accumulates: O(1/h) steps that each add O(h²).
#[test]
fn none_is_of_first_order() {
    assert_order(order(|_| method("none", &[]), 1e-3, largest_error), 1.0);
}

/// Baumgarte with fixed α balances O(h²) per step against α h g: first order.
#[test]
fn fixed_alpha_is_of_first_order() {
    let baumgarte = |_| method("baumgarte_velocity", &[("alpha", 50.0)]);
    assert_order(order(baumgarte, 2.5e-4, largest_error), 1.0);
}

/// Anitescu & Hart's theorem 4.1: I(q⁺) ≤ C ‖v⁺‖² h².
#[test]
fn anitescu_hart_is_of_second_order() {
    assert_order(order(|_| method("anitescu_hart", &[]), 1e-3, largest_error), 2.0);
}

/// Hong's implicit enforcement is the same linearisation as Anitescu & Hart's, and of second order as well.
#[test]
fn implicit_is_of_second_order() {
    assert_order(order(|_| method("implicit", &[]), 1e-3, largest_error), 2.0);
}

/// Post-stabilization starts every step on the manifold: the error is O(h²) before its correction, O(h⁴) after one Newton
/// correction, which squares it, and O(h⁸) after two.
#[test]
fn post_stabilization_doubles_the_order_with_each_correction() {
    let post = |k: f64| move |_: f64| method("post_stabilization", &[("max_iterations", k)]);
    assert_order(order(post(1.0), 1e-2, before), 2.0);
    assert_order(order(post(1.0), 1e-2, largest_error), 4.0);
    // Order 8 meets rounding below 5 ms, so the steps are coarse.
    assert_order(order(post(2.0), 1e-2, largest_error), 8.0);
}
