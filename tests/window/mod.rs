//! The window without a display: panels driven by egui_kittest, and the functions behind mouse, camera, clock and plots.

mod bearing;
mod belts;
mod blow_up;
mod body;
mod branches;
mod build;
mod camera;
mod canvas;
mod clock;
mod colours;
mod command_line;
mod comparison;
mod consistent;
mod course;
mod cursor;
mod document;
mod drawn;
#[cfg(target_os = "linux")]
mod drops;
mod edited;
mod effort;
mod engine;
mod equal_cost;
mod exercises;
mod failure;
mod files;
mod framing;
mod gain;
mod gears;
mod history;
mod imported;
mod invitation;
mod keys;
mod layers;
mod layout;
mod leaving;
mod links;
mod lockstep;
mod materials;
mod mishaps;
mod opened;

mod panels;
mod parameters;
mod parts;
mod passages;
mod plotted;
mod pointer;
mod pulleys;
mod push;
mod recorded;
mod recorder;
mod remembered;
mod sag_and_creep;
mod saved_recording;
mod scene_texts;
mod shelf;
mod side;
mod sight;
mod simulation;
mod solve;
mod spoken;
mod spring_card;
mod stability_map;
mod staged;
mod stopped;
mod switches;
mod timeline;
mod tours;
mod tours_shown;
mod trajectories;
mod typed;
mod undo;
mod undo_acts;
mod undo_random;
mod walk;
mod watch;
mod wording;
mod words;

use driftlab::glam::DVec2;
use driftlab::model::World;
use driftlab::scene::{Scene, catalogue};
use driftlab::workbench::command::Command;
use driftlab::workbench::engine::Stepping;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::Model;
use driftlab::workbench::options::OpenScene;
use driftlab::workbench::runs::player::Player;
use driftlab::workbench::stage::pointer::Button;
use std::time::Duration;

/// The shipped scene with this key.
fn scene(key: &str) -> Scene {
    catalogue::find(key).expect("a shipped scene").scene().expect("a scene without errors")
}

/// The same world without a grab.
fn let_go(world: &World) -> World {
    let mut world = world.clone();
    world.release_grab();
    world
}

/// Steps that are made within the frame in which they are due; a frame computes one row of the stability map.
fn within_frame() -> Stepping {
    Stepping::within_frame(None).with_map_budget(Duration::ZERO)
}

/// A window's model with the shipped scene `key`, paused, whose steps are made [`within_frame`].
fn model(key: &str) -> Model {
    stepped(key, within_frame())
}

/// The same model, whose frames compute the whole map.
fn mapped(key: &str) -> Model {
    stepped(key, Stepping::within_frame(None))
}

/// A window's model with the shipped scene `key`, paused, whose steps are made as `stepping` says.
fn stepped(key: &str, stepping: Stepping) -> Model {
    let entry = catalogue::find(key).expect("a shipped scene");
    let scene = OpenScene { title: key.to_owned(), path: None, text: entry.text.to_owned() };
    Model::new(Some(scene), Player::new(false), stepping).expect("a model")
}

/// Frames until `done`, as the window's loop makes them; their number. There is no limit, so that no machine is too
/// slow for a test: the harness names a test that waits in vain.
fn frames_until(model: &mut Model, done: impl Fn(&Model) -> bool) -> u32 {
    let mut frames = 0;
    while !done(model) {
        model.settle();
        model.advance(comparison::FRAME);
        frames += 1;
        std::thread::sleep(Duration::from_millis(1));
    }
    frames
}

/// A window's model with the shipped scene `key` and a recording of the mouse, which no file has.
fn recorded(key: &str) -> Model {
    let mut model = model(key);
    let at = model.run().world().bodies()[1].pose.position;
    model.apply(Command::Record);
    model.apply(Intent::Press { button: Button::Left, at, reach: 0.01 });
    model.apply(Intent::Drag(at + DVec2::new(0.01, 0.02)));
    model.advance(0.1);
    model.apply(Intent::Release);
    model.apply(Command::Record);
    assert!(model.run().scene.interaction.is_some());
    model
}

/// The chain of six links, playing.
fn chain() -> Model {
    let mut model = model("six-link-chain");
    model.runs.player.playing = true;
    model
}

/// Times of the marks of changes, s.
fn mark_times(model: &Model) -> Vec<f64> {
    model.run().history().marks().map(|mark| mark.time).collect()
}
