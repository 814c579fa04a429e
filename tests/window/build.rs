//! Building: what is selected, moved, placed and copied on the stage.

use super::panels::{click, window};
use super::parameters::{says, type_over};
use driftlab::app::keys::command;
use driftlab::app::screen::OnScreen;
use driftlab::model::{Body, World};
use driftlab::scene::{Scene, read_parts, write_parts};
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::align::Alignment;
use driftlab::workbench::editor::edit::Edit;
use driftlab::workbench::editor::item::{self, Item};
use driftlab::workbench::editor::properties::{BODY, JOINT, NONHOLONOMIC, Property, SPRING};
use driftlab::workbench::editor::snap::Snap;
use driftlab::workbench::editor::toolbox::{Drawn, Group, TOOLS};
use driftlab::workbench::editor::{Act, EditorIntent, Mode};
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::{Model, Request};
use driftlab::workbench::options::OpenScene;
use driftlab::workbench::runs::player::Player;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::{Event, Key, Modifiers, PointerButton, Pos2};
use glam::{DVec2, dvec2};

/// A model with nothing in it, being built.
pub(super) fn empty() -> Model {
    let mut model = super::model("six-link-chain");
    model.apply(Command::Build(Act::New));
    model
}

pub(super) fn make(model: &mut Model, make: EditorIntent) {
    model.apply(Intent::Editor(make));
}

/// Draws with a tool from one point to another, without snapping.
pub(super) fn draw(model: &mut Model, key: &str, from: DVec2, to: DVec2) {
    let tool = TOOLS.iter().position(|tool| tool.key == key).expect("a tool");
    // A tool that is in hand stays there when it is chosen once more.
    model.apply(Command::Build(Act::Tool(tool)));
    let snap = Snap { grid: 0.0, reach: 0.01 };
    if TOOLS[tool].drawn == Drawn::Points {
        for at in [from, dvec2(to.x, from.y), to, to] {
            make(model, EditorIntent::Press { at, reach: 0.02, adds: false, snap });
            make(model, EditorIntent::Release);
        }
    } else {
        make(model, EditorIntent::Press { at: from, reach: 0.02, adds: false, snap });
        make(model, EditorIntent::Drag { to, snap });
        make(model, EditorIntent::Release);
    }
}

pub(super) fn toast(model: &Model) -> &str {
    model.news.toast.as_ref().map_or("", |toast| &toast.text)
}

