//! The file of the open scene: it is saved without a question, unsaved work is shown and never left unasked.

use super::panels::window;
use driftlab::app::keys::command;
use driftlab::glam::DVec2;
use driftlab::scene::Scene;
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::edit::Edit;
use driftlab::workbench::editor::{Act, EditorIntent};
use driftlab::workbench::intent::{Answer, Intent};
use driftlab::workbench::model::{Model, Request};
use driftlab::workbench::stage::pointer::Button;
use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::{Key, Modifiers};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder with the scene of that key, saved by the window, and the window that has saved it.
fn saved(key: &str) -> (tempfile::TempDir, PathBuf, Model) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("own.driftlab.json");
    let mut model = super::model(key);
    model.apply(Command::Save);
    model.apply(Intent::Chosen(path.clone()));
    assert_eq!(model.document.path(), Some(path.as_path()));
    (folder, path, model)
}

/// Moves a body of a paused world by hand.
fn move_a_body(model: &mut Model) {
    let at = model.run().world().bodies()[1].pose.position;
    model.apply(Intent::Press { button: Button::Left, at, reach: 0.01 });
    model.apply(Intent::Drag(at + DVec2::new(0.01, 0.02)));
    model.apply(Intent::Release);
    model.settle();
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}

/// A scene that has a file is saved to it at once; only another name is asked for.
#[test]
fn a_second_save_asks_nothing() {
    let (_folder, path, mut model) = saved("single-pendulum");
    let before = text(&path);
    model.apply(Command::CycleScheme(1));
    model.apply(Command::StepForward);
    model.settle();
    assert!(model.is_unsaved());
    model.apply(Command::Save);
    assert_eq!(model.files.file_action, None);
    assert!(!model.is_unsaved());
    assert_ne!(text(&path), before);
    assert_eq!(Scene::parse(&text(&path)).expect("a scene").world, *model.run().world());
    model.apply(Command::SaveAs);
    assert!(model.files.file_action.is_some());
    let other = path.with_file_name("other.json");
    model.apply(Intent::Chosen(other.clone()));
    assert_eq!(model.document.path(), Some(other.as_path()));
}

/// A scene from a file is saved to that file.
#[test]
fn an_opened_file_is_saved_to() {
    let (_folder, path, _) = saved("slider-crank");
    let mut model = super::model("six-link-chain");
    model.apply(Intent::OpenPath(path.clone()));
    move_a_body(&mut model);
    let before = text(&path);
    model.apply(Command::Save);
    assert_ne!(text(&path), before);
    assert_eq!(model.files.file_action, None);
}

/// Ctrl+S and Ctrl+Shift+S are different keys.
#[test]
fn shift_asks_for_another_name() {
    let with_shift = Modifiers { shift: true, ..Modifiers::CTRL };
    assert_eq!(command(Key::S, Modifiers::CTRL, true), Some(Command::Save));
    assert_eq!(command(Key::S, with_shift, true), Some(Command::SaveAs));
}

/// What has changed is told in the title and in the header, and what is changed back is not.
#[test]
fn unsaved_work_is_shown() {
    let (_folder, _, model) = saved("single-pendulum");
    let mut harness = window(model);
    harness.run_steps(2);
    assert!(harness.query_by_label("● unsaved").is_none());
    assert_eq!(harness.state().window_title(), "Pendulum – driftlab");
    let scheme = harness.state().run().scheme_index();
    harness.state_mut().apply(Command::Scheme(if scheme == 0 { 1 } else { 0 }));
    harness.run_steps(2);
    assert!(harness.query_by_label("● unsaved").is_some());
    assert!(harness.state().window_title().starts_with("● "));
    harness.state_mut().apply(Command::Scheme(scheme));
    harness.run_steps(2);
    assert!(harness.query_by_label("● unsaved").is_none());
}

/// Playing with a shipped scene is no work: nobody is asked about schemes, runs beside and pulls.
#[test]
fn play_is_left_unasked() {
    let mut model = super::chain();
    model.apply(Command::Scheme(0));
    model.apply(Intent::Beside(3));
    let at = model.run().world().bodies()[3].pose.position;
    model.apply(Intent::Press { button: Button::Left, at, reach: 0.01 });
    model.apply(Intent::Drag(at + DVec2::new(0.1, 0.1)));
    model.advance(0.1);
    model.apply(Intent::Release);
    model.runs.player.playing = false;
    move_a_body(&mut model);
    model.apply(Command::Scene(1));
    assert_ne!(model.files.title, "six-link-chain");
    model.apply(Command::Quit);
    assert_eq!(model.news.requests, [Request::Quit]);
}

