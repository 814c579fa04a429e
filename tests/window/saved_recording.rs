//! The run in the window saved as a recording: made again from its kept states, with all that a person did to it.

use super::comparison::{FRAME, fork, place, play};
use super::{model, stepped};
use driftlab::experiment::judge::{Judge, Judged};
use driftlab::experiment::recording::Recording;
use driftlab::glam::{DVec2, DVec3};
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::EditorIntent;
use driftlab::workbench::editor::edit::Edit;
use driftlab::workbench::editor::item::Item;
use driftlab::workbench::engine::Stepping;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::{FileAction, Model};
use driftlab::workbench::runs::live_run::{LiveRun, Setting};
use driftlab::workbench::stage::pointer::Button;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// Share of what acted in a step that may be left of the momentum: some thousand roundings of 2⁻⁵³.
const CLOSES: f64 = 1e-12;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Saves the run of a window, and waits until it is written.
fn save(model: &mut Model, folder: &TempDir, name: &str) -> PathBuf {
    let path = folder.path().join(name);
    model.apply(Command::SaveRecording);
    let toast = model.news.toast.as_ref().map(|toast| toast.text.clone());
    assert!(matches!(model.files.file_action, Some(FileAction::SaveRecording(_))), "{toast:?}");
    model.apply(Intent::Chosen(path.clone()));
    while model.written_share().is_some() {
        model.advance(0.0);
    }
    assert!(model.news.refusal.is_none(), "{:?}", model.news.refusal);
    path
}

/// Opens a recording and reads every line, as `driftlab check` does; with its judgement.
fn read(path: &Path) -> (Recording, Judged) {
    let mut recording = Recording::open(Box::new(File::open(path).expect("a file"))).expect("a first line");
    let judged = Judge::all(&mut recording).unwrap_or_else(|problems| panic!("{problems:?}"));
    assert_eq!(recording.cut_off(), 0);
    (recording, judged)
}

fn closes(judged: &Judged) {
    let share = judged.momentum.expect("momentum is judged").share;
    assert!(share.largest <= CLOSES, "{share:?}");
}

/// The last line has the present state of the run, to the bit.
fn ends_at(recording: &mut Recording, run: &LiveRun) {
    let last = recording.times().len() - 1;
    let world = recording.world(last).expect("a line");
    assert_eq!(world.time(), run.world().time());
    let origins = |world: &driftlab::model::World| {
        world.bodies().iter().map(|body| (body.origin(), body.pose.angle)).collect::<Vec<_>>()
    };
    assert_eq!(origins(&world).len(), origins(run.world()).len());
    for (own, theirs) in origins(&world).iter().zip(origins(run.world())) {
        // A pose of the centre of mass is told by that of the origin.
        assert!((own.0 - theirs.0).length() < 1e-14 && own.1 == theirs.1, "{own:?} {theirs:?}");
    }
}

/// Pulls a body of the playing run for some frames.
fn pull(model: &mut Model, body: usize, by: DVec2) {
    let at = model.run().world().bodies()[body].pose.position;
    model.runs.player.playing = true;
    model.apply(Intent::Press { button: Button::Left, at, reach: 0.0 });
    for frame in 0..10 {
        model.apply(Intent::Drag(at + 0.1 * f64::from(frame) * by));
        model.advance(FRAME);
    }
    model.apply(Intent::Release);
    model.advance(FRAME);
    model.runs.player.playing = false;
}

/// Protects the sums of what is saved: M (v⁺ − v) = h F + Σ p for each body in each step, to rounding, with the hand's pull,
/// another scheme and another time step on the way. Each step has a line, and the last one the present state.
#[test]
fn a_run_with_the_hand_and_other_methods_closes_momentum() {
    let folder = folder();
    for key in ["ragdoll", "six-link-chain"] {
        let mut model = model(key);
        play(&mut model, 0.1);
        pull(&mut model, 3, DVec2::new(0.3, 0.8));
        model.apply(Intent::Set(Setting::Scheme(place("baumgarte_velocity"))));
        play(&mut model, 0.5);
        let h = model.run().time_step();
        model.apply(Intent::Set(Setting::TimeStep(0.5 * h)));
        play(&mut model, 0.6);
        let path = save(&mut model, &folder, &format!("{key}.jsonl"));
        let (mut recording, judged) = read(&path);
        closes(&judged);
        let steps = model.run().world().steps() - model.run().scene.world.steps();
        assert_eq!(recording.times().len() as u64, steps, "{key}");
        ends_at(&mut recording, model.run());
        let pulled = (0..recording.times().len()).filter(|place| {
            let (step, _) = recording.step(*place).expect("a line");
            !step.hand.is_empty()
        });
        assert!(pulled.count() > 10, "{key}: the hand is told");
        let named = recording.left_out().join("; ");
        assert!(named.contains("Baumgarte"), "{key}: {named}");
        // What was saved opens again, with nothing to complain about but what it names.
        model.apply(Intent::OpenPath(path));
        assert_eq!(fork(&model, 0).played().expect("a recording").end(), recording.span()[1]);
    }
}

