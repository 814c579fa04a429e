//! What outlasts the window: settings, recent files, unsaved work, and the scene's file as another program writes it.

use super::panels::window;
use driftlab::app::screen::OnScreen;
use driftlab::scene::{Scene, catalogue};
use driftlab::workbench::command::Command;
use driftlab::workbench::intent::{Answer, Intent};
use driftlab::workbench::library::shelf::Browsing;
use driftlab::workbench::model::{Kept, Model, Request};
use driftlab::workbench::options::OpenScene;
use driftlab::workbench::runs::player::Player;
use driftlab::workbench::settings::{Last, MOST_RECENT, Settings};
use driftlab::workbench::view_state::edge::Edge;
use driftlab::workbench::view_state::plot_view::{PlotView, Tab};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::{Event, Key, Modifiers, PointerButton, pos2, vec2};
use std::fs;
use std::path::Path;

fn fresh() -> Model {
    Model::new(None, Player::new(true), super::within_frame()).expect("a model")
}

/// A later time of writing than any that the file had.
fn write_later(path: &Path, text: &str) {
    fs::write(path, text).expect("a file");
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
    fs::File::options()
        .write(true)
        .open(path)
        .and_then(|file| file.set_modified(later))
        .expect("a later time");
}

/// What a person has set is what the next window begins with: theme, text, panels, plots, the last scene.
#[test]
fn the_next_window_is_as_this_one_was_left() {
    let mut model = super::model("rolling-disk");
    model.apply(Command::TextSize(2));
    model.apply(Command::TogglePanel);
    model.apply(Command::TogglePlot);
    let mut view = model.view;
    view.dark = false;
    model.apply(Intent::View(view));
    let plot = PlotView {
        tab: Tab::Energy,
        energies: std::array::from_fn(|i| i == 0 || i == 2),
        span: None,
        ..PlotView::default()
    };
    model.apply(Intent::Plot(plot.clone()));
    model.apply(Intent::Resize(Edge::Panel, 420.4));
    let settings = Settings::parse(&model.settings().to_json()).expect("settings");
    let mut other = fresh();
    other.remember(&settings);
    other.open_last(&settings);
    assert_eq!(other.files.title, "rolling-disk");
    assert_eq!(other.layout.text_size, model.layout.text_size);
    assert_eq!((other.view.dark, other.layout.panel_open, other.layout.plot_open), (false, false, false));
    assert_eq!(other.shown.plot, plot);
    assert_eq!(other.layout.sizes, [Some(420), None]);
    assert_eq!(other.settings(), settings);
}

/// The first start is remembered as nothing: the first screen shows the chain twice.
#[test]
fn the_first_screen_stays_the_first() {
    let settings = fresh().settings();
    let mut other = fresh();
    other.remember(&settings);
    other.open_last(&settings);
    assert_eq!(other.comparison().forks().len(), 1);
    assert_eq!(
        settings,
        Settings { last: Some(Last::Scene("six-link-chain".to_owned())), ..Settings::default() }
    );
}

/// Settings with anything unknown or out of range are refused with a word.
#[test]
fn broken_settings_are_refused() {
    for (text, said) in [
        ("", "EOF"),
        ("{", "EOF"),
        ("{\"drak\": true}", "unknown field `drak`"),
        ("{\"dark\": 1}", "invalid type"),
        ("{\"text_size\": 0}", "text_size: expected one of [80"),
        ("{\"span\": -1}", "span: expected"),
        ("{\"tab\": \"errrors\"}", "tab: expected errors, energy"),
        ("{\"energy\": [\"heat\"]}", "energy: expected kinetic_energy"),
        ("{\"exercises\": {\"drift-in-time\": {\"tries\": -1}}}", "expected u32"),
        (
            "{\"exercises\": {\"drift-in-time\": {\"tries\": 1, \"passed\": \"yes\"}}}",
            "expected struct KeptProof",
        ),
    ] {
        let refused = Settings::parse(text).expect_err(text);
        assert!(refused.contains(said), "{text}: {refused}");
    }
    assert_eq!(Settings::parse("{}"), Ok(Settings::default()));
}

/// Files that were opened or saved are found again in the list of scenes, the newest first and each once, and open from there.
#[test]
fn recent_files_are_found_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = catalogue::find("single-pendulum").expect("a scene").text;
    let mut model = fresh();
    for number in 0..=MOST_RECENT {
        let path = folder.path().join(format!("own{number}.json"));
        fs::write(&path, text).expect("a file");
        model.apply(Intent::OpenPath(path));
    }
    model.apply(Intent::OpenPath(folder.path().join("own3.json")));
    assert_eq!(model.library.shelf.recent.len(), MOST_RECENT);
    assert!(model.library.shelf.recent[0].ends_with("own3.json"));
    assert!(model.library.shelf.recent[1].ends_with(format!("own{MOST_RECENT}.json")));
    let settings = model.settings();
    let mut other = super::model("six-link-chain");
    other.remember(&settings);
    let mut harness = window(other);
    harness
        .state_mut()
        .apply(Intent::Browse(Some(Browsing { search: "own5.json".to_owned(), highlighted: None })));
    harness.run_steps(3);
    assert_eq!(harness.state().library.shelf.files[0].path, folder.path().join("own3.json"));
    harness.press_key(Key::Enter);
    harness.run_steps(3);
    assert_eq!(harness.state().document.path(), Some(folder.path().join("own5.json").as_path()));
}

