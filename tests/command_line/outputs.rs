//! The files that commands write.

use crate::driftlab;
use driftlab::scene;
use std::fs;

#[test]
fn outputs_are_looked_at_before_the_first_step() {
    // Protects files: no output overwrites another or the input scene, however the path is written, and a path that cannot
    // be written is refused before the run, with all files unchanged.
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("scene.json");
    let text = driftlab::scene::catalogue::find("six-link-chain").unwrap().text;
    fs::write(&scene, text).unwrap();
    fs::write(folder.path().join("old.csv"), "old").unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    let refused: &[(&[&str], &str)] = &[
        (&["run", "scene.json", "--save", "scene.json"], "--save: scene.json is the scene that is read"),
        (&["run", "scene.json", "--csv", "sub/../scene.json"], "is the scene that is read"),
        (&["run", "scene.json", "--csv", "a.csv", "--trace", "./a.csv"], "is written by --csv already"),
        (&["run", "scene.json", "--trace", "a", "--save", "a"], "is written by --trace already"),
        (&["compare", "scene.json", "--csv", "a.svg", "--plot", "a.svg"], "is written by --csv already"),
        // So long a run that the test would not end if it were begun.
        (
            &["run", "scene.json", "--steps", "1000000000", "--csv", "old.csv", "--save", "no/x.json"],
            "no/x.json",
        ),
        (&["run", "scene.json", "--steps", "1000000000", "--save", "sub"], "sub"),
        (&["compare", "scene.json", "--steps", "1000000000", "--plot", "no/x.svg"], "no/x.svg"),
    ];
    for (arguments, reason) in refused {
        let assert = driftlab().args(*arguments).current_dir(folder.path()).assert().code(2).stdout("");
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(error.contains(reason), "{arguments:?}: {error}");
    }
    assert_eq!(fs::read_to_string(&scene).unwrap(), text);
    assert_eq!(fs::read_to_string(folder.path().join("old.csv")).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "nothing is left behind");
    // What is allowed replaces what was there.
    let saved = ["run", "scene.json", "--steps", "1", "--save", "old.csv"];
    driftlab().args(saved).current_dir(folder.path()).assert().code(0);
    assert!(scene::Scene::parse(&fs::read_to_string(folder.path().join("old.csv")).unwrap()).is_ok());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "nothing is left behind");
}

/// An output that is the scene by another name: a hard link has no path in common with it.
#[test]
#[cfg(unix)]
fn a_hard_link_to_the_scene_is_the_scene() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::write(file("scene.json"), scene::catalogue::find("six-link-chain").unwrap().text).unwrap();
    fs::hard_link(file("scene.json"), file("link.json")).unwrap();
    fs::write(file("a.csv"), "").unwrap();
    fs::hard_link(file("a.csv"), file("b.csv")).unwrap();
    let cases: [(&[&str], &str); 2] = [
        (&["--save", "link.json"], "--save: link.json is the scene that is read"),
        (&["--csv", "a.csv", "--trace", "b.csv"], "--trace: b.csv is written by --csv already"),
    ];
    for (outputs, reason) in cases {
        let assert = driftlab()
            .args(["run", "scene.json", "--steps", "1"])
            .args(outputs)
            .current_dir(folder.path())
            .assert()
            .code(2);
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(error.contains(reason), "{error}");
    }
}

/// A disk that is full in the middle of a run: the earlier file stays whole, nothing is left beside it, and the file is named.
/// A limit on the size of files stands for the disk.
#[test]
#[cfg(unix)]
fn a_full_disk_leaves_the_earlier_file_whole() {
    let folder = tempfile::tempdir().unwrap();
    for option in ["--csv", "--trace", "--impulses"] {
        fs::write(folder.path().join("old.csv"), "old").unwrap();
        // Without its trap the limit's signal would end the process.
        let script = format!("trap '' XFSZ; ulimit -f 8; exec \"$0\" run six-link-chain {option} old.csv");
        let output = std::process::Command::new("sh")
            .args(["-c", &script])
            .arg(assert_cmd::cargo::cargo_bin!("driftlab"))
            .current_dir(folder.path())
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.starts_with("old.csv: ") && error.lines().count() == 1, "{error}");
        assert_eq!(fs::read_to_string(folder.path().join("old.csv")).unwrap(), "old", "{option}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
    }
}

