//! The figures of contacts in summaries and tables.

use super::reported;
use driftlab::experiment::{Curve, ErrorCurve, Measure, Run, Summary};
use driftlab::report::StepReport;
use driftlab::scene::{Quantity, Scene, catalogue};

/// A run of one step that reports `report`.
fn curve(scene: &Scene, report: StepReport) -> Curve {
    let mut summary = Summary::new(scene, Run::new(scene, 0).initial());
    summary.add(&report);
    let mut errors = ErrorCurve::default();
    errors.add(&report);
    Curve { label: String::new(), summary, errors, failure: None }
}

#[test]
fn a_summary_tells_of_contacts() {
    // Protects the figures of contacts: the largest overlap with its time, before and after the correction, the largest
    // number of contacts in a step, and all solvers used.
    let scene = catalogue::find("single-pendulum").unwrap().scene().unwrap();
    let mut summary = Summary::new(&scene, Run::new(&scene, 0).initial());
    assert!(!summary.has_contacts() && summary.contact_error_before.is_none());
    let step = |time, contact_error, contacts, solver| {
        reported(|report| {
            (report.time, report.contact_error, report.contacts) = (time, contact_error, contacts);
            report.contact_error_before = Some(2.0 * contact_error);
            report.solver = solver;
        })
    };
    for report in [step(0.1, 1e-3, 1, "ldlt"), step(0.2, 5e-3, 4, "lemke"), step(0.3, 2e-3, 2, "ldlt")] {
        summary.add(&report);
    }
    let (error, before) = (summary.contact_error, summary.contact_error_before.unwrap());
    assert_eq!((error.largest, error.at, error.last, error.unit), (5e-3, 0.2, 2e-3, "m"));
    assert_eq!((before.largest, before.at, before.last), (1e-2, 0.2, 4e-3));
    assert_eq!((summary.contacts, summary.joints), (4, 1));
    assert_eq!((summary.solver, summary.solvers), ("ldlt", vec!["ldlt", "lemke"]));
}

#[test]
fn tables_show_the_error_that_a_scene_has() {
    // Protects comparisons: tables of scenes with contacts only show the contact error instead of zeros; with joints and
    // contacts they show the larger error, Anitescu & Hart's infeasibility, and NaN is not lost.
    let jointed = catalogue::find("single-pendulum").unwrap().scene().unwrap();
    let text = r#"{ "format": "driftlab-scene/1", "name": "Ball", "settings": { "time_step": 0.001 },
        "bodies": [{ "name": "ball", "position": [0, 0], "shapes": [{ "shape": "circle", "radius": 1 }] }] }"#;
    let loose = Scene::parse(text).unwrap();
    let touching = |contact_error| {
        reported(|report| {
            (report.contacts, report.contact_error, report.joint_error) = (1, contact_error, 0.25);
        })
    };
    let apart = reported(|report| report.joint_error = 0.25);
    for (scene, report, measure, value) in [
        (&jointed, apart, Measure::Joints, 0.25),
        (&loose, apart, Measure::Joints, 0.25),
        (&loose, touching(0.125), Measure::Contacts, 0.125),
        (&jointed, touching(0.125), Measure::Both, 0.25),
        (&jointed, touching(0.5), Measure::Both, 0.5),
    ] {
        let curves = [curve(scene, report)];
        assert_eq!(Measure::of(curves.iter().map(|curve| &curve.summary)), measure);
        assert_eq!(measure.after(&report), value);
        let summary = &curves[0].summary;
        assert_eq!((measure.largest(summary), measure.last(summary)), (value, value));
        assert_eq!(measure.unit(summary), "m");
        assert_eq!(measure.includes(Quantity::ContactError), measure != Measure::Joints);
        assert_eq!(measure.includes(Quantity::JointError), measure != Measure::Contacts);
    }
    assert!(Measure::Both.after(&touching(f64::NAN)).is_nan());
    assert!(!Measure::Both.includes(Quantity::KineticEnergy));
}

/// The initial report of a scene of two bodies on sliders, hinges and rods with these joints.
fn measured(joints: &str) -> StepReport {
    let text = format!(
        r#"{{ "format": "driftlab-scene/1", "name": "Units", "settings": {{ "time_step": 0.001 }},
        "bodies": [{{ "name": "wall", "type": "fixed", "position": [0, 0] }},
            {{ "name": "bar", "position": [1, 1], "mass": 1, "inertia": 1 }}], "joints": [{joints}] }}"#
    );
    *Run::new(&Scene::parse(&text).unwrap(), 0).initial()
}

#[test]
fn errors_of_different_units_are_told_apart() {
    // Protects the columns joint_error_m, joint_error_rad, joint_error_m2, limit_error_m and limit_error_rad, which keep
    // errors of different units apart. Errors by construction: a hinge 0.125 m open, a slider turned by 0.5 rad, a squared
    // rod of length 1 m between points √2 m apart; limits exceeded by 0.25 m and by 0.75 rad.
    let bodies = r#""bodies": ["wall", "bar"]"#;
    let hinge = format!(
        r#"{{ "joint": "hinge", {bodies}, "anchor_a": [1.125, 1], "anchor_b": [0, 0], "limits": [0.75, 1] }}"#
    );
    let slider = format!(
        r#"{{ "joint": "slider", {bodies}, "anchor_a": [1, 1], "anchor_b": [0, 0], "axis": [1, 0],
        "reference_angle": 0.5, "limits": [0.25, 1] }}"#
    );
    let rod = format!(
        r#"{{ "joint": "distance", {bodies}, "anchors": [[0, 0], [1, 1]], "length": 1, "form": "squared" }}"#
    );
    let all = measured(&[hinge.as_str(), slider.as_str(), rod.as_str()].join(","));
    let (joints, limits) = (all.joint_errors, all.limit_errors);
    assert_eq!((joints.metre, joints.radian), (0.125, 0.5));
    assert!((joints.square_metre - 1.0).abs() < 1e-15);
    assert_eq!((limits.metre, limits.radian, limits.square_metre), (0.25, 0.75, 0.0));
    // The largest of all, limits too, and its unit.
    assert_eq!((all.joint_error, all.joint_error_unit.symbol()), (joints.square_metre, "m²"));
    let both = measured(&[hinge.as_str(), slider.as_str()].join(","));
    assert_eq!((both.joint_error, both.joint_error_unit.symbol()), (0.75, "rad"));
    let one = measured(&slider.replace("\"reference_angle\": 0.5", "\"reference_angle\": 0"));
    assert_eq!((one.joint_error, one.joint_error_unit.symbol()), (0.25, "m"));
    assert_eq!((one.joint_errors.radian, one.joint_errors.metre), (0.0, 0.0));
}
