//! The cursor over the recorded states: back, forward again, and what discards the recorded future.

use super::{chain, let_go, mark_times};
use driftlab::experiment::Run;
use driftlab::model::World;
use driftlab::workbench::command::Command;
use driftlab::workbench::engine::{Stepper, Stepping};
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::Model;
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::stage::pointer::Button;
use std::sync::Arc;
use std::time::Duration;

/// Grabs a body of the running world and pulls it aside.
fn pull(model: &mut Model, body: usize) {
    let at = model.run().world().bodies()[body].pose.position;
    model.apply(Intent::Press { button: Button::Left, at, reach: 0.0 });
    model.apply(Intent::Drag(at + glam::dvec2(0.1, 0.05)));
    assert!(model.run().world().grab().is_some());
}

/// A step back gives the previous state bit for bit, also between the steps of one frame.
#[test]
fn a_step_back_is_exact() {
    let mut model = chain();
    model.advance(0.05);
    let fiftieth = model.run().world().clone();
    model.apply(Command::StepForward);
    model.apply(Command::StepBack);
    assert_eq!(model.run().world(), &fiftieth);
    model.apply(Command::StepBack);
    assert_eq!(model.run().world().steps(), 49);
    let mut reference = chain();
    reference.advance(0.049);
    assert_eq!(model.run().world(), reference.run().world());
    assert_eq!(model.run().report(), reference.run().report());
    assert_eq!(model.run().work(), reference.run().work());
}

/// A run with a change of scheme, a change of h and a pull of the mouse, and all of its states.
fn eventful() -> (Model, Vec<World>) {
    let mut model = chain();
    let mut states = vec![model.run().world().clone()];
    // Single steps show every state; frames of 15 ms are like those of a window.
    let mut single = chain();
    for frame in 0..9 {
        for model in [&mut model, &mut single] {
            model.runs.player.playing = true;
            match frame {
                2 => model.apply(Setting::Scheme(6)),
                4 => model.apply(Setting::TimeStep(0.0005)),
                6 => pull(model, 3),
                7 => model.apply(Intent::Release),
                _ => {}
            }
        }
        model.advance(0.015);
        while single.run().world().steps() < model.run().world().steps() {
            single.apply(Command::StepForward);
            states.push(single.run().world().clone());
        }
    }
    (model, states)
}

/// Going back and forward again step by step shows the state of every step bit for bit, across a change of scheme, of h, and a
/// pull of the mouse.
#[test]
fn back_and_forth_is_exact() {
    let (mut model, states) = eventful();
    let last = states.len() - 1;
    assert_eq!(last, 4 * 15 + 5 * 30);
    assert_eq!(model.run().world(), &states[last]);
    let end = model.run().history().span();
    let check = |model: &Model, steps: usize| {
        let expected = let_go(&states[steps]);
        assert_eq!(model.run().world(), &expected, "step {steps}");
        assert_eq!(model.run().steps_behind(), (last - steps) as u64);
        assert_eq!(model.run().history().span(), end, "the record stays as it is");
    };
    for steps in (0..last).rev() {
        model.apply(Command::StepBack);
        check(&model, steps);
    }
    model.apply(Command::StepBack);
    assert_eq!(model.run().world().steps(), 0);
    for steps in 1..=last {
        model.apply(Command::StepForward);
        check(&model, steps);
    }
    assert!(!model.run().is_in_the_past());
}

/// Playing from a past state shows the recorded states again and continues from the last one to the same bits as a run that
/// was never taken back.
#[test]
fn playing_on_from_the_past_is_exact() {
    let (mut reference, states) = eventful();
    let (mut model, _) = eventful();
    for _ in 0..150 {
        model.apply(Command::StepBack);
    }
    model.runs.player.playing = true;
    let mut seen = 0;
    while model.run().is_in_the_past() {
        // Frames of another length than the first time.
        model.advance(0.0037);
        let steps = model.run().world().steps() as usize;
        let expected = let_go(&states[steps]);
        assert_eq!(model.run().world(), &expected, "step {steps}");
        seen += 1;
    }
    assert!(seen > 20, "{seen} frames of the past");
    reference.runs.player.playing = true;
    reference.advance(0.05);
    while model.run().world().steps() < reference.run().world().steps() {
        model.apply(Command::StepForward);
    }
    assert_eq!(model.run().world(), reference.run().world());
    assert_eq!(model.run().work(), reference.run().work());
}

