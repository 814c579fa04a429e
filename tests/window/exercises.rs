//! The exercises of the course: each can be solved, none is solved as it begins, and the window judges them as marking does.

use super::panels::{click, window};
use super::tours::pass;
use driftlab::scene::catalogue;
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::EditorIntent;
use driftlab::workbench::editor::edit::Edit;
use driftlab::workbench::editor::item::Item;
use driftlab::workbench::editor::properties::BODY;
use driftlab::workbench::exercise::{Exercise, May};
use driftlab::workbench::intent::Intent;
use driftlab::workbench::library::marking::{Mark, judge, mark};
use driftlab::workbench::library::tours::{Tour, exercise, shipped};
use driftlab::workbench::link::{Link, Subject};
use driftlab::workbench::model::{Model, Request, Trying};
use driftlab::workbench::settings::{Settings, Tried};
use driftlab::workbench::text::prose::prose;
use egui_kittest::kittest::Queryable;
use std::collections::BTreeSet;

/// What is set to solve each exercise: what differs from its beginning, as a link says it, or the friction of bodies.
const SOLUTIONS: [(&str, &str); 30] = [
    ("drift-small-steps", "stabilizer=none&h=3e-4"),
    ("drift-in-time", "stabilizer=none&h=3.6e-3"),
    ("drift-to-rounding", "stabilizer=rattle&h=1e-3"),
    ("baumgarte-limit", "stabilizer=baumgarte_velocity&alpha=2000&h=1e-3"),
    ("baumgarte-level", "stabilizer=baumgarte_velocity&alpha=500&h=1e-3"),
    ("baumgarte-long-step", "stabilizer=baumgarte_velocity&alpha=150&h=0.01"),
    ("afterwards-close", "stabilizer=post_stabilization&h=1e-3"),
    ("afterwards-fourth-order", "stabilizer=post_stabilization&h=6.2e-3"),
    ("afterwards-long-step", "stabilizer=post_stabilization&max_iterations=3&h=0.01"),
    ("solve-quiet", "stabilizer=post_stabilization"),
    ("solve-slow-correction", "stabilizer=anitescu_hart&gamma=0.03"),
    ("solve-level", "stabilizer=anitescu_hart&gamma=0.5&h=1e-3"),
    ("step-limit", "stabilizer=baumgarte_acceleration&alpha=10&beta=10&h=0.0828"),
    ("step-implicit", "stabilizer=implicit&h=0.09"),
    ("step-energy", "stabilizer=rattle&h=0.01"),
    ("contacts-stick", "mu 0.35=0.3"),
    ("contacts-sweeps", "stabilizer=anitescu_hart&solver=pgs,iterations=55"),
    ("contacts-roll", "slipping=0.09"),
    ("singular-top", "stabilizer=rattle&h=2e-3"),
    ("singular-energy", "stabilizer=rattle&h=2e-3"),
    ("redundant-level", "stabilizer=baumgarte_velocity&alpha=400&h=2e-3"),
    ("painleve-impulses", "stabilizer=anitescu_hart&h=2e-3"),
    ("painleve-clean", "stabilizer=post_stabilization&h=2e-3"),
    ("painleve-friction", "rod=0.5"),
    ("creep-stick", "stabilizer=anitescu_hart&h=2e-3"),
    ("creep-slower", "stabilizer=mujoco&cone=elliptic&impratio=60&h=2e-3"),
    ("creep-law", "stabilizer=mujoco&cone=elliptic&impratio=5&h=2e-3"),
    ("heavy-millimetre", "stabilizer=direct_iterated&h=0.004166666666666667"),
    ("heavy-descent", "stabilizer=avbd&iterations=40"),
    ("heavy-substeps", "stabilizer=xpbd&substeps=16"),
];

fn tours() -> Vec<Tour> {
    shipped().expect("tours")
}

/// The solved run of an exercise.
fn solved(exercise: &Exercise, solution: &str) -> Link {
    if !exercise.may.contains(&May::Friction) {
        return Link::parse(&format!("#scene={}&{solution}", exercise.scene)).expect("a link");
    }
    let (name, friction) = solution.split_once('=').expect("a body and its friction");
    let mut scene = catalogue::find(&exercise.scene).and_then(|entry| entry.scene().ok()).expect("a scene");
    let index = scene.world.bodies().iter().position(|body| body.name == name).expect("a body");
    let id = scene.world.id_of(index).expect("a body");
    let friction = friction.parse().expect("a number");
    scene.world.edit_body(id, |body| body.friction = friction).expect("a body with friction");
    scene.window = None;
    let begun = exercise.link().expect("a beginning");
    Link { subject: Some(Subject::File(scene.to_json())), ..begun }
}

