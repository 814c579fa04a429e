//! All runs at the same time, moved by the same hand.

use super::comparison::{FRAME, fork, headless, place, play};
use super::model;
use driftlab::experiment::Run;
use driftlab::workbench::command::Command;
use driftlab::workbench::engine::{Stepper, Stepping};
use driftlab::workbench::intent::{Intent, Standard};
use driftlab::workbench::model::Model;
use driftlab::workbench::runs::comparison::rows;
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::runs::remedy::Remedy;
use driftlab::workbench::stage::pointer::Button;
use glam::dvec2;
use std::sync::Arc;
use std::time::Duration;

/// In threads whose budget cuts rounds short runs wait for each other: all arrive at the same time.
#[test]
fn runs_wait_for_each_other() {
    let stepper: Stepper = Arc::new(|run: &mut Run| {
        // Schemes differ in how long a step takes.
        let slow = run.method().stabilizer.info().key == "rattle";
        std::thread::sleep(Duration::from_micros(if slow { 900 } else { 100 }));
        run.advance()
    });
    let mut model = super::stepped("six-link-chain", Stepping::threaded().by(stepper));
    for scheme in ["rattle", "projection"] {
        model.apply(Intent::Beside(place(scheme)));
    }
    let start = fork(&model, 0).to_scene().to_json();
    model.runs.player.playing = true;
    let mut furthest: f64 = 0.0;
    while model.run().world().steps() < 200 {
        model.advance(FRAME);
        std::thread::sleep(Duration::from_millis(2));
        let times = [0, 1].map(|i| fork(&model, i).world().time() - model.run().world().time());
        furthest = times.into_iter().map(f64::abs).fold(furthest, f64::max);
    }
    // Never further apart than the steps of one round.
    assert!(furthest <= 0.1 + 1e-9, "{furthest}");
    play(&mut model, 0.2);
    let arrived =
        |model: &Model| (0..2).all(|i| fork(model, i).world().steps() == model.run().world().steps());
    super::frames_until(&mut model, |model| !model.is_busy() && arrived(model));
    let steps = model.run().world().steps();
    assert_eq!(fork(&model, 0).world(), &headless(&start, steps));
}

/// A reference with a small time step makes 32 steps for each of the main run's, and a change of h keeps the ratio.
#[test]
fn a_reference_keeps_its_ratio() {
    let mut model = model("six-link-chain");
    model.apply(Intent::Refer(Standard::SmallStep));
    play(&mut model, 0.05);
    let steps = |model: &Model| [model.run().world().steps(), fork(model, 0).world().steps()];
    let [main, small] = steps(&model);
    assert_eq!(small, 32 * main);
    model.apply(Setting::TimeStep(0.004));
    model.settle();
    play(&mut model, 0.1);
    let [later, smaller] = steps(&model);
    assert_eq!(smaller - small, 32 * (later - main));
    assert!((fork(&model, 0).time_step() - 0.004 / 32.0).abs() < 1e-18);
    model.apply(Intent::Remedy(Remedy::Undo));
    model.settle();
    let [h, small] = [model.run().time_step(), fork(&model, 0).time_step()];
    assert!(h < 0.004 && (small / h * 32.0 - 1.0).abs() < 1e-15, "after undoing: {h} s and {small} s");
    let table = rows(model.comparison(), None);
    assert!(table[0].apart.is_some_and(|apart| apart > 0.0) && table[1].apart.is_none());
    model.apply(Intent::Refer(Standard::Rattle));
    assert_eq!(model.comparison().forks().len(), 1, "there is one reference at a time");
    assert_eq!(fork(&model, 0).method().stabilizer.info().key, "rattle");
}