/// The toolbox places every shape and every joint, spring and velocity constraint that a scene file knows: what is
/// built of all tools is saved and loaded as the same world.
#[test]
fn the_toolbox_places_everything_that_a_scene_file_knows() {
    let mut model = empty();
    draw(&mut model, "half_plane", dvec2(-2.0, -1.0), dvec2(2.0, -1.0));
    draw(&mut model, "box", dvec2(-1.0, 0.0), dvec2(-0.6, 0.3));
    draw(&mut model, "circle", dvec2(0.0, -0.8), dvec2(0.2, -0.8));
    draw(&mut model, "capsule", dvec2(0.5, 0.0), dvec2(1.0, 0.0));
    draw(&mut model, "capsule", dvec2(1.0, 0.0), dvec2(1.5, 0.4));
    draw(&mut model, "ellipse", dvec2(-1.8, 0.0), dvec2(-1.4, 0.3));
    draw(&mut model, "polygon", dvec2(0.0, 0.5), dvec2(0.4, 0.9));
    draw(&mut model, "polyline", dvec2(-2.0, 1.0), dvec2(-1.5, 1.4));
    draw(&mut model, "hinge", dvec2(1.0, 0.0), dvec2(1.0, 0.0));
    draw(&mut model, "motor", dvec2(1.0, 0.0), dvec2(1.0, 0.0));
    draw(&mut model, "limits", dvec2(1.0, 0.0), dvec2(1.0, 0.0));
    draw(&mut model, "distance", dvec2(-0.8, 0.1), dvec2(-0.8, 1.0));
    draw(&mut model, "pulley", dvec2(-0.8, 0.1), dvec2(1.2, 0.2));
    draw(&mut model, "weld", dvec2(-1.6, 0.15), dvec2(-1.6, 0.15));
    draw(&mut model, "slider", dvec2(0.35, 0.55), dvec2(0.35, 1.0));
    draw(&mut model, "slot", dvec2(0.8, 0.0), dvec2(0.8, 0.5));
    draw(&mut model, "wheel", dvec2(0.1, -0.8), dvec2(0.1, -0.3));
    draw(&mut model, "motor_joint", dvec2(0.75, 0.0), dvec2(0.9, 0.5));
    draw(&mut model, "bead", dvec2(-1.6, 0.15), dvec2(-1.6, 0.7));
    draw(&mut model, "spring", dvec2(-0.7, 0.2), dvec2(0.5, 0.0));
    draw(&mut model, "torsional_spring", dvec2(1.0, 0.0), dvec2(1.0, 0.0));
    draw(&mut model, "knife_edge", dvec2(-0.9, 0.1), dvec2(-0.7, 0.1));
    draw(&mut model, "rolling", dvec2(0.0, -0.8), dvec2(0.0, -0.8));
    draw(&mut model, "prescribed_velocity", dvec2(1.4, 0.32), dvec2(1.6, 0.32));
    let kinds = |world: &World| {
        let mut kinds: Vec<&str> =
            world.bodies().iter().flat_map(|b| b.shapes()).map(|s| s.shape.key()).collect();
        kinds.extend(world.joints().iter().map(|joint| joint.kind.key()));
        kinds.extend(world.nonholonomic().iter().map(|own| own.kind.key()));
        kinds.extend(
            world.springs().iter().map(|s| if s.rest_angle.is_some() { "torsional" } else { "spring" }),
        );
        kinds
    };
    let world = model.run().world();
    let placed = kinds(world);
    let wanted = "half_plane box circle capsule ellipse polygon polyline hinge distance \
        pulley weld slider slot wheel bead motor spring torsional knife_edge rolling prescribed_velocity";
    for kind in wanted.split(' ') {
        assert!(placed.contains(&kind), "no {kind} among {placed:?}: {}", toast(&model));
    }
    let hinge = world.joints().iter().find(|joint| joint.kind.key() == "hinge").expect("a hinge");
    assert!(hinge.motor.is_some() && hinge.limits.is_some());
    let saved = model.run().to_scene().to_json();
    let loaded = Scene::parse(&saved).expect("a scene without errors");
    assert_eq!(loaded.to_json(), saved);
    assert_eq!(kinds(&loaded.world), placed);
    // The scene itself was built: its start has everything.
    assert_eq!(&model.run().scene.world, model.run().world());
    model.apply(Command::Restart);
    assert_eq!(kinds(model.run().world()), placed);
}

/// Without a tool a press takes what lies there, and says what is missing where a tool needs a body.
#[test]
fn a_tool_says_what_is_missing() {
    let mut model = empty();
    draw(&mut model, "hinge", DVec2::ZERO, DVec2::ZERO);
    assert!(toast(&model).contains("nothing that moves lies there"), "{}", toast(&model));
    draw(&mut model, "motor", DVec2::ZERO, DVec2::ZERO);
    assert!(toast(&model).contains("no hinge, slider, slot or wheel"), "{}", toast(&model));
    assert!(model.runs.undo.done().is_empty() && model.run().world().bodies().is_empty());
}

