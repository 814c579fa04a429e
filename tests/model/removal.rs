//! After a removal the world behaves as if the removed body had never been there.

use crate::contact::worlds::{block, disk, ground};
use crate::physics::worlds::{GRAVITY, bar, id, point_mass, wall};
use driftlab::method::Method;
use driftlab::model::{AppliedForce, Body, BodyId, ContactState, Joint, Shape, Spring, World};
use driftlab::schemes::TABLE;
use driftlab::step::{Workspace, measure, step};
use glam::DVec2;

/// Whether the scene is built with extra bodies that are removed again.
#[derive(Clone, Copy, PartialEq)]
enum Extras {
    None,
    RemovedAgain,
}

/// A hanging chain, a block and a disk on the ground; between them in the list, far away and before they are removed,
/// two bodies with a joint, a spring to the wall and a joint to the chain.
fn scene(extras: Extras) -> World {
    let mut world = World::new(GRAVITY);
    let mut gone: Vec<BodyId> = Vec::new();
    let mut extra = |world: &mut World| {
        if extras == Extras::RemovedAgain {
            gone.push(world.add_body(point_mass(DVec2::new(1e3, 1e3))).unwrap());
        }
    };
    extra(&mut world);
    let wall = world.add_body(wall()).unwrap();
    let mut last = wall;
    for link in 0..3 {
        let next = world.add_body(bar(DVec2::new(0.2, 0.05), DVec2::new(0.2 * f64::from(link), 2.0), 0.1));
        let next = next.unwrap();
        world.add_joint(Joint::hinge(last, next).at([0.2 * f64::from(link) - 0.1, 2.0])).unwrap();
        last = next;
        extra(&mut world);
    }
    world.add_body(ground(DVec2::Y, 0.5)).unwrap();
    world.add_body(block(DVec2::new(0.5, 0.3), DVec2::new(0.0, 0.15), 0.0, 0.5)).unwrap();
    extra(&mut world);
    world.add_body(disk(0.2, DVec2::new(0.05, 0.5), 0.5)).unwrap();
    if extras == Extras::RemovedAgain {
        world.add_joint(Joint::hinge(gone[0], gone[1])).unwrap();
        world.add_joint(Joint::distance(gone[1], last)).unwrap();
        world.add_spring(Spring::between(gone[2], wall).stiffness(10.0)).unwrap();
    }
    let spring = Spring::between(wall, last).stiffness(30.0).damping(1.0).rest_length(0.1);
    world.add_spring(spring).unwrap();
    for id in gone {
        world.remove_body(id).unwrap();
    }
    world
}

/// Everything that a step changes, as bits.
fn bits(world: &World) -> Vec<u64> {
    let mut numbers = Vec::new();
    for body in world.bodies() {
        numbers.extend(body.pose.coordinates().to_array());
        numbers.extend(body.velocity.coordinates().to_array());
    }
    numbers.extend(world.joints().iter().flat_map(|joint| joint.force));
    numbers.extend(world.contacts().iter().flat_map(|contact| contact.impulse));
    numbers.into_iter().map(f64::to_bits).collect()
}

/// Under every scheme, a world from which bodies were removed with their joints and springs steps to the same bits as one that
/// never had them, with joints, a spring and contacts at work.
#[test]
fn a_removed_body_leaves_no_trace() {
    for scheme in TABLE {
        let method = Method::new((*scheme).into());
        let (mut never, mut removed) = (scene(Extras::None), scene(Extras::RemovedAgain));
        assert_eq!(removed.joints().len(), 3);
        assert_eq!(removed.springs().len(), 1);
        let mut workspaces = [Workspace::default(), Workspace::default()];
        for _ in 0..100 {
            step(&mut never, &method, 1e-3, &mut workspaces[0]).unwrap();
            step(&mut removed, &method, 1e-3, &mut workspaces[1]).unwrap();
        }
        assert!(!never.contacts().is_empty());
        assert_eq!(bits(&never), bits(&removed), "{}", scheme.info().key);
    }
}

