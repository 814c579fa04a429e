//! Scenes with too many contacts: refused where they begin so, stopped where they come to it.

use crate::driftlab;
use serde_json::json;
use std::fs;

/// Two bodies of 725 disks each, `apart` m between them, which approach at 10 m/s each.
fn scene(apart: f64) -> String {
    let body = |name: &str, side: f64| {
        let disk = |i: i32| json!({ "shape": "circle", "radius": 0.5, "offset": [1e-6 * f64::from(i), 0] });
        let shapes: Vec<_> = (0..725).map(disk).collect();
        json!({ "name": name, "position": [side * apart / 2.0, 0], "velocity": [-10.0 * side, 0], "mass": 1, "shapes": shapes })
    };
    let settings = json!({ "time_step": 0.01, "stabilizer": { "kind": "none" } });
    let bodies = [body("left", -1.0), body("right", 1.0)];
    json!({ "format": "driftlab-scene/1", "name": "crowd", "gravity": [0, 0], "settings": settings, "bodies": bodies }).to_string()
}

/// 725² = 525,625 contacts: `check` and `run` refuse the scene by the two bodies' names. Where the bodies come to it, the step fails.
#[test]
fn crowds_are_refused_and_stop_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crowd.json");
    let told = |arguments: &[&str], status: i32| {
        let assert = driftlab().args(arguments).arg(&path).assert().code(status);
        String::from_utf8(assert.get_output().stderr.clone()).unwrap()
    };
    fs::write(&path, scene(0.2)).unwrap();
    for command in ["check", "run"] {
        let error = told(&[command], 2);
        assert!(error.contains("bodies: expected at most 524288 contacts"), "{error}");
        assert!(error.contains("between 'left' and 'right'"), "{error}");
    }
    fs::write(&path, scene(2.5)).unwrap();
    assert_eq!(told(&["check"], 0), "");
    // A solver that is chosen by name gets no trials of other methods, which take a minute here.
    let error = told(&["run", "--steps", "20", "--solver", "newton"], 3);
    assert!(error.contains("expected at most 524288 contacts"), "{error}");
    assert!(error.contains("between 'left' and 'right'"), "{error}");
}
