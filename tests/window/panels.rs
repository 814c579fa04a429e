//! The whole window without a display: its panels, its canvas, and what both do with the mouse.

use driftlab::app::frame;
use driftlab::app::screen::OnScreen;
use driftlab::app::text::fonts;
use driftlab::app::theme::Coloured;
use driftlab::method::{Origin, Stabilizer};
use driftlab::schemes::TABLE;
use driftlab::workbench::command::Command;
use driftlab::workbench::engine::Stepping;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::model::{Model, Request};
use driftlab::workbench::options::OpenScene;
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::runs::recorder::Recorder;
use driftlab::workbench::stage::pointer::Hold;
use driftlab::workbench::text::prose::prose;
use driftlab::workbench::view_state::arrangement::Arrangement;
use driftlab::workbench::view_state::plot_view::{PlotView, Tab};
use egui_kittest::Harness;
use egui_kittest::kittest::{By, Queryable};
use egui_macroquad::egui::accesskit::Role;
use egui_macroquad::egui::{
    Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, Rect, Shape, pos2, vec2,
};

/// The whole window at 1280 × 800 points, without a display.
pub(super) fn window(model: Model) -> Harness<'static, Model> {
    let mut ready = false;
    let mut harness = Harness::builder().with_size(vec2(1280.0, 800.0)).build_state(
        move |ctx, model: &mut Model| {
            // Fonts take effect in the next frame.
            if !std::mem::replace(&mut ready, true) {
                return fonts::install(ctx);
            }
            frame::show(ctx, model);
        },
        model,
    );
    harness.run_steps(3);
    harness
}

pub(super) fn press(harness: &mut Harness<'_, Model>, at: Pos2, button: PointerButton, pressed: bool) {
    let modifiers = Modifiers::NONE;
    let events = &mut harness.input_mut().events;
    events.push(Event::PointerMoved(at));
    events.push(Event::PointerButton { pos: at, button, pressed, modifiers });
    harness.step();
}

pub(super) fn drag(harness: &mut Harness<'_, Model>, from: Pos2, to: Pos2) {
    harness.input_mut().events.push(Event::PointerMoved(from));
    harness.step();
    press(harness, from, PointerButton::Primary, true);
    harness.input_mut().events.push(Event::PointerMoved(to));
    harness.step();
    press(harness, to, PointerButton::Primary, false);
    harness.run_steps(2);
}

pub(super) fn drag_to(harness: &mut Harness<'_, Model>, from: Pos2, to: Pos2) {
    drag(harness, from, to);
}

/// Where the slider of that name is.
pub(super) fn slider(harness: &Harness<'_, Model>, name: &str) -> Rect {
    let r = harness.get_by_label(name).bounding_box().expect("a place");
    Rect::from_min_max(pos2(r.x0 as f32, r.y0 as f32), pos2(r.x1 as f32, r.y1 as f32))
}

/// Where the slider is that stands at this number.
pub(super) fn slider_at(harness: &Harness<'_, Model>, number: f64) -> Rect {
    let near = |node: &egui_kittest::kittest::Node<'_>| {
        node.numeric_value().is_some_and(|x| (x / number - 1.0).abs() < 1e-9)
    };
    let r = harness.query_all(By::new().role(Role::Slider)).find(near).and_then(|node| node.bounding_box());
    let r = r.unwrap_or_else(|| panic!("no slider stands at {number}"));
    Rect::from_min_max(pos2(r.x0 as f32, r.y0 as f32), pos2(r.x1 as f32, r.y1 as f32))
}

pub(super) fn click(harness: &mut Harness<'_, Model>, label: &str) {
    harness.get_by_label(label).click();
    harness.run_steps(2);
}

/// The label of the scheme with this index in the panel; the first nine have a key.
pub(super) fn row(index: usize) -> String {
    let name = TABLE[index].info().name;
    if index < 9 { format!("{} {name}", index + 1) } else { name.to_owned() }
}

