//! Profiles, driven forces and fields in scene files.

use super::sound;
use driftlab::experiment::Run;
use driftlab::model::{Profile, World};
use driftlab::scene::{Scene, catalogue};
use serde_json::{Value, json};

/// A scene with every kind of profile in each place that takes one.
fn driven(profile: &Value) -> Value {
    let mut scene = sound();
    scene["bodies"][2]["applied"] = json!([
        { "force": [1, 0] },
        { "force": [0.1, 3], "torque": 0.7, "at": [0.1, 0], "axes": "body", "profile": profile },
        { "torque": 2, "profile": profile },
        { "at": [0.1, 0.2], "axes": "body", "profile": profile }
    ]);
    scene["joints"][0]["motor"] = json!({ "speed": profile, "max_torque": profile });
    scene["fields"] =
        json!([{ "center": [0.1, 0.2], "strength": -3.3, "exponent": 1.5 }, { "strength": 1 }]);
    scene
}

fn kinds() -> [Value; 5] {
    [
        json!({ "profile": "constant", "value": 0.3 }),
        json!({ "profile": "ramp", "from": 0.1, "to": 3, "start": 1, "end": 2.5, "scale": 0.7 }),
        json!({ "profile": "sine", "mean": 1, "amplitude": 0.3, "frequency": 0.1, "phase": 0.2 }),
        json!({ "profile": "table", "points": [[0, 0.1], [0.3, 2], [1, 0]] }),
        json!({ "profile": "table", "interpolation": "cubic", "points": [[0, 0.1], [0.3, 2], [1, 0]], "scale": 3 }),
    ]
}

/// Protects the format: what is read is saved, and loads to the same world, as a scene and by the engine's own format.
#[test]
fn profiles_are_read_and_saved() {
    for kind in kinds() {
        let scene =
            Scene::parse(&driven(&kind).to_string()).unwrap_or_else(|problems| panic!("{problems:?}"));
        let (world, joint) = (&scene.world, &scene.world.joints()[0]);
        assert!(world.bodies()[2].applied.is_some() && world.bodies()[2].driven.len() == 3);
        assert!(joint.speed_profile.is_some() && joint.force_profile.is_some());
        assert_eq!(world.fields()[1].exponent, 2.0);
        let again = Scene::parse(&scene.to_json()).unwrap();
        assert_eq!(again.world, scene.world, "{kind}");
        let bytes = serde_json::to_string(&scene.world).unwrap();
        assert_eq!(serde_json::from_str::<World>(&bytes).unwrap(), scene.world);
    }
    // A number stays a number.
    let mut plain = sound();
    plain["joints"][0]["motor"] = json!({ "speed": 2, "max_torque": 5 });
    assert!(Scene::parse(&plain.to_string()).unwrap().world.joints()[0].speed_profile.is_none());
}

/// The same with profiles of poses, lengths and belts, whose body stands where its profile puts it.
fn driven_parts(profile: &Value) -> Value {
    let mut scene = driven(profile);
    let motor = |scene: &Value| Scene::parse(&scene.to_string()).unwrap().world.joints()[0].clone();
    let joint = motor(&scene);
    let start = joint.motor.unwrap().speed * joint.speed_profile.unwrap().value(0.0);
    scene["bodies"][4] = json!({ "name": "shaker", "type": "kinematic", "position": [start, 0], "velocity": [0, 0.5],
        "motion": { "x": profile, "angle": profile }, "surface_speed": profile });
    let shape = |x: f64, speed: &Value| json!({ "shape": "box", "size": [1, 1], "offset": [x, 0], "surface_speed": speed });
    scene["bodies"][4]["shapes"] = json!([shape(-2.0, profile), shape(2.0, &json!(0.5))]);
    let mut length = profile.clone();
    if let Some(points) = length.get_mut("points") {
        *points = json!([[0, 0.5], [0.3, 2], [1, 0.4]]);
    }
    scene["joints"][1]["length"] = length.clone();
    let wheels = json!([[1, 2], [2, 2]]);
    for kind in ["rope", "pulley"] {
        let mut joint = json!({ "joint": kind, "bodies": ["link", "slab"], "anchors": [[1, 0], [1.5, 0]], "length": length });
        if kind == "pulley" {
            joint["wheels"] = wheels.clone();
        }
        scene["joints"].as_array_mut().unwrap().push(joint);
    }
    scene
}

