//! The whole comparison in a scene file: what was saved is what opens, to the bit, and what is wrong with a file is said.

use super::trajectories::{KEY, trace};
use driftlab::glam::DVec2;
use driftlab::model::World;
use driftlab::scene::window::{QUANTITIES, READINGS};
use driftlab::scene::{Scene, catalogue};
use driftlab::schemes::TABLE;
use driftlab::workbench::command::Command;
use driftlab::workbench::intent::{Intent, Standard};
use driftlab::workbench::model::Model;
use driftlab::workbench::options::OpenScene;
use driftlab::workbench::runs::comparison::{Budget, Role};
use driftlab::workbench::runs::live_run::{LiveRun, Setting};
use driftlab::workbench::runs::player::Player;
use driftlab::workbench::stage::pointer::Button;
use driftlab::workbench::view_state::arrangement::Arrangement;
use driftlab::workbench::view_state::layers::View;
use driftlab::workbench::view_state::plot_view::{COUNTS, ENERGIES, ERRORS, PlotView, Tab};
use driftlab::workbench::watched::Watchable;
use egui_macroquad::egui::{Rect, pos2, vec2};
use std::fs;
use std::process::Command as Process;

fn place(key: &str) -> usize {
    TABLE.iter().position(|scheme| scheme.info().key == key).expect("a scheme")
}

fn fresh() -> Model {
    Model::new(None, Player::new(true), super::within_frame()).expect("a model")
}

fn runs(model: &Model) -> Vec<&LiveRun> {
    let forks = model.comparison().forks().iter().map(|fork| fork.run());
    std::iter::once(model.run()).chain(forks).collect()
}

fn worlds(model: &Model) -> Vec<World> {
    runs(model).into_iter().map(|run| run.world().clone()).collect()
}

/// Saves, opens the file in a fresh window, and compares all that is promised; returns the file's text.
#[track_caller]
fn comes_back(mut model: Model) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, again] = ["one.json", "two.json"].map(|name| folder.path().join(name));
    model.settle();
    model.apply(Command::SaveAs);
    model.apply(Intent::Chosen(path.clone()));
    let mut other = fresh();
    other.apply(Intent::OpenPath(path.clone()));
    assert_eq!(other.news.refusal, None);
    assert!(!other.is_unsaved());
    let told = |model: &Model| {
        let of = |run: &LiveRun| (run.method().clone(), run.time_step());
        let runs: Vec<_> = runs(model).into_iter().map(of).collect();
        let roles: Vec<_> = model.comparison().forks().iter().map(|fork| fork.role).collect();
        (runs, roles, model.panes().len(), model.runs.player, model.shown.plot.clone())
    };
    assert_eq!(told(&other), told(&model));
    assert_eq!(other.watched(), model.watched());
    assert_eq!(worlds(&other), worlds(&model));
    other.apply(Command::SaveAs);
    other.apply(Intent::Chosen(again.clone()));
    let text = fs::read_to_string(&path).expect("a file");
    assert_eq!(fs::read_to_string(&again).expect("a file"), text, "the same bytes");
    for window in [&mut model, &mut other] {
        window.runs.player.playing = false;
        window.advance(0.0);
        for _ in 0..40 {
            window.apply(Command::StepForward);
        }
    }
    assert_eq!(worlds(&other), worlds(&model), "the same runs");
    for window in [&mut model, &mut other] {
        window.apply(Command::Restart);
    }
    assert_eq!(worlds(&other), worlds(&model), "the same start");
    text
}

