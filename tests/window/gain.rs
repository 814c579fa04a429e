//! Energy from nothing: the window tells it as a run without a window does, and goes on.

use driftlab::workbench::command::Command;
use driftlab::workbench::model::Model;
use driftlab::workbench::options::OpenScene;
use driftlab::workbench::runs::failure::Doubt;
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::runs::player::Player;
use egui_kittest::kittest::Queryable;

/// Three disks in a row, by that law of restitution and exact steps: Newton's law adds 1/12 J of 5/8 J in the first step
/// (`command_line/blow_up.rs`). Bounded steps would not let it gain.
fn row(law: &str) -> Model {
    let text = include_str!("../worlds/gaining-row.json").replace("\"newton\"", &format!("\"{law}\""));
    let text = text.replace("\"time_step\"", "\"effort\": \"exact\", \"time_step\"");
    let scene = OpenScene { title: "row".to_owned(), path: None, text };
    Model::new(Some(scene), Player::new(false), super::within_frame()).expect("a model")
}

/// The energy gained up to the state that is shown, J.
fn gained(model: &Model) -> Option<f64> {
    model.run().energy_gain().map(|gain| gain.unexplained)
}

/// The gain is that of a run without a window, told in passing and in the side panel, and nothing stops.
#[test]
fn a_gain_is_told_and_nothing_stops() {
    let mut model = row("newton");
    assert_eq!(gained(&model), None);
    model.apply(Command::StepForward);
    let gain = gained(&model).expect("a gain");
    assert!((gain - 1.0 / 12.0).abs() < 1e-12, "{gain}");
    assert!(matches!(model.run().doubt(), Some(Doubt::Gained(_))));
    assert!(model.run().failure().is_none());
    model.apply(Command::StepForward);
    assert_eq!(gained(&model), Some(gain));
    let window = super::panels::window(model);
    assert!(window.query_by_label_contains("energy from nothing").is_some());
    assert!(window.query_by_label_contains("Energy from nothing: 0.0833 J").is_some());
}

/// A calm run has neither the note nor the row.
#[test]
fn without_a_gain_nothing_is_said() {
    let mut model = row("anitescu_potra");
    model.apply(Command::StepForward);
    assert_eq!((gained(&model), model.run().doubt()), (None, None));
    let window = super::panels::window(model);
    assert!(window.query_by_label_contains("nergy from nothing").is_none());
}

/// What is told is about the state that is shown: before the impact there is no gain, behind it the same one again. A
/// change of the method begins a new account.
#[test]
fn a_gain_follows_the_cursor() {
    let mut model = row("newton");
    for _ in 0..3 {
        model.apply(Command::StepForward);
    }
    let gain = gained(&model);
    assert!(gain.is_some());
    for _ in 0..3 {
        model.apply(Command::StepBack);
    }
    assert_eq!(gained(&model), None);
    model.apply(Command::StepForward);
    assert_eq!(gained(&model), gain);
    model.apply(Command::StepForward);
    model.apply(Command::StepForward);
    model.apply(Setting::TimeStep(0.002));
    model.apply(Command::StepForward);
    assert_eq!(gained(&model), None);
}

/// What a hand puts in is no gain, and what happens after it has let go is judged from there on.
#[test]
fn a_hand_may_put_in_energy() {
    use driftlab::workbench::intent::Intent;
    use driftlab::workbench::stage::pointer::Button;
    let mut model = super::chain();
    let at = model.run().world().bodies()[3].pose.position;
    model.apply(Intent::Press { button: Button::Left, at, reach: 0.0 });
    model.apply(Intent::Drag(at + glam::dvec2(0.2, 0.3)));
    let before = model.run().report().total_energy();
    for _ in 0..20 {
        model.advance(0.01);
    }
    assert!(model.run().report().total_energy() > before, "the hand lifts the chain");
    assert_eq!(gained(&model), None);
    model.apply(Intent::Release);
    for _ in 0..20 {
        model.advance(0.01);
    }
    assert_eq!(gained(&model), None);
}
