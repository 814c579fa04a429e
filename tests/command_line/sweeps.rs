//! `driftlab sweep` and `driftlab merge`: parts merge to the bytes of the whole, and parts of different sweeps are refused.

use crate::driftlab;
use driftlab::experiment::sweep::{Table, rows};
use std::fs;
use std::path::{Path, PathBuf};

const OVER: [&str; 4] = ["--over", "alpha=10:400:log:5", "--over", "dt=0.001,0.002"];

/// Runs a sweep of ten points into `name`, with further arguments, and returns the file.
fn sweep(folder: &Path, name: &str, more: &[&str]) -> PathBuf {
    let csv = folder.join(name);
    let scheme = ["--stabilizer", "baumgarte_velocity", "--time", "0.02"];
    driftlab()
        .args(["sweep", "six-link-chain"])
        .args(OVER)
        .args(scheme)
        .args(more)
        .arg("--csv")
        .arg(&csv)
        .assert()
        .code(0)
        .stderr("");
    csv
}

fn merge(parts: &[PathBuf], csv: &Path) -> assert_cmd::assert::Assert {
    driftlab().arg("merge").args(parts).arg("--csv").arg(csv).assert()
}

/// A sweep that is refused: exit 2, and stderr holds `expected`.
fn refused(arguments: &[&str], expected: &str) {
    let assert =
        driftlab().args(["sweep", "six-link-chain", "--steps", "2"]).args(arguments).assert().code(2);
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(stderr.contains(expected), "{arguments:?}: {stderr}");
}

fn parts(folder: &Path) -> Vec<PathBuf> {
    (1..=3).map(|part| sweep(folder, &format!("{part}.csv"), &["--shard", &format!("{part}/3")])).collect()
}

/// Three parts of a sweep, merged out of order, are byte for byte the file of the whole sweep, and one and four threads write
/// the same file.
#[test]
fn merged_parts_are_the_whole_sweep() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read_to_string(sweep(folder.path(), "whole.csv", &["--jobs", "1"])).unwrap();
    let threads = fs::read_to_string(sweep(folder.path(), "threads.csv", &["--jobs", "4"])).unwrap();
    assert_eq!(whole, threads);
    let [first, second, third]: [PathBuf; 3] = parts(folder.path()).try_into().unwrap();
    let merged = folder.path().join("merged.csv");
    merge(&[third, first, second], &merged).code(0).stderr("");
    assert_eq!(whole, fs::read_to_string(merged).unwrap());
    let lines: Vec<_> = whole.lines().collect();
    assert!(lines[0].starts_with("# driftlab-sweep/2 {\"id\":\""), "{}", lines[0]);
    assert_eq!(
        lines[1],
        "index,alpha,dt,joint_error,contact_error,energy_drift,correction_work,steps,time,failure"
    );
    assert_eq!(lines.len(), 2 + 10);
    assert!(lines[2].starts_with("0,10,0.001,") && lines[3].starts_with("1,10,0.002,"));
    let last: Vec<_> = lines[11].split(',').collect();
    assert_eq!((last[0], last[1], last[2], last[7], last[9]), ("9", "400", "0.002", "10", ""));
}

/// A row of a sweep has the joint error and correction work of `driftlab run` with the same parameters.
#[test]
fn a_row_is_what_a_run_says() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(sweep(folder.path(), "whole.csv", &[])).unwrap();
    let row: Vec<_> = text.lines().nth(3).unwrap().split(',').collect();
    let run = ["run", "six-link-chain", "--stabilizer", "baumgarte_velocity,alpha=10", "--time", "0.02"];
    let assert = driftlab().args(run).args(["--dt", "0.002", "--json"]).assert().code(0);
    let summary: serde_json::Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    assert_eq!(row[3].parse::<f64>().unwrap(), summary["joint_error"]["largest"].as_f64().unwrap());
    assert_eq!(row[6].parse::<f64>().unwrap(), summary["correction_work"].as_f64().unwrap());
}

