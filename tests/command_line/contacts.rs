//! Contacts in `driftlab run` and `driftlab compare`.

use crate::driftlab;
use driftlab::scene;
use driftlab::stabilizer::ContactRules;
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
    assert!(text.contains("solver ") && text.contains("ldlt, largest residual"), "{text}");
    assert!(!text.contains("contact error"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&output(&["--json"])).unwrap();
    assert_eq!((&json["contacts"], &json["contact_error"]["largest"]), (&0.into(), &0.0.into()));
    assert_eq!((&json["solver"], &json["solvers"]), (&"ldlt".into(), &serde_json::json!(["ldlt"])));
    assert!(json["residual"].is_f64());
    let tally = serde_json::json!([
        { "solver": "ldlt", "from": "own", "ending": "solved", "attempts": 5, "iterations": 5 }
    ]);
    assert_eq!(json["attempts"]["tally"], tally, "{json}");
    let longest = &json["attempts"]["longest"];
    assert_eq!((&longest["step"], &longest["attempts"][0]["solver"]), (&1.into(), &"ldlt".into()));
}