/// Kept work that is damaged, in itself or in its scene, is told with the reason, and is not taken for work.
#[test]
fn damaged_work_is_refused_with_its_reason() {
    let mut model = super::recorded("slider-crank");
    (0..5).for_each(|_| model.apply(Command::StepForward));
    let whole = serde_json::to_string(&model.kept().expect("unsaved work")).expect("JSON");
    assert!(Kept::parse(&whole).is_ok());
    let cut = Kept::parse(&whole[..whole.len() / 2]).expect_err("half of it");
    assert!(cut.contains("EOF"), "{cut}");
    let spoilt = Kept::parse(&whole.replace("time_step", "time_stop")).expect_err("another key");
    assert!(spoilt.contains("settings.time_st"), "{spoilt}");
}

/// Work that a window could not save is offered by the next one, opens to the same bits, and stays unsaved.
#[test]
fn lost_work_is_offered() {
    assert_eq!(super::model("slider-crank").kept(), None, "there is no work");
    let mut model = super::recorded("slider-crank");
    (0..5).for_each(|_| model.apply(Command::StepForward));
    let kept = model.kept().expect("work");
    let text = serde_json::to_string(&kept).expect("a text");
    let mut other = fresh();
    other.files.lost = Some(serde_json::from_str::<Kept>(&text).expect("the same"));
    let mut harness = window(other);
    harness.run_steps(2);
    harness.get_by_label("Open it").click();
    harness.run_steps(2);
    let other = harness.state();
    assert_eq!(other.run().world(), model.run().world());
    assert!(other.is_unsaved() && other.files.lost.is_none());
    assert_eq!(other.news.requests, [Request::LostSettled]);
}

/// A file that another program writes is told of, R opens it, and Ctrl+S does not write over it.
#[test]
fn a_file_that_changes_is_offered_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("own.json");
    let text = catalogue::find("single-pendulum").expect("a scene").text;
    fs::write(&path, text).expect("a file");
    let mut model = super::model("six-link-chain");
    model.apply(Intent::OpenPath(path.clone()));
    model.look_at_file();
    assert!(!model.document.has_changed_outside());
    let heavier = Scene { name: "Heavier".to_owned(), ..Scene::parse(text).expect("a scene") }.to_json();
    write_later(&path, &heavier);
    model.look_at_file();
    assert!(model.document.has_changed_outside());
    model.apply(Command::Save);
    assert!(model.files.file_action.is_some(), "another place is asked for");
    model.apply(Intent::LeaveDialog);
    assert_eq!(fs::read_to_string(&path).expect("a file"), heavier);
    let mut harness = window(model);
    harness.run_steps(2);
    assert!(harness.query_by_label("The scene's file has changed on disk.").is_some());
    harness.state_mut().apply(Command::Restart);
    harness.run_steps(2);
    assert_eq!(harness.state().run().scene.name, "Heavier");
    assert!(!harness.state().document.has_changed_outside());
}

/// What the window itself writes is no change from outside.
#[test]
fn a_save_is_no_change_from_outside() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("own.json");
    let mut model = super::model("single-pendulum");
    model.apply(Command::Save);
    model.apply(Intent::Chosen(path));
    model.apply(Command::StepForward);
    model.apply(Command::Save);
    model.look_at_file();
    assert!(!model.document.has_changed_outside());
}

/// The edge between the canvas and the panel is dragged, and the panel has that width in the next window.
#[test]
fn the_width_of_the_panel_is_remembered() {
    let mut harness = window(super::model("six-link-chain"));
    harness.set_size(vec2(1600.0, 900.0));
    harness.run_steps(3);
    let width = |harness: &Harness<'_, Model>| 1600.0 - harness.state().canvas().right();
    let before = width(&harness);
    let edge = harness.state().canvas().right();
    let pointer = |harness: &mut Harness<'_, Model>, x: f32, pressed: Option<bool>| {
        let pos = pos2(x, 400.0);
        harness.input_mut().events.push(Event::PointerMoved(pos));
        if let Some(pressed) = pressed {
            let button = PointerButton::Primary;
            let modifiers = Modifiers::default();
            harness.input_mut().events.push(Event::PointerButton { pos, button, pressed, modifiers });
        }
        harness.run_steps(2);
    };
    pointer(&mut harness, edge, None);
    pointer(&mut harness, edge, Some(true));
    pointer(&mut harness, edge - 100.0, None);
    pointer(&mut harness, edge - 100.0, Some(false));
    let wider = width(&harness);
    assert!((wider - before - 100.0).abs() < 4.0, "{before} to {wider}");
    let settings = Settings::parse(&harness.state().settings().to_json()).expect("settings");
    let mut other = super::model("six-link-chain");
    other.remember(&settings);
    let mut next = window(other);
    next.set_size(vec2(1600.0, 900.0));
    next.run_steps(3);
    assert!((width(&next) - wider).abs() <= 1.0, "{} beside {wider}", width(&next));
}

/// A scene that was pasted stands in no file and is no shipped one: it is kept as unsaved work, and is not left without
/// a question. What a link or the gallery opens can be opened again, and is none.
#[test]
fn a_pasted_scene_is_work() {
    let text = catalogue::find("box-at-rest").expect("a shipped scene").text.to_owned();
    let mut model = super::model("six-link-chain");
    model.apply(Intent::Open(OpenScene { title: "pasted scene".to_owned(), path: None, text }));
    assert!(model.is_unsaved() && model.kept().is_some());
    model.apply(Intent::OpenLink("#scene=single-pendulum".to_owned()));
    assert!(model.document.is_asking() && model.files.title == "pasted scene");
    model.apply(Intent::Answer(Answer::Discard));
    assert_eq!((model.files.title.as_str(), model.is_unsaved()), ("single-pendulum", false));
    model.apply(Intent::OpenShipped("four-bar"));
    assert!(!model.is_unsaved());
}
