//! What profiles, keys, materials, fields and rounded polygons add to random worlds.

use super::draw::{between, pick, short};
use fastrand::Rng;
use serde_json::{Value, json};

/// Adds them to a scene.
pub(super) fn drive(rng: &mut Rng, scene: &mut Value) {
    surround(rng, scene);
    drive_bodies(rng, &mut scene["bodies"]);
    drive_joints(rng, &mut scene["joints"]);
    scene["bodies"].as_array_mut().into_iter().flatten().for_each(|body| round(rng, body));
}

/// Rounds every second convex polygon.
fn round(rng: &mut Rng, body: &mut Value) {
    let shapes = body.get_mut("shapes").and_then(Value::as_array_mut).into_iter().flatten();
    for shape in shapes.filter(|shape| shape["shape"] == "polygon") {
        let corners = shape["vertices"].as_array().into_iter().flatten();
        let lengths = corners.map(|corner| {
            let [x, y] = [0, 1].map(|axis| corner[axis].as_f64().unwrap_or_default());
            libm::hypot(x, y)
        });
        let [least, most] =
            lengths.fold([f64::INFINITY, 0.0], |[least, most], own| [own.min(least), own.max(most)]);
        let is_star = least < 0.5 * most;
        if !is_star && rng.bool() {
            shape["radius"] = json!(short(between(rng, 0.0, 0.5) * most));
        }
    }
}

/// A profile that is `start` at t = 0, and mostly within a half of it from there.
fn profile(rng: &mut Rng, start: f64) -> Value {
    let other = start * between(rng, 0.5, 1.5);
    let (time, later) = (short(between(rng, 0.005, 0.3)), short(between(rng, 0.31, 1.0)));
    match rng.u8(0..4) {
        0 => json!({"profile": "constant", "value": start}),
        1 => {
            json!({"profile": "ramp", "from": start, "to": short(other), "start": short(0.1 * time), "end": later})
        }
        2 => {
            let amplitude = short(between(rng, -0.5, 0.5) * start);
            json!({"profile": "sine", "mean": start, "amplitude": amplitude, "frequency": short(between(rng, 0.1, 10.0))})
        }
        _ => {
            let interpolation = *pick(rng, &["linear", "cubic"]);
            json!({"profile": "table", "points": [[0, start], [time, short(0.5 * (start + other))], [later, short(other)]],
                   "interpolation": interpolation})
        }
    }
}

/// Materials, fields, wind, pressed keys and a polyline for some worlds.
fn surround(rng: &mut Rng, scene: &mut Value) {
    if rng.u8(0..4) == 0 {
        scene["materials"] = json!([
            {"name": "rough", "friction": 0.9, "static_friction": 1.2, "restitution": 0.1, "density": short(between(rng, 100.0, 5000.0))},
            {"name": "smooth", "friction": 0.02, "restitution": short(rng.f64())},
        ]);
        if rng.bool() {
            scene["material_pairs"] = json!([{"materials": ["rough", "smooth"], "friction": short(rng.f64()), "rolling_resistance": 0.01}]);
        }
        let rules = ["mean", "geometric", "min", "max", "product"];
        scene["combination"] = json!({"friction": *pick(rng, &rules), "restitution": *pick(rng, &rules)});
        for body in scene["bodies"].as_array_mut().into_iter().flatten() {
            let has_static = body.get("static_friction").is_some();
            if rng.bool() && !has_static {
                body["material"] = json!(*pick(rng, &["rough", "smooth"]));
            }
        }
    }
    if rng.u8(0..6) == 0 {
        let center = [short(between(rng, -3.0, 3.0)), short(between(rng, 0.0, 5.0))];
        let exponent = *pick(rng, &[-1.0, 0.0, 1.0, 2.0]);
        let mut fields = vec![
            json!({"center": center, "strength": short(between(rng, -20.0, 20.0)), "exponent": exponent}),
        ];
        let carrier = scene["bodies"].as_array().and_then(|bodies| bodies.first()?.get("name").cloned());
        if let (Some(carrier), true) = (carrier, rng.bool()) {
            let strength = short(between(rng, -5.0, 5.0));
            fields.push(json!({"body": carrier, "strength": strength, "exponent": exponent}));
        }
        scene["fields"] = json!(fields);
    }
    if rng.u8(0..6) == 0 {
        scene["wind"] = json!([short(between(rng, -5.0, 5.0)), 0]);
    }
    if rng.bool() {
        scene["state"] = json!({"keys": ["A"]});
    }
    if rng.u8(0..6) == 0 {
        let point = |rng: &mut Rng, x: f64| [x, short(between(rng, -0.4, 0.2))];
        let points = [-3.0, -1.0, 0.0, 0.5, 3.0].map(|x| point(rng, x));
        let ground = json!({"name": "ground", "type": "fixed", "position": [0, 0], "shapes": [{"shape": "polyline", "points": points}]});
        if let Some(bodies) = scene["bodies"].as_array_mut() {
            bodies.push(ground);
        }
    }
}