/// Stamps: a chain of n bars with n hinges, a stack of n boxes, a pyramid of n (n + 1)/2, each resting on the one below.
#[test]
fn stamps_have_as_many_bodies_as_asked() {
    for (key, bodies, joints) in [("chain", 5 + 1, 5), ("stack", 5, 0), ("pyramid", 15, 0)] {
        let mut model = empty();
        make(&mut model, EditorIntent::Count(5));
        draw(&mut model, key, dvec2(0.0, 0.0), dvec2(1.0, 0.5));
        let world = model.run().world();
        assert_eq!(
            (world.bodies().len(), world.joints().len()),
            (bodies, joints),
            "{key}: {}",
            toast(&model)
        );
        assert!(world.joint_error() < 1e-15, "{key}: closed as placed");
        assert_eq!(model.runs.undo.done().len(), 1, "{key} is one change");
    }
}

/// Every number of every item: what is set is read again, and nothing else has changed but what follows from it.
#[test]
fn every_number_is_read_as_it_was_set() {
    fn all<T: Clone>(table: &[Property<T>], item: &T, tried: &mut usize) {
        for property in table {
            let Some(present) = property.of(item) else { continue };
            for value in [0.0, 1.0, 0.25, -0.5] {
                let mut other = item.clone();
                if property.set(&mut other, value).is_ok() {
                    *tried += 1;
                    let read = property.of(&other);
                    let name = property.parameter.name;
                    assert!(
                        read.is_none_or(|read| (read - value).abs() < 1e-12),
                        "{name}: {value}, {read:?}"
                    );
                    // And back again.
                    property.set(&mut other, present).expect(name);
                    assert!(
                        property
                            .of(&other)
                            .is_none_or(|x| (x - present).abs() <= 1e-12 * (1.0 + present.abs())),
                        "{name}"
                    );
                } else {
                    assert_eq!(
                        property.of(&other),
                        Some(present),
                        "{} refuses {value}",
                        property.parameter.name
                    );
                }
            }
        }
    }
    let mut tried = 0;
    let keys = "six-link-chain slider-crank spring-pendulum knife-edge rolling-disk \
        driven-pendulum sprung-car tautochrone loop-the-loop servo-arm";
    for key in keys.split(' ') {
        let world = super::scene(key).world;
        world.bodies().iter().for_each(|body| all(&BODY, body, &mut tried));
        world.joints().iter().for_each(|joint| all(&JOINT, joint, &mut tried));
        world.springs().iter().for_each(|spring| all(&SPRING, spring, &mut tried));
        world.nonholonomic().iter().for_each(|own| all(&NONHOLONOMIC, own, &mut tried));
    }
    assert!(tried > 400, "only {tried} numbers");
    let mut body = Body::dynamic().mass(2.0).build().expect("a point mass");
    let mass = BODY.iter().find(|own| own.parameter.key == "mass").expect("a mass");
    let why = mass.set(&mut body, 0.0).expect_err("no mass of 0").to_string();
    assert_eq!(why, "mass must be a finite number greater than 0, not 0");
}

/// A scene that is opened or begun while the mouse builds stands still at its start: what is built belongs to it.
#[test]
fn a_new_scene_stands_still() {
    let mut model = super::model("six-link-chain");
    model.apply(Command::Build(Act::Mode(Mode::Build)));
    for _ in 0..2 {
        model.apply(Command::Build(Act::New));
        assert!(model.build.is_on() && !model.runs.player.playing);
        (0..10).for_each(|_| model.advance(0.1));
        assert!(model.run().is_at_the_start());
    }
    model.apply(Intent::OpenShipped("box-at-rest"));
    assert!(!model.runs.player.playing);
}

/// An empty stage says what to do next: to choose a tool, how to draw with it, and that a joint needs a body first.
#[test]
fn an_empty_stage_says_what_to_do() {
    let mut model = empty();
    let told = |model: &Model| model.invitation().unwrap_or_default();
    assert_eq!(told(&model), "Choose a tool on the right, and draw with it here.");
    for (key, text) in [("capsule", "Bar: drag from end to end."), ("hinge", "Place a body first.")] {
        let tool = TOOLS.iter().position(|tool| tool.key == key).expect("a tool");
        model.apply(Command::Build(Act::Tool(tool)));
        assert_eq!(told(&model), text);
    }
    draw(&mut model, "box", dvec2(0.0, 0.0), dvec2(1.0, 1.0));
    assert_eq!(told(&model), "");
}

