//! The command line: what it writes, where errors go, and its exit status.

mod advice;
pub mod apart;
mod blow_up;
mod contacts;
mod converge;
mod corrected;
mod course;
mod crowds;
mod defaults;
mod effort;
mod given;
mod impulses;
mod judge;
mod maps;
mod mark;
mod measure;
mod outputs;
mod passages;
mod recordings;
mod refusals;
#[cfg(unix)]
mod signals;
mod starts;
mod sweeps;
mod trails;
mod uniqueness;
mod untrusted;
mod words;

use crate::driftlab;
use driftlab::method::{Level, Scheme};
use driftlab::scene;
use driftlab::schemes::TABLE;
use std::fs;
use std::path::Path;

fn columns(csv: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(csv).unwrap();
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn run_writes_the_promised_columns() {
    // Protects the CSV contract: header, a row 0 for the initial state, a row per step, empty cells for missing values.
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("out.csv");
    driftlab()
        .args(["run", "six-link-chain", "--steps", "20", "--csv"])
        .arg(&csv)
        .assert()
        .code(0)
        .stderr("");
    let rows = columns(&csv);
    assert_eq!(
        rows[0].join(","),
        "step,time,joint_error,contact_error,joint_error_before,contact_error_before,velocity_error,\
         kinetic_energy,potential_energy,correction_work,bodies,contacts,rows,solver_iterations,residual,step_us,\
         nonholonomic_error,joint_error_m,joint_error_rad,joint_error_m2,limit_error_m,limit_error_rad,substeps,infeasible,solver,trail,relative_residual,damped_corrections,correction_left,fastest_rate,approximate,approximate_residual,applied_work,gravity_work,spring_work,motor_work,driver_work,hand_work,friction_work,impact_work,method_work,drag_work"
    );
    assert_eq!(rows.len(), 22);
    assert_eq!((rows[1][0].as_str(), rows[1][1].as_str(), rows[1][15].as_str()), ("0", "0", ""));
    assert!(rows[2][4].is_empty(), "no error before a correction that is not made");
    assert!(rows[2][15].parse::<f64>().unwrap() > 0.0);
    assert_eq!((rows[21][0].as_str(), rows[21][10].as_str(), rows[21][12].as_str()), ("20", "7", "12"));
}

#[test]
fn two_runs_write_the_same_bytes() {
    // Protects determinism from end to end: same scene, options and build, same bytes, step_us aside.
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str| {
        let (csv, trace) = (folder.path().join(name), folder.path().join(format!("{name}.trace")));
        let save = folder.path().join(format!("{name}.json"));
        let assert = driftlab()
            .args(["run", "slider-crank", "--steps", "300", "--json", "--csv"])
            .arg(&csv)
            .arg("--trace")
            .arg(&trace)
            .arg("--save")
            .arg(&save)
            .assert()
            .code(0);
        let mut rows = columns(&csv);
        rows.iter_mut().for_each(|row| drop(row.remove(15)));
        (rows, fs::read(trace).unwrap(), fs::read(save).unwrap(), assert.get_output().stdout.clone())
    };
    assert_eq!(run("a"), run("b"));
}

#[test]
fn a_saved_run_continues_to_the_same_bytes() {
    // Protects `--save`: 100 steps and 100 more end where 200 steps end.
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let run = |scene: &str, steps: &str, save: &str| {
        driftlab().args(["run", scene, "--steps", steps, "--save"]).arg(file(save)).assert().code(0);
    };
    run("redundant-loop", "200", "whole.json");
    run("redundant-loop", "100", "half.json");
    run(file("half.json").to_str().unwrap(), "100", "rest.json");
    assert_eq!(
        fs::read_to_string(file("whole.json")).unwrap(),
        fs::read_to_string(file("rest.json")).unwrap()
    );
}

#[test]
fn a_blow_up_ends_with_3_and_a_valid_csv() {
    // Protects what was computed before a simulation failed: αh = 5 lies beyond the stability limit of 2
    // [Cline & Pai 2003, section VI-A: αh = 2 is the limit], and every row until then is a number.
    let folder = tempfile::tempdir().unwrap();
    let (csv, save) = (folder.path().join("out.csv"), folder.path().join("last.json"));
    let assert = driftlab()
        .args(["run", "six-link-chain", "--stabilizer", "baumgarte_velocity,alpha=5000"])
        .args(["--time", "5", "--csv"])
        .arg(&csv)
        .arg("--save")
        .arg(&save)
        .assert()
        .code(3);
    let error = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert_eq!(error.lines().count(), 2, "unstable parameters, told before, and the failure: {error}");
    assert!(error.contains("Six-link chain: step"), "{error}");
    let (comments, rows): (Vec<_>, Vec<_>) =
        columns(&csv).into_iter().partition(|row| row[0].starts_with('#'));
    let says = |line: usize, what: &str| comments[line][0].contains(what);
    assert!(comments.len() == 2 && says(0, "blown up") && says(1, "failed: the energy"), "{comments:?}");
    assert!(rows.len() > 10);
    for (index, row) in rows[1..].iter().enumerate() {
        assert_eq!((row.len(), &row[0]), (42, &index.to_string()));
        assert!(row[2].parse::<f64>().unwrap().is_finite(), "row {index}");
    }
    assert_eq!(scene::Scene::parse(&fs::read_to_string(save).unwrap()).err(), None);
}

#[test]
fn options_overrule_the_scene() {
    // Protects the meaning of --time, --steps, --dt and --stabilizer.
    let json = |arguments: &[&str]| -> serde_json::Value {
        let assert = driftlab().args(["run", "six-link-chain", "--json"]).args(arguments).assert();
        serde_json::from_slice(&assert.code(0).get_output().stdout).unwrap()
    };
    assert_eq!(json(&[])["steps"], 600);
    assert_eq!(json(&["--steps", "7"])["steps"], 7);
    assert_eq!(json(&["--time", "0.05"])["steps"], 50);
    assert_eq!(json(&["--time", "0.05", "--dt", "0.002"])["steps"], 25);
    assert_eq!(
        json(&["--steps", "1", "--stabilizer", "baumgarte_acceleration,omega0=10,zeta=0.5"])["stabilizer"],
        "baumgarte_acceleration,alpha=5,beta=10,integral=present"
    );
}

#[test]
fn a_wrong_command_line_ends_with_2_and_one_line() {
    // Protects scripts: status 2, the reason on stderr, nothing on stdout.
    let cases: &[(&[&str], &str)] = &[
        (&["run", "no-such-scene"], "neither a file nor a shipped scene"),
        (&["run", "no/such/file.json"], "no/such/file.json"),
        (&["run", "six-link-chain", "--stabilizer", "magic"], "--stabilizer: unknown stabilizer 'magic'"),
        (&["run", "six-link-chain", "--stabilizer", "none,alpha=1"], "unknown parameter 'alpha'"),
        (&["run", "six-link-chain", "--stabilizer", "baumgarte_velocity,alpha"], "expected key=value"),
        (
            &["run", "six-link-chain", "--stabilizer", "baumgarte_velocity", "--level", "acceleration"],
            "--level: 'baumgarte_velocity' does not exist at level acceleration",
        ),
        (&["run", "six-link-chain", "--dt", "0"], "expected a number greater than 0"),
        (&["run", "six-link-chain", "--csv", "/no/such/folder/x.csv"], "/no/such/folder/x.csv"),
        (&["compare", "six-link-chain", "--plot", "x.gif"], ".svg or .png"),
        // The integrator would be ignored at the velocity level.
        (
            &["run", "six-link-chain", "--integrator", "rk4"],
            "--integrator: an integrator acts at the acceleration",
        ),
        (
            &["run", "six-link-chain", "--stabilizer", "rattle", "--integrator", "rk4"],
            "no acceleration level",
        ),
        (&["compare", "six-link-chain", "--stabilizers", "none", "--integrator", "rk4"], "--integrator: "),
        (&["run", "six-link-chain", "--time", "-1"], "expected a number greater than 0"),
        (&["run", "six-link-chain", "--time", "1e300"], "--time: more than 1e12 steps"),
        (&["run", "six-link-chain", "--dt", "-1"], "expected a number greater than 0"),
        (&["six-link-chain", "--frames", "0"], "--frames"),
        (&["six-link-chain", "--frames", "1", "--shot", "z.foo"], "ends in .png"),
        (&["six-link-chain", "--frames", "1", "--shot", "/no/such/folder/z.png"], "/no/such/folder/z.png"),
        (&["run"], "SCENE"),
    ];
    for (arguments, reason) in cases {
        let assert = driftlab().args(*arguments).assert().code(2).stdout("");
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(error.contains(reason), "{arguments:?}: {error}");
    }
}

#[test]
fn compare_takes_the_schemes_of_the_level() {
    // Protects `compare --level acceleration`: without a list, all schemes that have the level and no other.
    let assert = driftlab()
        .args(["compare", "six-link-chain", "--level", "acceleration", "--steps", "3", "--json"])
        .assert()
        .code(0);
    let table: serde_json::Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    let has = |scheme: &&&'static Scheme| scheme.info().levels.contains(&Level::Acceleration);
    assert_eq!(table.as_array().unwrap().len(), TABLE.iter().filter(has).count());
}

#[test]
#[cfg(target_os = "linux")]
fn a_display_that_does_not_work_is_one_line() {
    // Protects people without a display: a one-line error that names `driftlab run`, without a panic or source location.
    let assert = driftlab().env("DISPLAY", ":987").assert().code(2).stdout("");
    let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains("driftlab run SCENE"), "{error}");
    for part in [".rs", "panicked", ".cargo"] {
        assert!(!error.contains(part), "{error}");
    }
}

