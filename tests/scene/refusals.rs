//! Starts and names that are refused or shortened although each number and each name is valid by itself.

use super::errors::{push, rejects_edit};
use super::{edited, problems};
use serde_json::json;

#[test]
fn a_start_with_infinite_energy_is_refused() {
    // Protects against a run whose first step blames the scheme for numbers that the file has brought along.
    rejects_edit(
        |s| s["bodies"][2]["velocity"] = json!([1e308, 1e308]),
        "bodies[2]: expected a kinetic energy that is finite, found one beyond the range of a 64-bit float",
    );
    rejects_edit(
        |s| s["gravity"] = json!([1e308, 0]),
        "bodies: expected kinetic and potential energies with a finite sum, found one beyond the range of a 64-bit float",
    );
}

#[test]
fn suggested_names_can_be_quoted_whole() {
    // Protects a line from long names: what is suggested has at most the 40 characters up to which names are quoted.
    let rename = |name: &str, link: &str| {
        edited(|s| {
            push(s, "bodies", json!({"name": name, "position": [9, 9], "mass": 1, "inertia": 1}));
            push(s, "joints", json!({"joint": "hinge", "bodies": [name, link], "anchor": [9, 9]}));
        })
    };
    for (length, is_suggested) in [(40, true), (41, false)] {
        let name = "é".repeat(length);
        let found = problems(&rename(&name, &format!("x{}", "é".repeat(length - 1))));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].contains(&format!("did you mean '{name}'")), is_suggested, "{found:?}");
    }
}
