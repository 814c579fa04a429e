//! What the first screen asks for: to pull, to tame, to compare; it goes on when that is done, and not before.

use driftlab::workbench::intent::{Intent, Standard};
use driftlab::workbench::model::Model;
use driftlab::workbench::runs::live_run::Setting;
use driftlab::workbench::runs::player::Player;
use driftlab::workbench::stage::pointer::Button;
use driftlab::workbench::view_state::plot_view::Tab;

/// Real time of a frame, s.
const FRAME: f64 = 1.0 / 60.0;

fn asked(model: &Model) -> String {
    model.invitation().unwrap_or_default()
}

/// A weak correction does not tame a chain that was torn; projection does. The comparison that is asked for last is
/// with a scheme that is not shown yet, and closing a run is none.
#[test]
fn the_invitation_goes_on_when_its_act_is_done() {
    let mut model = Model::new(None, Player::new(true), super::within_frame()).expect("a model");
    assert_eq!(asked(&model), "Pull the chain.");
    (0..60).for_each(|_| model.advance(FRAME));
    let at = model.run().world().bodies()[3].pose.position;
    model.apply(Intent::Press { button: Button::Left, at, reach: 0.0 });
    assert_eq!(asked(&model), "Tame it: press 7.");
    model.runs.player.playing = false;
    model.apply(Intent::Drag(at + glam::dvec2(0.2, 0.1)));
    model.apply(Intent::Release);
    model.settle();
    model.runs.player.playing = true;
    model.apply(Setting::Scheme(1));
    model.advance(FRAME);
    model.advance(FRAME);
    assert!(model.run().report().joint_error > 0.1, "torn: {}", model.run().report().joint_error);
    assert_eq!(asked(&model), "Raise α until it is tame, or press 7.");
    model.apply(Setting::Scheme(6));
    (0..30).for_each(|_| model.advance(FRAME));
    assert!(model.run().report().joint_error < 1e-12);
    assert_eq!(asked(&model), "Compare: press the squares on 'None'.");
    // The run that is there from the start.
    let place = model.comparison().forks()[0].run().scheme_index();
    model.apply(Intent::Beside(place));
    assert!(!asked(&model).is_empty(), "closing a run compares nothing");
    model.apply(Intent::Beside(0));
    assert_eq!((asked(&model).as_str(), model.shown.plot.tab), ("", Tab::Compare));
}

/// The first screen, when a second has passed.
fn first_screen() -> Model {
    let mut model = Model::new(None, Player::new(true), super::within_frame()).expect("a model");
    (0..60).for_each(|_| model.advance(FRAME));
    model
}

/// A request goes when its act is done, by whatever means: the chain that was held together before anybody pulled it is
/// tame, a push moves it as a pull does, and a run is beside the other also by a copy or as a reference.
#[test]
fn the_invitation_accepts_any_way_to_do_its_act() {
    let mut model = first_screen();
    assert_eq!(asked(&model), "Pull the chain.");
    model.apply(Setting::Scheme(6));
    (0..3).for_each(|_| model.advance(FRAME));
    assert_eq!(asked(&model), "Compare: press the squares on 'None'.");

    let mut model = first_screen();
    let at = model.run().world().bodies()[3].pose.position;
    let aside = at + glam::dvec2(0.0, 1.5 * model.run().push.radius + 0.6);
    model.apply(Intent::Press { button: Button::ShiftLeft, at: aside, reach: 0.0 });
    model.apply(Intent::Drag(aside));
    assert_eq!(asked(&model), "Pull the chain.", "the push does not reach it");
    model.apply(Intent::Drag(at));
    assert_eq!(asked(&model), "Tame it: press 7.");
    model.apply(Setting::Scheme(6));
    (0..3).for_each(|_| model.advance(FRAME));
    for intent in [Intent::Fork(None), Intent::Refer(Standard::SmallStep)] {
        let mut model = first_screen();
        model.apply(Setting::Scheme(6));
        (0..3).for_each(|_| model.advance(FRAME));
        model.apply(intent);
        assert_eq!(asked(&model), "");
    }
}
