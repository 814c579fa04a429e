//! Impacts: Newton's and Poisson's restitution, momentum, the cradle.

use super::worlds::{G, disk, ground};
use crate::physics::worlds::{edit, method, run};
use driftlab::method::{Integrator, Level, Method, Restitution};
use driftlab::model::World;
use driftlab::report::StepError;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

const RADIUS: f64 = 0.1;

fn methods() -> Vec<(String, Method)> {
    let mut all = Vec::new();
    for key in ["none", "post_stabilization", "anitescu_hart", "implicit", "projection", "rattle"] {
        for law in Restitution::ALL {
            let mut method = method(key, &[]);
            method.contact.restitution = law;
            method.contact.active_travel = 2.0;
            all.push((format!("{key}, {}", law.key()), method));
        }
    }
    all
}

/// A ball dropped from height H rises to e² H, e⁴ H and e⁶ H with an error of O(h), under both restitution laws.
#[test]
fn ball_rises_to_e_squared_of_its_height() {
    let (restitution, height, h) = (0.8_f64, 1.0, 1e-4);
    for (name, method) in methods() {
        let mut world = World::new(DVec2::new(0.0, -G));
        world.add_body(ground(DVec2::Y, 0.0)).unwrap();
        let mut ball = disk(RADIUS, DVec2::new(0.0, RADIUS + height), 0.0);
        ball.restitution = restitution;
        world.add_body(ball).unwrap();
        let mut workspace = Workspace::default();
        let (mut peaks, mut last) = (Vec::new(), 0.0);
        while peaks.len() < 3 {
            step(&mut world, &method, h, &mut workspace).unwrap();
            let speed = world.bodies()[1].velocity.linear.y;
            if last > 0.0 && speed <= 0.0 {
                peaks.push(world.bodies()[1].pose.position.y - RADIUS);
            }
            last = speed;
        }
        for (bounce, peak) in (1..).zip(peaks) {
            let expected = restitution.powi(2 * bounce) * height;
            // One step's fall at the speed of impact, √(2 g H) h = 4.4e-4 m, at either end of a bounce.
            let tolerance = 2.0 * f64::from(bounce) * (2.0 * G * height).sqrt() * h;
            assert!((peak - expected).abs() < tolerance, "{name}: {peak} instead of {expected}");
        }
    }
}

/// Two colliding disks conserve momentum and obey v₁' − v₂' = −e (v₁ − v₂) [Newton]; with e = 1 they conserve energy, too.
#[test]
fn collision_conserves_momentum_and_obeys_newton() {
    for (name, method) in methods() {
        for e in [0.0, 0.5, 1.0] {
            let mut world = World::new(DVec2::ZERO);
            for (x, radius, speed) in [(0.0, 0.1, 2.0), (0.5, 0.15, -1.0)] {
                let mut ball = disk(radius, DVec2::new(x, 0.0), 0.3);
                ball.restitution = e;
                ball.velocity.linear = DVec2::new(speed, 0.0);
                world.add_body(ball).unwrap();
            }
            let momentum = world.linear_momentum();
            let energy = world.kinetic_energy();
            run(&mut world, &method, 1e-3, 200);
            assert!(
                (world.linear_momentum() - momentum).length() < 1e-12 * momentum.length().max(1.0),
                "{name}"
            );
            let [a, b] = [0, 1].map(|index| world.bodies()[index].velocity.linear.x);
            assert!((b - a - 3.0 * e).abs() < 1e-12, "{name}, e = {e}: {} instead of {}", b - a, 3.0 * e);
            if e == 1.0 {
                assert!((world.kinetic_energy() / energy - 1.0).abs() < 1e-12, "{name}");
            }
        }
    }
}

/// Newton's cradle of three balls: with gaps between them every impact is one of two balls, and the last ball leaves with the
/// first one's velocity, to rounding. Balls that touch share the impulse and leave with −⅓, ⅔ and ⅔ of it.
#[test]
fn cradle_hands_the_velocity_on() {
    for (name, method) in methods() {
        for (gap, expected) in [(1e-2, [0.0, 0.0, 1.0]), (0.0, [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0])] {
            let mut world = World::new(DVec2::ZERO);
            for ball in 0..3 {
                let first_gap = if ball > 0 { 0.05 } else { 0.0 };
                let x = f64::from(ball) * (2.0 * RADIUS + gap) + first_gap;
                let mut ball = disk(RADIUS, DVec2::new(x, 0.0), 0.0);
                ball.restitution = 1.0;
                world.add_body(ball).unwrap();
            }
            edit(&mut world, 0, |body| body.velocity.linear = DVec2::X);
            run(&mut world, &method, 1e-3, 150);
            for (index, expected) in expected.into_iter().enumerate() {
                let speed = world.bodies()[index].velocity.linear.x;
                assert!((speed - expected).abs() < 1e-11, "{name}, gap {gap}, ball {index}: {speed}");
            }
        }
    }
}

