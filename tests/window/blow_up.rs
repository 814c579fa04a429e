//! A scheme beyond its stability limit: the window stops the run while there is something to see, and offers a way out.

use super::comparison::place;
use driftlab::method::{Integrator, Method};
use driftlab::scene::stabilizer_from;
use driftlab::step::Workspace;
use driftlab::step::step;
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::edit::Edit;
use driftlab::workbench::editor::item::Item;
use driftlab::workbench::editor::{Act, EditorIntent};
use driftlab::workbench::engine::Stepping;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::Model;
use driftlab::workbench::options::OpenScene;
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::runs::player::Player;
use driftlab::workbench::runs::remedy::{Cure, FailedRun, Remedy, cure};
use egui_kittest::kittest::Queryable;
use glam::DVec2;

/// One frame of a window, s.
const FRAME: f64 = 1.0 / 60.0;
/// Length of the six-link chain, m.
const CHAIN: f64 = 0.6;

fn set(model: &mut Model, text: &str) {
    let stabilizer = stabilizer_from(text, model.run().time_step()).expect("a scheme");
    model.apply(Setting::Stabilizer(stabilizer));
}

/// Frames until the player stops, or `most`; returns how many were drawn.
fn play(model: &mut Model, most: usize) -> usize {
    // Nobody looks at the stability map, which is then not computed.
    let looks = std::mem::replace(&mut model.layout.panel_open, false);
    let played = (0..most)
        .take_while(|_| {
            model.advance(FRAME);
            model.settle();
            model.runs.player.playing
        })
        .count();
    model.layout.panel_open = looks;
    played
}

/// Half a second of the chain under Baumgarte's scheme, then α = 3000 1/s at h = 1 ms, until the run stops.
fn overdone() -> Model {
    let mut model = super::mapped("six-link-chain");
    model.runs.player.playing = true;
    set(&mut model, "baumgarte_velocity,alpha=50");
    play(&mut model, 30);
    set(&mut model, "baumgarte_velocity,alpha=3000");
    let frames = play(&mut model, 120);
    assert!(frames < 20, "stopped after {frames} frames");
    model
}

fn reach(model: &Model) -> f64 {
    let bodies = model.run().world().bodies();
    bodies.iter().map(|body| body.pose.position.length()).fold(0.0, f64::max)
}

/// An error that doubles in every step is stopped at a state that can be seen: torn, but within a chain's length of the picture.
/// The figures end there, too.
#[test]
fn a_run_that_blows_up_stops_in_sight() {
    let model = overdone();
    let failure = model.run().failure().expect("a failure");
    assert!(failure.text.contains("αh = 3"), "{}", failure.text);
    let error = model.run().report().joint_error;
    assert!((1e-3..0.6 * CHAIN).contains(&error), "shown is an error of {error} m");
    assert!(reach(&model) < 3.0 * CHAIN, "a body is {} m away", reach(&model));
    let [_, end] = model.run().history().span().expect("a record");
    assert_eq!(end, model.run().world().time());
    assert!(!model.is_busy());
}

/// What a person has made of a run stands, however far apart it is and however soon it blows up: the steps before the
/// edit lead elsewhere.
#[test]
fn a_run_that_blows_up_goes_back_no_further_than_to_an_edit() {
    let mut model = super::chain();
    play(&mut model, 30);
    let last = *model.run().world().body_ids().last().expect("a body");
    model.apply(Intent::Editor(EditorIntent::Edit(Edit::Move(
        vec![Item::Body(last)],
        3.0 * CHAIN * DVec2::X,
    ))));
    let edited = model.run().world().clone();
    set(&mut model, "baumgarte_velocity,alpha=1e6");
    model.runs.player.playing = true;
    play(&mut model, 120);
    assert!(model.run().failure().is_some());
    assert_eq!(model.run().world(), &edited);
}

/// In a thread, too, and when a step fails before the error has been seen: the steps under way are given up.
#[test]
fn a_thread_is_stopped_in_sight() {
    let mut model = super::stepped("six-link-chain", Stepping::threaded());
    set(&mut model, "baumgarte_velocity,alpha=1e6");
    model.runs.player.playing = true;
    super::frames_until(&mut model, |model| !model.runs.player.playing);
    assert!(model.run().failure().is_some());
    assert!(reach(&model) < 3.0 * CHAIN);
}