/// Protects the format of driven poses, lengths and belts: what is read is saved, and loads to the same world, at the start and
/// in mid-run.
#[test]
fn driven_parts_are_read_and_saved() {
    for kind in kinds() {
        let text = driven_parts(&kind).to_string();
        let mut scene = Scene::parse(&text).unwrap_or_else(|problems| panic!("{problems:?}"));
        let shaker = &scene.world.bodies()[4];
        assert!(shaker.pose_profiles.x.is_some() && shaker.pose_profiles.y.is_none());
        assert_eq!(shaker.pose.angle, shaker.pose.position.x);
        assert!(shaker.surface_profile.is_some());
        assert_eq!(shaker.shapes().iter().filter(|placed| placed.surface_profile.is_some()).count(), 1);
        assert_eq!(scene.world.joints().iter().filter(|joint| joint.length_profile.is_some()).count(), 3);
        for time in [0.0, 0.45] {
            scene.world.set_time(time).unwrap();
            let again = Scene::parse(&scene.to_json()).unwrap_or_else(|problems| panic!("{problems:?}"));
            assert_eq!(again.world, scene.world, "{kind} at {time}");
        }
    }
}

/// Protects what a profile means: `scale` multiplies its values, and a table goes through its points.
#[test]
fn a_scaled_profile_is_its_multiple() {
    let scene = Scene::parse(&driven(&kinds()[4]).to_string()).unwrap();
    let joint = &scene.world.joints()[0];
    assert!((joint.motor_at(0.3)[0] - 6.0).abs() < 1e-14);
    assert!(matches!(scene.world.bodies()[2].driven[0].profile, Profile::Table(_)));
    assert!((scene.world.bodies()[2].driven[0].applied.force.y - 9.0).abs() < 1e-14);
}

