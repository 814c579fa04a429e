//! Links: what one says is what opens, to the bit, and what is wrong with one is said.

use super::drawn::texts;
use super::panels::window;
use driftlab::method::{Effort, Integrator, Level, Stabilizer};
use driftlab::model::World;
use driftlab::parameter::{Parameter, ParameterKind};
use driftlab::schemes::TABLE;
use driftlab::step::{Workspace, step};
use driftlab::workbench::command::Command;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::link::{KEYS, Key, Link, Stepped, Subject, acts, table};
use driftlab::workbench::model::{Model, Request};
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::runs::player::Player;
use driftlab::workbench::stage::pointer::Button;
use driftlab::workbench::view_state::layers::View;
use driftlab::workbench::view_state::plot_view::{PlotView, Tab};
use driftlab::workbench::watched::Watchable;
use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::accesskit::Role;
use egui_macroquad::egui::{Event, pos2, vec2};
use proptest::prelude::*;

/// Length of a frame, s.
const FRAME: f64 = 1.0 / 60.0;

fn frames(model: &mut Model, count: usize) {
    (0..count).for_each(|_| model.advance(FRAME));
}

/// A fresh window in which that link was opened and has reached its time.
fn opened(link: &str) -> Model {
    let mut model = Model::new(None, Player::new(true), super::within_frame()).expect("a model");
    model.apply(Intent::OpenLink(link.to_owned()));
    assert_eq!(model.news.refusal, None, "{link}");
    let mut left = 10_000;
    while model.is_going_to_a_time() && left > 0 {
        model.advance(FRAME);
        left -= 1;
    }
    assert!(left > 0, "{link}: its time is never reached");
    model
}

fn worlds(model: &Model) -> Vec<World> {
    let forks = model.comparison().forks().iter().map(|fork| fork.run().world().clone());
    std::iter::once(model.run().world().clone()).chain(forks).collect()
}

/// A reader of a link sees what its writer saw: scene, schemes, parameters, steps, and every state bit for bit, also 30
/// frames later.
#[track_caller]
fn leads_back(mut model: Model) -> Link {
    model.settle();
    let link = model.link();
    let mut other = opened(&link.to_string());
    let told = |model: &Model| {
        let forks = model.comparison().forks().iter().map(|fork| fork.run());
        let runs = std::iter::once(model.run()).chain(forks);
        let of = runs.map(|run| (run.method().stabilizer.clone(), run.method().level, run.time_step()));
        let runs: Vec<_> = of.collect();
        let shown = (model.shown.plot.clone(), model.watched(), model.view);
        (runs, model.sight.arrangement, model.runs.player.playing, model.runs.player.speed, shown)
    };
    assert_eq!(told(&model), told(&other));
    assert_eq!(worlds(&model), worlds(&other));
    (model.runs.player.playing, other.runs.player.playing) = (true, true);
    for window in [&mut model, &mut other] {
        // Both from the same fraction of a step.
        window.runs.player.playing = false;
        window.advance(0.0);
        for _ in 0..30 {
            window.apply(Command::StepForward);
        }
    }
    assert_eq!(worlds(&model), worlds(&other));
    link
}

/// The example of the documentation opens what it says.
#[test]
fn a_link_opens_the_state_that_it_describes() {
    let model = opened(
        "https://example.org/lab/?x#scene=six-link-chain&beside=none,post_stabilization&h=0.002&t=1.5&alpha=50",
    );
    assert_eq!(model.files.title, "six-link-chain");
    assert_eq!(model.run().time_step(), 0.002);
    assert_eq!(model.run().world().steps(), 750);
    assert_eq!(model.run().method().stabilizer.values.get("alpha"), Some(50.0));
    let beside: Vec<_> = model.comparison().forks().iter().map(|fork| fork.run()).collect();
    assert_eq!(beside.len(), 2);
    for (run, key) in beside.into_iter().zip(["none", "post_stabilization"]) {
        assert_eq!(run.method().stabilizer.info().key, key);
        assert_eq!(run.world().steps(), 750, "{key} is at the same time");
    }
    assert!(!model.runs.player.playing, "a link with a time pauses there");
}

