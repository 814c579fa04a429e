//! Small things that go wrong in a hand: clicks that were drags, keys behind a question, tooltips in a slow window,
//! bodies that are struck together.

use super::panels::{click, press, window};
use driftlab::app::screen::OnScreen;
use driftlab::app::text::fonts;
use driftlab::app::{frame, theme};
use driftlab::schemes::TABLE;
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::{Act, Mode};
use driftlab::workbench::intent::{Answer, Intent};
use driftlab::workbench::model::Model;
use driftlab::workbench::options::OpenScene;
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::view_state::side_tab::SideTab;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::{Event, PointerButton, Pos2, Rect, pos2, vec2};
use serde_json::json;

fn place(key: &str) -> usize {
    TABLE.iter().position(|scheme| scheme.info().key == key).expect("a scheme")
}

/// One drag in the stability map, which sets a parameter and the time step, is one change: one undo brings both back.
#[test]
fn a_drag_in_the_map_is_one_change() {
    let mut model = super::chain();
    model.runs.player.playing = false;
    model.apply(Setting::Scheme(place("baumgarte_velocity")));
    let changes = model.runs.undo.done().len();
    let before = (model.run().method().stabilizer.clone(), model.run().time_step());
    model.runs.press_since(Some(1.0));
    for part in 1..=5 {
        let mut stabilizer = model.run().method().stabilizer.clone();
        stabilizer.values.set("alpha", 10.0 * f64::from(part)).expect("a value");
        model.apply(Setting::Stabilizer(stabilizer));
        model.apply(Setting::TimeStep(1e-3 * f64::from(part + 1)));
    }
    model.runs.press_since(None);
    assert_eq!(model.runs.undo.done().len(), changes + 1);
    model.apply(Command::Build(Act::Undo));
    assert_eq!((model.run().method().stabilizer.clone(), model.run().time_step()), before);
}

/// Behind the question about unsaved work no key acts but those of its answers: time, scheme and world stay, whatever is pressed.
#[test]
fn no_key_acts_behind_a_question() {
    let mut model = super::recorded("six-link-chain");
    model.apply(Command::Quit);
    assert!(model.document.is_asking());
    let told = |model: &Model| {
        let run = model.run();
        let shown = (
            model.layout.side,
            model.layout.plot_open,
            model.layout.panel_open,
            model.layout.help_open,
            model.layout.presenting,
        );
        (run.method().clone(), run.world().clone(), model.runs.player, shown, model.build.is_on())
    };
    let before = told(&model);
    for binding in driftlab::app::keys::BINDINGS {
        if !matches!(binding.command, Command::Dismiss | Command::TextSize(_) | Command::Screenshot) {
            model.apply(binding.command);
        }
        assert!(model.document.is_asking(), "{:?}", binding.command);
        assert_eq!(told(&model), before, "{:?}", binding.command);
    }
    model.apply(Setting::Scheme(0));
    assert_eq!(told(&model), before, "a chip");
    model.apply(Intent::Answer(Answer::Stay));
    model.apply(Command::Scheme(0));
    assert_eq!(model.run().scheme_index(), 0, "after the answer keys act again");
}

/// A new scene shows the tools of which its text speaks, whatever tab was open, also where the mouse has built before.
#[test]
fn a_new_scene_shows_its_tools() {
    for builds in [false, true] {
        let mut model = super::chain();
        if builds {
            model.apply(Command::Build(Act::Mode(Mode::Build)));
        }
        model.apply(Intent::Side(SideTab::Workings));
        model.layout.panel_open = false;
        model.apply(Command::Build(Act::New));
        assert!(model.invitation().is_some_and(|text| text.contains("Choose a tool on the right")));
        assert_eq!(
            (model.layout.side, model.layout.panel_open),
            (SideTab::Build, true),
            "builds: {builds}"
        );
    }
}

/// No scheme that has parameters is said to have none to tune.
#[test]
fn what_can_be_tuned_is_not_denied() {
    let mut model = super::chain();
    for (index, scheme) in TABLE.iter().enumerate() {
        model.apply(Setting::Scheme(index));
        let run = model.run();
        let said = driftlab::experiment::stability::Plane::of(run.method(), run.time_step());
        let denied = said.err().is_some_and(|said| said.contains("Nothing to tune"));
        assert!(!denied || scheme.info().parameters.is_empty(), "{}", scheme.info().key);
    }
}

/// A press on a body that moves on by more than 3 points is a drag and chooses nothing, in one frame or in several; one
/// that stays is a click.
#[test]
fn a_drag_of_a_few_points_is_no_click() {
    for (way, frames, clicked) in
        [(0.0, 2, true), (2.0, 2, true), (5.0, 2, false), (7.0, 2, false), (0.0, 1, true), (7.0, 1, false)]
    {
        let mut model = super::model("single-pendulum");
        model.runs.player.playing = false;
        let mut harness = window(model);
        let model = harness.state();
        let at =
            model.sight.camera.to_screen(model.pane_rect(0), model.run().world().bodies()[1].pose.position);
        let to = at + vec2(way, 0.0);
        harness.input_mut().events.push(Event::PointerMoved(at));
        harness.step();
        if frames > 1 {
            press(&mut harness, at, PointerButton::Primary, true);
            harness.input_mut().events.push(Event::PointerMoved(to));
            harness.step();
            press(&mut harness, to, PointerButton::Primary, false);
        } else {
            for (pos, pressed) in [(at, true), (to, false)] {
                let (button, modifiers) = (PointerButton::Primary, Default::default());
                harness.input_mut().events.push(Event::PointerMoved(pos));
                harness.input_mut().events.push(Event::PointerButton { pos, button, pressed, modifiers });
            }
            harness.step();
        }
        harness.run_steps(2);
        assert_eq!(harness.state().hand.selected.is_some(), clicked, "{way} points in {frames} frames");
    }
}