/// A chapter ends with three exercises. None is solved as it begins, each is by its solution, and the certificate of that is
/// passed by marking, in the name of who has solved it.
#[test]
fn every_exercise_can_be_solved() {
    let tours = tours();
    let mut keys = BTreeSet::new();
    for tour in &tours {
        assert_eq!(tour.exercises.len(), 3, "{}", tour.name);
        for own in &tour.exercises {
            let key = &own.key;
            assert!(keys.insert(key.clone()), "{key} is there twice");
            for (text, lengths) in [(&own.text, 20..=200), (&own.hint, 20..=180)] {
                assert!(lengths.contains(&text.chars().count()), "{key}: length of '{text}'");
            }
            let (_, missed) = judge(own, &own.link().expect("a link")).expect("an attempt");
            assert!(missed.is_some(), "{key} is solved as it begins");
            let solution = SOLUTIONS.iter().find(|(of, _)| of == key);
            let (_, solution) = solution.unwrap_or_else(|| panic!("{key} has no solution"));
            let link = solved(own, solution);
            let (proof, missed) = judge(own, &link).unwrap_or_else(|why| panic!("{key}: {why}"));
            assert_eq!(missed, None, "{key}");
            let certificate = format!("https://example.org/lab/{}", proof.certificate("Ada"));
            let marked = mark(&tours, &certificate);
            assert_eq!(
                (marked.mark, marked.by.as_str()),
                (Mark::Passed, "Ada"),
                "{key}: {}",
                marked.reason
            );
            assert_eq!(proof.figures().len(), own.judged.len());
        }
    }
    assert_eq!(keys.len(), SOLUTIONS.len());
}

/// Only what an exercise leaves free may differ from its beginning: another scene, time step, scheme, parameter or solver is
/// named, whatever figures it reaches.
#[test]
fn what_is_not_free_stays() {
    let tours = tours();
    for (key, run, why) in [
        (
            "baumgarte-level",
            "scene=double-pendulum&stabilizer=baumgarte_velocity&alpha=500&h=1e-3",
            "scene",
        ),
        (
            "baumgarte-level",
            "scene=six-link-chain&stabilizer=baumgarte_velocity&alpha=50&h=1e-4",
            "time step",
        ),
        ("baumgarte-level", "scene=six-link-chain&stabilizer=rattle&h=1e-3", "scheme"),
        (
            "baumgarte-level",
            "scene=six-link-chain&stabilizer=baumgarte_velocity&alpha=500&h=1e-3&solver=pgs",
            "solver",
        ),
        ("drift-in-time", "scene=six-link-chain&stabilizer=baumgarte_velocity&h=1e-3", "scheme"),
        (
            "step-limit",
            "scene=double-pendulum-collinear&stabilizer=baumgarte_acceleration&alpha=12&beta=10",
            "damping",
        ),
        ("drift-small-steps", "scene=six-link-chain&stabilizer=none&h=1e-6", "steps"),
    ] {
        let (_, _, own) = exercise(&tours, key).expect("an exercise");
        let link = Link::parse(&format!("#{run}")).expect("a link");
        let refused = judge(own, &link).expect_err(run);
        assert!(refused.to_lowercase().contains(why), "{run}: {refused}");
    }
}

/// The window with an exercise, before its run has begun.
fn taken(key: &str) -> (Model, Exercise) {
    let mut model = super::model("single-pendulum");
    model.apply(Intent::OpenLink(format!("#exercise={key}")));
    let own = model.library.exercise().expect("the exercise").clone();
    assert_eq!(own.key, key);
    assert_eq!(model.files.title, own.scene);
    assert!(!model.runs.player.playing, "it waits");
    (model, own)
}

/// Plays until the run is judged.
fn play(model: &mut Model, own: &Exercise) {
    model.settle();
    model.apply(Intent::Play);
    let frames = super::frames_until(model, |model| matches!(model.trying(own), Trying::Judged));
    assert!(frames > 1);
}