/// A link that has said nothing leaves the first screen as it is.
#[test]
fn an_empty_link_is_the_first_screen() {
    for text in ["", "#", "https://example.org/lab/"] {
        assert!(opened(text).invitation().is_some(), "{text}");
    }
}

/// The first screen's own link opens the first screen's runs; after some time it names that time instead of carrying the world.
#[test]
fn the_first_screen_leads_back() {
    let mut model = Model::new(None, Player::new(true), super::within_frame()).expect("a model");
    assert_eq!(
        leads_back(Model::new(None, Player::new(true), super::within_frame()).expect("a model"))
            .to_string(),
        "#scene=six-link-chain&stabilizer=none&beside=post_stabilization&panes"
    );
    frames(&mut model, 40);
    model.runs.player.playing = false;
    let link = leads_back(model);
    assert_eq!(link.subject, Some(Subject::Shipped("six-link-chain".to_owned())));
    assert!(link.t.is_some_and(|t| t > 0.5));
}

/// Parameters, level, integrator, solver and step that differ from the scene's are said, others are not.
#[test]
fn changed_settings_lead_back() {
    let mut model = super::model("double-pendulum");
    let place = |key: &str| TABLE.iter().position(|scheme| scheme.info().key == key).expect("a scheme");
    model.apply(Intent::Set(Setting::Scheme(place("baumgarte_acceleration"))));
    let mut stabilizer = model.run().method().stabilizer.clone();
    stabilizer.values.set("alpha", 1.0 / 3.0).expect("a value");
    model.apply(Intent::Set(Setting::Stabilizer(stabilizer)));
    model.apply(Intent::Set(Setting::Level(Level::Acceleration)));
    model.apply(Intent::Set(Setting::Integrator(Integrator::Rk4)));
    model.apply(Intent::Set(Setting::TimeStep(1.0 / 960.0)));
    let solver = driftlab::scene::solver_from("pgs,iterations=77").expect("a solver");
    model.apply(Intent::Set(Setting::Solver(solver.clone())));
    model.apply(Intent::Beside(place("rattle")));
    model.apply(Intent::Speed(0.25));
    let link = leads_back(model);
    assert!(matches!(link.subject, Some(Subject::Shipped(_))), "{link}");
    assert_eq!(opened(&link.to_string()).run().method().solver, solver);
}

/// A state that a person has made by hand travels whole.
#[test]
fn a_touched_world_travels_in_the_link() {
    let mut model = super::chain();
    frames(&mut model, 10);
    let at = model.run().world().bodies()[3].pose.position;
    model.apply(Intent::Press { button: Button::Left, at, reach: 0.01 });
    model.apply(Intent::Drag(at + driftlab::glam::DVec2::new(0.2, 0.1)));
    frames(&mut model, 10);
    model.apply(Intent::Release);
    frames(&mut model, 10);
    model.runs.player.playing = false;
    let link = leads_back(model);
    assert!(matches!(link.subject, Some(Subject::File(_))) && link.t.is_none());
}

/// A scheme that was changed on the way is not the scene's from its start: the present world travels.
#[test]
fn a_run_under_two_schemes_travels_whole() {
    let mut model = super::chain();
    frames(&mut model, 20);
    model.apply(Command::Scheme(0));
    frames(&mut model, 20);
    model.runs.player.playing = false;
    assert!(matches!(leads_back(model).subject, Some(Subject::File(_))));
}

/// A shipped scene in which nobody has acted is named by its key, and opens to the same bits after some steps: joints,
/// contacts, friction, and a state without a solution.
#[test]
fn shipped_scenes_lead_back_by_their_keys() {
    for key in ["box-at-rest", "painleve-rod", "rolling-disk", "single-pendulum", "block-on-incline"] {
        let mut model = super::model(key);
        for _ in 0..20 {
            model.apply(Command::StepForward);
        }
        let link = leads_back(model);
        assert_eq!(link.subject, Some(Subject::Shipped(key.to_owned())), "{link}");
    }
}

