//! Undo and redo of everything that a person changes.

use driftlab::app::build::edit::Edit;
use driftlab::app::build::item::Item;
use driftlab::app::build::parts::Parts;
use driftlab::app::build::properties::BODY;
use driftlab::app::build::snap::Snap;
use driftlab::app::build::{Act, Make};
use driftlab::app::commands::Command;
use driftlab::app::intent::Intent;
use driftlab::app::model::Model;
use driftlab::app::runs::simulation::{Setting, Simulation};
use driftlab::model::{Body, Shape};
use driftlab::scene::stabilizer_from;
use driftlab::schemes::TABLE;
use glam::{DVec2, DVec3, dvec2};

/// A run to the bit: its world as a save writes it, its start, and how it is stepped.
pub(super) fn bits(run: &Simulation) -> String {
    let (method, h) = (run.method(), run.time_step());
    format!("{}{}{method:?}{:016x}", run.to_scene().to_json(), run.scene.to_json(), h.to_bits())
}

/// All runs to the bit.
fn state(model: &Model) -> Vec<String> {
    let forks = model.comparison().forks().iter().map(|fork| format!("{:?}{}", fork.id, bits(fork.run())));
    [bits(model.run())].into_iter().chain(forks).collect()
}

fn undo(model: &mut Model) {
    model.apply(Command::Build(Act::Undo));
}

fn redo(model: &mut Model) {
    model.apply(Command::Build(Act::Redo));
}

pub(super) fn a_box(at: DVec2) -> Parts {
    let body = Body::dynamic().at(at).shape(Shape::Box { size: dvec2(0.1, 0.05) }).build().expect("a body");
    Parts { bodies: vec![body], ..Parts::default() }
}

/// A change that is undone after the run has gone on takes it back to the state in which the change was made; redone,
/// it goes to where it had come. What was recorded before, and between, is there again.
#[test]
fn undo_goes_back_across_play() {
    let mut model = super::model("six-link-chain");
    model.apply(Command::Steps(20));
    let before = state(&model);
    let heavier = BODY.iter().find(|own| own.parameter.key == "mass").expect("a mass").parameter;
    let link = Item::Body(model.run().world().body_ids()[3]);
    model.apply(Intent::Make(Make::Edit(Edit::Set(vec![link], heavier, 7.0))));
    assert_eq!(model.run().world().bodies()[3].mass_properties().mass, 7.0);
    model.apply(Command::Steps(30));
    let after = state(&model);
    let there = model.run().world().time();

    undo(&mut model);
    assert!(state(&model) == before);
    assert_eq!(model.run().recorded_span()[0], 0.0, "the past is still recorded");
    redo(&mut model);
    assert!(state(&model) == after);
    assert_eq!(model.run().recorded_span(), [0.0, there], "and so is what came after");
    // The recorded steps between are those of the heavier link.
    model.apply(Intent::Seek(there - 0.01));
    assert_eq!(model.run().world().bodies()[3].mass_properties().mass, 7.0);
    model.apply(Intent::Seek(0.0));
    assert_ne!(model.run().world().bodies()[3].mass_properties().mass, 7.0);
}

/// What each scheme remembers of its parameters is undone with the change that led to it.
#[test]
fn remembered_parameters_are_undone() {
    let mut model = super::model("six-link-chain");
    let first = model.run().method().clone();
    let place = |key: &str| TABLE.iter().position(|scheme| scheme.info().key == key).expect("a scheme");
    let (other, own) = (place("soft"), place(first.stabilizer.info().key));
    assert_ne!(other, own);
    model.apply(Setting::Scheme(other));
    let fresh = model.run().method().clone();
    model.apply(Setting::Stabilizer(stabilizer_from("soft,hertz=77", 1e-3).expect("a scheme")));
    model.apply(Setting::Scheme(own));
    (0..3).for_each(|_| undo(&mut model));
    assert_eq!(model.run().method(), &first);
    model.apply(Setting::Scheme(other));
    assert_eq!(model.run().method(), &fresh);
}

/// What is done in one stroke on the stage is one change, and a new change takes the place of what was undone.
#[test]
fn a_stroke_is_one_change() {
    let mut model = super::model("six-link-chain");
    model.apply(Command::Build(Act::Mode(driftlab::app::build::Mode::Build)));
    let at = model.run().world().bodies()[2].pose.position;
    model.apply(Intent::Make(Make::Press {
        at: at + dvec2(0.02, 0.0),
        reach: 1e-4,
        adds: false,
        snap: Snap::default(),
    }));
    assert_eq!(model.build.selection, [Item::Body(model.run().world().body_ids()[2])]);
    for i in 1..=5 {
        let to = at + dvec2(0.02, 0.01 * f64::from(i));
        model.apply(Intent::Make(Make::Drag { to, snap: Snap::default() }));
    }
    model.apply(Intent::Make(Make::Release));
    assert_eq!(model.undo.done().len(), 1);
    assert_eq!(model.undo.done()[0].label, "moved link2");
    let moved = model.run().world().bodies()[2].pose.position - at;
    assert!((moved - dvec2(0.0, 0.05)).length() < 1e-12, "{moved}");
    undo(&mut model);
    assert_eq!(model.run().world().bodies()[2].pose.position, at);
    let id = model.run().world().body_ids()[1];
    model.apply(Intent::Make(Make::Edit(Edit::Shift(vec![(id, DVec3::X)]))));
    assert!(model.undo.undone().is_empty());
    // An edit that is refused changes nothing and is no change.
    let friction = BODY.iter().find(|own| own.parameter.key == "friction").expect("friction").parameter;
    model.apply(Intent::Make(Make::Edit(Edit::Set(vec![Item::Body(id)], friction, -1.0))));
    assert_eq!(model.undo.done().len(), 1);
    assert!(model.toast.as_ref().is_some_and(|toast| toast.text.contains("friction must be")));
}

/// Edits act on all runs that are compared: these keep the same bodies.
#[test]
fn edits_act_on_all_runs() {
    let mut model = super::model("six-link-chain");
    model.apply(Command::Steps(10));
    model.apply(Intent::Beside(7));
    model.apply(Command::Steps(10));
    model.apply(Intent::Make(Make::Edit(Edit::Add(Box::new(a_box(DVec2::ZERO))))));
    let removed = Item::Body(model.run().world().body_ids()[4]);
    model.apply(Intent::Make(Make::Edit(Edit::Remove(vec![removed]))));
    let fork = model.comparison().forks()[0].run();
    assert_eq!(fork.world().body_ids(), model.run().world().body_ids());
    assert_eq!(fork.world().joints().len(), model.run().world().joints().len());
    model.apply(Command::Steps(10));
    let fork = model.comparison().forks()[0].run();
    assert_eq!(fork.world().steps(), model.run().world().steps());
}
