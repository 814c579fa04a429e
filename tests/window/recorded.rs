//! Recordings of other engines: opened as a scene with the run beside it, followed while they are being written.

use super::comparison::{FRAME, fork, play};
use super::panels::window;
use super::{model, scene};
use driftlab::experiment::Run;
use driftlab::experiment::judge::{Judge, Judged};
use driftlab::experiment::recording::{Recording, RunRecorder};
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::Model;
use driftlab::workbench::runs::comparison::Role;
use driftlab::workbench::runs::history::Channel;
use driftlab::workbench::view_state::plot_view::{PlotView, Tab};
use egui_kittest::kittest::Queryable;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

const KEY: &str = "six-link-chain";
/// Frames that a thread may take to notice a file: 20 s.
const PATIENCE: u32 = 2000;

/// The lines of a recording of the chain.
fn lines(steps: u64) -> Vec<String> {
    let scene = scene(KEY);
    let mut run = Run::new(&scene, steps);
    let mut recorder = RunRecorder::new(Vec::new(), &scene, &run).expect("a first line");
    while let Some(report) = run.next() {
        report.expect("a step");
        recorder.add(&run).expect("a line");
    }
    let text = String::from_utf8(recorder.into_inner()).expect("a text");
    text.lines().map(|line| format!("{line}\n")).collect()
}

fn file(folder: &tempfile::TempDir, name: &str, lines: &[String]) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, lines.concat()).expect("a file");
    path
}

fn append(path: &Path, lines: &[String]) {
    let mut file = OpenOptions::new().append(true).open(path).expect("the file");
    file.write_all(lines.concat().as_bytes()).expect("more lines");
}

/// Lets frames pass without simulated time until something has come.
fn await_that(model: &mut Model, what: &str, holds: impl Fn(&Model) -> bool) {
    for _ in 0..PATIENCE {
        model.advance(0.0);
        if holds(model) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("not within {PATIENCE} frames: {what}");
}

fn end(model: &Model, index: usize) -> f64 {
    fork(model, index).played().expect("a recording").end()
}

/// A recording of our own run is our run again: same errors at the same times, back and forth; from any moment of it another
/// run goes on.
#[test]
fn a_recording_plays_beside_its_scene() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(&folder, "chain.jsonl", &lines(300));
    let mut model = model("box-at-rest");
    model.apply(Intent::OpenPath(path));
    assert!(model.news.refusal.is_none(), "{:?}", model.news.refusal);
    assert_eq!(model.run().scene.name, scene(KEY).name);
    assert_eq!(model.comparison().forks()[0].role, Role::Trajectory);
    model.runs.player.playing = true;
    play(&mut model, 0.2);
    let apart = |model: &Model| {
        let [ours, theirs] = [model.run().world(), fork(model, 0).world()];
        let pairs = ours.bodies().iter().zip(theirs.bodies());
        pairs.map(|(a, b)| a.pose.position.distance(b.pose.position)).fold(0.0, f64::max)
    };
    assert!(apart(&model) < 1e-12, "{}", apart(&model));
    for time in [0.05, 0.1, 0.15] {
        let value = |run: &driftlab::workbench::runs::live_run::LiveRun| {
            run.history().value_at(Channel::JointError, time + 1e-9).expect("an error")
        };
        let [ours, theirs] = [value(model.run()), value(fork(&model, 0))];
        assert!((ours - theirs).abs() < 1e-12, "{ours} {theirs} at {time}");
    }
    model.apply(Intent::Seek(0.07));
    (0..3).for_each(|_| model.advance(FRAME));
    assert!(apart(&model) < 1e-12);
    // What should have happened, from here.
    let id = model.comparison().forks()[0].id;
    model.apply(Intent::Fork(Some(id)));
    assert_eq!(model.comparison().forks()[1].role, Role::Beside);
    assert!((fork(&model, 1).world().time() - fork(&model, 0).world().time()).abs() < 1e-9);
    // The recording is no scene file: saving must not replace it.
    assert!(model.document.path().is_none());
}

/// A line that cannot be read is told when it is reached; what comes before it is played.
#[test]
fn a_wrong_line_is_told_when_it_is_reached() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut lines = lines(50);
    lines[20] = lines[20].replace("\"q\":[[", "\"q\":[[\"x\",");
    let path = file(&folder, "chain.jsonl", &lines);
    let mut model = model(KEY);
    model.apply(Intent::OpenPath(path.clone()));
    model.news.toast = None;
    play(&mut model, 0.015);
    assert!(model.news.toast.is_none());
    play(&mut model, 0.03);
    let told = model.news.toast.as_ref().expect("a word").text.clone();
    assert!(told.contains("line 21: q[0]"), "{told}");
    // One that is wrong from the start leaves the running world as it is.
    fs::write(&path, lines.concat().replacen("\"bodies\":", "\"body\":", 1)).expect("a file");
    model.apply(Intent::OpenPath(path));
    let refusal = model.news.refusal.as_ref().expect("a refusal");
    assert!(refusal.problems[0].starts_with("line 1: scene"), "{refusal:?}");
}

