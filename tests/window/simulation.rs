use driftlab::app::simulation::Simulation;
use driftlab::experiment::reason;
use driftlab::model::Grab;
use driftlab::report::StepError;
use driftlab::scene::Scene;
use driftlab::stabilizer::{Level, Stabilizer, TABLE};

fn chain(playing: bool) -> Simulation {
    Simulation::new(super::scene("six-link-chain"), playing)
}

/// Frames carry time in, and nothing else: a second is a thousand steps of 1 ms, whatever the frames were, and
/// the worlds agree bit for bit.
#[test]
fn frames_do_not_change_the_run() {
    let (mut smooth, mut rough) = (chain(true), chain(true));
    for _ in 0..60 {
        smooth.advance(1.0 / 60.0, None);
    }
    for _ in 0..20 {
        rough.advance(0.015, None);
        rough.advance(0.035, None);
    }
    assert_eq!(smooth.world.steps, 1000);
    assert_eq!(smooth.world, rough.world);
}

/// Speed is simulated seconds per real second.
#[test]
fn speed_scales_time() {
    let mut slow = chain(true);
    slow.speed = 0.1;
    for _ in 0..60 {
        slow.advance(1.0 / 60.0, None);
    }
    assert_eq!(slow.world.steps, 100);
}

/// After a minute behind another window the simulation goes on where it was; it does not jump.
#[test]
fn a_long_frame_does_not_jump() {
    let mut simulation = chain(true);
    simulation.advance(60.0, None);
    assert_eq!(simulation.world.steps, 100);
}

/// A machine that is too slow says so, with the rate that it reaches, and does not fall behind for ever.
#[test]
fn a_slow_machine_is_honest() {
    let mut simulation = chain(true);
    assert_eq!(simulation.slow_rate(), None);
    for _ in 0..200 {
        // No time at all for stepping: one step of the ten that are due in each frame.
        assert_eq!(simulation.advance(0.01, Some(std::time::Duration::ZERO)), 1);
    }
    let rate = simulation.slow_rate().expect("a rate");
    assert!((rate - 0.1).abs() < 0.01, "a tenth of real time, not {rate}");
    for _ in 0..200 {
        simulation.advance(0.01, None);
    }
    assert_eq!(simulation.slow_rate(), None);
}

/// A paused world stands still.
#[test]
fn pause_stops_time() {
    let mut simulation = chain(false);
    assert_eq!(simulation.advance(1.0, None), 0);
    assert_eq!(simulation.world.steps, 0);
}

/// Switching the scheme acts on the next step and leaves the world as it is, to the bit; each scheme comes back
/// with the parameters it was left with.
#[test]
fn switching_the_scheme_does_not_touch_the_world() {
    let mut simulation = chain(true);
    simulation.advance(0.1, None);
    let before = simulation.world.clone();
    let baumgarte = TABLE.iter().position(|scheme| scheme.info().key == "baumgarte_velocity");
    let baumgarte = baumgarte.expect("a scheme");
    for index in 0..TABLE.len() {
        simulation.set_scheme(index);
        assert_eq!(simulation.scheme_index(), index);
        assert!(simulation.method.stabilizer.info().levels.contains(&simulation.method.level));
        if index == baumgarte {
            simulation.method.stabilizer.values.set("alpha", 123.0).expect("in range");
        }
    }
    assert_eq!(simulation.world, before);
    simulation.set_scheme(baumgarte);
    assert_eq!(simulation.method.stabilizer.values.get("alpha"), Some(123.0));
    simulation.step_once();
    assert_eq!(simulation.world.steps, before.steps + 1);
}

/// Level and integrator outlive a change of scheme where the new scheme has them.
#[test]
fn the_level_is_kept_where_it_exists() {
    let mut simulation = chain(true);
    simulation.set_scheme(0);
    simulation.set_level(Level::Acceleration);
    let level = simulation.method.level;
    simulation.set_stabilizer(Stabilizer::by_key("baumgarte_acceleration").expect("a scheme"));
    assert_eq!(simulation.method.level, Level::Acceleration);
    simulation.set_stabilizer(Stabilizer::by_key("none").expect("a scheme"));
    assert_eq!(simulation.method.level, level);
}

/// A step back is the state before, bit for bit, also in the middle of a frame's steps.
#[test]
fn a_step_back_is_exact() {
    let mut simulation = chain(true);
    simulation.advance(0.05, None);
    let fiftieth = simulation.world.clone();
    simulation.step_once();
    simulation.step_back();
    assert_eq!(simulation.world, fiftieth);
    simulation.step_back();
    assert_eq!(simulation.world.steps, 49);
    let mut reference = chain(true);
    reference.advance(0.049, None);
    assert_eq!(simulation.world, reference.world);
    assert_eq!(simulation.report(), reference.report());
}