/// A pull, a push and a body moved while paused act on all runs alike.
#[test]
fn one_hand_acts_on_all() {
    let mut model = model("six-link-chain");
    model.apply(Intent::Beside(model.run().scheme_index()));
    let moved = model.run().world().bodies()[3].pose.position;
    model.apply(Intent::Press { button: Button::Left, at: moved, reach: 0.0 });
    model.apply(Intent::Drag(moved + dvec2(0.02, 0.1)));
    model.apply(Intent::Drag(moved + dvec2(0.02, 0.2)));
    model.apply(Intent::Release);
    assert!((model.run().world().bodies()[3].pose.position - moved).length() > 0.1);
    assert_eq!(fork(&model, 0).world().bodies(), model.run().world().bodies());
    model.runs.player.playing = true;
    for frame in 0..40 {
        let at = model.run().world().bodies()[5].pose.position;
        match frame {
            5 => model.apply(Intent::Press { button: Button::Left, at, reach: 0.0 }),
            6..12 => model.apply(Intent::Drag(at + dvec2(0.1, 0.1))),
            12 => model.apply(Intent::Release),
            20 => model.apply(Intent::Press { button: Button::ShiftLeft, at, reach: 0.0 }),
            21..26 => model.apply(Intent::Drag(at + dvec2(0.0, -0.1))),
            26 => model.apply(Intent::Release),
            _ => {}
        }
        model.advance(FRAME);
        assert_eq!(fork(&model, 0).world(), model.run().world(), "frame {frame}");
    }
}

/// A hand that begins to push while the main run still lacks steps that the others have made acts on all from the same step on.
#[test]
fn a_hand_acts_from_the_same_step_on() {
    const BUDGET: Duration = Duration::from_millis(12);
    let stepper: Stepper = Arc::new(|run: &mut Run| {
        // A step of the main run takes more than a budget, so that the fork is ahead as soon as it makes two within one.
        let slow = run.method().stabilizer.info().key == "baumgarte_velocity";
        std::thread::sleep(if slow { BUDGET } else { Duration::ZERO });
        run.advance()
    });
    let stepping = Stepping::within_frame(Some(BUDGET)).by(stepper);
    let mut model = super::stepped("six-link-chain", stepping);
    model.apply(Setting::Scheme(place("baumgarte_velocity")));
    model.settle();
    model.apply(Intent::Beside(place("none")));
    model.runs.player.playing = true;
    let times = |model: &Model| [model.run().world().time(), fork(model, 0).world().time()];
    while times(&model)[0] >= times(&model)[1] {
        model.advance(0.05);
    }
    let at = model.run().world().bodies()[6].pose.position;
    model.apply(Intent::Press { button: Button::ShiftLeft, at, reach: 0.0 });
    model.apply(Intent::Drag(at + dvec2(0.0, 0.1)));
    // A run without a push, as far as the fork has come.
    let mut scene = super::scene("six-link-chain");
    scene.settings.method = model.run().method().clone();
    let steps = fork(&model, 0).world().steps();
    let mut alone = Run::new(&scene, steps);
    assert!(alone.by_ref().all(|report| report.is_ok()));
    while model.run().world().steps() < steps {
        model.advance(0.0);
    }
    assert_eq!(
        model.run().world().bodies(),
        alone.world().bodies(),
        "the push acts from the next round on"
    );
}

/// A recording is made and replayed by all runs: the fork that has the main run's scheme makes the same steps.
#[test]
fn a_recording_acts_on_all() {
    let mut model = model("six-link-chain");
    model.apply(Intent::Beside(model.run().scheme_index()));
    model.apply(Command::Record);
    for frame in 0..30 {
        let at = model.run().world().bodies()[5].pose.position;
        match frame {
            5 => model.apply(Intent::Press { button: Button::Left, at, reach: 0.0 }),
            6..20 => model.apply(Intent::Drag(at + dvec2(0.1, 0.1))),
            20 => model.apply(Intent::Release),
            _ => {}
        }
        model.advance(FRAME);
        assert_eq!(fork(&model, 0).world(), model.run().world(), "frame {frame}");
    }
    let end = model.run().world().time();
    model.apply(Command::Record);
    assert_eq!([model.run().world().steps(), fork(&model, 0).world().steps()], [0, 0]);
    play(&mut model, end);
    assert_eq!(fork(&model, 0).world(), model.run().world());
}