/// The panel lists every scheme of the table, and a click chooses it and shows its equation and source.
#[test]
fn every_scheme_can_be_chosen() {
    let mut harness = window(super::model("six-link-chain"));
    for (index, scheme) in TABLE.iter().enumerate() {
        let row = row(index);
        click(&mut harness, &row);
        assert_eq!(harness.state().run().scheme_index(), index, "after a click on '{row}'");
        assert!(harness.query_by_label(scheme.info().equation).is_some(), "the equation of {row}");
        assert!(harness.query_by_label_contains(scheme.info().source).is_some(), "the source of {row}");
    }
}

/// The panel shows each scheme beneath the name of where it comes from: papers, multibody codes, engines. The first nine of the
/// table keep their number keys.
#[test]
fn schemes_stand_beneath_their_origin() {
    let harness = window(super::model("six-link-chain"));
    let top = |label: &str| harness.get_by_label(label).bounding_box().expect("a place").y0;
    let headings = Origin::ALL.map(|origin| top(origin.name()));
    for (index, scheme) in TABLE.iter().enumerate() {
        let (chip, origin) = (top(&row(index)), scheme.info().origin);
        let above = headings.iter().rposition(|heading| *heading < chip).expect("a heading above");
        assert_eq!(Origin::ALL[above], origin, "{}", scheme.info().key);
    }
    let of = |key: &str| Stabilizer::by_key(key).expect("a scheme").info().origin;
    assert_eq!(of("anitescu_hart"), Origin::Papers);
    assert_eq!(of("rattle"), Origin::MultibodyCodes);
    assert_eq!(of("soft"), Origin::Engines);
}

/// The transport buttons play, pause, step forward and back, and restart.
#[test]
fn transport_buttons_work() {
    let mut harness = window(super::model("six-link-chain"));
    click(&mut harness, "Play");
    assert!(harness.state().runs.player.playing);
    click(&mut harness, "Pause");
    assert!(!harness.state().runs.player.playing);
    click(&mut harness, "Step");
    click(&mut harness, "Step");
    assert_eq!(harness.state().run().world().steps(), 2);
    click(&mut harness, "Step back");
    assert_eq!(harness.state().run().world().steps(), 1);
    click(&mut harness, "Restart");
    assert_eq!(harness.state().run().world().steps(), 0);
}

/// The recorder's buttons: record, press on the canvas, stop, replay, and back to the mouse.
#[test]
fn the_recorder_works_by_its_buttons() {
    let mut harness = window(super::model("box-at-rest"));
    assert!(harness.get_by_label("Replay").is_disabled(), "nothing is recorded yet");
    click(&mut harness, "Record pointer");
    let canvas = harness.state().canvas();
    let empty = canvas.left_top() + vec2(40.0, 120.0);
    press(&mut harness, empty, PointerButton::Primary, true);
    assert_eq!(harness.state().hand.hold, Hold::Push);
    harness.state_mut().advance(0.1);
    assert!(harness.state().run().world().repulsion().is_some());
    press(&mut harness, empty, PointerButton::Primary, false);
    harness.state_mut().advance(0.1);
    assert_eq!(harness.state().run().world().repulsion(), None);
    click(&mut harness, "Stop recording");
    assert!(harness.state().run().recorder().replays());
    click(&mut harness, "Replay");
    assert!(harness.state().run().recorder().replays() && harness.state().runs.player.playing);
    harness.state_mut().advance(0.1);
    click(&mut harness, "Replay");
    assert_eq!(harness.state().run().recorder(), &Recorder::Live);
    click(&mut harness, "Replay");
    assert!(harness.state().run().recorder().replays());
    assert!(harness.state().runs.player.playing);
}

