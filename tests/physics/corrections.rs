//! Post-stabilization's parameters, and the integrators of the acceleration level, against hand computation.

use super::worlds::{GRAVITY, bar, chain, edit, hinge, id, method, point_mass, rod_pendulum, run, wall};
use driftlab::method::{Integrator, Level};
use driftlab::model::joint::{Distance, DistanceForm};
use driftlab::model::{Body, BodyKind, Joint, JointKind, MassSpec, Motion, World};
use driftlab::step::{Workspace, step};
use glam::DVec2;

/// Masses of 1 kg and 3 kg on a rod of 1 m that is 0.1 m too long, at rest without gravity.
fn stretched_rod() -> World {
    let mut world = World::new(DVec2::ZERO);
    for (x, mass) in [(0.0, 1.0), (1.1, 3.0)] {
        let spec = MassSpec::Given { mass, inertia: Some(1.0) };
        let body = Body::new(BodyKind::Dynamic, DVec2::new(x, 0.0), 0.0, Vec::new(), spec).unwrap();
        world.add_body(body).unwrap();
    }
    let rod = Distance { anchors: [DVec2::ZERO; 2], length: 1.0, form: DistanceForm::Length };
    world.add_joint(Joint::between([id(&world, 0), id(&world, 1)], JointKind::Distance(rod))).unwrap();
    world
}

/// The mass metric moves the light body three times as far as the one of three times its mass, the identity
/// metric both equally [Cline & Pai 2003, eqs. 14 and 12]; neither gives the bodies a velocity.
#[test]
fn metric_decides_who_moves() {
    for (metric, moved) in [(0.0, [0.075, -0.025]), (1.0, [0.05, -0.05])] {
        let mut world = stretched_rod();
        let scheme = method("post_stabilization", &[("metric", metric)]);
        let report = run(&mut world, &scheme, 1e-3, 1)[0];
        for ((body, x), moved) in world.bodies().iter().zip([0.0, 1.1]).zip(moved) {
            assert!((body.pose.position.x - x - moved).abs() < 1e-15, "{metric}");
            assert_eq!(body.velocity.linear, DVec2::ZERO);
        }
        assert!((report.joint_error_before.unwrap() - 0.1).abs() < 1e-15);
        assert!(report.joint_error < 1e-15);
    }
}

/// A bound on the correction scales the corrections of all bodies by one factor, and repeated corrections add up.
#[test]
fn bound_on_the_correction_holds() {
    let bounded = |k: f64| {
        let mut world = stretched_rod();
        let parameters = [("max_correction", 0.03), ("max_iterations", k)];
        run(&mut world, &method("post_stabilization", &parameters), 1e-3, 1)[0].joint_error
    };
    // The light body moves 0.03, the heavy one 0.01: 0.04 m less in each correction.
    assert!((bounded(1.0) - 0.06).abs() < 1e-15);
    assert!((bounded(2.0) - 0.02).abs() < 1e-15);
    assert!(bounded(3.0) < 1e-15);
}

/// Post-stabilization works with every integrator of the acceleration level: the joint error of a falling chain stays below
/// 1e-7 m.
#[test]
fn post_stabilization_works_at_the_acceleration_level() {
    for integrator in Integrator::ALL {
        let scheme = method("post_stabilization", &[]).at_level(Level::Acceleration, integrator).unwrap();
        let mut world = chain(6, GRAVITY);
        let reports = run(&mut world, &scheme, 1e-3, 300);
        assert!(reports.iter().all(|report| report.joint_error < 1e-7), "{integrator:?}");
    }
}

