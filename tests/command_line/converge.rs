//! `driftlab converge`: its output, and the command lines that it refuses.

use super::columns;
use crate::driftlab;
use std::fs;
use std::path::Path;

const SCHEMES: [&str; 5] = ["--schemes", "none", "anitescu_hart", "rattle", "none,integrator=rk4"];

/// Runs `converge six-link-chain` for 0.1 s with further arguments in `folder`, and returns what it prints.
fn converged(folder: &Path, more: &[&str]) -> String {
    let assert = driftlab()
        .args(["converge", "six-link-chain", "--time", "0.1", "--h", "0.002,0.001,0.0005"])
        .args(SCHEMES)
        .args(more)
        .current_dir(folder)
        .assert()
        .code(0)
        .stderr("");
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

#[test]
fn a_row_for_each_scheme_and_time_step() {
    // Protects the CSV contract: columns without computing times, the same bytes in every run; computing times go to a
    // separate file.
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    converged(folder.path(), &["--csv", "a.csv", "--timings", "t.csv"]);
    converged(folder.path(), &["--csv", "b.csv"]);
    let text = fs::read_to_string(file("a.csv")).unwrap();
    assert_eq!(text, fs::read_to_string(file("b.csv")).unwrap());
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 1 + 4 * 3);
    assert!(
        lines[0].starts_with(
            "scheme,level,integrator,time_step,steps,position_error,angle_error,velocity_error,\
             angular_velocity_error,energy_error,constraint_error,position_order,"
        ) && lines[0].ends_with(",constraint_resolution,failure"),
        "{}",
        lines[0]
    );
    assert!(lines[1].starts_with("none,velocity,,0.002,50,"), "{}", lines[1]);
    assert!(lines[6].starts_with("\"anitescu_hart,gamma=1\",velocity,,0.0005,200,"), "{}", lines[6]);
    assert!(lines[12].starts_with("\"none,integrator=rk4\",acceleration,rk4,0.0005,200,"), "{}", lines[12]);
    // First order: half the step, half the error.
    let number =
        |line: usize, column: usize| lines[line].split(',').nth(column).unwrap().parse::<f64>().unwrap();
    assert!((number(2, 5) / number(3, 5) - 2.0).abs() < 0.1);
    assert!((number(3, 11) - 1.0).abs() < 0.1, "position_order of none");
    let timings = columns(&file("t.csv"));
    assert_eq!(timings[0][3..7], ["time_step", "steps", "step_us", "run_s"]);
    assert!(timings[1][5].parse::<f64>().unwrap() > 0.0);
    assert_eq!(timings.len(), lines.len());
}