/// Whatever leads away from unsaved work asks first, in the window too, and does what is answered.
#[test]
fn work_is_not_left_unasked() {
    let ways = [
        Intent::Command(Command::Quit),
        Intent::Command(Command::Scene(1)),
        Intent::OpenShipped("rolling-disk"),
        Intent::OpenLink("#scene=rolling-disk".to_owned()),
        Intent::Tour { tour: 0, step: 0 },
    ];
    for way in ways {
        let (_folder, path, mut model) = saved("single-pendulum");
        let title = model.files.title.clone();
        let before = text(&path);
        move_a_body(&mut model);
        let moved = model.run().world().clone();
        let leads_away =
            |model: &Model| model.files.title != title || model.news.requests.contains(&Request::Quit);
        model.apply(way.clone());
        assert!(model.document.is_asking() && !leads_away(&model), "{way:?}");
        model.apply(Command::Dismiss);
        assert!(!model.document.is_asking() && !leads_away(&model), "{way:?}");
        assert_eq!(model.run().world(), &moved, "{way:?}");
        model.apply(way.clone());
        let mut harness = window(model);
        harness.run_steps(2);
        let quits = way == Intent::Command(Command::Quit);
        harness
            .get_by_label(if quits { "Close without saving  (Del)" } else { "Open without saving  (Del)" })
            .click();
        harness.run_steps(2);
        assert!(leads_away(harness.state()), "{way:?}");
        assert_eq!(text(&path), before, "{way:?}");
    }
}

/// 'Save' as the answer saves first, where the scene has no file to a place that is chosen, and then goes on.
#[test]
fn work_is_saved_and_then_left() {
    let (_folder, path, mut model) = saved("single-pendulum");
    move_a_body(&mut model);
    let moved = model.run().world().clone();
    model.apply(Command::Quit);
    model.apply(Intent::Answer(Answer::Save));
    assert_eq!(model.news.requests, [Request::Quit]);
    assert_eq!(Scene::parse(&text(&path)).expect("a scene").world, moved);

    let mut model = super::recorded("single-pendulum");
    model.apply(Command::Quit);
    model.apply(Intent::Answer(Answer::Save));
    assert_eq!(model.news.requests, []);
    model.apply(Intent::Chosen(path.with_file_name("new.json")));
    assert_eq!(model.news.requests, [Request::Quit]);
}

/// Who leaves the dialog, or whose disk refuses the file, stays in the window.
#[test]
fn without_a_file_nothing_is_left() {
    let mut model = super::recorded("single-pendulum");
    model.apply(Command::Quit);
    model.apply(Intent::Answer(Answer::Save));
    model.apply(Intent::LeaveDialog);
    assert!(model.news.requests.is_empty() && !model.document.is_asking() && model.is_unsaved());
    model.apply(Command::Quit);
    model.apply(Intent::Answer(Answer::Save));
    model.apply(Intent::Chosen("/no/such/folder/x.json".into()));
    assert!(model.news.requests.is_empty() && !model.document.is_asking() && model.is_unsaved());
    assert!(model.news.refusal.is_some_and(|refusal| refusal.unchanged.contains("whole")));
}

/// A scene from nothing is called by the name of its first file, and keeps a name of its own in any other file.
#[test]
fn a_scene_from_nothing_is_named_after_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut model = super::model("six-link-chain");
    model.apply(Command::Build(Act::New));
    let place = folder.path().join("my-four_bar.driftlab.json");
    for path in [place.clone(), folder.path().join("copy.json")] {
        model.apply(Command::SaveAs);
        model.apply(Intent::Chosen(path.clone()));
        assert_eq!(Scene::parse(&text(&path)).expect("a scene").name, "My four bar");
        assert_eq!(model.window_title(), "My four bar – driftlab");
    }
}

/// A name that is typed whole, to which the dialog adds the ending once more, is the file's name; a file that the
/// dialog has asked about is the one that is written.
#[test]
fn a_whole_name_has_its_ending_once() {
    let (folder, path, mut model) = saved("single-pendulum");
    model.apply(Command::SaveAs);
    model.apply(Intent::Chosen(folder.path().join("new.json.json")));
    assert_eq!(model.document.path(), Some(folder.path().join("new.json").as_path()));
    let twice = path.with_file_name("new.json.json");
    let before = text(&path.with_file_name("new.json"));
    model.apply(Command::StepForward);
    model.settle();
    model.apply(Command::SaveAs);
    model.apply(Intent::Chosen(twice.clone()));
    assert_eq!(model.document.path(), Some(twice.as_path()));
    assert_eq!(text(&path.with_file_name("new.json")), before);
}

/// What was built is work until it is undone: undoing what a file has is work, and redoing it is none.
#[test]
fn undoing_what_was_saved_is_unsaved() {
    let (_folder, _path, mut model) = saved("single-pendulum");
    let gravity = |model: &mut Model, y| {
        model.apply(Intent::Editor(EditorIntent::Edit(Edit::Gravity(DVec2::new(0.0, y)))));
    };
    gravity(&mut model, -1.0);
    assert!(model.is_unsaved());
    model.apply(Command::Build(Act::Undo));
    assert!(!model.is_unsaved(), "all is as it was saved");
    model.apply(Command::Build(Act::Redo));
    model.apply(Command::Save);
    assert!(!model.is_unsaved());
    model.apply(Command::Build(Act::Undo));
    assert!(model.is_unsaved(), "the file has what was undone");
    model.apply(Command::Quit);
    assert!(model.document.is_asking());
    model.apply(Intent::Answer(Answer::Stay));
    model.apply(Command::Build(Act::Redo));
    assert!(!model.is_unsaved());
    model.apply(Command::Build(Act::Undo));
    gravity(&mut model, -2.0);
    assert!(model.is_unsaved(), "another change stands in the place of the saved one");
}
