use super::{chain, mark_times};
use driftlab::experiment::reason;
use driftlab::method::{Integrator, Level, Method, Stabilizer};
use driftlab::report::StepError;
use driftlab::scene::Scene;
use driftlab::schemes::TABLE;
use driftlab::workbench::command::Command;
use driftlab::workbench::engine::Stepping;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::runs::live_run::Setting;
use std::time::Duration;

fn scheme(key: &str) -> Setting {
    Setting::Stabilizer(Stabilizer::by_key(key).expect("a scheme"))
}

/// Frame lengths do not influence the run: a second is a thousand steps of 1 ms, with the same bits for any frames.
#[test]
fn frames_do_not_change_the_run() {
    let (mut smooth, mut rough) = (chain(), chain());
    for _ in 0..60 {
        smooth.advance(1.0 / 60.0);
    }
    for _ in 0..20 {
        rough.advance(0.015);
        rough.advance(0.035);
    }
    assert_eq!(smooth.run().world().steps(), 1000);
    assert_eq!(smooth.run().world(), rough.run().world());
}

/// The player's speed is simulated seconds per real second.
#[test]
fn the_rate_scales_simulated_time() {
    let mut slow = chain();
    slow.apply(Intent::Speed(0.1));
    for _ in 0..60 {
        slow.advance(1.0 / 60.0);
    }
    assert_eq!(slow.run().world().steps(), 100);
}

/// After a very long frame, as behind another window, the simulation makes at most a tenth of a second of steps.
#[test]
fn a_long_frame_does_not_jump() {
    let mut model = chain();
    model.advance(60.0);
    assert_eq!(model.run().world().steps(), 100);
}

/// A machine that cannot keep up is reported with the rate that it reaches, and no longer once it keeps up.
#[test]
fn a_slow_machine_is_honest() {
    let mut model = chain();
    assert_eq!(model.run().slow_rate(&model.runs.player), None);
    model.move_to(Stepping::within_frame(Some(Duration::ZERO)));
    for frame in 1..=200 {
        // No time at all for stepping: one step of the ten that are due in each frame.
        model.advance(0.01);
        assert_eq!(model.run().world().steps(), frame);
    }
    let rate = model.run().slow_rate(&model.runs.player).expect("a rate");
    assert!((rate - 0.1).abs() < 0.01, "a tenth of real time, not {rate}");
    model.move_to(Stepping::within_frame(None));
    for _ in 0..200 {
        model.advance(0.01);
    }
    assert_eq!(model.run().slow_rate(&model.runs.player), None);
}

/// While paused no steps are made.
#[test]
fn pause_stops_time() {
    let mut model = super::model("six-link-chain");
    model.advance(1.0);
    assert_eq!(model.run().world().steps(), 0);
}

/// Switching the scheme leaves the world unchanged to the bit, and each scheme keeps the parameters that it had last.
#[test]
fn switching_the_scheme_does_not_touch_the_world() {
    let mut model = chain();
    model.advance(0.1);
    let before = model.run().world().clone();
    let baumgarte = TABLE.iter().position(|scheme| scheme.info().key == "baumgarte_velocity");
    let baumgarte = baumgarte.expect("a scheme");
    for index in 0..TABLE.len() {
        model.apply(Setting::Scheme(index));
        let method = model.run().method().clone();
        assert_eq!(model.run().scheme_index(), index);
        assert!(method.stabilizer.info().levels.contains(&method.level));
        if index == baumgarte {
            let tuned = method.with("alpha", 123.0).expect("in range");
            model.apply(Setting::Stabilizer(tuned.stabilizer));
        }
    }
    assert_eq!(model.run().world(), &before);
    model.apply(Setting::Scheme(baumgarte));
    assert_eq!(model.run().method().stabilizer.values.get("alpha"), Some(123.0));
    model.apply(Command::StepForward);
    assert_eq!(model.run().world().steps(), before.steps() + 1);
}