/// Bodies that a person removes, changes, moves and throws while the run is paused came and went in the recording; from another
/// gravity on, which no line can tell, it begins anew.
#[test]
fn edits_in_the_midst_of_a_run_are_told() {
    let folder = folder();
    let mut model = model("ragdoll");
    let edit = |model: &mut Model, edit: Edit| {
        model.apply(Intent::Editor(EditorIntent::Edit(edit)));
        assert!(model.news.refusal.is_none());
    };
    play(&mut model, 0.1);
    let ids = model.run().world().body_ids().to_vec();
    let last = *ids.last().expect("a body");
    edit(&mut model, Edit::Shift(vec![(last, DVec3::new(0.01, 0.02, 0.1))]));
    play(&mut model, 0.2);
    edit(&mut model, Edit::Throw(last, DVec2::new(1.0, 2.0)));
    play(&mut model, 0.3);
    edit(&mut model, Edit::Rename(last, "another".to_owned()));
    play(&mut model, 0.4);
    edit(&mut model, Edit::Remove(vec![Item::Body(last)]));
    play(&mut model, 0.5);
    let path = save(&mut model, &folder, "edits.jsonl");
    let (mut recording, judged) = read(&path);
    closes(&judged);
    ends_at(&mut recording, model.run());
    let steps = model.run().world().steps() - model.run().scene.world.steps();
    assert_eq!(recording.times().len() as u64, steps + 4, "a line for each edit");
    let (mut went, mut came, mut thrown) = (0, 0, 0.0);
    for place in 0..recording.times().len() {
        let (step, _) = recording.step(place).expect("a line");
        went += step.went.map_or(0, |went| went.bodies.len());
        came += step.came.map_or(0, |came| came.bodies.len());
        if step.h.is_none() {
            thrown += step.hand.iter().map(|own| own.1.hypot(own.2)).sum::<f64>();
        }
    }
    assert_eq!([went, came], [2, 1], "one renamed, then removed");
    assert!(thrown > 0.0, "a throw is an impulse of the hand");
    // Gravity is that of the whole recording.
    let since = model.run().world().time();
    edit(&mut model, Edit::Gravity(DVec2::new(0.0, -1.0)));
    play(&mut model, 0.6);
    let path = save(&mut model, &folder, "gravity.jsonl");
    let (mut recording, judged) = read(&path);
    closes(&judged);
    assert_eq!(recording.span()[0], since);
    ends_at(&mut recording, model.run());
    let said = model.news.toast.as_ref().expect("a word").text.clone();
    assert!(said.contains("on: what was before"), "{said}");
}

/// A run on which nothing has happened is not saved, and one that is being written can be given up: no file is left.
#[test]
fn writing_is_given_up_by_the_same_command() {
    let folder = folder();
    let mut model = stepped("six-link-chain", Stepping::within_frame(Some(Duration::ZERO)));
    model.apply(Command::SaveRecording);
    assert!(model.files.file_action.is_none());
    assert!(model.news.toast.as_ref().is_some_and(|toast| toast.text.contains("play first")));
    (0..200).for_each(|_| model.apply(Command::StepForward));
    while model.run().is_busy() {
        model.advance(0.0);
    }
    model.apply(Command::SaveRecording);
    model.apply(Intent::Chosen(folder.path().join("run.jsonl")));
    // A step of it is made in each frame.
    (0..50).for_each(|_| model.advance(0.0));
    let share = model.written_share().expect("it is being written");
    assert!((0.2..0.3).contains(&share), "{share}");
    model.apply(Command::SaveRecording);
    assert_eq!(model.written_share(), None);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    // Compressed, by its name.
    let path = save(&mut model, &folder, "run.jsonl.gz");
    assert_eq!(std::fs::read(&path).expect("a file")[..2], [0x1f, 0x8b]);
    model.apply(Intent::OpenPath(path));
    assert!(model.news.refusal.is_none(), "{:?}", model.news.refusal);
}

/// Protects the arrows of a recording that is played back: its forces on each body are those of the run that it was made of, and
/// add up to m a; so do its contacts, whatever the step of the playback.
#[test]
fn forces_of_a_recording_are_those_of_its_run() {
    let folder = folder();
    for key in ["vertical-stack", "ragdoll", "slider-crank", "gear-train"] {
        let mut model = model(key);
        play(&mut model, 0.3);
        let path = save(&mut model, &folder, &format!("{key}.jsonl"));
        model.apply(Intent::OpenPath(path));
        assert!(fork(&model, 0).account().is_none(), "nothing has acted yet");
        play(&mut model, 0.25);
        let [ours, theirs] = [model.run(), fork(&model, 0)];
        let [own, played] = [ours, theirs].map(|run| run.account().expect("a step"));
        let [world, shown] = [ours, theirs].map(LiveRun::world);
        // Lines say nothing of what acts on bodies that cannot move.
        for body in (0..world.bodies().len()).filter(|body| world.bodies()[*body].is_dynamic()) {
            let sum = |account: &driftlab::workbench::runs::force_balance::Account, world| -> DVec3 {
                account.forces(world, body).iter().map(|force| force.value).sum()
            };
            let (mine, recorded) = (sum(own, world), sum(played, shown));
            let sizes =
                own.forces(world, body).iter().map(|force| force.value.length()).fold(1e-9, f64::max);
            assert!((mine - recorded).length() < 1e-9 * sizes, "{key}, {body}: {mine} {recorded}");
            let moved = played.inertial_force(body);
            assert!((moved - recorded).length() < 1e-9 * sizes, "{key}, {body}: {moved} {recorded}");
        }
        let force = |run: &LiveRun| {
            let contacts = run.world().contacts();
            let force = |impulse: [f64; 2]| DVec2::from_array(impulse).length() / run.time_step();
            contacts.iter().map(|own| force(own.impulse)).sum::<f64>()
        };
        let [mine, recorded] = [force(ours), force(theirs)];
        assert!((mine - recorded).abs() <= 1e-9 * mine.max(1.0), "{key}: {mine} N, {recorded} N");
        assert!(mine > 0.0 || key != "vertical-stack", "the stack stands on contacts");
        // A run of ours that goes on from there does not begin with another engine's contacts.
        let id = model.comparison().forks()[0].id;
        model.apply(Intent::Fork(Some(id)));
        assert!(fork(&model, 1).world().contacts().is_empty());
    }
}