/// Where the energy leaves what the scene can exchange while no joint has an error, the run stops as well, and the card
/// says by what. A kilogram on a spring of 5 Hz, released 1 m from rest under explicit Euler: every step multiplies its
/// energy by 1 + h²ω², so that ½ k x² has grown 10⁶-fold after ln 10⁶/ln(1 + h²ω²) = 3,507 steps.
#[test]
fn a_run_stops_by_its_energy_as_well() {
    let (h, omega) = (2e-3, std::f64::consts::TAU * 5.0);
    let text = serde_json::json!({ "format": "driftlab-scene/1", "name": "spring", "gravity": [0, 0],
        "settings": { "time_step": h, "stabilizer": { "kind": "none" }, "level": "acceleration", "integrator": "explicit_euler" },
        "bodies": [{ "name": "wall", "type": "fixed", "position": [0, 0] },
            { "name": "bob", "position": [2, 0], "mass": 1, "inertia": 1 }],
        "springs": [{ "bodies": ["wall", "bob"], "anchors": [[0, 0], [2, 0]], "stiffness": omega * omega, "damping": 0, "rest_length": 1 }] });
    let scene = OpenScene { title: "spring".to_owned(), path: None, text: text.to_string() };
    let mut model = Model::new(Some(scene), Player::new(false), super::within_frame()).expect("a model");
    model.runs.player.playing = true;
    let frames = play(&mut model, 1200);
    assert!(frames < 1200, "it plays on at {} s", model.run().world().time());
    let failure = model.run().failure().expect("a failure");
    assert!(failure.text.contains("The energy changed by more than 10⁶ times"), "{}", failure.text);
    assert_eq!(model.run().report().joint_error, 0.0);
    let grown = model.run().report().total_energy() / (0.5 * omega * omega);
    assert!((1.0..1e8).contains(&grown), "{grown}-fold");
}

/// Half the stable limit tames the torn chain: within a second its joints are closed to a millimetre.
#[test]
fn half_the_stable_limit_ends_the_blow_up() {
    let mut model = overdone();
    let Cure { remedy, said } = model.run().failure().and_then(|own| own.cure.clone()).expect("a remedy");
    assert!(said.contains("1000"), "'{said}': αh = 1");
    model.apply(Intent::Remedy(remedy));
    assert!(model.runs.player.playing);
    play(&mut model, 60);
    assert!(model.runs.player.playing && model.run().failure().is_none());
    let error = model.run().report().joint_error;
    assert!(error < 1e-3, "{error} m after a second");
}

/// Undoing the change returns to the state in which it was made, and to the scheme before it, to the bit; twice undoes two.
#[test]
fn undo_takes_back_the_change_that_blew_up() {
    let mut model = super::chain();
    set(&mut model, "baumgarte_velocity,alpha=50");
    play(&mut model, 30);
    let before = (model.run().world().clone(), model.run().method().clone());
    set(&mut model, "baumgarte_velocity,alpha=3000");
    play(&mut model, 120);
    model.apply(Intent::Remedy(Remedy::Undo));
    assert_eq!((model.run().world(), model.run().method()), (&before.0, &before.1));
    assert!(model.runs.player.playing && model.run().failure().is_none());
    play(&mut model, 60);
    assert!(model.runs.player.playing);
    model.apply(Intent::Remedy(Remedy::Undo));
    assert_eq!(model.run().world().steps(), 0, "the first change was made at the start");
    assert_eq!(model.run().method().stabilizer, super::scene("six-link-chain").settings.method.stabilizer);
}

/// A slider that is dragged for a second is one change: undoing it returns to the value before the press.
#[test]
fn one_press_is_one_change() {
    let mut model = super::chain();
    set(&mut model, "baumgarte_velocity,alpha=1");
    play(&mut model, 60);
    let steps = model.run().world().steps();
    for alpha in [50, 500, 3000] {
        model.runs.press_since(Some(7.5));
        set(&mut model, &format!("baumgarte_velocity,alpha={alpha}"));
        model.settle();
        play(&mut model, 25);
    }
    model.apply(Intent::Remedy(Remedy::Undo));
    assert_eq!(
        (model.run().world().steps(), model.run().method().stabilizer.values.get("alpha")),
        (steps, Some(1.0))
    );
}

/// The colour of the run's line follows the scheme to which undoing returns.
#[test]
fn an_undone_scheme_leaves_no_colour() {
    let mut model = super::chain();
    play(&mut model, 30);
    let own = model.run().scheme_index();
    set(&mut model, "baumgarte_velocity,alpha=3000");
    play(&mut model, 120);
    model.apply(Intent::Remedy(Remedy::Undo));
    play(&mut model, 30);
    let now = model.run().world().time();
    let parts: Vec<usize> = model.run().history().schemes([0.0, now]).map(|(_, scheme)| scheme).collect();
    assert_eq!(parts, [own]);
}

/// A restart under the same method blows up again and is stopped again; undoing the change of the method then returns
/// to the state in which it was made, as Ctrl+Z does.
#[test]
fn a_restart_does_not_fail_silently() {
    let mut model = overdone();
    model.apply(Command::Restart);
    model.runs.player.playing = true;
    play(&mut model, 120);
    assert!(model.run().failure().is_some());
    model.apply(Intent::Remedy(Remedy::Undo));
    assert_eq!(model.run().world().steps(), 500, "the steps of 30 frames");
    assert_eq!(model.run().method().stabilizer.values.get("alpha"), Some(50.0));
    play(&mut model, 60);
    assert!(model.runs.player.playing);
}

