//! A limit between two bodies that both move: two masses on a slider that turn about their common centre are held by its limit.
//!
//! ```text
//! |λ| = m ω² d/2 ,     d: their distance, ω: their rate ,     Σ m v = 0
//! ```

use super::worlds::method;
use driftlab::glam::DVec2;
use driftlab::method::{Integrator, Level};
use driftlab::model::{Body, Joint, Shape, World};
use driftlab::step::{Workspace, step};

/// ω, rad/s, and h, s.
const RATE: f64 = 2.0;
const H: f64 = 1e-3;
const STEPS: usize = 300;

/// Both limits pull with the centripetal force of theory, and leave the centre of mass at rest; the motions are mirror images, at
/// the acceleration level with J̇ v.
#[test]
fn either_limit_holds_two_turning_masses_together() {
    for level in [Level::Velocity, Level::Acceleration] {
        let mut motions = Vec::new();
        // The coordinate counts from the start, x_b − x_a = ±1 m: outward is beyond the upper limit, or beyond the lower one.
        for (at, limits) in [(1.0, [-0.5, 0.0]), (-1.0, [0.0, 0.5])] {
            let mut world = World::new(DVec2::ZERO);
            let mut mass = |x: f64| {
                let body =
                    Body::dynamic().at([x, 0.0]).shape(Shape::circle(0.1)).mass_and_inertia(1.0, 0.01);
                world.add_body(body.velocity([0.0, RATE * x]).angular_velocity(RATE)).unwrap()
            };
            let bodies = [mass(-0.5 * at), mass(0.5 * at)];
            let slider = Joint::slider(bodies[0], bodies[1], [1.0, 0.0]).limits(limits[0], limits[1]);
            let slider = world.add_joint(slider.anchors([0.0, 0.0], [0.0, 0.0])).unwrap();
            let method = method("none", &[]).at_level(level, Integrator::SemiImplicitEuler).unwrap();
            let mut workspace = Workspace::default();
            let (mut force, mut rate) = (0.0, 0.0_f64);
            for _ in 0..STEPS {
                step(&mut world, &method, H, &mut workspace).unwrap();
                let [a, b] = bodies.map(|body| &world[body]);
                let along = (b.pose.position - a.pose.position).normalize();
                rate = rate.max((b.velocity.linear - a.velocity.linear).dot(along).abs());
                force += workspace.limit_force(slider).unwrap() / STEPS as f64;
            }
            let [a, b] = bodies.map(|body| &world[body]);
            let distance = (b.pose.position - a.pose.position).length();
            let momentum = a.velocity.linear + b.velocity.linear;
            // In the mean, since a step may leave it open by rounding. The upper limit pulls the second body back, the
            // lower one pushes it on.
            let expected = -at.signum() * RATE * RATE * 0.5;
            let case = format!("{level:?}, limits {limits:?}");
            assert!((distance - 1.0).abs() < 2.0 * RATE * H, "{case}: {distance} m apart");
            assert!(
                (force / expected - 1.0).abs() < 5.0 * RATE * H,
                "{case}: {force} N, expected {expected}"
            );
            assert!(momentum.length() < 1e-12, "{case}: {momentum}");
            motions.push([distance, rate, force.abs()]);
        }
        let [upper, lower] = motions[..] else { panic!("two limits") };
        for (one, other) in upper.into_iter().zip(lower) {
            assert!(
                (one - other).abs() < 1e-13,
                "{level:?}: the motions are no mirror images, {one} and {other}"
            );
        }
    }
}