/// Two tries that miss bring the hint. The run that solves it brings a certificate in the name that is given, which marking
/// passes with the figures that the window shows.
#[test]
fn an_exercise_is_tried_hinted_at_and_certified() {
    let (mut model, own) = taken("baumgarte-level");
    let standing = |model: &Model| model.exercises.standing("baumgarte-level").clone();
    assert_eq!(standing(&model).tries, 0);
    for tries in 1..=2 {
        assert!(!standing(&model).needs_hint());
        model.apply(Command::Restart);
        play(&mut model, &own);
        assert_eq!(standing(&model).tries, tries);
        assert!(!standing(&model).is_passed());
    }
    assert!(standing(&model).needs_hint());
    let hint = format!("Hint: {}", prose(&own.hint));
    let mut shown = window(model);
    shown.run_steps(3);
    assert!(shown.query_by_label(&hint).is_some());
    assert!(shown.query_by_label("tried 2 times").is_some());
    let model = shown.state_mut();
    model.apply(Command::Restart);
    let mut stabilizer = model.edited().method().stabilizer.clone();
    stabilizer.values.set("alpha", 500.0).expect("a value");
    model.apply(driftlab::workbench::runs::live_run::Setting::Stabilizer(stabilizer));
    play(model, &own);
    assert!(standing(model).is_passed());
    assert_eq!(model.certificate(), None, "nobody claims it");
    model.apply(Intent::SignAs("  Ada\u{7} Lovelace ".to_owned()));
    shown.run_steps(3);
    assert!(shown.query_by_label(&hint).is_none());
    click(&mut shown, "Copy certificate");
    let Some(Request::Copy(address)) = shown.state_mut().news.requests.pop() else { panic!("no copy") };
    let marked = mark(&tours(), &address);
    assert_eq!((marked.mark, marked.by.as_str()), (Mark::Passed, "Ada Lovelace"), "{}", marked.reason);
    assert!(shown.query_by_label_contains(&marked.figures).is_some(), "{}", marked.figures);
    assert!(shown.query_by_label("✔ Exercise 2").is_some());
    // What is opened from it is the run.
    let mut other = super::model("single-pendulum");
    other.apply(Intent::OpenLink(address));
    assert_eq!(other.run().method(), shown.state().run().method());
}

/// The next window with what this one remembers, in the exercise that this one has open.
fn reopened(model: &Model, key: &str) -> Model {
    let settings = Settings::parse(&model.settings().to_json()).expect("settings");
    let (mut other, _) = taken(key);
    other.remember(&settings);
    assert_eq!(other.settings().exercises, settings.exercises);
    other
}

/// Tries, name and solved exercises outlast the window: the hint comes after two tries in two windows, and the certificate of
/// an exercise that was solved in an earlier one is given in any name, and passes.
#[test]
fn what_was_tried_outlasts_the_window() {
    let key = "baumgarte-level";
    let (mut model, own) = taken(key);
    play(&mut model, &own);
    let mut model = reopened(&model, key);
    assert_eq!(model.exercises.standing(key).tries, 1);
    play(&mut model, &own);
    assert!(model.exercises.standing(key).needs_hint());
    let hint = format!("Hint: {}", prose(&own.hint));
    let mut shown = window(reopened(&model, key));
    shown.run_steps(3);
    assert!(shown.query_by_label(&hint).is_some());
    let model = shown.state_mut();
    model.apply(Command::Restart);
    let mut stabilizer = model.edited().method().stabilizer.clone();
    stabilizer.values.set("alpha", 500.0).expect("a value");
    model.apply(driftlab::workbench::runs::live_run::Setting::Stabilizer(stabilizer));
    play(model, &own);
    model.apply(Intent::SignAs("Ada".to_owned()));
    let mut shown = window(reopened(model, key));
    shown.run_steps(3);
    assert!(shown.query_by_label("✔ Exercise 2").is_some());
    assert!(shown.query_by_label("passed; 3 tries").is_some());
    let given = |model: &Model| mark(&tours(), &model.certificate().expect("a certificate"));
    let model = shown.state_mut();
    for name in ["Ada", "Grace"] {
        assert_eq!((given(model).mark, given(model).by.as_str()), (Mark::Passed, name));
        model.apply(Intent::SignAs("Grace".to_owned()));
    }
}

/// The exercise about friction, solved by the friction of a body.
fn stuck() -> (Model, Exercise) {
    let (mut model, own) = taken("contacts-stick");
    let world = model.run().world();
    let index = world.bodies().iter().position(|body| body.name == "mu 0.35").expect("a body");
    let item = Item::Body(world.id_of(index).expect("a body"));
    let friction = BODY.iter().find(|own| own.parameter.key == "friction").expect("friction");
    model.apply(Intent::Editor(EditorIntent::Edit(Edit::Set(vec![item], friction.parameter, 0.3))));
    play(&mut model, &own);
    (model, own)
}

