//! Going back to a state, and taking over another one.

use super::*;
use driftlab_engine::model::{Body, Joint, Pose, Shape, Spring};
use driftlab_peers::peer::Error;

/// A stack, a chain of six with a motor, a spring, a belt, and the hand at work.
fn busy() -> World {
    let mut world = World::new([0.0, -10.0]);
    let floor =
        Body::fixed().at([0.0, -0.5]).shape(Shape::rectangle(40.0, 1.0)).friction(0.6).surface_speed(0.3);
    let floor = world.add_body(floor.group(0)).unwrap();
    for row in 0..4 {
        let tilt = 0.02 * f64::from(row);
        let block =
            Body::dynamic().at([tilt, 0.5 + 1.02 * f64::from(row)]).shape(Shape::rectangle(1.0, 1.0));
        world.add_body(block.friction(0.5)).unwrap();
    }
    let mut last = floor;
    for link in 0..6 {
        let x = 4.5 + f64::from(link);
        let bar = world
            .add_body(Body::dynamic().at([x, 5.0]).shape(Shape::capsule(0.8, 0.1)).restitution(0.3))
            .unwrap();
        let hinge = Joint::hinge(last, bar).at([x - 0.5, 5.0]);
        world.add_joint(if link == 3 { hinge.motor(2.0, 20.0) } else { hinge }).unwrap();
        last = bar;
    }
    let ball = world.add_body(Body::dynamic().at([-4.0, 3.0]).shape(Shape::circle(0.4))).unwrap();
    world.add_spring(Spring::between(floor, ball).stiffness(40.0).damping(0.5).rest_length(2.0)).unwrap();
    world.grab_body(last, [10.0, 5.0]).unwrap();
    world.edit_grab(|grab| grab.target = [8.0, 6.0].into()).unwrap();
    world
}

/// Fifty steps from a snapshot are the same bit by bit, once and again, whatever was done in between.
#[test]
fn steps_from_a_snapshot_are_the_same() {
    for kind in engines() {
        let mut world = busy();
        let mut peer = build(&Settings::new(kind), &world, H).unwrap();
        advance(&mut *peer, &mut world, H, 50);
        let (kept, snapshot) = (world.clone(), peer.snapshot().unwrap());
        println!("{} {} bytes of {} bodies", kind.name(), snapshot.bytes(), kept.bodies().len());
        assert!(snapshot.kind() == kind && snapshot.bytes() > 1000);
        advance(&mut *peer, &mut world, H, 50);
        let (first, line) = (bits(&world), peer.line(&world));
        for other in [0, 37] {
            advance(&mut *peer, &mut world, H, other);
            peer.restore(&snapshot).unwrap();
            world = kept.clone();
            let mut given = kept.clone();
            peer.give(&mut given).unwrap();
            assert_eq!(bits(&given), bits(&kept), "{}", kind.name());
            advance(&mut *peer, &mut world, H, 50);
            assert_eq!(bits(&world), first, "{} after {other} other steps", kind.name());
            assert_eq!(peer.line(&world), line, "{}", kind.name());
        }
    }
}

/// Two peers of one world step alike, and a snapshot is that of its own peer alone.
#[test]
fn peers_of_one_world_step_alike() {
    for kind in engines() {
        let (mut one, mut other) = (busy(), busy());
        let mut peers = [&one, &other].map(|world| build(&Settings::new(kind), world, H).unwrap());
        advance(&mut *peers[0], &mut one, H, 60);
        advance(&mut *peers[1], &mut other, H, 60);
        assert_eq!(bits(&one), bits(&other), "{}", kind.name());
        let snapshot = peers[0].snapshot().unwrap();
        let refused = peers[1].restore(&snapshot).unwrap_err();
        assert!(matches!(refused, Error::Snapshot { engine, .. } if engine == kind), "{refused}");
    }
}

/// A body that a person puts somewhere else is there, at the speed that it got, and what it touched there no longer holds it;
/// the others go on.
#[test]
fn a_moved_body_is_taken_over() {
    for kind in engines() {
        let mut world = World::new([0.0, -10.0]);
        world.add_body(Body::fixed().at([0.0, -0.5]).shape(Shape::rectangle(40.0, 1.0))).unwrap();
        let block = |x: f64| Body::dynamic().at([x, 0.5]).shape(Shape::rectangle(1.0, 1.0)).friction(0.5);
        let [still, moved] = [0.0, 5.0].map(|x| world.add_body(block(x)).unwrap());
        let mut peer = build(&Settings::new(kind), &world, H).unwrap();
        advance(&mut *peer, &mut world, H, 30);
        let pose = Pose { position: [7.0, 20.0].into(), angle: 9.0 };
        world
            .edit_body(moved, |body| (body.pose, body.velocity.linear) = (pose, [3.0, 0.0].into()))
            .unwrap();
        peer.take(&world).unwrap();
        let mut given = world.clone();
        peer.give(&mut given).unwrap();
        assert_eq!(bits(&given), bits(&world), "{}", kind.name());
        advance(&mut *peer, &mut world, H, 30);
        let body = &world[moved];
        let fallen = 10.0 * (H / 4.0).powi(2) * 120.0 * 121.0 / 2.0;
        assert!((body.pose.position.x - 8.5).abs() < 1e-4, "{} {}", kind.name(), body.pose.position);
        assert!(
            (body.pose.position.y - 20.0 + fallen).abs() < 1e-3,
            "{} {}",
            kind.name(),
            body.pose.position
        );
        assert!((body.pose.angle - 9.0).abs() < 1e-4, "{} {}", kind.name(), body.pose.angle);
        assert!(
            (world[still].pose.position.y - 0.5).abs() < 0.01 && world[still].pose.position.x.abs() < 1e-3
        );
        // A peer that takes over what it gave itself goes on as if nothing had been.
        let (mut twin, snapshot) = (world.clone(), peer.snapshot().unwrap());
        advance(&mut *peer, &mut world, H, 10);
        peer.restore(&snapshot).unwrap();
        peer.take(&twin).unwrap();
        advance(&mut *peer, &mut twin, H, 10);
        assert_eq!(bits(&world), bits(&twin), "{}", kind.name());
    }
}