/// Protects the reader: each wrong profile is named by its path with what was expected.
#[test]
fn wrong_profiles_are_named() {
    let problem = |profile: Value| {
        let mut scene = sound();
        scene["joints"][0]["motor"] = json!({ "speed": profile, "max_torque": 1 });
        Scene::parse(&scene.to_string()).unwrap_err()[0].to_string()
    };
    let at = "joints[0].motor.speed";
    let cases = [
        (json!("fast"), ": expected a number, found \"fast\"".to_owned()),
        (
            json!({ "profile": "ramp", "to": 1, "start": 2, "end": 1 }),
            ".end: expected a time later than 'start', s".to_owned(),
        ),
        (
            json!({ "profile": "sine", "amplitude": 1, "frequency": 0 }),
            ".frequency: expected a number greater than 0, found 0".to_owned(),
        ),
        (
            json!({ "profile": "table", "points": [[0, 1]] }),
            ".points: expected 2 to 100000 points [time, value], found 1".to_owned(),
        ),
        (
            json!({ "profile": "table", "points": [[0, 1], [1, 2], [1, 3]] }),
            ".points[2]: expected a time later than 1, that of the point before, s".to_owned(),
        ),
        (
            json!({ "profile": "constant", "value": 1, "form": 2 }),
            ".form: unknown key (expected profile, scale, value)".to_owned(),
        ),
    ];
    for (profile, message) in cases {
        assert_eq!(problem(profile), format!("{at}{message}"));
    }
    let part = |edit: &dyn Fn(&mut Value)| {
        let mut scene = sound();
        edit(&mut scene);
        Scene::parse(&scene.to_string()).unwrap_err()[0].to_string()
    };
    let ramp = json!({ "profile": "ramp", "from": 1, "to": 2, "end": 1 });
    type Edit<'a> = &'a dyn Fn(&mut Value);
    let cases: [(Edit<'_>, &str); 7] = [
        (
            &|s| s["joints"][1]["length"] = json!({ "profile": "ramp", "from": 1, "to": -1, "end": 1 }),
            "joints[1].length: expected lengths greater than 0 at all times, found -1",
        ),
        (
            &|s| {
                s["joints"][1]["length"] = ramp.clone();
                s["joints"][1]["softness"] = json!({ "frequency": 1 });
            },
            "joints[1].softness: expected a 'length' that is a number together with it: a soft joint's is not driven",
        ),
        (
            &|s| s["bodies"][4]["motion"]["x"] = ramp.clone(),
            "bodies[4].motion.sine: expected either 'sine', or profiles of 'x', 'y' and 'angle', found both",
        ),
        (
            &|s| s["bodies"][4]["motion"] = json!({ "x": ramp }),
            "bodies[4].motion: its profiles place the body at [1, 0], not at its position [3, 0]",
        ),
        (
            &|s| {
                s["bodies"][4]["motion"] = json!({ "angle": ramp });
                s["bodies"][4]["angle"] = json!(0.5);
            },
            "bodies[4].motion: its profile turns the body to 1, not to its angle 0.5",
        ),
        (
            &|s| {
                s["bodies"][4]["motion"] = json!({ "y": { "profile": "ramp", "to": 1, "end": 1 } });
                s["bodies"][4]["velocity"] = json!([1, 2]);
            },
            "bodies[4].velocity: expected 0 along 'y': its profile decides the velocity",
        ),
        (
            &|s| s["materials"] = json!([{ "name": "belt", "surface_speed": ramp.clone() }]),
            "materials[0].surface_speed: expected a number, found an object",
        ),
    ];
    for (edit, message) in cases {
        assert_eq!(part(edit), message);
    }
    let missing = problem(json!({ "amplitude": 1 }));
    assert!(missing.starts_with("joints[0].motor.speed.profile: this key is missing"), "{missing}");
}

/// Protects the shipped scenes: Kepler's planets are back after their periods, by a² ∝ T^(4/3), and the planned crank has
/// turned by the
/// integral of its table.
#[test]
fn the_shipped_scenes_show_their_values() {
    let kepler = catalogue::find("kepler").unwrap().scene().unwrap();
    let mut run = Run::under(&kepler, kepler.settings.method.clone(), 2000);
    assert!(run.by_ref().all(|report| report.is_ok()));
    for (body, start) in run.world().bodies().iter().zip(kepler.world.bodies()) {
        let off = body.pose.position.distance(start.pose.position);
        assert!(off < 0.01, "{}: {off}", body.name);
    }
    let crank = catalogue::find("planned-crank").unwrap().scene().unwrap();
    let speed = crank.world.joints()[0].speed_profile.clone().unwrap();
    let mut run = Run::under(&crank, crank.settings.method.clone(), 2500);
    assert!(run.by_ref().all(|report| report.is_ok()));
    let turned = run.world().bodies()[1].pose.angle;
    // The corrections that keep the rod's hinges turn the crank by their share.
    assert!((turned - 5.0 * speed.mean(0.0, 5.0)).abs() < 1e-3, "{turned}");
}

/// Protects the format of a field on a body: its centre counts in the body's axes, what is read is saved and loads to the same
/// world, and a wrong carrier or a centre beside a point mass is named by its path.
#[test]
fn a_field_on_a_body_is_read_and_saved() {
    let scene = |field: Value| {
        let text = json!({ "format": "driftlab-scene/1", "name": "pair", "gravity": [0, 0], "settings": { "time_step": 0.01 },
            "bodies": [{ "name": "sun", "position": [1, 0], "angle": 1, "mass": 5, "inertia": 2 },
                       { "name": "dust", "position": [3, 0], "mass": 1 }],
            "fields": [{ "center": [0, 1], "strength": 2 }, field] });
        Scene::parse(&text.to_string()).map_err(|problems| problems[0].to_string())
    };
    let read = scene(json!({ "body": "sun", "center": [0.5, 0], "strength": 3, "exponent": 1 })).unwrap();
    let [fixed, carried] = read.world.fields() else { panic!("{:?}", read.world.fields()) };
    assert_eq!((fixed.on, carried.on), (None, Some(read.world.body_ids()[0])));
    let placed = read.world.placed_field(carried).center;
    assert!(placed.distance([1.0 + 0.5 * 1.0_f64.cos(), 0.5 * 1.0_f64.sin()].into()) < 1e-15, "{placed}");
    let again = Scene::parse(&read.to_json()).unwrap();
    assert_eq!((again.world.fields(), again.to_json()), (read.world.fields(), read.to_json()));

    let wrong = |field: Value| scene(field).unwrap_err();
    assert_eq!(wrong(json!({ "body": "son", "strength": 1 })), "fields[1].body: no body is named 'son'");
    assert_eq!(
        wrong(json!({ "body": "dust", "center": [0, 1], "strength": 1 })),
        "fields[1].center: expected [0, 0], since the body is a point mass, which nothing turns"
    );
}
