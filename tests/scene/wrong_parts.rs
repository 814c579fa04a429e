//! Forty wrong files, one for each part that a scene can hold: `driftlab check` says of each one line, with the file, the JSON
//! path and what was expected.

use super::{edited, problems};
use serde_json::{Value, json};

type Edit = fn(&mut Value);

/// Adds a joint between the link and the slab.
fn add(scene: &mut Value, kind: &str, keys: Value) {
    let mut joint = json!({ "joint": kind, "bodies": ["link", "slab"] });
    joint.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
    scene["joints"].as_array_mut().unwrap().push(joint);
}

const CASES: [(Edit, &str); 40] = [
    // Breaking.
    (
        |s| s["joints"][0]["breaks_at"] = json!({ "force": -1 }),
        "joints[0].breaks_at.force: expected a number, 0 or more, found -1",
    ),
    (
        |s| s["joints"][0]["breaks_at"] = json!({ "motor": 3 }),
        "joints[0].breaks_at.motor: unknown key (expected force, torque)",
    ),
    (
        |s| s["springs"][0]["breaks_at"] = json!({ "torque": 3 }),
        "springs[0].breaks_at.torque: unknown key (expected force)",
    ),
    (
        |s| s["joints"][0]["broken"] = json!("yes"),
        "joints[0].broken: expected true or false, found \"yes\"",
    ),
    // Ropes and pulleys.
    (
        |s| add(s, "rope", json!({ "anchors": [[1, 0], [1.5, 0]], "length": -1 })),
        "joints[2].length: expected a number greater than 0, found -1",
    ),
    (
        |s| add(s, "rope", json!({ "anchors": [[1, 0], [1.5, 0]], "limits": [0, 1] })),
        "joints[2].limits: expected a hinge, a slider, a slot or a wheel, found a rope, whose 'length' is its longest distance",
    ),
    (
        |s| add(s, "distance", json!({ "anchors": [[1, 0], [1.5, 0]], "limits": [2, 1] })),
        "joints[2].limits: expected the shortest distance first, found [2, 1]",
    ),
    (
        |s| add(s, "distance", json!({ "anchors": [[1, 0], [1.5, 0]], "limits": [null, null] })),
        "joints[2].limits: expected a shortest or a longest distance, found neither",
    ),
    (
        |s| add(s, "pulley", json!({ "anchors": [[1, 0], [1.5, 0]] })),
        "joints[2].wheels: this key is missing (expected two points [[x, y], [x, y]])",
    ),
    (
        |s| {
            add(
                s,
                "pulley",
                json!({ "anchors": [[1, 0], [1.5, 0]], "wheels": [[0, 1], [2, 1]], "ratio": 0 }),
            )
        },
        "joints[2].ratio: expected a number greater than 0, found 0",
    ),
    (
        |s| {
            let wheels_on = json!(["link", null]);
            add(
                s,
                "pulley",
                json!({ "anchors": [[1, 0], [1.5, 0]], "wheels": [[0, 1], [2, 1]], "wheels_on": wheels_on }),
            );
        },
        "joints[2].wheels_on[0]: expected another body than that of the rope's end, found 'link'",
    ),
    // Gears.
    (
        |s| {
            s["joints"]
                .as_array_mut()
                .unwrap()
                .push(json!({ "joint": "gear", "joints": [0, 5], "ratio": 1 }))
        },
        "joints[2].joints[1]: expected the index of a joint before this one (an index below 2), found 5",
    ),
    (
        |s| {
            s["joints"]
                .as_array_mut()
                .unwrap()
                .push(json!({ "joint": "gear", "joints": [0, 1], "ratio": 1 }))
        },
        "joints[2].joints[1]: expected the index of a hinge, slider, slot or wheel, found 1, a distance",
    ),
    (
        |s| {
            s["joints"]
                .as_array_mut()
                .unwrap()
                .push(json!({ "joint": "gear", "joints": [0, 0], "ratio": 1 }))
        },
        "joints[2].joints: expected two different joints, found 0 twice",
    ),
    // Wheels and slots.
    (
        |s| add(s, "wheel", json!({ "anchor": [1, 0], "axis": [0, 1] })),
        "joints[2].stiffness: this key is missing (expected a number, 0 or more, or 'frequency')",
    ),
    (
        |s| add(s, "wheel", json!({ "anchor": [1, 0], "axis": [0, 1], "frequency": 2, "stiffness": 9 })),
        "joints[2].frequency: expected either 'frequency' and 'damping_ratio', or 'stiffness' and 'damping'",
    ),
    (
        |s| add(s, "slot", json!({ "anchor": [1, 0], "axis": [0, 0] })),
        "joints[2].axis: expected a direction [x, y] that is not [0, 0], found an array of 2",
    ),
    // Soft joints.
    (
        |s| s["joints"][0]["softness"] = json!({ "frequency": -2 }),
        "joints[0].softness.frequency: expected a number greater than 0, found -2",
    ),
    (
        |s| s["joints"][1]["softness"] = json!({ "frequency": 2, "stiffness": 9 }),
        "joints[1].softness.stiffness: unknown key (expected damping_ratio, frequency)",
    ),
    // Beads.
    (
        |s| add(s, "bead", json!({ "anchors": [[1, 0], [1.5, 0]], "curve": { "kind": "spiral" } })),
        "joints[2].curve.kind: expected a kind of curve: line, circle, ellipse, parabola, cycloid, graph, found \"spiral\"",
    ),
    (
        |s| {
            let curve = json!({ "kind": "graph", "points": [[0, 0], [0, 1]] });
            add(s, "bead", json!({ "anchors": [[1, 0], [1.5, 0]], "curve": curve }));
        },
        "joints[2].curve.points: x of a curve's points must be ascending from point to point, not 0",
    ),
    (
        |s| {
            add(
                s,
                "bead",
                json!({ "anchors": [[1, 0], [1.5, 0]], "curve": { "kind": "line" }, "side": "left" }),
            )
        },
        "joints[2].side: expected a side: on, outside, inside, above, below, found \"left\"",
    ),
    // Motors, friction and motor joints.
    (
        |s| s["joints"][0]["motor"] = json!({ "speed": 1, "max_force": 2 }),
        "joints[0].motor.max_force: expected 'max_torque' (N m) for the motor of a hinge",
    ),
    (
        |s| s["joints"][0]["motor"] = json!({ "position": 1, "max_torque": 2 }),
        "joints[0].motor.frequency: this key is missing (expected a number of Hz, greater than 0)",
    ),
    (
        |s| s["joints"][0]["friction"] = json!(-1),
        "joints[0].friction: expected a number, 0 or more, found -1",
    ),
    (
        |s| add(s, "motor", json!({ "anchor": [1, 0], "frequency": 2, "max_force": 1 })),
        "joints[2].max_torque: this key is missing (expected a number of N m, 0 or more)",
    ),
    // Profiles.
    (
        |s| {
            s["joints"][1]["length"] =
                json!({ "profile": "sine", "mean": 1, "amplitude": 1, "frequency": 1 })
        },
        "joints[1].length: expected lengths greater than 0 at all times, found 0",
    ),
    (
        |s| s["bodies"][4]["motion"] = json!({ "y": { "profile": "table", "points": [[0, 0]] } }),
        "bodies[4].motion.y.points: expected 2 to 100000 points [time, value], found 1",
    ),
    // Forces.
    (
        |s| s["bodies"][1]["applied"] = json!({ "force": [1, 0] }),
        "bodies[1].applied: expected a dynamic body: a force moves no other",
    ),
    (
        |s| s["bodies"][2]["applied"] = json!({ "force": [1, 0], "key": "Enter" }),
        "bodies[2].applied.key: expected a key: Left, Right, Up, Down, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, A, B, C, D, E, F, G, H, I, J, K, L, M, \
         N, O, P, Q, R, S, T, U, V, W, X, Y, Z, found \"Enter\"",
    ),
    (
        |s| s["bodies"][2]["quadratic_drag"] = json!(-1),
        "bodies[2].quadratic_drag: expected a number, 0 or more, found -1",
    ),
    (
        |s| s["fields"] = json!([{ "center": [0, 0] }]),
        "fields[0].strength: this key is missing (expected a number, m^(n+1)/s²)",
    ),
    (|s| s["wind"] = json!(3), "wind: expected two numbers [x, y], found 3"),
    // Materials, surfaces, filters.
    (|s| s["bodies"][2]["material"] = json!("oak"), "bodies[2].material: no material is named 'oak'"),
    (
        |s| {
            s["materials"] = json!([{ "name": "oak" }]);
            s["material_pairs"] = json!([{ "materials": ["oak", "ice"], "friction": 0.1 }]);
        },
        "material_pairs[0].materials[1]: no material is named 'ice'",
    ),
    (
        |s| s["combination"] = json!({ "friction": "sum" }),
        "combination.friction: expected a rule of combination: mean, geometric, min, max, product, found \"sum\"",
    ),
    (
        |s| s["bodies"][2]["static_friction"] = json!(0.1),
        "bodies[2].static_friction: expected at least the friction, 0.3, found 0.1",
    ),
    (
        |s| s["bodies"][2]["mask"] = json!(-1),
        "bodies[2].mask: expected a whole number from 0 to 4294967295, found -1",
    ),
    (
        |s| s["bodies"][1]["shapes"][0] = json!({ "shape": "polyline", "points": [[0, 0]] }),
        "bodies[1].shapes[0].points: expected two points or more, no two in a row the same",
    ),
    (
        |s| s["bodies"][2]["shapes"][0] = json!({ "shape": "grid", "cell": 1, "rows": ["#x"] }),
        "bodies[2].shapes[0].rows[0]: expected full cells '#' or '1' and empty ones '.', '0' or ' '",
    ),
];

/// Protects whoever writes a file by hand: of each wrong part `check` prints one line alone, with the file, the path and what was
/// expected, and ends with status 2.
#[test]
fn each_of_forty_wrong_files_gets_one_line() {
    let texts: Vec<String> = CASES.iter().map(|(edit, _)| edited(edit)).collect();
    let mut wrong = Vec::new();
    for (text, (_, expected)) in texts.iter().zip(CASES) {
        let found = problems(text);
        if found.len() != 1 || found[0] != expected {
            wrong.push(format!("{found:?}, expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    #[cfg(feature = "app")]
    {
        let folder = tempfile::tempdir().unwrap();
        let mut check = crate::driftlab();
        let mut lines = String::new();
        check.arg("check");
        for (index, (text, (_, expected))) in texts.iter().zip(CASES).enumerate() {
            let file = folder.path().join(format!("{index}.json"));
            std::fs::write(&file, text).unwrap();
            lines += &format!("{}: {expected}\n", file.display());
            check.arg(file);
        }
        check.assert().code(2).stderr(lines);
    }
}