/// What is copied in one window is added in another, with its joints; the text is JSON with the keys of a scene file.
#[test]
fn parts_are_copied_between_windows() {
    let mut from = super::model("six-link-chain");
    from.apply(Command::Build(Act::SelectAll));
    from.apply(Command::Build(Act::Copy));
    let Some(Request::Copy(text)) = from.news.requests.pop() else { panic!("nothing copied") };
    assert!(text.contains("driftlab-parts/1") && text.contains("\"hinge\""), "{text}");
    let parts = read_parts(&text).expect("parts");
    assert_eq!(write_parts(&parts), text);

    let mut into = super::model("box-at-rest");
    let before = into.run().world().bodies().len();
    make(&mut into, EditorIntent::Paste(text.clone()));
    let world = into.run().world();
    assert_eq!((world.bodies().len(), world.joints().len()), (before + 7, 6));
    assert!(world.joint_error() < 1e-12);
    assert_eq!(into.build.selection.len(), 13, "what was added is selected");
    // Names stay apart, so that the scene can be saved.
    make(&mut into, EditorIntent::Paste(text));
    let saved = into.run().to_scene().to_json();
    assert_eq!(Scene::parse(&saved).expect("a scene").world.bodies().len(), before + 14);

    make(
        &mut into,
        EditorIntent::Paste("{\"format\": \"driftlab-parts/1\", \"bodies\": [{\"name\": 3}]}".to_owned()),
    );
    let refusal = into.news.refusal.as_ref().expect("a refusal");
    assert!(refusal.problems.iter().any(|problem| problem.contains("bodies[0]")), "{:?}", refusal.problems);
    assert_eq!(into.run().world().bodies().len(), before + 14);
}

/// Bodies are aligned by their outlines, turned about their middle, and scaled with what connects them.
#[test]
fn bodies_are_aligned_turned_and_scaled() {
    let mut model = super::model("six-link-chain");
    model.apply(Command::Build(Act::SelectAll));
    let [low, _] = model.selected_box().expect("a box");
    make(&mut model, EditorIntent::Align(Alignment::Left));
    for id in model.selected_bodies() {
        let [own, _] =
            driftlab::workbench::editor::align::outline(model.run().world(), id).expect("an outline");
        assert!((own.x - low.x).abs() < 1e-12);
    }
    model.apply(Command::Build(Act::Undo));
    // A mechanism that is scaled as a whole stays closed, and so does one that is turned.
    model.apply(Command::Build(Act::SelectAll));
    let (items, bodies) = (model.build.selection.clone(), model.selected_bodies());
    let length = |model: &Model| model.selected_box().map_or(0.0, |[low, high]| (high - low).x);
    let before = length(&model);
    make(&mut model, EditorIntent::Edit(Edit::Scale(items, DVec2::ZERO, 3.0)));
    assert!((length(&model) - 3.0 * before).abs() < 1e-12);
    assert!(model.run().world().joint_error() < 1e-12);
    let edit =
        driftlab::workbench::editor::edit::turned(model.run().world(), &bodies, dvec2(0.4, -2.0), 1.0);
    make(&mut model, EditorIntent::Edit(edit));
    assert!(model.run().world().joint_error() < 1e-12, "{}", model.run().world().joint_error());
    assert!((model.run().world().bodies()[3].pose.angle - 1.0).abs() < 1e-15);
}

