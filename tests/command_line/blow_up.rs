//! Exit status 0 means that the numbers mean something: a run that blows up is told early.

use crate::driftlab;
use std::fs;

fn world(name: &str) -> String {
    format!("{}/tests/worlds/{name}.json", env!("CARGO_MANIFEST_DIR"))
}

/// 200 steps after which every number is still finite, and the energy 1e159 J: status 4, and the step at which the run
/// had blown up in summary, stderr and CSV.
#[test]
fn a_run_that_blows_up_ends_with_4() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("out.csv");
    let assert = driftlab()
        .args(["run", &world("exit0-nan-2107"), "--steps", "200", "--csv"])
        .arg(&csv)
        .assert()
        .code(4);
    let output = assert.get_output();
    let summary = String::from_utf8_lossy(&output.stdout);
    let line = summary.lines().find(|line| line.starts_with("warning") && line.contains("blown up"));
    let line = line.unwrap_or_else(|| panic!("{summary}"));
    // The arm starts with another velocity than what carries it, which is told first, as its unstable parameters are.
    let error = String::from_utf8_lossy(&output.stderr);
    let lines = error.lines().filter(|line| !line.contains("the start velocities"));
    assert_eq!(lines.count(), 2, "unstable parameters, told before, and the blow-up: {error}");
    let step: usize = line.split("at step ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    let table = fs::read_to_string(csv).unwrap();
    let at = table.lines().position(|line| line.starts_with("# blown up")).expect("a comment");
    // The header, the row of the start, and the steps until then stand above it.
    assert_eq!(at, step + 2, "{line}");
    let cell = |row: &str, at: usize| row.split(',').nth(at).unwrap().parse::<f64>().unwrap();
    let energy = |row: &str| cell(row, 7) + cell(row, 8);
    let rows: Vec<_> = table.lines().collect();
    // A 0.3 kg polygon on an arm of 0.2 m, carried along at 0.7 m/s: the scale is some joules. What the method puts in
    // counts from there on, long before it has come to 1e6 of that.
    assert!(line.contains("the method has put in"), "{line}");
    assert!(
        energy(rows[at - 1]) > 10.0 && energy(rows[at - 2]) < 10.0,
        "{} and {}",
        rows[at - 2],
        rows[at - 1]
    );
    assert_eq!(table.lines().count(), 203);
}

/// The same run beside others, and as a point of a sweep: status 4 with a line of its own, the word in the table; the
/// row's last cell, and how many there are.
#[test]
fn comparisons_and_sweeps_tell_which_runs_blew_up() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("sweep.csv");
    let scene = world("exit0-nan-2107");
    let assert = driftlab()
        .args(["compare", &scene, "--steps", "200", "--stabilizers", "baumgarte_velocity,alpha=50", "none"])
        .assert()
        .code(4);
    let output = assert.get_output();
    let (table, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(table.contains("blown up at") && table.contains("done"), "{table}");
    // αh = 4.04 is told before the first step.
    let lines: Vec<_> = error.lines().collect();
    assert!(lines.len() == 2 && lines[0].contains("is unstable"), "{error}");
    assert!(lines[1].starts_with("baumgarte_velocity"), "{error}");
    let assert = driftlab()
        .args(["sweep", &scene, "--steps", "200", "--over", "alpha=1:50:lin:2", "--csv"])
        .arg(&csv)
        .assert()
        .code(0);
    let told = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    let rows = fs::read_to_string(csv).unwrap();
    let blown_up = rows.lines().filter(|row| row.contains("blown up at step")).count();
    assert!(blown_up > 0 && told.contains(&format!(" 0 failed, {blown_up} blown up")), "{told}{rows}");
}

/// A run whose numbers overflow fails as before, with status 3, and its figures are finite until then.
#[test]
fn an_overflow_ends_with_3_and_finite_figures() {
    let assert = driftlab().args(["run", &world("exit0-nan-2107"), "--steps", "2000"]).assert().code(3);
    let summary = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(summary.contains("blown up"), "{summary}");
    assert!(!summary.contains("NaN") && !summary.contains("inf"), "{summary}");
}