/// With Shift a press on a body pushes it; the wheel then turns the strength and leaves the view alone, with Ctrl it
/// turns the reach.
#[test]
fn shift_pushes_and_the_wheel_tunes() {
    let mut harness = window(super::model("box-at-rest"));
    let on_body = harness.state().canvas().center() + vec2(0.0, 40.0);
    let scale = harness.state().sight.camera.scale;
    let before = harness.state().run().push;
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
    assert_eq!(harness.state().hand.hold, Hold::Push);
    wheel(&mut harness, Modifiers::NONE);
    let stronger = harness.state().run().push;
    assert!((stronger.strength / before.strength - 10f64.powf(0.1)).abs() < 1e-9);
    assert_eq!(stronger.radius, before.radius);
    wheel(&mut harness, Modifiers::CTRL);
    let wider = harness.state().run().push;
    assert!(wider.radius > before.radius);
    assert_eq!(wider.strength, stronger.strength);
    press(&mut harness, on_body, PointerButton::Primary, false);
    assert_eq!(harness.state().sight.camera.scale, scale);
}

/// The solver's tab shows the solver and the size of the problem.
#[test]
fn the_solver_tab_shows_solver_rows_and_contacts() {
    let mut model = super::model("box-at-rest");
    model.apply(Command::StepForward);
    let mut harness = window(model);
    click(&mut harness, "Solve");
    let report = *harness.state().run().report();
    for figure in [
        format!("solved by {}", report.solver),
        format!("rows {}", report.rows),
        format!("contacts {}", report.contacts),
    ] {
        assert!(harness.query_by_label(&figure).is_some(), "'{figure}' is shown");
    }
}

/// Dragging the slider of α sets it within its range, and the slider of the equivalent parameter αh agrees; dragging that one
/// sets α.
#[test]
fn languages_stay_in_step() {
    let mut harness = window(super::model("six-link-chain"));
    click(&mut harness, "2 Baumgarte, velocity level");
    harness.set_size(vec2(1280.0, 1400.0));
    harness.run_steps(2);
    let alpha = |harness: &Harness<'_, Model>| {
        harness.state().run().method().stabilizer.values.get("alpha").expect("alpha")
    };
    let parameter = TABLE[1].info().parameters[0];
    for share in [0.2, 0.5, 0.9, 1.5] {
        let before = alpha(&harness);
        let slider = slider_at(&harness, before);
        let to = pos2(slider.left() + share * slider.width(), slider.center().y);
        drag(&mut harness, slider.center(), to);
        let value = alpha(&harness);
        assert!(share > 1.0 || value != before, "the slider of α sets α");
        assert!((parameter.minimum..=parameter.maximum).contains(&value), "α = {value}");
        let h = harness.state().run().time_step();
        let language = &TABLE[1].info().languages[0];
        let other = (language.from_native)(&[value], h)[0];
        assert!((other - value * h).abs() < 1e-12, "αh = {other} beside α = {value}");
    }
    let before = alpha(&harness);
    click(&mut harness, "αh");
    let slider = slider_at(&harness, before * harness.state().run().time_step());
    drag(&mut harness, slider.right_center() - vec2(8.0, 0.0), slider.left_center() + vec2(30.0, 0.0));
    assert_ne!(alpha(&harness), before, "the slider of αh sets α");
}

/// Only the levels that a scheme has can be chosen.
#[test]
fn levels_are_those_of_the_scheme() {
    let mut harness = window(super::model("six-link-chain"));
    click(&mut harness, "⚙");
    for (index, scheme) in TABLE.iter().enumerate() {
        harness.state_mut().apply(Setting::Scheme(index));
        harness.run_steps(2);
        for label in ["velocity", "acceleration"] {
            let exists = scheme.info().levels.iter().any(|level| level.key() == label);
            let disabled = harness.get_by_label(label).is_disabled();
            assert_eq!(disabled, !exists, "{label} level of {}", scheme.info().key);
        }
    }
}

/// Opening a file with errors shows a window that lists all of them and can be closed.
#[test]
fn a_broken_scene_lists_its_problems() {
    let mut harness = window(super::model("six-link-chain"));
    let text =
        r#"{ "format": "driftlab-scene/1", "name": "x", "settings": { "time_step": 0 }, "bodies": 3 }"#;
    let scene = OpenScene { title: "x.json".to_owned(), path: None, text: text.to_owned() };
    harness.state_mut().apply(Intent::Open(scene));
    harness.run_steps(3);
    let problems = harness.state().news.refusal.clone().expect("a refusal").problems;
    assert!(problems.len() >= 2);
    for problem in &problems {
        assert!(harness.query_by_label(problem).is_some(), "'{problem}' is shown");
    }
    harness.state_mut().apply(Command::Dismiss);
    harness.run_steps(2);
    assert!(harness.query_by_label(&problems[0]).is_none());
}