/// Parts that are placed roughly are pulled together: all joints close, and what is not held stays. What cannot be
/// closed is said.
#[test]
fn assembling_closes_all_joints() {
    let mut model = super::model("four-bar-loop");
    model.apply(Command::Build(Act::Mode(Mode::Build)));
    let ids = model.run().world().body_ids().to_vec();
    let by = vec![(ids[1], dvec2(0.1, -0.2).extend(0.3)), (ids[2], dvec2(-0.2, 0.1).extend(-0.2))];
    make(&mut model, EditorIntent::Edit(Edit::Shift(by)));
    assert!(model.run().world().joint_error() > 0.1);
    draw(&mut model, "box", dvec2(3.0, 3.0), dvec2(3.5, 3.5));
    let other = model.run().world().bodies().last().expect("a box").pose;
    make(&mut model, EditorIntent::Assemble);
    let world = model.run().world();
    assert!(world.joint_error() < 1e-9, "{}: {}", world.joint_error(), toast(&model));
    assert_eq!(world.bodies().last().expect("a box").pose, other);
    assert_eq!(world.gravity(), super::scene("four-bar-loop").world.gravity());
    // It is shown for a moment as motion, and then stands.
    assert!(model.build.transit.is_some() && model.is_busy());
    model.advance(1.0);
    assert!(model.build.transit.is_none());
    model.apply(Command::Build(Act::Undo));
    assert!(model.run().world().joint_error() > 0.1);
}

/// A stroke cuts the joints that it crosses, a throw gives the body under its start a velocity, a shot adds a ball that has one.
#[test]
fn cut_throw_and_shoot() {
    let mut model = super::model("six-link-chain");
    draw(&mut model, "cut", dvec2(0.2, 0.05), dvec2(0.2, -0.05));
    let world = model.run().world();
    assert_eq!((world.bodies().len(), world.joints().len()), (7, 5));
    draw(&mut model, "throw", dvec2(0.45, 0.0), dvec2(0.45, 0.2));
    let velocity = model.run().world().bodies()[5].velocity.linear;
    assert!((velocity - dvec2(0.0, 1.0)).length() < 1e-12, "{velocity}");
    draw(&mut model, "shoot", dvec2(0.0, 0.5), dvec2(-0.3, 0.5));
    let ball = model.run().world().bodies().last().expect("a ball");
    assert!((ball.velocity.linear - dvec2(-1.5, 0.0)).length() < 1e-12);
    assert_eq!(model.runs.undo.done().len(), 3);
}

/// Points snap to anchors, middles and ends of other bodies, else to the grid; what is moved does not snap to itself.
#[test]
fn points_snap_to_others_and_to_the_grid() {
    let world = super::scene("six-link-chain").world;
    let snap = Snap { grid: 0.05, reach: 0.008 };
    assert_eq!(
        snap.point(&world, dvec2(0.104, 0.003), &[]),
        item::places(&world, Item::Joint(world.joint_ids()[1]))[0]
    );
    assert_eq!(snap.point(&world, dvec2(0.02, 0.212), &[]), dvec2(0.0, 0.2));
    let all: Vec<Item> = item::all(&world).collect();
    let free = snap.point(&world, dvec2(0.106, 0.003), &all);
    assert!((free - dvec2(0.1, 0.0)).length() < 1e-12, "the grid: {free}");
    // The end of a line snaps to directions of 15°, too, at lengths of the grid.
    let from = dvec2(1.0, 1.0);
    let end = snap.end(&world, from, from + dvec2(0.262, 0.148));
    let expected = from + 0.3 * DVec2::from_angle(std::f64::consts::FRAC_PI_6);
    assert!((end - expected).length() < 1e-12, "{end}");
    assert_eq!(snap.end(&world, from, from + dvec2(0.26, 0.01)), from + dvec2(0.25, 0.0));
    let anchor = item::places(&world, Item::Joint(world.joint_ids()[1]))[0];
    assert_eq!(snap.end(&world, from, anchor + dvec2(0.004, 0.003)), anchor);
    assert_eq!(Snap::default().end(&world, from, dvec2(0.104, 0.003)), dvec2(0.104, 0.003));
    assert_eq!(Snap::default().point(&world, dvec2(0.104, 0.003), &[]), dvec2(0.104, 0.003));
}

