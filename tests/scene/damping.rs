//! Damping, drag and wind in scene files.

use super::sound;
use driftlab::experiment::Run;
use driftlab::scene::{Scene, catalogue};
use serde_json::json;

/// Protects the format: damping, drag and wind are read into the world, and what is saved loads to the same world.
#[test]
fn damping_and_wind_are_read_and_saved() {
    let mut scene = sound();
    scene["wind"] = json!([2.5, -0.1]);
    let own = json!({ "linear_damping": 0.1, "angular_damping": 0.02, "linear_drag": 0.3, "quadratic_drag": 1e12 });
    let link = scene["bodies"][2].as_object_mut().unwrap();
    link.extend(own.as_object().unwrap().clone());
    let scene = Scene::parse(&scene.to_string()).unwrap();
    let damping = scene.world.bodies()[2].damping;
    assert_eq!(
        [damping.linear, damping.angular, damping.drag, damping.quadratic_drag],
        [0.1, 0.02, 0.3, 1e12]
    );
    assert_eq!(scene.world.wind().to_array(), [2.5, -0.1]);
    let again = Scene::parse(&scene.to_json()).unwrap();
    assert_eq!(again.world, scene.world);
    let bytes = serde_json::to_string(&scene.world).unwrap();
    let restored: driftlab::model::World = serde_json::from_str(&bytes).unwrap();
    assert_eq!(restored, scene.world);
}

/// Protects the reader: each wrong value is named by its path with what was expected, and other engines' words are understood.
#[test]
fn wrong_damping_is_named() {
    let problem = |body: usize, key: &str, value: serde_json::Value| {
        let mut scene = sound();
        scene["bodies"][body][key] = value;
        Scene::parse(&scene.to_string()).unwrap_err()[0].to_string()
    };
    for key in ["linear_damping", "angular_damping", "linear_drag", "quadratic_drag"] {
        let negative = problem(2, key, json!(-1));
        assert_eq!(negative, format!("bodies[2].{key}: expected a number, 0 or more, found -1"));
        let fixed = problem(0, key, json!(1));
        assert_eq!(fixed, format!("bodies[0].{key}: expected a dynamic body: a force moves no other"));
    }
    assert_eq!(
        problem(2, "linearDamping", json!(1)),
        "bodies[2].linearDamping: unknown key (did you mean 'linear_damping'?)"
    );
    let mut scene = sound();
    scene["wind"] = json!(3);
    let wind = Scene::parse(&scene.to_string()).unwrap_err()[0].to_string();
    assert_eq!(wind, "wind: expected two numbers [x, y], found 3");
}

/// Protects the shipped scene: each ball ends at √(m g/c₂) downwards and with the wind sideways, as Newton derived.
#[test]
fn the_scene_of_terminal_speeds_shows_them() {
    let scene = catalogue::find("terminal-speed").unwrap().scene().unwrap();
    let mut run = Run::under(&scene, scene.settings.method.clone(), 3000);
    assert!(run.by_ref().all(|report| report.is_ok()));
    for (body, mass) in run.world().bodies().iter().zip([1.0_f64, 2.0, 4.0]) {
        let (v, speed) = (body.velocity.linear, (mass * 9.81 / 0.5).sqrt());
        assert!((v.y + speed).abs() < 1e-12 * speed && (v.x - 1.0).abs() < 1e-12, "{}: {v}", body.name);
    }
}
