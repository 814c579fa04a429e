//! One test per kind of error of the format page: the line names the JSON path and what was expected, and
//! the program ends with status 2.

use super::{edited, problems, sound};
use serde_json::{Value, json};

/// Asserts that `text` is rejected with exactly these lines, by the library and by `driftlab check`.
#[track_caller]
pub fn rejects(text: &str, expected: &[&str]) {
    assert_eq!(problems(text), expected);
    #[cfg(feature = "app")]
    {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let name = file.path().display();
        let lines: String = expected.iter().map(|line| format!("{name}: {line}\n")).collect();
        let check = crate::driftlab().arg("check").arg(file.path()).assert();
        check.code(2).stderr(lines);
    }
}

#[track_caller]
pub fn rejects_edit(edit: impl FnOnce(&mut Value), expected: &str) {
    rejects(&edited(edit), &[expected]);
}

pub fn push(scene: &mut Value, list: &str, item: Value) {
    scene[list].as_array_mut().unwrap().push(item);
}

fn remove(value: &mut Value, key: &str) {
    value.as_object_mut().unwrap().remove(key);
}

#[test]
fn unknown_keys_are_named() {
    // Protects against a misspelled key that silently does nothing.
    rejects_edit(
        |s| s["bodies"][2]["shapes"][1]["radus"] = json!(1),
        "bodies[2].shapes[1].radus: unknown key (did you mean 'radius'?)",
    );
    rejects_edit(
        |s| s["settings"]["colour"] = json!("red"),
        "settings.colour: unknown key (expected active_distance, active_travel, contact_tolerance, duration, \
         effort, integrator, level, restitution_law, restitution_threshold, solver, stabilizer, time_step)",
    );
}

#[test]
fn a_byte_order_mark_is_no_error() {
    // Protects people whose editor writes a byte order mark.
    assert_eq!(problems(&format!("\u{feff}{}", sound())), Vec::<String>::new());
}

#[test]
fn an_integrator_belongs_to_the_acceleration_level() {
    // Protects against a setting without effect: the velocity level has no choice of integrator.
    let edit = |level: &'static str| {
        move |s: &mut Value| {
            s["settings"]["stabilizer"] = json!({"kind": "none"});
            s["settings"]["level"] = json!(level);
            s["settings"]["integrator"] = json!("rk4");
        }
    };
    rejects_edit(
        edit("velocity"),
        "settings.integrator: an integrator acts at the acceleration level, and 'none' is at level velocity \
         (expected level acceleration, or no integrator)",
    );
    assert_eq!(problems(&edited(edit("acceleration"))), Vec::<String>::new());
}

#[test]
fn missing_keys_are_named() {
    // Protects against guessing missing values.
    rejects_edit(
        |s| remove(&mut s["settings"], "time_step"),
        "settings.time_step: this key is missing (expected a number greater than 0)",
    );
    rejects_edit(|s| remove(s, "format"), "format: this key is missing (expected \"driftlab-scene/1\")");
    rejects_edit(|s| remove(s, "name"), "name: this key is missing (expected a text)");
    rejects_edit(
        |s| remove(&mut s["bodies"][3], "position"),
        "bodies[3].position: this key is missing (expected [x, y] in metres)",
    );
    rejects_edit(
        |s| remove(&mut s["joints"][0], "anchor"),
        "joints[0].anchor: this key is missing (expected a point [x, y], or 'anchor_a' and 'anchor_b')",
    );
}

#[test]
fn the_other_format_is_refused() {
    // Protects against reading a file of another version as if it were of this one.
    rejects_edit(
        |s| s["format"] = json!("driftlab-scene/2"),
        "format: expected the format: driftlab-scene/1, found \"driftlab-scene/2\"",
    );
}

#[test]
fn wrong_types_are_named() {
    // Protects against values of the wrong type.
    rejects_edit(
        |s| s["bodies"][2]["angle"] = json!("steep"),
        "bodies[2].angle: expected a number, found \"steep\"",
    );
    rejects_edit(
        |s| s["bodies"][2]["position"] = json!([1]),
        "bodies[2].position: expected two numbers [x, y], found an array of 1",
    );
    rejects_edit(
        |s| s["bodies"][2]["position"][1] = Value::Null,
        "bodies[2].position[1]: expected a number, found null",
    );
    rejects_edit(
        |s| s["bodies"][2]["collides"] = json!(1),
        "bodies[2].collides: expected true or false, found 1",
    );
    rejects_edit(|s| s["bodies"] = json!({}), "bodies: expected an array of bodies, found an object");
    rejects("[]", &["expected a scene {\"format\": …}, found an array of 0"]);
}

