//! Words of other formats and engines, for which the right one is named.

use super::errors::push;
use super::{edited, problems};
use serde_json::{Value, json};

/// The only problem of a scene with a joint, a shape and a type of body of these kinds.
fn problem_with(key: &str, word: &str) -> String {
    let text = edited(|scene| match key {
        "joint" => {
            let bodies = [scene["bodies"][0]["name"].clone(), scene["bodies"][2]["name"].clone()];
            push(scene, "joints", json!({"joint": word, "bodies": bodies, "anchor": [0, 0]}));
        }
        "shape" => {
            let shapes = json!([{"shape": word, "radius": 1}]);
            push(scene, "bodies", json!({"name": "other", "position": [9, 9], "shapes": shapes}));
        }
        key => push(
            scene,
            "bodies",
            json!({"name": "other", "position": [9, 9], "mass": 1, "inertia": 1, key: word}),
        ),
    });
    let found = problems(&text);
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].clone()
}

/// Protects people who come from Box2D, Bullet, MuJoCo or Matter: a word of theirs is answered with the one of this format.
#[test]
fn words_of_other_formats_are_answered_with_the_ones_here() {
    for (key, word, meant) in [
        ("joint", "revolute", "hinge"),
        ("joint", "RevoluteJoint", "hinge"),
        ("joint", "revolute joint", "hinge"),
        ("joint", "prismatic", "slider"),
        ("joint", "pin", "hinge"),
        ("joint", "rod", "distance"),
        ("joint", "fixed", "weld"),
        ("shape", "rect", "box"),
        ("shape", "rectangle", "box"),
        ("shape", "disk", "circle"),
        ("shape", "ball", "circle"),
        ("shape", "edge", "polyline"),
        ("shape", "chain", "polyline"),
        ("shape", "plane", "half_plane"),
        ("type", "static", "fixed"),
        ("type", "rigid", "dynamic"),
        ("weight", "3", "mass"),
        ("friction coefficient", "0.3", "friction"),
        ("omega", "1", "angular_velocity"),
    ] {
        let problem = problem_with(key, word);
        assert!(problem.ends_with(&format!("(did you mean '{meant}'?)")), "{word}: {problem}");
    }
}

/// What the format does not have is not answered with something else as if it were the same.
#[test]
fn what_the_format_does_not_have_is_said() {
    let spring = problem_with("joint", "spring");
    assert!(spring.contains("the scene's array 'springs'"), "{spring}");
    let degrees = problem_with("degrees", "30");
    assert!(degrees.contains("'angle' is in radians"), "{degrees}");
    for problem in [spring, degrees] {
        assert!(!problem.contains("did you mean"), "{problem}");
    }
}

/// A key that must be there, under the name that it has elsewhere.
#[test]
fn a_missing_key_is_found_under_its_other_name() {
    let text = edited(|scene| {
        let shape: &mut Value = &mut scene["bodies"][2]["shapes"][0];
        let kind = shape.as_object_mut().unwrap().remove("shape").unwrap();
        shape["type"] = kind;
    });
    let found = problems(&text);
    assert!(found[0].contains("'type' is called 'shape' here"), "{found:?}");
}

/// A word that is like none gets no suggestion: a wrong one costs more than none.
#[test]
fn a_word_without_a_counterpart_gets_no_suggestion() {
    for (key, word) in [("joint", "xyzzy"), ("shape", "xyzzy"), ("type", "xyzzy")] {
        let problem = problem_with(key, word);
        assert!(!problem.contains("did you mean"), "{problem}");
    }
}
