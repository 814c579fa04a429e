//! Ropes, soft joints and breaking limits in scene files: what they mean, that they are saved to the same bits, and what is
//! answered to wrong ones.

use super::sound;
use driftlab::model::{Breaking, JointKind};
use driftlab::scene::Scene;
use driftlab::step::{Workspace, step};
use serde_json::{Value, json};
use std::f64::consts::TAU;

fn with(joint: Value) -> Value {
    let mut scene = sound();
    scene["joints"] = json!([joint]);
    scene["state"] = Value::Null;
    if let Value::Object(keys) = &mut scene {
        keys.remove("state");
    }
    scene
}

fn read(joint: Value) -> Scene {
    Scene::parse(&with(joint).to_string()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// A rope is as long as its length, by default as placed; a distance with limits is bounded on both sides; Hz and ζ are those of
/// the masses on it.
#[test]
fn ropes_and_softness_mean_what_they_say() {
    let anchors = json!([[0, 0], [0.5, 0]]);
    let bodies = json!(["wall", "link"]);
    let rope = |extra: Value| {
        let mut joint = json!({ "joint": "rope", "bodies": bodies, "anchors": anchors });
        joint.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        read(joint).world
    };
    let world = rope(json!({}));
    assert_eq!(world.joints()[0].limits, Some([f64::NEG_INFINITY, 0.5]));
    let world = rope(json!({ "length": 2, "restitution": 0.25 }));
    assert_eq!((world.joints()[0].rope_length(), world.joints()[0].restitution), (Some(2.0), 0.25));
    let world =
        read(json!({ "joint": "distance", "bodies": bodies, "anchors": anchors, "limits": [0.25, 0.75] }))
            .world;
    assert!(matches!(world.joints()[0].kind, JointKind::Rope(_)));
    assert_eq!(world.joints()[0].limits, Some([0.25, 0.75]));
    let soft = json!({ "frequency": 2, "damping_ratio": 0.5 });
    let world =
        read(json!({ "joint": "weld", "bodies": bodies, "anchor": [0, 0], "softness": soft })).world;
    let softness = world.joints()[0].softness.unwrap();
    let link = world.bodies().iter().find(|body| body.name == "link").unwrap().mass_properties();
    let omega = 2.0 * TAU;
    let near = |own: f64, other: f64| assert!((own / other - 1.0).abs() < 1e-14, "{own}, expected {other}");
    near(softness.linear.stiffness, link.mass * omega * omega);
    near(softness.angular.damping, link.inertia * omega);
    let limits = json!({ "force": 5, "torque": 6 });
    let world =
        read(json!({ "joint": "hinge", "bodies": bodies, "anchor": [0, 0], "breaks_at": limits })).world;
    let expected = Breaking { force: Some(5.0), torque: Some(6.0), motor: None };
    assert_eq!(world.joints()[0].breaking, Some(expected));
}

/// A world with a slack rope, a soft weld, a spring that breaks and a joint that has broken goes on from its file with the bits
/// with which it goes on by itself.
#[test]
fn what_has_broken_is_saved() {
    let mut scene = with(
        json!({ "joint": "hinge", "bodies": ["wall", "link"], "anchor": [0, 0], "breaks_at": { "force": 1 } }),
    );
    let bodies = json!(["wall", "link"]);
    let joints = scene["joints"].as_array_mut().unwrap();
    joints.push(json!({ "joint": "rope", "bodies": bodies, "anchors": [[0, 0], [0.5, 0]], "length": 0.6, "restitution": 0.5 }));
    joints.push(json!({ "joint": "distance", "bodies": bodies, "anchors": [[0, 0], [1, 0]], "limits": [0.1, null] }));
    joints.push(json!({ "joint": "weld", "bodies": bodies, "anchor": [0, 0],
        "softness": { "stiffness": 3.3, "damping": 0.1, "angular_stiffness": 0.7, "angular_damping": 0.01 } }));
    scene["springs"] = json!([{ "bodies": bodies, "anchors": [[0, 1], [0.5, 0]], "stiffness": 2, "breaks_at": { "force": 0.001 } }]);
    let mut scene = Scene::parse(&scene.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"));
    let method = scene.settings.method.clone();
    let mut workspace = Workspace::default();
    for _ in 0..20 {
        step(&mut scene.world, &method, 1e-3, &mut workspace).unwrap();
    }
    assert!(scene.world.joints()[0].broken && !scene.world.joints()[1].broken);
    let text = scene.to_json();
    let mut loaded = Scene::parse(&text).unwrap_or_else(|problems| panic!("{problems:?}"));
    assert_eq!(loaded.to_json(), text);
    assert!(loaded.world.joints()[0].broken);
    let mut other = Workspace::default();
    for _ in 0..50 {
        step(&mut scene.world, &method, 1e-3, &mut workspace).unwrap();
        step(&mut loaded.world, &method, 1e-3, &mut other).unwrap();
    }
    for (one, other) in scene.world.bodies().iter().zip(loaded.world.bodies()) {
        assert_eq!(one.pose, other.pose);
        assert_eq!(one.velocity, other.velocity);
    }
}

/// Each wrong key is named with its path and with what was expected there.
#[test]
fn wrong_ropes_softness_and_limits_are_named() {
    let bodies = json!(["wall", "link"]);
    let anchors = json!([[0, 0], [0.5, 0]]);
    let cases = [
        (
            json!({ "joint": "rope", "length": 0 }),
            "joints[0].length: expected a number greater than 0, found 0",
        ),
        (
            json!({ "joint": "rope", "limits": [0, 1] }),
            "joints[0].limits: expected a hinge, a slider, a slot or a wheel, found a rope, whose 'length' is",
        ),
        (
            json!({ "joint": "rope", "motor": { "speed": 1 } }),
            "joints[0].motor: expected a hinge or a slider, found a rope",
        ),
        (
            json!({ "joint": "rope", "anchors": [[0, 0], [0, 0]] }),
            "joints[0]: the anchors coincide: expected a 'length' greater than 0",
        ),
        (
            json!({ "joint": "distance", "limits": [2, 1] }),
            "joints[0].limits: expected the shortest distance first, found [2, 1]",
        ),
        (
            json!({ "joint": "distance", "limits": [null, null] }),
            "joints[0].limits: expected a shortest or a longest distance, found neither",
        ),
        (
            json!({ "joint": "distance", "limits": [0, 1], "length": 1 }),
            "joints[0].length: expected either a length that is kept, or 'limits', found both",
        ),
        (
            json!({ "joint": "distance", "restitution": 0.5 }),
            "joints[0].restitution: expected 'limits', or a rope, together with it",
        ),
        (
            json!({ "joint": "rope", "restitution": 2 }),
            "joints[0].restitution: expected a number from 0 to 1, found 2",
        ),
        (
            json!({ "joint": "rope", "softness": { "frequency": 0 } }),
            "joints[0].softness.frequency: expected a number greater than 0, found 0",
        ),
        (
            json!({ "joint": "rope", "softness": {} }),
            "joints[0].softness.stiffness: this key is missing (expected a stiffness in N/m",
        ),
        (
            json!({ "joint": "distance", "form": "squared", "softness": { "stiffness": 1 } }),
            "form of a soft distance joint",
        ),
        (
            json!({ "joint": "rope", "breaks_at": {} }),
            "joints[0].breaks_at: expected a 'force' or a 'torque'",
        ),
        (
            json!({ "joint": "rope", "breaks_at": { "force": -1 } }),
            "joints[0].breaks_at.force: expected a number, 0 or more, found -1",
        ),
        (json!({ "joint": "rope", "breaks_at": { "motor": 1 } }), "joints[0].breaks_at.motor: unknown key"),
        (json!({ "joint": "rope", "broken": 1 }), "joints[0].broken: expected true or false, found 1"),
    ];
    for (extra, expected) in cases {
        let mut joint = json!({ "bodies": bodies, "anchors": anchors });
        joint.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        let problems = Scene::parse(&with(joint).to_string()).expect_err(expected);
        let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert!(texts.iter().any(|text| text.contains(expected)), "expected '{expected}' in {texts:#?}");
        assert_eq!(texts.len(), 1, "one line: {texts:#?}");
    }
}

/// The shipped scenes of this kind end as theory says: the energy that a rope leaves, the step in which a chain breaks, the angle
/// of a board.
#[test]
fn shipped_scenes_end_as_theory_says() {
    let scene = |key: &str| driftlab::scene::catalogue::find(key).unwrap().scene().unwrap();
    let mut chain = scene("breaking-chain");
    let method = chain.settings.method.clone();
    let h = chain.settings.time_step;
    let mut workspace = Workspace::default();
    let broke = loop {
        let report = step(&mut chain.world, &method, h, &mut workspace).unwrap();
        if report.broken > 0 {
            break report.time;
        }
        assert!(report.time < 1.0);
    };
    // 90 N of links and bucket, and 40 N (1 − cos πt) of the weight on the soft rope: 100 N at cos πt = 3/4.
    let expected = (0.75_f64).acos() / std::f64::consts::PI;
    assert!((broke - expected).abs() <= h, "{broke} s, expected {expected} s");
    assert!(chain.world.joints()[0].broken && chain.world.joints()[1..].iter().all(|joint| !joint.broken));
    let mut board = scene("diving-board");
    let method = board.settings.method.clone();
    for _ in 0..10_000 {
        step(&mut board.world, &method, board.settings.time_step, &mut workspace).unwrap();
    }
    let angle = board.world.bodies()[1].pose.angle;
    // k θ = m g a cos θ
    assert!((-1000.0 * angle - 98.1 * angle.cos()).abs() < 0.01, "{angle} rad");
}
