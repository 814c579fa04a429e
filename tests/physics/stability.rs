//! Stability limits of the linearised error, against the formulas.

use super::worlds::{method, point_mass, wall};
use driftlab::method::{Integrator, Level, Method};
use driftlab::model::joint::Slider;
use driftlab::model::{Joint, JointKind, World};
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

/// A body on a horizontal slider, 1 mm off its axis, without gravity: a constraint that is exactly linear.
fn off_axis() -> World {
    let mut world = World::new(DVec2::ZERO);
    let wall = world.add_body(wall()).unwrap();
    let body = world.add_body(point_mass(DVec2::new(0.0, 1e-3))).unwrap();
    let slider = Slider { anchors: [DVec2::ZERO; 2], axis: DVec2::X, reference_angle: 0.0 };
    world.add_joint(Joint::between([wall, body], JointKind::Slider(slider))).unwrap();
    world
}

/// |g| and h|ġ| together after 2,000 steps, relative to the start.
fn growth(method: &Method, h: f64) -> f64 {
    let mut world = off_axis();
    let mut workspace = Workspace::default();
    let mut last = 0.0;
    for _ in 0..2000 {
        let Ok(report) = step(&mut world, method, h, &mut workspace) else { return f64::INFINITY };
        last = report.joint_error + h * report.velocity_error;
    }
    last / 1e-3
}

fn acceleration(alpha_h: f64, beta_h: f64, h: f64) -> Method {
    method("baumgarte_acceleration", &[("alpha", alpha_h / h), ("beta", beta_h / h)])
}

/// Semi-implicit Euler with g̈ + 2α ġ + β² g = 0 is stable iff αh ≤ 1 and (βh)² + 4αh ≤ 4
/// [from Hong et al., eq. 22]: decay just inside, growth just outside, along the whole boundary.
#[test]
fn acceleration_level_baumgarte_has_the_parabola_for_its_boundary() {
    let h = 0.01;
    for alpha_h in [0.1, 0.3, 0.5, 0.7, 0.9, 0.95_f64] {
        let boundary = (4.0 - 4.0 * alpha_h).sqrt();
        assert!(growth(&acceleration(alpha_h, 0.97 * boundary, h), h) < 0.2, "inside at {alpha_h}");
        assert!(growth(&acceleration(alpha_h, 1.03 * boundary, h), h) > 5.0, "outside at {alpha_h}");
    }
}

/// For small β the boundary is αh = 1, where the velocity error changes sign undamped.
#[test]
fn acceleration_level_baumgarte_is_unstable_beyond_alpha_h_of_one() {
    let h = 0.01;
    assert!(growth(&acceleration(0.98, 0.1, h), h) < 0.2);
    assert!(growth(&acceleration(1.02, 0.1, h), h) > 5.0);
}

/// α = β = 10 is stable up to h = 0.0828427 s = (2√2 − 2)/10, and the method says so; the limit of 0.83 that Hong et
/// al. print belongs to α = β = 1.
#[test]
fn equal_alpha_and_beta_of_ten_are_stable_up_to_0_0828() {
    let scheme = method("baumgarte_acceleration", &[("alpha", 10.0), ("beta", 10.0)]);
    let limit = (2.0 * 2.0_f64.sqrt() - 2.0) / 10.0;
    assert!(growth(&scheme, 0.98 * limit) < 0.2);
    assert!(growth(&scheme, 1.02 * limit) > 5.0);
    assert!(scheme.instability(0.0829).is_some() && scheme.instability(0.0828).is_none());
}

/// α = 1/(2h), β = 1/h is dead-beat: trace and determinant of the step matrix vanish, and the error is gone after two steps.
#[test]
fn half_and_one_over_h_are_dead_beat() {
    let h = 0.01;
    let scheme = acceleration(0.5, 1.0, h);
    let mut world = off_axis();
    let mut workspace = Workspace::default();
    let mut error = [0.0; 2];
    for error in &mut error {
        *error = step(&mut world, &scheme, h, &mut workspace).unwrap().joint_error;
    }
    assert!(error[1] < 1e-17, "{error:?}");
}

/// Velocity-level Baumgarte: g⁺ = (1 − αh) g exactly for a linear constraint, stable up to αh = 2.
#[test]
fn velocity_level_baumgarte_multiplies_the_error_by_one_minus_alpha_h() {
    let h = 0.01;
    for alpha_h in [0.05, 0.2, 1.0, 1.5, 1.98, 2.02_f64] {
        let scheme = method("baumgarte_velocity", &[("alpha", alpha_h / h)]);
        let mut world = off_axis();
        let report = step(&mut world, &scheme, h, &mut Workspace::default()).unwrap();
        let expected: f64 = 1e-3 * (1.0 - alpha_h).abs();
        assert!((report.joint_error - expected).abs() < 1e-17, "αh = {alpha_h}");
        assert_eq!(growth(&scheme, h) > 1.0, alpha_h > 2.0, "αh = {alpha_h}");
    }
}

/// Runge–Kutta at the acceleration level follows the continuous oscillator: critically damped error
/// g₀ e^(−ω₀t)(1 + ω₀t) [Drake's choice ζ = 1], to fourth order in h.
#[test]
fn runge_kutta_follows_critical_damping_to_fourth_order() {
    let omega = 5.0;
    let scheme = method("baumgarte_acceleration", &[("alpha", omega), ("beta", omega)])
        .at_level(Level::Acceleration, Integrator::Rk4)
        .unwrap();
    let error = |h: f64| {
        let mut world = off_axis();
        let mut workspace = Workspace::default();
        let mut worst = 0.0_f64;
        for _ in 0..(0.8 / h).round() as usize {
            let report = step(&mut world, &scheme, h, &mut workspace).unwrap();
            let exact = 1e-3 * (-omega * report.time).exp() * (1.0 + omega * report.time);
            worst = worst.max((report.joint_error - exact).abs());
        }
        worst
    };
    let order = (error(0.02) / error(0.01)).log2();
    assert!((order - 4.0).abs() < 0.2, "order {order:.3}");
}