/// Thrusters, damping and drag, belts and poses that profiles drive.
fn drive_bodies(rng: &mut Rng, bodies: &mut Value) {
    for body in bodies.as_array_mut().into_iter().flatten() {
        let own = body.get("name").and_then(Value::as_str).is_some_and(|name| name.starts_with('b'));
        if own && body["type"] == "kinematic" {
            if rng.bool() {
                if let Some(members) = body.as_object_mut() {
                    for key in ["velocity", "angular_velocity", "motion"] {
                        members.remove(key);
                    }
                }
                let [x, y] = [0, 1].map(|axis| body["position"][axis].as_f64().unwrap_or_default());
                let angle = body["angle"].as_f64().unwrap_or_default();
                let motion = match rng.u8(0..3) {
                    0 => json!({"x": profile(rng, x)}),
                    1 => json!({"x": profile(rng, x), "y": profile(rng, y), "angle": profile(rng, angle)}),
                    _ => json!({"angle": profile(rng, angle)}),
                };
                body["motion"] = motion;
            }
        } else if own {
            if rng.u8(0..4) == 0 {
                let force = [short(between(rng, -50.0, 50.0)), short(between(rng, -50.0, 200.0))];
                let at = [short(between(rng, -0.2, 0.2)), 0.0];
                let axes = *pick(rng, &["world", "body"]);
                let mut thruster =
                    json!({"force": force, "at": at, "axes": axes, "profile": profile(rng, 1.0)});
                if rng.bool() {
                    thruster["key"] = json!(*pick(rng, &["A", "B"]));
                }
                body["applied"] = json!([thruster, {"torque": short(between(rng, -5.0, 5.0))}]);
            }
            for key in ["linear_damping", "angular_damping", "linear_drag", "quadratic_drag"] {
                if rng.u8(0..12) == 0 {
                    body[key] = json!(short(libm::exp10(between(rng, -2.0, 2.0))));
                }
            }
            if rng.u8(0..12) == 0 {
                body["gravity_scale"] = json!(*pick(rng, &[0.0, -1.0, 2.5]));
            }
        }
        if rng.u8(0..8) == 0 {
            let speed = short(between(rng, -3.0, 3.0));
            body["surface_speed"] = profile(rng, speed);
            if let (Some(shape), true) = (body["shapes"].get_mut(0), rng.bool()) {
                let speed = short(between(rng, -3.0, 3.0));
                shape["surface_speed"] = profile(rng, speed);
            }
        }
    }
}

/// Motors, brakes and lengths that profiles drive.
fn drive_joints(rng: &mut Rng, joints: &mut Value) {
    for joint in joints.as_array_mut().into_iter().flatten() {
        let kind = joint["joint"].as_str().unwrap_or_default().to_owned();
        if joint["motor"].is_object() && rng.bool() {
            let bound = if joint["motor"].get("max_torque").is_some() { "max_torque" } else { "max_force" };
            match rng.u8(0..3) {
                0 => {
                    let speed = joint["motor"]["speed"].as_f64().unwrap_or_default();
                    joint["motor"]["speed"] = profile(rng, speed);
                }
                1 => {
                    let most = joint["motor"][bound].as_f64().unwrap_or_default();
                    joint["motor"][bound] = profile(rng, most);
                }
                _ => {
                    let at = short(between(rng, 0.0, 0.1));
                    joint["motor"]["speed"] = json!(0);
                    joint["motor"][bound] = json!({"profile": "table", "points": [[at, 0], [short(at + 0.001), 1]], "scale": short(libm::exp10(between(rng, 0.0, 3.0)))});
                }
            }
        }
        let has_length =
            ["rope", "pulley"].contains(&kind.as_str()) || kind == "distance" && joint["limits"].is_null();
        if has_length && joint["softness"].is_null() && rng.bool() {
            let length = joint["length"].as_f64().unwrap_or(short(between(rng, 0.1, 1.0)));
            joint["length"] = profile(rng, length);
        }
    }
}