/// A scheme returns to the level that it had last, or else to its natural one: the detour over a scheme of the acceleration level
/// does not leave the next one there. A level that comes with a scheme is said and marked.
#[test]
fn a_scheme_returns_to_its_own_level() {
    let mut model = chain();
    model.apply(scheme("baumgarte_acceleration"));
    assert_eq!(model.run().method().level, Level::Acceleration);
    model.settle();
    let said = model.news.toast.take().expect("a message").text;
    assert!(said.contains("acceleration level"), "'{said}'");
    model.apply(scheme("post_stabilization"));
    assert_eq!(model.run().method().level, Level::Velocity);
    model.settle();
    let said = model.news.toast.take().expect("a message").text;
    assert!(said.contains("velocity level"), "'{said}'");
    model.apply(Setting::Level(Level::Acceleration));
    model.apply(Setting::Integrator(Integrator::Rk4));
    model.apply(scheme("baumgarte_velocity"));
    assert_eq!(model.run().method().level, Level::Velocity);
    model.apply(scheme("post_stabilization"));
    let method = model.run().method();
    assert_eq!((method.level, method.integrator), (Level::Acceleration, Integrator::Rk4));
    model.news.toast = None;
    model.apply(scheme("baumgarte_acceleration"));
    assert_eq!(model.news.toast, None, "the level is the same");
    let marks = model.run().history().marks();
    assert!(marks.filter(|mark| mark.subject == "level").count() > 0);
}

/// Restarting gives the scene's start and an empty record, and keeps the scheme that was chosen.
#[test]
fn restart_keeps_the_scheme() {
    let mut model = chain();
    model.advance(0.1);
    model.apply(Setting::Scheme(TABLE.len() - 1));
    model.apply(Command::Restart);
    assert_eq!(model.run().world(), &model.run().scene.world);
    assert_eq!(model.run().scheme_index(), TABLE.len() - 1);
    assert_eq!(model.run().history().span(), Some([0.0, 0.0]));
}

/// A failed step pauses the run, shows the reason, and leaves the world unchanged.
#[test]
fn a_failed_step_stops_and_says_why() {
    let mut model = chain();
    model.apply(scheme("baumgarte_acceleration"));
    model.apply(Setting::TimeStep(-1.0));
    let before = model.run().world().clone();
    model.advance(0.1);
    assert!(model.run().failure().is_some_and(|failure| failure.text.contains("time step")));
    assert!(!model.runs.player.playing);
    assert_eq!(model.run().world(), &before);
}

/// Failures name the body that would get an infinite state, or give its id if it has been removed.
#[test]
fn failures_name_the_body() {
    let world = super::scene("six-link-chain").world;
    let name = world.bodies()[3].name.clone();
    let [third, last] = [3, 6].map(|index| world.body_ids()[index]);
    let text = reason(&StepError::NotFinite { body: third, number: "velocity" }, &world);
    assert!(!name.is_empty() && text.starts_with(&format!("body '{name}' would")), "{text}");
    let mut world = world;
    world.remove_body(last).unwrap();
    let text = reason(&StepError::NotFinite { body: last, number: "angle" }, &world);
    assert!(text.starts_with("body 6 would"), "{text}");
}

/// Changes are marked in the plots with what was changed.
#[test]
fn changes_are_marked() {
    let mut model = chain();
    model.apply(scheme("anitescu_hart"));
    model.settle();
    let tuned = model.run().method().clone().with("gamma", 0.5).expect("in range");
    model.apply(Setting::Stabilizer(tuned.stabilizer));
    model.apply(Setting::TimeStep(0.002));
    model.settle();
    model.settle();
    model.apply(Setting::TimeStep(0.004));
    model.advance(0.1);
    assert_eq!(mark_times(&model), [0.0; 3], "the mark stands before the steps that the change acts on");
    model.apply(Setting::TimeStep(0.002));
    model.settle();
    let labels: Vec<_> = model.run().history().marks().map(|mark| mark.label.clone()).collect();
    let name = model.run().method().stabilizer.info().name;
    assert_eq!(labels, [name, "γ = 0.5", "h = 2 ms"]);
}

/// What is saved from the middle of a run loads to the same state and method.
#[test]
fn the_present_state_can_be_saved() {
    let mut model = chain();
    model.advance(0.1);
    model.apply(Setting::Scheme(TABLE.len() - 1));
    let loaded = Scene::parse(&model.run().to_scene().to_json()).expect("what was saved");
    assert_eq!(&loaded.world, model.run().world());
    // A scheme that brings its own solver has no effort to be kept.
    let effort = loaded.settings.method.effort;
    assert_eq!(loaded.settings.method, Method { effort, ..model.run().method().clone() });
}
