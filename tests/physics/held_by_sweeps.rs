//! Velocity constraints solved by Gauss–Seidel sweeps: the rate at which they converge, and the limit.

use super::nonholonomic::{hold, largest_error, roll};
use super::worlds::{bar, method, point_mass, run};
use crate::largest;
use driftlab::model::nonholonomic::{KnifeEdge, PrescribedVelocity, Rolling, Surface, VelocityLaw};
use driftlab::model::{Body, BodyKind, MassSpec, NonholonomicKind, Placement, Shape, World};
use glam::DVec2;

fn blade(anchor: DVec2, angle: f64) -> NonholonomicKind {
    NonholonomicKind::KnifeEdge(KnifeEdge { anchor, axis: DVec2::from_angle(angle) })
}

/// Two blades at one point, at an angle φ to each other, make the sweeps alternating projections [Kaczmarz]: with t₁ and t₂
/// along the blades, k sweeps leave v = (t₁·v₀) cos^{2k−1} φ · t₂, which violates the first blade's row by |v| sin φ.
#[test]
fn crossed_blades_converge_like_alternating_projections() {
    let angle = 0.4_f64;
    // Sweeps in a step, and steps.
    let cases = [
        ("ngs", "velocity_iterations", 5.0, 5, 1),
        ("split_impulse", "iterations", 7.0, 7, 1),
        ("soft", "substeps", 1.0, 2, 2),
        ("xpbd", "substeps", 3.0, 3, 2),
    ];
    for (key, parameter, value, sweeps, steps) in cases {
        let mut world = World::new(DVec2::ZERO);
        let mut mass = point_mass(DVec2::new(0.3, -0.2));
        mass.velocity.linear = DVec2::new(1.25, 0.5);
        world.add_body(mass).unwrap();
        hold(&mut world, 0, blade(DVec2::ZERO, 0.0));
        hold(&mut world, 0, blade(DVec2::ZERO, angle));
        let reports = run(&mut world, &method(key, &[(parameter, value)]), 1e-2, steps);
        let k = sweeps * steps as i32;
        // The blade that is visited last is kept; under `soft`, by the colours, it is the first of the two.
        let [first, last] = if key == "soft" { [angle, 0.0] } else { [0.0, angle] }.map(DVec2::from_angle);
        let speed = first.dot(DVec2::new(1.25, 0.5)) * angle.cos().powi(2 * k - 1);
        let velocity = world.bodies()[0].velocity.linear;
        assert!(velocity.distance(speed * last) < 1e-14, "{key}: {velocity}");
        let error = reports[steps - 1].nonholonomic_error;
        assert!((error - speed * angle.sin()).abs() < 1e-14, "{key}: {error}");
        assert_eq!(reports[0].rows, 2, "{key}");
    }
}

/// A bar whose end is driven round a circle, and a disk that rolls on it, cut by a blade: four rows that share bodies.
fn geared() -> World {
    let mut world = World::new(DVec2::new(1.0, -9.81));
    let mut driven = bar(DVec2::new(1.0, 0.1), DVec2::ZERO, 0.1);
    driven.velocity.angular = 0.5;
    world.add_body(driven).unwrap();
    let shape = vec![Placement::centred(Shape::Circle { radius: 0.2 })];
    let mut disk =
        Body::new(BodyKind::Dynamic, DVec2::new(0.1, 0.26), 0.0, shape, MassSpec::default()).unwrap();
    disk.collides = false;
    world.add_body(disk).unwrap();
    let law = VelocityLaw::Circle { center: DVec2::ZERO, start: DVec2::new(0.5, 0.0), rate: 1.5 };
    let end = PrescribedVelocity { anchor: DVec2::new(0.5, 0.0), law };
    hold(&mut world, 0, NonholonomicKind::PrescribedVelocity(end));
    let surface = Surface::Straight(DVec2::Y);
    roll(&mut world, Rolling { radius: 0.2, surface });
    hold(&mut world, 1, blade(DVec2::new(0.05, 0.1), 0.7));
    world
}

/// With 2,000 sweeps the velocity phase of sequential impulses converges to the exact solution of `none`: the residual is
/// below 1e-13, and velocities and positions after twenty steps agree to 1e-9.
#[test]
fn sweeps_converge_to_the_exact_velocity() {
    let mut exact = geared();
    run(&mut exact, &method("none", &[]), 1e-2, 20);
    for (key, iterations) in [("ngs", "velocity_iterations"), ("split_impulse", "iterations")] {
        let mut world = geared();
        let reports = run(&mut world, &method(key, &[(iterations, 2000.0)]), 1e-2, 20);
        assert!(largest(reports.iter().map(|report| report.residual)) < 1e-13, "{key}");
        for (body, exact) in world.bodies().iter().zip(exact.bodies()) {
            let (v, u) = (body.velocity, exact.velocity);
            assert!(v.linear.distance(u.linear) < 1e-9, "{key}: {v:?} {u:?}");
            assert!((v.angular - u.angular).abs() < 1e-9, "{key}: {v:?} {u:?}");
            assert!(body.pose.position.distance(exact.pose.position) < 1e-9, "{key}");
        }
    }
}

/// With a blade off the centre of mass, XPBD's position correction turns the body and with it the row, which leaves an error
/// of second order in h. Soft's relax sweep uses N(q⁺) and leaves rounding only.
#[test]
fn blade_off_the_centre_is_kept_to_second_order() {
    let error = |key: &str, h: f64| {
        let mut world = World::new(DVec2::new(4.905, 0.0));
        let mut body = bar(DVec2::new(0.4, 0.06), DVec2::ZERO, 0.0);
        body.velocity.angular = 2.0;
        world.add_body(body).unwrap();
        hold(&mut world, 0, blade(DVec2::new(-0.15, 0.0), 0.0));
        largest_error(&run(&mut world, &method(key, &[]), h, (1.0 / h).round() as usize))
    };
    assert!(error("soft", 0.01) < 1e-13);
    let order = (error("xpbd", 0.01) / error("xpbd", 0.005)).log2();
    assert!((order - 2.0).abs() < 0.1, "order {order}");
}

/// A prescribed velocity carries the body's weight: under gravity the body moves exactly as prescribed under the sweeping
/// schemes, and no work of a correction is reported.
#[test]
fn prescribed_velocity_carries_the_weight() {
    for key in ["ngs", "split_impulse", "soft", "xpbd"] {
        let mut world = World::new(DVec2::new(0.0, -9.81));
        world.add_body(point_mass(DVec2::ZERO)).unwrap();
        let law = VelocityLaw::Constant(DVec2::new(0.5, 0.25));
        let point = PrescribedVelocity { anchor: DVec2::ZERO, law };
        hold(&mut world, 0, NonholonomicKind::PrescribedVelocity(point));
        let reports = run(&mut world, &method(key, &[]), 1e-2, 100);
        let position = world.bodies()[0].pose.position;
        assert!(position.distance(DVec2::new(0.5, 0.25)) < 1e-13, "{key}: {position}");
        assert!(largest_error(&reports) < 1e-14, "{key}");
        assert!(largest(reports.iter().map(|report| report.correction_work)) == 0.0, "{key}");
    }
}