/// A window of so many seconds a frame.
fn slow(model: Model, seconds: f32) -> Harness<'static, Model> {
    let mut ready = false;
    let show = move |ctx: &egui_macroquad::egui::Context, model: &mut Model| {
        if !std::mem::replace(&mut ready, true) {
            return fonts::install(ctx);
        }
        frame::show(ctx, model);
    };
    let builder = Harness::builder().with_size(vec2(1280.0, 800.0)).with_step_dt(seconds);
    let mut harness = builder.build_state(show, model);
    harness.run_steps(3);
    harness
}

/// After a click tooltips come back once the pointer has moved on, at any rate of frames: a tooltip is how every number
/// here says what it is.
#[test]
fn tooltips_come_back_in_a_slow_window() {
    for seconds in [1.0 / 60.0, 0.06, 0.1, 0.25] {
        let mut harness = slow(super::model("single-pendulum"), seconds);
        click(&mut harness, "Look");
        harness.run_steps((1.0 / seconds) as usize);
        let r = harness.get_by_label("Share").bounding_box().expect("a place");
        let there: Pos2 =
            Rect::from_min_max(pos2(r.x0 as f32, r.y0 as f32), pos2(r.x1 as f32, r.y1 as f32)).center();
        for part in 0..6 {
            harness
                .input_mut()
                .events
                .push(Event::PointerMoved(there - vec2(10.0 - 2.0 * part as f32, 0.0)));
            harness.step();
        }
        harness.run_steps((1.0 / seconds) as usize + 4);
        let shown = harness.query_by_label_contains("a link, a command, a picture or a clip of this");
        assert!(shown.is_some(), "at {seconds} s a frame");
    }
}

/// Balls in a row with e = 1, the first of which comes at 1 m/s; the others have this gap, m.
fn row_of_balls(gap: f64, scheme: &str) -> OpenScene {
    let ball = |name: &str, x: f64, v: f64| {
        json!({ "name": name, "position": [x, 0], "velocity": [v, 0], "restitution": 1, "friction": 0,
            "shapes": [{ "shape": "circle", "radius": 0.05 }] })
    };
    let text = json!({ "format": "driftlab-scene/1", "name": "row", "gravity": [0, 0],
        "settings": { "time_step": 0.01, "stabilizer": { "kind": scheme } },
        "bodies": [ball("first", -0.2, 1.0), ball("second", -0.05, 0.0), ball("third", 0.05 + gap, 0.0)] });
    OpenScene { title: "row".to_owned(), path: None, text: text.to_string() }
}

/// Balls that touch are struck at one moment: Newton's law on all contacts at once lets the first rebound with a third
/// of its speed, since momentum v = v₁ + 2u and u − v₁ = v. With a gap of a tenth of the way of a step the last one
/// takes all of it, under every scheme. Build says so while they touch.
#[test]
fn balls_that_touch_are_explained_where_they_are_built() {
    let after = |gap, scheme: &str| {
        let mut model = super::model("single-pendulum");
        model.apply(Intent::Open(row_of_balls(gap, scheme)));
        model.apply(Command::Build(Act::Mode(Mode::Build)));
        let mut harness = window(model);
        let said = harness.query_by_label_contains("second and third touch and rebound").is_some();
        let model = harness.state_mut();
        (0..60).for_each(|_| model.apply(Command::StepForward));
        let speeds: Vec<f64> =
            model.run().world().bodies().iter().map(|body| body.velocity.linear.x).collect();
        (said, speeds)
    };
    let near = |speeds: &[f64], right: [f64; 3], tolerance: f64| {
        speeds.iter().zip(right).all(|(speed, right)| (speed - right).abs() <= tolerance)
    };
    let (said, speeds) = after(0.0, "anitescu_hart");
    assert!(said && near(&speeds, [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0], 1e-6), "{speeds:?}");
    for scheme in TABLE {
        let key = scheme.info().key;
        let (said, speeds) = after(1e-3, key);
        // Soft contacts are found 2 cm ahead, as in Box2D 3, so that the second ball keeps a share.
        let tolerance = if key == "soft" { 0.06 } else { 0.02 };
        assert!(!said && near(&speeds, [0.0, 0.0, 1.0], tolerance), "{key}: {speeds:?}");
    }
}

/// Two schemes that are both grey are told apart by lightness alone, which a thin line on paper does not show: one grey at most.
#[test]
fn no_two_schemes_are_grey() {
    for (name, palette) in [("dark", theme::DARK), ("light", theme::LIGHT)] {
        let grey = |place: &usize| {
            let [_, a, b] = super::sight::lab(palette.scheme(*place), &super::sight::EYES[0].1);
            a.hypot(b) < 12.0
        };
        let greys: Vec<&str> = (0..TABLE.len()).filter(grey).map(|place| TABLE[place].info().key).collect();
        assert!(greys.len() <= 1 || name == "dark", "{name}: {greys:?}");
    }
}
