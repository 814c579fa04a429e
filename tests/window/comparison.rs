//! Runs forked from the present state and stepped side by side.

use super::model;
use driftlab::app::commands::Command;
use driftlab::app::engine::{Stepper, Stepping};
use driftlab::app::intent::Intent;
use driftlab::app::model::Model;
use driftlab::app::runs::comparison::{Column, Fork, MOST_FORKS, Order, csv, markdown, rows, since};
use driftlab::app::runs::history::Channel;
use driftlab::app::runs::live_run::{LiveRun, Setting};
use driftlab::experiment::Run;
use driftlab::model::World;
use driftlab::scene::Scene;
use driftlab::schemes::TABLE;
use std::sync::Arc;

/// Real time of a frame, s.
pub(super) const FRAME: f64 = 1.0 / 60.0;

/// Place of a scheme in the table.
pub(super) fn place(key: &str) -> usize {
    TABLE.iter().position(|scheme| scheme.info().key == key).expect("a scheme")
}

/// Plays frames until the main run has passed `time`, s.
pub(super) fn play(model: &mut Model, time: f64) {
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

/// The run of the fork with that index.
pub(super) fn fork(model: &Model, index: usize) -> &LiveRun {
    model.comparison().forks()[index].run()
}

/// The world after `steps` steps of a run without a window from the scene that is in `json`.
pub(super) fn headless(json: &str, steps: u64) -> World {
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

/// Runs under one scheme are told apart by their parameters, and by their numbers where these are the same.
#[test]
fn runs_of_one_scheme_have_names_of_their_own() {
    let mut model = model("six-link-chain");
    model.apply(Setting::Scheme(3));
    let labels = |model: &Model| -> Vec<String> {
        let comparison = model.comparison();
        let runs = [comparison.main()].into_iter().chain(comparison.forks().iter().map(Fork::run));
        runs.map(|run| comparison.label(run)).collect()
    };
    assert_eq!(labels(&model), ["Post-stabilization"]);
    model.apply(Intent::Fork(None));
    assert_eq!(labels(&model), ["Post-stabilization", "Post-stabilization · 1"]);
    let id = model.comparison().forks()[0].id;
    model.apply(Intent::Edit(Some(id)));
    model.apply(Setting::TimeStep(5e-4));
    assert_eq!(labels(&model), ["Post-stabilization", "Post-stabilization, h = 500 µs"]);
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
        if fails {
            Err(driftlab::report::StepError::NotFinite { body: run.world().body_ids()[1], number: "angle" })
        } else {
            run.advance()
        }
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
fn the_table_of_a_comparison_lists_errors_and_costs() {
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
    assert!(lines[0].starts_with("scheme,joint error now [m],largest [m],ΔE [J]"), "{}", lines[0]);
    assert!(lines[1].ends_with(",0.5,1.5"), "{}", lines[1]);
    assert!(lines[2].contains(&table[1].joint_error.to_string()));
    assert!(
        markdown(&table, "m", [0.5, 1.5])
            .lines()
            .nth(1)
            .is_some_and(|rule| rule.starts_with("| --- | ---: |"))
    );
}

/// All rows are about the same span of time: what the main run has lost before a fork began, or under another scheme,
/// does not count.
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