/// What is wrong with a link is said: which key, what was expected, what was probably meant; the running world stays.
#[test]
fn broken_links_are_refused_with_a_word() {
    for (link, said) in [
        ("#scene=six-link-chian", "did you mean 'six-link-chain'?"),
        ("#scnee=six-link-chain", "unknown key 'scnee' (did you mean 'scene'?)"),
        ("#scene", "scene: expected a value after '='"),
        ("#h=0", "h = '0': expected a time step greater than 0, s"),
        ("#h=fast", "h = 'fast': expected a time step greater than 0, s"),
        ("#h=NaN", "h = 'NaN': expected a time step greater than 0, s"),
        ("#t=-1", "t = '-1': expected a time of at least 0, s"),
        ("#t=1e9", "t = 1000000000: more than 1000000 steps of"),
        ("#h=0.1&h=0.2", "'h' is given twice"),
        ("#speed=0", "speed = '0': expected a number greater than 0"),
        ("#stabilizer=postabilization", "did you mean 'post_stabilization'?"),
        ("#stabilizer=none&alpha=50", "unknown parameter 'alpha' (expected no parameters)"),
        ("#alpha=-50", "alpha = -50 is out of range"),
        ("#stabilizer=none&level=momentum", "level = 'momentum': expected"),
        ("#stabilizer=rattle&level=acceleration", "level: 'rattle' does not exist at level acceleration"),
        ("#stabilizer=none&level=velocity&integrator=rk4", "an integrator acts at the acceleration level"),
        ("#effort=high", "effort = 'high': expected exact or bounded"),
        ("#solver=lemke&effort=bounded", "effort: only the effort of the solver 'auto' can be bounded"),
        ("#solver=magic", "solver: unknown solver 'magic'"),
        ("#beside=nnoe", "beside: unknown stabilizer 'nnoe'"),
        ("#beside=alpha=3", "expected a scheme first"),
        ("#beside=none,t=3", "beside: unknown key 't'"),
        ("#beside=none,none,none,none,none,none", "6 runs (expected at most 5)"),
        ("#paused&play", "play and paused: expected only one of them"),
        ("#paused=maybe", "paused = 'maybe': expected no value"),
        ("#slider=alhpa", "did you mean 'alpha'?"),
        ("#scene=six-link-chain&file=AAAA", "scene and file: expected only one of them"),
        ("#file=!", "file: not base64url"),
        ("#file=AAAA", "file: "),
        ("#scene=%FF", "is not UTF-8"),
        (
            "#window={\"watch\":{\"joint\":99,\"reading\":\"force\"}}",
            "window.watch.joint: expected a number below",
        ),
        ("#window={", "window: "),
    ] {
        let mut model = super::model("single-pendulum");
        let before = model.run().world().clone();
        model.apply(Intent::OpenLink(link.to_owned()));
        let refusal = model.news.refusal.as_ref().unwrap_or_else(|| panic!("{link} was opened"));
        assert!(
            refusal.problems.iter().any(|problem| problem.contains(said)),
            "{link}: {:?}",
            refusal.problems
        );
        assert_eq!(
            (model.files.title.as_str(), model.run().world()),
            ("single-pendulum", &before),
            "{link}"
        );
    }
}

/// A link says all that is wrong with it at once.
#[test]
fn a_broken_link_names_every_fault() {
    let problems = Link::parse("#scene=six-link-chian&h=0&t=x&colour=red").expect_err("four faults");
    assert_eq!(problems.len(), 4, "{problems:?}");
}

