//! Trajectories of other programs, played back beside the runs.

use super::comparison::{FRAME, fork, play};
use super::panels::window;
use super::{model, scene};
use driftlab::app::OpenTable;
use driftlab::app::commands::Command;
use driftlab::app::editor::Act;
use driftlab::app::intent::{Intent, Selected};
use driftlab::app::model::Model;
use driftlab::app::runs::comparison::{Role, rows};
use driftlab::app::runs::history::Channel;
use driftlab::app::runs::live_run::Setting;
use driftlab::experiment::{Run, TraceRecorder};
use driftlab::figure::Dash;
use egui_kittest::kittest::Queryable;
use glam::dvec2;
use std::fs;

pub(super) const KEY: &str = "six-link-chain";

/// The trace of the chain under its own scheme for a time, s, every so manieth step.
pub(super) fn trace(time: f64, every: u64) -> String {
    let mut scene = scene(KEY);
    // As the window steps it.
    scene.settings.method.effort = driftlab::method::Effort::Bounded;
    let mut run = Run::new(&scene, (time / scene.settings.time_step).round() as u64);
    let mut bytes = Vec::new();
    let mut trace = TraceRecorder::new(&mut bytes).expect("a header");
    trace.add(run.world()).expect("rows");
    while let Some(report) = run.next() {
        report.expect("a step");
        if run.world().steps().is_multiple_of(every) {
            trace.add(run.world()).expect("rows");
        }
    }
    trace.flush().expect("rows");
    drop(trace);
    String::from_utf8(bytes).expect("a text")
}

fn beside(model: &mut Model, text: &str) {
    model.apply(OpenTable { title: "other.csv".to_owned(), path: None, text: text.to_owned() });
    assert!(model.refusal.is_none(), "{:?}", model.refusal);
}

/// Our own run played back beside itself is at the same places at the same times, and its errors are those that our run
/// had, from the start on even if it was opened later, and after going back and forth in time.
#[test]
fn our_own_trace_is_our_run() {
    let mut model = model(KEY);
    play(&mut model, 0.2);
    beside(&mut model, &trace(1.0, 1));
    play(&mut model, 0.5);
    let lane = fork(&model, 0);
    assert_eq!(model.comparison().forks()[0].role, Role::Trajectory);
    let (ours, theirs) = (model.run().history(), lane.history());
    let [from, to] = theirs.span().expect("figures");
    assert_eq!(from, 0.0);
    assert!((to - model.run().world().time()).abs() < 1e-9);
    for time in [0.0, 0.1, 0.25, 0.4] {
        for channel in [Channel::JointError, Channel::Kinetic, Channel::Total] {
            let [a, b] = [ours, theirs].map(|own| own.value_at(channel, time + 1e-9).expect("a value"));
            assert!((a - b).abs() <= 1e-12 + 1e-9 * a.abs(), "{channel:?} at {time}: {a} and {b}");
        }
    }
    // In the plot it has a colour of its own and lies on our line.
    let chart = model.chart();
    let lines: Vec<_> = chart.curves.iter().filter(|curve| curve.dash == Dash::Solid).collect();
    let [theirs, ours] = lines[..] else { panic!("{} lines", lines.len()) };
    assert_ne!(theirs.color, ours.color);
    for ([at, error], [time, own]) in theirs.points().zip(ours.points()) {
        assert!(
            (at - time).abs() < 1e-9 && (error - own).abs() <= 1e-12 + 1e-9 * own,
            "{at} {error} {own}"
        );
    }
    let apart = |model: &Model| rows(model.comparison(), None)[1].apart.expect("a distance");
    assert!(apart(&model) < 1e-12, "{}", apart(&model));
    for time in [0.3, 0.123, 0.45] {
        model.apply(Intent::Seek(time));
        (0..3).for_each(|_| model.advance(FRAME));
        assert!((fork(&model, 0).world().time() - model.run().world().time()).abs() < 1e-9);
        assert!(apart(&model) < 1e-12);
    }
    model.apply(Command::Restart);
    play(&mut model, 0.1);
    assert!(apart(&model) < 1e-12);
}

/// A coarse trajectory is drawn between its samples, its figures are those of the samples alone; a fine one gives the
/// figures of every sample. Behind its end it stays, without further figures.
#[test]
fn figures_are_those_of_the_samples() {
    let mut model = model(KEY);
    beside(&mut model, &trace(0.2, 20));
    // The watched body is recorded where it was at the time of a sample, not at the end of the step that passes it.
    let body = model.run().world().id_of(6).expect("a body");
    model.apply(Intent::Select(Some(Selected { body, at: dvec2(0.0, 0.0) })));
    model.apply(Setting::TimeStep(0.007));
    model.settle();
    play(&mut model, 0.11);
    let lane = fork(&model, 0);
    let drop = |time: f64| lane.history().value_at(Channel::WATCHED[1], time + 1e-9).expect("a height");
    let text = trace(0.2, 20);
    let sampled = text.lines().filter(|line| line.contains(",link6,")).skip(1).take(5);
    let read =
        |row: &str| row.split(',').map(|cell| cell.parse().unwrap_or(f64::NAN)).collect::<Vec<f64>>();
    for row in sampled.map(read) {
        // The link's centre of mass is its origin.
        assert!((drop(row[1]) - row[4]).abs() < 1e-12, "{row:?}: {}", drop(row[1]));
    }
    let times: Vec<f64> = lane.history().rows(&[Channel::JointError]).map(|(time, _)| time).collect();
    assert_eq!(times.len(), 6, "{times:?}");
    assert!(times.iter().enumerate().all(|(i, time)| (time - 0.02 * i as f64).abs() < 1e-9), "{times:?}");
    play(&mut model, 0.4);
    let lane = fork(&model, 0);
    assert!((lane.history().span().expect("figures")[1] - 0.2).abs() < 1e-9);
    assert!((lane.world().time() - model.run().world().time()).abs() < 1e-9);
    assert_eq!(rows(model.comparison(), None)[1].apart, None);
    // Four times as fine as the main run's steps, which become longer.
    model.apply(Setting::TimeStep(0.004));
    model.settle();
    model.apply(Command::Restart);
    beside(&mut model, &trace(0.2, 1));
    play(&mut model, 0.1);
    assert_eq!(model.comparison().forks().len(), 1, "it takes the place of the earlier one");
    let lane = fork(&model, 0);
    let count = lane.history().rows(&[Channel::JointError]).filter(|(time, _)| *time < 0.1 + 1e-9).count();
    assert_eq!(count, 101);
}

