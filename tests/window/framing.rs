//! What the canvas shows of a scene that runs by itself.

use driftlab::scene::catalogue;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::Model;
use driftlab::workbench::runs::forecast::forecast;
use driftlab::workbench::stage::framing;
use driftlab::workbench::view_state::layers::View;
use egui_macroquad::egui::{Pos2, Rect, pos2, vec2};

const CANVAS: Rect = Rect { min: pos2(0.0, 0.0), max: pos2(932.0, 582.0) };
/// One frame of a window, s.
const FRAME: f64 = 1.0 / 60.0;
/// Largest world whose first five seconds are simulated here.
const BODIES: usize = 170;

/// The share of the moving bodies whose centres can be seen.
fn visible(model: &Model) -> f64 {
    let bodies = model.run().world().bodies().iter().filter(|body| body.is_dynamic());
    let seen: Vec<bool> = bodies
        .map(|body| CANVAS.contains(model.sight.camera.to_screen(CANVAS, body.pose.position)))
        .collect();
    seen.iter().filter(|seen| **seen).count() as f64 / seen.len() as f64
}

fn shown(key: &str) -> Model {
    let mut model = super::stepped(key, super::within_frame());
    model.runs.player.playing = true;
    model.lay_out(CANVAS);
    model
}

fn play(model: &mut Model, seconds: f64) {
    for _ in 0..(seconds / FRAME).round() as usize {
        model.advance(FRAME);
        model.lay_out(CANVAS);
    }
}

/// In every shipped scene at least half of the bodies can be seen at the start and after a second, and the view is not
/// much wider than the scene at its start.
#[test]
fn every_scene_stays_in_view() {
    stay_in_view(&[1.0]);
}

/// At least half of the bodies can be seen after two seconds and after five.
#[test]
#[ignore = "a quarter of a minute; the continuous integration runs it"]
fn every_scene_stays_in_view_for_five_seconds() {
    stay_in_view(&[2.0, 5.0]);
}

fn stay_in_view(times: &[f64]) {
    for entry in catalogue::entries() {
        let scene = entry.scene().expect("a scene");
        let mut model = shown(entry.key);
        assert_eq!(visible(&model), 1.0, "{} at the start", entry.key);
        let [low, high] = framing::frame(&scene.world);
        let wider = f64::from(CANVAS.height()) / model.sight.camera.scale / (high - low).max_element();
        assert!(wider < 2.5, "{}: the view is {wider} times as wide as the scene", entry.key);
        if scene.world.bodies().len() > BODIES {
            continue;
        }
        for after in times {
            let time = model.run().world().time();
            play(&mut model, after - time);
            assert!(visible(&model) >= 0.5, "{} after {after} s", entry.key);
        }
    }
}

/// The forecast of a scene is the same each time, and knows a body that leaves from one that swings.
#[test]
fn forecasts_are_repeatable() {
    for (key, leaves) in [("knife-edge", true), ("single-pendulum", false)] {
        let scene = super::scene(key);
        let ahead = forecast(&scene);
        assert_eq!((ahead, ahead.leaves), (forecast(&scene), leaves), "{key}");
    }
}

/// The view that follows the bodies keeps what a person has moved; without following it stays where it is.
#[test]
fn following_can_be_switched() {
    let mut model = shown("knife-edge");
    assert!(model.view.follow, "the skate leaves");
    play(&mut model, 1.0);
    model.apply(Intent::Pan(vec2(40.0, 0.0).into()));
    let on_screen = |model: &Model| {
        let skate = framing::middle(model.run().world()).expect("a body");
        model.sight.camera.to_screen::<Pos2>(CANVAS, skate)
    };
    let before = on_screen(&model);
    play(&mut model, 1.0);
    assert!(on_screen(&model).distance(before) < 1e-2);
    let view = View { follow: false, ..model.view };
    model.apply(Intent::View(view));
    let camera = model.sight.camera;
    play(&mut model, 1.0);
    assert_eq!(model.sight.camera, camera);
    assert!(on_screen(&model).distance(before) > 10.0);
}

/// A room of walls is shown as a whole, so that one sees what a body is pushed against.
#[test]
fn a_room_is_shown_with_its_walls() {
    let model = shown("pushed-rectangle");
    let [low, high] = model.sight.camera.visible(CANVAS);
    assert!(low.x < -2.0 && high.x > 2.0 && low.y < 0.0 && high.y > 2.4, "from {low} to {high}");
    assert!(!model.view.follow);
}