/// A comparison of a pulled chain under three schemes with parameters and steps of their own, shown in panes, opens as it was.
#[test]
fn a_comparison_opens_as_it_was_saved() {
    let mut model = super::chain();
    model.apply(Intent::Set(Setting::Scheme(place("baumgarte_velocity"))));
    let mut stabilizer = model.run().method().stabilizer.clone();
    stabilizer.values.set("alpha", 1.0 / 3.0).expect("a value");
    model.apply(Intent::Set(Setting::Stabilizer(stabilizer)));
    model.apply(Intent::Set(Setting::TimeStep(1.0 / 480.0)));
    (0..10).for_each(|_| model.advance(1.0 / 60.0));
    model.apply(Intent::Beside(place("none")));
    model.apply(Intent::Beside(place("soft")));
    model.apply(Intent::Refer(Standard::SmallStep));
    let at = model.run().world().bodies()[3].pose.position;
    model.apply(Intent::Press { button: Button::Left, at, reach: 0.01 });
    model.apply(Intent::Drag(at + DVec2::new(0.2, 0.1)));
    (0..10).for_each(|_| model.advance(1.0 / 60.0));
    model.apply(Intent::Release);
    (0..10).for_each(|_| model.advance(1.0 / 60.0));
    model.apply(Intent::Arrange(Arrangement::Panes));
    model.apply(Intent::Speed(0.25));
    let errors = [true, false, true, false, true];
    model.apply(Intent::Plot(PlotView { tab: Tab::Energy, span: None, errors, ..PlotView::default() }));
    model.runs.player.playing = false;
    let text = comes_back(model);
    let window = Scene::parse(&text).expect("a scene").window.expect("a window");
    assert_eq!(window.beside.len(), 3);
    assert!(window.beside[2].reference && !window.beside[0].reference);
    assert!(window.beside.iter().all(|run| run.world.is_some()), "each has gone its own way");
}

/// Runs that have just begun have the scene's own state, which the file says once; a scene that is shown as usual says
/// that alone.
#[test]
fn what_is_as_usual_is_not_written() {
    let mut model = super::model("slider-crank");
    model.apply(Intent::Beside(place("none")));
    let text = comes_back(model);
    let window = Scene::parse(&text).expect("a scene").window.expect("a window");
    assert_eq!((window.start, window.beside[0].world.as_ref()), (None, None));
    let mut model = super::model("slider-crank");
    model.runs.player.playing = true;
    let text = comes_back(model);
    assert_eq!(Scene::parse(&text).expect("a scene").window, Some(Default::default()));
}

/// A view that a person has chosen comes back with its middle and its width, also in a window of another size.
#[test]
fn the_view_comes_back() {
    let canvas = |width| Rect::from_min_size(pos2(10.0, 20.0), vec2(width, 400.0));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.json");
    let mut model = super::model("single-pendulum");
    model.lay_out(canvas(600.0));
    model.apply(Intent::Zoom { about: [100.0; 2], factor: 1.7 });
    model.apply(Intent::Pan([31.0, -12.0]));
    model.apply(Command::Save);
    model.apply(Intent::Chosen(path.clone()));
    let mut other = fresh();
    other.apply(Intent::OpenPath(path));
    other.lay_out(canvas(900.0));
    assert_eq!(other.sight.camera.center, model.sight.camera.center);
    assert!((other.sight.camera.scale / model.sight.camera.scale - 1.5).abs() < 1e-12);
}

/// A file that a person writes by hand names the schemes alone.
#[test]
fn a_window_is_written_by_hand() {
    let text = catalogue::find("single-pendulum").expect("a scene").text;
    let window = r#""window": { "panes": true, "paused": true, "slider": "alpha",
        "view": { "center": [0, -0.5], "width": 3 }, "plot": { "tab": "energy", "energy": ["total_energy"], "span": "all" },
        "beside": [ { "settings": { "time_step": 0.002, "stabilizer": { "kind": "baumgarte_velocity", "alpha": 20 } } } ] },"#;
    let model = opened(&text.replacen('{', &format!("{{ {window}"), 1));
    assert_eq!(model.news.refusal, None);
    let fork = &model.comparison().forks()[0];
    assert_eq!((fork.role, fork.run().time_step()), (Role::Beside, 0.002));
    assert_eq!(fork.run().world(), model.run().world());
    assert_eq!(model.shown.plot.energies, std::array::from_fn(|i| i == 2));
    assert_eq!((model.shown.plot.tab, model.shown.plot.span), (Tab::Energy, None));
    assert!(!model.runs.player.playing);
}

fn opened(text: &str) -> Model {
    let mut model = fresh();
    let scene = driftlab::workbench::options::OpenScene {
        title: "x".to_owned(),
        path: None,
        text: text.to_owned(),
    };
    model.apply(Intent::Open(scene));
    model
}

