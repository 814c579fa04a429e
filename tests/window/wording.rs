//! Sentences of the window that a newcomer understands at first reading.

use super::drawn::texts;
use super::panels::{click, window};
use super::walk::everything;
use driftlab::experiment::stability::Plane;
use driftlab::lcp::solvers;
use driftlab::method::Method;
use driftlab::schemes::TABLE;
use driftlab::workbench::command::Command;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::library::shelf::Browsing;
use driftlab::workbench::map::verdict;
use driftlab::workbench::model::Model;
use driftlab::workbench::runs::failure::Failure;
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::text::format;
use driftlab::workbench::view_state::plot_view::{ERRORS, Tab};
use driftlab::workbench::view_state::solve_view::{SolvePart, SolveView};
use egui_kittest::Harness;
use egui_macroquad::egui::{Event, Rect, vec2};

fn method(scheme: &str, values: &[(&str, f64)]) -> Method {
    let method = Method::by_key(scheme).expect("a scheme");
    values.iter().fold(method, |method, (key, value)| method.with(key, *value).expect("a value"))
}

fn scheme(key: &str) -> usize {
    TABLE.iter().position(|scheme| scheme.info().key == key).expect("a scheme of the table")
}

/// The texts that contain this.
fn containing(harness: &Harness<'_, Model>, part: &str) -> Vec<(String, Rect)> {
    let found = texts(harness).into_iter().filter(|text| text.text.contains(part));
    found.map(|text| (text.text, text.rect)).collect()
}

/// What a scheme does is said in words of its effect, and ρ is explained where it stands alone.
#[test]
fn verdicts_name_effects() {
    for key in ["implicit", "post_stabilization", "projection", "rattle"] {
        let said = verdict(&method(key, &[]), 1e-3, None).expect("a verdict").text;
        assert_eq!(said, "Each step removes nearly all of the joint error.", "{key}");
    }
    let Err(reason) = Plane::of(&method("none", &[]), 1e-3) else { panic!("none has no map") };
    assert!(reason.ends_with("An error stays: ρ, its factor per step, is 1."), "{reason}");
}

/// A run that has blown up names its numbers with three digits and a prefix of the unit, not with the digits of a machine.
#[test]
fn a_blow_up_is_told_in_readable_numbers() {
    let text =
        Failure::blown_up(&method("baumgarte_velocity", &[("alpha", 1e6)]), 8e-4, "The error grew", 0.0)
            .text;
    assert!(text.contains("αh = 800: unstable for h > 2 µs."), "{text}");
}

/// The choice of the span reads from left to right as a sentence, from short to long.
#[test]
fn spans_read_in_order() {
    let harness = window(super::chain());
    let order = ["last:", "1 s", "5 s", "20 s", "all"];
    let left: Vec<f32> = order
        .iter()
        .map(|word| {
            let all = texts(&harness).into_iter().filter(|text| text.text == *word);
            all.map(|text| text.rect.left()).next().unwrap_or_else(|| panic!("'{word}' is shown"))
        })
        .collect();
    assert!(left.windows(2).all(|pair| pair[0] < pair[1]), "{left:?}");
    assert_eq!(ERRORS[1].name, "before correction");
}

/// The runs that can be edited bear their schemes' names behind a word that says what a click does.
#[test]
fn runs_are_chosen_by_name() {
    let mut model = super::model("six-link-chain");
    model.apply(Setting::Scheme(scheme("none")));
    model.apply(Intent::Beside(scheme("post_stabilization")));
    let harness = window(model);
    let word = containing(&harness, "Edit:");
    let [(_, word)] = word.as_slice() else { panic!("{word:?}") };
    for name in ["None", "Post-stabilization"] {
        let beside = containing(&harness, name).into_iter();
        let on_chip =
            |rect: &Rect| rect.left() > word.right() && (rect.center().y - word.center().y).abs() < 4.0;
        assert_eq!(beside.filter(|(text, rect)| text == name && on_chip(rect)).count(), 1, "{name}");
    }
    assert_eq!(containing(&harness, "As written in the equation.").len(), 0);
    let mut harness = harness;
    click(&mut harness, "2 Baumgarte, velocity level");
    assert_eq!(containing(&harness, "As written in the equation.").len(), 1);
}

/// One row is a row.
#[test]
fn one_row_is_not_rows() {
    let mut model = super::model("single-pendulum");
    model.apply(Setting::Scheme(scheme("baumgarte_velocity")));
    let mut harness = window(model);
    harness.run_steps(40);
    assert_eq!(containing(&harness, "1 rows"), []);
}

