//! Opening: whatever the way in, a scene is shown as its file says.

use driftlab::scene::window::{Outlook, Window};
use driftlab::scene::{Scene, catalogue};
use driftlab::workbench::command::Command;
use driftlab::workbench::intent::{Answer, Intent};
use driftlab::workbench::link::{Link, Subject};
use driftlab::workbench::model::{FileAction, Kept, Model};
use driftlab::workbench::options::{OpenScene, Options};
use driftlab::workbench::runs::player::Player;
use driftlab::workbench::settings::{Last, Settings};
use driftlab::workbench::view_state::layers::View;
use driftlab::workbench::view_state::plot_view::{PlotView, Tab};
use egui_macroquad::egui::{Rect, pos2, vec2};
use std::path::Path;

/// Views as a file says them, each with one setting, and one with all.
const VIEWS: [&str; 15] = [
    "",
    r#""paused": true"#,
    r#""speed": 0.25"#,
    r#""panes": true, "beside": [{ "settings": { "time_step": 0.001, "stabilizer": { "kind": "none" } } }]"#,
    r#""beside": [{ "settings": { "time_step": 0.0005, "stabilizer": { "kind": "rattle" } }, "reference": true }]"#,
    r#""view": { "center": [0, -0.3], "width": 1.2 }"#,
    r#""plot": { "tab": "energy" }"#,
    r#""plot": { "tab": "watch" }"#,
    r#""plot": { "errors": ["velocity_error"], "energy": ["total_energy"], "solver": ["islands"] }"#,
    r#""plot": { "span": "all" }"#,
    r#""plot": { "span": 2.5 }"#,
    r#""layers": { "shown": ["joints", "trails"], "magnify": 10, "arrows": 2 }"#,
    r#""watch": { "joint": 1, "reading": "force", "over": "angle" }"#,
    r#""slider": "alpha""#,
    r#""panes": true, "paused": true, "speed": 0.25, "view": { "center": [0, -0.3], "width": 1.2 },
       "plot": { "tab": "energy", "energy": ["total_energy"], "errors": ["joint_error"], "solver": ["rows"], "span": "all" },
       "watch": { "joint": 1, "reading": "force", "over": "angle" }, "slider": "alpha",
       "layers": { "shown": ["grid", "joints", "trails"], "magnify": 10, "arrows": 2 },
       "beside": [{ "settings": { "time_step": 0.001, "stabilizer": { "kind": "none" } } }]"#,
];

/// A way into a scene, from a window in which a person has chosen to see other things.
type Way = fn(&mut Model, &Path, &str);

const WAYS: [(&str, Way); 8] = [
    ("command line", |model, path, text| {
        let scene =
            OpenScene { title: "x.json".to_owned(), path: Some(path.to_owned()), text: text.to_owned() };
        let remembered = model.settings();
        model.start(Some(&remembered), &Options { scene: Some(scene), ..Options::default() });
    }),
    ("command line without a memory", |model, path, text| {
        let scene =
            OpenScene { title: "x.json".to_owned(), path: Some(path.to_owned()), text: text.to_owned() };
        model.start(None, &Options { scene: Some(scene), ..Options::default() });
    }),
    ("link on the command line", |model, _, text| {
        let link = Link { subject: Some(Subject::File(text.to_owned())), ..Link::default() };
        let remembered = model.settings();
        model.start(Some(&remembered), &Options { link: Some(link.to_string()), ..Options::default() });
    }),
    ("last", |model, path, _| {
        let last = Some(Last::File(path.to_str().expect("a path").to_owned()));
        let remembered = Settings { last, ..model.settings() };
        model.start(Some(&remembered), &Options::default());
    }),
    ("dialog", |model, path, _| {
        model.files.file_action = Some(FileAction::Open);
        model.apply(Intent::Chosen(path.to_owned()));
    }),
    ("drop, list of recent files", |model, path, _| model.apply(Intent::OpenPath(path.to_owned()))),
    ("paste, drop without a path", |model, _, text| {
        let scene = OpenScene { title: "pasted scene".to_owned(), path: None, text: text.to_owned() };
        model.apply(Intent::Open(scene));
    }),
    ("work that was lost", |model, path, text| {
        let (path, text) = (Some(path.to_owned()), text.to_owned());
        model.files.lost = Some(Kept { name: "x".to_owned(), title: "x".to_owned(), path, text });
        model.apply(Intent::TakeLost);
    }),
];

