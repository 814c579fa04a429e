//! `driftlab judge` and `driftlab fork`: what is printed and written, of our own recordings and of broken ones.

use super::columns;
use crate::driftlab;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A recording of a shipped scene.
fn recorded(folder: &TempDir, scene: &str, name: &str, more: &[&str]) -> PathBuf {
    let file = folder.path().join(name);
    driftlab().args(["run", scene, "--steps", "40"]).args(more).arg("--record").arg(&file).assert().code(0);
    file
}

fn json(file: &Path) -> Value {
    let assert = driftlab().arg("judge").arg(file).arg("--json").assert().code(0).stderr("");
    serde_json::from_slice(&assert.get_output().stdout).unwrap()
}

#[test]
fn a_recording_is_judged_as_table_json_csv_and_page() {
    // Protects the contract of the judge: a row a step, every figure of the summary in JSON, null for what cannot be told, and a
    // compressed file that says the same.
    let folder = tempfile::tempdir().unwrap();
    let file = recorded(&folder, "six-link-chain", "run.jsonl", &[]);
    let packed = recorded(&folder, "six-link-chain", "run.jsonl.gz", &[]);
    let [csv, page] = ["steps.csv", "page.html"].map(|name| folder.path().join(name));
    let assert = driftlab()
        .arg("judge")
        .arg(&file)
        .arg("--csv")
        .arg(&csv)
        .arg("--report")
        .arg(&page)
        .assert()
        .code(0)
        .stderr("");
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    assert!(text.contains("largest joint error") && text.contains("the method's own error"), "{text}");
    let rows = columns(&csv);
    assert_eq!(rows.len(), 41);
    assert_eq!(rows[0][..5], ["file", "step", "time", "h", "joint_error"]);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("<svg") && page.contains("Definitions"));
    let [own, unpacked] = [&file, &packed].map(|file| json(file)[0].clone());
    assert_eq!(own["momentum"], unpacked["momentum"]);
    assert!(own["momentum"]["roundings"]["largest"].as_f64().unwrap() < 100.0);
    assert_eq!((&own["penetration"], &own["yardsticks"]["creep"]), (&Value::Null, &Value::Null));
    assert_eq!(own["unseen"], serde_json::json!({ "contacts": 0, "of": 0 }));
    assert_eq!(own["joints"].as_array().map(Vec::len), Some(6));
}

#[test]
fn what_cannot_be_read_is_an_error_with_its_line_and_what_is_cut_off_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = recorded(&folder, "double-pendulum", "run.jsonl", &[]);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, &text[..text.len() - 30]).unwrap();
    let whole = json(&file);
    assert_eq!(
        (whole[0]["steps"].as_u64(), whole[0]["cut_off"].as_u64().map(|cut| cut > 0)),
        (Some(39), Some(true))
    );
    fs::write(&file, text.replacen("\"q\":[[", "\"q\":[[\"x\",", 3)).unwrap();
    let assert = driftlab().arg("judge").arg(&file).assert().code(2).stdout("");
    let errors = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(errors.contains("line 2: q[0]"), "{errors}");
}

#[test]
fn two_recordings_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let none = recorded(&folder, "six-link-chain", "a.jsonl", &["--stabilizer", "none"]);
    let other = recorded(&folder, "six-link-chain", "b.jsonl", &["--stabilizer", "anitescu_hart"]);
    let told = |a: &Path, b: &Path| {
        let assert = driftlab().arg("judge").args([a, b]).arg("--first-difference").assert().code(0);
        String::from_utf8(assert.get_output().stdout.clone()).unwrap()
    };
    assert!(told(&none, &none).contains("the same numbers in every step"));
    // Both are the same in the first step: the chain begins without errors. The second one takes back those of the first.
    let text = told(&none, &other);
    let first = text.lines().find(|line| line.starts_with("first beyond 64 units"));
    assert!(first.is_some_and(|line| line.contains(" step 2,")), "{text}");
}

#[test]
fn a_fork_is_a_scene_that_runs() {
    let folder = tempfile::tempdir().unwrap();
    let file = recorded(&folder, "vertical-stack", "run.jsonl", &[]);
    let scene = folder.path().join("fork.json");
    driftlab().arg("fork").arg(&file).args(["--step", "20", "-o"]).arg(&scene).assert().code(0).stderr("");
    driftlab().arg("run").arg(&scene).args(["--steps", "5"]).assert().code(0);
    driftlab().arg("fork").arg(&file).args(["--step", "41", "-o"]).arg(&scene).assert().code(2);
    let assert = driftlab().arg("judge").arg(&file).args(["--step", "20", "--json"]).assert().code(0);
    let problem: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    assert!(problem["rows"].as_array().is_some_and(|rows| !rows.is_empty()), "{problem}");
}

