//! Joints that are far apart and bodies deep in one another are told under every scheme, with the size of the scene beside them.

use crate::driftlab;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Summary, JSON, and the table of `compare`, of a scene under a scheme.
fn told(folder: &Path, scene: &Value, scheme: &str) -> (String, Value, String) {
    let path = folder.join("scene.json");
    fs::write(&path, scene.to_string()).unwrap();
    let run = |command: &str, more: &[&str]| {
        let output = driftlab().arg(command).arg(&path).args(more).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let text = run("run", &["--stabilizer", scheme]);
    let json = serde_json::from_str(&run("run", &["--stabilizer", scheme, "--json"])).unwrap();
    (text, json, run("compare", &["--stabilizers", scheme]))
}

/// A rod of 2 m and 1 g, hinged to a wall, that carries a bob of 100 kg; it begins level.
pub fn light_rod() -> Value {
    let rod = json!({ "name": "rod", "position": [1, 0], "mass": 0.001, "collides": false, "shapes": [{ "shape": "box", "size": [2, 0.05] }] });
    let bob = json!({ "name": "bob", "position": [2, 0], "mass": 100, "collides": false, "shapes": [{ "shape": "circle", "radius": 0.2 }] });
    json!({
        "format": "driftlab-scene/1", "name": "light rod", "gravity": [0, -9.81],
        "settings": { "time_step": 0.01, "duration": 2, "stabilizer": { "kind": "none" } },
        "bodies": [{ "name": "wall", "type": "fixed", "position": [0, 0] }, rod, bob],
        "joints": [
            { "joint": "hinge", "bodies": ["wall", "rod"], "anchor": [0, 0] },
            { "joint": "hinge", "bodies": ["rod", "bob"], "anchor": [2, 0] }
        ]
    })
}

/// A rod of 2 m and 1 g carries 100 kg: sweeps do not hold it, and the bob falls freely, 19.6 m in the first two
/// seconds [g t²/2]. Each of the sweeping schemes says how far its joint is apart, a multiple of the scene's size.
#[test]
fn a_joint_that_comes_apart_is_told() {
    let scene = light_rod();
    let folder = tempfile::tempdir().unwrap();
    for scheme in ["ngs", "split_impulse", "soft"] {
        let (text, json, table) = told(folder.path(), &scene, scheme);
        let apart =
            json["apart"].as_array().unwrap().iter().find(|own| own["quantity"] == "joint").unwrap();
        assert_eq!(apart["value"], json["joint_error"]["largest"], "{scheme}");
        assert!(apart["of_scene"].as_f64().unwrap() > 1.0, "{scheme}: {apart}");
        for text in [text, table] {
            assert!(
                text.contains("joints are apart by up to") && text.contains("% of the scene's size"),
                "{scheme}: {text}"
            );
        }
    }
    // The exact schemes hold it.
    let (text, json, _) = told(folder.path(), &scene, "post_stabilization");
    assert!(json.get("apart").is_none() && !text.contains("apart"), "{text}");
}

/// A ball of a tonne on a disk of 0.5 m and 1 kg on the ground.
pub fn tonne_on_a_disk() -> Value {
    let body = |name: &str, y: f64, mass: f64, shape: Value| json!({ "name": name, "position": [0, y], "mass": mass, "friction": 0.5, "shapes": [shape] });
    json!({
        "format": "driftlab-scene/1", "name": "a tonne on a disk", "gravity": [0, -9.81],
        "settings": { "time_step": 1.0 / 60.0, "duration": 3, "stabilizer": { "kind": "none" } },
        "bodies": [
            { "name": "ground", "type": "fixed", "position": [0, 0], "shapes": [{ "shape": "half_plane", "normal": [0, 1], "offset": 0 }] },
            body("disk", 0.25, 1.0, json!({ "shape": "circle", "radius": 0.25 })),
            body("tonne", 1.0, 1000.0, json!({ "shape": "circle", "radius": 0.5 }))
        ]
    })
}

/// A tonne on a disk of 0.5 m and 1 kg presses it into the ground under one sweep a substep, by more than a tenth of
/// its size; the exact schemes hold it, and nothing is told.
#[test]
fn an_overlap_beside_the_smallest_body_is_told() {
    let scene = tonne_on_a_disk();
    let folder = tempfile::tempdir().unwrap();
    for scheme in ["ngs", "soft", "split_impulse", "xpbd"] {
        let (text, json, table) = told(folder.path(), &scene, scheme);
        let apart =
            json["apart"].as_array().unwrap().iter().find(|own| own["quantity"] == "contact").unwrap();
        assert_eq!(apart["value"], json["contact_error"]["largest"], "{scheme}");
        assert!(apart["of_body"].as_f64().unwrap() > 0.1, "{scheme}: {apart}");
        for text in [text, table] {
            assert!(text.contains("bodies overlap by up to"), "{scheme}: {text}");
        }
    }
    let (text, json, _) = told(folder.path(), &scene, "anitescu_hart");
    assert!(json.get("apart").is_none() && !text.contains("overlap by"), "{text}");
}

/// Drift that stays small beside the scene is the summary's matter alone, and so is an error that a scene begins with.
#[test]
fn ordinary_drift_and_errors_of_the_start_are_not_told() {
    for (scene, scheme) in [
        ("double-pendulum", "none"),
        ("chain-swung", "soft"),
        ("drake-critical-damping", "post_stabilization"),
    ] {
        let output =
            driftlab().args(["run", scene, "--stabilizer", scheme, "--steps", "300"]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(!text.contains("apart by"), "{scene}: {text}");
    }
}
