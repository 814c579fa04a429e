//! Thrusters, driven forces, fields and keys in the window: drawn, edited, switched, recorded, undone and saved.

use super::build::{draw, empty, make, toast};
use super::drawn::lines;
use super::panels::{click, window};
use driftlab::app::screen::OnScreen;
use driftlab::experiment::Run;
use driftlab::model::{Axes, DrivenForce, Profile};
use driftlab::scene::{KEYS, Scene};
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::edit::{Driven, Edit};
use driftlab::workbench::editor::item::Item;
use driftlab::workbench::editor::properties::BODY;
use driftlab::workbench::editor::{Act, EditorIntent, Mode};
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::Model;
use egui_macroquad::egui::{Event, Key, Modifiers};
use glam::{DVec2, dvec2};

/// Gravity of a new scene, m/s².
const G: f64 = 9.81;

/// A box with a thruster below its middle, which burns downwards.
fn rocket() -> Model {
    let mut model = empty();
    draw(&mut model, "box", dvec2(-0.1, 0.0), dvec2(0.1, 0.4));
    draw(&mut model, "thruster", dvec2(0.0, 0.0), dvec2(0.0, -0.3));
    model
}

fn driven(model: &Model) -> &DrivenForce {
    &model.run().world().bodies()[0].driven[0]
}

fn steps_of(model: &mut Model, steps: i32) {
    model.apply(Command::Build(Act::Mode(Mode::Pull)));
    model.apply(Command::Steps(steps));
}

/// A thruster is drawn where its flame is, turns with the body and pushes it with twice its weight, so that a body that hung at
/// rest rises with g; what is drawn is saved to the same bits, and undone.
#[test]
fn a_thruster_is_drawn_burns_and_is_undone() {
    let mut model = rocket();
    let own = driven(&model);
    assert!(own.applied.axes == Axes::Body && own.applied.force.x == 0.0, "{}", toast(&model));
    assert!(
        own.applied.at.distance(dvec2(0.0, -0.2)) < 1e-12,
        "at the foot of the body: {}",
        own.applied.at
    );
    let mass = model.run().world().bodies()[0].mass_properties().mass;
    let rise = own.applied.force.y / mass - G;
    // Its force has two digits.
    assert!((rise / G - 1.0).abs() < 0.05, "{rise}");
    let saved = model.run().to_scene().to_json();
    assert_eq!(&Scene::parse(&saved).expect("a scene").world, model.run().world());
    steps_of(&mut model, 100);
    let world = model.run().world();
    let up = world.bodies()[0].velocity.linear.y;
    assert!((up - rise * world.time()).abs() < 1e-9 * up, "{up}");
    model.apply(Command::Restart);
    model.apply(Command::Build(Act::Undo));
    assert!(model.run().world().bodies()[0].driven.is_empty());
    draw(&mut model, "thruster", dvec2(1.0, 1.0), dvec2(1.0, 0.7));
    assert!(toast(&model).contains("nothing that moves lies there"), "{}", toast(&model));
}

/// A field is drawn from its centre: where the line ends it is as strong as gravity, g r². It is shown by arrows that point to
/// the centre, saved to the same bits, and undone.
#[test]
fn a_field_is_drawn_shown_and_undone() {
    let mut model = empty();
    draw(&mut model, "field", dvec2(0.2, 0.1), dvec2(1.2, 0.1));
    let field = model.run().world().fields()[0];
    assert!(
        (field.strength - G).abs() < 0.05 * G && field.exponent == 2.0 && field.center == dvec2(0.2, 0.1)
    );
    let saved = model.run().to_scene().to_json();
    assert_eq!(&Scene::parse(&saved).expect("a scene").world, model.run().world());
    // Of the arrows over the stage, as of those about the centre, each points to it.
    let mut harness = window(model);
    harness.run_steps(3);
    let model = harness.state();
    let center: egui_macroquad::egui::Pos2 = model.sight.camera.to_screen(model.canvas(), field.center);
    let towards = |line: &&[egui_macroquad::egui::Pos2; 2]| {
        let (way, to) = ((line[1] - line[0]).normalized(), (center - line[0]).normalized());
        way.dot(to) > 0.999
    };
    let found = lines(&harness);
    assert!(found.iter().filter(towards).count() >= 20, "{} lines", found.len());
    harness.state_mut().apply(Command::Build(Act::Undo));
    assert!(harness.state().run().world().fields().is_empty());
}

