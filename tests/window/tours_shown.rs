//! Tours in the window: what they point at is in sight, predictions are answered by acting, and an audience sees them.

use super::drawn::texts;
use super::tours::pass;
use driftlab::app::panels::tour::control_in_sight;
use driftlab::app::screen::OnScreen;
use driftlab::workbench::command::Command;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::library::tours;
use driftlab::workbench::model::Model;
use driftlab::workbench::text::prose::prose;
use driftlab::workbench::view_state::side_tab::SideTab;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::{Shape, Vec2, vec2};

/// Windows of laptops, and of small screens, points; the last ones with text of 160 %, which an audience sees no larger.
const SIZES: [Vec2; 7] = [
    vec2(1366.0, 768.0),
    vec2(1280.0, 720.0),
    vec2(1280.0, 800.0),
    vec2(1024.0, 700.0),
    vec2(800.0, 600.0),
    vec2(1366.0 / 1.6, 768.0 / 1.6),
    vec2(1280.0 / 1.6, 720.0 / 1.6),
];
/// By how much everything is larger for an audience.
const PRESENTED: f32 = 1.5;

/// Whatever a step of a tour points at is in sight, whole, at every size of the window, in the window as it is and as
/// an audience sees it; so are the step's text, what it asks to predict, and its buttons.
#[test]
fn what_a_tour_points_at_is_in_sight() {
    let tours = tours::shipped().expect("tours");
    for presenting in [false, true] {
        for (index, size) in SIZES.into_iter().enumerate() {
            let mut model = super::model("single-pendulum");
            let mut size = size;
            if presenting && size == vec2(800.0, 600.0) {
                // No projector is as small.
                continue;
            }
            if presenting {
                model.apply(Command::Present);
                size /= if index < 5 { PRESENTED } else { 1.0 };
            }
            let mut window = super::panels::window(model);
            window.set_size(size);
            window.run_steps(3);
            for (tour, file) in tours.iter().enumerate() {
                for (step, card) in file.steps.iter().enumerate() {
                    let Some(ask) = &card.ask else { continue };
                    window.state_mut().apply(Intent::Tour { tour, step });
                    pass(&mut window, 2);
                    window.run_steps(4);
                    let shown = if presenting { "presented" } else { "shown" };
                    let place = format!("{}, step {}, {shown} at {size}", file.name, step + 1);
                    let screen = window.ctx.screen_rect();
                    let rect = control_in_sight(&window.ctx)
                        .unwrap_or_else(|| panic!("{place}: '{}' is not in sight", ask.control));
                    assert!(screen.contains_rect(rect), "{place}: {rect:?}");
                    let least = if ask.control == "stage" { 40.0 } else { 16.0 };
                    assert!(rect.width() >= least && rect.height() >= least, "{place}: {rect:?}");
                    let own = card.predict.as_ref().expect("a prediction");
                    let words =
                        [prose(&card.text), prose(&own.question), format!("→ {}", prose(&ask.text))];
                    let buttons = ["Leave".to_owned(), "Back".to_owned()];
                    let words =
                        words.into_iter().chain(own.answers.iter().map(|own| prose(own))).chain(buttons);
                    let texts = texts(&window);
                    for word in words {
                        let text = texts.iter().find(|text| text.text == word);
                        let text = text.unwrap_or_else(|| panic!("{place}: '{word}' is not in sight"));
                        assert!(screen.contains_rect(text.whole), "{place}: '{word}' at {:?}", text.whole);
                    }
                }
            }
        }
    }
}

/// A prediction is answered by acting: what was chosen stays open to change until what the step asks for is done; then
/// the right answer is marked, and a wrong one, and nothing more is chosen.
#[test]
fn a_prediction_is_answered_by_acting() {
    let mut model = super::model("single-pendulum");
    model.apply(Intent::Tour { tour: 0, step: 0 });
    let own = model.library.tour_step().and_then(|step| step.predict.clone()).expect("a prediction");
    let wrong = (0..own.answers.len()).find(|index| *index != own.right).expect("a wrong answer");
    let mut window = super::panels::window(model);
    let guess =
        |window: &Harness<'_, Model>| window.state().library.progress.and_then(|progress| progress.guess);
    super::panels::click(&mut window, &own.answers[own.right]);
    assert_eq!(guess(&window), Some(own.right));
    super::panels::click(&mut window, &own.answers[wrong]);
    assert_eq!(guess(&window), Some(wrong));
    assert!(window.query_by_label_contains("✘").is_none(), "nothing has been seen yet");
    window.state_mut().apply(Command::TogglePlay);
    pass(&mut window, 1);
    assert!(window.query_by_label(&format!("✔ {}", own.answers[own.right])).is_some());
    assert!(window.query_by_label(&format!("✘ {}", own.answers[wrong])).is_some());
    let cut = window.output().shapes.iter().filter(|own| match &own.shape {
        Shape::Text(text) => text.galley.elided && text.galley.text().starts_with(['✔', '✘']),
        _ => false,
    });
    assert_eq!(cut.count(), 0, "the marked answers have room for their signs");
    window.state_mut().apply(Intent::Predict(own.right));
    assert_eq!(guess(&window), Some(wrong), "what was predicted stays");
}

