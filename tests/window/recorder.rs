use driftlab::experiment::Run;
use driftlab::model::World;
use driftlab::scene::{Scene, Tool};
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::Act;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::Model;
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::runs::recorder::Recorder;
use driftlab::workbench::stage::pointer::{Button, Hold};
use glam::{DVec2, dvec2};

/// One frame of a window, s.
const FRAME: f64 = 1.0 / 60.0;

/// A path of the cursor: from `from` along `along`, one point per frame.
fn drag(model: &mut Model, button: Button, from: DVec2, along: DVec2, frames: usize) {
    model.apply(Intent::Press { button, at: from, reach: 0.01 });
    for frame in 0..frames {
        model.apply(Intent::Drag(from + along * (frame as f64 / frames as f64)));
        model.advance(FRAME);
    }
    model.apply(Intent::Release);
}

fn wait(model: &mut Model, frames: usize) {
    for _ in 0..frames {
        model.advance(FRAME);
    }
}

/// Records two strokes by `button`, with a change of strength during the second; returns the world that was shown at the end,
/// and the model.
fn record(key: &str, button: Button, from: impl Fn(&World) -> DVec2, along: DVec2) -> (World, Model) {
    let mut model = super::model(key);
    model.apply(Command::Record);
    assert!(model.runs.player.playing && model.run().recorder().take().is_some());
    wait(&mut model, 4);
    let at = from(model.run().world());
    drag(&mut model, button, at, along, 12);
    wait(&mut model, 3);
    let mut weaker = model.run().push;
    weaker.turn_strength(-3.0);
    model.apply(Intent::Push(weaker));
    let at = from(model.run().world());
    drag(&mut model, button, at, -along, 9);
    wait(&mut model, 7);
    let seen = model.run().world().clone();
    model.apply(Command::Record);
    (seen, model)
}

/// Asserts that the saved scene, run without a window and replayed in the window, ends in the world that was shown, bit for bit.
fn check(seen: &World, model: &mut Model, tool: Tool) {
    let recorded = model.run().scene.interaction.clone().expect("a recording");
    assert_eq!(recorded.tool, tool);
    assert!(recorded.samples.len() > 10);
    assert_eq!((model.run().recorder().replays(), model.run().world().steps()), (true, 0));
    let saved = Scene::parse(&model.run().to_scene().to_json()).expect("what was saved");
    let mut run = Run::new(&saved, seen.steps());
    assert!(run.by_ref().all(|report| report.is_ok()));
    assert_eq!(run.world(), seen, "headless");
    let steps = driftlab::experiment::steps_for(&saved.settings, None);
    assert!(steps >= seen.steps(), "a run lasts {steps} steps, the recording {}", seen.steps());
    // On screen, in frames of another length.
    model.runs.player.playing = true;
    while model.run().world().steps() < seen.steps() {
        model.advance((seen.time() - model.run().world().time()).min(0.011));
    }
    assert_eq!(model.run().world(), seen, "on screen");
    let untouched = Scene { interaction: None, ..saved };
    let mut run = Run::new(&untouched, seen.steps());
    assert!(run.by_ref().all(|report| report.is_ok()));
    assert_ne!(run.world(), seen, "the pointer did something");
}

/// A push recorded in the window, with contacts, two strokes and a change of strength, is replayed bit for bit by a run of the
/// saved scene without a window.
#[test]
fn a_recorded_push_is_replayed_to_the_bit() {
    let beside = |world: &World| {
        let last = world.bodies().len() - 1;
        world.bodies()[last].pose.position - dvec2(1.0, 0.0)
    };
    let (seen, mut model) = record("box-at-rest", Button::Left, beside, dvec2(0.3, 0.2));
    check(&seen, &mut model, Tool::Repel);
}

/// A pull recorded in the window is replayed bit for bit by a run of the saved scene without a window.
#[test]
fn a_recorded_pull_is_replayed_to_the_bit() {
    let on = |world: &World| world.bodies()[world.bodies().len() - 1].pose.position;
    let (seen, mut model) = record("six-link-chain", Button::Left, on, dvec2(0.1, -0.2));
    check(&seen, &mut model, Tool::Grab);
}

/// A recorded pointer can be replayed under another scheme; during the replay the mouse moves no body, and taking over ends it.
#[test]
fn a_replay_runs_under_another_scheme() {
    let on = |world: &World| world.bodies()[world.bodies().len() - 1].pose.position;
    let (seen, mut model) = record("six-link-chain", Button::Left, on, dvec2(0.1, -0.2));
    let next = (model.run().scheme_index() + 1) % driftlab::schemes::TABLE.len();
    model.apply(Setting::Scheme(next));
    model.runs.player.playing = true;
    let at = model.run().world().bodies()[3].pose.position;
    for (button, hold) in [(Button::Left, Hold::Nothing), (Button::Right, Hold::View)] {
        model.apply(Intent::Press { button, at, reach: 0.1 });
        assert_eq!(model.hand.hold, hold);
    }
    while model.run().world().steps() < seen.steps() {
        model.advance(FRAME);
    }
    assert_ne!(model.run().world(), &seen);
    assert!(model.run().recorder().replays());
    model.apply(Command::Replay);
    assert_eq!(model.run().recorder(), &Recorder::Live);
    assert_eq!((model.run().world().grab(), model.run().world().repulsion()), (None, None));
}

