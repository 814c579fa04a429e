//! A fork's own parameters, changed beside those of the main run.

use super::comparison::{fork, headless, place, play};
use super::model;
use super::panels::{click, drag, slider_at, window};
use driftlab::experiment::Run;
use driftlab::method::Stabilizer;
use driftlab::scene::Scene;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::Model;
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::runs::remedy::Remedy;
use egui_macroquad::egui::{pos2, vec2};

/// The chain with Baumgarte's scheme beside it, which is being edited, at 0.2 s.
fn edited() -> Model {
    let mut model = model("six-link-chain");
    play(&mut model, 0.2);
    model.apply(Intent::Beside(place("baumgarte_velocity")));
    let id = model.comparison().forks()[0].id;
    model.apply(Intent::Edit(Some(id)));
    model
}

fn with_alpha(model: &Model, alpha: f64) -> Stabilizer {
    let mut stabilizer = model.edited().method().stabilizer.clone();
    stabilizer.values.set("alpha", alpha).expect("in range");
    stabilizer
}

/// A fork whose parameter and time step are changed makes the steps, bit for bit, of a headless run with the same
/// changes at the same times; the main run makes those that it would have made alone.
#[test]
fn a_changed_fork_is_a_headless_run_with_the_same_change() {
    let mut model = edited();
    let alone = model.run().to_scene().to_json();
    let mut scene = Scene::parse(&fork(&model, 0).to_scene().to_json()).expect("a scene");
    let since = model.run().world().steps();
    let steps = |model: &Model| fork(model, 0).world().steps();
    let mut made = steps(&model);
    for (time, alpha, h) in [(0.3, 200.0, 1e-3), (0.4, 20.0, 5e-4), (0.5, 20.0, 2e-3)] {
        play(&mut model, time);
        // What the headless run has reached until the change.
        let mut run = Run::new(&scene, steps(&model) - made);
        assert!(run.by_ref().all(|report| report.is_ok()));
        assert_eq!(run.world(), fork(&model, 0).world(), "until t = {time}");
        let stabilizer = with_alpha(&model, alpha);
        (scene.world, scene.settings.method.stabilizer) = (run.world().clone(), stabilizer.clone());
        scene.settings.time_step = h;
        model.apply(Setting::Stabilizer(stabilizer));
        model.apply(Setting::TimeStep(h));
        model.settle();
        made = steps(&model);
    }
    play(&mut model, 0.7);
    let mut run = Run::new(&scene, steps(&model) - made);
    assert!(run.by_ref().all(|report| report.is_ok()));
    assert_eq!(run.world(), fork(&model, 0).world());
    assert_eq!(model.run().time_step(), 1e-3, "a fork's time step is its own");
    let main = headless(&alone, model.run().world().steps() - since);
    assert_eq!(model.run().world(), &main);
    let behind = model.run().world().time() - fork(&model, 0).world().time();
    assert!((-1e-9..2e-3).contains(&behind), "{behind}");
}

/// Changes of a fork are marked in its record and not in that of the main run. Undoing one takes all runs back to the
/// moment of the change, and the fork to what it was.
#[test]
fn changes_of_a_fork_are_marked_and_undone() {
    let mut model = edited();
    play(&mut model, 0.4);
    let (at, before) = (model.run().world().time(), fork(&model, 0).world().clone());
    let old = with_alpha(&model, 200.0);
    let first = model.edited().method().stabilizer.clone();
    model.apply(Setting::Stabilizer(old));
    model.settle();
    let marks: Vec<_> = fork(&model, 0).history().marks().map(|mark| mark.label.clone()).collect();
    assert!(marks.len() == 1 && marks[0].starts_with("α = 200"), "{marks:?}");
    assert_eq!(model.run().history().marks().count(), 0);
    play(&mut model, 0.6);
    model.apply(Intent::Remedy(Remedy::Undo));
    model.runs.player.playing = false;
    assert_eq!(fork(&model, 0).method().stabilizer, first);
    assert_eq!((fork(&model, 0).world(), model.run().world().time()), (&before, at));
}

/// In the window: the chip of a fork shows its parameters, a slider then moves its own, and the main run's chip leads
/// back. A fork that is closed or becomes the main run is edited no longer.
#[test]
fn the_panel_edits_the_chosen_run() {
    let mut model = edited();
    model.apply(Intent::Edit(None));
    let mut harness = window(model);
    harness.set_size(vec2(1280.0, 1400.0));
    harness.run_steps(2);
    let main = harness.state().run().method().clone();
    click(&mut harness, "edit run 1");
    let alpha = |harness: &egui_kittest::Harness<'_, Model>| {
        fork(harness.state(), 0).method().stabilizer.values.get("alpha").expect("alpha")
    };
    let before = alpha(&harness);
    let slider = slider_at(&harness, before);
    drag(&mut harness, slider.center(), pos2(slider.left() + 0.8 * slider.width(), slider.center().y));
    assert_ne!(alpha(&harness), before);
    assert_eq!(harness.state().run().method(), &main);
    click(&mut harness, "edit main");
    assert!(harness.state().edited_fork().is_none());
    let id = harness.state().comparison().forks()[0].id;
    harness.state_mut().apply(Intent::Edit(Some(id)));
    harness.state_mut().apply(Intent::Promote(id));
    assert!(harness.state().edited_fork().is_none());
    harness.state_mut().apply(Intent::Edit(Some(id)));
    harness.state_mut().apply(Intent::Close(id));
    assert!(std::ptr::eq(harness.state().edited(), harness.state().run()));
}
