//! Runs forked from the present state and stepped side by side.

use super::model;
use driftlab::app::commands::Command;
use driftlab::app::comparison::{Column, MOST_FORKS, Order, csv, markdown, rows, since};
use driftlab::app::engine::{Stepper, Stepping};
use driftlab::app::history::Channel;
use driftlab::app::intent::{Intent, Standard};
use driftlab::app::model::Model;
use driftlab::app::pointer::Button;
use driftlab::app::simulation::{Setting, Simulation};
use driftlab::experiment::Run;
use driftlab::model::World;
use driftlab::scene::Scene;
use driftlab::stabilizer::TABLE;
use glam::dvec2;
use std::sync::Arc;
use std::time::Duration;

const FRAME: f64 = 1.0 / 60.0;

fn place(key: &str) -> usize {
    TABLE.iter().position(|scheme| scheme.info().key == key).expect("a scheme")
}

/// Plays frames until the main run has passed `time`, s.
fn play(model: &mut Model, time: f64) {
    model.player.playing = true;
    while model.run().world().time() < time {
        model.advance(FRAME);
    }
    model.player.playing = false;
    while model.is_busy() {
        model.advance(FRAME);
    }
    // Runs that are behind catch up also while paused.
    for _ in 0..3 {
        model.advance(FRAME);
    }
}

fn fork(model: &Model, index: usize) -> &Simulation {
    model.comparison().forks()[index].run()
}

/// The world after `steps` steps of a run without a window from the scene that is in `json`.
fn headless(json: &str, steps: u64) -> World {
    let scene = Scene::parse(json).expect("a scene");
    let mut run = Run::new(&scene, steps);
    assert!(run.by_ref().all(|report| report.is_ok()));
    run.world().clone()
}

/// A fork from the present state makes the same steps, bit for bit, as a headless run of its scheme from the scene saved at that
/// moment, and the main run the same as if nothing were beside it.
#[test]
fn a_fork_makes_the_steps_of_a_headless_run() {
    for key in ["six-link-chain", "card-house"] {
        let mut model = model(key);
        play(&mut model, 0.2);
        let schemes = ["projection", "anitescu_hart", "soft"];
        let mut saved = Vec::new();
        for scheme in schemes {
            model.apply(Intent::Beside(place(scheme)));
            saved.push(fork(&model, saved.len()).to_scene().to_json());
        }
        let alone = model.run().to_scene().to_json();
        let from = model.run().world().steps();
        play(&mut model, 0.5);
        let steps = model.run().world().steps() - from;
        assert!(steps > 10);
        for (i, json) in saved.iter().enumerate() {
            assert_eq!(fork(&model, i).world(), &headless(json, steps), "{key}, {}", schemes[i]);
        }
        assert_eq!(model.run().world(), &headless(&alone, steps), "{key}");
    }
}

/// The same in threads whose budget cuts rounds short, so that runs wait for each other: all arrive at the same time.
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
    model.player.playing = true;
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
    let until = std::time::Instant::now();
    while model.is_busy() || (0..2).any(|i| fork(&model, i).world().steps() != model.run().world().steps())
    {
        model.advance(FRAME);
        assert!(until.elapsed() < Duration::from_secs(20), "the runs do not arrive at the same time");
        std::thread::sleep(Duration::from_millis(2));
    }
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
    model.player.playing = true;
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
    let stepper: Stepper = Arc::new(|run: &mut Run| {
        // The main run needs several budgets for a round that the fork makes within one.
        let slow = run.method().stabilizer.info().key == "baumgarte_velocity";
        std::thread::sleep(Duration::from_micros(if slow { 2_000 } else { 10 }));
        run.advance()
    });
    let stepping = Stepping::within_frame(Some(Duration::from_millis(12))).by(stepper);
    let mut model = super::stepped("six-link-chain", stepping);
    model.apply(Setting::Scheme(place("baumgarte_velocity")));
    model.settle();
    model.apply(Intent::Beside(place("none")));
    model.player.playing = true;
    let times = |model: &Model| [model.run().world().time(), fork(model, 0).world().time()];
    model.advance(0.05);
    let [main, ahead] = times(&model);
    assert!(main < ahead, "the fork is ahead: {main} {ahead}");
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