/// What is wrong with the block is said with its path and what was expected, and nothing is opened.
#[test]
fn a_broken_window_is_refused_with_a_word() {
    let text = catalogue::find("single-pendulum").expect("a scene").text;
    for (window, said) in [
        ("{ \"panels\": true }", "window.panels: unknown key (did you mean 'panes'?)"),
        ("{ \"panes\": 1 }", "window.panes: expected true or false"),
        ("{ \"speed\": 0 }", "window.speed: expected a number greater than 0"),
        (
            "{ \"slider\": \"alhpa\" }",
            "window.slider: expected a parameter of a scheme, or h, found 'alhpa'",
        ),
        ("{ \"view\": { \"center\": [0, 0] } }", "window.view.width: this key is missing"),
        ("{ \"plot\": { \"tab\": \"enrgy\" } }", "window.plot.tab: expected a tab: errors, energy"),
        (
            "{ \"watch\": { \"joint\": 99, \"reading\": \"force\" } }",
            "window.watch.joint: expected a number below",
        ),
        ("{ \"watch\": { \"joint\": 0 } }", "window.watch.reading: this key is missing"),
        (
            "{ \"watch\": { \"joint\": 0, \"reading\": \"forse\" } }",
            "window.watch.reading: expected a reading: x",
        ),
        ("{ \"watch\": { \"reading\": \"force\" } }", "window.watch: expected one of body, joint"),
        (
            "{ \"plot\": { \"energy\": [\"heat\"] } }",
            "window.plot.energy[0]: expected a quantity: kinetic_energy",
        ),
        ("{ \"plot\": { \"span\": \"some\" } }", "window.plot.span: expected seconds, or: all"),
        ("{ \"beside\": [ {} ] }", "window.beside[0].settings: this key is missing"),
        (
            "{ \"beside\": [ { \"settings\": { \"time_step\": 0.1, \"stabilizer\": { \"kind\": \"nnoe\" } } } ] }",
            "window.beside[0].settings.stabilizer.kind: ",
        ),
        (
            "{ \"beside\": [ { \"settings\": { \"time_step\": 0.1 }, \"world\": { \"bodies\": [] } } ] }",
            "window.beside[0].world: expected the bodies, joints and springs of the scene",
        ),
        ("{ \"start\": { \"bodies\": [ { \"name\": \"a\" } ] } }", "window.start.bodies[0]"),
    ] {
        let model = opened(&text.replacen('{', &format!("{{ \"window\": {window},"), 1));
        let refusal = model.news.refusal.as_ref().unwrap_or_else(|| panic!("{window} was opened"));
        assert!(
            refusal.problems.iter().any(|own| own.starts_with(said)),
            "{window}: {:?}",
            refusal.problems
        );
        assert_eq!(model.files.title, "six-link-chain");
    }
}

/// Every quantity of a plot has its name in files.
#[test]
fn every_quantity_has_a_name() {
    let counts = QUANTITIES.map(|(_, names)| names.len());
    assert_eq!(counts, [ERRORS.len(), ENERGIES.len(), COUNTS.len()]);
}

/// What is watched comes back, with its reading and what that is plotted over; and everything that can be read has a
/// word in files.
#[test]
fn what_is_watched_comes_back() {
    let watched = |key: &'static str, choose: fn(&World) -> Watchable| {
        let mut model = fresh();
        model.apply(Intent::OpenShipped(key));
        let watched = choose(model.run().world());
        model.apply(Intent::Watch(watched));
        let view = PlotView { tab: Tab::Watch, reading: 2, phase: Some(0), ..PlotView::default() };
        model.apply(Intent::Plot(view));
        for reading in watched.readings(model.run().world()) {
            assert!(READINGS.contains(&reading.key), "{}", reading.key);
        }
        comes_back(model)
    };
    let text = watched("slider-crank", |world| Watchable::Joint(world.joint_ids()[3]));
    assert!(
        text.contains("\"watch\": { \"joint\": 3, \"reading\": \"error\", \"over\": \"travel\" }"),
        "{text}"
    );
    watched("spring-pendulum", |world| Watchable::Spring(world.spring_ids()[0]));
    watched("six-link-chain", |world| Watchable::Joint(world.joint_ids()[2]));
    watched("two-wall-weld", |world| Watchable::Joint(world.joint_ids()[0]));
    watched("box-at-rest", |world| Watchable::Body(world.body_ids()[1]));
    let text =
        watched("box-at-rest", |world| Watchable::Contact([world.body_ids()[0], world.body_ids()[1]]));
    assert!(text.contains("\"contact\": [0, 1]"), "{text}");
    // What the tab was called before.
    let mut model = fresh();
    let scene = catalogue::find("box-at-rest").expect("a scene").text;
    let old = scene.replacen('{', "{ \"window\": { \"plot\": { \"tab\": \"body\" } },", 1);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("old.json");
    fs::write(&path, old).expect("a file");
    model.apply(Intent::OpenPath(path));
    assert_eq!((model.news.refusal.as_ref(), model.shown.plot.tab), (None, Tab::Watch));
}