/// An engine that states both ends of the edge on whose one end a steep box stands is right about both, though our detection has
/// the nearer one alone: a gap is held against ours at the place where it is.
#[test]
fn a_gap_is_held_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tilted.jsonl");
    let (sin, cos) = 1.0_f64.sin_cos();
    let corner = |x: f64, y: f64| [cos * x - sin * y, sin * x + cos * y];
    let [[left, low], [right, high]] = [corner(-0.5, -0.5), corner(0.5, -0.5)];
    let far = high - low;
    let text = format!(
        r#"{{"format":"driftlab-recording/1","engine":{{"name":"toy"}},"time_step":0.01,"scene":{{"gravity":[0,0],"bodies":[
{{"name":"ground","type":"fixed","position":[0,-0.5],"shapes":[{{"shape":"box","size":[20,1]}}]}},
{{"name":"box","position":[0,{y}],"angle":1,"shapes":[{{"shape":"box","size":[1,1]}}]}}]}}}}
{{"t":0.01,"q":[[0,-0.5,0],[0,{y},1]],"contacts":[{{"bodies":[0,1],"point":[{left},0],"normal":[0,1],"gap":0,"impulse":[0,0,0]}},{{"bodies":[0,1],"point":[{right},{middle}],"normal":[0,1],"gap":{far},"impulse":[0,0,0]}}]}}
"#,
        y = -low,
        middle = far / 2.0,
    );
    let (first, line) = text.rsplit_once("\n{\"t\"").unwrap();
    fs::write(&file, format!("{}\n{{\"t\"{line}", first.replace('\n', ""))).unwrap();
    let own = &json(&file)[0];
    assert_eq!(own["unseen"]["contacts"], 0, "{}", own["unseen"]);
    let difference = own["gap_difference"]["largest"].as_f64().unwrap();
    assert!(difference < 1e-12, "{difference}");
}

/// Recordings of MuJoCo, pymunk, Box2D and Rapier: the judge's figures of every step are those that a script computes from the
/// definitions alone, without the engine (tests/reference/recording_residuals.py).
#[test]
fn the_judge_agrees_with_the_script() {
    const COLUMNS: [[&str; 2]; 9] = [
        ["joint_error_m", "joint_error"],
        ["joint_error_rad", "joint_angle"],
        ["joint_rate_m", "joint_rate"],
        ["joint_rate_rad", "joint_turning"],
        ["penetration", "engine_penetration"],
        ["beyond_cone", "beyond_cone"],
        ["kinetic_energy", "kinetic"],
        ["momentum", "momentum"],
        ["angular_momentum", "angular_momentum"],
    ];
    let rows = |text: &str| -> Vec<BTreeMap<String, f64>> {
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        let head = reader.headers().unwrap().clone();
        let row = |record: csv::StringRecord| {
            let cells = head.iter().zip(record.iter());
            cells.filter_map(|(key, cell)| Some((key.to_owned(), cell.parse().ok()?))).collect()
        };
        reader.records().map(|record| row(record.unwrap())).collect()
    };
    let folder = tempfile::tempdir().unwrap();
    let references = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/recordings");
    let engines = ["mujoco-chain", "mujoco-slope", "pymunk-parts", "pymunk-stack"];
    for name in engines.into_iter().chain(["box2d-chain", "box2d-slope", "rapier-chain", "rapier-stack"]) {
        let table = folder.path().join("judged.csv");
        let file = references.join(format!("{name}.jsonl.gz"));
        driftlab().arg("judge").arg(&file).arg("--csv").arg(&table).assert().code(0);
        let [own, script] =
            [&table, &references.join(format!("{name}.csv"))].map(|path| fs::read_to_string(path).unwrap());
        let [own, script] = [rows(&own), rows(&script)];
        assert!(own.len() == script.len() && own.len() >= 30, "{name}");
        let mut compared = 0;
        let mut split = 0;
        for (ours, theirs) in own.iter().zip(&script) {
            // Who did which work: the script sums by what a line calls its impulses, the judge by what they do.
            let script = |key: &str| theirs[&format!("{key}_work")];
            let sums = [
                ("gravity", script("gravity")),
                ("motors", script("motor")),
                ("hand", script("hand")),
                ("friction", script("friction") + script("rubbing")),
                ("impacts", (script("pressing") + script("limit")).min(0.0)),
            ];
            let size = 1.0 + theirs["kinetic_energy"] + theirs["potential_energy"].abs();
            for (key, sum) in sums {
                let Some(work) = ours.get(key) else { continue };
                let rounding = if name.starts_with("box2d") { 1e-8 } else { 1e-13 };
                assert!((work - sum).abs() <= rounding * size, "{name}, {key}: {work} {sum}");
                split += 1;
            }
            for [column, key] in COLUMNS {
                let (Some(ours), Some(theirs)) = (ours.get(key), theirs.get(column)) else { continue };
                // Normals of Box2D have the length 1 to single precision.
                let rounding =
                    if name.starts_with("box2d") && column.contains("momentum") { 1e-8 } else { 1e-13 };
                assert!(
                    (ours - theirs).abs() <= rounding * (1.0 + theirs.abs()),
                    "{name}, {key}: {ours} {theirs}"
                );
                compared += 1;
            }
        }
        assert!(compared >= 4 * own.len(), "{name}: {compared}");
        assert!(split >= 4 * own.len(), "{name}: {split} works");
    }
}

/// The figures that the page on recordings defines are those of a table of steps, and of the page of a report.
#[test]
fn the_page_defines_the_figures() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/RECORDING.md")).unwrap();
    let (_, table) = page.split_once("| figure | unit | what it is |\n|---|---|---|\n").unwrap();
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let defined: Vec<String> = rows.filter_map(|row| Some(row.split('`').nth(1)?.to_owned())).collect();
    let folder = tempfile::tempdir().unwrap();
    let file = recorded(&folder, "six-link-chain", "run.jsonl", &[]);
    let csv = folder.path().join("steps.csv");
    driftlab().arg("judge").arg(&file).arg("--csv").arg(&csv).assert().code(0);
    let head = columns(&csv)[0].clone();
    let works = head.iter().position(|name| name == "potential").unwrap();
    let missing: Vec<_> = head[4..=works].iter().filter(|name| !defined.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?} are not defined");
}
