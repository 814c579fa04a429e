//! Slots, wheels, beads, held positions and friction in scene files: their keys, what they mean, and that saving keeps them.

use super::continuation::continues_to_the_same_bits;
use super::errors::rejects_edit;
use super::{edited, sound};
use driftlab::model::Servo;
use driftlab::model::joint::{Bead, Curve, Joint, JointKind, Side, Slot};
use driftlab::scene::Scene;
use serde_json::{Value, json};
use std::f64::consts::TAU;

/// The second joint becomes `joint`, between the bodies link and slab.
fn second(joint: Value) -> impl FnOnce(&mut Value) {
    move |scene: &mut Value| {
        scene["joints"][1] = joint;
        scene["joints"][1]["bodies"] = json!(["link", "slab"]);
    }
}

fn wheel(keys: Value) -> impl FnOnce(&mut Value) {
    let mut joint = json!({ "joint": "wheel", "anchor": [1, 0], "axis": [0, 1] });
    keys.as_object().unwrap().iter().for_each(|(key, value)| joint[key] = value.clone());
    second(joint)
}

fn bead(curve: Value) -> impl FnOnce(&mut Value) {
    second(json!({ "joint": "bead", "anchors": [[1, 0], [2, 0]], "curve": curve }))
}

fn read(edit: impl FnOnce(&mut Value)) -> Joint {
    Scene::parse(&edited(edit)).unwrap().world.joints()[1].clone()
}

/// A wheel's frequency and damping ratio are those of the mass that its axis moves, 1/m_e = J M⁻¹Jᵀ: 1/m_a + 1/m_b + l²/I_a where
/// the wheel's centre lies l beside the other body's centre, across the axis.
#[test]
fn a_wheel_has_a_stiffness_or_a_frequency() {
    let own = read(wheel(json!({ "stiffness": 100, "damping": 3 })));
    let JointKind::Slot(Slot { suspension: Some(suspension), .. }) = own.kind else { panic!() };
    assert_eq!((suspension.stiffness, suspension.damping), (100.0, 3.0));
    let text = edited(|s| {
        s["joints"][1] = json!({ "joint": "wheel", "bodies": ["link", "slab"], "arm_a": [0, 0], "arm_b": [0, 0],
            "axis": [0, 1], "frequency": 2, "damping_ratio": 0.25 });
    });
    let world = Scene::parse(&text).unwrap().world;
    let JointKind::Slot(Slot { suspension: Some(suspension), .. }) = &world.joints()[1].kind else {
        panic!()
    };
    let [a, b] = world.joints()[1].bodies().map(|body| world.bodies()[body].inverse_mass());
    // Link and slab lie 1 m apart along x.
    let (mass, omega) = (1.0 / (a.x + b.x + a.z), TAU * 2.0);
    assert!((suspension.stiffness / (mass * omega * omega) - 1.0).abs() < 1e-12);
    assert!((suspension.damping / (2.0 * 0.25 * mass * omega) - 1.0).abs() < 1e-12);
}

/// Each curve is read as it is written, and its angle counts in the world until it is saved with its body.
#[test]
fn curves_are_read_and_written() {
    for curve in [
        json!({ "kind": "line" }),
        json!({ "kind": "circle", "radius": 1.5 }),
        json!({ "kind": "ellipse", "semi_axes": [2.0, 0.5] }),
        json!({ "kind": "parabola", "coefficient": -0.25 }),
        json!({ "kind": "cycloid", "radius": 0.75 }),
        json!({ "kind": "graph", "points": [[-1.0, 0.5], [0.0, 0.0], [1.0, 0.25]] }),
    ] {
        let text = edited(bead(curve.clone()));
        let saved = Scene::parse(&text).unwrap().to_json();
        let written: Value = serde_json::from_str(&saved).unwrap();
        assert_eq!(written["joints"][1]["curve"], curve);
        assert_eq!(Scene::parse(&saved).unwrap().to_json(), saved);
    }
    let turned = read(second(json!({ "joint": "bead", "anchors": [[1, 0], [2, 0]],
        "curve": { "kind": "line" }, "angle": 0.5, "side": "below" })));
    let JointKind::Bead(Bead { curve: Curve::Line, side: Side::Inside, angle, .. }) = turned.kind else {
        panic!()
    };
    let world = Scene::parse(&edited(|_| {})).unwrap().world;
    assert_eq!(angle, 0.5 - world.bodies()[turned.bodies()[0]].pose.angle);
}

