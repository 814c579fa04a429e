//! The recorder for Rapier writes what the solver applied: in steps of one substep momentum closes to rounding for every kind of
//! joint and for contacts, and the numbers of bodies and joints that come and go are right.
#![cfg(feature = "rapier2d-f64")]

#[path = "../../tests/common/mod.rs"]
mod common;

use common::{file, momentum_left, read};
use driftlab_probe::format::Part;
use driftlab_probe_adapters::rapier2d_f64::{Recorder, World};
use rapier2d_f64::prelude::*;

fn view(world: &PhysicsWorld) -> World<'_> {
    World {
        bodies: &world.bodies,
        colliders: &world.colliders,
        joints: &world.impulse_joints,
        narrow_phase: &world.narrow_phase,
        parameters: &world.integration_parameters,
        gravity: world.gravity,
    }
}

/// Steps of one substep, with the arms of contacts computed anew.
fn world() -> PhysicsWorld {
    let mut world = PhysicsWorld::default();
    world.integration_parameters.num_solver_iterations = 1;
    world.integration_parameters.contact_recycling = false;
    world
}

fn link(world: &mut PhysicsWorld, x: f64, y: f64) -> RigidBodyHandle {
    let body =
        world.bodies.insert(RigidBodyBuilder::dynamic().translation(Vector::new(x, y)).can_sleep(false));
    let shape = ColliderBuilder::cuboid(0.2, 0.05).density(500.0).friction(0.4);
    world.colliders.insert_with_parent(shape, body, &mut world.bodies);
    body
}

/// Protects every row of every joint: a slider with a motor and limits, a weld on it, a hinge with a limit and a motor, a slot, a
/// rope.
#[test]
fn momentum_closes_for_all_joints() {
    let mut world = world();
    let wall = world.bodies.insert(RigidBodyBuilder::fixed().rotation(0.3));
    let [a, b, c, d, e] = [0.0, 0.4, 0.8, 1.2, 1.6].map(|x| link(&mut world, x, 0.0));
    let axis = Vector::new(0.8, 0.6);
    let slider = PrismaticJointBuilder::new(axis)
        .limits([-0.2, 0.1])
        .motor_velocity(2.0, 50.0)
        .motor_max_force(300.0);
    let weld =
        FixedJointBuilder::new().local_anchor1(Vector::new(0.2, 0.0)).local_anchor2(Vector::new(-0.2, 0.0));
    let hinge = RevoluteJointBuilder::new()
        .local_anchor1(Vector::new(0.2, 0.0))
        .local_anchor2(Vector::new(-0.2, 0.0));
    let hinge = hinge.limits([-0.3, 0.5]).motor_velocity(-3.0, 20.0).motor_max_force(5.0);
    let slot = PinSlotJointBuilder::new(Vector::new(0.0, -1.0)).local_anchor1(Vector::new(0.2, 0.0));
    let slot = slot.local_anchor2(Vector::new(-0.2, 0.0)).limits([-0.3, 0.3]);
    let rope = RopeJointBuilder::new(0.45).local_anchor1(Vector::new(0.0, 0.05));
    let joints: [(_, _, GenericJoint); 5] = [
        (wall, a, slider.into()),
        (a, b, weld.into()),
        (b, c, hinge.into()),
        (c, d, slot.into()),
        (d, e, rope.into()),
    ];
    for (first, second, mut joint) in joints {
        joint.contacts_enabled = false;
        world.impulse_joints.insert(first, second, joint, true);
    }
    let path = file("rapier-joints.jsonl");
    let mut recorder = Recorder::begin(path.to_str().unwrap(), view(&world)).unwrap();
    for _ in 0..240 {
        world.step();
        recorder.step(view(&world));
    }
    assert_eq!(recorder.finish().unwrap(), 0);
    let (header, steps) = read(&std::fs::read_to_string(&path).unwrap());
    let left = momentum_left(&header, &steps);
    assert!(left.iter().all(|left| *left < 1e-12), "{left:?} of the largest impulse is left");
    let parts = |part| {
        steps.iter().flat_map(|step| step.acted.iter().flatten()).filter(|acted| acted.part == part).count()
    };
    for part in [None, Some(Part::Motor), Some(Part::LowerLimit), Some(Part::UpperLimit)] {
        assert!(parts(part) > 0, "nothing was told of {part:?}");
    }
}

/// Protects contacts: their impulses are those of the whole step about the point of its beginning, at any number of substeps.
#[test]
fn momentum_closes_for_contacts() {
    for substeps in [1, 4] {
        let mut world = world();
        world.integration_parameters.num_solver_iterations = substeps;
        let ground = world.bodies.insert(RigidBodyBuilder::fixed().rotation(0.1));
        world.colliders.insert_with_parent(ColliderBuilder::cuboid(9.0, 0.5), ground, &mut world.bodies);
        (0..4).for_each(|i| _ = link(&mut world, 0.1 * f64::from(i), 0.6 + 0.11 * f64::from(i)));
        let path = file(&format!("rapier-contacts-{substeps}.jsonl"));
        let mut recorder = Recorder::begin(path.to_str().unwrap(), view(&world)).unwrap();
        for _ in 0..120 {
            world.step();
            recorder.step(view(&world));
        }
        recorder.finish().unwrap();
        let (header, steps) = read(&std::fs::read_to_string(&path).unwrap());
        let left = momentum_left(&header, &steps);
        assert!(
            left.iter().all(|left| *left < 1e-12),
            "{left:?} of the largest impulse is left with {substeps} substeps"
        );
        assert!(steps.iter().flat_map(|step| step.contacts.iter().flatten()).count() > 400);
    }
}

