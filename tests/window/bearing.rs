//! What breaks is marked, said, and undone by stepping back; a slack rope is drawn as long as it is.

use super::{frames_until, model};
use driftlab::workbench::command::Command;
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
    let broken = |model: &driftlab::workbench::model::Model| model.run().world().joints()[0].broken;
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
