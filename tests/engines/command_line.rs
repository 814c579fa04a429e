//! Other engines wherever a scheme is named: what is printed and written.

use crate::driftlab;
use driftlab::experiment::Run;
use driftlab::model::{Body, Shape, World};
use driftlab::peers;
use driftlab::scene::catalogue;
use serde_json::Value;
use std::fs;
use std::path::Path;

fn columns(csv: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(csv).unwrap();
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

fn parsed(arguments: &[&str], code: i32) -> Value {
    let assert = driftlab().args(arguments).assert().code(code);
    serde_json::from_slice(&assert.get_output().stdout).unwrap()
}

fn lines(file: &Path) -> Vec<Value> {
    fs::read_to_string(file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A run by an engine says whose it is, and two runs write the same bytes. What falls freely falls as its integrator has it:
/// after n steps of semi-implicit Euler in any number of substeps v = g n h.
#[test]
fn a_run_says_its_engine_and_repeats_itself() {
    let folder = tempfile::tempdir().unwrap();
    for (key, name) in peers::NAMES {
        let traces = ["a.csv", "b.csv"].map(|file| folder.path().join(file));
        for trace in &traces {
            let trace = trace.to_str().unwrap();
            let all = parsed(
                &["run", "pyramid-10", "--scheme", key, "--steps", "60", "--json", "--trace", trace],
                0,
            );
            assert_eq!(all["engine"]["name"], key);
            assert!(all["engine"]["version"].is_string() && all["engine"]["settings"].is_object());
            assert_eq!((all["steps"].as_u64(), all["solver"].as_str()), (Some(60), Some(key)));
        }
        let [a, b] = traces.map(|trace| fs::read(trace).unwrap());
        assert!(!a.is_empty() && a == b, "{name}");
        let ball = folder.path().join("ball.csv");
        let arguments = ["run", "bouncing-ball", "--stabilizer", key, "--steps", "20", "--trace"];
        driftlab().args(arguments).arg(&ball).assert().code(0);
        let rows = columns(&ball);
        let place = |name: &str| rows[0].iter().position(|own| own == name).unwrap();
        let number = |row: &[String], name: &str| row[place(name)].parse::<f64>().unwrap();
        let moving = rows.last().unwrap();
        let expected = -9.81 * number(moving, "time");
        let found = number(moving, "vy");
        assert!((found / expected - 1.0).abs() < 1e-5, "{name}: {found} for {expected}");
    }
}

/// A run's recording is the engine's own: the header names it and its lines state impulses. Of a single substep these are all
/// that acted: momentum closes to the engine's rounding, and the judge, who finds works from the recording alone, finds those
/// of the run.
#[test]
fn a_recorded_run_is_judged() {
    let folder = tempfile::tempdir().unwrap();
    let single = ["box2d,substeps=1", "rapier,num_solver_iterations=1"];
    for ((key, _), text) in peers::NAMES.iter().zip(single) {
        let file = folder.path().join(format!("{key}.jsonl"));
        let record = file.to_str().unwrap();
        let run = ["run", "pyramid-10", "--steps", "20", "--json", "--record", record, "--scheme", text];
        let told = parsed(&run, 0);
        let lines = lines(&file);
        assert_eq!(lines.len(), 21);
        assert_eq!(lines[0]["engine"]["name"], *key);
        assert!(lines[0]["scene"]["settings"]["stabilizer"].is_null());
        assert!(lines[1]["acted"].is_array() && !lines[1]["contacts"].as_array().unwrap().is_empty());
        let judged = parsed(&["judge", record, "--json"], 0);
        let share = judged[0]["momentum"]["share"]["largest"].as_f64().unwrap();
        assert!(share < 1e-5, "{text}: {share} of the momentum is not told");
        for part in ["gravity", "friction", "impacts", "method"] {
            let [own, other] = [&told["work"][part], &judged[0]["energy"]["work"][part]];
            let [own, other] = [own, other].map(|work| work.as_f64().unwrap());
            assert!((own - other).abs() <= 1e-9 * other.abs().max(1.0), "{text}: {part} {own} and {other}");
        }
    }
}

/// An engine stands beside our schemes in a table; one that cannot have the scene is left out with its reasons, and a run by
/// it is refused with them.
#[test]
fn an_engine_is_compared_or_left_out_with_its_reasons() {
    let command = ["compare", "six-link-chain", "--steps", "50", "--json", "--schemes"];
    let rows = parsed(&[&command[..], &["soft", "box2d,substeps=8", "rapier"]].concat(), 0);
    let rows = rows.as_array().unwrap();
    let named = |row: &Value| row["engine"]["name"].as_str().map(str::to_owned);
    assert_eq!(
        rows.iter().map(named).collect::<Vec<_>>(),
        [None, Some("box2d".into()), Some("rapier".into())]
    );
    assert_eq!(rows[1]["engine"]["settings"]["substeps"], 8);
    assert!(rows.iter().all(|row| row["joint_error"]["largest"].as_f64().unwrap() < 0.1));
    let assert = driftlab()
        .args(["compare", "gear-train", "--steps", "5", "--stabilizers", "soft", "box2d"])
        .assert()
        .code(0);
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    assert!(
        text.contains("left out  box2d: Box2D cannot have this scene:") && text.contains("gear"),
        "{text}"
    );
    for (key, name) in peers::NAMES {
        let assert = driftlab().args(["run", "gear-train", "--scheme", key]).assert().code(2).stdout("");
        let error = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(
            error.contains(&format!("{name} cannot have this scene:")) && error.contains("gear"),
            "{error}"
        );
    }
}

/// The parameters of an engine are swept by its own names, and its errors are measured over the time step.
#[test]
fn engines_are_swept_and_converge() {
    let sweep = ["sweep", "six-link-chain", "--steps", "50", "--stabilizer", "box2d"];
    let assert = driftlab().args(sweep).args(["--over", "substeps=1,4,16"]).assert().code(0);
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let errors: Vec<f64> =
        text.lines().skip(2).map(|line| line.split(',').nth(2).unwrap().parse().unwrap()).collect();
    assert!(errors.len() == 3 && errors[0] > errors[1] && errors[1] > errors[2], "{errors:?}");
    let converge =
        ["converge", "six-link-chain", "--schemes", "rapier", "--time", "0.2", "--h", "0.002,0.001"];
    let all = parsed(&[&converge[..], &["--refine", "8", "--json"]].concat(), 0);
    let line = &all["schemes"][0];
    assert_eq!(line["scheme"], "rapier");
    let error = |place: usize| line["time_steps"][place]["errors"]["position"]["error"].as_f64().unwrap();
    assert!(error(1) < error(0), "{} and {}", error(0), error(1));
}

/// The cards of the engines foretell what the engines do: a ball on the ground, of which a row alone tells, sags by g/ω² with
/// ω = 2π · 60 Hz under both.
#[test]
fn a_card_foretells_the_sag_of_a_ball() {
    let (h, g) = (1.0 / 60.0, 9.81);
    let expected = g / (std::f64::consts::TAU * 60.0).powi(2);
    for (key, _) in peers::NAMES {
        let mut scene = catalogue::find("bouncing-ball").unwrap().scene().unwrap();
        scene.world = World::new([0.0, -g]);
        scene.world.add_body(Body::fixed().shape(Shape::half_plane([0.0, 1.0], 0.0))).unwrap();
        scene.world.add_body(Body::dynamic().at([0.0, 0.5]).shape(Shape::circle(0.5))).unwrap();
        scene.settings.set_time_step(h);
        scene.settings.method.stabilizer = peers::stabilizer(key).unwrap();
        let mut run = Run::new(&scene, 0);
        for _ in 0..600 {
            run.advance().unwrap();
        }
        let overlap = run.report().contact_error;
        assert!((overlap / expected - 1.0).abs() < 0.01, "{key}: {overlap} m instead of {expected} m");
        let said = scene.settings.method.stabilizer.remark(h).unwrap();
        assert!(said.contains(&format!("{expected:.3e} m in one with what is fixed")), "{said}");
    }
}
