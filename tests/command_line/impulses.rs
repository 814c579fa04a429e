//! `driftlab run --impulses`: the file, its errors, and that it is the same in every run.

use super::columns;
use crate::driftlab;
use std::fs;

#[test]
fn impulses_are_the_same_bytes_in_every_run() {
    // Protects comparisons of files: the same scene, options and build give the same bytes, and recording does not change
    // the run.
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str| {
        let file = folder.path().join(name);
        let arguments = ["run", "ragdoll", "--steps", "100", "--json", "--impulses"];
        let assert = driftlab().args(arguments).arg(&file).assert().code(0).stderr("");
        (fs::read(file).unwrap(), assert.get_output().stdout.clone())
    };
    let (bytes, summary) = run("a.csv");
    assert_eq!((bytes, summary.clone()), run("b.csv"));
    let alone = driftlab().args(["run", "ragdoll", "--steps", "100", "--json"]).assert().code(0);
    assert_eq!(alone.get_output().stdout, summary);
}

#[test]
fn impulses_end_with_the_last_step_that_was_made() {
    // Protects what was recorded before a simulation failed: six rows for each step of the six hinges, and none of the step that
    // failed (αh = 5 lies beyond the stability limit of 2 [Cline & Pai 2003, section VI-A]).
    let folder = tempfile::tempdir().unwrap();
    let [csv, impulses] = ["out.csv", "impulses.csv"].map(|name| folder.path().join(name));
    driftlab()
        .args([
            "run",
            "six-link-chain",
            "--stabilizer",
            "baumgarte_velocity,alpha=5000",
            "--time",
            "5",
            "--csv",
        ])
        .arg(&csv)
        .arg("--impulses")
        .arg(&impulses)
        .assert()
        .code(3);
    // Without the header, the row of the start, and the comment that says where it has blown up.
    let curve = columns(&csv).into_iter().filter(|row| !row[0].starts_with('#'));
    let (steps, rows) = (curve.count() - 2, columns(&impulses));
    assert!(steps > 10);
    assert_eq!(rows.len(), 1 + 6 * steps);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    assert_eq!(rows[1][..4], ["1", "0.001", "hinge", "0"]);
}

#[test]
fn impulses_that_cannot_be_written_are_known_before_the_run() {
    // Protects files and computing time: paths are checked before the run, which is so long that the test would not end if
    // it were started.
    let folder = tempfile::tempdir().unwrap();
    let long = ["run", "six-link-chain", "--steps", "1000000000"];
    for (arguments, reason) in [
        (&["--impulses", "no/such/folder/x.csv"][..], "no/such/folder/x.csv"),
        (
            &["--trace", "a.csv", "--impulses", "./a.csv"],
            "--impulses: ./a.csv is written by --trace already",
        ),
        (&["--impulses", "a", "--save", "a"], "--save: a is written by --impulses already"),
    ] {
        let assert = driftlab().args(long).args(arguments).current_dir(folder.path()).assert();
        let assert = assert.code(2).stdout("");
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(error.contains(reason), "{arguments:?}: {error}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}
