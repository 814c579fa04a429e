//! Springs have k and d in either engine.

use super::*;
use driftlab_engine::model::{Body, BodyId, Joint, Spring};
use driftlab_engine::prelude::DVec2;

const K: f64 = 80.0;

fn hang(build: impl FnOnce(&mut World, [BodyId; 2])) -> (World, BodyId) {
    let mut world = World::new([0.0, -10.0]);
    let wall = world.add_body(Body::fixed()).unwrap();
    let bob = world.add_body(Body::dynamic().at([0.0, -1.0]).mass_and_inertia(2.0, 0.5)).unwrap();
    build(&mut world, [wall, bob]);
    (world, bob)
}

/// At rest a spring is longer by m g/k, and the line says that it pulls with m g.
#[test]
fn a_spring_is_stretched_by_the_weight() {
    for kind in engines() {
        let (mut world, bob) = hang(|world, [wall, bob]| {
            world
                .add_spring(Spring::between(wall, bob).stiffness(K).damping(20.0).rest_length(1.0))
                .unwrap();
        });
        let mut peer = build(&Settings::new(kind), &world, H).unwrap();
        advance(&mut *peer, &mut world, H, 600);
        let y = world[bob].pose.position.y;
        assert!((y + 1.0 + 20.0 / K).abs() < 1e-3, "{} {y}", kind.name());
        let line = peer.line(&world);
        let pull = &line.acted.as_ref().unwrap()[0];
        let on = pull.on.iter().find(|on| on.0 == 1).unwrap();
        assert!(pull.spring == Some(0) && (on.2 - 20.0 * H).abs() < 1e-3, "{} {pull:?}", kind.name());
    }
}

/// A mass of 2 kg on a spring of 80 N/m swings at 2 π √(m/k); with 64 parts the engines' implicit springs take little.
#[test]
fn a_spring_swings_at_its_frequency() {
    for kind in engines() {
        let (mut world, bob) = hang(|world, [wall, bob]| {
            world.set_gravity(DVec2::ZERO).unwrap();
            world.add_spring(Spring::between(wall, bob).stiffness(K).rest_length(1.3)).unwrap();
        });
        let mut settings = of_one_part(kind);
        let key = if kind == Kind::Box2d { "substeps" } else { "num_solver_iterations" };
        settings.set(key, 64.0).unwrap();
        let mut peer = build(&settings, &world, H).unwrap();
        let (mut crossings, mut last) = (Vec::new(), 0.3);
        for step in 1..=240 {
            advance(&mut *peer, &mut world, H, 1);
            let x = world[bob].pose.position.y + 1.3;
            if last > 0.0 && x <= 0.0 {
                crossings.push((f64::from(step) - x / (x - last)) * H);
            }
            last = x;
        }
        let period = (crossings[2] - crossings[0]) / 2.0;
        let expected = std::f64::consts::TAU * (2.0 / K).sqrt();
        assert!((period / expected - 1.0).abs() < 2e-3, "{} {period} {expected}", kind.name());
    }
}

/// A torsional spring turns by M/k; a wheel sinks by m g/k; Rapier's spring without rest length is one in both directions.
#[test]
fn other_springs_sag_by_their_stiffness() {
    for kind in engines() {
        let (mut world, bob) = hang(|world, [wall, bob]| {
            world.set_gravity(DVec2::ZERO).unwrap();
            let spring = Spring::between(wall, bob).stiffness(5.0).damping(3.0).rest_angle(0.2);
            world.add_spring(spring).unwrap();
            let torque = driftlab_engine::model::AppliedForce::torque(1.0);
            world.set_applied_force(bob, Some(torque)).unwrap();
        });
        world = after(&Settings::new(kind), world, H, 600);
        assert!((world[bob].pose.angle - 0.4).abs() < 1e-3, "{} {}", kind.name(), world[bob].pose.angle);

        let (mut world, bob) = hang(|world, [wall, bob]| {
            world.add_joint(Joint::wheel(wall, bob, [0.0, 1.0], 400.0, 60.0)).unwrap();
        });
        world = after(&Settings::new(kind), world, H, 600);
        let y = world[bob].pose.position.y;
        assert!((y + 1.05).abs() < 1e-3, "{} {y}", kind.name());
    }
    if Kind::Rapier.is_built() {
        let (mut world, bob) = hang(|world, [wall, bob]| {
            let spring = Spring::between(wall, bob).anchors([0.4, 0.0], [0.0, -1.0]);
            world.add_spring(spring.stiffness(K).damping(20.0).rest_length(0.0)).unwrap();
        });
        world = after(&Settings::new(Kind::Rapier), world, H, 600);
        let off = world[bob].pose.position - DVec2::new(0.4, -20.0 / K);
        assert!(off.length() < 1e-3, "{off}");
    }
}
