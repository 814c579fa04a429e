//! The comparison with the engines that schemes imitate.

use crate::driftlab;
use driftlab::experiment::engines::{ENGINES, Rule, Verdict, cases};
use driftlab::method::Stabilizer;
use std::fs;
use std::path::Path;

/// The page in the documentation is what the command writes, and nothing in it is left unexplained. Each figure agrees with the engine's, or
/// the scheme's card says in what it departs from the engine.
#[test]
#[ignore = "some seconds of many threads; the continuous integration runs it"]
fn the_page_is_what_the_command_writes_and_nothing_differs() {
    let folder = tempfile::tempdir().unwrap();
    let assert = driftlab().args(["engines", "--out"]).arg(folder.path()).assert().code(0);
    let told = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    assert_eq!(told.lines().count(), ENGINES.len(), "{told}");
    assert!(told.lines().all(|line| line.ends_with(" 0 differ")), "{told}");
    let written = fs::read_to_string(folder.path().join("engines.md")).unwrap();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/engines.md");
    assert_eq!(
        written,
        fs::read_to_string(shipped).unwrap(),
        "docs/engines.md: driftlab engines --out docs"
    );
}

/// Scenes of at most two moving bodies end as the engine does, or as the scheme's departure explains; the campaign runs all.
#[test]
fn figures_of_small_scenes_differ_in_nothing_unexplained() {
    let mut compared = 0;
    for case in cases().unwrap() {
        if case.scene().unwrap().world.bodies().iter().filter(|body| body.is_dynamic()).count() > 2 {
            continue;
        }
        for figure in case.compare().unwrap() {
            assert_ne!(figure.verdict, Verdict::Differs, "{}: {figure:?}", case.scene);
            compared += 1;
        }
    }
    assert!(compared >= 20, "only {compared} figures");
}

/// Verdicts are those of the rules: within 20 %, within a factor of 10, the same side; a departure explains a difference only where the
/// scheme's card has it.
#[test]
fn figures_of_engines_are_judged_by_their_rules() {
    let cases = cases().unwrap();
    let keys: Vec<_> = ENGINES.iter().map(|engine| engine.scheme).collect();
    assert_eq!(keys, ["soft", "ngs", "split_impulse", "xpbd"]);
    for case in &cases {
        let card = Stabilizer::by_key(case.engine.scheme).unwrap().info().departures;
        for row in &case.rows {
            assert!(row.holds(row.theirs), "{}: {row:?}", case.scene);
            let (near, far) = match row.rule {
                Rule::Figure(bound) => {
                    (row.theirs * 1.19, row.theirs * 1.21 + 2.0 * bound.copysign(row.theirs))
                }
                Rule::Order(bound) => {
                    (row.theirs * 9.9, row.theirs * 11.0 + 2.0 * bound.copysign(row.theirs))
                }
                Rule::Side(bound) => {
                    (row.theirs, if row.theirs > bound { bound - 1.0 } else { bound + 1.0 })
                }
            };
            assert!(row.holds(near) && !row.holds(far), "{}: {row:?}", case.scene);
            assert!(row.departure.is_none_or(|number| (1..=card.len()).contains(&number)), "{row:?}");
        }
        assert!(case.scene().is_ok(), "{}", case.scene);
    }
}

/// Each scheme that is named after an engine says in what it departs from it, by version, in `list stabilizers` and in its JSON.
#[test]
fn departures_are_listed() {
    let printed = |more: &[&str]| {
        let assert = driftlab().args(["list", "stabilizers"]).args(more).assert().code(0);
        String::from_utf8(assert.get_output().stdout.clone()).unwrap()
    };
    let text = printed(&[]);
    let json: serde_json::Value = serde_json::from_str(&printed(&["--json"])).unwrap();
    for (key, version) in [
        ("soft", "Box2D 3.2.0"),
        ("ngs", "Box2D 2.4.1"),
        ("split_impulse", "Bullet"),
        ("xpbd", "Müller et al."),
    ] {
        let own = json.as_array().unwrap().iter().find(|scheme| scheme["key"] == key).unwrap();
        let departures = own["departures"].as_array().unwrap();
        assert!(!departures.is_empty(), "{key}");
        for departure in departures {
            let departure = departure.as_str().unwrap();
            assert!(departure.contains(version), "{key}: {departure}");
            assert!(text.contains(departure), "{key}: {departure}");
        }
    }
}
