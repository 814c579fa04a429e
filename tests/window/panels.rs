use driftlab::app::commands::{BINDINGS, Command, command};
use driftlab::app::model::Model;
use driftlab::app::pointer::Hold;
use driftlab::app::tape::Tape;
use driftlab::app::{OpenScene, fonts, panels};
use driftlab::stabilizer::TABLE;
use egui_kittest::Harness;
use egui_kittest::kittest::{By, Queryable};
use egui_macroquad::egui::accesskit::Role;
use egui_macroquad::egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, Rect, pos2, vec2};

/// The whole window at 1280 × 800 points, without a display.
fn window(model: Model) -> Harness<'static, Model> {
    let mut ready = false;
    let mut harness = Harness::builder().with_size(vec2(1280.0, 800.0)).build_state(
        move |ctx, model: &mut Model| {
            // Fonts count from the next frame on.
            if !std::mem::replace(&mut ready, true) {
                return fonts::install(ctx);
            }
            panels::show(ctx, model);
        },
        model,
    );
    harness.run_steps(3);
    harness
}

fn press(harness: &mut Harness<'_, Model>, at: Pos2, button: PointerButton, pressed: bool) {
    let modifiers = Modifiers::NONE;
    let events = &mut harness.input_mut().events;
    events.push(Event::PointerMoved(at));
    events.push(Event::PointerButton { pos: at, button, pressed, modifiers });
    harness.step();
}

fn drag(harness: &mut Harness<'_, Model>, from: Pos2, to: Pos2) {
    harness.input_mut().events.push(Event::PointerMoved(from));
    harness.step();
    press(harness, from, PointerButton::Primary, true);
    harness.input_mut().events.push(Event::PointerMoved(to));
    harness.step();
    press(harness, to, PointerButton::Primary, false);
    harness.run_steps(2);
}

fn click(harness: &mut Harness<'_, Model>, label: &str) {
    harness.get_by_label(label).click();
    harness.run_steps(2);
}

/// The sliders, from top to bottom.
fn sliders(harness: &Harness<'_, Model>) -> Vec<Rect> {
    let nodes = harness.query_all(By::new().role(Role::Slider));
    let mut rects: Vec<Rect> = nodes
        .filter_map(|node| node.bounding_box())
        .map(|r| Rect::from_min_max(pos2(r.x0 as f32, r.y0 as f32), pos2(r.x1 as f32, r.y1 as f32)))
        .collect();
    rects.sort_by(|a, b| a.top().total_cmp(&b.top()));
    rects
}

/// What the panel calls the scheme of that index: the first nine have a key.
fn row(index: usize) -> String {
    let name = TABLE[index].info().name;
    if index < 9 { format!("{} {name}", index + 1) } else { name.to_owned() }
}

/// The panel lists every scheme of the table, and a click chooses it.
#[test]
fn every_scheme_can_be_chosen() {
    let mut harness = window(super::model("six-link-chain"));
    for (index, scheme) in TABLE.iter().enumerate() {
        let row = row(index);
        click(&mut harness, &row);
        assert_eq!(harness.state().simulation.scheme_index(), index, "after a click on '{row}'");
        assert!(harness.query_by_label(scheme.info().equation).is_some(), "the equation of {row}");
        assert!(harness.query_by_label(scheme.info().source).is_some(), "the source of {row}");
    }
}

/// The buttons do what they say.
#[test]
fn transport_buttons_work() {
    let mut harness = window(super::model("six-link-chain"));
    click(&mut harness, "Play");
    assert!(harness.state().simulation.playing);
    click(&mut harness, "Pause");
    assert!(!harness.state().simulation.playing);
    click(&mut harness, "Step");
    click(&mut harness, "Step");
    assert_eq!(harness.state().simulation.world.steps, 2);
    click(&mut harness, "Step back");
    assert_eq!(harness.state().simulation.world.steps, 1);
    click(&mut harness, "Restart");
    assert_eq!(harness.state().simulation.world.steps, 0);
}