/// Protects colliders without a body, such as the ground of Rapier's own arch: they are a fixed body of the recording, at the
/// places that they have in the world, and what they push is told.
#[test]
fn colliders_without_a_body_push() {
    let mut world = world();
    let ground = ColliderBuilder::cuboid(9.0, 0.5).translation(Vector::new(0.3, -0.5));
    world.colliders.insert(ground);
    let bar = link(&mut world, 0.0, 0.1);
    world.bodies[bar].set_rotation(Rotation::new(0.2), true);
    let path = file("rapier-loose.jsonl");
    let mut recorder = Recorder::begin(path.to_str().unwrap(), view(&world)).unwrap();
    for _ in 0..60 {
        world.step();
        recorder.step(view(&world));
    }
    recorder.finish().unwrap();
    let (header, steps) = read(&std::fs::read_to_string(&path).unwrap());
    let scene: serde_json::Value = serde_json::from_str(header.scene.get()).unwrap();
    assert_eq!(scene["bodies"][1]["type"], "fixed");
    assert_eq!(scene["bodies"][1]["shapes"][0]["offset"], serde_json::json!([0.3, -0.5]));
    let left = momentum_left(&header, &steps);
    assert!(left.iter().all(|left| *left < 1e-12), "{left:?} of the largest impulse is left");
    let last = steps.last().unwrap();
    assert_eq!(last.contacts.as_ref().unwrap()[0].bodies.iter().max(), Some(&1));
    assert!(last.went.is_none() && last.q[1] == Some([0.0; 3]));
}

/// Protects the numbers: a body that is removed is `null` for ever, with its joint; one that comes has the next number.
#[test]
fn bodies_come_and_go() {
    let mut world = world();
    let [a, b] = [0.0, 0.4].map(|x| link(&mut world, x, 0.0));
    world.impulse_joints.insert(a, b, RevoluteJointBuilder::new(), true);
    let path = file("rapier-comings.jsonl");
    let mut recorder = Recorder::begin(path.to_str().unwrap(), view(&world)).unwrap();
    world.step();
    recorder.step(view(&world));
    world.remove_body(a);
    let c = link(&mut world, 2.0, 3.0);
    world.impulse_joints.insert(b, c, RevoluteJointBuilder::new(), true);
    recorder.before_step(view(&world));
    world.step();
    recorder.step(view(&world));
    recorder.finish().unwrap();
    let (_, steps) = read(&std::fs::read_to_string(&path).unwrap());
    let [first, second] = &steps[..] else { panic!("two steps") };
    assert_eq!((first.q.len(), &first.came, &first.went), (2, &None, &None));
    assert_eq!(second.q.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, true]);
    let went = second.went.as_ref().unwrap();
    assert_eq!((&went.bodies[..], &went.joints[..]), (&[0][..], &[0][..]));
    let came = second.came.as_ref().unwrap();
    assert_eq!(
        (came.bodies[0]["name"].as_str(), came.bodies[0]["position"][1].as_f64()),
        (Some("body2"), Some(3.0))
    );
    assert_eq!(came.joints[0]["bodies"], serde_json::json!(["body1", "body2"]));
    assert_eq!(second.acted.as_ref().unwrap()[0].joint, Some(1));
}

/// Protects shapes that are rounded: a cuboid, a triangle and a polygon are told with their corners and their radius, and the
/// centre of mass of each is where a scene has it.
#[test]
fn rounded_shapes_are_told() {
    let mut world = world();
    let points = || [(-0.3, -0.2), (0.4, -0.2), (0.0, 0.3)].map(|(x, y)| Vector::new(x, y));
    let [a, b, c] = points();
    let shapes = [
        ColliderBuilder::round_cuboid(0.2, 0.1, 0.05),
        ColliderBuilder::round_triangle(a, b, c, 0.05),
        ColliderBuilder::round_convex_hull(&points(), 0.05).unwrap(),
    ];
    for shape in shapes {
        let body = world.bodies.insert(RigidBodyBuilder::dynamic().can_sleep(false));
        world.colliders.insert_with_parent(shape.density(500.0), body, &mut world.bodies);
    }
    let path = file("rapier-rounded.jsonl");
    world.step();
    Recorder::begin(path.to_str().unwrap(), view(&world)).unwrap().finish().unwrap();
    let (header, _) = read(&std::fs::read_to_string(&path).unwrap());
    let scene: serde_json::Value = serde_json::from_str(header.scene.get()).unwrap();
    for (body, corners) in scene["bodies"].as_array().unwrap().iter().zip([4, 3, 3]) {
        let shape = &body["shapes"][0];
        assert_eq!(
            (shape["shape"].as_str(), shape["radius"].as_f64()),
            (Some("polygon"), Some(0.05)),
            "{body}"
        );
        assert_eq!(shape["vertices"].as_array().unwrap().len(), corners, "{body}");
    }
}
