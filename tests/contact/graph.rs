//! What a workspace keeps from step to step, the contact graph above all, is an economy and no influence.

use super::worlds::{block, ground};
use crate::detect::{Random, body, compound, convex_polygon};
use crate::physics::worlds::{edit, free_chain, hinge, id, point_mass, wall};
use driftlab::method::{Level, Method};
use driftlab::model::joint::Hinge;
use driftlab::model::{Body, Joint, JointKind, Placement, Shape, World};
use driftlab::step::Workspace;
use driftlab::step::step;
use glam::DVec2;

const H: f64 = 0.01;

/// A body of any shape above the ground, in motion.
fn any_body(random: &mut Random) -> Body {
    let at = DVec2::new(random.between(-2.0, 2.0), random.between(0.3, 4.0));
    let angle = random.between(-3.0, 3.0);
    let size = DVec2::new(random.between(0.2, 0.8), random.between(0.2, 0.6));
    let mut made = match random.below(6) {
        0 => body(Shape::Circle { radius: 0.5 * size.x }, at, angle),
        1 => body(Shape::Ellipse { semi_axes: 0.6 * size }, at, angle),
        2 => body(Shape::Capsule { length: size.x, radius: 0.4 * size.y }, at, angle),
        3 => {
            let vertices = convex_polygon(random).into_iter().map(|p| 0.4 * p);
            body(Shape::polygon(vertices), at, angle)
        }
        4 => {
            // An angle iron: its two pieces have a seam.
            let corners = [(0., 0.), (2., 0.), (2., 1.), (1., 1.), (1., 2.), (0., 2.)];
            let vertices = corners.map(|(x, y)| 0.3 * DVec2::new(x, y)).to_vec();
            body(Shape::polygon(vertices), at, angle)
        }
        _ => {
            let shapes = vec![
                Placement::centred(Shape::Box { size }),
                Placement::centred(Shape::Circle { radius: 0.5 * size.y }),
            ];
            compound(shapes, at, angle)
        }
    };
    made.friction = random.between(0.0, 0.8);
    made.restitution = if random.below(4) == 0 { 0.4 } else { 0.0 };
    made.velocity.linear = random.vec2(2.0);
    made.velocity.angular = random.between(-3.0, 3.0);
    made
}

/// One of the things that a person does between two steps, or nothing.
fn meddle(world: &mut World, random: &mut Random, past: &World) {
    let count = world.bodies().len();
    let any = 1 + random.below(count.max(2) - 1);
    if count < 3 {
        world.add_body(any_body(random)).unwrap();
        return;
    }
    match random.below(26) {
        0 => edit(world, any, |body| body.pose.position += DVec2::new(0.1, 0.2)),
        1 => edit(world, any, |body| body.velocity.linear = DVec2::new(1.0, -2.0)),
        2 => edit(world, any, |body| body.collides = !body.collides),
        3 => edit(world, any, |body| body.group = if body.group == 0 { -1 } else { 0 }),
        4 => edit(world, any, |body| body.friction = 0.3),
        5 => drop(world.remove_body(id(world, any)).unwrap()),
        6 => drop(world.add_body(any_body(random)).unwrap()),
        7 => {
            let other = 1 + any % (count - 1);
            let hinge = JointKind::Hinge(Hinge { anchors: [DVec2::ZERO, DVec2::new(0.3, 0.0)] });
            let joint = Joint::between([id(world, any), id(world, other)], hinge);
            if any != other {
                world
                    .add_joint(if random.below(2) == 0 { joint.collide_connected() } else { joint })
                    .unwrap();
            }
        }
        8 => {
            if let Some(&joint) = world.joint_ids().first() {
                world.remove_joint(joint).unwrap();
            }
        }
        9 => *world = past.clone(),
        10 => {
            let shape = any_body(random);
            edit(world, any, |body| *body = shape);
        }
        11 => edit(world, any, |body| body.pose.angle += 0.2),
        12 => edit(world, any, |body| body.velocity.angular *= 0.5),
        _ => {}
    }
}

/// Six random worlds of bodies of all shapes, whose bodies, joints, masks and states are changed between steps, whose
/// past comes back, and which change scheme: 300 steps each with one workspace for all have the reports and the bits of
/// steps with a fresh workspace each; and a step that fails, fails alike.
#[test]
fn a_used_workspace_gives_the_bits_of_a_fresh_one() {
    let keys = ["none", "anitescu_hart", "post_stabilization", "implicit", "split_impulse"];
    let methods = keys.map(|key| {
        let mut method = Method::by_key(key).unwrap();
        method.contact.active_travel = if key == "implicit" { 0.0 } else { 1.0 };
        method
    });
    let mut workspace = Workspace::default();
    let (mut contacts, mut failed) = (0, 0);
    for seed in 1..=6 {
        let mut random = Random(seed);
        let mut world = World::new(DVec2::new(0.0, -9.81));
        world.add_body(ground(DVec2::Y, 0.5)).unwrap();
        for _ in 0..12 {
            world.add_body(any_body(&mut random)).unwrap();
        }
        let mut past = world.clone();
        for made in 0..300 {
            meddle(&mut world, &mut random, &past);
            if made % 50 == 25 {
                past = world.clone();
            }
            let method = &methods[(made / 10 + seed as usize) % methods.len()];
            let mut twin = world.clone();
            let used = step(&mut world, method, H, &mut workspace);
            let fresh = step(&mut twin, method, H, &mut Workspace::default());
            match (&used, &fresh) {
                (Ok(used), Ok(fresh)) => assert_eq!(used, fresh, "world {seed}, step {made}"),
                _ => assert_eq!(format!("{used:?}"), format!("{fresh:?}"), "world {seed}, step {made}"),
            }
            // Formatted, so that −0 is told from 0.
            assert_eq!(format!("{world:?}"), format!("{twin:?}"), "world {seed}, step {made}");
            contacts += world.contacts().len();
            failed += usize::from(used.is_err());
        }
    }
    assert!(contacts > 5_000 && failed < 100, "{contacts} contacts, {failed} failed steps");
}