/// A field that is drawn from a body that moves goes with that body, draws it, too, is saved, and is gone with it: what is
/// undone comes back. Without a hand both fall together, so that their common centre stays.
#[test]
fn a_field_drawn_on_a_body_goes_with_it() {
    let mut model = empty();
    draw(&mut model, "box", dvec2(-0.1, -0.1), dvec2(0.1, 0.1));
    draw(&mut model, "box", dvec2(0.9, -0.1), dvec2(1.1, 0.1));
    draw(&mut model, "field", dvec2(0.05, 0.0), dvec2(1.05, 0.0));
    let world = model.run().world();
    let (carrier, field) = (world.body_ids()[0], world.fields()[0]);
    assert_eq!(field.on, Some(carrier));
    assert!(world.placed_field(&field).center.distance(dvec2(0.05, 0.0)) < 1e-12);
    let saved = model.run().to_scene().to_json();
    assert_eq!(&Scene::parse(&saved).expect("a scene").world, world);
    model.apply(Command::Steps(20));
    let world = model.run().world();
    let [a, b] = [0, 1].map(|body| world.bodies()[body].velocity.linear.x);
    assert!(a > 0.0 && (a + b).abs() < 1e-12 * a, "{a}, {b}");
    model.apply(Command::Restart);
    make(&mut model, EditorIntent::Edit(Edit::Remove(vec![Item::Body(carrier)])));
    assert!(model.run().world().fields().is_empty());
    model.apply(Command::Build(Act::Undo));
    assert_eq!(model.run().world().fields(), [field]);
}

/// The panel adds a driven force, chooses a table as its profile, adds points to it and removes the force; each is a change that
/// is undone.
#[test]
fn the_panel_edits_driven_forces_and_tables() {
    let mut model = empty();
    draw(&mut model, "box", dvec2(-0.1, 0.0), dvec2(0.1, 0.4));
    let mut harness = window(model);
    click(&mut harness, "Add a driven force");
    click(&mut harness, "table");
    let points = |model: &Model| match &driven(model).profile {
        Profile::Table(table) => table.points().to_vec(),
        _ => Vec::new(),
    };
    assert_eq!(points(harness.state()), [[0.0, 0.0], [1.0, 1.0]]);
    click(&mut harness, "Add a point");
    assert_eq!(points(harness.state()), [[0.0, 0.0], [1.0, 1.0], [2.0, 1.0]]);
    click(&mut harness, "cubic");
    assert!(matches!(&driven(harness.state()).profile, Profile::Table(table) if table.is_cubic()));
    let world = harness.state().run().world().clone();
    let saved = harness.state().run().to_scene().to_json();
    assert_eq!(Scene::parse(&saved).expect("a scene").world, world);
    click(&mut harness, "Remove driven force 1");
    assert!(harness.state().run().world().bodies()[0].driven.is_empty());
    harness.state_mut().apply(Command::Build(Act::Undo));
    assert_eq!(harness.state().run().world(), &world);
    for left in (0..4).rev() {
        harness.state_mut().apply(Command::Build(Act::Undo));
        assert_eq!(harness.state().run().world().bodies()[0].driven.is_empty(), left == 0, "{left}");
    }
}

