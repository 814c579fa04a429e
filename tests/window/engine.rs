//! The engine in a thread of its own, with steps that take as long as the test wants.

use super::comparison::FRAME;
use super::frames_until;
use driftlab::experiment::Run;
use driftlab::model::World;
use driftlab::workbench::command::Command;
use driftlab::workbench::engine::{STEPPING_BUDGET, Stepper, Stepping};
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::Model;
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::stage::pointer::Button;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::sleep;
use std::time::Duration;

/// A gate before every step, which lets through as many steps as it was opened for.
#[derive(Default)]
struct Gate {
    opened: Mutex<u64>,
    changed: Condvar,
    /// Number of steps that have reached the gate.
    waiting: AtomicU64,
}

impl Gate {
    fn open(&self, steps: u64) {
        *self.opened.lock().expect("a gate") += steps;
        self.changed.notify_all();
    }

    fn pass(&self) {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        let opened = self.opened.lock().expect("a gate");
        let closed = |opened: &mut u64| *opened == 0;
        let mut opened = self.changed.wait_while(opened, closed).expect("a gate");
        *opened = opened.saturating_sub(1);
    }

    fn waiting(&self) -> u64 {
        self.waiting.load(Ordering::SeqCst)
    }
}

/// The chain under an engine in a thread of its own, each step of which passes the gate first.
fn gated() -> (Model, Arc<Gate>) {
    let gate = Arc::new(Gate::default());
    let before_each = Arc::clone(&gate);
    let stepper: Stepper = Arc::new(move |run: &mut Run| {
        before_each.pass();
        run.advance()
    });
    (super::stepped("six-link-chain", Stepping::threaded().by(stepper)), gate)
}

/// The chain after this number of steps in a run without a window.
fn alone(steps: u64) -> World {
    let mut run = Run::new(&super::scene("six-link-chain"), steps);
    assert!(run.by_ref().all(|report| report.is_ok()));
    run.world().clone()
}

/// The window keeps drawing while a step takes long: each step ends only after twelve more frames, as many as 200 ms
/// have at 60 Hz, so that a window that waited for it would wait for ever.
#[test]
fn frames_do_not_wait_for_a_hard_step() {
    const FRAMES: u64 = 12;
    let drawn = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&drawn);
    let stepper: Stepper = Arc::new(move |run: &mut Run| {
        let first = seen.load(Ordering::SeqCst);
        while seen.load(Ordering::SeqCst) < first + FRAMES {
            sleep(Duration::from_millis(1));
        }
        run.advance()
    });
    let model = super::stepped("six-link-chain", Stepping::threaded().by(stepper));
    let mut window = super::panels::window(model);
    window.state_mut().runs.player.playing = true;
    while window.state().run().world().steps() < 2 {
        window.state_mut().advance(FRAME);
        window.step();
        drawn.fetch_add(1, Ordering::SeqCst);
    }
    assert_eq!(window.state().run().world(), &alone(2), "the newest finished state is shown");
    assert!(window.state().runs.player.playing);
}

/// The steps of the thread are those of a run without a window, to the bit.
#[test]
fn a_thread_makes_the_same_steps() {
    let mut model = super::stepped("six-link-chain", Stepping::threaded());
    model.runs.player.playing = true;
    frames_until(&mut model, |model| model.run().world().steps() > 300);
    model.runs.player.playing = false;
    frames_until(&mut model, |model| !model.comparison().is_busy());
    let world = model.run().world();
    assert_eq!(world, &alone(world.steps()));
}

/// Single steps that are asked for while one is being made are queued: none is lost, and none is made twice.
#[test]
fn steps_by_hand_wait_for_each_other() {
    let (mut model, gate) = gated();
    for _ in 0..3 {
        model.apply(Command::StepForward);
    }
    assert_eq!(model.run().world().steps(), 0);
    gate.open(1);
    frames_until(&mut model, |model| model.run().world().steps() == 1);
    assert!(model.comparison().is_busy());
    gate.open(9);
    frames_until(&mut model, |model| !model.comparison().is_busy());
    assert_eq!(model.run().world(), &alone(3));
}

