use driftlab::scene::catalogue;
use driftlab::workbench::command::Command;
use driftlab::workbench::intent::Intent;
use driftlab::workbench::stage::pointer::{Button, Hold};
use driftlab::workbench::stage::push::{Push, largest_weight};
use driftlab::workbench::text::format;
use glam::dvec2;

/// In every shipped scene the default push is stronger than twice the largest weight, and its strength and reach lie inside the
/// ranges of their sliders.
#[test]
fn the_push_suits_every_scene() {
    for entry in catalogue::entries() {
        let world = entry.scene().expect("a scene").world;
        let push = Push::suited(&world);
        assert!(push.strength > 2.0 * largest_weight(&world), "{}", entry.key);
        for (value, [low, high]) in
            [(push.radius, push.radius_range()), (push.strength, push.strength_range())]
        {
            assert!(low < value && value < high && value.is_finite(), "{}", entry.key);
        }
    }
}

/// Ten notches of the wheel change the push's strength by a factor of ten, turning back restores it, and strength and reach stay
/// in their ranges.
#[test]
fn the_wheel_turns_the_strength_in_decades() {
    let mut push = Push::suited(&super::scene("box-at-rest").world);
    let before = push.strength;
    push.turn_strength(10.0);
    assert!((push.strength / before - 10.0).abs() < 1e-9);
    push.turn_strength(-10.0);
    assert!((push.strength / before - 1.0).abs() < 1e-9);
    push.turn_strength(1e3);
    assert_eq!(push.strength, push.strength_range()[1]);
    push.turn_radius(-1e3);
    assert_eq!(push.radius, push.radius_range()[0]);
}

/// The push moves bodies away from the cursor while the button is down, is marked in the plots, and ends with the release.
#[test]
fn a_push_pushes_and_ends() {
    let mut model = super::model("box-at-rest");
    model.apply(Command::TogglePlay);
    let body = model.run().world().bodies().len() - 1;
    let place = model.run().world().bodies()[body].pose.position;
    let at = place - dvec2(1.0, 0.0);
    model.apply(Intent::Press { button: Button::Left, at, reach: 0.01 });
    assert_eq!(model.hand.hold, Hold::Push);
    model.apply(Intent::Drag(at));
    model.advance(0.1);
    assert!(model.run().world().bodies()[body].pose.position.x > place.x + 1e-4);
    model.apply(Intent::Release);
    assert_eq!((model.hand.hold, model.run().world().repulsion()), (Hold::Free, None));
    let labels: Vec<_> = model.run().history().marks().map(|mark| mark.label.clone()).collect();
    assert_eq!(labels, ["push"]);
    assert_eq!(model.run().to_scene().world.repulsion(), None);
}

/// Numbers in the panel can be typed with and without their units.
#[test]
fn units_can_be_typed() {
    let near = |read: Option<f64>, value: f64| read.is_some_and(|read| (read / value - 1.0).abs() < 1e-12);
    assert!(near(format::metres("2.5 cm"), 0.025) && near(format::metres("3"), 3.0));
    assert!(near(format::newtons("1.5kN"), 1500.0) && near(format::newtons("20 mN"), 0.02));
    assert!(near(format::seconds("5 us"), 5e-6) && near(format::seconds("0.1"), 0.1));
    assert_eq!(format::metres("long"), None);
    for value in [3e-4, 0.02, 7.0, 4e3] {
        let read = format::metres(&format::length(value)).expect("a length");
        assert!((read / value - 1.0).abs() < 1e-9);
    }
}