/// What is played back is not moved by hands, settings, edits or a change of places with the main run, and is no work
/// that a scene's file lacks.
#[test]
fn a_trajectory_stays_what_it_is() {
    let mut model = model(KEY);
    beside(&mut model, &trace(1.0, 1));
    assert!(!model.is_unsaved());
    assert!(model.staged().window.is_none_or(|window| window.beside.is_empty()));
    let id = model.comparison().forks()[0].id;
    for intent in [Intent::Promote(id), Intent::Edit(Some(id))] {
        model.apply(intent);
        assert!(model.run().played().is_none() && model.edited_fork().is_none());
    }
    let before = fork(&model, 0).world().clone();
    let (comparison, body) = (model.comparison(), 3);
    let at = comparison.main().world().bodies()[body].pose.position;
    model.apply(Intent::Press {
        button: driftlab::app::view_state::pointer::Button::Left,
        at,
        reach: 0.01,
    });
    model.apply(Intent::Drag(at + dvec2(0.0, 0.1)));
    model.apply(Intent::Release);
    assert_ne!(model.run().world().bodies()[body].pose, before.bodies()[body].pose);
    assert_eq!(fork(&model, 0).world(), &before);
    model.apply(Setting::Scheme(3));
    model.settle();
    play(&mut model, 0.1);
    assert!((fork(&model, 0).world().time() - model.run().world().time()).abs() < 1e-9);
    // A copy of it goes on from there by itself.
    model.apply(Intent::Fork(Some(id)));
    let copy = fork(&model, 1);
    assert_eq!((copy.played(), copy.scheme_index()), (None, 3));
    assert_eq!(copy.world().bodies()[5].pose, fork(&model, 0).world().bodies()[5].pose);
}

/// Opening a trajectory can be undone, redone, and undone when it was closed.
#[test]
fn opening_and_closing_can_be_undone() {
    let mut model = model(KEY);
    beside(&mut model, &trace(1.0, 1));
    play(&mut model, 0.1);
    model.apply(Command::Build(Act::Undo));
    assert!(model.comparison().forks().is_empty());
    model.apply(Command::Build(Act::Redo));
    play(&mut model, 0.2);
    let id = model.comparison().forks()[0].id;
    model.apply(Intent::Close(id));
    model.apply(Command::Build(Act::Undo));
    play(&mut model, 0.3);
    let lane = fork(&model, 0);
    assert!(lane.played().is_some());
    assert!((lane.world().time() - model.run().world().time()).abs() < 1e-9);
    assert!(rows(model.comparison(), None)[1].apart.expect("a distance") < 1e-12);
}

/// A table that is dropped comes beside the run without a question, and a wrong one is refused with its lines while
/// everything stays.
#[test]
fn dropped_tables_come_beside() {
    let folder = tempfile::tempdir().expect("a folder");
    let [sound, wrong] = ["mujoco.csv", "wrong.CSV"].map(|name| folder.path().join(name));
    fs::write(&sound, trace(0.1, 1)).expect("a file");
    fs::write(&wrong, "time,body,x,y,angle\n0,lnk1,0,0,0\n").expect("a file");
    let mut model = super::recorded(KEY);
    assert!(model.is_unsaved());
    model.apply(Intent::OpenPath(sound));
    assert!(!model.document.is_asking());
    assert_eq!(model.comparison().label(fork(&model, 0)), "mujoco");
    model.apply(Intent::OpenPath(wrong));
    let refusal = model.refusal.clone().expect("a refusal");
    assert_eq!(refusal.problems, ["line 2: no body of the scene is named 'lnk1' (did you mean 'link1'?)"]);
    assert_eq!(model.comparison().forks().len(), 1);
}

/// The window shows the trajectory by the name of its file: in the table, over the picture and at the end of its line;
/// its own buttons are those that do something.
#[test]
fn the_window_names_the_trajectory() {
    let mut model = model(KEY);
    beside(&mut model, &trace(1.0, 1));
    play(&mut model, 0.3);
    model.plot.tab = driftlab::app::view_state::plot_view::Tab::Compare;
    let mut harness = window(model);
    harness.run_steps(3);
    assert!(harness.query_by_label_contains("other.csv (trajectory)").is_some());
    assert!(harness.query_by_label("Trajectory…").is_some());
    assert!(harness.query_by_label("main").is_none() && harness.query_by_label("copy").is_some());
    let shown = super::drawn::texts(&harness);
    assert!(
        shown.iter().any(|text| text.text == "other"),
        "{:?}",
        shown.iter().map(|t| &t.text).collect::<Vec<_>>()
    );
}