/// A file that grows is read on, and time waits at its end; one that is replaced begins anew, with the earlier one as a ghost.
#[test]
fn a_recording_that_is_being_written_is_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let lines = lines(400);
    let path = file(&folder, "live.jsonl", &lines[..101]);
    let mut model = model("box-at-rest");
    model.apply(Intent::WatchRecording(path.display().to_string()));
    await_that(&mut model, "the first lines", |model| {
        model.comparison().forks().first().is_some_and(|_| (end(model, 0) - 0.1).abs() < 1e-9)
    });
    model.runs.player.playing = true;
    (0..30).for_each(|_| model.advance(FRAME));
    assert!((model.run().world().time() - 0.1).abs() < 2e-3, "{}", model.run().world().time());
    // Half a line is not read.
    let (head, tail) = lines[101].split_at(40);
    append(&path, &[head.to_owned()]);
    append(&path, &[tail.to_owned()]);
    append(&path, &lines[102..201]);
    await_that(&mut model, "more lines", |model| (end(model, 0) - 0.2).abs() < 1e-9);
    (0..30).for_each(|_| model.advance(FRAME));
    assert!((model.run().world().time() - 0.2).abs() < 2e-3);
    let other = file(&folder, "next.jsonl", &lines[..51]);
    fs::rename(other, &path).expect("the next build's run");
    await_that(&mut model, "another take", |model| model.comparison().forks().len() == 2);
    let titles: Vec<_> =
        [0, 1].map(|index| fork(&model, index).played().expect("a take").title.clone()).into();
    assert_eq!(titles, ["live.jsonl", "live.jsonl (2)"]);
    let labels = [0, 1].map(|index| fork(&model, index).played().expect("a take").name().to_owned());
    assert_eq!(labels, ["driftlab, live", "driftlab, live (2)"]);
    assert_eq!(model.run().world().time(), 0.0);
    await_that(&mut model, "all of it", |model| (end(model, 1) - 0.05).abs() < 1e-9);
    assert!((end(&model, 0) - 0.2).abs() < 1e-9, "the earlier take stays");
}

/// The tab Judge is there where a recording is, and has the figures of the judge once it has seen all steps; a wrong line ends
/// them.
#[test]
fn a_recording_is_judged_in_its_tab() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut lines = lines(200);
    let path = file(&folder, "chain.jsonl", &lines);
    let model = model(KEY);
    assert!(window(model).query_by_label("Judge").is_none());
    let mut model = super::model(KEY);
    model.apply(Intent::OpenPath(path.clone()));
    let view = PlotView { tab: Tab::Judge, ..model.shown.plot.clone() };
    model.apply(Intent::Plot(view));
    await_that(&mut model, "all steps", |model| model.judged().is_some_and(|own| own.steps == [200, 200]));
    let told = model.judged().expect("figures").judged;
    let mut recording =
        Recording::open(Box::new(std::io::Cursor::new(lines.concat().into_bytes()))).expect("it");
    let figures = |own: &Judged| serde_json::to_string(own).expect("figures");
    assert_eq!(figures(&told), figures(&Judge::all(&mut recording).expect("figures")));
    // The problem of a step of our own run has its own solution.
    model.runs.player.playing = true;
    play(&mut model, 0.1);
    let (number, found) = model.judged_step().expect("a step");
    let found = Result::as_ref(&found).expect("a problem");
    assert!((95..=105).contains(&number) && found.theirs.len() == 12, "{number} {}", found.theirs.len());
    let largest = found.exact.rows().iter().map(|row| row.reading.lambda.abs()).fold(0.0, f64::max);
    for (row, theirs) in found.exact.rows().iter().zip(&found.theirs) {
        let [own, theirs] = [row.reading.lambda, theirs.expect("an impulse")];
        assert!((own - theirs).abs() < 1e-9 * largest, "{own} {theirs}");
    }
    let mut shown = window(model);
    shown.get_by_label("Judge");
    shown.get_by_label("largest joint error");
    let view = PlotView { step: true, ..shown.state().shown.plot.clone() };
    shown.state_mut().apply(Intent::Plot(view));
    shown.run_steps(2);
    shown.get_by_label("λ recorded");
    let mut model = super::model(KEY);
    lines[120] = "{\"t\":0.12}\n".to_owned();
    file(&folder, "chain.jsonl", &lines);
    model.apply(Intent::OpenPath(path));
    model.apply(Intent::Plot(PlotView { tab: Tab::Judge, ..model.shown.plot.clone() }));
    await_that(&mut model, "the wrong line", |model| model.judged().is_some_and(|own| own.ended.is_some()));
    let own = model.judged().expect("figures");
    assert_eq!((own.steps, own.ended.expect("a problem").line), ([119, 200], Some(121)));
}