/// Scenes with letters beyond ASCII and with signs that addresses use for themselves travel unharmed.
#[test]
fn names_of_any_letters_travel() {
    let text = driftlab::scene::catalogue::find("single-pendulum").expect("a scene").text;
    let mut scene = driftlab::scene::Scene::parse(text).expect("a scene");
    scene.name = "Käfig & Feder #1 = 50 % → ∞".to_owned();
    let link = Link { subject: Some(Subject::File(scene.to_json())), ..Link::default() };
    let address = format!("https://example.org/#{}", link.to_string().trim_start_matches('#'));
    assert_eq!(Link::parse(&address), Ok(link));
    assert_eq!(opened(&address).run().scene.name, scene.name);
    let typed = "#scene=%73ix%2Dlink%2Dchain";
    assert_eq!(
        Link::parse(typed).expect("a link").subject,
        Some(Subject::Shipped("six-link-chain".to_owned()))
    );
}

/// Every line of the table is true: its example opens. No parameter of a scheme is hidden behind a key of the table, and the
/// documentation has the table as it is.
#[test]
fn the_table_of_keys_is_true() {
    for Key { key, example, .. } in KEYS.iter().filter(|own| own.key != "file") {
        let scene = if *key == "scene" { "" } else { "scene=double-pendulum&" };
        let scheme =
            if *key == "slider" || example.contains("stabilizer") { "" } else { "stabilizer=none&" };
        let link = Link::parse(&format!("#{scene}{scheme}{example}"));
        let link = link.unwrap_or_else(|problems| panic!("{example}: {problems:?}"));
        assert!(link.open(5).is_ok(), "{example}: {:?}", link.open(5));
    }
    for scheme in TABLE {
        for parameter in scheme.info().parameters {
            assert!(KEYS.iter().all(|own| own.key != parameter.key), "{}", parameter.key);
        }
    }
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/WEB.md")).expect("a page");
    assert!(page.contains(&table()), "docs/WEB.md needs this table:\n{}", table());
}

/// Copying gives the address of the state with the base that was set, and pasting it opens that state.
#[test]
fn a_copied_link_can_be_pasted() {
    let mut model = super::chain();
    model.files.link_base = Some("https://example.org/lab/".to_owned());
    model.apply(Command::Scheme(3));
    model.apply(Command::CopyLink);
    let Some(Request::Copy(address)) = model.news.requests.pop() else { panic!("nothing was copied") };
    assert!(address.starts_with("https://example.org/lab/#scene=six-link-chain"), "{address}");
    let scheme = model.run().method().stabilizer.clone();
    let mut harness = window(super::model("single-pendulum"));
    harness.input_mut().events.push(Event::Paste(address));
    harness.run_steps(2);
    assert_eq!(harness.state().files.title, "six-link-chain");
    assert_eq!(harness.state().run().method().stabilizer, scheme);
    // A scene's own text can be pasted as well.
    let text = driftlab::scene::catalogue::find("rolling-disk").expect("a scene").text;
    harness.input_mut().events.push(Event::Paste(text.to_owned()));
    harness.run_steps(2);
    assert_eq!(harness.state().files.title, "pasted scene");
    harness.get_by_label("Share").click();
    harness.run_steps(2);
    harness.get_by_label("Copy a link").click();
    harness.run_steps(2);
    assert!(matches!(harness.state().news.requests.last(), Some(Request::Copy(_))));
}

