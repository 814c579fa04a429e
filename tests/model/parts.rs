//! Which worlds have the same parts: what a step, a hand or a key changes is none of them.

use driftlab::model::{
    AppliedForce, Body, Breaking, Damping, Joint, Materials, Mix, ModelError, Spring, World,
};
use glam::DVec2;

fn machine() -> World {
    let mut world = World::new([0.0, -9.81]);
    let wall = world.add_body(Body::fixed()).unwrap();
    let load = world.add_body(Body::dynamic().at([1.0, 0.0]).mass_and_inertia(1.0, 0.1)).unwrap();
    world.add_joint(Joint::hinge(wall, load).motor(1.0, 5.0)).unwrap();
    world.add_spring(Spring::between(wall, load).stiffness(10.0)).unwrap();
    world
}

type Change = fn(&mut World) -> Result<(), ModelError>;

fn body(world: &mut World, edit: fn(&mut Body)) -> Result<(), ModelError> {
    let load = world.body_ids()[1];
    world.edit_body(load, edit)
}

fn joint(world: &mut World, edit: fn(&mut Joint)) -> Result<(), ModelError> {
    let hinge = world.joint_ids()[0];
    world.edit_joint(hinge, edit)
}

/// Protects runs of other engines, whose worlds are built anew where the parts are others, and only there.
#[test]
fn what_steps_and_hands_change_leaves_the_parts() {
    let states: [(&str, Change); 6] = [
        ("nothing", |_| Ok(())),
        ("poses", |world| {
            let load = world.body_ids()[1];
            let (pose, velocity) = (world[load].pose, world[load].velocity);
            world.place_bodies(&[(load, driftlab::model::Pose { angle: 1.0, ..pose }, velocity)])
        }),
        ("gravity", |world| world.set_gravity([1.0, 0.0])),
        ("applied forces", |world| {
            body(world, |own| {
                own.applied = Some(AppliedForce { force: DVec2::X, ..AppliedForce::default() })
            })
        }),
        ("a motor's speed", |world| joint(world, |own| own.motor.as_mut().unwrap().speed = -2.0)),
        ("a motor's force", |world| joint(world, |own| own.motor.as_mut().unwrap().max_force = 1.0)),
    ];
    let parts: [(&str, Change); 10] = [
        ("a body more", |world| world.add_body(Body::fixed()).map(drop)),
        ("friction", |world| body(world, |own| own.friction = 0.5)),
        ("damping", |world| body(world, |own| own.damping = Damping { linear: 1.0, ..Damping::default() })),
        ("a filter", |world| body(world, |own| own.group = -1)),
        ("no motor", |world| joint(world, |own| own.motor = None)),
        ("limits", |world| joint(world, |own| own.limits = Some([-1.0, 1.0]))),
        ("a joint that breaks", |world| {
            joint(world, |own| own.breaking = Some(Breaking { force: Some(1.0), ..Breaking::default() }))
        }),
        ("no joint", |world| world.remove_joint(world.joint_ids()[0]).map(drop)),
        ("a stiffer spring", |world| {
            let spring = world.spring_ids()[0];
            world.edit_spring(spring, |own| own.softness.stiffness = 20.0)
        }),
        ("a rule of friction", |world| {
            world.set_materials(Materials { friction: Mix::Min, ..Materials::default() })
        }),
    ];
    let of = |change: &Change| {
        let mut other = machine();
        change(&mut other).unwrap();
        other
    };
    for (what, change) in &states {
        assert!(of(change).has_parts_of(&machine()) && machine().has_parts_of(&of(change)), "{what}");
    }
    for (what, change) in &parts {
        assert!(!of(change).has_parts_of(&machine()), "{what}");
    }
    // The same parts again, though edits have come between.
    let mut again = machine();
    body(&mut again, |own| own.friction = 0.5).unwrap();
    body(&mut again, |own| own.friction = 0.0).unwrap();
    assert!(again.has_parts_of(&machine()));
}
