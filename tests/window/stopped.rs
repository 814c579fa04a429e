//! A run that stops by itself: the message about it stays while the mouse is down, the runs beside it stop at the same
//! time, and slow motion ends with what it shows.

use super::comparison::FRAME;
use driftlab::experiment::Run;
use driftlab::report::StepError;
use driftlab::scene::stabilizer_from;
use driftlab::workbench::command::Command;
use driftlab::workbench::engine::{Stepper, Stepping};
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::Model;
use driftlab::workbench::runs::live_run::{LiveRun, Setting};
use driftlab::workbench::runs::player::Player;
use driftlab::workbench::runs::remedy::Remedy;
use driftlab::workbench::stage::pointer::{Button, Hold};
use glam::dvec2;
use std::sync::Arc;

/// When the press of the mouse button began, s of the window's time.
const PRESSED: Option<f64> = Some(7.5);

/// The first screen: the six-link chain, and beside it the same one held together.
fn first_screen(stepping: Stepping) -> Model {
    Model::new(None, Player::new(true), stepping).expect("a model")
}

/// A frame, as the window makes it, with a button of the mouse down or not.
fn frame(model: &mut Model, pressed: Option<f64>) {
    model.runs.press_since(pressed);
    model.settle();
    model.advance(FRAME);
}

fn set(model: &mut Model, text: &str) {
    let stabilizer = stabilizer_from(text, model.run().time_step()).expect("a scheme");
    model.apply(Setting::Stabilizer(stabilizer));
}

/// The first screen under Baumgarte's acceleration level, whose α is dragged from 50 1/s to 8e5 1/s and back while 90
/// frames are drawn; where its run stopped, s.
fn dragged(stepping: Stepping) -> (Model, f64) {
    let mut model = first_screen(stepping);
    model.apply(Setting::Scheme(2));
    for _ in 0..30 {
        frame(&mut model, None);
    }
    let mut stopped = None;
    for i in 0..90 {
        let way = f64::from(45 - (i - 45_i32).abs()) / 45.0;
        set(&mut model, &format!("baumgarte_acceleration,alpha={},beta=50", 50.0 * 16000_f64.powf(way)));
        frame(&mut model, PRESSED);
        if !model.runs.player.playing && stopped.is_none() {
            stopped = Some(model.run().world().time());
        }
        // The answer of a thread, however busy the machine is: without it nothing blows up while the slider is far out.
        while model.comparison().is_busy() && model.runs.player.playing {
            std::thread::sleep(std::time::Duration::from_millis(1));
            model.advance(0.0);
        }
    }
    (model, stopped.expect("it blows up"))
}

/// The end of a run's figures and its time, s.
fn ends(run: &LiveRun) -> [f64; 2] {
    [run.history().span().expect("figures")[1], run.world().time()]
}

/// A run that blows up while its parameter is dragged says so for as long as the button is down and afterwards,
/// although the slider goes on sending values; the next change by a person takes the message away.
#[test]
fn the_message_stays_while_a_slider_is_dragged() {
    for stepping in [Stepping::within_frame(None), Stepping::threaded()] {
        let (mut model, stopped) = dragged(stepping);
        assert!(!model.runs.player.playing);
        assert_eq!(model.run().world().time(), stopped);
        assert_eq!(model.run().failure().expect("a message").heading, "The run blew up");
        assert_eq!(model.invitation(), None, "the card says what to do");
        frame(&mut model, None);
        assert!(model.run().failure().is_some(), "the release takes nothing away");
        set(&mut model, "baumgarte_acceleration,alpha=50,beta=50");
        frame(&mut model, Some(9.0));
        assert!(model.run().failure().is_none(), "another press is another try");
    }
}

/// The same holds for a run beside the main one, which waits until the next press.
#[test]
fn a_fork_that_is_dragged_says_so_as_well() {
    let mut model = first_screen(Stepping::within_frame(None));
    let id = model.comparison().forks()[0].id;
    model.apply(Intent::Edit(Some(id)));
    for i in 0..40 {
        set(&mut model, &format!("baumgarte_velocity,alpha={}", 5000 + i));
        frame(&mut model, PRESSED);
    }
    assert!(model.runs.player.playing, "the main run goes on");
    assert!(model.comparison().forks()[0].run().failure().is_some());
}

/// A run in which no recorded state can be seen stops with a message as well: here a link has been moved away by more
/// than a hundred scene sizes before the first step.
#[test]
fn a_run_that_begins_out_of_sight_says_so() {
    let mut model = super::model("six-link-chain");
    let at = model.run().world().bodies()[3].pose.position;
    model.apply(Intent::Press { button: Button::Left, at, reach: 0.0 });
    model.apply(Intent::Drag(at + dvec2(100.0, 0.0)));
    model.apply(Intent::Release);
    model.apply(Intent::Play);
    for _ in 0..30 {
        frame(&mut model, None);
    }
    assert!(
        model.runs.player.playing || model.run().failure().is_some(),
        "it stands still and says nothing"
    );
}