/// No force moves a fixed body: an overflow is not its fault.
#[test]
fn an_overflow_is_not_blamed_on_the_floor() {
    let run = ["run", &world("fixed-floor-not-finite-1602"), "--stabilizer", "xpbd"];
    let assert = driftlab().args(run).assert().code(3);
    let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(!error.contains("floor"), "{error}");
}

/// A solver that only sweeps says when it has not converged; one that cannot solve a problem at all says who was asked,
/// and what to try.
#[test]
fn solvers_say_what_they_have_not_solved() {
    let assert = driftlab()
        .args(["run", "pyramid-10", "--steps", "5", "--solver", "pgs,iterations=3"])
        .assert()
        .code(0);
    let summary = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(summary.contains("5 steps: pgs has not converged"), "{summary}");
    let assert =
        driftlab().args(["run", "pyramid-10", "--steps", "5", "--solver", "ldlt"]).assert().code(3);
    let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(
        error.contains("ldlt does not apply") && error.ends_with(". Try the solver 'auto'.\n"),
        "{error}"
    );
}

/// The same beside other runs and in a sweep, whose rows are no failures. Where a tolerance was set, it is named, and
/// JSON does not say that what is counted as unsolved was solved.
#[test]
fn comparisons_and_sweeps_tell_what_is_not_solved() {
    let told = |arguments: &[&str]| {
        let assert = driftlab().args(arguments).assert().code(0);
        String::from_utf8(assert.get_output().stdout.clone()).unwrap()
    };
    let compare = ["compare", "pyramid-10", "--steps", "5", "--stabilizers", "anitescu_hart", "--solver"];
    let table = told(&[&compare[..], &["pgs,iterations=3"]].concat());
    assert!(table.contains("5 steps not solved") && !table.contains("done"), "{table}");
    assert!(table.contains("5 steps: pgs has not converged"), "{table}");
    assert!(told(&[&compare[..], &["auto"]].concat()).contains("done"));
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("sweep.csv");
    let sweep = ["sweep", "pyramid-10", "--steps", "5", "--over", "friction=0.5,0.6", "--solver"];
    let count = told(&[&sweep[..], &["pgs,iterations=3", "--csv", csv.to_str().unwrap()]].concat());
    assert_eq!(count, "2 runs, 0 failed, 2 not solved\n");
    let rows = fs::read_to_string(&csv).unwrap();
    let cells = rows.lines().filter(|row| row.contains("not solved: 5 steps: pgs has not converged"));
    assert_eq!(cells.count(), 2, "{rows}");
    let run = |solver: &str, more: &[&str]| {
        told(&[&["run", "pyramid-10", "--steps", "5", "--solver", solver], more].concat())
    };
    let summary = run("pgs,tolerance=1", &[]);
    assert!(summary.contains("(its tolerance is set to 1, 1e-9 counts as solved)"), "{summary}");
    for (solver, ending) in
        [("pgs,tolerance=1", "within_tolerance"), ("pgs,iterations=3", "out_of_iterations")]
    {
        let json: serde_json::Value = serde_json::from_str(&run(solver, &["--json"])).unwrap();
        assert_eq!(json["unsolved_steps"], 5);
        let tally = json["attempts"]["tally"].as_array().unwrap();
        assert!(tally.iter().all(|count| count["ending"] == ending), "{tally:?}");
        assert_eq!(json["attempts"]["longest"]["attempts"][0]["ending"], ending);
    }
}

/// Accelerations that overflow within a step: the message names the constraints whose numbers are no longer finite,
/// with their bodies. The error of a rod |d|² − L² under α h = 2, twice what is stable, grows to some four times its
/// size in each step; 2|v|² + 4α x v of its row overflow before ½ m |v|² does.
#[test]
fn a_problem_that_is_not_finite_names_its_rows() {
    let assert = driftlab().args(["run", &world("overflow-of-a-rod"), "--steps", "600"]).assert().code(3);
    let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(error.contains(": the problem of 1 joint between 'floor', 'b0' is not"), "{error}");
    assert!(error.contains(" is not solved: one of its numbers is not finite"), "{error}");
}