/// The recorder's buttons: record, press on the canvas, stop, replay, and back to the mouse.
#[test]
fn the_recorder_works_by_its_buttons() {
    let mut harness = window(super::model("box-at-rest"));
    assert!(harness.get_by_label("Replay").is_disabled(), "nothing is recorded yet");
    click(&mut harness, "⏺ Record pointer");
    let canvas = harness.state().canvas;
    let empty = canvas.left_top() + vec2(40.0, 120.0);
    press(&mut harness, empty, PointerButton::Primary, true);
    assert_eq!(harness.state().hold, Hold::Push);
    harness.state_mut().simulation.advance(0.1, None);
    assert!(harness.state().simulation.world.repulsion.is_some());
    press(&mut harness, empty, PointerButton::Primary, false);
    harness.state_mut().simulation.advance(0.1, None);
    assert_eq!(harness.state().simulation.world.repulsion, None);
    click(&mut harness, "⏹ Stop recording");
    assert_eq!(harness.state().simulation.tape(), &Tape::Replay);
    click(&mut harness, "Replay");
    assert_eq!(harness.state().simulation.tape(), &Tape::Live);
    click(&mut harness, "Replay");
    assert_eq!(harness.state().simulation.tape(), &Tape::Replay);
    assert!(harness.state().simulation.playing);
}

/// With Shift a press on a body pushes it; the wheel then turns the strength and leaves the view alone, with Ctrl it
/// turns the reach.
#[test]
fn shift_pushes_and_the_wheel_tunes() {
    let mut harness = window(super::model("box-at-rest"));
    let on_body = harness.state().canvas.center() + vec2(0.0, 40.0);
    let scale = harness.state().camera.scale;
    let before = harness.state().simulation.push;
    let wheel = |harness: &mut Harness<'_, Model>, modifiers: Modifiers| {
        harness.input_mut().modifiers = modifiers;
        let unit = MouseWheelUnit::Line;
        harness.input_mut().events.push(Event::MouseWheel { unit, delta: vec2(0.0, 1.0), modifiers });
        harness.step();
    };
    harness.input_mut().events.push(Event::PointerMoved(on_body));
    harness.input_mut().modifiers = Modifiers::SHIFT;
    harness.step();
    press(&mut harness, on_body, PointerButton::Primary, true);
    assert_eq!(harness.state().hold, Hold::Push);
    wheel(&mut harness, Modifiers::NONE);
    let stronger = harness.state().simulation.push;
    assert!((stronger.strength / before.strength - 10f64.powf(0.1)).abs() < 1e-9);
    assert_eq!(stronger.radius, before.radius);
    wheel(&mut harness, Modifiers::CTRL);
    let wider = harness.state().simulation.push;
    assert!(wider.radius > before.radius);
    assert_eq!(wider.strength, stronger.strength);
    press(&mut harness, on_body, PointerButton::Primary, false);
    assert_eq!(harness.state().camera.scale, scale);
}

/// The solver's tab says who solved, and how large the problem was.
#[test]
fn the_solver_has_a_tab() {
    let mut model = super::model("box-at-rest");
    model.simulation.step_once();
    let mut harness = window(model);
    click(&mut harness, "Solver");
    let report = *harness.state().simulation.report();
    for figure in [
        format!("solved by {}", report.solver),
        format!("rows {}", report.rows),
        format!("contacts {}", report.contacts),
    ] {
        assert!(harness.query_by_label(&figure).is_some(), "'{figure}' is shown");
    }
}

