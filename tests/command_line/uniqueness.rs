//! `driftlab run --uniqueness`: two lines in the summary, an object in JSON, nothing without the option.

use crate::driftlab;

fn printed(arguments: &[&str]) -> String {
    let assert = driftlab().arg("run").args(arguments).assert().code(0).stderr("");
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

/// With `--uniqueness` the summary says how many steps have non-unique impulses or velocities, and nothing without it.
#[test]
fn uniqueness_is_told_where_it_is_asked_for() {
    let text = printed(&["box-at-rest", "--steps", "10", "--uniqueness"]);
    let line =
        |label: &str| text.lines().find(|line| line.starts_with(label)).unwrap_or_default().to_owned();
    let impulses = line("impulses not unique");
    assert!(
        impulses.ends_with("10 of 10 steps, 1 direction, by 1.000 of the largest or more"),
        "{impulses}"
    );
    let velocity = line("velocity not unique");
    assert!(velocity.ends_with("none found in 10 steps with friction"), "{velocity}");
    let swept = printed(&["box-at-rest", "--steps", "10", "--uniqueness", "--stabilizer", "ngs"]);
    assert!(swept.contains("not examined"), "{swept}");
    assert!(!printed(&["box-at-rest", "--steps", "10"]).contains("unique"));
}

/// With `--uniqueness` the JSON summary has its object, in which infinity, which JSON lacks, is null.
#[test]
fn json_reports_uniqueness() {
    let json =
        |arguments: &[&str]| -> serde_json::Value { serde_json::from_str(&printed(arguments)).unwrap() };
    let asked = json(&["two-wall-weld", "--steps", "3", "--uniqueness", "--json"]);
    assert_eq!(
        (&asked["uniqueness"]["impulse_steps"], &asked["uniqueness"]["directions"]),
        (&3.into(), &3.into())
    );
    assert!(asked["uniqueness"]["exchange"].is_null());
    assert!(json(&["two-wall-weld", "--steps", "3", "--json"]).get("uniqueness").is_none());
}