/// The profile of a motor is set point by point: a crank that it can hold turns by the integral of the table.
#[test]
fn the_table_of_a_motor_is_edited() {
    let mut model = empty();
    draw(&mut model, "circle", dvec2(0.0, 0.0), dvec2(0.2, 0.0));
    draw(&mut model, "hinge", DVec2::ZERO, DVec2::ZERO);
    draw(&mut model, "motor", DVec2::ZERO, DVec2::ZERO);
    let id = model.run().world().joint_ids()[0];
    let speed = model.run().world().joints()[0].motor.expect("a motor").speed;
    let table = Profile::table(&[[0.0, 0.0], [0.1, 2.0], [0.2, 0.0]], false).expect("a table");
    make(&mut model, EditorIntent::Edit(Edit::Profile(Driven::Speed(id), Some(table.clone()))));
    assert_eq!(model.run().world().joints()[0].speed_profile.as_ref(), Some(&table), "{}", toast(&model));
    let saved = model.run().to_scene().to_json();
    assert_eq!(&Scene::parse(&saved).expect("a scene").world, model.run().world());
    // A copy of the disk is driven alike.
    model.apply(Command::Build(Act::SelectAll));
    model.apply(Command::Build(Act::Duplicate));
    assert_eq!(model.run().world().joints()[1].speed_profile.as_ref(), Some(&table));
    model.apply(Command::Build(Act::Undo));
    let steps = (0.2 / model.run().time_step()).round() as i32;
    steps_of(&mut model, steps);
    let turned =
        model.run().world().bodies().iter().find(|body| body.is_dynamic()).expect("a disk").pose.angle;
    // The triangle's area is half of 0.2 s times 2.
    assert!((turned - 0.2 * speed).abs() < 1e-9, "{turned}");
}

/// A profile is given to a lift's height, a rod's length and a belt in the panel or by its edit, and taken away again; the lift
/// and the rod's end are then where their profiles say to rounding, and each change is undone.
#[test]
fn heights_lengths_and_belts_are_given_profiles() {
    let mut model = empty();
    draw(&mut model, "box", dvec2(-2.0, 0.0), dvec2(-1.0, 0.2));
    draw(&mut model, "box", dvec2(1.0, 0.0), dvec2(1.2, 0.2));
    draw(&mut model, "distance", dvec2(1.1, 1.1), dvec2(1.1, 0.1));
    // Beside the two boxes, the background that holds the rod.
    let lift = model.run().world().body_ids()[0];
    let rod = model.run().world().joint_ids()[0];
    let number = |key: &str| BODY.iter().find(|own| own.parameter.key == key).expect("a number").parameter;
    let make_edit = |model: &mut Model, edit| make(model, EditorIntent::Edit(edit));
    make_edit(&mut model, Edit::Set(vec![Item::Body(lift)], number("type"), 2.0));
    make_edit(&mut model, Edit::Set(vec![Item::Body(lift)], number("surface_speed"), 0.5));
    let plain = model.run().world().clone();
    let ramp = |from: f64, to: f64| Some(Profile::Ramp { from, to, start: 0.0, end: 1.0 });
    make_edit(&mut model, Edit::Profile(Driven::Coordinate(lift, 1), ramp(0.1, 1.1)));
    make_edit(&mut model, Edit::Profile(Driven::Length(rod), ramp(1.0, 2.0)));
    make_edit(&mut model, Edit::Profile(Driven::Belt(lift), ramp(0.0, 1.0)));
    let driven = model.run().world().clone();
    let saved = model.run().to_scene().to_json();
    assert_eq!(Scene::parse(&saved).expect("a scene").world, driven, "{}", toast(&model));
    let steps = (0.5 / model.run().time_step()).round() as i32;
    steps_of(&mut model, steps);
    let world = model.run().world();
    assert!((world.bodies()[0].pose.position.y - 0.1 - world.time()).abs() < 1e-12);
    assert!((world.joints()[0].length().expect("a rod") - 1.0 - world.time()).abs() < 1e-12);
    model.apply(Command::Restart);
    model.apply(Command::Build(Act::Mode(Mode::Build)));
    // Taken away, and given again in the panel.
    make_edit(&mut model, Edit::Profile(Driven::Length(rod), None));
    assert!(model.run().world().joints()[0].length_profile.is_none());
    model.apply(Intent::Editor(EditorIntent::Select(vec![Item::Joint(rod)])));
    let mut harness = window(model);
    click(&mut harness, "sine");
    let length = harness.state().run().world().joints()[0].length_profile.clone();
    assert_eq!(length, Some(Profile::Sine { mean: 1.0, amplitude: 0.5, frequency: 1.0, phase: 0.0 }));
    for expected in [None, ramp(1.0, 2.0)] {
        harness.state_mut().apply(Command::Build(Act::Undo));
        assert_eq!(harness.state().run().world().joints()[0].length_profile, expected);
    }
    for _ in 0..3 {
        harness.state_mut().apply(Command::Build(Act::Undo));
    }
    assert_eq!(harness.state().run().world(), &plain);
}