/// Keys do the same, also those that only exist on the keyboard.
#[test]
fn keys_have_commands() {
    let mut model = super::model("six-link-chain");
    let key = |key| command(key, false, false).expect("a command");
    model.apply(key(Key::Space));
    assert!(model.simulation.playing);
    model.apply(key(Key::O));
    assert_eq!((model.simulation.playing, model.simulation.world.steps), (false, 1));
    let scheme = model.simulation.scheme_index();
    model.apply(key(Key::Period));
    assert_eq!(model.simulation.scheme_index(), (scheme + 1) % TABLE.len());
    model.apply(key(Key::Comma));
    model.apply(key(Key::Comma));
    assert_eq!(model.simulation.scheme_index(), (scheme + TABLE.len() - 1) % TABLE.len());
    model.apply(key(Key::Num3));
    assert_eq!(model.simulation.scheme_index(), 2);
    let title = model.title.clone();
    model.apply(key(Key::CloseBracket));
    assert_ne!(model.title, title);
    assert!(!model.simulation.playing, "who looks through the scenes paused stays paused");
    model.apply(key(Key::OpenBracket));
    assert_eq!(model.title, title);
    model.apply(key(Key::Space));
    model.apply(key(Key::CloseBracket));
    assert!(model.simulation.playing);
}

/// While a number is being typed its digits are digits; function keys and Ctrl still count.
#[test]
fn typing_is_not_commanding() {
    assert_eq!(command(Key::Num2, false, true), None);
    assert_eq!(command(Key::Space, false, true), None);
    assert_eq!(command(Key::F1, false, true), Some(Command::ToggleHelp));
    assert_eq!(command(Key::O, true, true), Some(Command::Open));
    assert_eq!(command(Key::O, false, false), Some(Command::StepForward));
    for (index, binding) in BINDINGS.iter().enumerate() {
        let rest = &BINDINGS[index + 1..];
        let twice = |key| rest.iter().any(|b| b.ctrl == binding.ctrl && b.keys.contains(key));
        assert!(!binding.keys.iter().any(twice), "{:?} is bound twice", binding.keys);
    }
}

/// Dragging the slider of α sets it within its range, and the other languages say the same number; dragging
/// another language's slider sets α.
#[test]
fn languages_stay_in_step() {
    let mut harness = window(super::model("six-link-chain"));
    click(&mut harness, "2 Baumgarte, velocity level");
    let alpha = |harness: &Harness<'_, Model>| {
        harness.state().simulation.method.stabilizer.values.get("alpha").expect("alpha")
    };
    let parameter = TABLE[1].info().parameters[0];
    // The first slider is the speed.
    for share in [0.2, 0.5, 0.9, 1.5] {
        let slider = sliders(&harness)[1];
        let to = pos2(slider.left() + share * slider.width(), slider.center().y);
        drag(&mut harness, slider.center(), to);
        let value = alpha(&harness);
        assert!((parameter.minimum..=parameter.maximum).contains(&value), "α = {value}");
        let h = harness.state().simulation.time_step;
        let language = &TABLE[1].info().languages[0];
        let other = (language.from_native)(&[value], h)[0];
        assert!((other - value * h).abs() < 1e-12, "αh = {other} beside α = {value}");
    }
    let before = alpha(&harness);
    let slider = sliders(&harness)[2];
    drag(&mut harness, slider.right_center() - vec2(8.0, 0.0), slider.left_center() + vec2(30.0, 0.0));
    assert_ne!(alpha(&harness), before, "the slider of αh sets α");
}

/// Only the levels that a scheme has can be chosen.
#[test]
fn levels_are_those_of_the_scheme() {
    let mut harness = window(super::model("six-link-chain"));
    for (index, scheme) in TABLE.iter().enumerate() {
        click(&mut harness, &row(index));
        for label in ["velocity", "acceleration"] {
            let exists = scheme.info().levels.iter().any(|level| level.key() == label);
            let disabled = harness.get_by_label(label).is_disabled();
            assert_eq!(disabled, !exists, "{label} level of {}", scheme.info().key);
        }
    }
}