/// A failed step shows a banner over the canvas, which disappears on restart.
#[test]
fn a_failed_step_shows_its_cause() {
    let mut harness = window(super::model("six-link-chain"));
    harness.state_mut().apply(Setting::TimeStep(-1.0));
    harness.state_mut().apply(Command::StepForward);
    harness.run_steps(3);
    assert!(harness.query_by_label("Step failed").is_some());
    harness.state_mut().apply(Setting::TimeStep(1e-3));
    harness.state_mut().apply(Command::Restart);
    harness.run_steps(2);
    assert!(harness.query_by_label("Step failed").is_none());
}

/// A drag that begins on the canvas moves the body under the cursor; one that begins on the panel changes nothing in the world,
/// even if it ends on a body.
#[test]
fn drags_belong_to_where_they_begin() {
    let mut harness = window(super::model("six-link-chain"));
    let body = harness.state().run().world().bodies().len() - 1;
    let position = harness.state().run().world().bodies()[body].pose.position;
    let on_body = |model: &Model| model.sight.camera.to_screen(model.canvas(), position);
    let before = harness.state().run().world().clone();
    let canvas = harness.state().canvas();
    let blank_panel = pos2(canvas.right() + 20.0, canvas.top() + 60.0);
    let end = on_body(harness.state());
    drag(&mut harness, blank_panel, end);
    assert_eq!(harness.state().run().world(), &before, "a drag from the panel");
    let begin = on_body(harness.state());
    drag(&mut harness, begin, begin + vec2(0.0, 40.0));
    let moved = harness.state().run().world().bodies()[body].pose.position - position;
    let metres = 40.0 / harness.state().sight.camera.scale;
    assert!((moved.y + metres).abs() < 1e-6, "a drag on the canvas moved the body by {moved}");
}

/// Panel, help sheet and plots can be shown and hidden, in both themes, on small and large windows, with every
/// shipped scene: nothing panics, the canvas keeps a size, and no text has the backticks of its file.
#[test]
fn every_scene_can_be_drawn() {
    let keys: Vec<_> = driftlab::scene::catalogue::entries().iter().map(|entry| entry.key).collect();
    for (index, key) in keys.into_iter().enumerate() {
        let budget = std::time::Duration::from_millis(4);
        let mut model = super::stepped(key, Stepping::within_frame(Some(budget)));
        model.view.dark = index % 2 == 0;
        model.view.velocities = true;
        model.view.centers = true;
        model.view.magnification = 100.0;
        model.view.normals = true;
        model.runs.player.playing = true;
        for _ in 0..5 {
            model.advance(1.0 / 60.0);
        }
        let mut harness = window(model);
        let raw =
            harness.query_all(By::new()).find(|node| node.label().is_some_and(|label| label.contains('`')));
        assert!(raw.is_none(), "a backtick in {key}");
        harness.state_mut().shown.plot.tab = driftlab::workbench::view_state::plot_view::Tab::Energy;
        harness.state_mut().apply(Command::ToggleHelp);
        harness.run_steps(2);
        harness.state_mut().shown.plot.tab = driftlab::workbench::view_state::plot_view::Tab::Solver;
        harness.state_mut().apply(Command::TogglePanel);
        harness.set_size(vec2(500.0, 300.0));
        harness.run_steps(2);
        assert!(harness.state().canvas().width() > 100.0, "the canvas of {key}");
    }
}

/// A text field that has the focus asks for no frames while paused: the window then rests.
#[test]
fn a_focused_text_field_rests() {
    let mut harness = window(super::model("six-link-chain"));
    harness.state_mut().apply(Command::ToggleScenes);
    // The list fades in.
    harness.run_steps(60);
    assert!(harness.ctx.wants_keyboard_input(), "the search has the focus");
    assert!(!harness.ctx.has_requested_repaint(), "{:?}", harness.ctx.repaint_causes());
}

