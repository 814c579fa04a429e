//! Scenes with too many contacts: refused where they begin so, stopped where they come to it.

use crate::driftlab;
use serde_json::{Value, json};
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

/// 725² = 525,625 contacts: `check` and `run` refuse the scene by the two bodies' names. Where the bodies come to it,
/// the step fails.
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

/// A scene of boxes that all lie on one another, on fixed bodies: `shapes` of each of `bodies`.
fn heap(bodies: usize, shapes: usize) -> String {
    let shapes: Vec<_> = (0..shapes).map(|_| json!({ "shape": "box", "size": [1, 1] })).collect();
    let body = |index: usize| json!({ "name": format!("b{index}"), "type": "fixed", "position": [0, 0], "shapes": shapes });
    let bodies: Vec<_> = (0..bodies).map(body).collect();
    let settings = json!({ "time_step": 0.01, "stabilizer": { "kind": "none" } });
    json!({ "format": "driftlab-scene/1", "name": "heap", "settings": settings, "bodies": bodies })
        .to_string()
}

/// What a scene costs is bounded by its size: shapes that lie beside or on one another and cannot move apart are pairs
/// as those are that may touch, 4,096² in one body and 10,000² of as many, of which counting ends at the limit. The
/// error names the bodies with the most.
#[test]
fn heaps_that_stand_still_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("heap.json");
    for (bodies, shapes, most) in [(1, 4096, "within 'b0'"), (10_000, 1, "between 'b")] {
        fs::write(&path, heap(bodies, shapes)).unwrap();
        for command in ["check", "run"] {
            let assert = driftlab().arg(command).arg(&path).assert().code(2);
            let error = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
            assert!(error.contains("bodies: expected at most 2097152 pairs of shapes"), "{error}");
            assert!(error.contains(most), "{error}");
        }
    }
    // 20 polygons of 4,000 corners: 20 · 19 · 4,000² pairs of edges.
    let ring: Vec<_> = (0..4000)
        .map(|k| f64::from(k) * std::f64::consts::TAU / 4000.0)
        .map(|a| [a.cos(), a.sin()])
        .collect();
    let mut scene: Value = serde_json::from_str(&heap(1, 20)).unwrap();
    for shape in scene["bodies"][0]["shapes"].as_array_mut().unwrap() {
        *shape = json!({ "shape": "polygon", "vertices": ring });
    }
    fs::write(&path, scene.to_string()).unwrap();
    let assert = driftlab().arg("check").arg(&path).assert().code(2);
    let error = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(error.contains("bodies: expected at most 268435456 pairs of edges of shapes"), "{error}");
    fs::write(&path, heap(1, 1000)).unwrap();
    driftlab().arg("check").arg(&path).assert().code(0);
}
