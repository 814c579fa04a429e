//! Start velocities that contradict joints and velocity constraints.

use crate::driftlab;
use driftlab::experiment::contradiction;
use driftlab::report::StepError;
use driftlab::scene::{Scene, catalogue};
use driftlab::step::make_consistent;
use glam::DVec2;
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

/// The part of a velocity along a rod, across a blade, or beside a prescribed one is |J v|, and is told with whose it
/// is; a velocity that fits to three digits is not.
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
fn check_and_run_warn_of_contradicting_start_velocities() {
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
fn start_velocities_of_shipped_scenes_fit_their_joints() {
    for entry in catalogue::entries() {
        let scene = entry.scene().unwrap();
        assert_eq!(contradiction(&scene.world, &scene.settings.method), None, "{}", entry.key);
    }
}

/// A block on a rail, led by a rod of √4.25 m from a crank of 0.5 m that turns at ω = 3 rad/s: at the time t the
/// crank's pin is at ½ (−sin ωt, cos ωt), and the block on the rail is at x = p_x + √(4.25 − p_y²).
fn crank(t: f64) -> [f64; 2] {
    let omega = 3.0_f64;
    let (sin, cos) = (omega * t).sin_cos();
    let ([x, y], [vx, vy]) = ([-0.5 * sin, 0.5 * cos], [-0.5 * omega * cos, -0.5 * omega * sin]);
    let reach = (4.25 - y * y).sqrt();
    [x + reach, vx - y * vy / reach]
}

fn text() -> String {
    include_str!("../worlds/kinematic-crank.json").to_owned()
}

/// A block that rests on a turning crank is told, and what becomes of it: at the velocity level the first step takes it
/// along, at the acceleration level nothing does, unless the scheme projects velocities.
#[test]
fn what_a_crank_leads_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crank.json");
    fs::write(&path, text()).unwrap();
    for (stabilizer, level, becomes) in [
        ("none", "velocity", "the first step takes the body along, as an impact does"),
        ("none", "acceleration", "no impulse takes the body along, and the joint comes apart at this rate"),
        ("post_stabilization", "acceleration", "the first step takes the body along, as an impact does"),
        (
            "baumgarte_acceleration",
            "acceleration",
            "no impulse takes the body along, and the joint's force may add energy",
        ),
    ] {
        let run = |more: &[&str]| {
            let mut command = driftlab();
            command.args(["run", "--steps", "1", "--stabilizer", stabilizer, "--level", level]);
            let assert = command.args(more).arg(&path).assert().code(0);
            String::from_utf8(assert.get_output().stderr.clone()).unwrap()
        };
        let told = run(&[]);
        // |J v| = ω/2 times the rod's share along the rail, 2/√4.25.
        assert!(told.contains("contradict distance 1: crank – block, by |J v| = 1.455 m/s"), "{told}");
        assert!(told.contains(becomes) && told.contains("--consistent"), "{told}");
        assert_eq!(run(&["--consistent"]), "");
    }
}

/// Under `--consistent` a run begins with the velocity that the crank's kinematics demand, and stays on them at the
/// acceleration level, where nothing else would take the block along; `compare`, `sweep` and `converge` know the option, too.
#[test]
fn consistent_velocities_follow_the_crank() {
    let folder = tempfile::tempdir().unwrap();
    let (path, saved) = (folder.path().join("crank.json"), folder.path().join("saved.json"));
    fs::write(&path, text()).unwrap();
    for (stabilizer, steps, tolerance) in [
        ("none", 0, 1e-12),
        ("none", 300, 1e-6),
        ("post_stabilization", 0, 1e-12),
        ("post_stabilization", 300, 1e-9),
    ] {
        let mut command = driftlab();
        command.args(["run", "--consistent", "--stabilizer", stabilizer, "--steps", &steps.to_string()]);
        command.arg("--save").arg(&saved).arg(&path).assert().code(0);
        let world = Scene::parse(&fs::read_to_string(&saved).unwrap()).unwrap().world;
        let block = &world.bodies()[2];
        let [x, v] = crank(f64::from(steps) / 60.0);
        let (dx, dv) = (block.pose.position.x - x, block.velocity.linear.x - v);
        assert!(
            dx.abs() < tolerance && dv.abs() < tolerance,
            "{stabilizer}, {steps} steps: {dx:.2e} {dv:.2e}"
        );
    }
    for arguments in [
        &["compare", "--steps", "1", "--stabilizers", "none"][..],
        &["sweep", "--steps", "1", "--over", "dt=0.01,0.02"],
        &["converge", "--time", "0.1", "--schemes", "post_stabilization"],
    ] {
        driftlab().args(arguments).arg("--consistent").arg(&path).assert().code(0);
    }
}

/// The smallest change in the metric of the kinetic energy: two masses on a rod take over the mean of their velocities
/// along it, weighed by mass, and keep those across it. Constraints that contradict each other are an error that changes nothing.
#[test]
fn consistent_velocities_change_least() {
    let bodies = json!([
        { "name": "light", "position": [0, 0], "velocity": [3, 1], "mass": 1, "inertia": 1 },
        { "name": "heavy", "position": [2, 0], "velocity": [-1, -1], "mass": 3, "inertia": 1 }
    ]);
    let rod = json!({ "joint": "distance", "bodies": ["light", "heavy"], "anchors": [[0, 0], [2, 0]] });
    let led = |rate: f64| json!({ "joint": "prescribed_velocity", "body": "light", "anchor": [0, 0], "velocity": [rate, 0] });
    let world = |joints: Value| {
        let scene = json!({ "format": "driftlab-scene/1", "name": "rod", "settings": { "time_step": 0.01 }, "bodies": bodies, "joints": joints });
        Scene::parse(&scene.to_string()).unwrap().world
    };
    let mut fitted = world(json!([rod]));
    make_consistent(&mut fitted).unwrap();
    for (body, expected) in fitted.bodies().iter().zip([[0.0, 1.0], [0.0, -1.0]]) {
        let left = body.velocity.linear - DVec2::from(expected);
        assert!(left.length() < 1e-15 && body.velocity.angular == 0.0, "{:?}", body.velocity);
    }
    let before = world(json!([led(1.0), led(2.0)]));
    let mut after = before.clone();
    assert!(matches!(make_consistent(&mut after), Err(StepError::NoVelocities { .. })));
    assert!(after == before);
}