/// A proof that cannot be read, is one of another exercise, or of a task that has changed since, is dropped with a word, and the
/// tries stay; what belongs to a tour that is not there is kept. Two windows lose nothing of each other.
#[test]
fn a_proof_of_another_task_is_dropped() {
    let key = "friction-once";
    let (model, _) = stuck();
    let sound = model.settings().exercises["contacts-stick"].clone();
    let proof = sound.passed.clone().expect("a proof");
    let with = |change: &dyn Fn(&mut driftlab::workbench::exercise::KeptProof)| {
        let mut changed = proof.clone();
        change(&mut changed);
        Tried { tries: 5, passed: Some(changed) }
    };
    let after = |of: &str, tried: Tried| {
        let exercises = [(of.to_owned(), tried)].into();
        let mut model = super::model("single-pendulum");
        model.remember(&Settings { exercises, ..Settings::default() });
        model
    };
    let stays = after("contacts-stick", sound.clone());
    assert!(stays.exercises.standing("contacts-stick").is_passed() && stays.news.toast.is_none());
    for (of, tried) in [
        ("contacts-stick", with(&|own| own.link = "#file=%%%".to_owned())),
        ("contacts-stick", with(&|own| own.link = own.link.replace("figures=", "figures=1,"))),
        ("contacts-stick", with(&|own| own.bits = "AAAA".to_owned())),
        ("contacts-stick", with(&|own| own.bits.push('!'))),
        ("contacts-stick", with(&|own| own.task = proof.bits.clone())),
        ("contacts-roll", with(&|_| {})),
        (key, with(&|_| {})),
    ] {
        let model = after(of, tried);
        assert!(!model.exercises.standing(of).is_passed(), "{of}");
        assert_eq!(model.exercises.standing(of).tries, 5);
        assert_eq!(model.settings().exercises[of], Tried { tries: 5, passed: None });
        let said = model.news.toast.expect("a word").text;
        assert!(said.contains("open again") && said.ends_with(of), "{said}");
    }
    let theirs = with(&|own| own.link = own.link.replace("contacts-stick", key));
    let mut model = after(key, theirs.clone());
    assert_eq!(model.settings().exercises[key], theirs);
    assert!(model.news.toast.is_none());
    // Another window has solved one meanwhile.
    let other =
        Settings { exercises: [("contacts-stick".to_owned(), sound)].into(), ..Settings::default() };
    assert!(model.exercises.take_in(&other, &tours()).is_empty());
    assert!(
        model.exercises.standing("contacts-stick").is_passed() && model.exercises.standing(key).is_passed()
    );
}

/// A run that a hand has touched, or whose method was changed on the way, is not judged before it begins anew; one with something
/// changed that is not free is told so.
#[test]
fn a_touched_run_is_not_judged() {
    let (mut model, own) = taken("baumgarte-level");
    model.apply(Command::Steps(10));
    model.settle();
    assert!(matches!(model.trying(&own), Trying::Figures(_)));
    model.apply(Command::Scheme(0));
    model.settle();
    model.apply(Command::Steps(10));
    model.settle();
    assert_eq!(model.trying(&own), Trying::Touched);
    model.apply(Command::Restart);
    model.apply(Command::Steps(10));
    model.settle();
    let Trying::Refused(why) = model.trying(&own) else { panic!("{:?}", model.trying(&own)) };
    assert!(why.contains("scheme"), "{why}");
    assert_eq!(model.exercises.standing(&own.key).tries, 0);
}

/// The friction of a body, set under Build before the run begins, comes along in the certificate.
#[test]
fn friction_that_is_set_is_certified() {
    let (mut model, own) = stuck();
    let verdict = model.exercises.standing(&own.key).verdict.clone().expect("a verdict");
    assert_eq!(verdict.missed, None);
    model.apply(Intent::SignAs("Ada".to_owned()));
    let address = model.certificate().expect("a certificate");
    let marked = mark(&tours(), &address);
    assert_eq!(marked.mark, Mark::Passed, "{}", marked.reason);
}

/// A run that blows up is judged to its end, although the window has stopped it; time goes on for that.
#[test]
fn a_run_that_blows_up_is_judged() {
    let (mut model, own) = taken("baumgarte-limit");
    let mut stabilizer = model.edited().method().stabilizer.clone();
    stabilizer.values.set("alpha", 2040.0).expect("a value");
    model.apply(driftlab::workbench::runs::live_run::Setting::Stabilizer(stabilizer));
    play(&mut model, &own);
    assert!(model.exercises.standing(&own.key).is_passed());
    // In the shown window, too.
    let mut shown = window(model);
    pass(&mut shown, 2);
    assert!(shown.query_by_label_contains("✔ distance of α from the limit").is_some());
}

/// A link to an exercise that is none changes nothing and says so.
#[test]
fn an_exercise_that_is_none_is_refused() {
    let mut model = super::model("single-pendulum");
    model.apply(Intent::OpenLink("#exercise=no-such".to_owned()));
    assert!(model.news.refusal.is_some());
    assert_eq!(model.files.title, "single-pendulum");
}
