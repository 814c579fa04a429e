//! Schemes that the papers state differently but that coincide for joints, and the drift of a pendulum in closed form.

use super::worlds::{GRAVITY, chain, method, rod_pendulum, run};
use driftlab::method::Method;
use driftlab::model::World;
use driftlab::model::joint::DistanceForm;

/// Largest difference of any pose or velocity between two worlds.
fn difference(a: &World, b: &World) -> f64 {
    let pairs = a.bodies().iter().zip(b.bodies());
    crate::largest(pairs.flat_map(|(a, b)| {
        let dq = a.pose.coordinates() - b.pose.coordinates();
        let dv = a.velocity.coordinates() - b.velocity.coordinates();
        [dq.abs().max_element(), dv.abs().max_element()]
    }))
}

/// Largest difference over 600 steps of the six-link chain, h = 1 ms.
fn differ_along_chain(first: &Method, second: &Method) -> f64 {
    let (mut a, mut b) = (chain(6, GRAVITY), chain(6, GRAVITY));
    let mut worst = 0.0_f64;
    for _ in 0..600 {
        run(&mut a, first, 1e-3, 1);
        run(&mut b, second, 1e-3, 1);
        worst = worst.max(difference(&a, &b));
    }
    assert!(a.bodies()[0].pose.angle.abs() > 0.1, "the chain has moved");
    worst
}

/// Hong's implicit enforcement, Anitescu & Hart with γ = 1 and velocity-level Baumgarte with α = 1/h are one
/// linear system [Hong et al., eq. 11; Anitescu & Hart, eq. 2.12]: the trajectories agree to rounding.
#[test]
fn implicit_anitescu_hart_and_dead_beat_baumgarte_agree() {
    let implicit = method("implicit", &[]);
    let anitescu_hart = method("anitescu_hart", &[("gamma", 1.0)]);
    let baumgarte = method("baumgarte_velocity", &[("alpha", 1000.0)]);
    // Rounding in g of 1e-17 is divided by h each step and amplified by the chain's own sensitivity.
    assert!(differ_along_chain(&implicit, &anitescu_hart) < 1e-10);
    assert!(differ_along_chain(&anitescu_hart, &baumgarte) < 1e-10);
    // The comparison is sensitive enough: α = 999/s instead of 1000/s already gives a different motion.
    let other = method("baumgarte_velocity", &[("alpha", 999.0)]);
    assert!(differ_along_chain(&anitescu_hart, &other) > 1e-8);
}

/// Anitescu & Hart's γ is Baumgarte's αh [their eq. 2.12]: with α = γ/h the trajectories agree to rounding for γ from
/// 0.05 to 0.9.
#[test]
fn gamma_is_alpha_times_h() {
    for gamma in [0.05, 0.2, 0.5, 0.9] {
        let scheme = method("anitescu_hart", &[("gamma", gamma)]);
        let baumgarte = method("baumgarte_velocity", &[("alpha", gamma / 1e-3)]);
        assert!(differ_along_chain(&scheme, &baumgarte) < 1e-10, "γ = {gamma}");
    }
}

/// Along Anitescu & Hart's pendulum Θ⁺ = (1 − γ) Θ + h² |v⁺|² exactly, step by step, and the first step from
/// rest at the horizontal gives Θ = h⁴ g² = 0.00962361 at h = 0.1 s.
#[test]
fn pendulum_error_obeys_its_identity() {
    for gamma in [1.0, 0.5, 0.1] {
        let scheme = method("anitescu_hart", &[("gamma", gamma)]);
        let mut world = rod_pendulum(DistanceForm::Squared, GRAVITY);
        let h = 0.1;
        let theta = |world: &World| world.bodies()[1].pose.position.length_squared() - 1.0;
        for step in 0..500 {
            let before = theta(&world);
            run(&mut world, &scheme, h, 1);
            let v = world.bodies()[1].velocity.linear;
            let predicted = (1.0 - gamma) * before + h * h * v.length_squared();
            let found = theta(&world);
            assert!((found - predicted).abs() <= 2e-14 * (1.0 + predicted), "{gamma} {step}");
            if step == 0 {
                assert!((found - 0.00962361).abs() < 1e-14);
            }
        }
    }
}

/// The unstabilized pendulum drifts by Θ⁺ = Θ + h² |v⁺|² per step, and reaches Θ = 22 ± 1 after 1,000 steps, as in
/// Anitescu & Hart's figure 2.
#[test]
fn unstabilized_pendulum_drifts_to_about_22() {
    let mut world = rod_pendulum(DistanceForm::Squared, GRAVITY);
    let mut expected = 0.0;
    for _ in 0..1000 {
        run(&mut world, &method("none", &[]), 0.1, 1);
        expected += 0.01 * world.bodies()[1].velocity.linear.length_squared();
    }
    let drift = world.bodies()[1].pose.position.length_squared() - 1.0;
    assert!((drift - expected).abs() < 1e-10 * expected);
    assert!((drift - 22.0).abs() < 1.0, "drift {drift}");
}