/// A workspace that has served the world before a removal gives the same bits afterwards as a fresh one.
#[test]
fn a_used_workspace_does_not_remember_the_removed() {
    for scheme in TABLE {
        let method = Method::new((*scheme).into());
        let mut world = scene(Extras::None);
        let mut used = Workspace::default();
        for _ in 0..50 {
            step(&mut world, &method, 1e-3, &mut used).unwrap();
        }
        // The middle of the chain, and the block under the disk.
        for index in [5, 2] {
            world.remove_body(id(&world, index)).unwrap();
        }
        let mut clone = world.clone();
        let mut fresh = Workspace::default();
        for _ in 0..50 {
            step(&mut world, &method, 1e-3, &mut used).unwrap();
            step(&mut clone, &method, 1e-3, &mut fresh).unwrap();
        }
        assert_eq!(world, clone, "{}", scheme.info().key);
    }
}

/// A world whose last body was pushed in its last step, and then lost another body, is measured as by a fresh workspace.
#[test]
fn a_used_workspace_measures_what_is_left() {
    let mut world = World::new(GRAVITY);
    let first = world.add_body(Body::dynamic().shape(Shape::circle(0.1))).unwrap();
    let pushed = Body::dynamic().at([1.0, 0.0]).shape(Shape::circle(0.1));
    world.add_body(pushed.applied(AppliedForce::force([0.0, 10.0]))).unwrap();
    let (method, mut used) = (Method::none(), Workspace::default());
    let report = step(&mut world, &method, 1e-2, &mut used).unwrap();
    assert_ne!(report.applied_work, 0.0);
    world.remove_body(first).unwrap();
    let [used, fresh] = [&mut used, &mut Workspace::default()].map(|own| measure(&world, &method, own));
    assert_eq!(used, fresh);
}

/// The contacts of the last step stay with their bodies, impulses included: they are the next step's warm start.
#[test]
fn contacts_stay_with_their_bodies() {
    let mut world = World::new(GRAVITY);
    for (name, body) in [
        ("ground", ground(DVec2::Y, 0.5)),
        ("left", disk(0.2, DVec2::new(-1.0, 0.2), 0.5)),
        ("middle", disk(0.2, DVec2::new(0.0, 0.2), 0.5)),
        ("right", block(DVec2::new(0.4, 0.4), DVec2::new(1.0, 0.2), 0.0, 0.5)),
    ] {
        let mut body = body;
        body.name = name.to_owned();
        world.add_body(body).unwrap();
    }
    let method = Method::by_key("anitescu_hart").unwrap();
    step(&mut world, &method, 1e-2, &mut Workspace::default()).unwrap();
    let named = |world: &World| -> Vec<([String; 2], ContactState)> {
        let name = |id: BodyId| world[id].name.clone();
        world.contacts().iter().map(|contact| (contact.id.bodies.map(name), *contact)).collect()
    };
    let before = named(&world);
    assert_eq!(before.len(), 4, "one of each disk, two of the block");
    world.remove_body(id(&world, 2)).unwrap();
    let expected: Vec<_> = before.into_iter().filter(|(names, _)| names[1] != "middle").collect();
    assert_eq!(named(&world), expected);
    assert!(world.contacts().iter().any(|contact| contact.impulse[0] > 0.0));
}

/// The mouse's grab ends when its body is removed, and survives the removal of others.
#[test]
fn the_grab_goes_with_its_body_alone() {
    let mut world = World::new(GRAVITY);
    let ids = [0.0, 1.0, 2.0].map(|x| world.add_body(point_mass(DVec2::new(x, 0.0))).unwrap());
    world.grab_body(ids[1], DVec2::X).unwrap();
    world.remove_body(ids[0]).unwrap();
    assert_eq!(world.grab().map(|grab| grab.body), Some(ids[1]));
    world.remove_body(ids[1]).unwrap();
    assert_eq!(world.grab(), None);
    assert_eq!(world.body_ids(), &ids[2..]);
}