/// So many steps back are so many steps, not frames, and each is the state of that step bit for bit: across a
/// change of scheme, of h, and a pull of the mouse.
#[test]
fn many_steps_back_are_exact() {
    let mut simulation = chain(true);
    let mut states = vec![simulation.world.clone()];
    // A frame of 1 ms is one step, so that every state is seen; frames of 15 ms are what a window makes.
    let mut single = chain(true);
    for frame in 0..9 {
        for simulation in [&mut simulation, &mut single] {
            match frame {
                2 => simulation.set_scheme(6),
                4 => simulation.time_step = 0.0005,
                6 => {
                    let at = simulation.world.bodies()[3].pose.position;
                    let body = &simulation.world.bodies()[3];
                    simulation.world.grab = Some(Grab::new(3, body, at));
                }
                7 => simulation.world.grab = None,
                _ => {}
            }
        }
        simulation.advance(0.015, None);
        while single.world.steps < simulation.world.steps {
            single.step_once();
            states.push(single.world.clone());
        }
    }
    let last = simulation.world.steps as usize;
    assert_eq!(last, 4 * 15 + 5 * 30);
    assert_eq!(simulation.world, states[last]);
    for steps in (0..last).rev() {
        simulation.step_back();
        let mut expected = states[steps].clone();
        expected.grab = None;
        assert_eq!(simulation.world, expected, "step {steps}");
        assert_eq!(simulation.history().span().map(|span| span[1]), Some(expected.time));
    }
    simulation.step_back();
    assert_eq!(simulation.world.steps, 0);
}

/// Whoever steps back past a change of scheme keeps the scheme that is set now: the change is marked where it
/// then acts, and only there.
#[test]
fn a_change_moves_back_with_the_steps() {
    let mut simulation = chain(true);
    simulation.advance(0.05, None);
    simulation.set_scheme(6);
    simulation.note_changes();
    for _ in 0..10 {
        simulation.step_back();
        simulation.note_changes();
    }
    let times: Vec<_> = simulation.history().marks().map(|mark| mark.time).collect();
    assert_eq!(times, [simulation.world.time]);
    assert_eq!(simulation.scheme_index(), 6);
}

/// Restarting gives the scene's start and an empty record, and keeps the scheme that was chosen.
#[test]
fn restart_keeps_the_scheme() {
    let mut simulation = chain(true);
    simulation.advance(0.1, None);
    simulation.set_scheme(TABLE.len() - 1);
    simulation.restart();
    assert_eq!(simulation.world, simulation.scene.world);
    assert_eq!(simulation.scheme_index(), TABLE.len() - 1);
    assert_eq!(simulation.history().span(), Some([0.0, 0.0]));
}

/// A step that cannot be made stops the run, says why, and leaves the world as it was.
#[test]
fn a_failed_step_stops_and_says_why() {
    let mut simulation = chain(true);
    simulation.set_stabilizer(Stabilizer::by_key("baumgarte_acceleration").expect("a scheme"));
    simulation.time_step = f64::NAN;
    let before = simulation.world.clone();
    simulation.step_once();
    assert!(simulation.failure().is_some_and(|text| text.contains("time step")));
    assert!(!simulation.playing);
    assert_eq!(simulation.world, before);
}

/// A body that is lost is called by its name, not by its place in a list that nobody sees.
#[test]
fn failures_name_the_body() {
    let world = super::scene("six-link-chain").world;
    let name = world.bodies()[3].name.clone();
    let text = reason(&StepError::NotFinite { body: 3 }, &world);
    assert!(!name.is_empty() && text.starts_with(&format!("body '{name}' would")), "{text}");
    assert!(reason(&StepError::NotFinite { body: 99 }, &world).starts_with("body 99 would"));
}

/// Changes are marked in the plots with what was changed.
#[test]
fn changes_are_marked() {
    let mut simulation = chain(true);
    simulation.set_stabilizer(Stabilizer::by_key("anitescu_hart").expect("a scheme"));
    simulation.note_changes();
    simulation.method.stabilizer.values.set("gamma", 0.5).expect("in range");
    simulation.time_step = 0.002;
    simulation.note_changes();
    simulation.note_changes();
    simulation.time_step = 0.004;
    simulation.advance(0.1, None);
    let times: Vec<_> = simulation.history().marks().map(|mark| mark.time).collect();
    assert_eq!(times, [0.0; 3], "the mark stands before the steps that the change acts on");
    simulation.time_step = 0.002;
    simulation.note_changes();
    let labels: Vec<_> = simulation.history().marks().map(|mark| mark.label.clone()).collect();
    let name = simulation.method.stabilizer.info().name;
    assert_eq!(labels, [name, "γ = 0.5", "h = 2 ms"]);
}

/// What is saved from the middle of a run loads to the same state and method.
#[test]
fn the_present_state_can_be_saved() {
    let mut simulation = chain(true);
    simulation.advance(0.1, None);
    simulation.set_scheme(TABLE.len() - 1);
    let loaded = Scene::parse(&simulation.to_scene().to_json()).expect("what was saved");
    assert_eq!(loaded.world, simulation.world);
    assert_eq!(loaded.settings.method, simulation.method);
}
