//! Damping and drag against closed forms, under every scheme, level and integrator.

use super::worlds::{method, run};
use driftlab::method::{Integrator, Level, Method};
use driftlab::model::{Body, Damping, Joint, ModelError, Shape, World};
use driftlab::report::StepError;
use driftlab::schemes::TABLE;
use driftlab::step::{Workspace, step};
use glam::DVec2;

const G: f64 = 9.81;

/// Every scheme at each of its levels under each integrator, with whether that takes damping as a force.
fn all_methods() -> impl Iterator<Item = (String, Method, bool)> {
    TABLE.iter().flat_map(|scheme| {
        let info = scheme.info();
        let pairs = info.levels.iter().flat_map(|level| {
            let own = Integrator::ALL.into_iter();
            own.filter(|own| *level == Level::Acceleration || *own == Integrator::default())
                .map(|own| (*level, own))
        });
        pairs.filter_map(|(level, integrator)| {
            let method = method(info.key, &[]).at_level(level, integrator)?;
            let explicit = level == Level::Acceleration && integrator != Integrator::SemiImplicitEuler;
            Some((format!("{}, {level:?}, {integrator:?}", info.key), method, explicit))
        })
    })
}

/// A ball of 2 kg and 0.3 kg m² that moves at (2, 1) m/s and turns at 4 rad/s.
fn ball(damping: Damping) -> Body {
    let ball = Body::dynamic().shape(Shape::circle(0.1)).mass_and_inertia(2.0, 0.3).damping(damping);
    ball.velocity([2.0, 1.0]).angular_velocity(4.0).build().unwrap()
}

fn alone(gravity: DVec2, body: Body) -> World {
    let mut world = World::new(gravity);
    world.add_body(body).unwrap();
    world
}

/// Protects linear damping: the velocity of a free body is v₀ e^(−ct/m), its rate ω₀ e^(−c_θ t/I), exact at every step but under
/// explicit integrators, of which Euler's error is of first order and Runge–Kutta's of fourth. The work is the loss of energy.
#[test]
fn a_damped_body_decays_exponentially() {
    let damping = Damping { linear: 3.0, angular: 0.7, ..Damping::default() };
    let exact = [2.0 * (-1.5_f64).exp(), 4.0 * (-0.7_f64 / 0.3).exp()];
    for (name, method, explicit) in all_methods() {
        let error = |h: f64| {
            let mut world = alone(DVec2::ZERO, ball(damping));
            let start = world.kinetic_energy();
            let reports = run(&mut world, &method, h, (1.0 / h).round() as usize);
            let drag: f64 = reports.iter().map(|report| report.work.drag).sum();
            let rest: f64 = reports.iter().map(|report| report.work.method.abs()).sum();
            assert!((drag + start - world.kinetic_energy()).abs() < 1e-12 * start, "{name}: {drag}");
            assert!(rest < 1e-12 * start, "{name}: {rest}");
            let v = world.bodies()[0].velocity;
            (v.linear.x - exact[0]).abs() / exact[0] + (v.angular - exact[1]).abs() / exact[1]
        };
        let [coarse, fine] = [error(0.02), error(0.01)];
        if explicit {
            let order = (coarse / fine).log2();
            let expected = if method.integrator == Integrator::Rk4 { 4.0 } else { 1.0 };
            assert!((order - expected).abs() < 0.1, "{name}: order {order:.3}");
        } else {
            assert!(coarse < 1e-13 && fine < 1e-13, "{name}: {coarse:e}, {fine:e}");
        }
    }
}

