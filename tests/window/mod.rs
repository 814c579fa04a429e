//! The window without a window: panels driven by egui_kittest, and the plain functions behind the mouse, the
//! camera, the clock and the plots.

mod camera;
mod clock;
mod files;
mod history;
mod panels;
mod pointer;
mod push;
mod recorder;
mod simulation;
mod tours;

use driftlab::app::OpenScene;
use driftlab::app::model::Model;
use driftlab::scene::{Scene, catalogue};

/// The shipped scene of that key.
fn scene(key: &str) -> Scene {
    catalogue::find(key).expect("a shipped scene").scene().expect("a scene without errors")
}

/// A window's model with the shipped scene of that key, paused.
fn model(key: &str) -> Model {
    let entry = catalogue::find(key).expect("a shipped scene");
    let scene = OpenScene { title: key.to_owned(), path: None, text: entry.text.to_owned() };
    Model::new(Some(scene), false).expect("a model")
}
