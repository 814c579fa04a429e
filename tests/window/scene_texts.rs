//! The texts of a scene: what it is called, what it is and what is to be seen, as its author writes them.

use super::panels::window;
use super::parameters::type_over;
use driftlab::scene::Scene;
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::scene_text::SceneText;
use driftlab::workbench::editor::{Act, EditorIntent, Mode};
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::Model;
use egui_kittest::Harness;
use egui_kittest::kittest::{By, Queryable};
use egui_macroquad::egui::accesskit::Role;
use egui_macroquad::egui::{Event, Key, Modifiers};
use glam::DVec2;

/// Types another text over that which a field shows.
fn write_over(harness: &mut Harness<'_, Model>, shown: &str, text: &str) {
    let shown = shown.to_owned();
    let field = By::new().role(Role::MultilineTextInput);
    harness.get(field.predicate(move |node| node.value().is_some_and(|value| value == shown))).focus();
    harness.run_steps(2);
    let mut press = |key: Key, modifiers: Modifiers, text: &str| {
        let typed = Event::Text(text.to_owned());
        let event = |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
        harness.input_mut().modifiers = modifiers;
        for event in [event(true), event(false), typed] {
            harness.input_mut().events.push(event);
            harness.step();
        }
    };
    press(Key::A, Modifiers::COMMAND, "");
    press(Key::Delete, Modifiers::NONE, text);
    press(Key::Enter, Modifiers::NONE, "");
    harness.run_steps(2);
}

/// These were the changes, and undoing them leads to the scene `before`.
fn undo_all(model: &mut Model, labels: [&str; 3], before: &Scene) {
    let done: Vec<&str> = model.runs.undo.done().iter().map(|change| change.label.as_str()).collect();
    assert_eq!(done, labels);
    labels.iter().for_each(|_| model.apply(Command::Build(Act::Undo)));
    assert_eq!(model.staged().to_json(), before.to_json());
}

/// What a scene is called, what it is and what is to be seen are typed; each is a change that is undone, and stands in the file.
#[test]
fn the_texts_of_a_scene_are_written() {
    let mut model = super::model("six-link-chain");
    model.apply(Command::Build(Act::Mode(Mode::Build)));
    let before = model.staged();
    let mut harness = window(model);
    harness.set_size(egui_macroquad::egui::vec2(1280.0, 1400.0));
    harness.run_steps(2);
    let (name, seen) = (before.name.clone(), before.observe.clone().expect("what to see"));
    write_over(&mut harness, &name, "My chain");
    write_over(&mut harness, &seen, "It swings.");
    let own = harness.state().staged();
    assert_eq!((own.name.as_str(), own.observe.as_deref()), ("My chain", Some("It swings.")));
    write_over(&mut harness, "My chain", "");
    assert_eq!(harness.state().staged().name, "My chain", "a scene has a name");
    write_over(&mut harness, "It swings.", "");
    assert_eq!(harness.state().staged().observe, None);
    assert!(harness.state().is_unsaved());
    let done = ["name of the scene", "what to see in the scene", "what to see in the scene"];
    undo_all(harness.state_mut(), done, &before);
}

/// Source, duration and the direction of gravity are typed, stand in the file, and are undone.
#[test]
fn source_duration_and_direction_are_typed() {
    let mut model = super::model("six-link-chain");
    model.apply(Command::Build(Act::Mode(Mode::Build)));
    let before = model.staged();
    let mut harness = window(model);
    harness.set_size(egui_macroquad::egui::vec2(1280.0, 1400.0));
    harness.run_steps(2);
    write_over(&mut harness, before.source.as_deref().unwrap_or_default(), "Lecture 3");
    assert_eq!(before.settings.duration, Some(0.6));
    type_over(&mut harness, "0.6 s", "2.5");
    type_over(&mut harness, "−1.5708 rad", "-180°");
    let own = harness.state().staged();
    assert_eq!(own.source.as_deref(), Some("Lecture 3"));
    assert_eq!(own.settings.duration, Some(2.5));
    assert_eq!(own.world.gravity(), DVec2::new(-before.world.gravity().length(), 0.0));
    undo_all(harness.state_mut(), ["source of the scene", "duration", "gravity"], &before);
}

/// A text that is written belongs to the scene of all runs, and stays when another one becomes the main run.
#[test]
fn a_text_is_that_of_all_runs() {
    let mut model = super::model("six-link-chain");
    model.apply(Intent::Beside(7));
    model.apply(Intent::Editor(EditorIntent::Write(SceneText::Name, "My chain".to_owned())));
    let fork = model.comparison().forks()[0].id;
    model.apply(Intent::Promote(fork));
    assert_eq!(model.run().scene.name, "My chain");
}