/// F11 keeps the tour: its text, its question and its buttons stay, and the control that it asks for is there. Leaving
/// it restores the window as it was, the panel and the plots, whatever was struck meanwhile.
#[test]
fn an_audience_sees_the_tour() {
    for [panel, plot] in [[true, true], [false, true], [true, false]] {
        let mut model = super::model("single-pendulum");
        let tour =
            model.library.tours.iter().position(|tour| tour.name.contains("overdone")).expect("a tour");
        model.apply(Intent::Tour { tour, step: 0 });
        (model.layout.panel_open, model.layout.plot_open) = (panel, plot);
        let mut window = super::panels::window(model);
        let all =
            |window: &Harness<'_, Model>| texts(window).into_iter().map(|own| own.text).collect::<Vec<_>>();
        let before = all(&window);
        window.state_mut().apply(Command::Present);
        [Command::TogglePanel, Command::TogglePlot]
            .into_iter()
            .for_each(|own| window.state_mut().apply(own));
        window.run_steps(3);
        assert!(control_in_sight(&window.ctx).is_some());
        assert!(all(&window).iter().any(|text| text == "Next"));
        window.state_mut().apply(Command::Present);
        window.run_steps(30);
        assert_eq!((window.state().layout.panel_open, window.state().layout.plot_open), (panel, plot));
        let mut now = all(&window);
        let mut before = before.clone();
        now.sort();
        before.sort();
        assert_eq!(now, before, "the window is as it was");
        // A step that is taken before an audience is taken.
        window.state_mut().apply(Command::Present);
        window.run_steps(3);
        super::panels::click(&mut window, "Next");
        assert_eq!(window.state().library.progress.map(|progress| progress.step), Some(1));
        window.run_steps(2);
        assert!(window.query_by_label("decay rate α").is_some(), "the slider that it asks for");
    }
}

/// The axis of time has numbers before an audience as well, at every length of the run and every size.
#[test]
fn the_axis_of_time_has_numbers() {
    for size in [vec2(1366.0, 768.0), vec2(1280.0, 720.0)] {
        let mut model = super::model("six-link-chain");
        model.runs.player.playing = true;
        model.apply(Command::Present);
        let mut window = super::panels::window(model);
        window.set_size(size / PRESENTED);
        for second in 1..12 {
            (0..10).for_each(|_| window.state_mut().advance(0.1));
            window.run_steps(2);
            let canvas = window.state().canvas();
            let numbers = texts(&window).into_iter().filter(|text| {
                let at = text.whole.center();
                at.x > canvas.right() && at.y > canvas.center().y && text.text.parse::<f64>().is_ok()
            });
            let numbers: Vec<_> = numbers.map(|text| text.text).collect();
            assert!(numbers.len() >= 3, "after {second} s at {size}: {numbers:?}");
        }
    }
}

/// A panel that has given way in a window without room for it comes back with the room: after a presentation in large type, too.
#[test]
fn the_panel_comes_back_with_the_room() {
    for open in [true, false] {
        let mut model = super::model("single-pendulum");
        model.layout.panel_open = open;
        let mut window = super::panels::window(model);
        window.set_size(vec2(560.0, 700.0));
        window.run_steps(3);
        assert!(!window.state().layout.panel_open);
        window.set_size(vec2(1280.0, 720.0));
        window.run_steps(3);
        assert_eq!(window.state().layout.panel_open, open);
    }
}

/// Where the panel is closed for want of room, a tour points at the button that opens it.
#[test]
fn a_narrow_window_points_at_the_way_to_the_panel() {
    let model = super::model("single-pendulum");
    let tour = model.library.tours.iter().position(|tour| tour.name.contains("overdone")).expect("a tour");
    let mut window = super::panels::window(model);
    window.set_size(vec2(560.0, 900.0));
    window.run_steps(2);
    window.state_mut().apply(Intent::Tour { tour, step: 1 });
    window.run_steps(4);
    let button = window.get_by_label("Panel").bounding_box().expect("a place");
    let rect = control_in_sight(&window.ctx).expect("the button");
    assert!(
        (f64::from(rect.left()) - button.x0).abs() < 1.0 && (f64::from(rect.top()) - button.y0).abs() < 1.0
    );
    super::panels::click(&mut window, "Panel");
    window.run_steps(8);
    let rect = control_in_sight(&window.ctx).expect("the slider");
    assert!(f64::from(rect.top()) > button.y1, "{rect:?}");
}

/// Tours stand in their lists behind their numbers, and the button at the end of one says which is next.
#[test]
fn tours_are_numbered() {
    let mut model = super::model("single-pendulum");
    let names: Vec<String> = model
        .library
        .tours
        .iter()
        .enumerate()
        .map(|(index, tour)| format!("{}. {}", index + 1, tour.name))
        .collect();
    model.apply(Command::ToggleScenes);
    model.apply(Intent::Side(SideTab::Workings));
    let mut window = super::panels::window(model);
    window.set_size(vec2(1600.0, 1600.0));
    window.run_steps(4);
    for name in names {
        assert!(window.query_all_by_label(&name).count() >= 2, "{name}");
    }
}
