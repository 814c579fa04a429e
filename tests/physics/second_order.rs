//! RATTLE and projection: joints closed to rounding, no energy drift, orders of the trajectory.

use super::worlds::{GRAVITY, chain, edit, largest_error, method, rod_pendulum, run};
use driftlab::model::joint::DistanceForm;
use driftlab::step::Workspace;
use driftlab::step::step;

/// RATTLE's energy on the pendulum over 1,000 s stays within 1e-6 of the energy of the swing, m g L, and
/// shows no trend: the mean over the last hundred seconds is that over the first hundred.
#[test]
fn rattle_keeps_the_pendulums_energy_without_trend() {
    let mut world = rod_pendulum(DistanceForm::Length, GRAVITY);
    let rattle = method("rattle", &[]);
    let mut workspace = Workspace::default();
    let (h, steps) = (4e-4, 2_500_000_usize);
    let (scale, mut worst, mut worst_joint) = (9.81, 0.0_f64, 0.0_f64);
    let mut means = [0.0; 10];
    for index in 0..steps {
        let report = step(&mut world, &rattle, h, &mut workspace).unwrap();
        let error = report.total_energy() / scale;
        worst = worst.max(error.abs());
        worst_joint = worst_joint.max(report.joint_error);
        means[index * 10 / steps] += error * 10.0 / steps as f64;
    }
    assert!(worst < 1e-6, "energy error {worst:e}");
    assert!(worst_joint < 1e-13, "joint error {worst_joint:e}");
    assert!((means[9] - means[0]).abs() < 1e-8, "{means:?}");
}

/// RATTLE is of second order: halving h divides the error in the position of a chain's last link by four, measured against
/// a step sixteen times smaller.
#[test]
fn rattle_is_of_second_order_in_the_trajectory() {
    let end = |h: f64| {
        let mut world = chain(3, GRAVITY);
        run(&mut world, &method("rattle", &[]), h, (0.3 / h).round() as usize);
        world.bodies()[2].pose.position
    };
    let exact = end(0.3 / 9600.0);
    let order = ((end(0.3 / 300.0) - exact).length() / (end(0.3 / 600.0) - exact).length()).log2();
    assert!((order - 2.0).abs() < 0.1, "order {order:.3}");
}

/// The first-order schemes are of first order in the trajectory, however small their constraint error.
#[test]
fn post_stabilization_is_of_first_order_in_the_trajectory() {
    let end = |key: &str, h: f64| {
        let mut world = chain(3, GRAVITY);
        run(&mut world, &method(key, &[]), h, (0.3 / h).round() as usize);
        world.bodies()[2].pose.position
    };
    let exact = end("rattle", 0.3 / 9600.0);
    for key in ["none", "anitescu_hart", "post_stabilization", "projection", "ggl"] {
        let error = |steps: f64| (end(key, 0.3 / steps) - exact).length();
        let order = (error(600.0) / error(1200.0)).log2();
        assert!((order - 1.0).abs() < 0.15, "{key}: order {order:.3}");
    }
}

/// The period of a pendulum from the horizontal is 4 K(½) √(L/g) = 2.3678 s for L = 1 m, g = 9.81 m/s²
/// (complete elliptic integral by the arithmetic–geometric mean: T = 2π √(L/g) / agm(1, cos 45°)).
#[test]
fn pendulum_swings_with_the_exact_period() {
    let (mut a, mut b) = (1.0_f64, std::f64::consts::FRAC_PI_4.cos());
    for _ in 0..8 {
        (a, b) = ((a + b) / 2.0, (a * b).sqrt());
    }
    let exact = std::f64::consts::TAU * (1.0 / 9.81_f64).sqrt() / a;
    let mut world = rod_pendulum(DistanceForm::Length, GRAVITY);
    let mut workspace = Workspace::default();
    let h = 1e-4;
    // Crossings of the lowest point from right to left are one period apart.
    let mut crossings = Vec::new();
    while crossings.len() < 3 {
        let before = world.bodies()[1].pose.position.x;
        step(&mut world, &method("rattle", &[]), h, &mut workspace).unwrap();
        let after = world.bodies()[1].pose.position.x;
        if before > 0.0 && after <= 0.0 {
            crossings.push(world.time() - h * after / (after - before));
        }
    }
    let period = crossings[2] - crossings[1];
    assert!((period - exact).abs() < 1e-7 * exact * 10.0, "{period} against {exact}");
}

/// Projection leaves joint and velocity errors below 1e-12 at the new pose.
#[test]
fn projection_reaches_the_manifold_in_position_and_velocity() {
    let mut world = chain(6, GRAVITY);
    let reports = run(&mut world, &method("projection", &[]), 1e-3, 3000);
    assert!(largest_error(&reports) < 1e-12);
    assert!(reports.iter().all(|report| report.velocity_error < 1e-12));
    assert!(reports.iter().any(|report| report.joint_error_before.unwrap() > 1e-9));
}

/// RATTLE's initial guess includes the curvature of the motion, so that its error is O(h³) instead of O(h²): a fast swing
/// takes fewer than 5.5 Newton solves per step. Without the curvature, or with its sign wrong, Newton's method reaches the
/// same solution, in about six.
#[test]
fn rattles_first_guess_includes_the_curvature() {
    let mut world = rod_pendulum(DistanceForm::Length, GRAVITY);
    edit(&mut world, 1, |body| body.velocity.linear = glam::DVec2::new(0.0, -20.0));
    let reports = run(&mut world, &method("rattle", &[]), 1e-3, 100);
    let solves: usize = reports.iter().map(|report| report.solver_iterations).sum();
    assert!(solves < 550, "{solves} solves in 100 steps");
}
