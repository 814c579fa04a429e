//! A run in which bodies pass through each other says so, with their names.

use super::driftlab;

/// A ball that gravity of 1e4 m/s² takes from rest to 2.4 m below a thin floor within one step: the summary, `--json`
/// and `compare` name both and the time; the columns of the curve are what they were.
#[test]
fn a_passage_is_told_by_name() {
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/worlds/through-a-floor.json");
    let run = |command: &str, more: &[&str]| {
        let assert = driftlab().args([command, scene]).args(more).assert().code(0);
        String::from_utf8(assert.get_output().stdout.clone()).unwrap()
    };
    let told = "bodies passed through each other once, first floor and ball at 0.01667 s: a smaller time step helps";
    let summary = run("run", &[]);
    assert!(summary.contains(told), "{summary}");
    let json: serde_json::Value = serde_json::from_str(&run("run", &["--json"])).unwrap();
    let passages = &json["passages"];
    assert_eq!(
        (&passages["count"], &passages["first"]),
        (&1.into(), &serde_json::json!(["floor", "ball"]))
    );
    let table = run("compare", &["--stabilizers", "none"]);
    assert!(table.contains(told), "{table}");
    // A hundredth of the step resolves the fall: nobody passes.
    let fine = run("run", &["--dt", "0.0001"]);
    assert!(!fine.contains("passed through"), "{fine}");
}