/// Keys choose what the mouse does and the tools; they do nothing while text is being typed.
#[test]
fn keys_choose_modes_and_tools() {
    let mut model = super::model("six-link-chain");
    model.runs.player.playing = true;
    model.apply(command(Key::B, Modifiers::NONE, false).expect("a key"));
    assert!(model.build.is_on() && !model.runs.player.playing);
    for (index, tool) in TOOLS.iter().enumerate() {
        let letter = Key::from_name(&tool.letter.to_string()).expect("a key");
        let chosen = command(letter, Modifiers::SHIFT, false);
        assert_eq!(chosen, Some(Command::Build(Act::Tool(index))), "{}", tool.name);
        assert_eq!(command(letter, Modifiers::SHIFT, true), None);
    }
    model.apply(command(Key::H, Modifiers::SHIFT, false).expect("a tool"));
    assert_eq!(model.build.placing().map(|tool| tool.key), Some("hinge"));
    model.apply(Command::Dismiss);
    assert!(model.build.is_on() && model.build.placing().is_none());
    model.apply(command(Key::G, Modifiers::NONE, false).expect("a key"));
    assert_eq!(model.build.mode, Mode::Pull);
    assert_eq!(command(Key::Z, Modifiers::CTRL, true), None, "a field has its own undo");
    let both = Modifiers { shift: true, ..Modifiers::CTRL };
    assert_eq!(command(Key::Z, both, false), Some(Command::Build(Act::Redo)));
    assert_eq!(command(Key::Z, Modifiers::CTRL, false), Some(Command::Build(Act::Undo)));
}

fn pointer(harness: &mut Harness<'_, Model>, at: Pos2, pressed: Option<bool>, modifiers: Modifiers) {
    let input = harness.input_mut();
    input.modifiers = modifiers;
    input.events.push(Event::PointerMoved(at));
    if let Some(pressed) = pressed {
        input.events.push(Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed,
            modifiers,
        });
    }
    harness.step();
}

fn stroke(harness: &mut Harness<'_, Model>, from: Pos2, to: Pos2, modifiers: Modifiers) {
    pointer(harness, from, None, modifiers);
    pointer(harness, from, Some(true), modifiers);
    pointer(harness, from.lerp(to, 0.5), None, modifiers);
    pointer(harness, to, None, modifiers);
    pointer(harness, to, Some(false), modifiers);
    harness.run_steps(2);
}

/// In the window: a button chooses what the mouse does; a click selects, Shift adds, a frame selects what lies in it, a
/// drag moves, and the list of changes goes back.
#[test]
fn the_window_selects_and_moves() {
    let mut harness = window(super::model("six-link-chain"));
    // A tab of the panel has the same name as the button.
    let buttons: Vec<_> = harness.query_all_by_label("Build").collect();
    assert_eq!(buttons.len(), 2);
    buttons.iter().for_each(|button| button.click());
    harness.run_steps(2);
    assert!(harness.state().build.is_on());
    let on_screen = |harness: &Harness<'_, Model>, at: DVec2| {
        let model = harness.state();
        model.sight.camera.to_screen(model.canvas(), at)
    };
    let place = |harness: &Harness<'_, Model>, body: usize| {
        harness.state().run().world().bodies()[body].pose.position
    };
    let id = |harness: &Harness<'_, Model>, body: usize| {
        Item::Body(harness.state().run().world().body_ids()[body])
    };
    let second = on_screen(&harness, place(&harness, 2));
    stroke(&mut harness, second, second, Modifiers::NONE);
    assert_eq!(harness.state().build.selection, [id(&harness, 2)]);
    assert!(harness.query_by_label("link2").is_some(), "the panel names it");
    let fourth = on_screen(&harness, place(&harness, 4));
    stroke(&mut harness, fourth, fourth, Modifiers::SHIFT);
    assert_eq!(harness.state().build.selection, [id(&harness, 2), id(&harness, 4)]);
    let before = [2, 4].map(|body| place(&harness, body));
    stroke(&mut harness, fourth, fourth + egui_macroquad::egui::vec2(0.0, -90.0), Modifiers::NONE);
    let moved = [2, 4].map(|body| place(&harness, body));
    assert!(moved[0].y > before[0].y && (moved[0] - before[0] - moved[1] + before[1]).length() < 1e-12);
    assert_eq!(harness.state().runs.undo.done().len(), 1);
    let corners = [dvec2(0.305, -0.12), dvec2(0.62, 0.12)].map(|at| on_screen(&harness, at));
    stroke(&mut harness, corners[0], corners[1], Modifiers::NONE);
    let bodies = harness.state().selected_bodies();
    assert_eq!(bodies, harness.state().run().world().body_ids()[5..], "links 5 and 6 lie in the frame");
    click(&mut harness, "↶ Undo");
    assert_eq!([2, 4].map(|body| place(&harness, body)), before);
    click(&mut harness, "Delete");
    assert_eq!(harness.state().run().world().bodies().len(), 5);
}

