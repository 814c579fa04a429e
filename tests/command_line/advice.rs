//! Energy in passive runs: every gain above a tenth of the largest kinetic energy is told, and advice has been tried.

use crate::driftlab;
use driftlab::experiment::{Gain, Past, Touching};
use driftlab::method::Method;
use driftlab::model::{Body, BodyKind, MassSpec, Placement, Shape, World};
use glam::DVec2;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Bodies of density ratio 10⁴ on joints that fall onto a floor, under `anitescu_hart` by steps of 1/120 s.
const MASS_RATIO: &str = include_str!("../worlds/passive-mass-ratio.json");
/// A heavy capsule that squeezes a light one, which spins out of the reach of a step and is pushed out of the floor.
const LATE_CONTACT: &str = include_str!("../worlds/passive-late-contact.json");
/// A box without friction that rebounds with e = 1 by steps of 1/60 s.
const COARSE_STEP: &str = include_str!("../worlds/passive-coarse-step.json");

/// The exit status, stdout as text, and as JSON, of a run of 1.5 s.
fn run(path: &Path, arguments: &[&str]) -> (Option<i32>, String, Value) {
    let made = |more: &[&str]| {
        let mut command = driftlab();
        command.arg("run").arg(path).args(["--time", "1.5"]).args(arguments).args(more);
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, text) = made(&[]);
    let (_, json) = made(&["--json"]);
    (code, text, serde_json::from_str(&json).unwrap())
}

/// The schemes and the time step that a line of advice names.
fn named(text: &str) -> (Vec<&str>, Option<&str>) {
    let line = text.lines().find(|line| line.starts_with("advice")).expect("advice");
    let (_, holding) = line.split_once("these hold: ").expect("something that holds");
    let (others, own) = holding.split_once("; ").unwrap_or((holding, ""));
    let schemes = others.split('\'').skip(1).step_by(2).collect();
    (schemes, own.split_once("h = ").map(|(_, step)| step.trim_end_matches(" s")))
}

/// A run whose energy comes from nothing, more than its scene can exchange, exits as a run that has blown up. 2 ms and 1 ms make
/// it worse: 10²¹ and 10⁴⁰ J. What is advised keeps the energy below that of the start over the whole run, whatever it names.
#[test]
fn advice_has_been_tried() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.json");
    fs::write(&path, MASS_RATIO).unwrap();
    let (code, text, json) = run(&path, &[]);
    assert_eq!(code, Some(4), "{text}");
    assert!(text.contains("h ω") && text.contains("nothing after it has a meaning"), "{text}");
    assert_eq!(json["blow_up"]["quantity"], "an energy of the method");
    assert!(json["advice"].as_str().unwrap().contains("these hold"));
    let (schemes, step) = named(&text);
    assert!(schemes.len() >= 3 && schemes.contains(&"projection"), "{schemes:?}");
    let step = step.expect("a smaller time step");
    // The scene's own, divided by 16 or more.
    assert!(step.parse::<f64>().unwrap() < 1.0 / 120.0 / 15.0, "{step}");
    let mut tried: Vec<_> = schemes.iter().map(|scheme| ["--stabilizer", *scheme]).collect();
    tried.push(["--dt", step]);
    for arguments in tried {
        let (code, text, json) = run(&path, &arguments);
        assert_eq!((code, json.get("energy_gain")), (Some(0), None), "{arguments:?}: {text}");
        let energy = &json["energy"];
        assert!(energy["last"].as_f64() < energy["initial"].as_f64(), "{arguments:?}: {text}");
    }
    // Another step that makes it worse is not called a remedy.
    let (code, text, _) = run(&path, &["--dt", "0.002"]);
    assert!(code == Some(4) && !text.contains("try a smaller time step"), "{text}");
}

/// Energy that corrections have added to a start without errors is warned of: from 2528 to 6120 J without a joint, more than
/// the weights can exchange, so that the run is no success. What is advised has no such gain.
#[test]
fn what_corrections_push_apart_is_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.json");
    fs::write(&path, LATE_CONTACT).unwrap();
    let (code, text, _) = run(&path, &[]);
    assert_eq!(code, Some(4));
    assert!(
        text.lines().any(|line| line.starts_with("warning") && line.contains("corrections have added")),
        "{text}"
    );
    let (schemes, step) = named(&text);
    let mut tried: Vec<_> = schemes.iter().map(|scheme| ["--stabilizer", *scheme]).collect();
    tried.extend(step.map(|step| ["--dt", step]));
    assert!(tried.len() > 2, "{text}");
    for arguments in tried {
        let (_, text, json) = run(&path, &arguments);
        assert!(
            json.get("corrected").is_none() && json.get("energy_gain").is_none(),
            "{arguments:?}: {text}"
        );
    }
}

/// A gain of a ninth of the kinetic energy that the length of the step explains, 2 h |g| √(2 M T), is told as such; a
/// twentieth of the step gains less than a tenth of it, and says nothing.
#[test]
fn what_a_coarse_step_gains_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.json");
    fs::write(&path, COARSE_STEP).unwrap();
    let (code, text, json) = run(&path, &[]);
    assert_eq!((code, json.get("energy_gain")), (Some(0), None), "{text}");
    assert!(text.contains("more than a tenth of the largest kinetic energy"), "{text}");
    let [gain, late] = ["gain", "late"].map(|key| json["coarse"][key].as_f64().unwrap());
    assert!(gain > 2.9e4 && late > 0.5 * gain && late <= gain, "{json}");
    let (_, text, json) = run(&path, &["--dt", "0.0008"]);
    assert!(json.get("coarse").is_none() && !text.contains("warning"), "{text}");
}

/// What costs too much to try is not called a failure of what was not tried.
#[test]
fn a_scene_too_large_to_try_is_called_so() {
    let mut world = World::new(DVec2::new(0.0, -9.81));
    for i in 0..2000 {
        let disk = vec![Placement::centred(Shape::Circle { radius: 0.1 })];
        let at = DVec2::new(f64::from(i), 0.0);
        world.add_body(Body::new(BodyKind::Dynamic, at, 0.0, disk, MassSpec::default()).unwrap()).unwrap();
    }
    let tried = Past::new(&world).search(&Method::by_key("none").unwrap(), 0.01, &|| true);
    assert!(tried.schemes.is_empty() && tried.step.is_none());
    assert!(tried.to_string().contains("too large"), "{tried}");
}

/// Without restitution nothing rebounds, so energy that nothing explains is not laid on rebounds; what pushes overlaps
/// apart is named in their place. Where bodies do rebound by Newton's law, which adds energy in rough impacts, that is said.
#[test]
fn rebounds_are_blamed_only_where_there_are_any() {
    let world = |restitution: f64| {
        let mut world = World::new(DVec2::new(0.0, -9.81));
        let disk = || Body::dynamic().shape(Shape::circle(0.5)).restitution(restitution);
        world.add_body(disk().at([0.0, 0.0])).unwrap();
        world.add_body(disk().at([0.9, 0.0])).unwrap();
        world
    };
    let method = Method::by_key("baumgarte_velocity").unwrap();
    let told = |restitution: f64, touches: bool| {
        Gain::explanation(&method, Touching::of(&world(restitution), touches))
    };
    assert!(!told(0.0, true).contains("rebound") && told(0.0, true).contains("overlaps"));
    assert!(told(0.5, true).contains("rebounds of rough contacts"));
    assert!(!told(0.5, false).contains("rebound"));
}