/// Where the main run stops the others stop: at its time, with figures up to it, and so again and again when it is tried anew.
#[test]
fn runs_stop_together() {
    for stepping in [Stepping::within_frame(None), Stepping::threaded()] {
        let (mut model, _) = dragged(stepping);
        let stands = |model: &Model| !model.runs.player.playing && !model.comparison().is_busy();
        super::frames_until(&mut model, stands);
        set(&mut model, "baumgarte_acceleration,alpha=800000,beta=50");
        for attempt in 0..3 {
            let h = model.run().time_step();
            let fork = ends(model.comparison().forks()[0].run());
            for (end, own) in fork.into_iter().zip(ends(model.run())) {
                assert!((end - own).abs() < 0.5 * h, "attempt {attempt}: {end} s beside {own} s");
            }
            model.apply(Command::TogglePlay);
            model.runs.press_since(None);
            super::frames_until(&mut model, stands);
        }
    }
}

/// A step of the main run that fails, asked for by hand or due, leaves no run ahead of it.
#[test]
fn a_failed_step_leaves_no_run_ahead() {
    let stepper: Stepper = Arc::new(|run: &mut Run| {
        let fails = run.method().stabilizer.info().key == "none" && run.world().steps() == 20;
        if fails { Err(StepError::InvalidTimeStep(0.0)) } else { run.advance() }
    });
    for by_hand in [false, true] {
        let mut model = first_screen(Stepping::within_frame(None).by(stepper.clone()));
        model.runs.player.playing = !by_hand;
        for _ in 0..30 {
            if by_hand {
                model.apply(Command::StepForward);
            }
            frame(&mut model, None);
        }
        assert!(model.run().failure().is_some());
        let [main, fork] = [ends(model.run()), ends(model.comparison().forks()[0].run())];
        assert_eq!(model.run().world().steps(), 20);
        assert!((main[0] - fork[0]).abs() < 1e-9 && main[1] == fork[1], "{main:?} {fork:?}");
    }
}

/// A pull ends where the run stops: the rest of the same drag does not move the body of the paused world.
#[test]
fn a_stopped_run_is_not_torn_by_the_drag_under_way() {
    let mut model = super::chain();
    let at = model.run().world().bodies()[5].pose.position;
    model.apply(Intent::Press { button: Button::Left, at, reach: 0.0 });
    model.apply(Intent::Drag(at + dvec2(0.0, 0.05)));
    set(&mut model, "baumgarte_velocity,alpha=5000");
    for _ in 0..200 {
        frame(&mut model, PRESSED);
        if !model.runs.player.playing {
            break;
        }
    }
    let stopped = model.run().world().bodies().to_vec();
    assert_eq!(model.hand.hold, Hold::Nothing);
    model.apply(Intent::Drag(at + dvec2(1.0, 1.0)));
    frame(&mut model, PRESSED);
    assert_eq!(model.run().world().bodies(), stopped);
    assert!(model.run().failure().is_some() && model.run().world().grab().is_none());
    model.apply(Intent::Release);
    assert_eq!(model.hand.hold, Hold::Free);
}

/// A blown-up chain, played at `speed` and watched in slow motion.
fn watching(speed: f64) -> Model {
    let mut model = super::chain();
    model.apply(Intent::Speed(speed));
    set(&mut model, "baumgarte_velocity,alpha=50");
    (0..30).for_each(|_| frame(&mut model, None));
    set(&mut model, "baumgarte_velocity,alpha=3000");
    while model.runs.player.playing {
        frame(&mut model, None);
    }
    model.apply(Intent::Remedy(Remedy::SlowMotion));
    frame(&mut model, None);
    assert!(model.runs.player.speed < 0.1 && model.runs.player.playing);
    model
}

/// Slow motion ends with what it shows: where the run stops again, where it has passed that moment under other
/// parameters, and where it is left for the start, for another moment or another scene.
#[test]
fn slow_motion_ends_with_what_it_shows() {
    let mut model = watching(1.0);
    while model.runs.player.playing {
        frame(&mut model, None);
    }
    assert_eq!(model.runs.player.speed, 1.0, "it has stopped again");

    let mut model = watching(1.0);
    let end = model.run().history().span().expect("a record")[1];
    set(&mut model, "baumgarte_velocity,alpha=50");
    while model.run().world().time() < end {
        assert!(model.runs.player.speed < 0.1 && model.runs.player.playing);
        frame(&mut model, None);
    }
    frame(&mut model, None);
    assert_eq!(model.runs.player.speed, 1.0, "the moment has passed");

    type Leave = fn(&mut Model);
    let ways: [(&str, Leave); 6] = [
        ("restart", |model| model.apply(Command::Restart)),
        ("the next scene", |model| model.apply(Command::Scene(1))),
        ("a scene of the list", |model| model.apply(Intent::OpenShipped("single-pendulum"))),
        ("another moment", |model| model.apply(Intent::Seek(0.1))),
        ("a step back", |model| model.apply(Command::StepBack)),
        ("a tour", |model| model.apply(Intent::Tour { tour: 0, step: 0 })),
    ];
    for (name, leave) in ways {
        let mut model = watching(0.5);
        leave(&mut model);
        let usual = if name == "a tour" { 1.0 } else { 0.5 };
        assert_eq!(model.runs.player.speed, usual, "{name}");
    }
}
