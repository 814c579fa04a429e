//! Pulleys in scene files: the equation that a file states, what is saved, and what is refused.

use super::errors::{push, rejects_edit};
use driftlab::experiment::Run;
use driftlab::model::JointKind;
use driftlab::model::joint::Pulley;
use driftlab::scene::{Scene, catalogue};
use serde_json::{Value, json};

/// In the shipped machine the heavier load sinks by ½ g (M − m)/(M + m) t², and the rope that was slack leaves the load half of
/// the speed g t that it had when it became taut; what is saved on the way loads to the same text and continues to the same bits.
#[test]
fn a_saved_pulley_continues_to_the_same_bits() {
    let scene = catalogue::find("atwoods-machine").expect("shipped").scene().unwrap();
    let mut run = Run::new(&scene, 1000);
    (0..210).for_each(|_| assert!(run.next().unwrap().is_ok()));
    let speed = |run: &Run, body: usize| run.world().bodies()[body].velocity.linear.length();
    // Taut at 0.2 s, within a step, and then accelerated by g/2.
    for body in [5, 6] {
        let expected = 0.5 * 9.81 * 0.2 + 0.5 * 9.81 * 0.01;
        assert!((speed(&run, body) - expected).abs() < 0.5 * 9.81 * 2e-3, "{}", speed(&run, body));
    }
    let text = Scene { world: run.world().clone(), ..scene }.to_json();
    let loaded = Scene::parse(&text).unwrap();
    assert_eq!(loaded.to_json(), text);
    let mut again = Run::new(&loaded, 200);
    for _ in 0..200 {
        assert!(run.next().unwrap().is_ok() && again.next().unwrap().is_ok());
    }
    let heights =
        |run: &Run| [0, 1, 2, 3, 5, 6].map(|body| run.world().bodies()[body].pose.position.y.to_bits());
    assert_eq!(heights(&run), heights(&again));
    let sunk = run.world().bodies()[1].pose.position.y + 1.0;
    let expected = -0.5 * 9.81 * 0.2 * 0.41 * 0.41;
    assert!((sunk - expected).abs() < 1e-9, "{sunk} m, expected {expected}");
}

fn with_pulley(keys: Value) -> impl FnOnce(&mut Value) {
    move |scene: &mut Value| {
        let mut pulley = json!({
            "joint": "pulley", "bodies": ["slab", "link"], "anchors": [[0, 0], [1, 0]], "wheels": [[0, 2], [1, 3]]
        });
        for (key, value) in keys.as_object().unwrap() {
            pulley[key] = value.clone();
            if value.is_null() {
                pulley.as_object_mut().unwrap().remove(key);
            }
        }
        push(scene, "joints", pulley);
    }
}

/// A pulley reads as its equation, |d_a| + ρ |d_b| = L with L as placed or as given, with its wheels in the world or on bodies,
/// of which null is none; the words of other engines are understood.
#[test]
fn a_pulley_reads_as_its_equation() {
    let read = |keys: Value| {
        let mut scene = super::sound();
        with_pulley(keys)(&mut scene);
        let scene = Scene::parse(&scene.to_string()).unwrap();
        let again = Scene::parse(&scene.to_json()).unwrap();
        assert_eq!(again.world.joints(), scene.world.joints());
        let joint = scene.world.joints().last().unwrap().clone();
        let JointKind::Pulley(pulley) = joint.kind.clone() else { panic!() };
        (pulley, joint)
    };
    let (Pulley { length, carried, ratio, slack, .. }, joint) = read(json!({ "ratio": 2 }));
    assert_eq!((length, carried, ratio, slack), (2.0 + 2.0 * 3.0, [false; 2], 2.0, false));
    assert_eq!(joint.further(), None);
    let (pulley, joint) =
        read(json!({ "length": 9, "slack": true, "restitution": 0.5, "wheels_on": [null, "wall"] }));
    assert_eq!((pulley.length, pulley.carried, pulley.slack), (9.0, [false, true], true));
    assert_eq!((joint.restitution, joint.bodies()[0]), (0.5, joint.further().unwrap()[0]));
    let (pulley, joint) = read(json!({ "softness": { "stiffness": 10 }, "breaks_at": { "force": 3 } }));
    assert!(!pulley.slack && joint.is_soft() && joint.breaking.is_some());
}

/// Each wrong pulley is answered with its place and what was expected: nothing is left out silently.
#[test]
fn wrong_pulleys_are_refused_with_their_place() {
    let number = "expected a number greater than 0, found";
    let wrong = [
        (
            json!({ "wheels": null }),
            "wheels: this key is missing (expected two points [[x, y], [x, y]])".to_owned(),
        ),
        (
            json!({ "wheels": [[0, 2]] }),
            "wheels: expected two points [[x, y], [x, y]], found an array of 1".to_owned(),
        ),
        (
            json!({ "wheel_arms": [[0, 2], [1, 3]] }),
            "wheels: expected either 'wheels' or 'wheel_arms', found both".to_owned(),
        ),
        (
            json!({ "wheels_on": ["slab", null] }),
            "wheels_on[0]: expected another body than that of the rope's end, found 'slab'".to_owned(),
        ),
        (
            json!({ "wheels_on": [null, "well"] }),
            "wheels_on[1]: no body is named 'well' (did you mean 'wall'?)".to_owned(),
        ),
        (json!({ "ratio": 0 }), format!("ratio: {number} 0")),
        (json!({ "length": -1 }), format!("length: {number} -1")),
        (json!({ "slack": 1 }), "slack: expected true or false, found 1".to_owned()),
        (
            json!({ "restitution": 0.5 }),
            "restitution: expected 'limits', or a rope, together with it".to_owned(),
        ),
        (
            json!({ "wheels_on": [null, "wall"], "softness": { "stiffness": 10 } }),
            "softness: expected it of a pulley whose wheels are fixed in the world".to_owned(),
        ),
        (
            json!({ "anchors": [[0, 2], [1, 3]] }),
            ": both ends are at their wheels: expected a 'length' greater than 0".to_owned(),
        ),
        (
            json!({ "motor": { "speed": 1, "max_force": 1 } }),
            "motor: expected a hinge, a slider, a slot or a wheel, found a pulley".to_owned(),
        ),
        (
            json!({ "limits": [0, 1] }),
            "limits: expected a hinge, a slider, a slot or a wheel, found a pulley".to_owned(),
        ),
    ];
    for (keys, message) in wrong {
        let place = if message.starts_with(':') { "joints[2]" } else { "joints[2]." };
        rejects_edit(with_pulley(keys), &format!("{place}{message}"));
    }
}
