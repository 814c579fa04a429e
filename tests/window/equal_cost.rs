//! Runs at equal cost.

use super::comparison::{FRAME, fork, headless, place, play};
use super::panels::window;
use driftlab::experiment::Run;
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::Act;
use driftlab::workbench::engine::{Stepper, Stepping};
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::Model;
use driftlab::workbench::runs::comparison::{Budget, nearest};
use driftlab::workbench::runs::live_run::{LiveRun, Setting};
use driftlab::workbench::view_state::plot_view::Tab;
use egui_kittest::kittest::Queryable;
use std::sync::Arc;
use std::time::Duration;

/// A chain of which a step under RATTLE takes eight times as long as one under projection, and five times as long as
/// one of the main run, in processor time.
fn unequal() -> Model {
    let stepper: Stepper = Arc::new(|run: &mut Run| {
        let microseconds = match run.method().stabilizer.info().key {
            "rattle" => 4000,
            "projection" => 500,
            _ => 800,
        };
        let start = processor_time();
        let report = run.advance();
        while processor_time() - start < Duration::from_micros(microseconds) {}
        report
    });
    let mut model = super::stepped("six-link-chain", Stepping::within_frame(None).by(stepper));
    model.apply(Intent::Beside(place("rattle")));
    model.apply(Intent::Beside(place("projection")));
    play(&mut model, 0.05);
    model
}

/// Processor time of the present thread, by which steps are measured; where the system does not tell it, real time.
fn processor_time() -> Duration {
    #[cfg(target_os = "linux")]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    }
    #[cfg(not(target_os = "linux"))]
    {
        static START: std::sync::LazyLock<std::time::Instant> =
            std::sync::LazyLock::new(std::time::Instant::now);
        START.elapsed()
    }
}

fn runs(model: &Model) -> [&LiveRun; 3] {
    [model.run(), fork(model, 0), fork(model, 1)]
}

/// k is the whole number of steps whose cost is nearest to the budget, and at least one.
#[test]
fn the_nearest_number_of_steps_is_chosen() {
    for (cost, budget, steps) in [
        (10.0, 41.0, 4),
        (10.0, 46.0, 5),
        (41.0, 41.0, 1),
        (41.0, 10.0, 1),
        (30.0, 41.0, 1),
        (27.0, 41.0, 2),
        (1e-3, 1e6, 256),
    ] {
        assert_eq!(nearest(cost * 1e-6, budget * 1e-6), steps, "{cost} µs of {budget} µs");
        // No other number is nearer.
        let miss = |k: u64| (k as f64 * cost - budget).abs();
        let others = [steps - 1, steps + 1].into_iter().filter(|k| (1..=256).contains(k));
        assert!(others.map(miss).all(|other| other >= miss(steps)), "{cost} µs of {budget} µs");
    }
}