/// A file with errors is answered by a window that lists all of them; closing it leaves nothing behind.
#[test]
fn problems_are_listed() {
    let mut harness = window(super::model("six-link-chain"));
    let text =
        r#"{ "format": "driftlab-scene/1", "name": "x", "settings": { "time_step": 0 }, "bodies": 3 }"#;
    let scene = OpenScene { title: "x.json".to_owned(), path: None, text: text.to_owned() };
    harness.state_mut().open(scene);
    harness.run_steps(3);
    let problems = harness.state().refusal.clone().expect("a refusal").problems;
    assert!(problems.len() >= 2);
    for problem in &problems {
        assert!(harness.query_by_label(problem).is_some(), "'{problem}' is shown");
    }
    harness.state_mut().apply(Command::Dismiss);
    harness.run_steps(2);
    assert!(harness.query_by_label(&problems[0]).is_none());
}

/// The sheet of keys promises as many schemes as there are, or as there are digits.
#[test]
fn the_sheet_counts_the_schemes() {
    let mut harness = window(super::model("six-link-chain"));
    harness.state_mut().apply(Command::ToggleHelp);
    harness.run_steps(3);
    assert!(harness.query_by_label(&format!("1 … {}", TABLE.len().min(9))).is_some());
}

/// A failed step is said over the canvas, with the way out.
#[test]
fn a_failure_has_a_banner() {
    let mut harness = window(super::model("six-link-chain"));
    harness.state_mut().simulation.time_step = -1.0;
    harness.state_mut().simulation.step_once();
    harness.run_steps(3);
    assert!(harness.query_by_label("The step was not made").is_some());
    harness.state_mut().simulation.time_step = 1e-3;
    harness.state_mut().apply(Command::Restart);
    harness.run_steps(2);
    assert!(harness.query_by_label("The step was not made").is_none());
}

/// A drag that begins on the canvas takes hold of the body under the cursor; one that begins on the panel never
/// reaches the world, even where it ends on a body.
#[test]
fn drags_belong_to_where_they_begin() {
    let mut harness = window(super::model("six-link-chain"));
    let body = harness.state().simulation.world.bodies().len() - 1;
    let position = harness.state().simulation.world.bodies()[body].pose.position;
    let on_body = |model: &Model| model.camera.to_screen(model.canvas, position);
    let before = harness.state().simulation.world.clone();
    let canvas = harness.state().canvas;
    let blank_panel = pos2(canvas.right() + 20.0, canvas.top() + 60.0);
    let end = on_body(harness.state());
    drag(&mut harness, blank_panel, end);
    assert_eq!(harness.state().simulation.world, before, "a drag from the panel");
    let begin = on_body(harness.state());
    drag(&mut harness, begin, begin + vec2(0.0, 40.0));
    let moved = harness.state().simulation.world.bodies()[body].pose.position - position;
    let metres = 40.0 / harness.state().camera.scale;
    assert!((moved.y + metres).abs() < 1e-6, "a drag on the canvas moved the body by {moved}");
}

/// Panel, help sheet and plots can be shown and hidden, in both themes, on small and large windows, with every
/// shipped scene: nothing panics, and the canvas keeps a size.
#[test]
fn everything_can_be_drawn() {
    let keys: Vec<_> = driftlab::scene::catalogue::entries().iter().map(|entry| entry.key).collect();
    for (index, key) in keys.into_iter().enumerate() {
        let mut model = super::model(key);
        model.view.dark = index % 2 == 0;
        model.view.velocities = true;
        model.view.centers = true;
        model.view.magnification = 100.0;
        model.view.normals = true;
        model.simulation.playing = true;
        for _ in 0..5 {
            model.simulation.advance(1.0 / 60.0, Some(std::time::Duration::from_millis(4)));
        }
        let mut harness = window(model);
        harness.state_mut().plot.tab = driftlab::app::plot_view::Tab::Energy;
        harness.state_mut().apply(Command::ToggleHelp);
        harness.run_steps(2);
        harness.state_mut().plot.tab = driftlab::app::plot_view::Tab::Solver;
        harness.state_mut().apply(Command::TogglePanel);
        harness.set_size(vec2(500.0, 300.0));
        harness.run_steps(2);
        assert!(harness.state().canvas.width() > 100.0, "the canvas of {key}");
    }
}
