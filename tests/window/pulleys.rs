//! Pulleys in the window: clicked point by point, carried along, joined, undone; and joints that are exchanged keep what they
//! bear.

use super::build::{draw, empty, make, toast};
use driftlab::model::joint::Pulley;
use driftlab::model::{Joint, JointKind, World};
use driftlab::scene::Scene;
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::edit::Edit;
use driftlab::workbench::editor::item::{self, Item};
use driftlab::workbench::editor::snap::Snap;
use driftlab::workbench::editor::toolbox::TOOLS;
use driftlab::workbench::editor::{Act, EditorIntent};
use driftlab::workbench::model::Model;
use glam::{DVec2, dvec2};

fn pulleys(world: &World) -> Vec<(&Joint, &Pulley)> {
    let pulley = |joint: &'_ Joint| matches!(joint.kind, JointKind::Pulley(_));
    let found = world.joints().iter().filter(|joint| pulley(joint));
    found
        .map(|joint| match &joint.kind {
            JointKind::Pulley(own) => (joint, own),
            _ => panic!(),
        })
        .collect()
}

/// Clicks point by point, and on the last one again.
fn clicks(model: &mut Model, points: &[DVec2]) {
    let tool = TOOLS.iter().position(|tool| tool.key == "pulley").expect("a tool");
    model.apply(Command::Build(Act::Tool(tool)));
    let snap = Snap { grid: 0.0, reach: 0.01 };
    for at in points.iter().chain(points.last()) {
        make(model, EditorIntent::Press { at: *at, reach: 0.02, adds: false, snap });
        make(model, EditorIntent::Release);
    }
}

/// Two loads, one metre below where their wheels will be, and a block beneath the second wheel.
fn loads() -> Model {
    let mut model = empty();
    for x in [0.0, 1.0] {
        draw(&mut model, "box", dvec2(x - 0.1, -1.1), dvec2(x + 0.1, -0.9));
    }
    draw(&mut model, "box", dvec2(0.8, -0.1), dvec2(1.2, 0.1));
    model
}

/// A pulley is clicked from end to end over its wheels, one of which a body that lies there carries; it has the length that it is
/// placed with, is saved and loaded to the same text, picked and cut along its rope, and is one change.
#[test]
fn a_pulley_is_clicked_over_its_wheels_cut_and_comes_back() {
    let mut model = loads();
    clicks(&mut model, &[dvec2(0.0, -1.0), dvec2(0.0, 0.0), dvec2(1.0, 0.0), dvec2(1.0, -1.0)]);
    let world = model.run().world();
    let [(joint, pulley)] = pulleys(world)[..] else { panic!("{}", toast(&model)) };
    assert_eq!((pulley.carried, joint.further()), ([false, true], Some([0, 2])));
    assert!((pulley.length - 2.0).abs() < 1e-12, "{}", pulley.length);
    let id = world.joint_ids()[0];
    assert_eq!(item::pick(world, dvec2(0.5, 0.0), 0.02), Some(Item::Joint(id)));
    assert_ne!(item::pick(world, dvec2(0.5, -1.0), 0.02), Some(Item::Joint(id)));
    let saved = model.run().to_scene().to_json();
    assert_eq!(Scene::parse(&saved).unwrap().to_json(), saved);
    draw(&mut model, "cut", dvec2(0.5, 0.1), dvec2(0.5, -0.1));
    assert!(pulleys(model.run().world()).is_empty(), "{}", toast(&model));
    model.apply(Command::Build(Act::Undo));
    assert_eq!(pulleys(model.run().world()).len(), 1);
    model.apply(Command::Build(Act::Undo));
    assert!(pulleys(model.run().world()).is_empty() && model.run().world().bodies().len() == 3);
    clicks(&mut model, &[dvec2(0.0, -1.0), dvec2(1.0, -1.0)]);
    assert!(toast(&model).contains("on one wheel or two"), "{}", toast(&model));
}