/// The panel shows the numbers of what is selected, and takes what is typed: a fraction, a unit; what it refuses it
/// says, and the old value stays.
#[test]
fn the_panel_takes_typed_numbers() {
    let mut model = super::model("six-link-chain");
    model.apply(Command::Build(Act::Mode(Mode::Build)));
    let link = Item::Body(model.run().world().body_ids()[3]);
    make(&mut model, EditorIntent::Select(vec![link]));
    let mut harness = window(model);
    harness.set_size(egui_macroquad::egui::vec2(1280.0, 1400.0));
    harness.run_steps(2);
    let body = |harness: &Harness<'_, Model>| harness.state().run().world().bodies()[3].clone();
    // 0.1 m × 0.02 m at 1000 kg/m².
    type_over(&mut harness, "2 kg", "5/4");
    assert_eq!(body(&harness).mass_properties().mass, 1.25);
    type_over(&mut harness, "0.25 m", "300 mm");
    assert!((body(&harness).origin().x - 0.3).abs() < 1e-15);
    type_over(&mut harness, "1.25 kg", "-1");
    assert!(says(&harness, "The old value stays"));
    assert_eq!(body(&harness).mass_properties().mass, 1.25);
    let done: Vec<&str> =
        harness.state().runs.undo.done().iter().map(|change| change.label.as_str()).collect();
    assert_eq!(done, ["mass of link3", "position x of link3"]);
}

/// A click whose press and release come in one frame is a click: a slow display brings them so.
#[test]
fn a_click_within_one_frame_counts() {
    let mut model = super::model("six-link-chain");
    model.runs.player.playing = false;
    let mut harness = window(model);
    harness.run_steps(2);
    let tap = |harness: &mut Harness<'_, Model>| {
        let model = harness.state();
        let at = model.run().world().bodies()[3].pose.position;
        let pos = model.sight.camera.to_screen(model.pane_rect(0), at);
        pointer(harness, pos, None, Modifiers::NONE);
        for pressed in [true, false] {
            let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
            harness.input_mut().events.push(Event::PointerButton { pos, button, pressed, modifiers });
        }
        harness.run_steps(2);
    };
    tap(&mut harness);
    let body = harness.state().run().world().body_ids()[3];
    assert_eq!(harness.state().hand.selected.map(|it| it.body), Some(body));
    harness.state_mut().apply(Command::Build(Act::Mode(Mode::Build)));
    harness.state_mut().build.selection.clear();
    harness.run_steps(2);
    tap(&mut harness);
    assert_eq!(harness.state().build.selection, [Item::Body(body)]);
}