/// Protects the final speed of a fall, √(m g/c₂) with quadratic and m g/(c + c₁) with linear drag: a fixed point of every step,
/// to
/// rounding, at a fine step and at one in which the drag of that speed would stop the body seventy times.
#[test]
fn a_falling_body_ends_at_its_terminal_speed() {
    let quadratic = Damping { quadratic_drag: 0.5, ..Damping::default() };
    let linear = Damping { linear: 1.0, drag: 0.6, ..Damping::default() };
    let stiff = Damping { quadratic_drag: 1e4, ..Damping::default() };
    let speeds = [(2.0 * G / 0.5).sqrt(), 2.0 * G / 1.6, (2.0 * G / 1e4_f64).sqrt()];
    for (name, method, explicit) in all_methods() {
        for (damping, speed) in [quadratic, linear, stiff].into_iter().zip(speeds) {
            if explicit && damping == stiff {
                continue;
            }
            let mut body = ball(damping);
            body.velocity = Default::default();
            let mut world = alone(DVec2::new(0.0, -G), body);
            let last = *run(&mut world, &method, 0.1, 600).last().unwrap();
            let v = world.bodies()[0].velocity.linear;
            assert!(v.x == 0.0 && (-v.y - speed).abs() < 1e-13 * speed, "{name}: {v} {speed}");
            // All that gravity does, drag takes.
            let [up, down] = [last.work.gravity, -last.work.drag];
            assert!((up - down).abs() < 1e-11 * up, "{name}: {up} {down}");
        }
    }
}

/// Protects Galilei's principle: a body that moves with the wind feels no drag, and a body at rest in the wind w the drag that
/// one with −w has in still air.
#[test]
fn drag_depends_on_the_velocity_relative_to_the_wind() {
    let damping = Damping { drag: 5.0, quadratic_drag: 3.0, ..Damping::default() };
    for (name, method, _) in all_methods() {
        let end = |wind: DVec2, velocity: DVec2| {
            let mut body = ball(damping);
            body.velocity.linear = velocity;
            let mut world = alone(DVec2::ZERO, body);
            world.set_wind(wind).unwrap();
            run(&mut world, &method, 0.01, 100);
            world.bodies()[0].velocity.linear
        };
        let wind = DVec2::new(2.0, 1.0);
        assert_eq!(end(wind, wind), wind, "{name}");
        let (blown, slowed) = (end(wind, DVec2::ZERO), end(DVec2::ZERO, -wind));
        assert!((blown - wind - slowed).length() < 1e-14, "{name}: {blown} {slowed}");
    }
}

/// Protects stability at any value: damping of 1e12 in every coordinate stops the first of two hinged bars at once, keeps it
/// where
/// it is, and leaves all numbers finite; an explicit integrator refuses the step in a sentence, and the world stays as it was.
#[test]
fn any_damping_is_stable_or_refused() {
    let damping = Damping { linear: 1e12, angular: 1e12, drag: 1e12, quadratic_drag: 1e12 };
    for (name, method, explicit) in all_methods() {
        let mut world = World::new([0.0, -G]);
        let bar = |x: f64| Body::dynamic().at([x, 0.0]).shape(Shape::rectangle(1.0, 0.1)).mass(2.0);
        let first = bar(0.0).velocity([2.0, 1.0]).angular_velocity(4.0).damping(damping);
        let first = world.add_body(first).unwrap();
        let second = world.add_body(bar(1.0).without_collisions()).unwrap();
        world.add_joint(Joint::hinge(first, second).at([0.5, 0.0])).unwrap();
        let before = world.clone();
        if explicit {
            let refused = step(&mut world, &method, 0.01, &mut Workspace::default()).unwrap_err();
            assert!(matches!(refused, StepError::TooDamped { .. }), "{name}: {refused}");
            let text = refused.to_string();
            assert!(text.contains("choose semi-implicit Euler"), "{name}: {text}");
            assert_eq!(world, before, "{name}");
            continue;
        }
        let reports = run(&mut world, &method, 0.01, 50);
        let v = world[first].velocity;
        assert!(v.linear.length() < 1e-3 && v.angular.abs() < 1e-3, "{name}: {v:?}");
        assert!(reports.iter().all(|report| report.total_energy().is_finite()), "{name}");
        let moved = world[first].pose.position.length();
        assert!(moved < 0.1, "{name}: {moved}");
    }
}

