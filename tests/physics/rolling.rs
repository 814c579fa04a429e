//! Rolling as a non-holonomic constraint: on an incline, and around a wheel.

use super::nonholonomic::{G, largest_error, roll};
use super::worlds::{id, method, run, wall};
use driftlab::model::joint::{Distance, DistanceForm};
use driftlab::model::nonholonomic::{Rolling, Surface};
use driftlab::model::{Body, BodyKind, Joint, JointKind, MassSpec, Placement, Shape, World};
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

fn disk(radius: f64, at: DVec2) -> Body {
    let shapes = vec![Placement::centred(Shape::Circle { radius })];
    Body::new(BodyKind::Dynamic, at, 0.0, shapes, MassSpec::default()).unwrap()
}

/// A rolling constraint acts like sticking friction: a = ⅔ g sin θ down a frictionless incline, which velocity-level schemes
/// meet to rounding since all forces are constant.
#[test]
fn disk_rolls_with_two_thirds_of_g_sin_theta() {
    let (angle, radius, h) = (0.3_f64, 0.25, 1e-3);
    let normal = DVec2::new(angle.sin(), angle.cos());
    let exact =
        ["none", "baumgarte_velocity", "post_stabilization", "anitescu_hart", "implicit", "projection"];
    for key in exact.into_iter().chain(["ngs", "split_impulse", "soft", "xpbd"]) {
        let mut world = World::new(DVec2::new(0.0, -G));
        let plane = vec![Placement::centred(Shape::HalfPlane { normal, offset: 0.0 })];
        world
            .add_body(Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, plane, MassSpec::default()).unwrap())
            .unwrap();
        world.add_body(disk(radius, radius * normal)).unwrap();
        let rolling = Rolling { radius, surface: Surface::Straight(normal) };
        roll(&mut world, rolling);
        let reports = run(&mut world, &method(key, &[]), h, 1000);
        let velocity = world.bodies()[1].velocity;
        let speed = velocity.linear.dot(DVec2::new(normal.y, -normal.x));
        let expected = 2.0 / 3.0 * G * angle.sin();
        assert!((speed - expected).abs() < 1e-11, "{key}: {speed} instead of {expected}");
        assert!((velocity.angular + speed / radius).abs() < 1e-11, "{key}");
        assert!(largest_error(&reports) < 1e-11, "{key}");
    }
}

/// A disk that rolls around a fixed wheel is a pendulum of inertial mass 3/2 m: it keeps ½ (3/2) m v² + m g y, turns
/// (R + ρ)/ρ times for each turn around the wheel, and follows φ¨ = −g/(3/2 L) sin φ.
#[test]
fn disk_rolls_around_a_wheel_as_a_heavier_pendulum() {
    let (distance, radius) = (0.75, 0.25);
    let start = 2.5_f64;
    let place = |angle: f64| distance * DVec2::new(angle.sin(), -angle.cos());
    let mut world = World::new(DVec2::new(0.0, -G));
    world.add_body(wall()).unwrap();
    world.add_body(disk(radius, place(start))).unwrap();
    let rod = Distance { anchors: [DVec2::ZERO; 2], length: distance, form: DistanceForm::Length };
    world.add_joint(Joint::between([id(&world, 0), id(&world, 1)], JointKind::Distance(rod))).unwrap();
    let rolling = Rolling { radius, surface: Surface::Round(DVec2::ZERO) };
    roll(&mut world, rolling);
    let h = 1e-3;
    let mut workspace = Workspace::default();
    for _ in 0..2000 {
        step(&mut world, &method("rattle", &[]), h, &mut workspace).unwrap();
        let body = &world.bodies()[1];
        let (position, velocity) = (body.pose.position, body.velocity);
        let fall = place(start).y - position.y;
        assert!((0.75 * velocity.linear.length_squared() - G * fall).abs() < 1e-3, "{fall}");
    }
    let body = &world.bodies()[1];
    let around = body.pose.position.x.atan2(-body.pose.position.y) - start;
    assert!((body.pose.angle - distance / radius * around).abs() < 1e-4, "{} {around}", body.pose.angle);
    // The pendulum's own equation, φ¨ = −g/(3/2 L) sin φ, by Runge–Kutta.
    let acceleration = |angle: f64| -G / (1.5 * distance) * angle.sin();
    let (mut angle, mut rate) = (start, 0.0);
    for _ in 0..2000 {
        let k1 = (rate, acceleration(angle));
        let k2 = (rate + 0.5 * h * k1.1, acceleration(angle + 0.5 * h * k1.0));
        let k3 = (rate + 0.5 * h * k2.1, acceleration(angle + 0.5 * h * k2.0));
        let k4 = (rate + h * k3.1, acceleration(angle + h * k3.0));
        angle += h / 6.0 * (k1.0 + 2.0 * (k2.0 + k3.0) + k4.0);
        rate += h / 6.0 * (k1.1 + 2.0 * (k2.1 + k3.1) + k4.1);
    }
    assert!(body.pose.position.distance(place(angle)) < 1e-4);
}