/// Advice that can be followed: Baumgarte's accelerations have no velocity level to which one could change, and no time
/// step makes a contact an equation.
#[test]
fn advice_can_be_followed_by_the_scheme_and_the_scene() {
    let run = |arguments: &[&str]| {
        let assert = driftlab().arg("run").args(arguments).assert().code(3);
        String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
    };
    let forces = world("forces-without-a-solution");
    let error = run(&[&forces, "--stabilizer", "baumgarte_acceleration,alpha=50,beta=50"]);
    assert!(error.contains("Painlevé's paradox"), "{error}");
    assert!(error.contains(". Tried over") || error.contains(". Nothing that was tried"), "{error}");
    assert!(!error.contains("the velocity level, or"), "{error}");
    driftlab()
        .args(["run", &forces, "--stabilizer", "anitescu_hart", "--level", "velocity"])
        .assert()
        .code(0);
    let error = run(&["pyramid-10", "--steps", "5", "--solver", "ldlt"]);
    assert!(error.ends_with(". Try the solver 'auto'.\n"), "{error}");
}

/// Soft constraints of 5,990 Hz on three disks are beyond what `soft` promises: a run that gains more than its scene's
/// energy says so.
#[test]
fn energy_from_nothing_is_no_success() {
    let assert = driftlab().args(["run", &world("energy-soft-5983"), "--steps", "4000"]).assert().code(4);
    let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(error.contains("blown up at step") && error.contains("the method has put in"), "{error}");
}

/// A solver for equations alone is refused before the first step of a world with a motor, whose bounded row is in every
/// step; schemes that sweep use no such solver, and go on.
#[test]
fn a_solver_for_equations_is_refused_beside_a_motor() {
    let run = |scheme: &str| {
        driftlab().args(["run", "car", "--steps", "1", "--solver", "ldlt", "--stabilizer", scheme]).assert()
    };
    let assert = run("anitescu_hart").code(2);
    let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(error.starts_with("--solver: 'ldlt'") && error.contains("has a motor"), "{error}");
    assert!(error.contains("with 'anitescu_hart' choose 'auto', 'lemke'"), "{error}");
    let assert = run("xpbd").code(0);
    let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(error.starts_with("warning: 'xpbd' brings its own solver and does not use 'ldlt'"), "{error}");
}

/// Three disks of mass 1 in a row, e = 1 by Newton's law: the first meets the second with 1 m/s while the third parts
/// from it with 0.5 m/s, which is held to 0. The impulses 7/6 and 1/3 N s leave 51/72 J of 5/8 J: the gain is ½ · 1/3 ·
/// 1/2 = 1/12 J, and the summary tells it. By Poisson's law there is none: decompression returns the compression's 3/4
/// and 0 N s, or less.
#[test]
fn energy_from_nothing_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("row.json");
    let disk = |x: u32, v: f64| {
        let shapes = r#"[{"shape": "circle", "radius": 0.5}]"#;
        format!(
            r#"{{"name": "d{x}", "position": [{x}, 0], "velocity": [{v}, 0], "mass": 1, "friction": 0, "restitution": 1, "shapes": {shapes}}}"#
        )
    };
    let disks = [disk(0, 1.0), disk(1, 0.0), disk(2, 0.5)].join(",");
    for (law, told) in [("newton", true), ("anitescu_potra", false)] {
        let settings = format!(
            r#"{{"time_step": 0.001, "stabilizer": {{"kind": "none"}}, "restitution_law": "{law}"}}"#
        );
        let text = format!(
            r#"{{"format": "driftlab-scene/1", "name": "row", "gravity": [0, 0], "settings": {settings}, "bodies": [{disks}]}}"#
        );
        fs::write(&path, text).unwrap();
        let run = |more: &[&str]| {
            let assert =
                driftlab().arg("run").arg(&path).args(["--steps", "3"]).args(more).assert().code(0);
            String::from_utf8(assert.get_output().stdout.clone()).unwrap()
        };
        let summary = run(&[]);
        assert_eq!(summary.contains("0.08333 J above its start"), told, "{summary}");
        let json: serde_json::Value = serde_json::from_str(&run(&["--json"])).unwrap();
        let gain = json["energy_gain"]["gain"].as_f64();
        assert!(
            gain.is_some() == told && gain.is_none_or(|gain| (gain - 1.0 / 12.0).abs() < 1e-12),
            "{json}"
        );
    }
}