/// A motor with a position holds it; its speed is then 0 unless it is given, and its damping critical.
#[test]
fn a_motor_with_a_position_holds_it() {
    let scene = edited(|s| {
        s["joints"][0]["motor"] = json!({ "position": 0.5, "frequency": 2, "max_torque": 7 });
        s["joints"][0]["friction"] = json!(0.25);
    });
    let joint = Scene::parse(&scene).unwrap().world.joints()[0].clone();
    assert_eq!(joint.servo, Some(Servo { position: 0.5, frequency: 2.0, damping_ratio: 1.0 }));
    assert_eq!(
        (joint.motor.map(|motor| (motor.speed, motor.max_force)), joint.friction),
        (Some((0.0, 7.0)), 0.25)
    );
}

/// What is wrong is answered with its path and what was expected.
#[test]
fn wrong_wires_are_refused() {
    let either = "expected either 'frequency' and 'damping_ratio', or 'stiffness' and 'damping'";
    rejects_edit(
        wheel(json!({})),
        "joints[1].stiffness: this key is missing (expected a number, 0 or more, or 'frequency')",
    );
    rejects_edit(
        wheel(json!({ "stiffness": 1, "frequency": 2 })),
        &format!("joints[1].frequency: {either}"),
    );
    rejects_edit(
        wheel(json!({ "stiffness": 1, "damping_ratio": 2 })),
        &format!("joints[1].damping_ratio: {either}"),
    );
    rejects_edit(
        wheel(json!({ "stiffness": 1, "motor": { "speed": 1, "max_force": 2 } })),
        "joints[1].motor.max_force: expected 'max_torque' (N m) for the motor of a wheel",
    );
    rejects_edit(
        bead(json!({ "kind": "circle", "radius": 0 })),
        "joints[1].curve.radius: expected a number greater than 0, found 0",
    );
    rejects_edit(
        bead(json!({ "kind": "circle" })),
        "joints[1].curve.radius: this key is missing (expected a number greater than 0)",
    );
    rejects_edit(
        bead(json!({ "kind": "parabola", "coefficient": 0 })),
        "joints[1].curve.coefficient: expected a number other than 0, found 0",
    );
    rejects_edit(
        bead(json!({ "kind": "graph", "points": [[0, 0], [0, 1]] })),
        "joints[1].curve.points: x of a curve's points must be ascending from point to point, not 0",
    );
    rejects_edit(
        |s| s["joints"][0]["motor"] = json!({ "position": 0.5, "max_torque": 7 }),
        "joints[0].motor.frequency: this key is missing (expected a number of Hz, greater than 0)",
    );
    rejects_edit(
        |s| s["joints"][0]["friction"] = json!(-1),
        "joints[0].friction: expected a number, 0 or more, found -1",
    );
}

/// A saved run of a wheel, a bead, a held position and friction continues to the same bits.
#[test]
fn wires_survive_saving_in_motion() {
    let mut value = sound();
    wheel(json!({ "frequency": 3, "damping_ratio": 0.3, "friction": 0.2, "limits": [-0.5, null] }))(
        &mut value,
    );
    continues_to_the_same_bits(Scene::parse(&value.to_string()).unwrap(), 20, 50);
    let mut value = sound();
    second(
        json!({ "joint": "bead", "anchors": [[1, 0], [1, 0]], "curve": { "kind": "cycloid", "radius": 0.7 }, "side": "outside" }),
    )(&mut value);
    value["joints"][0]["motor"] = json!({ "position": 0.5, "frequency": 2, "max_torque": 7 });
    continues_to_the_same_bits(Scene::parse(&value.to_string()).unwrap(), 20, 50);
}