/// Missing, repeated, truncated or foreign parts are refused without writing a file, and a part is never overwritten.
#[test]
fn merge_refuses_what_does_not_belong_together() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let parts = parts(folder);
    let out = folder.join("out.csv");
    let check = |given: &[PathBuf], expected: &[&str]| {
        let assert = merge(given, &out).code(2);
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(expected.iter().all(|part| stderr.contains(part)), "{stderr}");
        assert!(!out.exists());
    };
    let [one, two, three] = [0, 1, 2].map(|i| parts[i].clone());
    check(&[one.clone(), three.clone()], &["missing: part 2/3"]);
    check(&[one.clone(), two.clone(), one.clone(), three.clone()], &["1.csv: is part 1/3, and so is"]);
    let half = sweep(folder, "half.csv", &["--shard", "2/2"]);
    check(&[one.clone(), half, three.clone()], &["half.csv: is one of 2 parts"]);
    let other = sweep(folder, "other.csv", &["--shard", "2/3", "--active-distance", "0.5"]);
    check(&[one.clone(), other, three.clone()], &["other.csv: belongs to another sweep than"]);
    let text = fs::read_to_string(&two).unwrap();
    fs::write(&two, text.lines().take(4).collect::<Vec<_>>().join("\n")).unwrap();
    check(&[one.clone(), two, three.clone()], &["2.csv: row 7 and all rows after it are missing"]);
    fs::write(folder.join("none.csv"), "a,b\n1,2\n").unwrap();
    check(&[folder.join("none.csv")], &["none.csv: is not part of a sweep"]);
    let before = fs::read_to_string(&one).unwrap();
    let assert = merge(std::slice::from_ref(&one), &one).code(2);
    let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(error.ends_with("1.csv is a part that is read\n"), "{error}");
    assert_eq!(before, fs::read_to_string(&one).unwrap(), "a part is never written over");
}

/// A part that was interrupted goes on from the rows that it has: they are not made again, what was cut off is, and the
/// result is the part to the byte. A file of another sweep's rows is refused and kept.
#[test]
fn a_part_goes_on_where_it_was_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let part = sweep(folder.path(), "part.csv", &["--shard", "1/2"]);
    let whole = fs::read_to_string(&part).unwrap();
    let partial = folder.path().join("part.csv.partial");
    assert!(!partial.exists(), "nothing is left of a part that is done");
    // Two of five rows are done, of which one is marked as no run would make it; a third line was cut off.
    let mut table = Table::parse(&whole).unwrap();
    table.rows[2][3] = "42".to_owned();
    let lines: Vec<_> = table.rows.iter().map(|row| rows::line(row).unwrap()).collect();
    let cut = &lines[3][..lines[3].len() / 2];
    let begun = rows::first_line(&table.head).unwrap() + &lines[2] + &lines[0] + cut;
    let go_on = |more: &[&str]| {
        fs::write(&partial, &begun).unwrap();
        let assert = driftlab()
            .args(["sweep", "six-link-chain"])
            .args(OVER)
            .args(more)
            .arg("--csv")
            .arg(&part)
            .assert();
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        (assert, stderr)
    };
    let scheme = ["--stabilizer", "baumgarte_velocity", "--time", "0.02"];
    let (assert, stderr) = go_on(&[scheme.as_slice(), &["--shard", "1/2"]].concat());
    assert.code(0);
    assert!(stderr.contains("2 of 5 rows are in") && stderr.contains("part.csv.partial"), "{stderr}");
    assert_eq!(fs::read_to_string(&part).unwrap().as_bytes(), table.to_bytes().unwrap());
    assert!(!partial.exists());
    // The other part, and another sweep.
    for more in [["--time", "0.02", "--shard", "2/2"], ["--time", "0.03", "--shard", "1/2"]] {
        let (assert, stderr) = go_on(&[["--stabilizer", "baumgarte_velocity"].as_slice(), &more].concat());
        assert.code(2);
        assert!(stderr.contains("part.csv.partial: holds rows of another sweep or part"), "{stderr}");
        assert_eq!(fs::read_to_string(&partial).unwrap(), begun);
    }
}

/// Sweeps with unknown parameters, invalid ranges or parts, or too many ranges for a plot are refused with status 2.
#[test]
fn wrong_ranges_and_parameters_are_refused() {
    let alpha = ["--stabilizer", "baumgarte_velocity", "--over"];
    let with = |range: &'static str| [alpha.as_slice(), &[range]].concat();
    refused(&with("alhpa=1,2"), "did you mean 'alpha'?");
    refused(&with("alpha=1:1000:log"), "is not a range");
    refused(&with("alpha=0:10:log:5"), "cannot start at 0");
    refused(&with("alpha=5:1:lin:5"), "is empty");
    refused(&with("alpha=1:5:cubic:5"), "unknown spacing 'cubic'");
    refused(&with("alpha=1:5:lin:1"), "expected a count");
    refused(&with("alpha=1:5:lin:x"), "expected a count");
    refused(&with("alpha=-1,5"), "out of range");
    refused(&with("dt=0,1"), "out of range");
    refused(&with("alpha"), "expected key=");
    refused(&[with("alpha=1,2"), vec!["--over", "alpha=3,4"]].concat(), "'alpha' is given twice");
    for shard in ["0/3", "4/3", "3", "a/b", "1/0"] {
        refused(&[with("alpha=1,2"), vec!["--shard", shard]].concat(), "expected K/N");
    }
    let three = ["--over", "dt=0.001,0.002", "--over", "gravity=1,2", "--plot", "never.svg"];
    refused(&[with("alpha=1,2"), three.to_vec()].concat(), "one or two parameters");
    let alone = ["--stabilizer", "baumgarte_acceleration", "--over", "omega0=1,2"];
    refused(&alone, "together");
}