/// A past state is shown with the scheme and time step of that time, and looking at it discards nothing.
#[test]
fn the_past_has_the_method_of_then() {
    let mut model = chain();
    let first = model.run().scheme_index();
    model.advance(0.05);
    model.apply(Setting::Scheme(6));
    model.settle();
    let change = mark_times(&model);
    model.advance(0.02);
    for _ in 0..30 {
        model.apply(Command::StepBack);
    }
    model.settle();
    assert_eq!((model.run().world().steps(), model.run().scheme_index()), (40, first));
    assert_eq!(mark_times(&model), change, "the change is marked where it was made");
    for _ in 0..10 {
        model.apply(Command::StepForward);
    }
    assert_eq!((model.run().world().steps(), model.run().scheme_index()), (50, 6));
}

/// A change of method in a past state discards the recorded future with its marks, once a step is made; the run continues to
/// the same bits as one that never went beyond that state.
#[test]
fn a_change_in_the_past_cuts_off_the_future() {
    let mut model = chain();
    model.advance(0.05);
    model.apply(Setting::TimeStep(0.002));
    model.advance(0.02);
    for _ in 0..30 {
        model.apply(Command::StepBack);
    }
    let here = model.run().world().time();
    model.apply(Setting::Scheme(6));
    assert!(model.run().is_in_the_past(), "no step has been made with it yet");
    model.settle();
    assert!(!model.run().is_in_the_past());
    assert_eq!(model.run().history().span(), Some([0.0, here]));
    assert_eq!(mark_times(&model), [here]);
    model.runs.player.playing = true;
    model.advance(0.05);
    let mut reference = chain();
    reference.advance(here);
    reference.apply(Setting::Scheme(6));
    reference.advance(0.05);
    assert_eq!(model.run().world(), reference.run().world());
}

/// A key that is pressed while recorded steps are being repeated acts: they do not bring the scheme of that time back.
#[test]
fn a_key_acts_while_the_past_plays() {
    let mut model = chain();
    model.advance(0.05);
    for _ in 0..30 {
        model.apply(Command::StepBack);
    }
    let slow: Stepper = Arc::new(|run: &mut Run| {
        std::thread::sleep(Duration::from_millis(5));
        run.advance()
    });
    model.move_to(Stepping::threaded().by(slow));
    model.runs.player.playing = true;
    // The first frames ask for a state that is kept; then steps are repeated.
    while !model.comparison().is_stepping() {
        model.advance(0.003);
        assert!(model.run().is_in_the_past(), "the recorded future was played without a repeated step");
    }
    model.apply(Setting::Scheme(6));
    super::frames_until(&mut model, |model| {
        !model.run().is_in_the_past() && !model.comparison().is_stepping()
    });
    let steps = model.run().world().steps();
    super::frames_until(&mut model, |model| model.run().world().steps() > steps);
    assert_eq!(model.run().scheme_index(), 6);
    assert!(!model.run().is_in_the_past());
}

/// Moving a body in a past state while paused, or pulling one while the past is played, discards the recorded future. A click
/// that moves nothing does not.
#[test]
fn a_hand_in_the_past_cuts_off_the_future() {
    let back = || {
        let mut model = chain();
        model.advance(0.05);
        for _ in 0..20 {
            model.apply(Command::StepBack);
        }
        model
    };
    let mut model = back();
    let at = model.run().world().bodies()[3].pose.position;
    model.apply(Intent::Press { button: Button::Left, at, reach: 0.0 });
    model.apply(Intent::Drag(at));
    model.apply(Intent::Release);
    assert_eq!(model.run().steps_behind(), 20);
    model.apply(Intent::Press { button: Button::Left, at, reach: 0.0 });
    model.apply(Intent::Drag(at + glam::dvec2(0.0, 0.1)));
    assert_eq!(model.run().steps_behind(), 0);
    let mut model = back();
    model.runs.player.playing = true;
    pull(&mut model, 3);
    model.advance(0.001);
    assert_eq!((model.run().world().steps(), model.run().steps_behind()), (31, 0));
    assert!(model.run().world().grab().is_some(), "the pull acts");
}
