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
        { "torque": 2, "profile": profile }
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
        assert!(world.bodies()[2].applied.is_some() && world.bodies()[2].driven.len() == 2);
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
