//! What breaks is marked, said, and undone by stepping back; a slack rope is drawn as long as it is.

use super::build::{draw, empty, make};
use super::{frames_until, model};
use driftlab::model::Joint;
use driftlab::scene::Scene;
use driftlab::workbench::command::Command;
use driftlab::workbench::editor::edit::Edit;
use driftlab::workbench::editor::item::Item;
use driftlab::workbench::editor::properties::JOINT;
use driftlab::workbench::editor::{Act, EditorIntent};
use driftlab::workbench::model::Model;
use driftlab::workbench::stage::sag::{length_of, sagging};
use glam::{DVec2, dvec2};

/// The curve of a slack rope has the rope's length wherever its ends are, and hangs below their line; a taut one is straight.
#[test]
fn a_slack_rope_is_drawn_as_long_as_it_is() {
    let down = DVec2::NEG_Y;
    for (a, b, length) in [
        (dvec2(0.0, 0.0), dvec2(1.0, 0.0), 1.2),
        (dvec2(0.0, 0.0), dvec2(1.0, -2.0), 5.0),
        (dvec2(0.3, 0.4), dvec2(0.3, 0.4), 2.0),
        (dvec2(0.0, 0.0), dvec2(0.0, -1.0), 1.5),
        (dvec2(1e6, 0.0), dvec2(1e6 + 1.0, 0.0), 1.0001),
    ] {
        let curve = sagging(a, b, length, down);
        // The numbers of points at 1e6 m are rounded by 1e-10 m.
        assert!((length_of(&curve) - length).abs() < 1e-8, "{}, expected {length}", length_of(&curve));
        assert_eq!((curve[0], curve[curve.len() - 1]), (a, b));
        assert!(curve.iter().all(|point| point.y <= a.y.max(b.y) + 1e-9));
    }
    assert_eq!(sagging(DVec2::ZERO, DVec2::X, 1.0, down), [DVec2::ZERO, DVec2::X]);
    assert_eq!(sagging(DVec2::ZERO, DVec2::X, f64::NAN, down).len(), 2);
}

/// A hinge that breaks is told in words and marked in the plots at the time of theory, cos πt = 3/4; a step back makes it whole,
/// and going forward again breaks it in the same step, to the same bits.
#[test]
fn what_breaks_is_marked_and_undone_by_stepping_back() {
    let mut model = model("breaking-chain");
    let broken = |model: &Model| model.run().world().joints()[0].broken;
    let mut last = 0;
    while !broken(&model) {
        assert!(model.run().world().time() < 0.3);
        model.apply(Command::StepForward);
        let steps = last + 1;
        frames_until(&mut model, |model| model.run().world().steps() == steps && !model.is_busy());
        last = steps;
    }
    let expected = 0.75_f64.acos() / std::f64::consts::PI;
    let time = model.run().world().time();
    assert!((time - expected).abs() <= 0.002, "{time} s");
    let marks: Vec<_> = model.run().history().marks().map(|mark| (mark.time, mark.label.clone())).collect();
    assert_eq!(marks, [(time, "hinge ceiling – link 1 broke".to_owned())]);
    frames_until(&mut model, |model| model.news.toast.is_some());
    let toast = model.news.toast.as_ref().map(|toast| toast.text.clone());
    assert_eq!(toast.as_deref(), Some("Hinge ceiling – link 1 broke"));
    let after = model.run().world().clone();
    model.apply(Command::StepBack);
    frames_until(&mut model, |model| model.run().world().steps() == last - 1 && !model.is_busy());
    assert!(!broken(&model));
    model.apply(Command::StepForward);
    frames_until(&mut model, |model| model.run().world().steps() == last && !model.is_busy());
    assert_eq!(*model.run().world(), after);
}

/// The rope's tool makes a rope as long as the line, whose numbers are set and undone, and which is saved as the same world.
#[test]
fn a_rope_is_made_set_undone_and_saved() {
    let mut model = empty();
    draw(&mut model, "box", dvec2(-1.0, 0.0), dvec2(-0.6, 0.3));
    draw(&mut model, "rope", dvec2(-0.8, 1.2), dvec2(-0.8, 0.15));
    let length = |model: &Model| model.run().world().joints().first().and_then(Joint::rope_length);
    assert!((length(&model).unwrap() - 1.05).abs() < 1e-12);
    let id = model.run().world().joint_ids()[0];
    let set = |key: &str, value: f64| {
        let property = JOINT.iter().find(|own| own.parameter.key == key && own.of(&rope(&model)).is_some());
        Edit::Set(vec![Item::Joint(id)], property.unwrap().parameter, value)
    };
    let edits = [set("length", 2.0), set("breaks_at_force", 7.0)];
    for edit in edits {
        make(&mut model, EditorIntent::Edit(edit));
    }
    assert_eq!(length(&model), Some(2.0));
    assert_eq!(rope(&model).breaking.and_then(|own| own.force), Some(7.0));
    let world = model.run().world().clone();
    let saved = Scene::parse(&model.run().to_scene().to_json()).unwrap().world;
    assert_eq!(saved.joints(), world.joints());
    model.apply(Command::Build(Act::Undo));
    model.apply(Command::Build(Act::Undo));
    assert!((length(&model).unwrap() - 1.05).abs() < 1e-12);
    model.apply(Command::Build(Act::Undo));
    assert_eq!(length(&model), None);
}

fn rope(model: &Model) -> Joint {
    model.run().world().joints()[0].clone()
}
