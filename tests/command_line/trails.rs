//! What the column `trail` and the summary say of a step whose problem is not solved to 1e-9 of the speed.

use super::columns;
use crate::driftlab;
use serde_json::json;
use std::fs;

/// Places of the columns.
const TRAIL: usize = 25;
const RELATIVE: usize = 26;

/// `pgs` ends after its sweeps, or at a tolerance that was set: the column does not call that solved.
#[test]
fn a_trail_of_sweeps_is_not_called_solved() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("a.csv");
    for (solver, ending) in [
        ("pgs,iterations=3", "left"),
        ("pgs,tolerance=1", "within_tolerance"),
        ("pgs,iterations=100000", "solved"),
    ] {
        let run =
            ["run", "box-at-rest", "--steps", "5", "--stabilizer", "anitescu_hart", "--solver", solver];
        driftlab().args(run).arg("--csv").arg(&csv).assert().code(0);
        for row in &columns(&csv)[2..] {
            let left: f64 = row[RELATIVE].parse().unwrap();
            let told = row[TRAIL].rsplit(':').next().unwrap();
            assert_eq!(told, if left > 1e-9 { ending } else { "solved" }, "{solver}: {row:?}");
        }
    }
    let run = ["run", "pyramid-10", "--steps", "5", "--solver", "pgs,iterations=3", "--csv"];
    driftlab().args(run).arg(&csv).assert().code(0);
    assert!(columns(&csv)[2..].iter().all(|row| row[TRAIL] == "pgs:3:left"));
}

/// Of rods between masses of 10⁶ and 10⁻⁶ kg rounding leaves more than 1e-9 of the speed, which no solver in doubles
/// can avoid: each such step is called nearly solved, in the column and in the summary, and no other is.
#[test]
fn what_large_mass_ratios_leave_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let [path, csv] = ["rods.json", "rods.csv"].map(|name| folder.path().join(name));
    let masses = [1e6, 1e-6, 1e6, 1e-6, 1e6];
    let shapes = json!([{ "shape": "circle", "radius": 0.1 }]);
    let name = |i: usize| if i == 0 { "wall".to_owned() } else { format!("mass {i}") };
    let mut bodies = vec![json!({ "name": "wall", "type": "fixed", "position": [0, 0] })];
    bodies.extend(masses.iter().enumerate().map(|(i, mass)| {
        json!({ "name": name(i + 1), "position": [i + 1, 0], "mass": mass, "collides": false, "shapes": shapes })
    }));
    let rod = |i: usize| json!({ "joint": "distance", "bodies": [name(i), name(i + 1)], "anchors": [[i, 0], [i + 1, 0]] });
    let joints: Vec<_> = (0..masses.len()).map(rod).collect();
    let scene = json!({ "format": "driftlab-scene/1", "name": "rods", "settings": { "time_step": 0.01 }, "bodies": bodies, "joints": joints });
    fs::write(&path, scene.to_string()).unwrap();
    let assert = driftlab().args(["run", "--steps", "30", "--csv"]).args([&csv, &path]).assert().code(0);
    let summary = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let mut nearly = 0;
    for row in &columns(&csv)[2..] {
        let left: f64 = row[RELATIVE].parse().unwrap();
        nearly += usize::from(left > 1e-9);
        assert_eq!(row[TRAIL].ends_with(":nearly"), left > 1e-9, "{row:?}");
    }
    assert!(nearly > 0, "a chain in which rounding is above 1e-9");
    assert!(summary.contains(&format!("{nearly} steps: up to")), "{summary}");
    assert!(!summary.contains("no solution found"), "{summary}");
}

/// Numbers that overflow behind a blow-up are empty cells and words, no NaN and no infinity, until the run stops for
/// want of finite numbers.
#[test]
fn what_overflows_is_an_empty_cell() {
    let folder = tempfile::tempdir().unwrap();
    let [csv, trace] = ["a.csv", "t.csv"].map(|name| folder.path().join(name));
    for (name, scheme) in [
        ("overflow-of-a-rod", "baumgarte_acceleration,alpha=2000,beta=1000"),
        ("overflow-of-a-rod", "baumgarte_acceleration,alpha=5000,beta=5000"),
        ("overflow-of-limits", "baumgarte_velocity,alpha=5000"),
        ("exit0-nan-2107", "baumgarte_velocity,alpha=50"),
    ] {
        let run = ["run", &super::words::world(name), "--steps", "300", "--stabilizer", scheme];
        let output =
            driftlab().args(run).arg("--csv").arg(&csv).arg("--trace").arg(&trace).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{name}, {scheme}");
        let tables = [&csv, &trace].map(|path| fs::read_to_string(path).unwrap());
        let texts = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!(texts[1].contains("finite"), "{name}, {scheme}: {}", texts[1]);
        for text in tables.iter().chain(&texts) {
            let words: Vec<_> = text.split(|c: char| !c.is_alphanumeric()).collect();
            assert!(
                !words.iter().any(|word| ["NaN", "nan", "inf"].contains(word)),
                "{name}, {scheme}: {text}"
            );
        }
        assert!(!texts[0].contains("overflow of the speed"), "{}", texts[0]);
    }
}

/// A comment has commas and quotation marks of its own and stays a comment: a reader that skips lines that begin with
/// `#` finds the header and as many cells in every row. A label with commas is one cell.
#[test]
fn comments_and_labels_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("a.csv");
    let read = |rows: std::ops::Range<usize>, columns: usize| {
        let text = fs::read_to_string(&csv).unwrap();
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_path(&csv).unwrap();
        let records: Vec<_> = reader.records().map(|record| record.unwrap()).collect();
        assert!(rows.contains(&records.len()), "{text}");
        assert!(records.iter().all(|record| record.len() == columns), "{text}");
        (records[0][0].to_owned(), text.lines().filter(|line| line.starts_with("# ")).count(), text)
    };
    let scheme = "baumgarte_acceleration";
    let world = super::words::world("overflow-of-limits");
    let run = ["run", &world, "--steps", "30", "--stabilizer", scheme, "--solver", "lemke", "--csv"];
    driftlab().args(run).arg(&csv).assert().code(3);
    let (_, comments, text) = read(5..30, 42);
    assert_eq!(comments, 2, "that it blew up, and that it stopped: {text}");
    assert!(!text.contains("\"#") && text.contains("'b0', 'b1'"), "{text}");
    let scheme = "baumgarte_acceleration,alpha=2,beta=3";
    let compare = ["compare", "single-pendulum", "--steps", "2", "--stabilizers", scheme, "--csv"];
    driftlab().args(compare).arg(&csv).assert().code(0);
    assert_eq!(read(3..4, 43).0, scheme);
}
