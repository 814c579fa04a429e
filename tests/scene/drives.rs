//! Limits and motors of joints in scene files: their keys, their zero, and that saving keeps them.

use super::continuation::continues_to_the_same_bits;
use super::errors::{rejects, rejects_edit};
use super::{edited, problems, sound};
use driftlab::model::{Joint, Motor};
use driftlab::scene::Scene;
use serde_json::{Value, json};

/// The second joint becomes a slider.
fn slider(scene: &mut Value) {
    scene["joints"][1] =
        json!({ "joint": "slider", "bodies": ["link", "slab"], "anchor": [1, 0], "axis": [1, 0] });
}

fn joints(edit: impl FnOnce(&mut Value)) -> Vec<Joint> {
    Scene::parse(&edited(edit)).unwrap().world.joints().to_vec()
}

#[test]
fn limits_must_be_two_bounds_in_order() {
    // Protects against limits that no coordinate can satisfy or that were probably meant differently.
    let limits = |value: Value| move |s: &mut Value| s["joints"][0]["limits"] = value;
    rejects_edit(limits(json!([1, 0])), "joints[0].limits: expected the lower limit first, found [1, 0]");
    rejects_edit(
        limits(json!([0])),
        "joints[0].limits: expected two numbers [lower, upper], found an array of 1",
    );
    rejects_edit(limits(json!(0.5)), "joints[0].limits: expected two numbers [lower, upper], found 0.5");
    rejects_edit(limits(json!([0, "far"])), "joints[0].limits[1]: expected a number, found \"far\"");
    rejects_edit(
        |s| s["joints"][0]["limits_from"] = json!(0.5),
        "joints[0].limits_from: expected 'limits' together with it",
    );
    assert_eq!(problems(&edited(limits(json!([0, 0])))), Vec::<String>::new());
}

#[test]
fn a_motor_has_the_bound_of_its_joint() {
    // Protects against reading a torque as a force, and against a motor without a bound by omission.
    let hinge = |motor: Value| move |s: &mut Value| s["joints"][0]["motor"] = motor;
    let sliding = |motor: Value| {
        move |s: &mut Value| {
            slider(s);
            s["joints"][1]["motor"] = motor;
        }
    };
    rejects_edit(
        hinge(json!({ "speed": 1 })),
        "joints[0].motor.max_torque: this key is missing (expected a number of N m, 0 or more, or a profile)",
    );
    rejects_edit(
        sliding(json!({ "speed": 1 })),
        "joints[1].motor.max_force: this key is missing (expected a number of N, 0 or more, or a profile)",
    );
    rejects_edit(
        hinge(json!({ "speed": 1, "max_force": 2 })),
        "joints[0].motor.max_force: expected 'max_torque' (N m) for the motor of a hinge",
    );
    rejects_edit(
        sliding(json!({ "speed": 1, "max_torque": 2 })),
        "joints[1].motor.max_torque: expected 'max_force' (N) for the motor of a slider",
    );
    rejects_edit(
        hinge(json!({ "speed": 1, "max_torque": 2, "max_force": 2 })),
        "joints[0].motor.max_force: expected 'max_torque' (N m) for the motor of a hinge",
    );
    rejects_edit(
        hinge(json!({ "max_torque": 2 })),
        "joints[0].motor.speed: this key is missing (expected a number, or a profile)",
    );
    rejects_edit(
        hinge(json!({ "speed": 1, "max_torque": -2 })),
        "joints[0].motor.max_torque: expected a number, 0 or more, found -2",
    );
    rejects_edit(
        hinge(json!({ "speed": 1, "max_torque": 2, "sped": 3 })),
        "joints[0].motor.sped: unknown key (did you mean 'speed'?)",
    );
    rejects_edit(
        hinge(json!(3)),
        "joints[0].motor: expected a motor {\"speed\": …, \"max_torque\": …}, found 3",
    );
}

#[test]
fn limits_and_motors_belong_on_joints_that_move() {
    // Protects against limits or motors on a rod or a weld that would have no effect: each key is refused.
    let text = edited(|s| {
        s["joints"][1]["limits_from"] = json!(1);
        s["joints"][1]["motor"] = json!({ "speed": 1, "max_force": 1 });
    });
    let expected = "expected a hinge, a slider, a slot or a wheel, found a distance";
    rejects(
        &text,
        &[&format!("joints[1].limits_from: {expected}"), &format!("joints[1].motor: {expected}")],
    );
    rejects_edit(
        |s| {
            s["joints"][0]["joint"] = json!("weld");
            s["joints"][0]["limits"] = json!([0, 1]);
        },
        "joints[0].limits: expected a hinge, a slider, a slot or a wheel, found a weld",
    );
    rejects_edit(
        |s| s["joints"][1]["wings"] = json!(2),
        "joints[1].wings: unknown key (expected anchor_a, anchor_b, anchors, arm_a, arm_b, bodies, \
         breaks_at, broken, collide_connected, form, joint, length, restitution, softness)",
    );
}

#[test]
fn limits_count_from_where_the_format_says() {
    // Protects the zero of limits: the relative angle as placed for a hinge, coinciding anchors for a slider, or
    // `limits_from` where it is given.
    let placed = joints(|s| {
        slider(s);
        s["bodies"][0]["angle"] = json!(0.25);
        s["bodies"][2]["angle"] = json!(1.0);
        s["joints"][0]["limits"] = json!([-1, 2]);
        s["joints"][1]["limits"] = json!([null, 0.5]);
    });
    assert_eq!((placed[0].zero, placed[0].limits), (0.75, Some([-1.0, 2.0])));
    assert_eq!((placed[1].zero, placed[1].limits), (0.0, Some([f64::NEG_INFINITY, 0.5])));
    let given = joints(|s| {
        slider(s);
        for index in [0, 1] {
            s["joints"][index]["limits"] = json!([-1, null]);
            s["joints"][index]["limits_from"] = json!(-0.5);
        }
    });
    for joint in given {
        assert_eq!((joint.zero, joint.limits), (-0.5, Some([-1.0, f64::INFINITY])));
    }
    let driven = joints(|s| {
        slider(s);
        s["joints"][0]["motor"] = json!({ "speed": -3, "max_torque": 7 });
        s["joints"][1]["motor"] = json!({ "speed": 0.5, "max_force": 0 });
    });
    assert_eq!(driven[0].motor, Some(Motor { speed: -3.0, max_force: 7.0 }));
    assert_eq!(driven[1].motor, Some(Motor { speed: 0.5, max_force: 0.0 }));
}

#[test]
fn limits_and_motors_survive_saving_in_motion() {
    // Protects saved runs: the limits of a hinge that has turned keep their zero, and a file that is only loaded and saved
    // gets no further keys.
    let mut value = sound();
    slider(&mut value);
    value["bodies"][2]["angle"] = json!(0.3);
    value["joints"][0]["limits"] = json!([-0.1, 1.0 / 3.0]);
    value["joints"][0]["motor"] = json!({ "speed": 1.0 / 7.0, "max_torque": 20 });
    value["joints"][1]["limits"] = json!([null, 0.25]);
    value["joints"][1]["motor"] = json!({ "speed": -0.1, "max_force": 5 });
    let scene = Scene::parse(&value.to_string()).unwrap();
    assert!(!scene.to_json().contains("limits_from"), "{}", scene.to_json());
    continues_to_the_same_bits(scene.clone(), 0, 50);
    continues_to_the_same_bits(scene, 100, 100);
}