#[test]
fn numbers_that_overflow_are_named() {
    // Protects against numbers with so large an exponent that they would be read as infinity.
    let text = edited(|s| s["gravity"] = json!([0, -12345])).replace("-12345", "-1e999");
    rejects(&text, &["gravity[1]: expected a number within the range of a 64-bit float, found -1e999"]);
}

#[test]
fn unknown_names_are_named() {
    // Protects against a joint on the wrong body and a scheme that is not there.
    rejects_edit(
        |s| s["joints"][0]["bodies"][1] = json!("lnik"),
        "joints[0].bodies[1]: no body is named 'lnik' (did you mean 'link'?)",
    );
    rejects_edit(
        |s| s["bodies"][2]["shapes"][0] = json!({ "shape": "star" }),
        "bodies[2].shapes[0].shape: expected a kind of shape: circle, box, ellipse, capsule, polygon, \
         half_plane, polyline, grid, found \"star\"",
    );
    rejects_edit(
        |s| s["joints"][0]["joint"] = json!("nail"),
        "joints[0].joint: expected a kind of joint: hinge, distance, rope, pulley, weld, slider, slot, wheel, bead, motor, gear, \
         knife_edge, rolling, prescribed_velocity, found \"nail\"",
    );
    rejects_edit(
        |s| s["settings"]["solver"] = json!({ "kind": "gauss" }),
        "settings.solver.kind: unknown solver 'gauss' (expected one of auto, ldlt, lemke, pgs, newton, homotopy, interior)",
    );
    let schemes = driftlab::schemes::TABLE.iter().chain(driftlab::peers::schemes());
    let schemes: Vec<_> = schemes.map(|s| s.info().key).collect();
    rejects_edit(
        |s| s["settings"]["stabilizer"] = json!({ "kind": "magic" }),
        &format!(
            "settings.stabilizer.kind: unknown stabilizer 'magic' (expected one of {})",
            schemes.join(", ")
        ),
    );
}

#[test]
fn parameters_are_checked_by_the_table() {
    // Protects against a scheme with a parameter that it does not have or cannot take.
    rejects_edit(
        |s| s["settings"]["stabilizer"]["alpha"] = json!(-1),
        "settings.stabilizer.alpha: alpha = -1 is out of range (expected a number from 0 to 1000000)",
    );
    rejects_edit(
        |s| s["settings"]["stabilizer"]["beta"] = json!(1),
        "settings.stabilizer.beta: unknown parameter 'beta' (expected alpha)",
    );
    rejects_edit(
        |s| s["settings"]["stabilizer"] = json!({ "kind": "post_stabilization", "metric": "feet" }),
        "settings.stabilizer.metric: metric = 'feet' is out of range (expected mass or identity)",
    );
    rejects_edit(
        |s| s["settings"]["stabilizer"] = json!({ "kind": "baumgarte_acceleration", "omega0": 9 }),
        "settings.stabilizer: expected omega0, zeta together",
    );
    rejects_edit(
        |s| s["settings"]["level"] = json!("acceleration"),
        "settings.level: 'baumgarte_velocity' does not exist at level acceleration (expected velocity)",
    );
}

#[test]
fn masses_steps_and_sizes_must_be_positive() {
    // Protects the engine from zero and negative masses, time steps and sizes.
    let positive = "expected a number greater than 0, found";
    rejects_edit(|s| s["bodies"][2]["mass"] = json!(0), &format!("bodies[2].mass: {positive} 0"));
    rejects_edit(
        |s| s["bodies"][2]["density"] = json!(-7.5),
        &format!("bodies[2].density: {positive} -7.5"),
    );
    rejects_edit(|s| s["settings"]["time_step"] = json!(0), &format!("settings.time_step: {positive} 0"));
    rejects_edit(
        |s| s["bodies"][2]["shapes"][1]["radius"] = json!(-1),
        &format!("bodies[2].shapes[1].radius: {positive} -1"),
    );
    rejects_edit(
        |s| s["bodies"][2]["shapes"][0]["size"][1] = json!(0),
        &format!("bodies[2].shapes[0].size[1]: {positive} 0"),
    );
    rejects_edit(
        |s| s["springs"][0]["stiffness"] = json!(-1),
        "springs[0].stiffness: expected a number, 0 or more, found -1",
    );
}