/// There is one list of changes: what the card's button undoes, Ctrl+Shift+Z makes again, to the bit; and what a remedy
/// sets is a change of that list, undone by Ctrl+Z to the state to which the remedy went back.
#[test]
fn a_remedy_stands_in_the_list_of_changes() {
    let mut model = overdone();
    let blown = (model.run().world().clone(), model.run().method().clone());
    assert_eq!(model.runs.undo.done().len(), 2);
    model.apply(Intent::Remedy(Remedy::Undo));
    assert_eq!((model.runs.undo.done().len(), model.runs.undo.undone().len()), (1, 1));
    let before = (model.run().world().clone(), model.run().method().clone());
    model.apply(Command::Build(Act::Redo));
    assert_eq!((model.run().world(), model.run().method()), (&blown.0, &blown.1));

    let mut model = overdone();
    let Cure { remedy, .. } = model.run().failure().and_then(|own| own.cure.clone()).expect("a remedy");
    model.apply(Intent::Remedy(remedy));
    assert_eq!((model.runs.undo.done().len(), model.runs.undo.undone().len()), (2, 0));
    play(&mut model, 10);
    model.apply(Command::Build(Act::Undo));
    assert_eq!((model.run().world(), model.run().method()), (&before.0, &before.1));
}

/// A run beside that is added after the change which blows up is no change of the main run: the card undoes the change.
#[test]
fn the_card_undoes_the_change_of_its_run() {
    let mut model = super::mapped("six-link-chain");
    model.runs.player.playing = true;
    set(&mut model, "baumgarte_velocity,alpha=50");
    play(&mut model, 30);
    set(&mut model, "baumgarte_velocity,alpha=3000");
    model.apply(Intent::Beside(place("post_stabilization")));
    play(&mut model, 120);
    assert!(model.run().failure().is_some());
    model.apply(Intent::Remedy(Remedy::Undo));
    assert_eq!(model.run().method().stabilizer.values.get("alpha"), Some(50.0));
    assert_eq!((model.runs.undo.done().len(), model.runs.undo.undone().len()), (1, 2));
}

/// Slow motion goes back to a chain that is whole, plays for some seconds, and stops at the same state; the usual speed
/// comes back with what is done about it.
#[test]
fn a_blow_up_can_be_watched_in_slow_motion() {
    let mut model = overdone();
    let torn = model.run().world().clone();
    model.apply(Intent::Remedy(Remedy::SlowMotion));
    assert!(model.run().report().joint_error < 1e-3 * CHAIN && model.runs.player.speed < 0.1);
    let frames = play(&mut model, 1200);
    assert!((100..900).contains(&frames), "it took {frames} frames");
    assert_eq!(model.run().world(), &torn);
    assert!(model.run().failure().is_some());
    model.apply(Intent::Remedy(Remedy::Undo));
    assert_eq!(model.runs.player.speed, 1.0);
}

/// A run beside one that blows up stands at the time to which that goes back, and is there again after the slow motion,
/// to the bit.
#[test]
fn runs_beside_a_blow_up_stop_with_it() {
    let mut model = super::chain();
    model.apply(Intent::Beside(place("post_stabilization")));
    set(&mut model, "baumgarte_velocity,alpha=3000");
    play(&mut model, 120);
    assert!(model.run().failure().is_some());
    let beside = |model: &Model| model.comparison().forks()[0].run().world().clone();
    let first = beside(&model);
    assert_eq!(first.time(), model.run().world().time());
    model.apply(Intent::Remedy(Remedy::SlowMotion));
    play(&mut model, 1200);
    assert!(model.run().failure().is_some());
    assert_eq!(beside(&model), first);
}

/// Slow motion begins shortly before the end also where the error had been visible for long.
#[test]
fn slow_motion_shows_the_end_only() {
    let mut model = super::chain();
    play(&mut model, 180);
    let changed = model.run().world().time();
    assert!(model.run().report().joint_error > 1e-3 * CHAIN, "α = 1 1/s leaves millimetres");
    set(&mut model, "baumgarte_velocity,alpha=3000");
    play(&mut model, 120);
    let (from, speed) = model.run().slow_motion().expect("something to watch");
    assert!(from > changed - 0.1 && speed < 0.1, "from {from} s, changed at {changed} s, at × {speed}");
}