/// Without any option a copied link is an address that a browser opens: that of the page in Cargo.toml. A person can
/// set another one, which the next start remembers; what is no address is refused with a word.
#[test]
fn a_copied_link_is_an_address() {
    let manifest =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).expect("a file");
    let table = manifest.split("[package.metadata.page]").nth(1).expect("the table");
    let page = table.split('"').nth(1).expect("an address");
    assert!(page.starts_with("https://") && page.ends_with("/sandbox.html"), "{page}");
    let mut model = super::chain();
    assert_eq!(model.address(), format!("{page}{}", model.link()));
    model.apply(Intent::Page("https://example.org/lab/".to_owned()));
    assert!(model.address().starts_with("https://example.org/lab/#scene=six-link-chain"));
    let settings =
        driftlab::workbench::settings::Settings::parse(&model.settings().to_json()).expect("settings");
    let mut other = super::chain();
    other.remember(&settings);
    assert_eq!(other.address(), model.address());
    other.apply(Intent::Page("example.org".to_owned()));
    assert!(other.news.toast.as_ref().is_some_and(|toast| toast.text.contains("expected an address")));
    assert_eq!(other.address(), model.address());
    other.apply(Intent::Page(String::new()));
    assert!(other.address().starts_with(page));
    assert!(driftlab::workbench::settings::Settings::parse("{\"page\": \"lab\"}").is_err());
}

/// What is watched, over what, and which tab and layers show it travel in a link, of a shipped scene and of a touched one.
#[test]
fn what_is_watched_travels() {
    for touched in [false, true] {
        let mut model = super::model("slider-crank");
        model.apply(Command::StepForward);
        if touched {
            let at = model.run().world().bodies()[1].pose.position;
            model.apply(Intent::Press { button: Button::Left, at, reach: 0.01 });
            model.apply(Intent::Drag(at + driftlab::glam::DVec2::new(0.01, 0.02)));
            model.apply(Intent::Release);
        }
        let joint = model.run().world().joint_ids()[3];
        model.apply(Intent::Watch(Watchable::Joint(joint)));
        let plot = PlotView { tab: Tab::Watch, reading: 2, phase: Some(0), ..PlotView::default() };
        model.apply(Intent::Plot(plot));
        let view = View { trails: true, magnification: 10.0, ..model.view };
        model.apply(Intent::View(view));
        let link = leads_back(model);
        assert_eq!(matches!(link.subject, Some(Subject::File(_))), touched, "{link}");
    }
    // As a person writes it.
    let model =
        opened("#scene=six-link-chain&window={\"watch\":{\"joint\":1,\"reading\":\"force\"}}&paused");
    assert_eq!(model.watched(), Some(Watchable::Joint(model.run().world().joint_ids()[1])));
}

/// A person who acts while a link runs to its time takes over.
#[test]
fn a_person_can_stop_on_the_way() {
    let mut model = super::model("single-pendulum");
    model.apply(Intent::OpenLink("#scene=six-link-chain&t=100".to_owned()));
    frames(&mut model, 3);
    assert!(model.is_going_to_a_time() && model.run().world().steps() > 0);
    model.apply(Command::Restart);
    frames(&mut model, 3);
    assert!(!model.is_going_to_a_time());
    assert_eq!(model.run().world().steps(), 0);
}

/// An embedded window has one slider, of the run that has the parameter that the link names, and plays on a click.
#[test]
fn an_embedded_window_has_one_slider() {
    let mut model =
        opened("#scene=six-link-chain&stabilizer=none&beside=baumgarte_velocity&slider=alpha&paused");
    model.embed();
    let mut harness = window(model);
    let sliders = harness.query_all_by_role(Role::Slider).count();
    assert_eq!(sliders, 1);
    harness.get_by_label("Play").click();
    harness.run_steps(2);
    assert!(harness.state().runs.player.playing);
    let alpha = |model: &Model| model.comparison().forks()[0].run().method().stabilizer.values.get("alpha");
    let before = alpha(harness.state());
    let place = harness.query_all_by_role(Role::Slider).next().and_then(|knob| knob.bounding_box());
    let place = place.expect("a place");
    let middle = pos2(0.5 * (place.x0 + place.x1) as f32, 0.5 * (place.y0 + place.y1) as f32);
    super::panels::drag_to(&mut harness, middle, middle + vec2(40.0, 0.0));
    assert_ne!(alpha(harness.state()), before);
}

/// Steps that are tried of a world, long enough for a body to land or a joint to be stretched.
const TRIED: usize = 120;