#[test]
fn a_body_needs_mass() {
    // Protects against a dynamic body without mass.
    rejects_edit(
        |s| push(s, "bodies", json!({ "name": "ghost", "position": [0, 0] })),
        "bodies[5]: a dynamic body needs shapes with an area, or a mass",
    );
    rejects_edit(
        |s| s["bodies"][1]["type"] = json!("dynamic"),
        "bodies[1].shapes[0]: a half_plane belongs on a fixed or kinematic body",
    );
    rejects_edit(
        |s| {
            s["bodies"][2]["mass"] = json!(1);
            s["bodies"][2]["density"] = json!(1);
        },
        "bodies[2].density: expected either 'density' or 'mass', found both",
    );
}

#[test]
fn a_joint_needs_two_bodies_of_which_one_moves() {
    // Protects against self-joints and joints that nothing can satisfy.
    rejects_edit(
        |s| s["joints"][0]["bodies"] = json!(["link", "link"]),
        "joints[0].bodies: expected two different bodies, found 'link' twice",
    );
    rejects_edit(
        |s| s["joints"][0]["bodies"] = json!(["wall", "floor"]),
        "joints[0].bodies: neither 'wall' nor 'floor' is dynamic: expected a joint on a body that it can move",
    );
    rejects_edit(
        |s| s["joints"][1]["anchors"] = json!([[1, 0], [1, 0]]),
        "joints[1]: the anchors coincide: expected a 'length' greater than 0",
    );
}

#[test]
fn polygons_must_be_simple() {
    // Protects against polygons that enclose nothing or cross themselves.
    let vertices = |list: Value| move |s: &mut Value| s["bodies"][3]["shapes"][0]["vertices"] = list;
    let path = "bodies[3].shapes[0].vertices: the polygon";
    rejects_edit(vertices(json!([[0, 0], [1, 0]])), &format!("{path} needs three vertices or more"));
    rejects_edit(vertices(json!([[0, 0], [1, 0], [2, 0]])), &format!("{path} encloses no area"));
    rejects_edit(vertices(json!([[0, 0], [2, 2], [2, 0], [0, 1]])), &format!("{path} crosses itself"));
}

#[test]
fn names_and_keys_stand_once() {
    // Protects against a second body or key that hides the first.
    rejects_edit(
        |s| s["bodies"][1]["name"] = json!("wall"),
        "bodies[1]: an earlier body is also named 'wall' (expected a unique name)",
    );
    let text = sound().to_string().replacen("\"name\":", "\"name\":\"first\",\"name\":", 1);
    rejects(&text, &["name: this key occurs twice"]);
}

#[test]
fn a_saved_state_must_fit_its_scene() {
    // Protects against a state edited by hand until it contradicts the bodies.
    rejects_edit(
        |s| s["bodies"][2]["center_of_mass"] = json!([0.6, 0]),
        "bodies[2]: center_of_mass disagrees with position and angle, which place it at [0.5, 0] (delete \
         center_of_mass to keep those)",
    );
    rejects_edit(
        |s| s["state"] = json!({ "joint_forces": [[0, 0, 0]] }),
        "state.joint_forces: expected the forces of 2 joints, found 1",
    );
}

#[test]
fn broken_json_is_placed_by_line_and_column() {
    // Protects against a syntax error that cannot be found in a long file.
    rejects("{\n  \"format\": ,\n}", &["line 2, column 13: not JSON: expected value"]);
    let deep = format!("{{\"name\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    rejects(&deep, &["line 1, column 41: nested too deeply (expected at most 32 levels)"]);
}

#[test]
fn all_errors_of_a_file_are_reported_in_file_order() {
    // Protects against repairing a file error by error.
    let text = edited(|s| {
        s["gravity"] = json!("down");
        s["settings"]["time_step"] = json!(-1);
        s["bodies"][2]["shapes"][1]["radius"] = json!(0);
        s["bodies"][2]["wings"] = json!(2);
        s["joints"][1]["bodies"][0] = json!("nobody");
        s["joints"][1]["form"] = json!("cubed");
        s["springs"][0]["damping"] = json!([]);
    });
    let found = problems(&text);
    let paths: Vec<_> = found.iter().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(
        paths,
        [
            "settings.time_step",
            "bodies[2].shapes[1].radius",
            "bodies[2].wings",
            "joints[1].bodies[0]",
            "joints[1].form",
            "springs[0].damping",
            "gravity",
        ]
    );
}
