//! SIGINT, SIGTERM and SIGKILL in the middle of a run, sent to a real process.

use driftlab::scene::Scene;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// So many steps that no run of this test reaches them.
const ENDLESS: &str = "1000000000";

/// Starts an endless command in `folder`, waits until it has written rows, and sends it the signal.
fn interrupted(folder: &Path, arguments: &[&str], signal: &str) -> std::process::Output {
    let child = Command::new(assert_cmd::cargo::cargo_bin!("driftlab"))
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !has_rows(folder) {
        std::thread::sleep(Duration::from_millis(5));
    }
    send(&child, signal);
    child.wait_with_output().unwrap()
}

fn send(child: &Child, signal: &str) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

/// Whether a file beside has got any bytes.
fn has_rows(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().flatten().any(|entry| {
        let is_part = entry.path().extension().is_some_and(|extension| extension == "part");
        is_part && entry.metadata().is_ok_and(|file| file.len() > 0)
    })
}

#[test]
fn a_signal_ends_a_run_at_a_row() {
    // Protects hours of work: Ctrl-C, SIGTERM and a terminal that goes end a run behind a step, with all its rows, the
    // summary, the saved scene, and the exit status that shells expect of the signal, 128 + its number.
    for (signal, status, name) in [
        ("-INT", 130, "SIGINT"),
        ("-TERM", 143, "SIGTERM"),
        #[cfg(target_os = "linux")]
        ("-HUP", 129, "SIGHUP"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        fs::write(file("old.csv"), "old").unwrap();
        let arguments =
            ["run", "six-link-chain", "--steps", ENDLESS, "--csv", "old.csv", "--save", "last.json"];
        let output = interrupted(folder.path(), &arguments, signal);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(status), "{error}");
        assert!(error.contains(name) && error.lines().count() == 1, "{error}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("largest joint error"));
        let rows = fs::read_to_string(file("old.csv")).unwrap();
        let last = rows.lines().last().unwrap();
        assert!(
            rows.ends_with('\n')
                && last.split(',').count() == rows.lines().next().unwrap().split(',').count()
        );
        let saved = Scene::parse(&fs::read_to_string(file("last.json")).unwrap()).unwrap();
        assert_eq!(last.split(',').next(), Some(saved.world.steps().to_string().as_str()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left behind");
    }
}

/// A step that takes minutes does not keep a run from ending: it ends before that step, with its rows, its summary and
/// its saved scene. The dense tableau of 210 boxes at rest takes Lemke's algorithm far longer than the second that it is given.
#[test]
fn a_signal_ends_a_run_within_a_long_step() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let arguments = ["run", "pyramid-20", "--solver", "lemke", "--csv", "rows.csv", "--save", "last.json"];
    let child = Command::new(assert_cmd::cargo::cargo_bin!("driftlab"))
        .args(arguments)
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while fs::read_dir(folder.path()).unwrap().count() == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    // Once to end behind the step, and once more.
    send(&child, "-INT");
    std::thread::sleep(Duration::from_millis(200));
    send(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{error}");
    assert!(error.contains("SIGINT after"), "{error}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("largest joint error"));
    let rows = fs::read_to_string(file("rows.csv")).unwrap();
    assert!(rows.ends_with('\n') && rows.lines().count() >= 2, "{rows}");
    let saved = Scene::parse(&fs::read_to_string(file("last.json")).unwrap()).unwrap();
    let last = rows.lines().last().unwrap();
    assert_eq!(last.split(',').next(), Some(saved.world.steps().to_string().as_str()));
}

#[test]
fn a_signal_ends_a_comparison_at_a_row() {
    // Protects `compare`: its rows are written while it runs, and an interrupted one keeps those that were reached.
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["compare", "six-link-chain", "--steps", ENDLESS, "--csv", "rows.csv"];
    let output = interrupted(folder.path(), &arguments, "-TERM");
    assert_eq!(output.status.code(), Some(143));
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(table.contains("largest joint error"), "{table}");
    let rows = fs::read_to_string(folder.path().join("rows.csv")).unwrap();
    assert!(rows.ends_with('\n'));
    // The run that it ended says so, with its last step; no run was done.
    let step = rows.lines().last().unwrap().split(',').nth(1).unwrap();
    assert!(table.contains(&format!("interrupted after {step} of {ENDLESS} steps")), "{table}");
    assert!(!table.contains("done"), "{table}");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.ends_with(&format!(", after {step} of {ENDLESS} steps\n")), "{error}");
}

/// The same as JSON: a run that a signal has ended is no run that has made all its steps.
#[test]
fn a_signal_is_told_by_a_comparison_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["compare", "six-link-chain", "--steps", ENDLESS, "--csv", "rows.csv", "--json"];
    let output = interrupted(folder.path(), &arguments, "-INT");
    assert_eq!(output.status.code(), Some(130));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let run = &json[0];
    let expected = format!("interrupted after {} of {ENDLESS} steps", run["steps"]);
    assert_eq!(run["interrupted"].as_str(), Some(expected.as_str()), "{run}");
}

#[test]
fn a_killed_run_leaves_the_earlier_file_whole() {
    // Protects the file of an earlier run from a crash: nothing that this process does can follow SIGKILL.
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("old.csv");
    fs::write(&old, "old").unwrap();
    let arguments = ["run", "six-link-chain", "--steps", ENDLESS, "--csv", "old.csv"];
    assert_eq!(interrupted(folder.path(), &arguments, "-KILL").status.code(), None);
    assert_eq!(fs::read_to_string(old).unwrap(), "old");
}

/// A file that outgrows the limit of the shell is an error like a full disk, with the file's name, and no silent end by
/// SIGXFSZ (status 153). The earlier file stays whole, and nothing is left beside it.
#[cfg(target_os = "linux")]
#[test]
fn a_file_beyond_the_limit_of_the_shell_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("old.csv"), "old").unwrap();
    let program = assert_cmd::cargo::cargo_bin!("driftlab");
    let output = Command::new("sh")
        .args(["-c", "ulimit -f 8; exec \"$0\" run six-link-chain --steps 3000 --csv old.csv"])
        .arg(program)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("old.csv: ") && error.lines().count() == 1, "{error}");
    assert_eq!(fs::read_to_string(folder.path().join("old.csv")).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