#[test]
fn tables_and_json_say_the_same() {
    // Protects what people and scripts read: fitted orders as in theory (1, 1, 2), the reference and its own error, and the
    // marks of errors that it does not resolve.
    let folder = tempfile::tempdir().unwrap();
    let text = converged(folder.path(), &[]);
    for expected in [
        "Six-link chain, 0.1 s, compared every 0.002 s",
        "reference: rattle at h = 1.563e-5 s, the smallest over 32",
        "none,integrator=rk4",
        "fitted orders",
        "* not resolved: at most 10 times",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let json: serde_json::Value = serde_json::from_str(&converged(folder.path(), &["--json"])).unwrap();
    assert_eq!(json["reference"]["scheme"], "rattle");
    assert!(json["reference"]["movement"]["position"].as_f64().unwrap() > 0.0);
    let order = |scheme: usize| json["schemes"][scheme]["fitted"]["position"]["order"].as_f64().unwrap();
    for (scheme, expected) in [1.0, 1.0, 2.0].into_iter().enumerate() {
        assert!((order(scheme) - expected).abs() < 0.1, "{}", json["schemes"][scheme]);
    }
    let rattle = &json["schemes"][2];
    assert_eq!((&rattle["scheme"], &rattle["level"]), (&"rattle".into(), &"velocity".into()));
    assert!(rattle["fitted"]["constraint"].is_null(), "rounding has no order");
    let step = &rattle["time_steps"][2];
    assert_eq!((step["time_step"].as_f64(), step["steps"].as_u64()), (Some(0.0005), Some(200)));
    assert_eq!(step["errors"]["constraint"]["standing"], "unresolved");
    assert!(step["timing"]["step_us"].as_f64().unwrap() > 0.0 && step["failure"].is_null());
}

#[test]
fn the_figure_plots_errors_over_step_and_over_time() {
    // Protects the figure: errors over h with lines of the orders, and over computing time; every scheme in the legend.
    let folder = tempfile::tempdir().unwrap();
    converged(folder.path(), &["--plot", "a.svg"]);
    converged(folder.path(), &["--plot", "a.png", "--reference", "rk4"]);
    let svg = fs::read_to_string(folder.path().join("a.svg")).unwrap();
    for text in [
        "time step h / s",
        "computing time / s",
        "position error / m",
        "velocity error / m/s",
        "energy error / J",
        "anitescu_hart,gamma=1",
        "none,integrator=rk4",
        "h²",
    ] {
        assert!(svg.contains(text), "{text} is not in the figure");
    }
    assert_eq!(&fs::read(folder.path().join("a.png")).unwrap()[..8], b"\x89PNG\r\n\x1a\n");
}

#[test]
fn errors_within_rounding_are_marked() {
    // Protects people whose time steps and duration do not fit: the first line states the rounded values.
    let assert = driftlab()
        .args(["converge", "six-link-chain", "--schemes", "none", "--time", "0.1"])
        .args(["--h", "0.001:0.003:log:3", "--refine", "2"])
        .assert()
        .code(0);
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let first = text.lines().next().unwrap();
    assert_eq!(
        first,
        "Six-link chain, 0.099 s (of 0.1 s, rounded to a multiple of the largest time step), compared every 0.003 s; \
         time steps rounded so that they divide 0.003 s"
    );
}

#[test]
fn a_run_that_fails_ends_with_3() {
    // Protects the other runs: a scheme beyond its stability limit fails in its own rows, and the others have numbers.
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("out.csv");
    let assert = driftlab()
        .args(["converge", "six-link-chain", "--schemes", "baumgarte_velocity,alpha=5000", "none"])
        .args(["--time", "1", "--h", "0.004,0.002", "--refine", "2", "--csv"])
        .arg(&csv)
        .assert()
        .code(3);
    let output = assert.get_output();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines: Vec<_> = error.lines().collect();
    assert!(lines.len() == 3 && lines[0].contains("is unstable"), "{error}");
    assert!(lines[1].starts_with("baumgarte_velocity,alpha=5000 at h = 0.004 s: fails at 0."), "{error}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("fails at 0."));
    let text = fs::read_to_string(csv).unwrap();
    assert!(
        text.lines().nth(1).unwrap().contains("fails at")
            && !text.lines().nth(3).unwrap().contains("fails")
    );
}

#[test]
fn wrong_command_lines_are_refused() {
    // Protects scripts: status 2, what was expected on stderr, nothing on stdout, before anything is computed.
    let cases: &[(&[&str], &str)] = &[
        (&["--h", "0.01,0.003"], "--h: 0.003 s does not divide the largest time step, 0.01 s"),
        (&["--h", "abc"], "--h: 'abc': expected VALUE,VALUE,…"),
        (&["--h", "0.01,0.01"], "--h: '0.01' is given twice"),
        (&["--h", "0.01:0.001:log:4"], "--h: 0.01:0.001 is empty"),
        (&["--h", "1"], "--h: the largest time step, 1 s, is longer than the run of 0.6 s"),
        (&["--h", "1e-12"], "--h: more than 1e12 steps"),
        (&["--time", "0"], "expected a number greater than 0"),
        (&["--refine", "3"], "expected an even number"),
        (&["--schemes", "magic"], "--schemes: unknown stabilizer 'magic'"),
        (&["--schemes", "none,integrator=rk5"], "expected semi_implicit_euler, explicit_euler, rk4"),
        (&["--schemes", "rattle,integrator=rk4"], "'rattle' does not exist at level acceleration"),
        (
            &["--schemes", "none,level=velocity,integrator=rk4"],
            "an integrator acts at the acceleration level",
        ),
        (
            &["--schemes", "none", "--integrator", "rk4"],
            "--integrator: an integrator acts at the acceleration",
        ),
        (&["--schemes", "rattle", "--level", "acceleration"], "--level: 'rattle' does not exist"),
        (&["--reference", "magic"], "--reference: unknown stabilizer 'magic'"),
        (&["--plot", "x.gif"], ".svg or .png"),
        (&["--csv", "/no/such/folder/x.csv"], "/no/such/folder/x.csv"),
    ];
    for (arguments, reason) in cases {
        let assert =
            driftlab().args(["converge", "six-link-chain"]).args(*arguments).assert().code(2).stdout("");
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(error.contains(reason), "{arguments:?}: {error}");
    }
}