/// `--csv -` writes the rows to standard output and the summary to standard error, and no file named `-`.
#[test]
fn a_dash_is_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let assert = driftlab().args(arguments).current_dir(folder.path()).assert().code(0);
        let output = assert.get_output().clone();
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap())
    };
    let [rows, summary] = run(&["run", "six-link-chain", "--steps", "3", "--csv", "-"]);
    assert!(rows.starts_with("step,time,") && rows.lines().count() == 5, "{rows}");
    assert!(summary.contains("largest joint error"), "{summary}");
    let [scene, summary] = run(&["run", "six-link-chain", "--steps", "3", "--save", "-", "--json"]);
    assert!(scene::Scene::parse(&scene).is_ok() && summary.starts_with('{'), "{summary}");
    let [rows, table] =
        run(&["compare", "six-link-chain", "--steps", "3", "--csv", "-", "--stabilizers", "none"]);
    assert!(rows.starts_with("stabilizer,step,") && rows.lines().count() == 5, "{rows}");
    assert!(table.contains("time per step"), "{table}");
    let [to_dash, _] =
        run(&["sweep", "six-link-chain", "--steps", "1", "--over", "dt=0.001,0.002", "--csv", "-"]);
    let [plain, _] = run(&["sweep", "six-link-chain", "--steps", "1", "--over", "dt=0.001,0.002"]);
    assert_eq!(to_dash, plain);
    driftlab()
        .args(["run", "six-link-chain", "--steps", "3", "--csv", "-", "--trace", "-"])
        .assert()
        .code(2)
        .stderr("--trace: - is written by --csv already\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A file keeps its permissions when it is replaced, and a link leads to the new contents.
#[test]
#[cfg(unix)]
fn a_replaced_file_keeps_its_permissions_and_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::write(file("old.csv"), "old").unwrap();
    fs::set_permissions(file("old.csv"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("old.csv", file("link.csv")).unwrap();
    driftlab()
        .args(["run", "six-link-chain", "--steps", "1", "--csv", "link.csv", "--trace", "new.csv"])
        .current_dir(folder.path())
        .assert()
        .code(0);
    assert!(fs::read_to_string(file("old.csv")).unwrap().starts_with("step,"));
    assert!(fs::symlink_metadata(file("link.csv")).unwrap().is_symlink());
    let mode = |name: &str| fs::metadata(file(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("old.csv"), 0o640);
    fs::write(file("usual"), "").unwrap();
    assert_eq!(mode("new.csv"), mode("usual"));
}

/// Every command that writes files: one beyond the limit of the shell, here any byte, is an error with status 2 and the
/// file's name, and no silent end by SIGXFSZ (status 153). Nothing incomplete is left beside.
#[cfg(target_os = "linux")]
#[test]
fn every_command_names_the_file_beyond_the_limit_of_the_shell() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = ["sweep", "six-link-chain", "--steps", "1", "--over", "dt=0.001,0.002"];
    driftlab()
        .args(sweep)
        .args(["--shard", "1/1", "--csv", "part.csv"])
        .current_dir(&folder)
        .assert()
        .code(0);
    let map = "stability double-pendulum --stabilizer baumgarte_acceleration --over alpha=1:10:log:2";
    let commands = [
        ("run six-link-chain --steps 1 --csv new", "new"),
        ("run six-link-chain --steps 1 --trace new", "new"),
        ("run six-link-chain --steps 1 --impulses new", "new"),
        ("run six-link-chain --steps 1 --save new", "new"),
        ("compare six-link-chain --steps 1 --stabilizers none --csv new", "new"),
        ("compare six-link-chain --steps 9 --stabilizers none --plot new.svg", "new.svg"),
        ("converge single-pendulum --time 0.1 --schemes none --csv new", "new"),
        ("sweep six-link-chain --steps 1 --over dt=0.001,0.002 --csv new", "new"),
        ("sweep six-link-chain --steps 1 --over dt=0.001,0.002 --plot new.svg", "new.svg"),
        ("merge part.csv --csv new", "new"),
        (&format!("{map} --csv new"), "new"),
        (&format!("{map} --plot new.svg"), "new.svg"),
    ];
    for (command, file) in commands {
        let output = std::process::Command::new("sh")
            .args(["-c", &format!("ulimit -f 0; exec \"$0\" {command}")])
            .arg(assert_cmd::cargo::cargo_bin!("driftlab"))
            .current_dir(folder.path())
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{command}: {error}");
        assert!(error.starts_with(file) && error.contains("File too large"), "{command}: {error}");
        let left: Vec<_> =
            fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(left, ["part.csv"], "{command}");
    }
}

/// A link whose file does not exist yet stays a link, and the new file is the one that it leads to, through any number
/// of links; a ring of links leads nowhere.
#[test]
#[cfg(unix)]
fn a_link_to_a_new_file_is_followed() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::create_dir(file("sub")).unwrap();
    symlink("sub/second.csv", file("first.csv")).unwrap();
    symlink("third.csv", file("sub/second.csv")).unwrap();
    symlink("ring.csv", file("ring.csv")).unwrap();
    let run = |outputs: &[&str]| {
        let mut command = driftlab();
        command.args(["run", "six-link-chain", "--steps", "1"]).args(outputs).current_dir(&folder);
        command.assert()
    };
    run(&["--csv", "first.csv"]).code(0);
    assert!(fs::read_to_string(file("sub/third.csv")).unwrap().starts_with("step,"));
    let is_link = |name: &str| fs::symlink_metadata(file(name)).unwrap().is_symlink();
    assert!(is_link("first.csv") && is_link("sub/second.csv"));
    fs::remove_file(file("sub/third.csv")).unwrap();
    let assert = run(&["--csv", "first.csv", "--trace", "sub/third.csv"]).code(2);
    let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert_eq!(error, "--trace: sub/third.csv is written by --csv already\n");
    run(&["--csv", "ring.csv"]).code(2);
    assert!(is_link("ring.csv"));
}

/// A name that ends like that of a folder is no file's, whether the folder exists or not.
#[test]
fn a_folder_is_no_output() {
    let folder = tempfile::tempdir().unwrap();
    for path in ["new/", "new/.", "./"] {
        let assert = driftlab()
            .args(["run", "six-link-chain", "--steps", "1", "--save", path])
            .current_dir(folder.path())
            .assert()
            .code(2);
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert_eq!(error, format!("{path}: a folder (expected a file)\n"));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