/// At the acceleration level the Euler methods follow the pendulum to first order in h, Runge–Kutta to fourth.
#[test]
fn integrators_have_their_orders() {
    let end = |integrator: Integrator, steps: usize| {
        let scheme = method("none", &[]).at_level(Level::Acceleration, integrator).unwrap();
        let mut world = rod_pendulum(DistanceForm::Length, GRAVITY);
        run(&mut world, &scheme, 0.8 / steps as f64, steps);
        world.bodies()[1].pose.position
    };
    let exact = end(Integrator::Rk4, 6400);
    let orders = [
        (Integrator::SemiImplicitEuler, 800, 1.0),
        (Integrator::ExplicitEuler, 800, 1.0),
        (Integrator::Rk4, 50, 4.0),
    ];
    for (integrator, steps, expected) in orders {
        let error = |steps| (end(integrator, steps) - exact).length();
        let order = (error(steps) / error(2 * steps)).log2();
        assert!((order - expected).abs() < 0.15, "{integrator:?}: order {order:.3}");
    }
}

/// The semi-implicit Euler step of `none` at the acceleration level, by hand: a pendulum at the horizontal
/// with speed u downwards feels the rod's pull u²/L, which the term J̇ v supplies.
#[test]
fn velocity_product_term_supplies_the_centripetal_force() {
    let mut world = rod_pendulum(DistanceForm::Length, GRAVITY);
    edit(&mut world, 1, |body| body.velocity.linear = DVec2::new(0.0, -2.0));
    let scheme = method("none", &[]).at_level(Level::Acceleration, Integrator::SemiImplicitEuler).unwrap();
    run(&mut world, &scheme, 1e-3, 1);
    // a = (−u²/L, −g) = (−4, −9.81) m/s²; the rod pulls with m u²/L = 4 N.
    let v = world.bodies()[1].velocity.linear;
    assert!((v - DVec2::new(-4e-3, -2.0 - 9.81e-3)).length() < 1e-15, "{v}");
    assert!((world.joints()[0].force[0] + 4.0).abs() < 1e-12, "{:?}", world.joints()[0].force);
}

/// A hinge whose points are apart along one axis alone is closed in one step, whichever axis it is.
#[test]
fn an_error_along_one_axis_is_corrected() {
    for key in ["projection", "rattle", "ggl"] {
        for apart in [DVec2::new(1e-3, 0.0), DVec2::new(0.0, 1e-3)] {
            let mut world = World::new(DVec2::ZERO);
            world.add_body(wall()).unwrap();
            world.add_body(bar(DVec2::new(1.0, 0.1), DVec2::new(0.5, 0.0), 0.0)).unwrap();
            world.add_joint(hinge([id(&world, 0), id(&world, 1)], DVec2::ZERO)).unwrap();
            edit(&mut world, 1, |body| body.pose.position += apart);
            let error = run(&mut world, &method(key, &[]), 1e-3, 1)[0].joint_error;
            assert!(error < 1e-14, "{key}, {apart}: {error:e}");
        }
    }
}

/// A body on the path A sin ω t has the velocity A ω cos ω t of the end of each step.
#[test]
fn a_body_on_a_path_has_the_velocity_of_the_end_of_a_step() {
    let (amplitude, frequency, h) = (DVec2::new(0.3, 0.1), 2.0, 0.01);
    let path = BodyKind::Kinematic(Motion::Sine { center: DVec2::ZERO, amplitude, frequency });
    let mut world = World::new(GRAVITY);
    world.add_body(Body::new(path, DVec2::ZERO, 0.0, Vec::new(), MassSpec::default()).unwrap()).unwrap();
    run(&mut world, &method("none", &[]), h, 3);
    let rate = std::f64::consts::TAU * frequency;
    let off = world.bodies()[0].velocity.linear - amplitude * rate * (rate * 3.0 * h).cos();
    assert!(off.length() < 1e-14, "{off}");
}

/// A step after which an angle is no longer finite is an error, although both energies are finite, and changes nothing.
#[test]
fn an_angle_that_overflows_is_an_error() {
    let mut world = World::new(DVec2::ZERO);
    world.add_body(point_mass(DVec2::ZERO)).unwrap();
    edit(&mut world, 0, |body| body.velocity.angular = 1e150);
    let stepped = step(&mut world, &method("none", &[]), 1e200, &mut Workspace::default());
    assert!(stepped.is_err(), "{stepped:?}");
    assert_eq!(world.bodies()[0].pose.angle, 0.0);
}