/// A window in which somebody has looked at something else.
fn used() -> Model {
    let mut model = Model::new(None, Player::new(true), super::within_frame()).expect("a model");
    model.apply(Intent::OpenShipped("slider-crank"));
    model.apply(Intent::Beside(0));
    model.apply(Intent::Speed(3.0));
    let joint = model.run().world().joint_ids()[0];
    model.apply(Intent::Watch(driftlab::workbench::watched::Watchable::Joint(joint)));
    let plot = PlotView { tab: Tab::Solver, span: Some(7.0), errors: [false; 5], ..PlotView::default() };
    model.apply(Intent::Plot(plot));
    model.apply(Intent::View(View { grid: false, boxes: true, ..model.view }));
    model.lay_out(Rect::from_min_size(pos2(10.0, 20.0), vec2(600.0, 400.0)));
    model
}

/// What a window shows, but the states of its runs.
fn told(window: Window) -> (Window, Vec<(String, f64, bool)>) {
    let runs = window.beside.iter().map(|run| {
        let kind = run.settings.method.stabilizer.info().key.to_owned();
        (kind, run.settings.time_step, run.reference)
    });
    let runs = runs.collect();
    // To a digit beyond which a division by the canvas's size rounds.
    let rounded = |x: f64| (1e12 * x).round() / 1e12;
    let view = window.view.map(|view| Outlook { width: rounded(view.width), ..view });
    (Window { beside: Vec::new(), start: None, view, ..window }, runs)
}

/// Every setting of a saved view is what the window shows, whichever way the scene came in and whatever the window showed before.
#[test]
fn every_way_in_shows_what_was_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.json");
    let text = catalogue::find("six-link-chain").expect("a scene").text;
    for view in VIEWS {
        let text = text.replacen('{', &format!("{{ \"window\": {{ {view} }},"), 1);
        std::fs::write(&path, &text).expect("a file");
        let expected = told(Scene::parse(&text).expect("a scene").window.expect("a window"));
        for (way, open) in WAYS {
            let mut model = used();
            open(&mut model, &path, &text);
            assert_eq!(model.news.refusal, None, "{way}: {view}");
            model.lay_out(Rect::from_min_size(pos2(10.0, 20.0), vec2(600.0, 400.0)));
            assert_eq!(told(model.staged().window.expect("a window")), expected, "{way}: {view}");
            assert_eq!(model.runs.player.playing, !expected.0.paused, "{way}: {view}");
        }
    }
}

/// `--paused` and `--play` say more than the file; a file named on the command line is found again among the recent ones.
#[test]
fn the_command_line_has_the_last_word() {
    let text = catalogue::find("six-link-chain").expect("a scene").text;
    for (saved, said, plays) in
        [(false, Some(false), false), (true, Some(true), true), (true, None, false), (false, None, true)]
    {
        let text = text.replacen('{', &format!("{{ \"window\": {{ \"paused\": {saved} }},"), 1);
        let path = Some("/somewhere/x.json".into());
        let scene = OpenScene { title: "x.json".to_owned(), path, text };
        let mut model = used();
        let remembered = model.settings();
        model
            .start(Some(&remembered), &Options { scene: Some(scene), playing: said, ..Options::default() });
        assert_eq!(model.runs.player.playing, plays, "saved paused: {saved}, said: {said:?}");
        assert_eq!(
            model.library.shelf.recent.first().map(|path| path.as_path()),
            Some(Path::new("/somewhere/x.json"))
        );
    }
}

/// A scene without a word on the window leaves what a person has chosen to see, and is not in the panes or under the
/// card of another.
#[test]
fn a_bare_scene_is_shown_as_the_window_is() {
    let mut model = used();
    model.apply(Intent::Tour { tour: 0, step: 0 });
    model.apply(Intent::Answer(Answer::Discard));
    model.apply(Intent::Speed(0.5));
    let text = catalogue::find("single-pendulum").expect("a scene").text;
    model.apply(Intent::Open(OpenScene {
        title: "bare.json".to_owned(),
        path: None,
        text: text.to_owned(),
    }));
    assert_eq!((model.runs.player.speed, model.view.boxes, model.library.progress), (0.5, true, None));
    model.apply(Command::StepForward);
    assert_eq!(model.run().world().steps(), 1);
}