/// Going back shows all runs at the same past time; run on untouched, they give the same bits again. A fork is not there before it
/// began.
#[test]
fn the_past_of_all_runs() {
    let mut model = model("six-link-chain");
    play(&mut model, 0.3);
    model.apply(Intent::Beside(place("post_stabilization")));
    let begun = model.run().world().time();
    model.apply(Intent::Refer(Standard::SmallStep));
    play(&mut model, 0.8);
    let end = model.run().world().time();
    let worlds = |model: &Model| {
        [model.run().world().clone(), fork(model, 0).world().clone(), fork(model, 1).world().clone()]
    };
    let last = worlds(&model);
    for (time, forks) in [(0.7, 2), (0.5, 2), (0.1, 0), (0.4, 2)] {
        model.apply(Intent::Seek(time));
        while model.is_busy() {
            model.advance(0.0);
        }
        assert!((model.run().world().time() - time).abs() < 1e-9);
        assert_eq!(model.comparison().present().count(), forks, "t = {time}");
        for fork in model.comparison().present() {
            assert!((fork.run().world().time() - time).abs() < 1e-9, "t = {time}");
        }
    }
    assert!(begun > 0.29);
    model.apply(Intent::Seek(0.1));
    play(&mut model, end - 1e-6);
    assert_eq!(worlds(&model), last);
}

/// A change made in the past branches: the main run's old future stays to be seen, and a fork that began later begins there.
#[test]
fn acting_in_the_past_branches() {
    let mut model = model("six-link-chain");
    play(&mut model, 0.3);
    model.apply(Intent::Beside(place("post_stabilization")));
    play(&mut model, 0.6);
    model.apply(Intent::Seek(0.2));
    model.apply(Setting::Scheme(place("projection")));
    model.settle();
    let branch = model.run().branch().expect("the old future");
    let span = branch.span().expect("figures");
    assert!(span[0] > 0.2 && span[0] < 0.21 && span[1] > 0.6, "{span:?}");
    let again = fork(&model, 0);
    assert_eq!((again.origin().time, again.world()), (model.run().world().time(), model.run().world()));
    assert_eq!(again.method().stabilizer.info().key, "post_stabilization");
}

/// A fork becomes the main run and back, without a change to either.
#[test]
fn a_fork_becomes_the_main_run() {
    let mut model = model("six-link-chain");
    model.apply(Intent::Beside(place("projection")));
    play(&mut model, 0.1);
    let id = model.comparison().forks()[0].id;
    let both = [model.run().world().clone(), fork(&model, 0).world().clone()];
    assert_ne!(both[0], both[1]);
    model.apply(Intent::Promote(id));
    assert_eq!([fork(&model, 0).world(), model.run().world()], [&both[0], &both[1]]);
    model.apply(Intent::Fork(Some(id)));
    assert_eq!(fork(&model, 1).world(), &both[0], "forks can be forked again");
    play(&mut model, 0.2);
    let saved = model.run().world().steps();
    assert_eq!(fork(&model, 0).world().steps(), saved);
}

/// The switch of a scheme closes its fork again; there is room for five; another scene closes all.
#[test]
fn forks_are_kept_until_closed() {
    let mut model = model("six-link-chain");
    for place in 1..=MOST_FORKS {
        model.apply(Intent::Beside(place));
    }
    assert_eq!(model.comparison().forks().len(), MOST_FORKS);
    model.apply(Intent::Beside(MOST_FORKS + 1));
    assert_eq!(model.comparison().forks().len(), MOST_FORKS);
    assert!(model.toast.as_ref().is_some_and(|toast| toast.text.contains("close one")));
    model.apply(Intent::Beside(3));
    assert_eq!(model.comparison().forks().len(), MOST_FORKS - 1);
    assert!(model.comparison().forks().iter().all(|fork| fork.run().scheme_index() != 3));
    model.apply(Command::Restart);
    assert_eq!(model.comparison().forks().len(), MOST_FORKS - 1);
    model.apply(Intent::OpenShipped("box-at-rest"));
    assert!(model.comparison().forks().is_empty());
}

