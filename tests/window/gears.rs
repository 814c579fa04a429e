//! Gears in the window: drawn from joint to joint, copied with their joints, undone.

use super::build::{draw, empty, toast};
use driftlab::model::{JointKind, World};
use driftlab::scene::Scene;
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::Act;
use driftlab::workbench::model::Model;
use glam::{DVec2, dvec2};

fn gears(world: &World) -> Vec<(f64, [usize; 2])> {
    let index = |id| world.joint_ids().binary_search(&id).unwrap();
    let gear = |kind: &JointKind| match kind {
        JointKind::Gear(gear) => Some((gear.ratio, gear.joints().map(index))),
        _ => None,
    };
    world.joints().iter().filter_map(|joint| gear(&joint.kind)).collect()
}

/// Two disks on hinges of their own.
fn wheels() -> Model {
    let mut model = empty();
    for (x, radius) in [(0.0, 0.2), (0.6, 0.4)] {
        draw(&mut model, "circle", dvec2(x, 0.0), dvec2(x + radius, 0.0));
        draw(&mut model, "hinge", dvec2(x, 0.0), dvec2(x, 0.0));
    }
    model
}

/// A gear is drawn from one hinge to the other and has the ratio of the disks' radii; it is one change, and goes with its
/// joint; undoing the removal of that joint brings both back.
#[test]
fn a_gear_is_drawn_removed_with_its_joint_and_comes_back() {
    let mut model = wheels();
    draw(&mut model, "gear", DVec2::ZERO, dvec2(0.6, 0.0));
    assert_eq!(gears(model.run().world()), [(2.0, [0, 1])], "{}", toast(&model));
    let saved = model.run().to_scene().to_json();
    assert_eq!(Scene::parse(&saved).unwrap().to_json(), saved);
    draw(&mut model, "cut", dvec2(0.55, 0.05), dvec2(0.65, -0.05));
    assert!(gears(model.run().world()).is_empty(), "{}", toast(&model));
    model.apply(Command::Build(Act::Undo));
    assert_eq!(gears(model.run().world()), [(2.0, [0, 1])]);
    model.apply(Command::Build(Act::Undo));
    assert!(gears(model.run().world()).is_empty() && model.run().world().joints().len() == 2);
    draw(&mut model, "gear", DVec2::ZERO, dvec2(0.3, 0.3));
    assert!(toast(&model).contains("no hinge, slider, slot or wheel"), "{}", toast(&model));
}

/// A copy of geared bodies is geared, by the copies of their joints.
#[test]
fn a_copy_of_geared_wheels_is_geared() {
    let mut model = wheels();
    draw(&mut model, "gear", DVec2::ZERO, dvec2(0.6, 0.0));
    model.apply(Command::Build(Act::SelectAll));
    model.apply(Command::Build(Act::Duplicate));
    let world = model.run().world();
    assert_eq!(gears(world), [(2.0, [0, 1]), (2.0, [3, 4])], "{}", toast(&model));
}
