//! Belts and surfaces in the window: made by hand, changed by their numbers, undone and saved.

use super::build::{draw, empty, make};
use driftlab::scene::Scene;
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::properties::BODY;
use driftlab::workbench::editor::{Act, EditorIntent};
use glam::dvec2;

/// Protects the toolbox: a belt drawn from left to right carries a box that lies on it to the right, one drawn from right to
/// left to the left; what is drawn is saved as it is, and undone.
#[test]
fn a_belt_is_drawn_run_undone_and_saved() {
    for way in [1.0, -1.0] {
        let mut model = empty();
        draw(&mut model, "conveyor", dvec2(-2.0 * way, 0.0), dvec2(2.0 * way, 0.0));
        let belt = &model.run().world().bodies()[0];
        assert!(!belt.is_dynamic() && belt.surface_speed * way > 0.0, "{belt:?}");
        draw(&mut model, "box", dvec2(-0.1, 0.5), dvec2(0.1, 0.7));
        let saved = model.run().to_scene().to_json();
        assert!(Scene::parse(&saved).unwrap().world == *model.run().world());
        model.apply(Command::Steps(400));
        let moved = model.run().world().bodies()[1].velocity.linear.x;
        assert!(moved * way > 0.0, "{moved} m/s");
        model.apply(Command::Restart);
        model.apply(Command::Build(Act::Undo));
        model.apply(Command::Build(Act::Undo));
        assert!(model.run().world().bodies().is_empty());
    }
}

/// Protects the panel: the numbers of a surface and of a filter are those of the body, are checked, and a fixed rotation stops
/// it.
#[test]
fn the_numbers_of_a_surface_can_be_set() {
    let mut model = empty();
    draw(&mut model, "box", dvec2(-0.1, 0.5), dvec2(0.1, 0.7));
    make(&mut model, EditorIntent::Release);
    let mut body = model.run().world().bodies()[0].clone();
    body.velocity.angular = 2.0;
    let property = |key: &str| BODY.iter().find(|own| own.parameter.key == key).expect("a property");
    for (key, value) in [
        ("static_friction", 0.7),
        ("rolling_resistance", 0.02),
        ("surface_speed", -1.5),
        ("categories", 6.0),
        ("mask", 4_294_967_295.0),
        ("fixed_rotation", 1.0),
    ] {
        property(key).set(&mut body, value).unwrap();
        assert_eq!(property(key).of(&body), Some(value), "{key}");
    }
    assert!(body.velocity.angular == 0.0 && body.inverse_mass().z == 0.0);
}