/// The last step of the tour can be done: the chain shakes for some seconds at the speed that the tour sets, and
/// turning α down to 1000 1/s meanwhile saves it.
#[test]
fn the_tour_can_be_followed() {
    let mut model = super::model("single-pendulum");
    let tour = model.library.tours.iter().position(|tour| tour.name.contains("overdone")).expect("a tour");
    let steps = model.library.tours[tour].steps.len();
    let shaken = |model: &Model| model.run().report().joint_error > 2e-3 * CHAIN;
    for step in 0..steps {
        model.apply(Intent::Tour { tour, step });
        play(&mut model, 180);
        assert!(model.runs.player.playing || step + 1 == steps);
    }
    // Again, with somebody who acts a second after the shaking can be seen.
    model.apply(Intent::Tour { tour, step: 0 });
    play(&mut model, 180);
    model.apply(Intent::Tour { tour, step: steps - 1 });
    let waited = (0..1200).take_while(|_| play(&mut model, 1) == 1 && !shaken(&model)).count();
    assert!(waited < 900, "nothing was seen for {waited} frames");
    assert_eq!(play(&mut model, 60), 60, "the shaking lasts a second at least");
    set(&mut model, "baumgarte_velocity,alpha=1000");
    play(&mut model, 300);
    let error = model.run().report().joint_error;
    assert!(model.runs.player.playing && error < 1e-3 * CHAIN, "{error} m are left");
}

/// The card names what happened and offers all three ways out; each is a button.
#[test]
fn the_card_offers_a_way_out() {
    let mut window = super::panels::window(overdone());
    assert!(window.query_by_label("The run blew up").is_some());
    assert!(window.query_by_label("Restart the run").is_none());
    assert!(window.query_by_label("Watch it in slow motion").is_some());
    assert!(window.query_by_label("Go back and set α = 1000 s⁻¹").is_some());
    window.get_by_label_contains("Undo: back to ").click();
    window.run_steps(2);
    assert!(window.state().run().failure().is_none() && window.state().runs.player.playing);
}

/// What is offered is stable by the closed form of the scheme and the integrator, critically damped where there are two
/// parameters, and its first thousand steps hold; nothing is offered that a trial has refuted.
#[test]
fn remedies_are_stable() {
    let model = super::chain();
    let world = model.run().world();
    for (text, h) in [
        ("baumgarte_velocity,alpha=3000", 1e-3),
        ("baumgarte_acceleration,alpha=3000,beta=3000", 1e-3),
        ("baumgarte_acceleration,alpha=1,beta=3000", 1e-3),
        ("baumgarte_acceleration,alpha=800000,beta=50", 1e-3),
    ] {
        let method = Method::new(stabilizer_from(text, h).expect("a scheme"));
        for integrator in [Integrator::SemiImplicitEuler, Integrator::Rk4] {
            let method = Method { integrator, ..method.clone() };
            let failed = FailedRun { world, method: &method, h, rate: 0.0 };
            let Cure { remedy, said } = cure(&failed).unwrap_or_else(|| panic!("{text}, {integrator:?}"));
            let Remedy::Limit(stabilizer) = remedy else { panic!("{text}: {said}") };
            let values = stabilizer.values.clone();
            let gains = [values.get("alpha"), values.get("beta").or(values.get("alpha"))];
            assert_eq!(gains[0], gains[1], "{text}: {said} is critically damped");
            let tamed = Method { stabilizer, ..method.clone() };
            assert!(tamed.instability(h).is_none(), "{text}, {integrator:?}: {said}");
            let (mut world, mut workspace) = (world.clone(), Workspace::default());
            for _ in 0..1000 {
                let report = step(&mut world, &tamed, h, &mut workspace).expect("a step");
                assert!(report.joint_error < 0.1 * CHAIN, "{text}, {integrator:?}, {said}: {report:?}");
            }
        }
    }
    let rattle = Method::by_key("rattle").expect("a scheme");
    let failed = FailedRun { world, method: &rattle, h: 1e-3, rate: 0.0 };
    assert!(matches!(cure(&failed), Some(Cure { remedy: Remedy::Step(_), .. })), "it has no parameters");
}

/// The chain of the first screen, its half damping typed as 8 × 10⁵ s⁻¹: the first remedy holds for two seconds, while
/// parameters at the old ratio, α = 500, β = 0.03125, blow up within one.
#[test]
fn the_first_remedy_holds() {
    let mut model = super::chain();
    set(&mut model, "baumgarte_acceleration");
    model.runs.player.playing = true;
    play(&mut model, 30);
    set(&mut model, "baumgarte_acceleration,alpha=800000");
    let frames = play(&mut model, 600);
    assert!(frames < 600, "it blows up");
    let Cure { remedy, said } = model.run().failure().and_then(|own| own.cure.clone()).expect("a remedy");
    model.apply(Intent::Remedy(remedy));
    assert_eq!(play(&mut model, 120), 120, "{said} blows up: {:?}", model.run().failure());
    assert!(model.run().report().joint_error < 0.1, "{said}");
}