/// A force with a key acts while the key is down, and that key does nothing else: its impulse is the force times that time, also
/// where the key has a command. A recording of the keys is replayed by a run of the saved scene to the same bits.
#[test]
fn a_key_switches_a_thruster_and_is_recorded() {
    let mut model = rocket();
    let id = model.run().world().body_ids()[0];
    let up = KEYS.iter().position(|key| *key == "Right").expect("a key") as u8;
    let switched = DrivenForce { switch: Some(up), ..driven(&model).clone() };
    make(&mut model, EditorIntent::Edit(Edit::Driven(id, vec![switched])));
    assert_eq!(model.switching_keys(), 0, "while one builds, keys are commands");
    model.apply(Command::Build(Act::Mode(Mode::Pull)));
    assert_eq!(model.switching_keys(), 1 << up);
    let saved = model.run().to_scene().to_json();
    assert!(saved.contains("\"key\": \"Right\""), "{saved}");
    let h = model.run().time_step();
    let body = &model.run().world().bodies()[0];
    let thrust = body.driven[0].applied.force.y / body.mass_properties().mass;
    let key = |pressed| Event::Key {
        key: Key::ArrowRight,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    let mut harness = window(model);
    harness.state_mut().apply(Command::Record);
    harness.state_mut().runs.player.playing = false;
    for (pressed, steps) in [(false, 5), (true, 20), (false, 10)] {
        harness.input_mut().events.push(key(pressed));
        harness.step();
        let here = harness.state().run().world().steps();
        assert!(harness.state().hand.keys == u64::from(pressed) << up);
        for _ in 0..steps {
            harness.state_mut().apply(Command::StepForward);
            harness.state_mut().advance(0.0);
        }
        assert_eq!(harness.state().run().world().steps(), here + steps);
    }
    let seen = harness.state().run().world().clone();
    let velocity = seen.bodies()[0].velocity.linear.y;
    assert!((velocity - (20.0 * thrust - 35.0 * G) * h).abs() < 1e-12, "{velocity}");
    harness.state_mut().apply(Command::Record);
    let saved = Scene::parse(&harness.state().run().to_scene().to_json()).expect("what was saved");
    assert_eq!(saved.interaction.as_ref().expect("a recording").keys.len(), 2);
    let mut run = Run::new(&saved, seen.steps());
    assert!(run.by_ref().all(|report| report.is_ok()));
    assert_eq!(run.world().bodies(), seen.bodies(), "headless");
    // In mid-stroke the held key is part of the state.
    let mut run = Run::new(&saved, 12);
    assert!(run.by_ref().all(|report| report.is_ok()));
    let middle = Scene { world: run.world().clone(), ..saved.clone() }.to_json();
    assert!(middle.contains("\"keys\": ["), "{middle}");
    assert_eq!(Scene::parse(&middle).expect("a state").world.switches(), 1 << up);
    let model = harness.state_mut();
    model.apply(Intent::Keys(1 << up));
    assert_eq!(model.run().world().switches(), 0, "a replay has its own keys");
}