/// Stepping back in a replay, in the middle of a stroke, and forward again gives the same bits.
#[test]
fn a_replay_can_be_stepped_back() {
    let on = |world: &World| world.bodies()[world.bodies().len() - 1].pose.position;
    let (_, mut model) = record("six-link-chain", Button::Left, on, dvec2(0.1, -0.2));
    model.runs.player.playing = true;
    wait(&mut model, 9);
    let there = model.run().world().clone();
    assert!(there.grab().is_some(), "in the middle of a stroke");
    for _ in 0..25 {
        model.apply(Command::StepBack);
    }
    assert_eq!(model.run().world().steps(), there.steps() - 25);
    for _ in 0..25 {
        model.apply(Command::StepForward);
    }
    assert_eq!(model.run().world(), &there);
}

/// After the mouse has taken over from a replay, going back to the replayed steps and forward again gives the same bits.
#[test]
fn a_replay_that_was_left_can_be_gone_back_to() {
    let on = |world: &World| world.bodies()[world.bodies().len() - 1].pose.position;
    let (_, mut model) = record("six-link-chain", Button::Left, on, dvec2(0.1, -0.2));
    model.runs.player.playing = true;
    wait(&mut model, 9);
    let there = model.run().world().clone();
    assert!(there.grab().is_some(), "in the middle of a stroke");
    model.apply(Command::Replay);
    for _ in 0..40 {
        model.apply(Command::StepBack);
    }
    for _ in 0..40 {
        model.apply(Command::StepForward);
    }
    assert_eq!(model.run().world(), &super::let_go(&there));
}

/// A recording belongs to one method: changing it ends the recording before a step that the saved scene would not reproduce.
#[test]
fn a_change_of_method_ends_a_recording() {
    let mut model = super::model("six-link-chain");
    model.apply(Command::Record);
    let at = model.run().world().bodies()[3].pose.position;
    drag(&mut model, Button::Left, at, dvec2(0.0, 0.1), 3);
    let steps = model.run().world().steps();
    assert!(!model.run().recording_is_stale());
    model.apply(Setting::TimeStep(0.5 * model.run().time_step()));
    assert!(model.run().recording_is_stale());
    model.advance(FRAME);
    model.apply(Command::StepForward);
    assert_eq!(model.run().world().steps(), steps);
    model.settle();
    assert_eq!(model.run().time_step(), model.run().scene.settings.time_step);
    assert!(model.run().scene.interaction.is_some());
}

/// A recording in which nothing was pressed leaves the scene as it was.
#[test]
fn an_empty_recording_is_none() {
    let mut model = super::model("six-link-chain");
    model.apply(Command::Record);
    wait(&mut model, 3);
    model.apply(Command::Record);
    assert_eq!(model.run().scene.interaction, None);
    assert_eq!(model.run().recorder(), &Recorder::Live);
    assert!(model.news.toast.as_ref().is_some_and(|toast| toast.text.contains("nothing is recorded")));
}

/// The replay that a recording leaves armed at the scene's start is played by Ctrl+P, like by play; once it runs,
/// Ctrl+P takes over.
#[test]
fn ctrl_p_plays_what_was_recorded() {
    let (_, mut model) =
        record("six-link-chain", Button::Left, |world| world.bodies()[3].pose.position, DVec2::Y);
    assert!(model.run().recorder().replays() && !model.runs.player.playing);
    model.apply(Command::Replay);
    assert!(model.run().recorder().replays() && model.runs.player.playing);
    wait(&mut model, 3);
    model.apply(Command::Replay);
    assert_eq!(model.run().recorder(), &Recorder::Live);
}

/// A recording is a change: undone, the scene has none and the mouse moves the bodies; made again, it is replayed to
/// the same bits.
#[test]
fn a_recording_can_be_undone() {
    let middle = |world: &World| world.bodies()[3].pose.position;
    let (seen, mut model) = record("six-link-chain", Button::Left, middle, dvec2(0.15, 0.1));
    let recorded = model.run().scene.interaction.clone();
    let labels: Vec<&str> = model.runs.undo.done().iter().map(|change| change.label.as_str()).collect();
    assert_eq!((labels, recorded.is_some()), (vec!["recording"], true));
    model.apply(Command::Build(Act::Undo));
    assert_eq!((&model.run().scene.interaction, model.run().recorder()), (&None, &Recorder::Live));
    assert_eq!(model.run().world().steps(), seen.steps(), "where the recording ended");
    assert!(model.run().world().grab().is_none());
    model.apply(Command::Build(Act::Redo));
    assert_eq!(model.run().scene.interaction, recorded);
    check(&seen, &mut model, Tool::Grab);
}
