//! What a run refuses before its first step, `check` refuses: both call the same function, and both end with status 2.

use crate::driftlab;
use driftlab::experiment::Run;
use driftlab::lcp::solvers;
use driftlab::method::Restitution;
use driftlab::report::StepError;
use driftlab::scene::Scene;
use driftlab::schemes::TABLE;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A disk that may rebound, and a driven hinge.
fn scene() -> Value {
    let disk = |name: &str, x: f64| json!({"name": name, "position": [x, 2], "mass": 1, "restitution": 0.5, "shapes": [{"shape": "circle", "radius": 0.5}]});
    json!({
        "format": "driftlab-scene/1", "name": "refused", "settings": {"time_step": 0.01, "duration": 0.05},
        "bodies": [{"name": "wall", "type": "fixed", "position": [0, 0]}, disk("disk", 5.0), disk("arm", 0.5)],
        "joints": [{"joint": "hinge", "bodies": ["wall", "arm"], "anchor": [0, 2], "motor": {"speed": 1, "max_torque": 5}}]
    })
}

/// The status of a command, and its lines on stderr.
fn refused(command: &[&str], path: &Path) -> String {
    let assert = driftlab().args(command).arg(path).assert().code(2);
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

/// Every scheme with every law of restitution and every solver, in a scene in which each matters: `check` passes
/// exactly those whose first step the engine does not refuse.
#[test]
fn check_refuses_what_the_first_step_refuses() {
    let folder = tempfile::tempdir().unwrap();
    let (mut paths, mut expected) = (Vec::new(), BTreeSet::new());
    let mut kinds = [0; 2];
    for scheme in TABLE.iter().map(|scheme| scheme.info().key) {
        for (law, solver) in Restitution::ALL.iter().flat_map(|law| solvers().map(move |own| (law, own))) {
            let (mut scene, solver) = (scene(), solver.info().key);
            scene["settings"]["stabilizer"] = json!({"kind": scheme});
            scene["settings"]["solver"] = json!({"kind": solver});
            scene["settings"]["restitution_law"] = json!(law.key());
            let text = scene.to_string();
            let path = folder.path().join(format!("{scheme}-{solver}-{}.json", law.key()));
            fs::write(&path, &text).unwrap();
            match Run::new(&Scene::parse(&text).unwrap(), 1).next() {
                Some(Err(StepError::Unsupported { .. })) => kinds[0] += 1,
                Some(Err(StepError::Unsuitable { .. })) => kinds[1] += 1,
                _ => drop(expected.insert(path.display().to_string())),
            }
            paths.push(path);
        }
    }
    assert!(kinds.iter().all(|kind| *kind > 0) && !expected.is_empty(), "{kinds:?}");
    let assert = driftlab().arg("check").args(&paths).assert().code(2);
    let told = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let sound: BTreeSet<_> =
        told.lines().map(|line| line.split(": ok").next().unwrap().to_owned()).collect();
    assert_eq!(sound, expected);
}

/// Each kind of refusal: `run` and `check` end with status 2 and the same sentence.
#[test]
fn run_and_check_refuse_with_the_same_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("refused.json");
    type Edit = fn(&mut Value);
    let law: Edit = |s| {
        s["settings"]["stabilizer"] = json!({"kind": "ngs"});
        s["settings"]["restitution_law"] = json!("anitescu_potra");
    };
    let solver: Edit = |s| s["settings"]["solver"] = json!({"kind": "ldlt"});
    let long: Edit = |s| s["settings"]["duration"] = json!(1e11);
    for (edit, said) in [
        (law, "settings.stabilizer: 'ngs' does not support Poisson's law of restitution"),
        (solver, "settings.solver: 'ldlt' solves equations alone, and joint 0 has a motor"),
        (long, "settings.duration: more than 1e12 steps"),
    ] {
        let mut scene = scene();
        edit(&mut scene);
        fs::write(&path, scene.to_string()).unwrap();
        let [run, check] = [refused(&["run"], &path), refused(&["check"], &path)];
        assert!(run.starts_with(said), "{run}");
        assert_eq!(check, format!("{}: {run}", path.display()));
    }
}

/// Options can bring about what the scene alone does not: the run is refused before its first step all the same, and
/// not behind it.
#[test]
fn options_are_refused_like_settings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("refused.json");
    let mut scene = scene();
    scene["settings"]["restitution_law"] = json!("anitescu_potra");
    fs::write(&path, scene.to_string()).unwrap();
    driftlab().arg("check").arg(&path).assert().code(0);
    for command in [&["run", "--stabilizer", "ngs"][..], &["compare", "--stabilizers=ngs"]] {
        let error = refused(command, &path);
        assert!(
            error
                .starts_with(&format!("{}: 'ngs' does not support", command[1].split('=').next().unwrap())),
            "{error}"
        );
    }
}
