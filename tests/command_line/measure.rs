//! `driftlab measure`: the table, JSON and refusals.

use super::columns;
use crate::driftlab;
use serde_json::Value;
use std::fs;

#[test]
fn measure_judges_a_trace_as_the_run_was_judged() {
    // Protects the yardstick from end to end: what `run --trace` writes, `measure` reads and judges as `run --json` did.
    let folder = tempfile::tempdir().unwrap();
    let [trace, csv] = ["trace.csv", "errors.csv"].map(|name| folder.path().join(name));
    let run = driftlab()
        .args(["run", "six-link-chain", "--time", "0.5", "--json", "--trace"])
        .arg(&trace)
        .assert()
        .code(0);
    let summary: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    let arguments = || vec!["measure".to_owned(), "six-link-chain".to_owned(), trace.display().to_string()];
    let measured =
        driftlab().args(arguments()).arg("--json").arg("--csv").arg(&csv).assert().code(0).stderr("");
    let measured: Value = serde_json::from_slice(&measured.get_output().stdout).unwrap();
    let largest = |value: &Value| value["joint_error"]["largest"].as_f64().unwrap();
    assert!((largest(&measured["trajectory"]) - largest(&summary)).abs() < 1e-12);
    assert_eq!(largest(&measured["own"]), largest(&summary));
    assert_eq!(measured["trajectory"]["velocities"], "given");
    assert_eq!((columns(&csv).len(), measured["trajectory"]["samples"].as_u64()), (502, Some(501)));
    // Another scheme of the own run, and the table for people.
    let assert = driftlab().args(arguments()).args(["--stabilizer", "rattle"]).assert().code(0).stderr("");
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    for part in [
        "501 samples, 0 s to 0.5000 s",
        "rattle, h = 0.001 s",
        "largest joint error",
        "distance from the own run",
        "link6",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn measure_refuses_with_file_and_line() {
    // Protects people with a wrong file: status 2, the file, the line, and what was expected, from `measure` and before
    // a window opens.
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("other.csv");
    fs::write(&trace, "time,body,x,y,angle\n0,bop,0.5,0,0\n").unwrap();
    let message = format!(
        "{}: line 2: no body of the scene is named 'bop' (the scene has 'wall', 'link1', 'link2', …)\n",
        trace.display()
    );
    driftlab()
        .args(["measure", "six-link-chain"])
        .arg(&trace)
        .assert()
        .code(2)
        .stdout("")
        .stderr(message.clone());
    driftlab().args(["six-link-chain", "--beside"]).arg(&trace).assert().code(2).stdout("").stderr(message);
    let missing = folder.path().join("missing.csv");
    driftlab().args(["measure", "six-link-chain"]).arg(&missing).assert().code(2).stdout("");
    // 65 MiB, all of it a hole.
    let large = folder.path().join("large.csv");
    fs::File::create(&large).unwrap().set_len(65 << 20).unwrap();
    let message = format!("{}: too large (expected at most 64 MiB)\n", large.display());
    driftlab().args(["measure", "six-link-chain"]).arg(&large).assert().code(2).stderr(message);
    let message = format!("--csv: {} is the trajectory that is read\n", trace.display());
    driftlab()
        .args(["measure", "six-link-chain"])
        .arg(&trace)
        .arg("--csv")
        .arg(&trace)
        .assert()
        .code(2)
        .stderr(message);
}