/// A derived parameter (ω₀) can be swept while its partner (ζ) is fixed.
#[test]
fn a_language_of_a_scheme_can_be_swept() {
    let arguments =
        ["--stabilizer", "baumgarte_acceleration,zeta=1", "--over", "omega0=10,20", "--steps", "2"];
    let assert = driftlab().args(["sweep", "double-pendulum"]).args(arguments).assert().code(0).stderr("");
    assert_eq!(String::from_utf8_lossy(&assert.get_output().stdout).lines().count(), 4);
}

/// A run that diverges is recorded as failed in its row, and the other runs are completed.
#[test]
fn a_failing_run_is_a_row() {
    let folder = tempfile::tempdir().unwrap();
    let (csv, plot) = (folder.path().join("map.csv"), folder.path().join("map.svg"));
    driftlab()
        .args([
            "sweep",
            "six-link-chain",
            "--stabilizer",
            "baumgarte_acceleration,beta=1e6",
            "--steps",
            "400",
        ])
        .args(["--over", "alpha=1e6,10", "--over", "dt=0.1,1e-7", "--csv"])
        .arg(&csv)
        .arg("--plot")
        .arg(&plot)
        .assert()
        .code(0)
        .stdout("4 runs, 2 failed\n");
    let rows = super::columns(&csv);
    let failed: Vec<_> = rows[2..].iter().map(|row| !row.last().unwrap().is_empty()).collect();
    assert_eq!(failed, [true, false, true, false], "{rows:?}");
    assert!(fs::read_to_string(plot).unwrap().starts_with("<svg"));
}

/// The figure drawn by `merge` from the parts of a sweep is byte for byte that of the whole sweep.
#[test]
fn figures_come_from_sweeps_and_from_merged_parts_alike() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let plot = folder.join("whole.svg");
    sweep(folder, "whole.csv", &["--plot", plot.to_str().unwrap()]);
    let merged = folder.join("merged.svg");
    driftlab().arg("merge").args(parts(folder)).arg("--plot").arg(&merged).assert().code(0);
    assert_eq!(fs::read_to_string(plot).unwrap(), fs::read_to_string(merged).unwrap());
}

/// Whatever is changed in a part, the merge says which part it was: every byte of a part, replaced, left out and doubled.
#[test]
fn an_altered_part_is_named() {
    use driftlab::experiment::sweep::Table;
    let folder = tempfile::tempdir().unwrap();
    let [one, two, three]: [PathBuf; 3] = parts(folder.path()).try_into().unwrap();
    let whole = fs::read(&two).unwrap();
    let is_read = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok_and(|text| Table::parse(text).is_ok());
    assert!(is_read(&whole));
    for at in 0..whole.len() {
        for other in [b'1', b'7', b'x', b'\n', b'\r', b' ', whole[at] ^ 1] {
            let mut altered = whole.clone();
            altered[at] = other;
            assert!(altered == whole || !is_read(&altered), "byte {at}");
        }
        let mut shorter = whole.clone();
        let byte = shorter.remove(at);
        assert!(!is_read(&shorter), "without byte {at}");
        let mut longer = whole.clone();
        longer.insert(at, byte);
        assert!(!is_read(&longer), "byte {at} twice");
    }
    // A digit of a result, which nothing but the checksum tells from another.
    let text = String::from_utf8(whole).unwrap();
    let digit = text.rfind(|c: char| c.is_ascii_digit() && c != '9').unwrap();
    fs::write(&two, format!("{}9{}", &text[..digit], &text[digit + 1..])).unwrap();
    let out = folder.path().join("out.csv");
    let assert = merge(&[one, two, three], &out).code(2);
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(stderr.contains("2.csv: was altered since it was written"), "{stderr}");
    assert!(!out.exists());
}

/// The time that threads take to look for work grows with the square of their number: more than 256 are refused, and so
/// many do no harm.
#[test]
fn threads_are_limited() {
    let over = ["--over", "dt=0.001,0.002", "--jobs"];
    refused(&[&over[..], &["257"]].concat(), "257 is not in 1..=256");
    refused(&[&over[..], &["3000"]].concat(), "3000 is not in 1..=256");
    let most = ["sweep", "six-link-chain", "--steps", "2", "--over", "dt=0.001:0.002:lin:400"];
    driftlab().args(most).args(["--jobs", "256"]).assert().code(0);
}