/// The poses after some steps with a stabilizer, as bits.
fn poses(world: &World, stabilizer: &Stabilizer, h: f64) -> Vec<[u64; 3]> {
    let (mut world, mut workspace) = (world.clone(), Workspace::default());
    let method = driftlab::method::Method::new(stabilizer.clone());
    for _ in 0..TRIED {
        if step(&mut world, &method, h, &mut workspace).is_err() {
            break;
        }
    }
    let bits = |body: &driftlab::model::Body| {
        let driftlab::model::Pose { position, angle } = body.pose;
        [position.x, position.y, angle].map(f64::to_bits)
    };
    world.bodies().iter().map(bits).collect()
}

/// A parameter for which the window says that it does nothing in a scene changes no bit of its motion, anywhere in its
/// range: tried for all parameters of all schemes on a chain in the air and on loose boxes that lie on each other.
#[test]
fn what_acts_on_nothing_changes_nothing() {
    let mut idle = Vec::new();
    for key in ["six-link-chain", "overlap-recovery"] {
        let scene = super::scene(key);
        for scheme in TABLE.iter().copied() {
            for parameter in scheme.info().parameters {
                if acts(parameter, &scene.world) {
                    continue;
                }
                idle.push((key, parameter.key));
                let at = |value: f64| {
                    let mut stabilizer = Stabilizer::from(scheme);
                    stabilizer.values.set(parameter.key, value).expect("within the range");
                    poses(&scene.world, &stabilizer, scene.settings.time_step)
                };
                let default = at(parameter.default);
                let last = if let ParameterKind::Choice(words) = parameter.kind {
                    words.len() as f64 - 1.0
                } else {
                    parameter.maximum
                };
                for value in [parameter.minimum, last] {
                    assert!(
                        at(value) == default,
                        "{}'s {} acts on {key}",
                        scheme.info().key,
                        parameter.key
                    );
                }
            }
        }
    }
    let known = [
        ("six-link-chain", "contact_hertz"),
        ("six-link-chain", "warm_start"),
        ("overlap-recovery", "hertz"),
    ];
    assert!(known.iter().all(|known| idle.contains(known)), "{idle:?}");
}

/// An embedded window shows only a slider that acts on its scene: of a scheme whose first parameter is the stiffness of
/// joints, boxes get that of contacts; and a link that asks for a slider which moves nothing opens nothing.
#[test]
fn an_embedded_slider_acts_on_its_scene() {
    for (link, shown) in [
        ("#scene=overlap-recovery&stabilizer=soft&paused", "substeps"),
        ("#scene=overlap-recovery&stabilizer=xpbd&paused", "substeps"),
        ("#scene=six-link-chain&stabilizer=soft&slider=hertz&paused", "frequency"),
        (
            "#scene=overlap-recovery&stabilizer=none&beside=soft&slider=contact_hertz&paused",
            "contact frequency",
        ),
    ] {
        let mut model = opened(link);
        model.embed();
        let harness = window(model);
        let named = texts(&harness).iter().any(|text| text.text.contains(shown));
        assert!(
            harness.query_all_by_role(Role::Slider).count() == 1 && named,
            "{link}: no slider of {shown}"
        );
    }
    for link in [
        "#scene=overlap-recovery&stabilizer=soft&slider=hertz",
        "#scene=six-link-chain&stabilizer=soft&slider=contact_hertz",
        "#scene=six-link-chain&stabilizer=none&slider=alpha",
    ] {
        let refused = Link::parse(link).and_then(|link| link.open(5)).expect_err(link);
        assert!(
            refused.iter().any(|problem| problem.contains("acts on nothing here")),
            "{link}: {refused:?}"
        );
    }
}