/// A box that turns about its corner on the ground under RATTLE, whose rows contain the corner's J̇ v: a person brakes
/// it after each step, so that this changes where pose and contact have not. Braked to 0.7 of its speed, its corner has
/// half the centripetal acceleration.
#[test]
fn the_rates_of_a_kept_contact_are_those_of_the_present_velocity() {
    let mut method = Method::by_key("rattle").unwrap();
    method.contact.active_travel = 1.0;
    let mut world = World::new(DVec2::new(0.0, -9.81));
    world.add_body(ground(DVec2::Y, 0.5)).unwrap();
    let (angle, half) = (0.3, DVec2::new(0.5, 0.5));
    let arm = DVec2::from_angle(angle).rotate(-half);
    let mut turning = block(2.0 * half, -arm, angle, 0.5);
    turning.velocity.angular = 2.0;
    turning.velocity.linear = -2.0 * arm.perp();
    world.add_body(turning).unwrap();
    let mut workspace = Workspace::default();
    for made in 0..10 {
        let mut twin = world.clone();
        let used = step(&mut world, &method, 1e-4, &mut workspace).unwrap();
        let fresh = step(&mut twin, &method, 1e-4, &mut Workspace::default()).unwrap();
        assert_eq!((used, format!("{world:?}")), (fresh, format!("{twin:?}")), "step {made}");
        assert_eq!(world.contacts().len(), 1, "step {made}");
        edit(&mut world, 1, |body| {
            body.velocity.linear *= 0.7;
            body.velocity.angular *= 0.7;
        });
    }
}

/// One of the things that a person does to joints between two steps, or nothing; what joins two bodies that cannot move
/// is refused.
fn meddle_with_joints(world: &mut World, random: &mut Random, past: &World) {
    let count = world.bodies().len();
    let [any, other] = [random.below(count), random.below(count)];
    let at = |world: &World, index: usize| world.bodies()[index].pose.position;
    match random.below(30) {
        0 if any != other => {
            let joint = hinge([id(world, any), id(world, other)], at(world, any));
            world.add_joint(joint).ok();
        }
        1 if any != other => {
            let joint = Joint::weld(id(world, any), id(world, other)).at(at(world, other));
            world.add_joint(joint).ok();
        }
        2 if (at(world, any) - at(world, other)).length() > 1e-3 => {
            world.add_joint(Joint::distance(id(world, any), id(world, other))).ok();
        }
        3 | 4 if !world.joint_ids().is_empty() => {
            let which = random.below(world.joint_ids().len());
            world.remove_joint(world.joint_ids()[which]).unwrap();
        }
        5 => edit(world, any, |body| body.pose.position += DVec2::new(0.01, -0.02)),
        6 => edit(world, any, |body| body.velocity.angular += 0.5),
        // Made static, and movable again.
        7 => {
            let fix = |body: &mut Body| {
                let pose = body.pose;
                *body = wall();
                body.pose = pose;
            };
            world.edit_body(id(world, any), fix).ok();
        }
        8 => edit(world, any, |body| *body = point_mass(body.pose.position)),
        9 => {
            let mass = world.add_body(point_mass(at(world, any) + random.vec2(0.3))).unwrap();
            let joint = hinge([id(world, any), mass], at(world, any));
            world.add_joint(joint).ok();
        }
        10 if count > 6 => drop(world.remove_body(id(world, any)).unwrap()),
        11 => *world = past.clone(),
        _ => {}
    }
}

/// The same of joints alone, whose matrix keeps its order, its storage and the places of its terms: chains, trees and
/// loops of hinges, welds and rods, among which joints come and go and bodies are moved, added, removed, and made static.
#[test]
fn a_used_workspace_gives_the_bits_of_a_fresh_one_to_joints() {
    let keys = ["none", "baumgarte_velocity", "none", "projection", "post_stabilization", "rattle"];
    let mut methods = keys.map(|key| Method::by_key(key).unwrap());
    methods[0].level = Level::Acceleration;
    let mut workspace = Workspace::default();
    let (mut made, mut failed) = (0, 0);
    for seed in 1..=8 {
        let mut random = Random(seed);
        let mut world = free_chain(4 + seed as usize, DVec2::new(0.0, -9.81));
        let wall = world.add_body(wall()).unwrap();
        world.add_joint(hinge([wall, id(&world, 0)], DVec2::ZERO)).unwrap();
        let past = world.clone();
        for step_made in 0..200 {
            meddle_with_joints(&mut world, &mut random, &past);
            let method = &methods[(step_made / 10 + seed as usize) % methods.len()];
            let mut twin = world.clone();
            let used = step(&mut world, method, 1e-3, &mut workspace);
            let fresh = step(&mut twin, method, 1e-3, &mut Workspace::default());
            assert_eq!(format!("{used:?}"), format!("{fresh:?}"), "world {seed}, step {step_made}");
            assert_eq!(format!("{world:?}"), format!("{twin:?}"), "world {seed}, step {step_made}");
            made += usize::from(used.is_ok());
            failed += usize::from(used.is_err());
            if used.is_err() {
                world = past.clone();
            }
        }
    }
    assert!(made > 1_000, "{made} steps, {failed} failed");
}