/// Where contact forces need not exist the failure says so by the name that the literature gives it.
#[test]
fn a_paradox_has_its_name() {
    let mut model = super::model("painleve-rod");
    let paradox = model
        .library
        .tours
        .iter()
        .position(|tour| tour.name.contains("Painlevé"))
        .expect("the tour of the paradox");
    let step = model.library.tours[paradox].steps.len() - 1;
    model.apply(Intent::Tour { tour: paradox, step });
    model.runs.player.playing = true;
    (0..30).for_each(|_| model.advance(0.1));
    let failure = model.run().failure().expect("a failure");
    assert_eq!(failure.text, "No contact force exists here (Painlevé's paradox).");
}

/// The minus sign has one shape, that of mathematics, as wide as a digit.
#[test]
fn minus_has_one_shape() {
    assert_eq!(format::significant(-11.44, 3), "−11.4");
    assert_eq!(format::significant(-1e-5, 3), "−10⁻⁵");
    assert_eq!(format::significant(f64::NEG_INFINITY, 3), "−∞");
    assert_eq!(format::live(-0.25), "−0.250");
    assert_eq!(format::live(-2.5e-5), "−2.50·10⁻⁵");
    assert_eq!(format::metres(&format::length(-0.02)), Some(-0.02));
    let mut model = super::model("six-link-chain");
    model.runs.player.playing = true;
    model.apply(Intent::Beside(scheme("rattle")));
    model.advance(0.3);
    model.runs.player.playing = false;
    let mut harness = window(model);
    everything(&mut harness, |harness, what| {
        for text in texts(harness) {
            let hyphen = |pair: &[char]| pair[0] == '-' && (pair[1].is_ascii_digit() || pair[1] == '∞');
            let letters: Vec<char> = text.text.chars().collect();
            let inside = |at: usize| at > 0 && letters[at - 1].is_alphanumeric();
            let minus = letters.windows(2).enumerate().any(|(at, pair)| hyphen(pair) && !inside(at));
            assert!(!minus, "{what}: '{}'", text.text);
        }
    });
}

/// The list of scenes describes the line under the pointer; without one, that which the keys have marked.
#[test]
fn the_list_describes_what_is_pointed_at() {
    let mut harness = window(super::model("six-link-chain"));
    harness.state_mut().apply(Intent::Browse(Some(Browsing::default())));
    harness.run_steps(40);
    let described = |harness: &Harness<'_, Model>, key: &str| {
        let scenes = &harness.state().library.shelf.scenes;
        let listed = scenes.iter().find(|listed| listed.key == key).expect("a shipped scene");
        let about = driftlab::workbench::text::prose::prose(&listed.description);
        texts(harness).iter().any(|text| text.text == about && text.rect.top() > 600.0)
    };
    assert!(described(&harness, "six-link-chain"), "the marked scene");
    let name = super::scene("double-pendulum").name;
    let row = texts(&harness).into_iter().find(|text| text.text == name).expect("a row of the list").rect;
    harness.input_mut().events.push(Event::PointerMoved(row.center()));
    harness.run_steps(2);
    assert!(described(&harness, "double-pendulum"), "the scene under the pointer");
    harness.input_mut().events.push(Event::PointerMoved(row.center() + vec2(700.0, 0.0)));
    harness.run_steps(2);
    assert!(described(&harness, "six-link-chain"), "the marked scene again");
}

/// A solver whose start is the solution says so, instead of 'solved after 0' beside a replay of three pivots that
/// starts from zero.
#[test]
fn a_solver_that_starts_at_the_solution_says_so() {
    let mut model = super::model("box-at-rest");
    let lemke = solvers().find(|solver| solver.info().key == "lemke").expect("the solver");
    model.apply(Setting::Solver(lemke));
    (0..30).for_each(|_| model.apply(Command::StepForward));
    model.shown.plot.tab = Tab::Solver;
    model.shown.solve = SolveView { part: SolvePart::Rows, ..model.shown.solve };
    let mut harness = window(model);
    harness.run_steps(3);
    assert_eq!(containing(&harness, "after 0"), []);
    assert_eq!(containing(&harness, "its start is the solution already").len(), 1);
    harness.state_mut().shown.solve.part = SolvePart::Pivots;
    harness.run_steps(3);
    assert_eq!(containing(&harness, "a cold start").len(), 1);
}

/// Names that do not fit end in an ellipsis: 'card1' that is merely cut may be 'card10'.
#[test]
fn names_that_do_not_fit_are_elided() {
    let mut model = super::model("card-house");
    model.apply(Command::StepForward);
    model.shown.plot.tab = Tab::Solver;
    let mut harness = window(model);
    harness.set_size(vec2(1024.0, 700.0));
    harness.run_steps(3);
    let names: Vec<_> = texts(&harness).into_iter().filter(|text| text.text.contains("card")).collect();
    assert!(names.len() > 4, "rows of the card house");
    for text in names {
        assert!(text.whole.right() <= text.rect.right() + 1.5, "'{}' is cut", text.text);
    }
}