/// Esc ends a tool, then the selection; nothing stays selected that the other modes do not draw, so that no key removes
/// it unseen.
#[test]
fn a_selection_ends() {
    let mut model = super::model("six-link-chain");
    let all = |model: &mut Model| {
        model.apply(Command::Build(Act::SelectAll));
        assert!(!model.build.selection.is_empty());
    };
    all(&mut model);
    model.apply(Command::Build(Act::Tool(0)));
    model.apply(Command::Dismiss);
    assert!(model.build.tool.is_none() && !model.build.selection.is_empty());
    model.apply(Command::Dismiss);
    assert!(model.build.selection.is_empty() && model.build.is_on());
    all(&mut model);
    let bodies = model.run().world().bodies().len();
    model.apply(Command::Build(Act::Mode(Mode::Pull)));
    model.apply(Command::Build(Act::Delete));
    assert_eq!(model.run().world().bodies().len(), bodies);
}

/// Who throws does it in the midst of motion; who places a body stops time.
#[test]
fn actions_leave_time_running() {
    for (index, tool) in TOOLS.iter().enumerate() {
        let mut model = super::model("six-link-chain");
        model.runs.player.playing = true;
        model.apply(Command::Build(Act::Tool(index)));
        assert_eq!(model.runs.player.playing, tool.group == Group::Actions, "{}", tool.name);
    }
}

/// A new user's first mechanism, with the mouse and the buttons alone: a four-bar linkage with a motor, on which a box
/// falls. It runs, is undone to nothing and redone, and what is saved loads to the same bytes and makes the same run.
#[test]
fn a_linkage_is_built_run_undone_and_saved() {
    let mut model = empty();
    let (a, b, c, d) = (dvec2(0.0, 0.0), dvec2(0.0, 0.4), dvec2(1.1, 0.7), dvec2(1.0, 0.0));
    for (from, to) in [(a, b), (b + dvec2(0.03, 0.02), c), (c - dvec2(0.02, 0.03), d)] {
        draw(&mut model, "capsule", from, to);
    }
    for at in [a, b + dvec2(0.015, 0.01), c - dvec2(0.01, 0.015), d] {
        draw(&mut model, "hinge", at, at);
    }
    assert_eq!(model.run().world().joints().len(), 4, "{}", toast(&model));
    draw(&mut model, "motor", a, a);
    draw(&mut model, "box", dvec2(0.5, 1.2), dvec2(0.7, 1.4));
    make(&mut model, EditorIntent::Assemble);
    assert!(model.run().world().joint_error() < 1e-12);
    let motor = model.run().world().joints()[0].motor.expect("a motor");
    assert!(motor.speed > 0.0 && motor.max_force > 0.0);
    model.apply(Command::Steps(400));
    let (ran, changes) = (model.run().to_scene().to_json(), model.runs.undo.done().len());
    assert!(model.run().world().bodies()[1].pose.angle.abs() > 0.1 || model.run().failure().is_none());
    assert!(model.run().world().joint_error() < 1e-3, "{}", model.run().world().joint_error());
    for _ in 0..changes {
        model.apply(Command::Build(Act::Undo));
    }
    assert!(model.run().world().bodies().is_empty());
    for _ in 0..changes {
        model.apply(Command::Build(Act::Redo));
    }
    assert!(model.run().to_scene().to_json() == ran);

    model.apply(Command::Restart);
    let saved = model.run().to_scene().to_json();
    let scene = OpenScene { title: "linkage".to_owned(), path: None, text: saved.clone() };
    let mut again = Model::new(Some(scene), Player::new(false), super::within_frame()).expect("a model");
    assert!(again.run().to_scene().to_json() == saved);
    for model in [&mut model, &mut again] {
        model.apply(Command::Steps(200));
    }
    assert!(again.run().world() == model.run().world());
}

/// Gravity and the time step of a scene that is built are those with which it is saved.
#[test]
fn gravity_is_turned() {
    let mut model = empty();
    make(&mut model, EditorIntent::Edit(Edit::Gravity(dvec2(3.0, 0.0))));
    assert_eq!(model.run().to_scene().world.gravity(), dvec2(3.0, 0.0));
    assert_eq!(model.runs.undo.done()[0].label, "gravity");
    model.apply(Command::Build(Act::Undo));
    assert_eq!(model.run().world().gravity(), dvec2(0.0, -9.81));
}