/// Tab goes from control to control and reaches each that can be worked, in the window as it opens, in the comparison, in a step
/// of a tour and in an exercise; Space works it.
#[test]
fn tab_reaches_every_control() {
    let mut model = super::model("six-link-chain");
    model.runs.player.playing = false;
    let mut harness = window(model);
    harness.run_steps(3);
    assert_tab_reaches_all(&mut harness, "as it opens");
    // Space on the tab of energies.
    assert!(tab_to(&mut harness, "Energy"));
    press_key(&mut harness, Key::Space);
    assert_eq!(harness.state().shown.plot.tab, Tab::Energy);

    assert!(tab_to(&mut harness, "Compare"));
    press_key(&mut harness, Key::Space);
    assert_eq!(harness.state().shown.plot.tab, Tab::Compare);
    harness.run_steps(3);
    assert_tab_reaches_all(&mut harness, "comparison");

    harness.state_mut().apply(Intent::Tour { tour: 0, step: 0 });
    harness.state_mut().runs.player.playing = false;
    harness.run_steps(3);
    assert_tab_reaches_all(&mut harness, "tour");
    let exercise = harness.state().library.tours[0].steps.len();
    harness.state_mut().apply(Intent::Tour { tour: 0, step: exercise });
    harness.run_steps(3);
    assert!(harness.state().library.exercise().is_some());
    assert_tab_reaches_all(&mut harness, "exercise");
}

/// Whoever has no mouse predicts what a step of a tour shows, goes on to an exercise, tries it, and takes the certificate in a
/// name; Escape gives the keys back to the commands.
#[test]
fn a_tour_is_taken_by_keys_alone() {
    let mut model = super::model("six-link-chain");
    model.apply(Intent::Tour { tour: 1, step: 0 });
    let mut harness = window(model);
    harness.run_steps(3);
    let tour = harness.state().library.tours[1].clone();
    let place = |harness: &Harness<'_, Model>| harness.state().library.progress.expect("a tour");
    let work = |harness: &mut Harness<'_, Model>, label: &str| {
        assert!(tab_to(harness, label), "{label}");
        press_key(harness, Key::Space);
        harness.run_steps(2);
    };
    let answers = &tour.steps[0].predict.as_ref().expect("a question").answers;
    work(&mut harness, &prose(&answers[1]));
    assert_eq!(place(&harness).guess, Some(1));
    for step in 1..=tour.steps.len() {
        work(&mut harness, "Next");
        assert_eq!(place(&harness).step, step);
    }
    work(&mut harness, "Exercise 2");
    let own = harness.state().library.exercise().expect("an exercise").clone();
    assert_eq!(own.key, "baumgarte-level");
    let mut stabilizer = harness.state().edited().method().stabilizer.clone();
    stabilizer.values.set("alpha", 500.0).expect("a value");
    harness.state_mut().apply(driftlab::workbench::runs::live_run::Setting::Stabilizer(stabilizer));
    // With a control under the keys Space works that; behind Escape it plays.
    let command = |harness: &Harness<'_, Model>| {
        driftlab::app::keys::command(Key::Space, Modifiers::NONE, harness.ctx.wants_keyboard_input())
    };
    assert_eq!(command(&harness), None);
    press_key(&mut harness, Key::Escape);
    let play = command(&harness).expect("a command");
    harness.state_mut().apply(play);
    super::frames_until(harness.state_mut(), |model| model.exercises.standing(&own.key).is_passed());
    harness.run_steps(3);
    let found = (0..400).any(|_| {
        press_key(&mut harness, Key::Tab);
        harness.query(By::new().role(Role::TextInput).predicate(|node| node.is_focused())).is_some()
    });
    assert!(found, "the name");
    harness.input_mut().events.push(Event::Text("Ada".to_owned()));
    harness.run_steps(2);
    work(&mut harness, "Copy certificate");
    let asked = harness.state_mut().news.requests.pop();
    assert!(matches!(&asked, Some(Request::Copy(link)) if link.contains("&by=Ada&")), "{asked:?}");
}

