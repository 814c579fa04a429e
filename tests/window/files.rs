use driftlab::app::OpenScene;
use driftlab::app::commands::Command;
use driftlab::app::model::Model;

const BROKEN: &str = r#"{ "format": "driftlab-scene/1", "name": "Broken", "settings": { "time_step": -1 },
    "bodies": [ { "name": "a", "shapes": [ { "shape": "circle", "radius": -1 } ] } ], "joints": [] }"#;

fn broken() -> OpenScene {
    OpenScene { title: "broken.json".to_owned(), path: None, text: BROKEN.to_owned() }
}

/// A file with errors shows all of them, with their places, and the running world stays.
#[test]
fn a_broken_file_leaves_the_running_world() {
    let mut model = super::model("six-link-chain");
    model.simulation.step_once();
    let before = model.simulation.world.clone();
    model.open(broken());
    let refusal = model.refusal.as_ref().expect("a refusal");
    assert!(refusal.problems.iter().any(|line| line.starts_with("settings.time_step")));
    assert!(refusal.problems.iter().any(|line| line.starts_with("bodies[0].shapes[0].radius")));
    assert_eq!(model.simulation.world, before);
    assert_eq!(model.title, "six-link-chain");
}

/// A window that is opened on a broken file opens all the same, on the first scene, and says what is wrong.
#[test]
fn a_window_opens_on_a_broken_file() {
    let model = Model::new(Some(broken()), true).expect("a model");
    assert!(model.refusal.is_some());
    assert_eq!(model.title, "six-link-chain");
}

/// A file that does not exist is said to be so.
#[test]
fn a_missing_file_is_refused() {
    let mut model = super::model("six-link-chain");
    model.open_path(std::path::Path::new("/no/such/scene.json"));
    assert_eq!(model.refusal.expect("a refusal").title, "/no/such/scene.json");
}

/// What is saved is the world that was seen when the key was pressed, though it runs on behind the dialog; and
/// it opens again.
#[test]
fn save_and_open() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("saved.json");
    let mut model = super::model("slider-crank");
    model.simulation.step_once();
    let world = model.simulation.world.clone();
    model.apply(Command::Save);
    model.simulation.step_once();
    model.run_errand(&path);
    assert_eq!(model.errand, None);
    assert!(model.toast.as_ref().is_some_and(|toast| toast.text.contains("saved.json")));
    let mut other = super::model("six-link-chain");
    other.apply(Command::Open);
    other.run_errand(&path);
    assert_eq!(other.refusal, None);
    assert_eq!(other.simulation.world, world);
}

/// The heading says what was not done: a file that was not saved was not 'not opened'.
#[test]
fn refusals_name_the_errand() {
    let mut model = super::model("six-link-chain");
    let nowhere = std::path::Path::new("/no/such/folder/x.json");
    for (command, heading) in
        [(Command::Save, "This file was not saved"), (Command::Open, "This file was not opened")]
    {
        model.apply(command);
        model.run_errand(nowhere);
        let refusal = model.refusal.clone().expect("a refusal");
        assert_eq!((refusal.heading, refusal.title.as_str()), (heading, "/no/such/folder/x.json"));
    }
}
