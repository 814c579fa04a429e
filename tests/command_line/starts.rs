//! Start velocities that contradict joints and velocity constraints.

use crate::driftlab;
use driftlab::experiment::contradiction;
use driftlab::scene::{Scene, catalogue};
use serde_json::{Value, json};
use std::fs;

/// A bob at 1 m from a wall, whose velocity is (2, 1) m/s, held by `joint`.
fn scene(joint: &Value, velocity: [f64; 2]) -> String {
    let shapes = json!([{ "shape": "circle", "radius": 0.1 }]);
    let bob = json!({ "name": "bob", "position": [1, 0], "velocity": velocity, "shapes": shapes });
    let bodies = [json!({ "name": "wall", "type": "fixed", "position": [0, 0] }), bob];
    json!({ "format": "driftlab-scene/1", "name": "start", "settings": { "time_step": 0.01 }, "bodies": bodies, "joints": [joint] })
        .to_string()
}

/// The part of a velocity along a rod, across a blade, or beside a prescribed one is |J v|, and is told with whose it is; a velocity that
/// fits to three digits is not.
#[test]
fn start_velocities_that_do_not_fit_are_told() {
    let rod = json!({ "joint": "distance", "bodies": ["wall", "bob"], "anchors": [[0, 0], [1, 0]] });
    let blade = json!({ "joint": "knife_edge", "body": "bob", "anchor": [1, 0], "axis": [1, 0] });
    let led =
        json!({ "joint": "prescribed_velocity", "body": "bob", "anchor": [1, 0], "velocity": [2, 4] });
    for (joint, fits, whose, rate) in [
        (&rod, [0.0, 1.0], "distance 0: wall – bob", "2 m/s"),
        (&blade, [2.0, 0.0], "velocity constraint 0", "1 m/s"),
        (&led, [2.0, 4.0], "velocity constraint 0", "3 m/s"),
    ] {
        let told = |velocity| {
            let scene = Scene::parse(&scene(joint, velocity)).unwrap();
            contradiction(&scene.world, &scene.settings.method)
        };
        let found = told([2.0, 1.0]).expect("a contradiction").what;
        assert!(found.contains(whose) && found.ends_with(&format!("|J v| = {rate}")), "{found}");
        assert_eq!(told(fits), None);
        assert_eq!(told([fits[0] + 1e-4, fits[1] + 1e-4]), None);
    }
}

/// `check` and `run` warn before the first step, at the acceleration level of what it does to the energy; the exit status stays.
#[test]
fn check_and_run_warn_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("start.json");
    let rod = json!({ "joint": "distance", "bodies": ["wall", "bob"], "anchors": [[0, 0], [1, 0]] });
    fs::write(&path, scene(&rod, [2.0, 1.0])).unwrap();
    let told = |arguments: &[&str]| {
        let assert = driftlab().args(arguments).arg(&path).assert().code(0);
        String::from_utf8(assert.get_output().stderr.clone()).unwrap()
    };
    for (arguments, becomes) in [
        (&["check"][..], "the first step takes it away"),
        (&["run", "--steps", "1"], "the first step takes it away"),
        (
            &["run", "--steps", "1", "--level", "acceleration"],
            "the joint's force may add energy (try velocities that fit, or the velocity level)",
        ),
    ] {
        let warning = told(arguments);
        assert!(warning.contains("warning: the start velocities contradict distance 0"), "{warning}");
        assert!(warning.contains("2 m/s") && warning.contains(becomes), "{warning}");
    }
}

/// No shipped scene is told to contradict itself, nor is one that has been saved in motion.
#[test]
fn shipped_scenes_fit() {
    for entry in catalogue::entries() {
        let scene = entry.scene().unwrap();
        assert_eq!(contradiction(&scene.world, &scene.settings.method), None, "{}", entry.key);
    }
}