/// A comparison is begun, looked at side by side, edited and ended by keys alone.
#[test]
fn runs_are_compared_by_keys_alone() {
    let mut model = super::model("six-link-chain");
    model.runs.player.playing = false;
    model.apply(Intent::Plot(PlotView { tab: Tab::Compare, ..PlotView::default() }));
    let mut harness = window(model);
    harness.run_steps(3);
    for label in ["compare with RATTLE", "Side by side", "edit run 1", "Close all"] {
        assert!(tab_to(&mut harness, label), "{label}");
        press_key(&mut harness, Key::Space);
        harness.run_steps(2);
        let model = harness.state();
        let forks = model.comparison().forks();
        match label {
            "compare with RATTLE" => assert_eq!(forks[0].run().method().stabilizer.info().key, "rattle"),
            "Side by side" => assert_eq!(model.sight.arrangement, Arrangement::Panes),
            "edit run 1" => assert!(model.edited_fork().is_some()),
            _ => assert!(forks.is_empty()),
        }
    }
}

/// Presses Tab until a control has the focus; whether that happens.
fn tab_to(harness: &mut Harness<'_, Model>, label: &str) -> bool {
    (0..400).any(|_| {
        press_key(harness, Key::Tab);
        let here = By::new().label(label).predicate(|node| node.is_focused());
        harness.query(here).is_some()
    })
}

fn assert_tab_reaches_all(harness: &mut Harness<'_, Model>, what: &str) {
    let controls = [
        Role::Button,
        Role::CheckBox,
        Role::Slider,
        Role::SpinButton,
        Role::TextInput,
        Role::MultilineTextInput,
    ];
    let works = By::new().predicate(|node| controls.contains(&node.role()) && !node.is_disabled());
    let wanted: Vec<_> = harness.query_all(works).map(|node| (node.id(), node.label())).collect();
    assert!(wanted.len() > 40, "{what}: {} controls", wanted.len());
    let mut reached = Vec::new();
    for _ in 0..3 * wanted.len() {
        press_key(harness, Key::Tab);
        let focused = harness.query(By::new().predicate(|node| node.is_focused()));
        if let Some(node) = focused {
            let accent = harness.state().view.palette().accent;
            let place = node.bounding_box().expect("its place");
            let mut shapes = harness.output().shapes.iter();
            let has_ring = shapes.any(|own| match &own.shape {
                Shape::Rect(ring) if ring.stroke.color == accent && ring.stroke.width == 2.0 => {
                    let [x, y] = [ring.rect.center().x, ring.rect.center().y].map(f64::from);
                    let within = (place.x0..=place.x1).contains(&x) && (place.y0..=place.y1).contains(&y);
                    within && ring.rect.is_positive()
                }
                _ => false,
            });
            assert!(has_ring, "{what}: nothing shows that the keys are at {:?}", node.label());
            reached.push(node.id());
        }
    }
    let missed: Vec<_> = wanted.iter().filter(|(id, _)| !reached.contains(id)).collect();
    assert!(missed.is_empty(), "{what}: Tab does not reach {missed:?}");
}

fn press_key(harness: &mut Harness<'_, Model>, key: Key) {
    let modifiers = Modifiers::NONE;
    for pressed in [true, false] {
        let event = Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
        harness.input_mut().events.push(event);
        harness.step();
    }
}

/// While a clip of the stage is taken the header says so, where it is not in the clip, and ends it.
#[test]
fn the_header_ends_a_clip() {
    let mut harness = window(super::model("six-link-chain"));
    harness.state_mut().apply(Command::Clip);
    harness.run_steps(2);
    let model = harness.state();
    assert!(model.layout.clipping && model.news.toast.is_none());
    let button = harness.get_by_label("● end the clip");
    let below = button.bounding_box().expect("its place").y1;
    assert!(below <= f64::from(harness.state().canvas().top()));
    button.click();
    harness.run_steps(2);
    assert!(!harness.state().layout.clipping && harness.query_by_label("● end the clip").is_none());
}
