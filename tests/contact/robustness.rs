//! Extreme worlds: every step gives a finite new state, or an error that leaves the world unchanged; never a panic or NaN.

use super::worlds::{G, block, disk, ground};
use crate::physics::worlds::method;
use driftlab::method::Method;
use driftlab::model::{Body, BodyKind, MassSpec, Placement, Shape, World};
use driftlab::schemes::TABLE;
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

fn methods() -> impl Iterator<Item = Method> {
    TABLE.iter().map(|scheme| {
        let mut method = method(scheme.info().key, &[]);
        method.contact.active_travel = 1.0;
        method
    })
}

/// Makes up to `steps` steps under every scheme, and asserts that each gives finite numbers or fails and leaves the world
/// unchanged. Returns key, number of steps made, and largest speed (m/s and rad/s together) of each scheme.
fn survive(world: &World, steps: usize) -> Vec<(&'static str, usize, f64)> {
    let survived = methods().map(|method| {
        let (mut world, mut workspace) = (world.clone(), Workspace::default());
        let (mut made, mut fastest) = (0, 0.0_f64);
        for _ in 0..steps {
            let before = world.clone();
            match step(&mut world, &method, 1.0 / 60.0, &mut workspace) {
                Ok(report) => {
                    assert!(report.total_energy().is_finite(), "{method:?}");
                    assert!(report.contact_error.is_finite() && report.residual.is_finite(), "{method:?}");
                }
                Err(_) => {
                    assert!(world == before, "{method:?}: a failed step has changed the world");
                    break;
                }
            }
            made += 1;
            for body in world.bodies() {
                let (q, v) = (body.pose.coordinates(), body.velocity.coordinates());
                assert!(q.is_finite() && v.is_finite(), "{method:?}: {q} {v}");
                fastest = fastest.max(v.length());
            }
        }
        (method.stabilizer.info().key, made, fastest)
    });
    survived.collect()
}

fn every_shape(at: DVec2) -> Vec<Body> {
    let shapes = [
        Shape::Circle { radius: 0.5 },
        Shape::Box { size: DVec2::new(1.0, 0.6) },
        Shape::Ellipse { semi_axes: DVec2::new(0.7, 0.3) },
        Shape::Capsule { length: 0.8, radius: 0.2 },
        Shape::polygon([DVec2::ZERO, DVec2::X, DVec2::new(0.3, 0.9)]),
        Shape::polygon([(0.0, 0.0), (1.0, 0.0), (1.0, 0.3), (0.3, 0.3), (0.3, 1.0), (0.0, 1.0)]),
        Shape::rounded_polygon([DVec2::ZERO, DVec2::X, DVec2::new(0.3, 0.9)], 0.2),
    ];
    let place = |shape: Shape| {
        let shapes = vec![Placement::centred(shape)];
        let mut body = Body::new(BodyKind::Dynamic, at, 0.0, shapes, MassSpec::default()).unwrap();
        body.friction = 0.5;
        body
    };
    shapes.into_iter().map(place).collect()
}

/// Two bodies of every shape at one point, with a floor through them: every step gives finite numbers or an error, and at
/// least three schemes make all 120 steps.
#[test]
fn shapes_inside_one_another_stay_finite() {
    let mut world = World::new(DVec2::new(0.0, -G));
    world.add_body(ground(DVec2::Y, 0.5)).unwrap();
    for _ in 0..2 {
        every_shape(DVec2::ZERO).into_iter().for_each(|body| {
            world.add_body(body).unwrap();
        });
    }
    let survived = survive(&world, 120);
    let calm = survived.iter().filter(|(_, made, _)| *made == 120).count();
    assert!(calm >= 3, "{survived:?}");
}

/// Three coincident bodies: every step gives finite numbers or an error, and the first step succeeds except where Newton's
/// iteration to the manifold fails (`projection`, `rattle`).
#[test]
fn coincident_bodies_part() {
    for body in every_shape(DVec2::ZERO) {
        let mut world = World::new(DVec2::ZERO);
        (0..3).for_each(|_| {
            world.add_body(body.clone()).unwrap();
        });
        for (key, made, _) in survive(&world, 60) {
            // Newton's iteration to the manifold may not converge; then the step fails.
            assert!(
                made > 0 || matches!(key, "projection" | "rattle"),
                "{key}: cannot start with {}",
                body.shapes()[0].shape.key()
            );
        }
    }
}