/// Restarting does not wait for the step that is being made, and that step's result is discarded.
#[test]
fn a_restart_discards_the_step_under_way() {
    let (mut model, gate) = gated();
    gate.open(1);
    model.apply(Command::StepForward);
    frames_until(&mut model, |model| !model.comparison().is_busy());
    model.apply(Command::StepForward);
    frames_until(&mut model, |_| gate.waiting() == 2);
    model.apply(Command::Restart);
    assert_eq!((model.run().world().steps(), model.comparison().is_busy()), (0, false));
    // The discarded step ends now; a new one is made from the start.
    gate.open(2);
    model.apply(Command::StepForward);
    frames_until(&mut model, |model| !model.comparison().is_busy());
    assert_eq!(model.run().world(), &alone(1));
    for _ in 0..20 {
        model.advance(FRAME);
        sleep(Duration::from_millis(1));
    }
    assert_eq!(model.run().world(), &alone(1));
}

/// A step back, opening another scene, and moving a body by hand do not wait for the step that is being made.
#[test]
fn acts_do_not_wait_for_the_step_under_way() {
    let (mut model, gate) = gated();
    gate.open(2);
    model.apply(Command::StepForward);
    model.apply(Command::StepForward);
    frames_until(&mut model, |model| !model.comparison().is_busy());
    model.apply(Command::StepForward);
    frames_until(&mut model, |_| gate.waiting() == 3);
    model.apply(Command::StepBack);
    assert_eq!(model.run().world(), &alone(1));
    model.apply(Command::StepForward);
    assert_eq!(model.run().world(), &alone(2), "a state that is kept needs no step");
    model.apply(Command::StepForward);
    frames_until(&mut model, |_| gate.waiting() == 4);
    let at = model.run().world().bodies()[3].pose.position;
    model.apply(Intent::Press { button: Button::Left, at, reach: 0.0 });
    model.apply(Intent::Drag(at + glam::dvec2(0.0, 0.1)));
    let moved = model.run().world().clone();
    gate.open(2);
    for _ in 0..20 {
        model.advance(FRAME);
        sleep(Duration::from_millis(1));
    }
    assert_eq!(model.run().world(), &moved);
    model.apply(Command::StepForward);
    model.apply(Command::Scene(1));
    assert_eq!((model.run().world().steps(), model.comparison().is_busy()), (0, false));
}

/// A step that takes long is given up when another scheme is chosen; the next step leads from the same state by that scheme.
/// A step that was asked for by hand is asked for again.
#[test]
fn another_scheme_does_not_wait_for_a_long_step() {
    for by_hand in [false, true] {
        let (mut model, gate) = gated();
        gate.open(2);
        model.apply(Command::StepForward);
        model.apply(Command::StepForward);
        frames_until(&mut model, |model| !model.comparison().is_busy());
        if by_hand {
            model.apply(Command::StepForward);
        } else {
            model.runs.player.playing = true;
        }
        frames_until(&mut model, |_| gate.waiting() == 3);
        // Longer than half a second of the window's time: the step is late.
        (0..40).for_each(|_| model.advance(FRAME));
        let start = model.run().world().clone();
        model.runs.player.playing = false;
        model.apply(Command::Scheme(3));
        if !by_hand {
            model.apply(Command::StepForward);
        }
        frames_until(&mut model, |_| gate.waiting() == 4);
        // The thread that was given up passes the gate as well, as often as its job has steps.
        gate.open(1000);
        frames_until(&mut model, |model| !model.comparison().is_busy());
        let mut scene = super::scene("six-link-chain");
        scene.world = start;
        let mut run = Run::under(&scene, model.run().method().clone(), 1);
        assert!(run.by_ref().all(|report| report.is_ok()));
        assert_eq!(model.run().world(), run.world(), "by hand: {by_hand}");
    }
}