/// A copy of bodies on a rope hangs on a copy of the rope, whose wheel the copy of its carrier carries.
#[test]
fn a_copy_of_loads_hangs_on_its_own_rope() {
    let mut model = loads();
    clicks(&mut model, &[dvec2(0.0, -1.0), dvec2(0.5, 0.0), dvec2(1.0, 0.0), dvec2(1.0, -1.0)]);
    model.apply(Command::Build(Act::SelectAll));
    model.apply(Command::Build(Act::Duplicate));
    let world = model.run().world();
    let [(_, first), (joint, copy)] = pulleys(world)[..] else { panic!("{}", toast(&model)) };
    assert_eq!((joint.bodies(), joint.further()), ([3, 4], Some([3, 5])));
    assert_eq!((copy.length, copy.carried), (first.length, [false, true]));
}

/// Where two bodies become one, a wheel on one of them stays where it is in the world, a hinge keeps its friction, and the
/// gears of a hinge that another body takes over tie it as before.
#[test]
fn joined_bodies_keep_wheels_friction_and_gears() {
    let scene = r#"{"format": "driftlab-scene/1", "name": "Ropes", "settings": {"time_step": 0.001}, "bodies": [
        {"name": "frame", "type": "fixed", "position": [0, 0]},
        {"name": "a", "position": [0, -1], "shapes": [{"shape": "box", "size": [0.2, 0.2]}]},
        {"name": "b", "position": [1, -1], "shapes": [{"shape": "box", "size": [0.2, 0.2]}]},
        {"name": "kept", "position": [3, 0], "shapes": [{"shape": "box", "size": [0.2, 0.2]}]},
        {"name": "gone", "position": [1, 0.5], "shapes": [{"shape": "box", "size": [0.2, 0.2]}]}], "joints": [
        {"joint": "pulley", "bodies": ["a", "b"], "anchors": [[0, -1], [1, -1]], "wheels": [[0, 0], [1, 0.45]], "wheels_on": [null, "gone"]},
        {"joint": "hinge", "bodies": ["frame", "gone"], "anchor": [1, 0.5], "friction": 2},
        {"joint": "hinge", "bodies": ["frame", "a"], "anchor": [0, -1]},
        {"joint": "gear", "joints": [1, 2], "ratio": 3, "breaks_at": {"torque": 4}}]}"#;
    let mut world = Scene::parse(scene).unwrap().world;
    let ids = world.body_ids().to_vec();
    Edit::Join(vec![ids[3], ids[4]]).carry_out(&mut world).unwrap();
    let kept = world.index_of(ids[3]).unwrap();
    let check = |world: &World, holder: usize| {
        let hinge = world.joints().iter().find(|joint| joint.friction == 2.0).expect("friction");
        assert_eq!(hinge.bodies()[1], holder);
        let gear = world.joints().iter().find(|joint| joint.kind.key() == "gear").expect("a gear");
        assert!(gear.breaking.is_some() && gear.all_bodies().any(|body| body == holder));
        assert!(world.joint_error() < 1e-12, "{}", world.joint_error());
    };
    check(&world, kept);
    let [(joint, pulley)] = pulleys(&world)[..] else { panic!("a pulley") };
    let wheel = world.bodies()[kept].pose.position + pulley.wheels[1];
    assert_eq!(joint.further().map(|own| own[1]), Some(kept));
    assert!(wheel.distance(dvec2(1.0, 0.45)) < 1e-12, "{wheel}");
    // The end of the geared hinge goes to another body.
    let at = world.joints().iter().position(|joint| joint.friction == 2.0).unwrap();
    let hinge = Item::Joint(world.joint_ids()[at]);
    Edit::Attach(hinge, 1, dvec2(1.0, -1.0), ids[2]).carry_out(&mut world).unwrap();
    let hinge = world.joints().iter().find(|joint| joint.friction == 2.0).expect("friction");
    assert_eq!(hinge.bodies()[1], 2);
    let gear = world.joints().iter().find(|joint| joint.kind.key() == "gear").expect("a gear");
    assert!(gear.all_bodies().any(|body| body == 2));
}
