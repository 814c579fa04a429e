//! The effort of the solver `auto`: who takes it, and what a run says of approximate steps.

use super::columns;
use crate::driftlab;
use driftlab::method::Effort;
use driftlab::scene::Scene;
use serde_json::{Value, json};
use std::fs;

/// A struck pyramid under a bounded effort says in summary, JSON and CSV in how many steps, and how well, it was solved
/// approximately; the same run says nothing of it under an exact effort. The saved scene keeps the effort.
#[test]
fn approximate_steps_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let [csv, save] = ["run.csv", "saved.json"].map(|name| folder.path().join(name));
    let run = |effort: &str, json: bool| {
        let mut command = driftlab();
        command.args(["run", "pyramid-20", "--steps", "130", "--effort", effort]);
        command.arg("--csv").arg(&csv).arg("--save").arg(&save);
        command.args(json.then_some("--json"));
        String::from_utf8(command.assert().code(0).get_output().stdout.clone()).unwrap()
    };
    let text = run("bounded", false);
    let summary: Value = serde_json::from_str(&run("bounded", true)).unwrap();
    let rows = columns(&csv);
    let place = |name: &str| rows[0].iter().position(|column| column == name).unwrap();
    let (count, left) = (place("approximate"), place("approximate_residual"));
    let told: Vec<_> = rows[1..].iter().filter(|row| !row[left].is_empty()).collect();
    assert!(told.len() > 3, "{}", told.len());
    assert!(rows[1..].iter().all(|row| (row[count] == "0") == row[left].is_empty()));
    assert!(told.iter().all(|row| row[place("trail")].ends_with(":approximate")));
    let most = told.iter().map(|row| row[left].parse::<f64>().unwrap()).fold(0.0, f64::max);
    assert_eq!(summary["approximate_steps"], json!(told.len()));
    assert_eq!(summary["approximate_residual"], json!(most));
    assert_eq!(summary.get("nearly_solved_steps"), None);
    let line = format!("{} steps: the effort is bounded, and up to", told.len());
    assert!(text.contains(&line), "{text}");
    let scene = Scene::parse(&fs::read_to_string(&save).unwrap()).unwrap();
    assert_eq!(scene.settings.method.effort, Effort::Bounded);

    let exact = run("exact", false);
    assert!(!exact.contains("approximate"), "{exact}");
    assert!(!fs::read_to_string(&save).unwrap().contains("effort"));
}

/// Only the effort of `auto` can be bounded: beside another solver, or under a scheme with sweeps of its own, the
/// option and the key of a scene file are refused with a reason. A comparison takes the option if it acts on one of its schemes.
#[test]
fn an_effort_that_would_not_act_is_refused() {
    let said = |arguments: &[&str], words: &str| {
        let assert =
            driftlab().args(arguments).args(["--steps", "2", "--effort", "bounded"]).assert().code(2);
        let error = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(error.contains("--effort: only the effort of the solver 'auto' can be bounded"), "{error}");
        assert!(error.contains(words), "{error}");
    };
    said(&["run", "pyramid-10", "--solver", "newton"], "the solver is 'newton'");
    said(&["run", "pyramid-10", "--stabilizer", "soft"], "'soft' brings its own solver");
    said(&["run", "pyramid-10", "--stabilizer", "rattle"], "'rattle' iterates on solutions");
    said(&["compare", "pyramid-10", "--stabilizers", "soft", "ngs"], "'soft' brings its own solver");
    driftlab()
        .args([
            "compare",
            "pyramid-10",
            "--stabilizers",
            "soft",
            "none",
            "--steps",
            "2",
            "--effort",
            "bounded",
        ])
        .assert()
        .code(0);
    driftlab().args(["run", "pyramid-10", "--effort", "half"]).assert().code(2);

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.json");
    let text = driftlab::scene::catalogue::find("pyramid-10").unwrap().text;
    for (settings, words) in [
        (json!({"effort": "bounded", "solver": {"kind": "pgs"}}), "settings.effort: only the effort"),
        (json!({"effort": "bounded", "stabilizer": {"kind": "xpbd"}}), "'xpbd' brings its own solver"),
        (json!({"effort": "half"}), "settings.effort"),
    ] {
        let mut scene: Value = serde_json::from_str(text).unwrap();
        let own = scene["settings"].as_object_mut().unwrap();
        own.extend(settings.as_object().unwrap().clone());
        fs::write(&path, scene.to_string()).unwrap();
        let assert = driftlab().arg("check").arg(&path).assert().code(2);
        let error = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(error.contains(words), "{error}");
    }
}