/// The same row gains the same 1/12 J beside a wheel that a motor turns: what the motor has done is known, and silences nothing.
#[test]
fn a_motor_silences_no_gain_of_energy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("driven.json");
    let mut scene: serde_json::Value =
        serde_json::from_str(include_str!("../worlds/gaining-row.json")).unwrap();
    let bodies = scene["bodies"].as_array_mut().unwrap();
    bodies.push(serde_json::json!({"name": "post", "type": "fixed", "position": [0, 5]}));
    bodies.push(serde_json::json!({
        "name": "wheel", "position": [0, 5], "mass": 0.01, "shapes": [{"shape": "circle", "radius": 0.05}]
    }));
    scene["joints"] = serde_json::json!([{
        "joint": "hinge", "bodies": ["post", "wheel"], "anchor": [0, 5], "motor": {"speed": 1, "max_torque": 1e-3}
    }]);
    fs::write(&path, scene.to_string()).unwrap();
    let run = |more: &[&str]| {
        let assert = driftlab().arg("run").arg(&path).args(["--steps", "30"]).args(more).assert().code(0);
        String::from_utf8(assert.get_output().stdout.clone()).unwrap()
    };
    let summary = run(&[]);
    assert!(summary.contains("J above its start and what drives the scene has put in"), "{summary}");
    let json: serde_json::Value = serde_json::from_str(&run(&["--json"])).unwrap();
    let [gain, motors] =
        [&json["energy_gain"]["gain"], &json["work"]["motors"]].map(|own| own.as_f64().unwrap());
    assert!((gain - 1.0 / 12.0).abs() < 1e-9, "{json}");
    // The wheel's ½ I ω², I = ½ m r².
    assert!((motors - 0.25 * 0.01 * 0.05 * 0.05).abs() < 1e-12, "{json}");
}

/// The same three disks beside each other under Newton's law, told by `compare` as by `run`: 1/12 J in a column of
/// their own and a warning; where nothing is gained there is neither.
#[test]
fn a_comparison_tells_energy_from_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("row.json");
    let text = include_str!("../worlds/gaining-row.json");
    for (law, told) in [("newton", true), ("anitescu_potra", false)] {
        fs::write(&path, text.replace("\"newton\"", &format!("\"{law}\""))).unwrap();
        let assert = driftlab()
            .arg("compare")
            .arg(&path)
            .args(["--steps", "3", "--stabilizers", "none", "post_stabilization"])
            .assert()
            .code(0);
        let table = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
        assert_eq!(table.contains("energy from nothing"), told, "{table}");
        let row = table.lines().find(|line| line.contains(" none ")).expect("a row");
        assert_eq!(row.contains("0.08333"), told, "{table}");
        assert_eq!(
            table.contains("warning  none: at 1.000e-3 s the energy is 0.08333 J above"),
            told,
            "{table}"
        );
    }
}

/// A run that is stopped, saved and resumed is judged as if it had been made in one go: by the scale of its start, and
/// by what it has come to before. One scene blows up in its first step, so that nothing of that is left to be seen in
/// the saved state; the other in the 4th, after the save.
#[test]
fn a_blow_up_survives_a_save() {
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("saved.json");
    for (name, first, second, blown_up) in [("blown-up-at-once", 5, 5, 1), ("exit0-nan-2107", 3, 12, 4)] {
        let run = |scene: &str, steps: u32, more: &[&str]| {
            let steps = steps.to_string();
            let output = driftlab().args(["run", scene, "--steps", &steps]).args(more).output().unwrap();
            let error = String::from_utf8(output.stderr).unwrap();
            (output.status.code(), error.lines().last().unwrap_or_default().to_owned())
        };
        let (status, told) = run(&world(name), first + second, &[]);
        assert_eq!(status, Some(4), "{told}");
        assert!(told.contains(&format!(": blown up at step {blown_up} after ")), "{told}");
        run(&world(name), first, &["--save", saved.to_str().unwrap()]);
        let resumed = saved.to_str().unwrap();
        assert_eq!(run(resumed, second, &[]), (status, told.clone()), "{name}");
        // Another save in between changes nothing.
        run(resumed, 1, &["--save", saved.to_str().unwrap()]);
        assert_eq!(run(resumed, second - 1, &[]), (status, told), "{name}");
    }
}
