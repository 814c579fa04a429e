//! The parameters of a scheme: languages in tabs, sliders that tell the truth, fields that say why they refuse a text.

use super::panels::{click, slider_at, window};
use driftlab::schemes::TABLE;
use driftlab::workbench::model::Model;
use driftlab::workbench::runs::live_run::Setting;
use egui_kittest::Harness;
use egui_kittest::kittest::{By, Queryable};
use egui_macroquad::egui::accesskit::Role;
use egui_macroquad::egui::{Event, Key, Modifiers, vec2};

const BAUMGARTE: usize = 1;
const ANITESCU_HART: usize = 4;

fn under(scheme: usize) -> Harness<'static, Model> {
    let mut model = super::model("six-link-chain");
    model.apply(Setting::Scheme(scheme));
    let mut harness = window(model);
    // High enough to show all of the panel.
    harness.set_size(vec2(1280.0, 1400.0));
    harness.run_steps(2);
    harness
}

fn value(harness: &Harness<'_, Model>, key: &str) -> f64 {
    harness.state().run().method().stabilizer.values.get(key).expect("a parameter")
}

/// The chain under Baumgarte's scheme with this α, 1/s.
fn at(alpha: f64) -> Harness<'static, Model> {
    let mut model = super::model("six-link-chain");
    model.apply(Setting::Scheme(BAUMGARTE));
    let mut stabilizer = model.run().method().stabilizer.clone();
    stabilizer.values.set("alpha", alpha).unwrap();
    model.apply(Setting::Stabilizer(stabilizer));
    let mut harness = window(model);
    // High enough to show all of the panel.
    harness.set_size(vec2(1280.0, 1400.0));
    harness.run_steps(2);
    harness
}

/// Clicks the field that shows `shown`, types `text` in its place, and leaves it.
pub(super) fn type_over(harness: &mut Harness<'_, Model>, shown: &str, text: &str) {
    let field = By::new().role(Role::SpinButton).predicate({
        let shown = shown.to_owned();
        move |node| node.value().is_some_and(|value| value == shown)
    });
    harness.get(field).click();
    harness.run_steps(2);
    harness.input_mut().events.push(Event::Text(text.to_owned()));
    harness.step();
    let (key, modifiers) = (Key::Enter, Modifiers::NONE);
    for pressed in [true, false] {
        let event = Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
        harness.input_mut().events.push(event);
        harness.step();
    }
    harness.run_steps(2);
}

pub(super) fn says(harness: &Harness<'_, Model>, part: &str) -> bool {
    harness.query(By::new().label_contains(part)).is_some()
}

/// '1,5' is 1.5, not 1; what has been typed takes effect when the field is left.
#[test]
fn a_decimal_comma_is_a_point() {
    let mut harness = at(50.0);
    let unit = TABLE[BAUMGARTE].info().parameters[0].unit;
    type_over(&mut harness, &format!("50 {unit}"), "1,5");
    assert_eq!(value(&harness, "alpha"), 1.5);
    type_over(&mut harness, &format!("1.5 {unit}"), &format!("20 {unit}"));
    assert_eq!(value(&harness, "alpha"), 20.0);
}

/// A text that is no number keeps the old value and says so near the field; so does a number out of range.
#[test]
fn what_cannot_be_read_is_refused_aloud() {
    let mut harness = at(50.0);
    let unit = TABLE[BAUMGARTE].info().parameters[0].unit;
    let shown = format!("50 {unit}");
    for (text, reason) in [
        ("abc", "'abc' is not a number"),
        ("1,000", "may mean"),
        ("-3", "It can be from 0"),
        ("5 kg", "'kg'"),
    ] {
        type_over(&mut harness, &shown, text);
        assert_eq!(value(&harness, "alpha"), 50.0, "after '{text}'");
        assert!(says(&harness, reason), "the reason why '{text}' is refused");
    }
    type_over(&mut harness, &shown, "60");
    assert_eq!(value(&harness, "alpha"), 60.0);
    assert!(!says(&harness, "The old value stays"), "the reason is gone");
}

/// Entering a field and leaving it without typing changes nothing, although the field shows only four digits.
#[test]
fn leaving_a_field_untouched_keeps_all_digits() {
    let mut harness = at(123.456_789);
    let unit = TABLE[BAUMGARTE].info().parameters[0].unit;
    let shown = format!("123.5 {unit}");
    type_over(&mut harness, &shown, &shown);
    assert_eq!(value(&harness, "alpha"), 123.456_789);
}

/// α = γ/h at γ = 1, the largest that there is: the knob stands at the slider's right end. It stood at its left end.
#[test]
fn the_knob_shows_the_true_value() {
    let mut harness = under(ANITESCU_HART);
    click(&mut harness, "α");
    let full = harness.query_all(By::new().role(Role::Slider)).filter(|node| {
        let (now, most) = (node.numeric_value(), node.max_numeric_value());
        now == most && now.is_some_and(|x| (x - 1000.0).abs() < 1e-9)
    });
    assert_eq!(full.count(), 1, "a slider at its end, 1/h = 1000 s⁻¹");
    // Half of the way is far from either end, and is what γ says.
    let slider = slider_at(&harness, 1000.0);
    super::panels::drag(&mut harness, slider.right_center(), slider.center());
    let gamma = value(&harness, "gamma");
    assert!(gamma > 1e-5 && gamma < 0.1, "γ = {gamma}");
}

/// One language is shown at a time, and the chosen one comes back with every scheme that has it.
#[test]
fn the_chosen_language_is_remembered() {
    let mut harness = under(BAUMGARTE);
    assert_eq!(
        harness.query_all(By::new().label("half-life t½")).count(),
        0,
        "its own numbers are shown first"
    );
    click(&mut harness, "half-life");
    assert_eq!(harness.query_all(By::new().label("half-life t½")).count(), 1);
    assert_eq!(harness.query_all(By::new().label("decay rate α")).count(), 0, "in the place of α");
    harness.state_mut().apply(Setting::Scheme(0));
    harness.run_steps(2);
    assert_eq!(
        harness.query_all(By::new().label("half-life t½")).count(),
        0,
        "without parameters there are no tabs"
    );
    harness.state_mut().apply(Setting::Scheme(ANITESCU_HART));
    harness.run_steps(2);
    assert_eq!(harness.query_all(By::new().label("half-life t½")).count(), 1, "half-lives here, too");
    click(&mut harness, "γ");
    assert_eq!(harness.query_all(By::new().label("half-life t½")).count(), 0);
    harness.state_mut().apply(Setting::Scheme(BAUMGARTE));
    harness.run_steps(2);
    assert_eq!(harness.query_all(By::new().label("half-life t½")).count(), 1);
}