/// A hundred disks at one place, 4,950 contacts: within a step under a scheme whose rows ask for the gap no two overlap
/// any longer, since the distance of two centres is at least its component along the contact's normal; so it is where
/// the disks lie on a spiral within 1 mm.
#[test]
fn a_crowd_parts_within_a_step() {
    for spread in [0.0, 5e-4] {
        crowd_parts(spread);
    }
}

fn crowd_parts(spread: f64) {
    const RADIUS: f64 = 0.1;
    let mut world = World::new(DVec2::new(0.0, -G));
    world.add_body(ground(DVec2::Y, 0.5)).unwrap();
    for i in 0..100 {
        let turn = DVec2::from_angle(2.399963 * f64::from(i));
        let at = DVec2::new(0.0, 1.0) + spread * (f64::from(i) / 100.0).sqrt() * turn;
        world.add_body(disk(RADIUS, at, 0.5)).unwrap();
    }
    let report = step(&mut world, &method("anitescu_hart", &[]), 0.01, &mut Workspace::default()).unwrap();
    assert_eq!((report.infeasible, report.substeps), (0, 1), "{report:?}");
    let centres: Vec<_> = world.bodies()[1..].iter().map(|body| body.pose.position).collect();
    for (i, a) in centres.iter().enumerate() {
        for b in &centres[..i] {
            assert!(a.distance(*b) >= 2.0 * RADIUS - 1e-9, "{a} and {b} overlap");
        }
    }
}

/// A heavy box on a light one stays at rest to rounding, 1e-14 m/s times the mass ratio, up to a ratio of 1e9. The impulses
/// on the light box nearly cancel, so that rounding leaves it a velocity of some ε times the heavy box's impulse over the
/// light mass: 4e-8 m/s at 1e9. At 1e12 it is 4e-5 m/s, which a solver may refuse.
#[test]
fn a_light_box_carries_a_heavy_one_to_rounding() {
    for ratio in [1e6, 1e9, 1e12] {
        let mut world = World::new(DVec2::new(0.0, -G));
        world.add_body(ground(DVec2::Y, 0.5)).unwrap();
        world.add_body(block(DVec2::ONE, DVec2::new(0.0, 0.5), 0.0, 0.5)).unwrap();
        let shape = vec![Placement::centred(Shape::Box { size: DVec2::ONE })];
        let heavy = MassSpec::Density(1e3 * ratio);
        let mut heavy = Body::new(BodyKind::Dynamic, DVec2::new(0.0, 1.5), 0.0, shape, heavy).unwrap();
        heavy.friction = 0.5;
        world.add_body(heavy).unwrap();
        for (key, made, fastest) in survive(&world, 300) {
            if matches!(key, "none" | "anitescu_hart" | "post_stabilization" | "projection") {
                assert!(made == 300 || ratio > 1e9, "{key} fails after {made} steps at {ratio:e}");
                assert!(fastest < 1e-14 * ratio, "{key}: moves at {fastest} m/s at {ratio:e}");
            }
        }
    }
}

/// With sizes from a nanometre to a gigametre and speeds up to 1e150 m/s, every step gives finite numbers or an error.
#[test]
fn absurd_sizes_and_speeds_stay_finite_or_fail() {
    for (size, speed) in [(1e-9, 1.0), (1e9, 1.0), (1.0, 1e9), (1.0, 1e150), (1e-9, 1e9)] {
        let mut world = World::new(DVec2::new(0.0, -G));
        world.add_body(ground(DVec2::Y, 0.5)).unwrap();
        for index in 0..4 {
            let at = size * DVec2::new(0.3 * f64::from(index), 1.0 + 2.0 * f64::from(index));
            let mut body = match index % 2 {
                0 => disk(size, at, 0.5),
                _ => block(DVec2::splat(size), at, 0.4, 0.5),
            };
            body.velocity.linear = DVec2::new(0.1, -1.0) * speed;
            body.restitution = 1.0;
            world.add_body(body).unwrap();
        }
        survive(&world, 60);
    }
}

/// A stack at rest without gravity stays at rest under every scheme.
#[test]
fn a_weightless_stack_stays_at_rest() {
    let mut world = World::new(DVec2::ZERO);
    for level in 0..5 {
        world.add_body(block(DVec2::ONE, DVec2::new(0.0, f64::from(level)), 0.0, 0.5)).unwrap();
    }
    for (key, made, fastest) in survive(&world, 60) {
        assert_eq!(made, 60, "{key}");
        assert!(fastest < 1e-12, "{key}: moves at {fastest} m/s");
    }
}