/// Protects undamped bodies: a world in which another body is damped moves them to the same bits.
#[test]
fn undamped_bodies_keep_their_bits() {
    for (name, method, _) in all_methods() {
        let end = |damping: Damping| {
            let mut world = World::new([0.0, -G]);
            let wall = world.add_body(Body::fixed()).unwrap();
            let bar = Body::dynamic().at([0.5, 0.0]).shape(Shape::rectangle(1.0, 0.1)).without_collisions();
            let bar = world.add_body(bar).unwrap();
            world.add_joint(Joint::hinge(wall, bar).at([0.0, 0.0])).unwrap();
            let mut own = ball(damping);
            own.collides = false;
            world.add_body(own).unwrap();
            run(&mut world, &method, 0.01, 50);
            let body = &world[bar];
            [body.pose.angle, body.velocity.angular, body.pose.position.x].map(f64::to_bits)
        };
        let damping = Damping { linear: 2.0, angular: 1.0, ..Damping::default() };
        assert_eq!(end(damping), end(Damping::default()), "{name}");
    }
}

/// Protects the order under constraints: a bar whose pivot rubs, I θ̈ = −c_θ θ̇ − m g ℓ sin θ by Runge–Kutta at a fine step, is
/// followed with an error of second order by RATTLE and `generalized_alpha`, and of first order by the others that hold
/// their joints.
#[test]
fn a_damped_pendulum_is_followed_to_the_order_of_the_scheme() {
    let (mass, length, rub) = (2.0_f64, 1.0_f64, 0.8_f64);
    let (inertia, arm) = (mass * length * length / 3.0, 0.5 * length);
    let rate = |[angle, omega]: [f64; 2]| [omega, -(rub * omega + mass * G * arm * angle.sin()) / inertia];
    let mut state = [1.0, 0.0];
    for _ in 0..10_000 {
        let h = 1e-4;
        let ahead = |slope: [f64; 2], share: f64| {
            [state[0] + share * h * slope[0], state[1] + share * h * slope[1]]
        };
        let a = rate(state);
        let b = rate(ahead(a, 0.5));
        let c = rate(ahead(b, 0.5));
        let d = rate(ahead(c, 1.0));
        state = [0, 1].map(|i| state[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    let orders = [("rattle", 2.0), ("generalized_alpha", 2.0), ("projection", 1.0), ("ggl", 1.0)];
    for (key, expected) in orders.into_iter().chain([("anitescu_hart", 1.0), ("implicit", 1.0)]) {
        let error = |h: f64| {
            let mut world = World::new([0.0, -G]);
            let wall = world.add_body(Body::fixed()).unwrap();
            let hang = DVec2::new(1.0_f64.sin(), -1.0_f64.cos());
            let bar = Body::dynamic().at(arm * hang).angle(1.0).shape(Shape::rectangle(0.1, length));
            let bar = bar.mass_and_inertia(mass, mass * length * length / 12.0).without_collisions();
            let bar = bar.damping(Damping { angular: rub, ..Damping::default() });
            let bar = world.add_body(bar).unwrap();
            world.add_joint(Joint::hinge(wall, bar).at([0.0, 0.0])).unwrap();
            run(&mut world, &method(key, &[]), h, (1.0 / h).round() as usize);
            (world[bar].pose.angle - state[0]).abs()
        };
        let order = (error(0.005) / error(0.0025)).log2();
        assert!((order - expected).abs() < 0.25, "{key}: order {order:.3}");
    }
}

/// Protects the checks: damping below zero, or not finite, and a wind that is not finite are refused.
#[test]
fn wrong_damping_is_refused() {
    let refused = |damping: Damping| Body::dynamic().mass(1.0).damping(damping).build().unwrap_err();
    for wrong in [-1.0, f64::NAN, f64::INFINITY] {
        let of = |quantity: &str, damping: Damping| {
            let ModelError::OutOfRange { quantity: found, .. } = refused(damping) else {
                panic!("another error")
            };
            assert_eq!(found, quantity);
        };
        of("linear damping", Damping { linear: wrong, ..Damping::default() });
        of("angular damping", Damping { angular: wrong, ..Damping::default() });
        of("linear drag", Damping { drag: wrong, ..Damping::default() });
        of("quadratic drag", Damping { quadratic_drag: wrong, ..Damping::default() });
    }
    assert!(World::new(DVec2::ZERO).set_wind([f64::NAN, 0.0]).is_err());
}