/// What the canvas shows, runs at equal cost with the steps that they had before, and trajectories beside come back.
#[test]
fn layers_costs_and_trajectories_come_back() {
    let mut model = super::chain();
    let layers = View { grid: false, boxes: true, trails: true, magnification: 100.0, ..model.view };
    model.apply(Intent::View(layers));
    model.apply(Intent::Beside(place("rattle")));
    model.runs.player.playing = true;
    (0..10).for_each(|_| model.advance(1.0 / 60.0));
    model.settle();
    let before = runs(&model)[1].time_step();
    model.apply(Intent::EqualCost(Some(Budget::Seconds(1e-3))));
    assert!(model.comparison().equal_cost().is_some());
    model.runs.player.playing = false;
    let charged = comes_back(model);
    let window = Scene::parse(&charged).expect("a scene").window.expect("a window");
    let layers = window.layers.expect("layers");
    assert!(layers.shown.contains(&"boxes") && !layers.shown.contains(&"grid"));
    assert_eq!((layers.magnify, layers.arrows), (100.0, 1.0));
    let cost = window.equal_cost.expect("runs at equal cost");
    assert_eq!(cost.before[1], before);
    let mut other = fresh();
    other.apply(Intent::Open(OpenScene { title: "cost".to_owned(), path: None, text: charged }));
    assert!(other.view.boxes && !other.view.grid);
    other.apply(Intent::EqualCost(None));
    assert_eq!(runs(&other)[1].time_step(), before, "the step returns to what it was");

    let folder = tempfile::tempdir().expect("a folder");
    let [table, elsewhere] = ["other.csv", "deeper/other.csv"].map(|name| folder.path().join(name));
    fs::create_dir(folder.path().join("deeper")).expect("a folder");
    let poses = trace(0.2, 4);
    [&table, &elsewhere].into_iter().for_each(|path| fs::write(path, &poses).expect("a file"));
    for (path, named) in [(&table, "other.csv"), (&elsewhere, "deeper/other.csv")] {
        let scene = folder.path().join("scene.json");
        let mut model = super::model(KEY);
        model.apply(Command::SaveAs);
        model.apply(Intent::Chosen(scene.clone()));
        model.apply(Intent::OpenPath(path.clone()));
        assert_eq!(model.comparison().forks().len(), 1, "{:?}", model.news.refusal);
        assert!(model.is_unsaved());
        model.apply(Command::Save);
        let text = fs::read_to_string(&scene).expect("a file");
        let window = Scene::parse(&text).expect("a scene").window.expect("a window");
        assert_eq!(window.trajectories, [named]);
        let mut other = fresh();
        other.apply(Intent::OpenPath(scene.clone()));
        let [fork] = other.comparison().forks() else { panic!("{:?}", other.news.refusal) };
        assert_eq!(
            (fork.role, fork.run().played().map(|own| own.title.as_str())),
            (Role::Trajectory, Some("other.csv"))
        );
        assert!(!other.is_unsaved());
    }
    fs::remove_file(&elsewhere).expect("a file");
    let mut other = fresh();
    other.apply(Intent::OpenPath(folder.path().join("scene.json")));
    assert!(other.comparison().forks().is_empty());
    let toast = other.news.toast.as_ref().map_or("", |toast| &toast.text);
    assert!(toast.contains("other.csv is not there"), "{toast}");
}

