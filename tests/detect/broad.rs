//! Which pairs of bodies can collide, and how far ahead contacts are found.

use super::{Random, body, frames, world};
use crate::physics::worlds::{edit, id};
use driftlab::detect::{Detector, Reach};
use driftlab::model::joint::Hinge;
use driftlab::model::{Joint, JointKind, Shape, World};
use glam::DVec2;

fn disk(x: f64) -> driftlab::model::Body {
    body(Shape::Circle { radius: 1.0 }, DVec2::new(x, 0.0), 0.0)
}

fn count(world: &World, reach: Reach) -> usize {
    let mut contacts = Vec::new();
    Detector::default().detect(world, &frames(world), &reach, &mut contacts);
    contacts.len()
}

const HERE: Reach = Reach { distance: 0.01, travel: 0.0 };

/// Two overlapping disks do not collide if one has collisions switched off, if they share a negative group, or if all joints
/// between them exclude collisions; two bodies that no force moves never collide.
#[test]
fn filters_keep_pairs_apart() {
    let pair = |change: &dyn Fn(&mut World)| {
        let mut world = world(vec![disk(0.0), disk(1.5)]);
        change(&mut world);
        count(&world, HERE)
    };
    assert_eq!(pair(&|_| ()), 1);
    assert_eq!(pair(&|w| edit(w, 1, |b| b.collides = false)), 0);
    assert_eq!(pair(&|w| [0, 1].into_iter().for_each(|i| edit(w, i, |b| b.group = -2))), 0);
    assert_eq!(pair(&|w| [0, 1].into_iter().for_each(|i| edit(w, i, |b| b.group = 2))), 1);
    assert_eq!(pair(&|w| edit(w, 0, |b| b.group = -1)), 1);
    let joined = |world: &mut World, colliding: &[bool]| {
        for colliding in colliding {
            let hinge = JointKind::Hinge(Hinge { anchors: [DVec2::ZERO; 2] });
            let joint = Joint::between([id(world, 1), id(world, 0)], hinge);
            world.add_joint(if *colliding { joint.collide_connected() } else { joint }).unwrap();
        }
    };
    assert_eq!(pair(&|w| joined(w, &[false])), 0);
    assert_eq!(pair(&|w| joined(w, &[true])), 1);
    assert_eq!(pair(&|w| joined(w, &[true, false])), 1);
    // Two bodies that no force moves never collide.
    let plane = || body(Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 }, DVec2::ZERO, 0.0);
    let line = || body(Shape::Polyline { points: vec![-DVec2::X, DVec2::X] }, DVec2::ZERO, 0.0);
    assert_eq!(count(&world(vec![plane(), plane(), line(), line()]), HERE), 0);
}

/// A fast bullet's contact with a thin wall is found ahead of the impact if the wall is within its travel, and not otherwise.
#[test]
fn speed_extends_the_reach() {
    let wall = body(Shape::Polyline { points: vec![-DVec2::Y, DVec2::Y] }, DVec2::ZERO, 0.0);
    let mut bullet = body(Shape::Circle { radius: 0.01 }, DVec2::new(-3.0, 0.0), 0.0);
    bullet.velocity.linear = DVec2::new(400.0, 0.0);
    let world = world(vec![wall, bullet]);
    assert_eq!(count(&world, HERE), 0);
    assert_eq!(count(&world, Reach { travel: 0.01, ..HERE }), 1);
    assert_eq!(count(&world, Reach { travel: 0.005, ..HERE }), 0);
}

/// The broad phase's tree finds as many contacts as testing all pairs of bodies one by one.
#[test]
fn the_tree_finds_what_all_pairs_find() {
    let mut random = Random(5);
    for bodies in [1, 2, 3, 4, 40, 150] {
        let all: Vec<_> = (0..bodies)
            .map(|_| {
                let size = DVec2::new(random.between(0.1, 2.0), random.between(0.1, 1.0));
                body(Shape::Box { size }, random.vec2(8.0), random.between(-3.0, 3.0))
            })
            .collect();
        let found = super::detect(&world(all.clone()), 0.2);
        let mut expected = 0;
        for a in 0..bodies {
            for b in a + 1..bodies {
                expected += super::detect(&world(vec![all[a].clone(), all[b].clone()]), 0.2).len();
            }
        }
        assert_eq!(found.len(), expected, "{bodies} bodies");
    }
}