/// Spinning disks that collide obliquely, with friction, never gain kinetic energy in a step, and conserve linear momentum to
/// rounding and angular momentum to 2 %.
#[test]
fn oblique_impacts_never_gain_energy() {
    for (name, method) in methods() {
        for e in [0.0, 0.5] {
            let mut world = World::new(DVec2::ZERO);
            for (at, speed, spin) in [
                (DVec2::new(0.0, 0.0), DVec2::new(1.0, 0.2), 5.0),
                (DVec2::new(0.5, 0.05), DVec2::new(-1.5, 0.0), -3.0),
                (DVec2::new(0.25, 0.5), DVec2::new(0.0, -2.0), 0.0),
            ] {
                let mut ball = disk(RADIUS, at, 0.5);
                ball.restitution = e;
                ball.velocity.linear = speed;
                ball.velocity.angular = spin;
                world.add_body(ball).unwrap();
            }
            let (momentum, turning) = (world.linear_momentum(), world.angular_momentum());
            let mut energy = world.kinetic_energy();
            let mut workspace = Workspace::default();
            for _ in 0..600 {
                let report = step(&mut world, &method, 1e-3, &mut workspace).unwrap();
                assert!(report.kinetic_energy <= energy * (1.0 + 1e-12), "{name}: {energy} J grows");
                energy = report.kinetic_energy;
            }
            assert!((world.linear_momentum() - momentum).length() < 1e-11, "{name}");
            // Impulses act half way between two surfaces that are up to a step's travel apart.
            assert!((world.angular_momentum() - turning).abs() < 0.02 * turning.abs().max(1.0), "{name}");
        }
    }
}

/// A perfectly elastic ball that falls at 2 m/s onto a plastic one, which falls at 1 m/s onto the ground; `gaps` (m) are those
/// below the lower and the upper ball.
fn elastic_on_plastic(gaps: [f64; 2]) -> World {
    let mut world = World::new(DVec2::ZERO);
    world.add_body(ground(DVec2::Y, 0.0)).unwrap();
    let mut height = -RADIUS;
    for (gap, speed, e) in [(gaps[0], 1.0, 0.0), (gaps[1], 2.0, 1.0)] {
        height += 2.0 * RADIUS + gap;
        let mut ball = disk(RADIUS, DVec2::new(0.0, height), 0.0);
        ball.velocity.linear.y = -speed;
        ball.restitution = e;
        world.add_body(ball).unwrap();
    }
    world
}

/// Newton's and Poisson's laws differ when impacts with different restitution coincide. Compression stops both balls with an
/// impulse of m · 2 m/s at the upper contact. Newton's law returns the approach speed there, 1 m/s; Poisson's returns the
/// impulse, so that the upper ball leaves at 2 m/s. The lower ball stays on the ground. Under RATTLE the same holds if the
/// balls meet within the step.
#[test]
fn the_laws_part_where_an_impact_has_two_restitutions() {
    let h = 1e-3;
    let mut all = methods();
    for integrator in Integrator::ALL {
        for law in Restitution::ALL {
            let none = Method::by_key("none").unwrap();
            let mut method = none.at_level(Level::Acceleration, integrator).unwrap();
            method.contact.restitution = law;
            all.push((format!("{integrator:?}, {}", law.key()), method));
        }
    }
    for (name, method) in all {
        let upper = match method.contact.restitution {
            Restitution::Newton => 1.0,
            Restitution::AnitescuPotra => 2.0,
        };
        // Only RATTLE sees both impacts in a step within which the balls meet. Under the other schemes a body that hits
        // without rebound first travels its free distance, so that the impacts happen in succession.
        let in_mid_step = name.starts_with("rattle").then_some([0.5 * h, 0.25 * h]);
        for gaps in [[0.0; 2]].into_iter().chain(in_mid_step) {
            let mut world = elastic_on_plastic(gaps);
            run(&mut world, &method, h, 2);
            let [lower, found] = [1, 2].map(|index| world.bodies()[index].velocity.linear.y);
            assert!((found - upper).abs() < 1e-10, "{name}, {gaps:?}: {found} instead of {upper}");
            assert!(lower.abs() < 1e-10, "{name}, {gaps:?}: {lower}");
        }
    }
}

/// Hong's implicit enforcement and Anitescu & Hart's row agree at the impact of an overlapping ball: it leaves at the larger
/// of rebound and correction speed.
#[test]
fn implicit_and_anitescu_hart_agree_about_an_overlapping_impact() {
    // Rebound 0.5 · 2 m/s, correction 1e-4/h = 0.1 m/s or 1e-2/h = 10 m/s.
    for (overlap, expected) in [(1e-4, 1.0), (1e-2, 10.0)] {
        for key in ["anitescu_hart", "implicit"] {
            let mut world = World::new(DVec2::ZERO);
            world.add_body(ground(DVec2::Y, 0.0)).unwrap();
            let mut ball = disk(RADIUS, DVec2::new(0.0, RADIUS - overlap), 0.0);
            ball.velocity.linear.y = -2.0;
            ball.restitution = 0.5;
            world.add_body(ball).unwrap();
            run(&mut world, &method(key, &[]), 1e-3, 1);
            let speed = world.bodies()[1].velocity.linear.y;
            assert!((speed - expected).abs() < 1e-11, "{key}, {overlap}: {speed}");
        }
    }
}

/// The sweeping schemes support Newton restitution only: with Poisson's law a step fails as unsupported and leaves the world
/// unchanged. Without restitution the laws coincide, and they step.
#[test]
fn sweeps_refuse_poissons_law() {
    for key in ["ngs", "split_impulse", "soft", "xpbd"] {
        let mut method = method(key, &[]);
        method.contact.restitution = Restitution::AnitescuPotra;
        let mut world = elastic_on_plastic([0.0; 2]);
        let before = world.clone();
        let outcome = step(&mut world, &method, 1e-3, &mut Workspace::default());
        assert!(
            matches!(outcome, Err(StepError::Unsupported { scheme, .. }) if scheme == key),
            "{outcome:?}"
        );
        assert!(world == before);
        edit(&mut world, 2, |body| body.restitution = 0.0);
        run(&mut world, &method, 1e-3, 1);
    }
}