/// A trajectory that a scene names outside of its folder, perhaps on another machine, is not opened unasked; a pipe is
/// not waited for.
#[test]
fn a_scene_opens_no_file_elsewhere_unasked() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("scenes");
    fs::create_dir(&inner).expect("a folder");
    let poses = folder.path().join("other.csv");
    fs::write(&poses, trace(0.2, 4)).expect("a file");
    let pipe = Process::new("mkfifo").arg(inner.join("pipe.csv")).status().expect("mkfifo");
    assert!(pipe.success());
    let whole = poses.to_str().expect("a path").to_owned();
    for (named, said) in [
        (whole.as_str(), "lies elsewhere"),
        ("../other.csv", "lies elsewhere"),
        ("//server/share/other.csv", "lies elsewhere"),
        ("pipe.csv", "a pipe (expected a file)"),
    ] {
        let window = serde_json::json!({ "trajectories": [named] });
        let text = catalogue::find(KEY).expect("a scene").text;
        let path = inner.join("scene.json");
        fs::write(&path, text.replacen('{', &format!("{{ \"window\": {window},"), 1)).expect("a file");
        let mut model = fresh();
        model.apply(Intent::OpenPath(path));
        assert_eq!((model.news.refusal.as_ref(), model.comparison().forks().len()), (None, 0), "{named}");
        let toast = model.news.toast.as_ref().map_or("", |toast| &toast.text);
        assert!(toast.contains(said), "{named}: {toast}");
    }
}

/// A run beside is the scene's own world in another state: one with another gravity or other masses is refused, with
/// the key, and so is a start that is later than the state.
#[test]
fn a_run_beside_is_of_the_same_world() {
    let mut model = super::model("six-link-chain");
    model.apply(Intent::Beside(place("rattle")));
    model.runs.player.playing = true;
    (0..10).for_each(|_| model.advance(1.0 / 60.0));
    model.runs.player.playing = false;
    let text = comes_back(model);
    let changed = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut scene = serde_json::from_str(&text).expect("JSON");
        change(&mut scene);
        Scene::parse(&scene.to_string()).map(|_| ()).map_err(|problems| problems[0].to_string())
    };
    let world = |scene: &mut serde_json::Value| scene["window"]["beside"][0]["world"].take();
    assert_eq!(changed(&|_| ()), Ok(()));
    for (key, to, said) in [
        ("/gravity", "[0, 50]", "gravity[1] = -9.81, found 50"),
        ("/bodies/3/density", "1e6", "bodies[3].density = 1000.0, found 1000000.0"),
        ("/bodies/2/shapes/0/size", "[0.1, 0.03]", "bodies[2].shapes[0].size[1] = 0.02, found 0.03"),
        ("/joints/1/anchor_a", "[0.06, 0]", "joints[1].anchor_a[0]"),
    ] {
        let refused = changed(&|scene| {
            let mut own = world(scene);
            *own.pointer_mut(key).expect("a key") = serde_json::from_str(to).expect("JSON");
            scene["window"]["beside"][0]["world"] = own;
        });
        let refused = refused.expect_err(key);
        assert!(refused.starts_with("window.beside[0].world: ") && refused.contains(said), "{refused}");
    }
    let moved = changed(&|scene| {
        let mut own = world(scene);
        own["bodies"][3]["position"] = serde_json::json!([0.2, -0.01]);
        own["bodies"][3]["velocity"] = serde_json::json!([0.0, 0.3]);
        scene["window"]["beside"][0]["world"] = own;
    });
    assert_eq!(moved, Ok(()), "a state is not the world");
    let late = changed(&|scene| {
        let mut start = scene["window"]["start"].take();
        start["state"] = serde_json::json!({ "time": 1e3, "steps": 1_000_000 });
        scene["window"]["start"] = start;
    });
    let late = late.expect_err("a late start");
    assert!(late.starts_with("window.start: expected a time of at most the scene's"), "{late}");
}
