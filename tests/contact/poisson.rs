//! Poisson's law: only the impulse of the collision itself rebounds, not that of weight, corrections or turning joints.

use super::worlds::{G, disk, ground};
use crate::physics::worlds::{method, run};
use driftlab::method::{Integrator, Level, Method, Restitution};
use driftlab::model::World;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

const RADIUS: f64 = 0.1;
/// A step in which the weight's share h g = 0.04 m/s of an impact cannot be overlooked.
const H: f64 = 4e-3;

fn under(law: Restitution, method: &Method) -> Method {
    let mut method = method.clone();
    method.contact.restitution = law;
    method
}

/// Every scheme that knows both laws, at the levels and with the integrators that take impacts as impulses.
fn methods() -> Vec<(String, Method)> {
    let mut all: Vec<_> =
        ["none", "post_stabilization", "anitescu_hart", "implicit", "projection", "rattle"]
            .map(|key| (key.to_owned(), method(key, &[])))
            .into();
    let forces =
        Method::by_key("none").unwrap().at_level(Level::Acceleration, Integrator::SemiImplicitEuler);
    all.push(("none, forces".to_owned(), forces.unwrap()));
    all
}

/// A ball that meets the ground alone leaves with −e φ̇ by Newton's law. Poisson's returns e times the impulse m |φ̇|
/// of the collision, which is the same: the laws agree to rounding in every step, whatever the weight does meanwhile.
#[test]
fn a_ball_bounces_alike_by_both_laws() {
    for (name, method) in methods() {
        for e in [0.5, 1.0] {
            let [newton, poisson] = Restitution::ALL.map(|law| {
                let mut world = World::new(DVec2::new(0.0, -G));
                world.add_body(ground(DVec2::Y, 0.0)).unwrap();
                let mut ball = disk(RADIUS, DVec2::new(0.0, RADIUS + 0.5), 0.0);
                ball.restitution = e;
                world.add_body(ball).unwrap();
                let (method, mut workspace) = (under(law, &method), Workspace::default());
                let heights = (0..500).map(|_| {
                    step(&mut world, &method, H, &mut workspace).unwrap();
                    world.bodies()[1].pose.position.y
                });
                heights.collect::<Vec<_>>()
            });
            assert!(newton.iter().any(|y| *y < RADIUS + 0.05), "{name}: it has to bounce");
            for (step, (n, p)) in newton.iter().zip(&poisson).enumerate() {
                assert!(
                    (n - p).abs() < 1e-9,
                    "{name}, e = {e}, step {step}: {n} by Newton, {p} by Poisson"
                );
            }
        }
    }
}

/// What pushes a ball out of the ground does not rebound: it leaves at the larger of rebound, 0.5 · 2 m/s, and
/// correction, 0.1 m/s or 10 m/s, and not at e times more than both. (The weight is not there: it would add h g.)
#[test]
fn a_push_out_does_not_rebound() {
    let h = 1e-3;
    for (overlap, expected) in [(1e-4, 1.0), (1e-2, 10.0)] {
        for (key, parameters) in [
            ("anitescu_hart", vec![]),
            ("implicit", vec![]),
            ("baumgarte_velocity", vec![("alpha", 1.0 / h)]),
        ] {
            let mut world = World::new(DVec2::ZERO);
            world.add_body(ground(DVec2::Y, 0.0)).unwrap();
            let mut ball = disk(RADIUS, DVec2::new(0.0, RADIUS - overlap), 0.0);
            ball.velocity.linear.y = -2.0;
            ball.restitution = 0.5;
            world.add_body(ball).unwrap();
            run(&mut world, &under(Restitution::AnitescuPotra, &method(key, &parameters)), h, 1);
            let speed = world.bodies()[1].velocity.linear.y;
            assert!((speed - expected).abs() < 1e-9, "{key}, {overlap}: {speed}");
        }
    }
}
