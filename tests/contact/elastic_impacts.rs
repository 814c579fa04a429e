//! Impacts at the acceleration level: what they leave of the speed.

use super::worlds::{G, block, disk, ground};
use crate::physics::worlds::{id, method, run, wall};
use driftlab::method::{Integrator, Level, Method, Restitution};
use driftlab::model::{Joint, World};
use glam::DVec2;
use std::f64::consts::PI;

const H: f64 = 1.0 / 60.0;

fn at_acceleration_level(key: &str, integrator: Integrator) -> Method {
    method(key, &[]).at_level(Level::Acceleration, integrator).unwrap()
}

/// m (½ w² + g z) of the bodies that fall, with w the vertical velocity at the instant of z. q and v of a step of first
/// order are half a step's fall apart: v is early by ½ h g under semi-implicit Euler, late by as much under explicit
/// Euler. It is exactly conserved in free fall, which ½ v² + g z is not.
fn energy(world: &World, integrator: Integrator) -> f64 {
    let late = match integrator {
        Integrator::SemiImplicitEuler => -0.5 * H * G,
        Integrator::ExplicitEuler => 0.5 * H * G,
        _ => 0.0,
    };
    let of = |body: &driftlab::model::Body| {
        let (m, w) = (body.mass_properties().mass, body.velocity.linear.y + late);
        m * (0.5 * w * w + G * body.pose.position.y)
    };
    world.bodies().iter().filter(|body| body.is_dynamic()).map(of).sum()
}

/// A ball; a box that falls flat, on two contacts at once; two disks on a massless rod; and a ball on a block that
/// rests on the ground.
fn falling() -> [(&'static str, World); 4] {
    let world = || {
        let mut world = World::new(DVec2::new(0.0, -G));
        world.add_body(ground(DVec2::Y, 0.0)).unwrap();
        world
    };
    let mut ball = disk(0.5, DVec2::new(0.0, 1.5), 0.0);
    let mut flat = block(DVec2::new(0.6, 0.4), DVec2::new(0.0, 1.0), 0.0, 0.0);
    (ball.restitution, flat.restitution) = (1.0, 1.0);
    let mut worlds =
        [("ball", world()), ("box", world()), ("dumbbell", world()), ("ball on a block", world())];
    worlds[0].1.add_body(ball.clone()).unwrap();
    worlds[1].1.add_body(flat).unwrap();
    for x in [0.0, 2.0] {
        ball.pose.position.x = x;
        worlds[2].1.add_body(ball.clone()).unwrap();
    }
    let rod = Joint::distance(id(&worlds[2].1, 1), id(&worlds[2].1, 2));
    worlds[2].1.add_joint(rod.anchors([0.0, 1.5], [2.0, 1.5])).unwrap();
    worlds[3].1.add_body(block(DVec2::new(3.0, 0.4), DVec2::new(0.0, 0.2), 0.0, 0.0)).unwrap();
    ball.pose.position = DVec2::new(0.0, 1.9);
    worlds[3].1.add_body(ball).unwrap();
    worlds
}

/// Newton's and Poisson's laws with e = 1, v⁺ = −v⁻ along the normal: no integrator loses or gains energy in ten
/// impacts, with one contact or two, with a joint, or on what rests on the ground. A ball that lost the step's fall g h
/// in each of them would be left with two thirds.
#[test]
fn elastic_impacts_keep_the_energy() {
    for integrator in Integrator::ALL {
        for law in Restitution::ALL {
            for (name, mut world) in falling() {
                let mut method = at_acceleration_level("none", integrator);
                method.contact.restitution = law;
                // Each integrator's first velocity is that at the start.
                let shift = energy(&world, Integrator::Rk4) - energy(&world, integrator);
                let before = energy(&world, integrator);
                assert!(shift.abs() < 0.01 * before);
                run(&mut world, &method, H, 600);
                let change = (energy(&world, integrator) - before) / before;
                assert!(change.abs() < 1e-9, "{name}, {}, {}: {change:.3e}", integrator.key(), law.key());
            }
        }
    }
}

/// An impact on a limit ends with velocities that fit the limit and the hinge: a bar that turns freely at 1 rad/s
/// against a limit at π, with e = 0, stops there.
#[test]
fn a_limit_stops_the_bar() {
    for integrator in [Integrator::SemiImplicitEuler, Integrator::Rk4] {
        let mut world = World::new(DVec2::ZERO);
        let base = world.add_body(wall()).unwrap();
        let mut bar = block(DVec2::new(1.5, 0.2), DVec2::new(0.75, 0.0), 0.0, 0.0);
        bar.collides = false;
        (bar.velocity.linear, bar.velocity.angular) = (DVec2::new(0.0, 0.75), 1.0);
        let bar = world.add_body(bar).unwrap();
        world.add_joint(Joint::hinge(base, bar).at([0.0, 0.0]).limits(-PI, PI)).unwrap();
        run(&mut world, &at_acceleration_level("post_stabilization", integrator), H, 360);
        let bar = &world.bodies()[1];
        assert!((bar.pose.angle - PI).abs() < 1e-9, "{integrator:?}: {}", bar.pose.angle);
        assert!(world.kinetic_energy() < 1e-20, "{integrator:?}: {:?}", bar.velocity);
    }
}
