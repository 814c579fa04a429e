use driftlab::app::commands::Command;
use driftlab::app::model::Model;
use driftlab::app::pointer::{Button, Hold};
use driftlab::app::simulation::Simulation;
use driftlab::app::tape::Tape;
use driftlab::experiment::Run;
use driftlab::model::World;
use driftlab::scene::{Scene, Tool};
use glam::{DVec2, dvec2};

/// One frame of a window, s.
const FRAME: f64 = 1.0 / 60.0;

/// A path of the cursor: from `from` along `along`, one point per frame.
fn drag(simulation: &mut Simulation, button: Button, from: DVec2, along: DVec2, frames: usize) {
    let mut hold = Hold::press_in(button, simulation, from, 0.01);
    for frame in 0..frames {
        let to = from + along * (frame as f64 / frames as f64);
        hold.follow(simulation, to);
        simulation.advance(FRAME, None);
    }
    hold.release(simulation);
}

fn wait(simulation: &mut Simulation, frames: usize) {
    for _ in 0..frames {
        simulation.advance(FRAME, None);
    }
}

/// A recording of two strokes by `button`, of which the second changes its mind about the strength; the world as it
/// was seen at the end, and the model after it.
fn record(key: &str, button: Button, from: impl Fn(&World) -> DVec2, along: DVec2) -> (World, Model) {
    let mut model = super::model(key);
    model.apply(Command::Record);
    let simulation = &mut model.simulation;
    assert!(simulation.playing && matches!(simulation.tape(), Tape::Recording(_)));
    wait(simulation, 4);
    let at = from(&simulation.world);
    drag(simulation, button, at, along, 12);
    wait(simulation, 3);
    simulation.push.turn_strength(-3.0);
    let at = from(&simulation.world);
    drag(simulation, button, at, -along, 9);
    wait(simulation, 7);
    let seen = simulation.world.clone();
    model.apply(Command::Record);
    (seen, model)
}

/// The saved scene, run without a window for as many steps, ends in what was seen to the bit.
fn check(seen: &World, model: &mut Model, tool: Tool) {
    let simulation = &mut model.simulation;
    let recorded = simulation.scene.interaction.clone().expect("a recording");
    assert_eq!(recorded.tool, tool);
    assert!(recorded.samples.len() > 10);
    assert_eq!((simulation.tape(), simulation.world.steps), (&Tape::Replay, 0));
    let saved = Scene::parse(&simulation.to_scene().to_json()).expect("what was saved");
    let mut run = Run::new(&saved, seen.steps);
    assert!(run.by_ref().all(|report| report.is_ok()));
    assert_eq!(run.world(), seen, "headless");
    let steps = driftlab::experiment::steps_for(&saved.settings, None);
    assert!(steps >= seen.steps, "a run lasts {steps} steps, the recording {}", seen.steps);
    // On screen, in frames of another length.
    simulation.playing = true;
    while simulation.world.steps < seen.steps {
        simulation.advance((seen.time - simulation.world.time).min(0.011), None);
    }
    assert_eq!(&simulation.world, seen, "on screen");
    let untouched = Scene { interaction: None, ..saved };
    let mut run = Run::new(&untouched, seen.steps);
    assert!(run.by_ref().all(|report| report.is_ok()));
    assert_ne!(run.world(), seen, "the pointer did something");
}

/// What is pushed in the window is pushed by a headless run of the saved scene, bit for bit: contacts, two strokes,
/// the wheel.
#[test]
fn a_recorded_push_is_replayed_to_the_bit() {
    let beside = |world: &World| {
        let last = world.bodies().len() - 1;
        world.bodies()[last].pose.position - dvec2(1.0, 0.0)
    };
    let (seen, mut model) = record("box-at-rest", Button::Left, beside, dvec2(0.3, 0.2));
    check(&seen, &mut model, Tool::Repel);
}

/// The same for what is pulled.
#[test]
fn a_recorded_pull_is_replayed_to_the_bit() {
    let on = |world: &World| world.bodies()[world.bodies().len() - 1].pose.position;
    let (seen, mut model) = record("six-link-chain", Button::Left, on, dvec2(0.1, -0.2));
    check(&seen, &mut model, Tool::Grab);
}

/// The same pushing with and without stabilization: another scheme can be set while the recorded pointer plays, and
/// the mouse then moves no body.
#[test]
fn a_replay_runs_under_another_scheme() {
    let on = |world: &World| world.bodies()[world.bodies().len() - 1].pose.position;
    let (seen, mut model) = record("six-link-chain", Button::Left, on, dvec2(0.1, -0.2));
    let simulation = &mut model.simulation;
    let own = simulation.scheme_index();
    simulation.set_scheme((own + 1) % driftlab::stabilizer::TABLE.len());
    simulation.playing = true;
    let at = simulation.world.bodies()[3].pose.position;
    assert_eq!(Hold::press_in(Button::Left, simulation, at, 0.1), Hold::Nothing);
    assert_eq!(Hold::press_in(Button::Right, simulation, at, 0.1), Hold::View);
    while simulation.world.steps < seen.steps {
        simulation.advance(FRAME, None);
    }
    assert_ne!(simulation.world, seen);
    assert_eq!(simulation.tape(), &Tape::Replay);
    model.apply(Command::Replay);
    assert_eq!(model.simulation.tape(), &Tape::Live);
    assert_eq!((model.simulation.world.grab, model.simulation.world.repulsion), (None, None));
}

/// Stepping back in a replay and on again comes to the same bits, in the middle of a stroke, too.
#[test]
fn a_replay_can_be_stepped_back() {
    let on = |world: &World| world.bodies()[world.bodies().len() - 1].pose.position;
    let (_, mut model) = record("six-link-chain", Button::Left, on, dvec2(0.1, -0.2));
    let simulation = &mut model.simulation;
    simulation.playing = true;
    wait(simulation, 9);
    let there = simulation.world.clone();
    assert!(there.grab.is_some(), "in the middle of a stroke");
    for _ in 0..25 {
        simulation.step_back();
    }
    assert_eq!(simulation.world.steps, there.steps - 25);
    for _ in 0..25 {
        simulation.step_once();
    }
    assert_eq!(simulation.world, there);
}

/// A recording belongs to one method: a change ends it, before a step that the saved scene would not make.
#[test]
fn a_change_of_method_ends_a_recording() {
    let mut model = super::model("six-link-chain");
    model.apply(Command::Record);
    let at = model.simulation.world.bodies()[3].pose.position;
    drag(&mut model.simulation, Button::Left, at, dvec2(0.0, 0.1), 3);
    let steps = model.simulation.world.steps;
    assert!(!model.simulation.recording_is_stale());
    model.simulation.time_step *= 0.5;
    assert!(model.simulation.recording_is_stale());
    assert_eq!(model.simulation.advance(FRAME, None), 0);
    model.simulation.step_once();
    assert_eq!(model.simulation.world.steps, steps);
    model.end_recording();
    assert_eq!(model.simulation.time_step, model.simulation.scene.settings.time_step);
    assert!(model.simulation.scene.interaction.is_some());
}

/// A recording in which nothing was pressed leaves the scene as it was.
#[test]
fn an_empty_recording_is_none() {
    let mut model = super::model("six-link-chain");
    model.apply(Command::Record);
    wait(&mut model.simulation, 3);
    model.apply(Command::Record);
    assert_eq!(model.simulation.scene.interaction, None);
    assert_eq!(model.simulation.tape(), &Tape::Live);
    assert!(model.toast.as_ref().is_some_and(|toast| toast.text.contains("nothing is recorded")));
}
