//! Contacts in `driftlab run` and `driftlab compare`.

use crate::driftlab;
use driftlab::method::ContactRules;
use driftlab::scene;
use std::fs;

#[test]
fn the_rules_of_contact_can_be_overruled() {
    // Protects --active-distance, --active-travel and --contact-tolerance: the scene's other contact rules stay, `compare`
    // accepts the options, too, and negative values are refused.
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("saved.json");
    let options = ["--active-distance", "0.5", "--active-travel", "2", "--contact-tolerance", "0"];
    let run = ["run", "single-pendulum", "--steps", "1", "--save"];
    driftlab().args(run).arg(&save).args(options).assert().code(0);
    let saved = scene::Scene::parse(&fs::read_to_string(&save).unwrap()).unwrap();
    let contact = saved.settings.method.contact;
    assert_eq!(
        contact,
        ContactRules {
            active_distance: Some(0.5),
            active_travel: 2.0,
            contact_tolerance: Some(0.0),
            ..ContactRules::default()
        }
    );
    let compare = ["compare", "single-pendulum", "--steps", "1", "--stabilizers", "none"];
    driftlab().args(compare).args(options).assert().code(0);
    for option in ["--active-distance", "--active-travel", "--contact-tolerance"] {
        let assert = driftlab().args(["run", "single-pendulum", option, "-1"]).assert().code(2).stdout("");
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(error.contains(option) && error.contains("expected a number, 0 or more"), "{error}");
    }
}

#[test]
fn a_summary_says_who_solved_and_how_many_touched() {
    // Protects the summary: number of contacts, solvers and residual are printed; without contacts no contact error is.
    let output = |arguments: &[&str]| {
        let assert = driftlab().args(["run", "single-pendulum", "--steps", "5"]).args(arguments).assert();
        String::from_utf8(assert.code(0).get_output().stdout.clone()).unwrap()
    };
    let text = output(&[]);
    assert!(text.contains("contacts ") && text.contains("0 at most"), "{text}");
    assert!(text.contains("solver ") && text.contains(", largest residual"), "{text}");
    assert!(!text.contains("contact error"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&output(&["--json"])).unwrap();
    assert_eq!((&json["contacts"], &json["contact_error"]["largest"]), (&0.into(), &0.0.into()));
    let solver = &json["solver"];
    assert_eq!(json["solvers"], serde_json::json!([solver]));
    assert!(json["residual"].is_f64());
    let tally = serde_json::json!([
        { "solver": solver, "from": "own", "ending": "solved", "attempts": 5, "iterations": 5 }
    ]);
    assert_eq!(json["attempts"]["tally"], tally, "{json}");
    let longest = &json["attempts"]["longest"];
    assert_eq!((&longest["step"], &longest["attempts"][0]["solver"]), (&1.into(), solver));
}

/// A solver that does not go with the scheme or may not go with the world is told before the first step, by option and
/// in a file, and by `check`; nothing is said where nothing can go wrong, and of the default.
#[test]
fn a_solver_that_is_not_used_or_may_fail_is_told() {
    let stderr = |arguments: &[&str]| {
        let assert = driftlab().args(arguments).assert();
        String::from_utf8(assert.get_output().stderr.clone()).unwrap()
    };
    let run = |scene: &str, solver: &str, scheme: &str| {
        stderr(&["run", scene, "--steps", "1", "--solver", solver, "--stabilizer", scheme])
    };
    let unused = "warning: 'xpbd' brings its own solver and does not use 'lemke'";
    assert!(run("six-link-chain", "lemke", "xpbd").starts_with(unused));
    assert!(run("pyramid-10", "ldlt", "none").starts_with("warning: 'ldlt' solves equations alone"));
    for (scene, solver, scheme) in [
        ("single-pendulum", "ldlt", "none"),
        ("pyramid-10", "newton", "none"),
        ("pyramid-10", "auto", "xpbd"),
    ] {
        assert_eq!(run(scene, solver, scheme), "", "{scene} {solver} {scheme}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.json");
    let text = driftlab::scene::catalogue::find("car").unwrap().text;
    let mut scene: serde_json::Value = serde_json::from_str(text).unwrap();
    scene["settings"]["stabilizer"] = serde_json::json!({"kind": "xpbd"});
    scene["settings"]["solver"] = serde_json::json!({"kind": "ldlt"});
    std::fs::write(&path, scene.to_string()).unwrap();
    let path_text = path.to_str().unwrap();
    assert!(stderr(&["check", path_text]).contains("warning: 'xpbd' brings its own solver"));
    scene["settings"]["stabilizer"] = serde_json::json!({"kind": "none"});
    std::fs::write(&path, scene.to_string()).unwrap();
    for command in ["check", "run"] {
        let assert = driftlab().args([command, path_text]).assert().code(2);
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(error.contains("settings.solver: 'ldlt' solves equations alone, and joint"), "{error}");
    }
}