/// A change of method while a step is being made acts on the next step: the present one finishes with the method with which it
/// began.
#[test]
fn a_change_of_method_acts_on_the_next_step() {
    let (mut model, gate) = gated();
    model.apply(Command::StepForward);
    frames_until(&mut model, |_| gate.waiting() == 1);
    model.apply(Setting::Scheme(6));
    gate.open(2);
    frames_until(&mut model, |model| !model.comparison().is_busy());
    assert_eq!((model.run().world(), model.run().scheme_index()), (&alone(1), 6));
    model.apply(Command::StepForward);
    frames_until(&mut model, |model| !model.comparison().is_busy());
    assert_ne!(model.run().world(), &alone(2));
    // The recorded states know the method of each step.
    model.apply(Command::StepBack);
    assert_eq!((model.run().world(), model.run().scheme_index()), (&alone(1), 6));
    model.apply(Command::StepBack);
    assert_ne!(model.run().scheme_index(), 6);
}

/// A panic in the engine is reported like any failed step; the last finished state is kept, and the next step can be made.
#[test]
fn a_panic_is_reported() {
    for stepping in [Stepping::threaded(), Stepping::within_frame(None)] {
        let stepper: Stepper = Arc::new(|run: &mut Run| {
            assert!(run.time_step() < 0.002, "an index out of bounds");
            run.advance()
        });
        let mut model = super::stepped("six-link-chain", stepping.by(stepper));
        model.apply(Command::StepForward);
        frames_until(&mut model, |model| !model.comparison().is_busy());
        model.apply(Setting::TimeStep(0.003));
        model.runs.player.playing = true;
        frames_until(&mut model, |model| !model.runs.player.playing);
        let failure = model.run().failure().expect("a failure");
        assert!(failure.text.contains("an index out of bounds"), "{}", failure.text);
        assert_eq!(model.run().world(), &alone(1));
        model.apply(Setting::TimeStep(0.001));
        model.apply(Command::StepForward);
        frames_until(&mut model, |model| !model.comparison().is_busy());
        assert_eq!((model.run().failure(), model.run().world()), (None, &alone(2)));
    }
}

/// The window closes without waiting for the step that is being made.
#[test]
fn closing_does_not_wait() {
    let (mut model, gate) = gated();
    model.apply(Command::StepForward);
    frames_until(&mut model, |_| gate.waiting() == 1);
    // The gate is closed: waiting for the step would take for ever.
    drop(model);
    gate.open(1);
}

/// While every step takes eight frames, the window says within half a second how much simulated time really passes per
/// real second, also while a step is under way; and it goes down as soon as a step takes longer. Time passes in frames
/// of the window alone.
#[test]
fn the_rate_shown_is_the_true_one() {
    /// Frames that a step takes.
    const FRAMES: usize = 8;
    /// Share by which the rate shown may differ from the true one: two frames of the three steps that were measured.
    const EXACTNESS: f64 = 0.25;
    let gate = Arc::new(Gate::default());
    let before_each = Arc::clone(&gate);
    let stepper: Stepper = Arc::new(move |run: &mut Run| {
        before_each.pass();
        // No second step belongs to the same answer.
        sleep(STEPPING_BUDGET);
        run.advance()
    });
    let stepping = Stepping::threaded().by(stepper);
    let (ring, rung) = std::sync::mpsc::channel();
    stepping.notifier().listen(move || ring.send(()).expect("a listener"));
    let mut model = super::stepped("six-link-chain", stepping);
    model.runs.player.playing = true;
    let true_rate = model.run().time_step() / (FRAMES as f64 * FRAME);
    let mut shown = 0;
    for frame in 1..=90 {
        model.advance(FRAME);
        if frame % FRAMES == 0 {
            gate.open(1);
            rung.recv().expect("an answer");
        }
        if let Some(rate) = model.run().slow_rate(&model.runs.player).filter(|_| frame > 30) {
            shown += 1;
            assert!((rate / true_rate - 1.0).abs() < EXACTNESS, "{rate} instead of {true_rate}");
        }
    }
    assert!(shown > 20, "the rate was shown in {shown} frames only");
    (0..60).for_each(|_| model.advance(FRAME));
    let rate = model.run().slow_rate(&model.runs.player).expect("a rate");
    assert!(
        rate < 0.3 * true_rate,
        "{rate} is shown in the middle of a step that takes eight times as long"
    );
    gate.open(1);
}
