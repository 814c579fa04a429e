//! Defaults that follow the time step, and parameters that are unstable by themselves.

use crate::driftlab;
use driftlab::experiment::stability::Model;
use driftlab::experiment::{Run, Summary};
use driftlab::method::{Integrator, Level, Method};
use driftlab::scene::{Scene, stabilizer_from};
use driftlab::schemes::TABLE;
use serde_json::Value;
use std::fs;

/// A bar of 1 m that swings from the horizontal, at 60 steps a second.
const PENDULUM: &str = include_str!("../worlds/pendulum-60hz.json");

/// The closed form of every scheme, ρ of a 2 × 2 matrix by itself, is stable with the defaults at every time step under
/// every integrator, and no step takes more than the whole error back. Up to 10 ms the defaults are those of the table.
#[test]
fn defaults_are_stable_at_every_time_step() {
    for h in (0..=60).map(|i| 1e-5 * 10f64.powf(f64::from(i) / 10.0)) {
        for scheme in TABLE {
            let method = Method::new((*scheme).into()).at_step(h);
            for (parameter, value) in method.stabilizer.values.iter().filter(|_| h <= 0.01) {
                assert_eq!(value, parameter.default, "{} at h = {h}", scheme.info().key);
            }
            let integrators: &[_] = if method.level == Level::Acceleration {
                &Integrator::ALL
            } else {
                &[Integrator::default()]
            };
            for integrator in integrators {
                let method = method.clone().at_level(method.level, *integrator).unwrap();
                assert_eq!(method.instability(h), None, "{method:?} at h = {h}");
                let unstabilised = matches!(scheme.info().key, "none" | "post_stabilization");
                let Some(model) = Model::of(&method, h).filter(|_| !unstabilised) else { continue };
                let block = model.block(h);
                assert!(block.spectral_radius() < 1.0 + 1e-12, "{method:?} at h = {h}: {block:?}");
                let (trace, determinant) = block.invariants();
                let rounding = -1e-9 * (1.0 + trace.abs());
                // The ripple of `generalized_alpha`, −ρ∞, is no overshoot: poses do not see it.
                let ripples = scheme.info().key == "generalized_alpha";
                if *integrator == Integrator::SemiImplicitEuler && !ripples {
                    assert!(
                        trace >= rounding && determinant >= rounding,
                        "{method:?} at h = {h} overshoots"
                    );
                }
            }
        }
    }
}

/// The pendulum at 60 steps a second, under the default of Baumgarte's forces, keeps its joint to a centimetre and its
/// energy to what semi-implicit Euler adds; α = β = 50, stable up to (2√2 − 2)/50 = 16.57 ms, tears it.
#[test]
fn a_pendulum_at_60_steps_a_second_keeps_its_joint() {
    let end = |text: &str| {
        let mut scene = Scene::parse(PENDULUM).unwrap();
        scene.settings.method = Method::new(stabilizer_from(text, scene.settings.time_step).unwrap());
        let mut run = Run::new(&scene, 480);
        let mut summary = Summary::new(&scene, run.initial());
        run.by_ref().for_each(|report| summary.add(&report.unwrap()));
        (summary.joint_error.largest, summary.energy.largest_drift)
    };
    let (error, drift) = end("baumgarte_acceleration");
    // The bar falls by 0.5 m: m g l = 4.9 J.
    assert!(error < 0.01 && drift < 0.1 * 4.905, "{error} m, {drift} J");
    let (error, drift) = end("baumgarte_acceleration,alpha=50,beta=50");
    assert!(error > 0.1 && drift > 50.0, "{error} m, {drift} J");
}

/// A value that somebody has set stays when the time step changes; the others follow it, wherever it changes.
#[test]
fn what_is_set_stays_and_the_rest_follows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pendulum.json");
    fs::write(&path, PENDULUM).unwrap();
    let spelled = |arguments: &[&str]| {
        let assert =
            driftlab().args(["run", "--steps", "1", "--json"]).args(arguments).arg(&path).assert().code(0);
        let told: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
        told["stabilizer"].as_str().unwrap().to_owned()
    };
    let acceleration = |alpha: f64, beta: f64| {
        format!("baumgarte_acceleration,alpha={alpha},beta={beta},integral=present")
    };
    let h: f64 = 1.0 / 60.0;
    for (arguments, expected) in [
        (&["--stabilizer", "baumgarte_acceleration"][..], acceleration(0.5 / h, 50.0)),
        (&["--stabilizer", "baumgarte_acceleration", "--dt", "0.04"], acceleration(12.5, 25.0)),
        (&["--stabilizer", "baumgarte_acceleration", "--dt", "0.01"], acceleration(50.0, 50.0)),
        (&["--stabilizer", "baumgarte_acceleration,alpha=3", "--dt", "0.04"], acceleration(3.0, 25.0)),
        (&["--stabilizer", "baumgarte_velocity", "--dt", "0.05"], "baumgarte_velocity,alpha=20".to_owned()),
    ] {
        assert_eq!(spelled(arguments), expected, "{arguments:?}");
    }
}

/// Whoever sets unstable parameters reads it in the first line, with the largest stable time step, αh = 2 of Cline &
/// Pai's term and (βh)² + 4αh = 4 of Baumgarte's forces, and with the largest values: under every command that makes
/// runs, and from `check`.
#[test]
fn unstable_parameters_are_told_before_the_first_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pendulum.json");
    let set = |stabilizer: &str| {
        fs::write(&path, PENDULUM.replace("\"kind\": \"anitescu_hart\"", stabilizer)).unwrap();
    };
    let first_line = |arguments: &[&str]| {
        let assert = driftlab().arg(arguments[0]).arg(&path).args(&arguments[1..]).assert();
        String::from_utf8(assert.get_output().stderr.clone())
            .unwrap()
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let unstable = "\"kind\": \"baumgarte_acceleration\", \"alpha\": 50, \"beta\": 50";
    set(unstable);
    // (2√2 − 2)/50 = 0.016568…, and 50 times that over h: 49.70…
    for arguments in [
        &["check"][..],
        &["run", "--steps", "1"],
        &["compare", "--steps", "1", "--stabilizers", "baumgarte_acceleration,alpha=50,beta=50"],
        &["sweep", "--steps", "1", "--over", "beta=50"],
        &["converge", "--time", "0.04", "--schemes", "baumgarte_acceleration,alpha=50,beta=50"],
    ] {
        let line = first_line(arguments);
        assert!(line.contains("unstable with α = 50 s⁻¹, β = 50 s⁻¹"), "{arguments:?}: {line}");
        assert!(line.contains("stable up to h = 0.01656 s, or up to α = 49.7 s⁻¹, β = 49.7 s⁻¹"), "{line}");
    }
    let line = first_line(&["run", "--steps", "1", "--stabilizer", "baumgarte_velocity,alpha=240"]);
    assert!(line.contains("stable up to h = 0.008333 s, or up to α = 120 s⁻¹"), "{line}");
    let line = first_line(&[
        "sweep",
        "--steps",
        "1",
        "--stabilizer",
        "baumgarte_velocity",
        "--over",
        "alpha=60,240,300",
    ]);
    assert!(line.contains("2 of 3 points are unstable"), "{line}");
    let line = first_line(&[
        "run",
        "--steps",
        "1",
        "--integrator",
        "explicit_euler",
        "--stabilizer",
        "baumgarte_acceleration,alpha=0,beta=5",
    ]);
    assert!(line.contains("at every time step under this integrator"), "{line}");
    set("\"kind\": \"baumgarte_acceleration\"");
    assert_eq!(first_line(&["run", "--steps", "1"]), "");
}