/// A number between the ends of a parameter's range, with all of its bits.
fn value(parameter: &'static Parameter) -> impl Strategy<Value = f64> {
    let low = parameter.minimum.max(-1e12);
    let high = parameter.maximum.min(1e12);
    (0.0..1.0f64).prop_map(move |share| match parameter.kind {
        ParameterKind::Choice(words) => (share * words.len() as f64).floor(),
        ParameterKind::Integer => (low + share * (high - low)).floor(),
        _ if low > 0.0 => (low * (high / low).powf(share)).clamp(low, high),
        _ => (low + share.powi(9) * (high - low)).clamp(low, high),
    })
}

fn stabilizers() -> impl Strategy<Value = Stabilizer> {
    (0..TABLE.len()).prop_flat_map(|place| {
        let parameters = TABLE[place].info().parameters;
        let values: Vec<_> = parameters.iter().map(value).collect();
        values.prop_map(move |values| {
            let mut stabilizer = Stabilizer::from(TABLE[place]);
            for (parameter, value) in parameters.iter().zip(values) {
                stabilizer.values.set(parameter.key, value).expect("within the range");
            }
            stabilizer
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Parameters and steps of any size travel to the bit.
    #[test]
    fn every_scheme_and_step_travels_to_the_bit(
        main in stabilizers(), other in stabilizers(), h in 1e-9..1.0f64, own in 1e-9..1.0f64, play in any::<bool>()
    ) {
        let scene = driftlab::scene::catalogue::find("single-pendulum").expect("a scene").scene().expect("a scene");
        let base = &scene.settings.method;
        let method = |stabilizer| driftlab::method::Method::new(stabilizer);
        let (main, other) = (method(main), method(other));
        let link = Link {
            main: Stepped::of(&main, h, base, scene.settings.time_step, false),
            beside: vec![Stepped::of(&other, own, &main, h, true)],
            subject: Some(Subject::Shipped("single-pendulum".to_owned())),
            playing: Some(play),
            ..Link::default()
        };
        let read = Link::parse(&link.to_string());
        prop_assert_eq!(read.as_ref(), Ok(&link));
        let opened = read.and_then(|link| link.open(5));
        let opened = opened.map_err(|problems| TestCaseError::fail(format!("{link}: {problems:?}")))?;
        let window = opened.scene.window.unwrap_or_default();
        let beside = &window.beside[0].settings;
        for ((method, h), (wanted, wanted_h)) in
            [((&opened.main.0, opened.main.1), (&main, h)), ((&beside.method, beside.time_step), (&other, own))]
        {
            prop_assert_eq!(h.to_bits(), wanted_h.to_bits());
            prop_assert_eq!(&method.stabilizer, &wanted.stabilizer);
            prop_assert_eq!(method.level, wanted.level);
            let bits = |s: &Stabilizer| s.values.numbers().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&method.stabilizer), bits(&wanted.stabilizer));
        }
    }

    /// Whatever a link says, its text says as well.
    #[test]
    fn what_a_link_says_is_read_again(
        place in any::<proptest::sample::Index>(), text in ".{0,60}", is_file in any::<bool>(),
        numbers in (proptest::num::f64::POSITIVE, proptest::num::f64::POSITIVE, proptest::num::f64::POSITIVE),
        flags in (any::<Option<bool>>(), any::<bool>()),
        effort in proptest::option::of(proptest::sample::select(&Effort::ALL[..])), slider in proptest::option::of("[a-z_]{1,9}"),
    ) {
        prop_assume!([numbers.0, numbers.1, numbers.2].iter().all(|x| *x > 0.0 && x.is_finite()));
        let scenes = driftlab::scene::catalogue::entries();
        let shipped = &scenes[place.index(scenes.len())];
        let subject = if is_file { Subject::File(text) } else { Subject::Shipped(shipped.key.to_owned()) };
        let main = Stepped { h: Some(numbers.0), level: Some(Level::Acceleration), ..Stepped::default() };
        let link = Link {
            subject: Some(subject), main, t: Some(numbers.1), speed: Some(numbers.2),
            playing: flags.0, panes: flags.1, effort, slider, ..Link::default()
        };
        prop_assert_eq!(Link::parse(&link.to_string()), Ok(link));
    }
}