/// Each run gets the part of a frame that its measured times ask for, the slowest a whole one; whole frames lead all
/// runs to the same time, and each makes the bits of a run without a window with steps of h/k.
#[test]
fn runs_at_equal_cost_make_steps_of_a_part_of_h() {
    let mut model = unequal();
    let h = model.run().time_step();
    let costs = runs(&model).map(LiveRun::step_seconds);
    let budget = costs.into_iter().fold(0.0, f64::max);
    model.apply(Intent::EqualCost(Some(Budget::Slowest)));
    model.settle();
    let cost = model.comparison().equal_cost().expect("equal cost");
    assert_eq!(cost.budget(), budget);
    let steps = costs.map(|cost| nearest(cost, budget));
    assert_eq!(steps[1], 1);
    assert!(steps[2] > steps[0] && steps[0] > 1, "{steps:?}");
    for (run, k) in runs(&model).into_iter().zip(steps) {
        assert_eq!((run.time_step(), cost.steps(run.time_step())), (h / k as f64, k));
    }
    let saved = runs(&model).map(|run| run.to_scene().to_json());
    let from = runs(&model).map(|run| run.world().steps());
    for until in [0.06, 0.08] {
        play(&mut model, until);
        let now = model.run().world().time();
        assert!(runs(&model).iter().all(|run| (run.world().time() - now).abs() < 1e-9));
    }
    let frames = (model.run().world().steps() - from[0]) / steps[0];
    for ((run, json), (from, k)) in runs(&model).into_iter().zip(&saved).zip(from.into_iter().zip(steps)) {
        assert_eq!(run.world().steps() - from, frames * k);
        assert_eq!(run.world(), &headless(json, frames * k));
    }
    // A run that becomes the main one goes on at its own cost, and its point with it.
    let ids = [0, 1].map(|index| model.comparison().forks()[index].id);
    let trail = |model: &Model, id| model.comparison().equal_cost().expect("equal cost").trail(id).to_vec();
    let before = trail(&model, Some(ids[1]));
    model.apply(Intent::Promote(ids[1]));
    assert_eq!((trail(&model, None), model.run().time_step()), (before, h / steps[2] as f64));
    model.apply(Intent::Promote(ids[1]));
    // A single step is a frame.
    let before = model.run().world().steps();
    model.apply(Command::StepForward);
    (0..3).for_each(|_| model.advance(FRAME));
    assert_eq!(model.run().world().steps() - before, steps[0]);
    let now = model.run().world().time();
    assert!(runs(&model).iter().all(|run| (run.world().time() - now).abs() < 1e-9));
    let trail = model.comparison().equal_cost().expect("equal cost").trail(None);
    assert!(trail.len() > 1 && trail.windows(2).all(|pair| pair[0].error <= pair[1].error));
}

/// The switch can be thrown back and undone: the same states and time steps as before.
#[test]
fn the_switch_undone_gives_back_the_state() {
    let mut model = unequal();
    let state =
        |model: &Model| runs(model).map(|run| (run.world().clone(), run.method().clone(), run.time_step()));
    let before = state(&model);
    model.apply(Intent::EqualCost(Some(Budget::Slowest)));
    assert!(state(&model) != before);
    play(&mut model, 0.06);
    model.apply(Command::Build(Act::Undo));
    assert!(state(&model) == before && model.comparison().equal_cost().is_none());
    model.apply(Intent::EqualCost(Some(Budget::Seconds(2e-3))));
    let budget = model.comparison().equal_cost().map(|cost| cost.budget());
    assert_eq!(budget, Some(2e-3));
    model.apply(Intent::EqualCost(None));
    assert!(state(&model) == before && model.comparison().equal_cost().is_none());
    // A longer time step of the main run is a longer frame.
    model.apply(Intent::EqualCost(Some(Budget::Slowest)));
    let steps = runs(&model).map(|run| run.time_step());
    model.apply(Setting::TimeStep(2.0 * steps[0]));
    let cost = model.comparison().equal_cost().expect("equal cost");
    for (run, h) in runs(&model).into_iter().zip(steps) {
        assert_eq!(cost.steps(run.time_step()), (before[0].2 / h).round() as u64);
    }
}

/// Without a step there is nothing to go by, which is said.
#[test]
fn without_a_measured_step_the_switch_says_so() {
    let mut model = super::model("six-link-chain");
    model.apply(Intent::Beside(place("rattle")));
    model.apply(Intent::EqualCost(Some(Budget::Slowest)));
    assert!(model.comparison().equal_cost().is_none());
    assert!(model.news.toast.as_ref().is_some_and(|toast| toast.text.contains("play for a moment")));
}

/// The tab shows the switch, and while it is on a point for each run with its part of h.
#[test]
fn the_tab_shows_error_over_cost() {
    let mut model = unequal();
    model.shown.plot.tab = Tab::Compare;
    let mut harness = window(model);
    harness.run_steps(3);
    harness.get_by_label("Equal cost").click();
    harness.run_steps(3);
    assert!(harness.state().comparison().equal_cost().is_some());
    play(harness.state_mut(), 0.07);
    harness.run_steps(3);
    assert!(harness.query_by_label("Measure again").is_some());
    let texts = super::drawn::texts(&harness);
    assert!(
        texts.iter().any(|text| text.text.contains("RATTLE h, ")),
        "{:?}",
        texts.iter().map(|t| &t.text).collect::<Vec<_>>()
    );
    assert!(texts.iter().any(|text| text.text.contains("h/")));
}