/// A fork whose step fails stays behind; the others go on. A failed step of the main run stops the player.
#[test]
fn a_failed_fork_stays_behind() {
    let stepper: Stepper = Arc::new(|run: &mut Run| {
        let fails = run.method().stabilizer.info().key == "projection" && run.world().steps() >= 30;
        // Only the message matters here.
        if fails { Err(driftlab::report::StepError::NotFinite { body: 1 }) } else { run.advance() }
    });
    let mut model = super::stepped("six-link-chain", Stepping::within_frame(None).by(stepper));
    model.apply(Intent::Beside(place("projection")));
    play(&mut model, 0.1);
    assert_eq!([model.run().world().steps(), fork(&model, 0).world().steps()], [100, 30]);
    assert!(model.run().failure().is_none() && fork(&model, 0).failure().is_some());
    assert!(rows(model.comparison(), None)[1].failed);
    model.apply(Intent::Promote(model.comparison().forks()[0].id));
    model.player.playing = true;
    model.advance(0.1);
    assert!(!model.player.playing);
}

/// The table: errors, energy and work since the fork, distances from the reference; sorted, as CSV and as Markdown.
#[test]
fn the_table_of_a_comparison() {
    let mut model = model("six-link-chain");
    play(&mut model, 0.5);
    model.apply(Intent::Beside(place("post_stabilization")));
    let [energy, work] = [model.run().report().total_energy(), model.run().work()];
    play(&mut model, 1.0);
    let table = rows(model.comparison(), None);
    assert_eq!(table.len(), 2);
    let run = model.run();
    assert!((table[0].energy - (run.report().total_energy() - energy)).abs() < 1e-12);
    assert!((table[0].work - (run.work() - work)).abs() < 1e-12);
    let other = fork(&model, 0);
    assert!((table[1].energy - (other.report().total_energy() - energy)).abs() < 1e-12);
    let apart = run.world().bodies().iter().zip(other.world().bodies());
    let apart = apart.map(|(a, b)| (a.pose.position - b.pose.position).length()).fold(0.0, f64::max);
    assert_eq!((table[0].apart, table[1].apart), (None, Some(apart)));
    assert!(table[1].joint_error < table[0].joint_error);
    let order = Order { column: Column::JointError, descending: false };
    let sorted = rows(model.comparison(), Some(order));
    assert_eq!((sorted[0].fork, sorted[1].fork), (table[1].fork, table[0].fork));
    let text = csv(&table, "m", [0.5, 1.5]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(
        lines[0].starts_with("\"scheme\",\"joint error now [m]\",\"largest [m]\",\"ΔE [J]\""),
        "{}",
        lines[0]
    );
    assert!(lines[1].ends_with(",0.5,1.5"), "{}", lines[1]);
    assert!(lines[2].contains(&table[1].joint_error.to_string()));
    assert!(
        markdown(&table, "m", [0.5, 1.5])
            .lines()
            .nth(1)
            .is_some_and(|rule| rule.starts_with("| --- | ---: |"))
    );
}

/// All rows are about the same span of time: what the main run has lost before a fork began, or under another scheme, does not count.
#[test]
fn the_rows_share_one_span_of_time() {
    let mut model = model("six-link-chain");
    model.apply(Command::Scheme(place("none")));
    play(&mut model, 2.0);
    let drifted = rows(model.comparison(), None)[0].joint_error;
    model.apply(Command::Scheme(place("post_stabilization")));
    play(&mut model, 2.5);
    model.apply(Intent::Beside(place("baumgarte_velocity")));
    let began = model.run().world().time();
    play(&mut model, 3.0);
    let now = model.run().world().time();
    assert_eq!((since(model.comparison()), now > began + 0.4), (began, true), "t = {now} s");
    let table = rows(model.comparison(), None);
    assert!(drifted > 1e-3 && table[0].joint_error < 1e-5, "{drifted} m, then {} m", table[0].joint_error);
    assert!(table[0].joint_error < table[1].joint_error);
    let steps = model.run().history().largest(Channel::JointError, [began, model.run().world().time()]);
    assert_eq!(table[0].joint_error, steps);
    assert_eq!(Column::JointError.best(&table), Some(steps));
    assert!(!Column::of(&table).contains(&Column::ContactError), "nothing touches");
}