#[test]
fn check_reports_all_files() {
    // Protects `check`: all errors of all files, and sound files named as such.
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.json");
    fs::write(&bad, r#"{"format": "driftlab-scene/1", "bodies": [], "settings": {"time_step": 0}}"#)
        .unwrap();
    let name = bad.display();
    driftlab()
        .args(["check", "six-link-chain"])
        .arg(&bad)
        .assert()
        .code(2)
        .stdout("six-link-chain: ok, 7 bodies, 6 joints\n")
        .stderr(format!(
            "{name}: name: this key is missing (expected a text)\n\
             {name}: settings.time_step: expected a number greater than 0, found 0\n"
        ));
    let all: Vec<_> = driftlab::scene::catalogue::entries().iter().map(|entry| entry.key).collect();
    // Two masses of 1 kg on 1e6 N/m at 4 ms: h ω = 4 √2, of which backward Euler leaves 1/(1 + 32) a step, to the power
    // of 2π/(h ω) steps in a period.
    let note = "spring-ratio: note: springs[1] (and 3 others): h ω = 5.657 > 0.5: implicit, which damps it: an undamped swing would \
                keep 0.02058 of its energy in a period; steps up to 3.536e-4 s resolve it\n\
                diving-board: note: joints[0], a soft weld: h ω = 0.6325 > 0.5: implicit, which damps it: an undamped swing would \
                keep 0.3925 of its energy in a period; steps up to 7.906e-4 s resolve it\n";
    driftlab().arg("check").args(all).assert().code(0).stderr(note);
}

/// A spring of 1 Hz is resolved by steps of 1/60 s (h ω = 0.105) and one of 10 Hz is not: h ω = 2π/6, of whose energy backward
/// Euler leaves 1/(1 + (h ω)²) in each of the six steps of a period. A light body that is welded to a heavy one swings with the
/// mass of both.
#[test]
fn check_names_springs_that_the_step_does_not_resolve() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("springs.json");
    let checked = |masses: &str, joints: &str, stiffness: f64| {
        let text = format!(
            r#"{{"format": "driftlab-scene/1", "name": "springs", "gravity": [0, 0],
            "settings": {{"time_step": 0.016666666666666666, "stabilizer": {{"kind": "none"}}}},
            "bodies": [{{"name": "wall", "type": "fixed", "position": [0, 0]}}, {masses}], "joints": [{joints}],
            "springs": [{{"bodies": ["wall", "m"], "anchors": [[0, 0], [1, 0]], "stiffness": {stiffness}}}]}}"#
        );
        fs::write(&file, text).unwrap();
        let output = driftlab().arg("check").arg(&file).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stderr).unwrap()
    };
    let mass = r#"{"name": "m", "position": [1, 0], "mass": 1, "inertia": 1}"#;
    let hertz = |f: f64| (f * std::f64::consts::TAU).powi(2);
    assert_eq!(checked(mass, "", hertz(1.0)), "");
    let note = checked(mass, "", hertz(10.0));
    assert!(note.contains("springs[0]: h ω = 1.047 > 0.5: implicit"), "{note}");
    assert!(note.contains("keep 0.01177 of its energy in a period; steps up to 7.958e-3 s"), "{note}");
    let welded = r#"{"name": "m", "position": [1, 0], "mass": 0.001, "inertia": 0.001},
        {"name": "n", "position": [1, 0], "mass": 1, "inertia": 1}"#;
    let weld = r#"{"joint": "weld", "bodies": ["m", "n"], "anchor": [1, 0]}"#;
    assert_eq!(checked(welded, weld, hertz(1.0)), "");
    // The same of a wheel's suspension and of a soft rod.
    let sprung = |kind: &str, frequency: f64| {
        let keys = match kind {
            "wheel" => format!(r#""anchor": [1, 0], "axis": [1, 0], "frequency": {frequency}"#),
            _ => format!(
                r#""anchors": [[0, 0], [1, 0]], "softness": {{"frequency": {frequency}, "damping_ratio": 0}}"#
            ),
        };
        let joint = format!(r#"{{"joint": "{kind}", "bodies": ["wall", "m"], {keys}}}"#);
        checked(mass, &joint, hertz(1.0))
    };
    for (kind, name) in [("wheel", "a wheel"), ("distance", "a soft distance")] {
        assert_eq!(sprung(kind, 1.0), "");
        let note = sprung(kind, 10.0);
        assert!(note.contains(&format!("joints[0], {name}: h ω = 1.047 > 0.5: implicit")), "{note}");
    }
}

#[test]
fn compare_draws_what_it_says() {
    // Protects `compare`: one line per scheme in table, CSV and figure, the published level in the figure.
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let compare = |plot: &str| {
        driftlab()
            .args(["compare", "six-link-chain-paper", "--steps", "100", "--stabilizers", "none"])
            .args(["baumgarte_velocity,alpha=200", "--plot"])
            .arg(file(plot))
            .arg("--csv")
            .arg(file("out.csv"))
            .assert()
            .code(0)
    };
    let table = String::from_utf8(compare("a.svg").get_output().stdout.clone()).unwrap();
    compare("b.svg");
    compare("c.png");
    assert!(table.contains("none") && table.contains("baumgarte_velocity,alpha=200"), "{table}");
    let svg = fs::read_to_string(file("a.svg")).unwrap();
    assert_eq!(svg, fs::read_to_string(file("b.svg")).unwrap());
    for text in ["time t / s", "joint error", "alpha=200", "around 20 mm"] {
        assert!(svg.contains(text), "{text} is not in the figure");
    }
    assert_eq!(&fs::read(file("c.png")).unwrap()[..8], b"\x89PNG\r\n\x1a\n");
    let rows = columns(&file("out.csv"));
    assert_eq!(rows[0][..3], ["stabilizer", "step", "time"]);
    assert_eq!(rows.len(), 1 + 2 * 101);
}

#[test]
fn errors_have_their_units() {
    // Protects the units of errors: m² and m²/s for the squared distance d·d − L² [Anitescu & Hart's Θ], m and m/s for
    // hinges, and 'm or rad' only where both occur.
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("a.svg");
    // At the pendulum's h = 0.1 s both Baumgarte schemes are unstable at their defaults: a comparison of all ends with 4.
    for (key, unit, compared) in [("anitescu-hart-pendulum", "m²", 4), ("six-link-chain", "m", 0)] {
        let output = |arguments: &[&str], code: i32| {
            let assert = driftlab().args(arguments).args([key, "--steps", "50"]).assert().code(code);
            String::from_utf8(assert.get_output().stdout.clone()).unwrap()
        };
        let text = output(&["run"], 0);
        let line = |label: &str| text.lines().find(|line| line.starts_with(label)).unwrap().to_owned();
        assert!(line("largest joint error").contains(&format!(" {unit} at ")), "{text}");
        assert!(line("largest velocity error").contains(&format!(" {unit}/s at ")), "{text}");
        let table = output(&["compare", "--plot", svg.to_str().unwrap()], compared);
        assert!(table.contains(&format!("({unit})")) && table.contains(&format!("({unit}/s)")), "{table}");
        assert!(fs::read_to_string(&svg).unwrap().contains(&format!("max |g| / {unit}\n")), "the figure");
    }
    let welds = driftlab().args(["compare", "two-wall-weld", "--steps", "1"]).assert().code(0);
    assert!(String::from_utf8_lossy(&welds.get_output().stdout).contains("(m or rad)"));
}

#[test]
fn list_prints_the_tables() {
    // Protects `list`: every scheme with every parameter, its unit, range and default; the attempts of the solver `auto`.
    let output = |what: &str| {
        let assert = driftlab().args(["list", what]).assert().code(0).stderr("");
        String::from_utf8(assert.get_output().stdout.clone()).unwrap()
    };
    let text = output("stabilizers");
    for scheme in driftlab::schemes::TABLE {
        assert!(text.contains(scheme.info().equation), "{}", scheme.info().key);
        for parameter in scheme.info().parameters {
            assert!(text.contains(parameter.symbol) && text.contains(parameter.unit));
        }
    }
    let solvers = output("solvers");
    assert!(solvers.contains("ldlt"));
    let row = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
    let lines: Vec<_> = solvers.lines().map(row).collect();
    for listed in driftlab::lcp::Effort::ALL {
        for (number, attempt) in (1..).zip(driftlab::lcp::policy(listed)) {
            let driftlab::lcp::PolicyRow { when, from, solver, effort, reason } = attempt;
            let expected = format!("{number} {when} {from} {solver} {effort} {reason}");
            assert!(lines.contains(&expected), "{expected}");
        }
    }
    assert!(output("scenes").contains("six-link-chain-paper"));
    for what in ["scenes", "stabilizers", "solvers"] {
        let assert = driftlab().args(["list", what, "--json"]).assert().code(0);
        let list: serde_json::Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
        assert!(list.as_array().is_some_and(|list| list.len() > 1));
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
        ("avbd", "authors' code"),
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

#[test]
#[cfg(unix)]
fn a_reader_that_leaves_does_not_change_the_exit_status() {
    // Protects `driftlab list scenes | head -1`, where a closed pipe ends the program quietly, and
    // `driftlab run … | true` in a script, which still tells whether the run failed (3) or blew up (4).
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let problem = folder.path().join("none.jsonl");
    // w = −z − 1 ≥ 0 has no solution z ≥ 0.
    std::fs::write(&problem, "{\"id\": 1, \"M\": [[-1]], \"q\": [-1]}\n").unwrap();
    let problem = problem.to_str().unwrap();
    let blown_up = ["six-link-chain", "--stabilizer", "baumgarte_velocity,alpha=5000", "--steps", "60"];
    let compared = ["six-link-chain", "--stabilizers", "baumgarte_velocity,alpha=5000", "--steps", "60"];
    let unsolved = &blown_up[..3];
    let with = |command: &[&'static str], options: &[&'static str]| [command, options].concat();
    for (arguments, status) in [
        (with(&["list", "scenes", "--json"], &[]), 0),
        (with(&["run", "six-link-chain", "--steps", "3", "--csv", "-"], &[]), 0),
        (with(&["run"], &blown_up), 4),
        (with(&["run", "--json"], &blown_up), 4),
        (with(&["run"], unsolved), 3),
        (with(&["run", "--json"], unsolved), 3),
        (with(&["compare"], &compared), 4),
        (vec!["lcp", problem], 3),
    ] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("driftlab"))
            .args(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {error}");
        assert!(!error.contains("pipe") && !error.contains("panicked"), "{arguments:?}: {error}");
    }
}
