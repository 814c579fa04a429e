use super::panels::window;
use driftlab::workbench::command::Command;
use driftlab::workbench::engine::Stepping;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::Model;
use driftlab::workbench::options::OpenScene;
use driftlab::workbench::runs::player::Player;
use egui_kittest::Harness;
use egui_macroquad::egui::{Event, Key, Modifiers};

const BROKEN: &str = r#"{ "format": "driftlab-scene/1", "name": "Broken", "settings": { "time_step": -1 },
    "bodies": [ { "name": "a", "shapes": [ { "shape": "circle", "radius": -1 } ] } ], "joints": [] }"#;

fn broken() -> OpenScene {
    OpenScene { title: "broken.json".to_owned(), path: None, text: BROKEN.to_owned() }
}

/// Opening a file with errors shows all errors with their places and leaves the running world unchanged.
#[test]
fn a_broken_file_leaves_the_running_world() {
    let mut model = super::model("six-link-chain");
    model.apply(Command::StepForward);
    let before = model.run().world().clone();
    model.apply(Intent::Open(broken()));
    let refusal = model.news.refusal.as_ref().expect("a refusal");
    assert!(refusal.problems.iter().any(|line| line.starts_with("settings.time_step")));
    assert!(refusal.problems.iter().any(|line| line.starts_with("bodies[0].shapes[0].radius")));
    assert_eq!(model.run().world(), &before);
    assert_eq!(model.files.title, "six-link-chain");
}

/// A window that is started with a broken file opens with the first scene and shows the errors.
#[test]
fn a_window_opens_on_a_broken_file() {
    let model = Model::new(Some(broken()), Player::new(true), Stepping::suited()).expect("a model");
    assert!(model.news.refusal.is_some());
    assert_eq!(model.files.title, "six-link-chain");
}

/// A file dialog that is left without a file lets time go on.
#[test]
fn time_goes_on_behind_a_dialog_that_was_left() {
    for command in [Command::Open, Command::Save] {
        let mut harness = window(super::model("six-link-chain"));
        harness.state_mut().runs.player.playing = true;
        harness.state_mut().apply(command);
        harness.run_steps(3);
        let time = |harness: &Harness<'_, Model>| harness.state().run().world().time();
        let before = time(&harness);
        harness.state_mut().advance(0.05);
        assert_eq!(time(&harness), before, "time stands still while a file is chosen");
        // The first leaves the name's field.
        for _ in 0..2 {
            harness.press_key(Key::Escape);
            harness.run_steps(3);
        }
        assert_eq!(harness.state().files.file_action, None);
        harness.state_mut().advance(0.05);
        assert!(time(&harness) > before, "{command:?}");
    }
}

/// Opening a file that does not exist is refused with its name.
#[test]
fn a_missing_file_is_refused() {
    let mut model = super::model("six-link-chain");
    model.apply(Intent::OpenPath("/no/such/scene.json".into()));
    assert_eq!(model.news.refusal.expect("a refusal").title, "/no/such/scene.json");
}

/// Saving writes the world of the moment when the key was pressed, although the run continues behind the dialog, and the file
/// opens again.
#[test]
fn a_saved_scene_opens_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("saved.json");
    let mut model = super::model("slider-crank");
    model.apply(Command::StepForward);
    let world = model.run().world().clone();
    model.apply(Command::Save);
    model.apply(Command::StepForward);
    model.apply(Intent::Chosen(path.clone()));
    assert_eq!(model.files.file_action, None);
    assert!(model.news.toast.as_ref().is_some_and(|toast| toast.text.contains("saved.json")));
    let mut other = super::model("six-link-chain");
    other.apply(Command::Open);
    other.apply(Intent::Chosen(path));
    assert_eq!(other.news.refusal, None);
    assert_eq!(other.run().world(), &world);
}

/// The heading of a refusal says whether opening or saving failed.
#[test]
fn refusals_name_what_was_not_done() {
    let mut model = super::model("six-link-chain");
    for (command, heading) in
        [(Command::Save, "This file was not saved"), (Command::Open, "This file was not opened")]
    {
        model.apply(command);
        model.apply(Intent::Chosen("/no/such/folder/x.json".into()));
        let refusal = model.news.refusal.clone().expect("a refusal");
        assert_eq!((refusal.heading, refusal.title.as_str()), (heading, "/no/such/folder/x.json"));
    }
}

/// Strikes a key in the window, with Ctrl.
fn ctrl(harness: &mut Harness<'_, Model>, key: Key) {
    harness.press_key_modifiers(Modifiers::COMMAND, key);
    harness.run_steps(3);
}

/// In the dialog for saving, Ctrl+A selects the whole name, a name without the ending gets it, and the dialog begins in
/// the folder of the file that was opened or saved last: in whatever way, also in an earlier window.
#[test]
fn a_typed_name_gets_its_ending_in_the_last_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let opened = folder.path().join("opened.json");
    std::fs::write(&opened, driftlab::scene::catalogue::find("single-pendulum").expect("a scene").text)
        .expect("a file");
    for (key, typed, name) in [
        ("six-link-chain", "four bar", "four bar.driftlab.json"),
        ("slider-crank", "crank.driftlab", "crank.driftlab.json"),
        ("rolling-disk", "disk.json", "disk.json"),
        ("rolling-disk", "version 2.5", "version 2.5.driftlab.json"),
    ] {
        let mut model = super::model("single-pendulum");
        model.apply(Intent::OpenPath(opened.clone()));
        let settings = model.settings();
        let mut model = super::model(key);
        model.remember(&settings);
        model.apply(Command::SaveAs);
        let mut harness = window(model);
        harness.run_steps(3);
        ctrl(&mut harness, Key::A);
        harness.input_mut().events.push(Event::Text(typed.to_owned()));
        harness.run_steps(2);
        harness.press_key(Key::Enter);
        harness.run_steps(3);
        assert!(folder.path().join(name).is_file(), "{typed}: {:?}", harness.state().document.path());
        assert_eq!(harness.state().document.path(), Some(folder.path().join(name).as_path()));
    }
}

/// A file that is there under the name with the ending is not replaced unasked: the dialog comes back with that name.
#[test]
fn an_ending_replaces_no_file_unasked() {
    let folder = tempfile::tempdir().expect("a folder");
    let there = folder.path().join("mine.driftlab.json");
    std::fs::write(&there, "another file").expect("a file");
    let mut model = super::model("six-link-chain");
    model.apply(Command::SaveAs);
    model.apply(Intent::Chosen(folder.path().join("mine")));
    assert_eq!(std::fs::read_to_string(&there).expect("a file"), "another file");
    assert!(model.files.file_action.is_some() && model.document.path().is_none());
    assert!(
        model
            .news
            .toast
            .as_ref()
            .is_some_and(|toast| toast.text.contains("mine.driftlab.json is there already"))
    );
    // The dialog has asked about this name itself.
    model.apply(Intent::Chosen(there.clone()));
    assert_eq!(model.document.path(), Some(there.as_path()));
}
