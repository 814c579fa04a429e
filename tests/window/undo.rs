//! Undo and redo of everything that a person changes.

use super::panels::{press, slider as slider_named, slider_at, window};
use driftlab::app::screen::OnScreen;
use driftlab::model::{Body, Shape};
use driftlab::scene::stabilizer_from;
use driftlab::schemes::TABLE;
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::edit::Edit;
use driftlab::workbench::editor::item::Item;
use driftlab::workbench::editor::parts::Parts;
use driftlab::workbench::editor::properties::BODY;
use driftlab::workbench::editor::snap::Snap;
use driftlab::workbench::editor::{Act, EditorIntent};
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::Model;
use driftlab::workbench::runs::live_run::{LiveRun, Setting};
use egui_macroquad::egui::{Event, PointerButton, vec2};
use glam::{DVec2, DVec3, dvec2};

/// A run to the bit: its world as a save writes it, its start, and how it is stepped.
pub(super) fn bits(run: &LiveRun) -> String {
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
    model.apply(Intent::Editor(EditorIntent::Edit(Edit::Set(vec![link], heavier, 7.0))));
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
    model.apply(Command::Build(Act::Mode(driftlab::workbench::editor::Mode::Build)));
    let at = model.run().world().bodies()[2].pose.position;
    model.apply(Intent::Editor(EditorIntent::Press {
        at: at + dvec2(0.02, 0.0),
        reach: 1e-4,
        adds: false,
        snap: Snap::default(),
    }));
    assert_eq!(model.build.selection, [Item::Body(model.run().world().body_ids()[2])]);
    for i in 1..=5 {
        let to = at + dvec2(0.02, 0.01 * f64::from(i));
        model.apply(Intent::Editor(EditorIntent::Drag { to, snap: Snap::default() }));
    }
    model.apply(Intent::Editor(EditorIntent::Release));
    assert_eq!(model.runs.undo.done().len(), 1);
    assert_eq!(model.runs.undo.done()[0].label, "moved link2");
    let moved = model.run().world().bodies()[2].pose.position - at;
    assert!((moved - dvec2(0.0, 0.05)).length() < 1e-12, "{moved}");
    undo(&mut model);
    assert_eq!(model.run().world().bodies()[2].pose.position, at);
    let id = model.run().world().body_ids()[1];
    model.apply(Intent::Editor(EditorIntent::Edit(Edit::Shift(vec![(id, DVec3::X)]))));
    assert!(model.runs.undo.undone().is_empty());
    // An edit that is refused changes nothing and is no change.
    let friction = BODY.iter().find(|own| own.parameter.key == "friction").expect("friction").parameter;
    model.apply(Intent::Editor(EditorIntent::Edit(Edit::Set(vec![Item::Body(id)], friction, -1.0))));
    assert_eq!(model.runs.undo.done().len(), 1);
    assert!(model.news.toast.as_ref().is_some_and(|toast| toast.text.contains("friction must be")));
}

/// One drag is one step of the list, whatever is dragged: a slider, the point in the stability map, a body of a paused
/// run. One Ctrl+Z brings back what was before the drag, to the bit, and two drags of one thing are two steps.
#[test]
fn one_drag_is_one_change() {
    let mut model = super::mapped("six-link-chain");
    let place = TABLE.iter().position(|scheme| scheme.info().key == "baumgarte_velocity");
    model.apply(Setting::Scheme(place.expect("a scheme")));
    let alpha = model.run().method().stabilizer.values.get("alpha").expect("alpha");
    let mut harness = window(model);
    harness.set_size(vec2(1280.0, 1600.0));
    harness.run_steps(3);
    let slider = slider_at(&harness, alpha);
    let map = slider_named(&harness, "stability map");
    let body = {
        let model = harness.state();
        let link = model.run().world().bodies()[4].pose.position;
        model.sight.camera.to_screen(model.canvas(), link)
    };
    for (what, from, by) in [
        ("a slider", slider.center(), vec2(0.1 * slider.width(), 0.0)),
        ("the map", map.center(), vec2(20.0, 15.0)),
        ("a body", body, vec2(12.0, -30.0)),
        ("the slider again", slider.center(), vec2(-0.2 * slider.width(), 0.0)),
    ] {
        let (before, done) = (state(harness.state()), harness.state().runs.undo.done().len());
        harness.input_mut().events.push(Event::PointerMoved(from));
        harness.step();
        press(&mut harness, from, PointerButton::Primary, true);
        for part in 1..=6 {
            harness.input_mut().events.push(Event::PointerMoved(from + by * (part as f32 / 6.0)));
            harness.step();
        }
        press(&mut harness, from + by, PointerButton::Primary, false);
        harness.run_steps(2);
        assert_eq!(harness.state().runs.undo.done().len(), done + 1, "{what}");
        let after = state(harness.state());
        assert!(after != before, "{what} changes something");
        undo(harness.state_mut());
        assert!(state(harness.state()) == before, "{what} is undone");
        redo(harness.state_mut());
        assert!(state(harness.state()) == after, "{what} is redone");
        harness.run_steps(2);
    }
}

/// What a step of a tour sets is a change like any other: it is undone with Ctrl+Z.
#[test]
fn what_a_tour_sets_is_undone() {
    let mut model = super::model("six-link-chain");
    let sets = |model: &Model| {
        let all = model.library.tours.iter().enumerate();
        let steps = all.flat_map(|(tour, own)| (0..own.steps.len()).map(move |step| (tour, step)));
        let sets = |(tour, step): &(usize, usize)| {
            let card = &model.library.tours[*tour].steps[*step];
            card.scene.is_none() && card.stabilizer.is_some()
        };
        steps.filter(sets).collect::<Vec<_>>()
    };
    let all = sets(&model);
    assert!(!all.is_empty());
    for (tour, step) in all {
        let (before, done) = (state(&model), model.runs.undo.done().len());
        model.apply(Intent::Tour { tour, step });
        model.runs.player.playing = false;
        if state(&model) != before {
            assert_eq!(model.runs.undo.done().len(), done + 1, "step {step} of tour {tour}");
            undo(&mut model);
            assert!(state(&model) == before, "step {step} of tour {tour}");
        }
    }
}

/// Edits act on all runs that are compared: these keep the same bodies.
#[test]
fn edits_act_on_all_runs() {
    let mut model = super::model("six-link-chain");
    model.apply(Command::Steps(10));
    model.apply(Intent::Beside(7));
    model.apply(Command::Steps(10));
    model.apply(Intent::Editor(EditorIntent::Edit(Edit::Add(Box::new(a_box(DVec2::ZERO))))));
    let removed = Item::Body(model.run().world().body_ids()[4]);
    model.apply(Intent::Editor(EditorIntent::Edit(Edit::Remove(vec![removed]))));
    let fork = model.comparison().forks()[0].run();
    assert_eq!(fork.world().body_ids(), model.run().world().body_ids());
    assert_eq!(fork.world().joints().len(), model.run().world().joints().len());
    model.apply(Command::Steps(10));
    let fork = model.comparison().forks()[0].run();
    assert_eq!(fork.world().steps(), model.run().world().steps());
}
