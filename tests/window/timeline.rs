//! The line of time and its keys.

use super::drawn::texts;
use super::panels::{drag_to, press, slider, window};
use super::{chain, model};
use driftlab::app::keys::command;
use driftlab::app::screen::OnScreen;
use driftlab::workbench::command::Command;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::runs::history::Channel;
use driftlab::workbench::runs::live_run::Setting;
use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::{Key, Modifiers, PointerButton, pos2};

/// Arrows make or take back one step, with Shift ten; Home and End go to the ends of the history.
#[test]
fn keys_move_the_cursor() {
    let mut model = chain();
    model.advance(0.05);
    let steps = [
        (Key::ArrowLeft, Modifiers::NONE, 49),
        (Key::ArrowLeft, Modifiers::SHIFT, 39),
        (Key::ArrowRight, Modifiers::NONE, 40),
        (Key::ArrowRight, Modifiers::SHIFT, 50),
        (Key::ArrowRight, Modifiers::SHIFT, 60),
        (Key::Home, Modifiers::NONE, 0),
        (Key::ArrowRight, Modifiers::SHIFT, 10),
        (Key::End, Modifiers::NONE, 60),
    ];
    for (key, modifiers, expected) in steps {
        model.apply(command(key, modifiers, false).expect("a command"));
        assert_eq!(model.run().world().steps(), expected, "{modifiers:?} {key:?}");
    }
    assert!(!model.runs.player.playing);
}

/// Dragging along the line of time shows the past, and pauses; its right end is the last recorded state.
#[test]
fn dragging_shows_the_past() {
    let mut model = chain();
    for _ in 0..60 {
        model.advance(1.0 / 60.0);
    }
    let end = model.run().world().time();
    let mut harness = window(model);
    let line = slider(&harness, "history");
    let middle = line.center();
    drag_to(&mut harness, pos2(line.right() - 12.0, middle.y), middle);
    let run = harness.state().run();
    assert!(!harness.state().runs.player.playing);
    assert!((run.world().time() - 0.5 * end).abs() < 0.02 * end, "t = {} of {end}", run.world().time());
    assert_eq!(run.recorded_span(), [0.0, end]);
    drag_to(&mut harness, middle, pos2(line.right(), middle.y));
    assert_eq!(harness.state().run().world().time(), end);
}

/// The history takes no more memory than its limit: the oldest states are forgotten, the newest kept.
#[test]
fn the_history_is_bounded() {
    let mut model = model("six-link-chain");
    model.runs.player.playing = true;
    let limit = 200_000;
    model.limit_history(limit);
    for _ in 0..300 {
        model.advance(1.0 / 60.0);
        assert!(model.comparison().memory() <= limit);
    }
    let [from, to] = model.run().recorded_span();
    assert!(from > 0.5 && (to - 5.0).abs() < 0.02, "{from} to {to}");
    model.apply(Intent::Seek(0.0));
    // The present state is kept as well before leaving it, for which another one may be forgotten.
    assert!((from..from + 0.1).contains(&model.run().world().time()));
}

/// The record knows which scheme made which steps, also after going back and changing it there.
#[test]
fn lines_have_the_colour_of_their_scheme() {
    let mut model = chain();
    let first = model.run().scheme_index();
    model.advance(0.05);
    model.apply(Setting::Scheme(6));
    model.settle();
    model.advance(0.05);
    let parts = |model: &driftlab::workbench::model::Model| -> Vec<_> {
        model.run().history().schemes([0.0, 1.0]).collect()
    };
    let [(before, scheme), (after, other)] = parts(&model)[..] else { panic!("two parts") };
    assert_eq!((scheme, other), (first, 6));
    assert!(before[0] == 0.0 && (before[1] - 0.05).abs() < 1e-9 && after == [before[1], 1.0]);
    for _ in 0..70 {
        model.apply(Command::StepBack);
    }
    model.apply(Setting::Scheme(3));
    model.settle();
    let now = model.run().world().time();
    assert_eq!(parts(&model), [([0.0, now], first), ([now, 1.0], 3)]);
}

/// Under the pointer a plot says the value of the nearest curve at the pointer's time, with its unit, wherever the samples are.
#[test]
fn plots_say_the_value_under_the_pointer() {
    let mut model = chain();
    for _ in 0..30 {
        model.advance(1.0 / 60.0);
    }
    model.runs.player.playing = false;
    let mut harness = window(model);
    // Wait until the axis has come to rest.
    harness.run_steps(60);
    let screen = harness.ctx.screen_rect();
    let canvas = harness.state().canvas();
    let at = egui_macroquad::egui::pos2(canvas.left() + 0.4 * canvas.width(), screen.bottom() - 90.0);
    harness.input_mut().events.push(egui_macroquad::egui::Event::PointerMoved(at));
    harness.run_steps(3);
    let said = harness.get_by_label_contains("joints\n").value().expect("a text");
    let lines: Vec<&str> = said.lines().collect();
    let number = |text: &str| {
        let text = text.trim_start_matches("t = ").split(' ').next()?;
        let Some((mantissa, power)) = text.split_once("·10") else { return text.parse::<f64>().ok() };
        let digit = |c: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|other| other == c).map(|d| d.to_string());
        let power: String = power.chars().map(|c| digit(c).unwrap_or("-".to_owned())).collect();
        format!("{mantissa}e{power}").parse().ok()
    };
    let value = number(lines[1]).expect("a number");
    let time = number(lines[2]).expect("a time");
    assert!(lines[1].ends_with(" m"), "{said}");
    // The record has a sample each millisecond: the value lies between those before and after, which differ by some percent.
    let run = harness.state().run();
    let sample = |time: f64| run.history().value_at(Channel::JointError, time).expect("a sample");
    let (before, after) = (sample(time - 2e-3), sample(time + 2e-3));
    let (low, high) = (before.min(after), before.max(after));
    assert!(0.98 * low <= value && value <= 1.02 * high, "{low} ≤ {value} ≤ {high} at {time}");
}

/// Two clicks on the rate, or on its slider, mean real time: at once, and also after the field that the first one
/// opened is closed.
#[test]
fn two_clicks_on_the_rate_mean_real_time() {
    for on_slider in [false, true] {
        let mut model = model("six-link-chain");
        model.apply(Intent::Speed(0.012));
        let mut harness = window(model);
        // The slider of the rate stands between the line of time and the rate.
        let line = slider(&harness, "history");
        let rate =
            texts(&harness).into_iter().find(|text| text.text.starts_with('×')).expect("the rate").rect;
        let middle = pos2(0.5 * (line.right() + rate.left()), line.center().y);
        let at = if on_slider { middle } else { rate.center() };
        for pressed in [true, false, true, false] {
            // Frames of 50 ms, in which two clicks are a double click.
            let now = harness.ctx.input(|input| input.time);
            harness.input_mut().time = Some(now + 0.05);
            press(&mut harness, at, PointerButton::Primary, pressed);
        }
        harness.run_steps(3);
        assert_eq!(harness.state().runs.player.speed, 1.0, "slider: {on_slider}");
        let elsewhere = pos2(400.0, 300.0);
        press(&mut harness, elsewhere, PointerButton::Primary, true);
        press(&mut harness, elsewhere, PointerButton::Primary, false);
        harness.run_steps(3);
        assert_eq!(harness.state().runs.player.speed, 1.0, "slider: {on_slider}");
        assert!(!harness.ctx.wants_keyboard_input());
    }
}
