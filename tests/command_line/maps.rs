//! `driftlab stability`: the map as CSV and as a figure.

use super::columns;
use crate::driftlab;
use crate::physics::worlds::edit;
use std::fs;

/// The map of the unloaded form has its columns, and is stable exactly at the points inside αh ≤ 1, (βh)² + 4αh ≤ 4.
#[test]
fn the_map_is_stable_exactly_within_the_parabola() {
    let folder = tempfile::tempdir().unwrap();
    let (csv, plot) = (folder.path().join("map.csv"), folder.path().join("map.svg"));
    driftlab()
        .args(["stability", "double-pendulum", "--stabilizer", "baumgarte_acceleration", "--dt", "0.01"])
        .args(["--over", "alpha=1:1000:log:12", "--over", "beta=1:1000:log:12", "--unloaded", "--csv"])
        .arg(&csv)
        .arg("--plot")
        .arg(&plot)
        .assert()
        .code(0)
        .stderr("");
    let rows = columns(&csv);
    assert_eq!(rows[0].join(","), "alpha,beta,spectral_radius,closed_form,stable");
    assert_eq!(rows.len(), 1 + 144);
    for row in &rows[1..] {
        let [alpha, beta, radius, closed] = [0, 1, 2, 3].map(|i| row[i].parse::<f64>().unwrap());
        let formula = alpha * 0.01 <= 1.0 && (beta * 0.01).powi(2) + 4.0 * alpha * 0.01 <= 4.0;
        assert_eq!(row[4], formula.to_string(), "{row:?}");
        assert!((radius - closed).abs() < 1e-6 * (1.0 + closed), "{row:?}");
    }
    assert!(fs::read_to_string(plot).unwrap().contains("(βh)² + 4αh = 4"));
}

/// Without `--csv` the rows go to standard output; a map over one parameter can be computed at a later time of the scene and
/// drawn as PNG.
#[test]
fn a_map_of_one_parameter_starts_later_in_the_motion() {
    let folder = tempfile::tempdir().unwrap();
    let plot = folder.path().join("line.png");
    let assert = driftlab()
        .args(["stability", "six-link-chain", "--stabilizer", "baumgarte_velocity", "--dt", "0.01"])
        .args(["--over", "alpha=50,100,150,250", "--at", "0.1", "--plot"])
        .arg(&plot)
        .assert()
        .code(0);
    let text = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    let stable: Vec<_> = text.lines().skip(1).map(|row| row.rsplit(',').next().unwrap()).collect();
    assert_eq!(stable, ["true", "true", "true", "false"]);
    assert!(fs::read(plot).unwrap().starts_with(b"\x89PNG"));
}

/// The map of the loaded form has its columns, and finds explicit Euler unstable for a hanging pendulum by the pendulum's own
/// oscillation, √(1 + h²ω²) with ω² = 14.69/s². The unloaded form, which lacks that, calls it stable. With semi-implicit
/// Euler the loaded form is stable.
#[test]
fn a_loaded_map_finds_the_pendulums_own_instability() {
    let folder = tempfile::tempdir().unwrap();
    let mut scene = driftlab::scene::catalogue::find("single-pendulum").unwrap().scene().unwrap();
    edit(&mut scene.world, 1, |bar| {
        (bar.pose.position, bar.pose.angle) = (glam::DVec2::new(0.0, -0.5), -std::f64::consts::FRAC_PI_2);
    });
    let file = folder.path().join("hanging.json");
    fs::write(&file, scene.to_json()).unwrap();
    let rows = |integrator: &str, more: &[&str]| -> Vec<Vec<String>> {
        let assert = driftlab()
            .arg("stability")
            .arg(&file)
            .args(["--stabilizer", "baumgarte_acceleration,alpha=8,beta=5", "--integrator", integrator])
            .args(["--over", "dt=0.01,0.04"])
            .args(more)
            .assert()
            .code(0);
        let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
        text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
    };
    let loaded = rows("explicit_euler", &[]);
    assert_eq!(loaded[0].join(","), "dt,spectral_radius,constraint_radius,closed_form,stable");
    for (row, h) in loaded[1..].iter().zip([0.01_f64, 0.04]) {
        let [radius, constraint, closed] = [1, 2, 3].map(|i| row[i].parse::<f64>().unwrap());
        // 3 g/2 L of a thin rod, less for a width of 0.08 m: 0.5 g/(1.0064/12 + 0.25).
        let omega = (0.5 * 9.81 / (1.0064 / 12.0 + 0.25_f64)).sqrt();
        assert!((radius - (h * omega).hypot(1.0)).abs() < 1e-7, "{row:?}");
        assert!((constraint - closed).abs() < 1e-9 && closed < 1.0 && row[4] == "false", "{row:?}");
    }
    let unloaded = rows("explicit_euler", &["--unloaded"]);
    assert_eq!(unloaded[0].join(","), "dt,spectral_radius,closed_form,stable");
    assert!(unloaded[1..].iter().all(|row| row[3] == "true"), "{unloaded:?}");
    assert!(rows("semi_implicit_euler", &[])[1..].iter().all(|row| row[4] == "true"));
}

/// The stability map accepts the soft scheme and its parameters.
#[test]
fn soft_constraints_can_be_mapped() {
    let soft = ["--stabilizer", "soft,damping_ratio=0,relax=off", "--dt", "0.0166", "--over", "hertz=5,60"];
    driftlab().args(["stability", "ball-and-chain"]).args(soft).assert().code(0).stderr("");
}

/// Unknown parameters, parameters that do not enter the map, and a missing range are refused with status 2.
#[test]
fn what_cannot_be_mapped_is_refused() {
    let refused = |arguments: &[&str], expected: &str| {
        let assert = driftlab().arg("stability").args(arguments).assert().code(2);
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(stderr.contains(expected), "{arguments:?}: {stderr}");
    };
    let scheme = ["double-pendulum", "--stabilizer", "baumgarte_velocity", "--over"];
    refused(&[scheme.as_slice(), &["alhpa=1,2"]].concat(), "did you mean 'alpha'?");
    refused(
        &[scheme.as_slice(), &["gravity=1,2", "--unloaded"]].concat(),
        "'gravity' does not enter (expected dt or",
    );
    refused(&[scheme.as_slice(), &["friction=1,2"]].concat(), "does not enter (expected dt, gravity or");
    refused(&["double-pendulum"], "--over");
    refused(&["double-pendulum", "--stabilizer", "soft", "--over", "herz=1,2"], "unknown parameter 'herz'");
}

/// With α = β = 0 nothing corrects: g̈ = 0 keeps an error of position and lets one of velocity move it in proportion to
/// time. That is a defective pair of eigenvalues 1, which rounding splits by 1e-8: ρ is 1 and the verdict is marginal,
/// in every form, and no growth by a factor.
#[test]
fn an_error_that_stays_is_marginal() {
    let map = [
        "stability",
        "double-pendulum",
        "--stabilizer",
        "baumgarte_acceleration",
        "--over",
        "alpha=0,1",
        "--over",
        "beta=0,10",
    ];
    for (more, columns) in [(&[][..], 3), (&["--unloaded"], 2)] {
        let assert = driftlab().args(map).args(more).assert().code(0);
        let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
        let rows: Vec<Vec<_>> = text.lines().skip(1).map(|row| row.split(',').collect()).collect();
        assert_eq!(rows[0][2..2 + columns], ["1", "1", "1"][..columns], "{text}");
        let verdicts: Vec<_> = rows.iter().map(|row| *row.last().unwrap()).collect();
        assert_eq!(verdicts, ["marginal", "true", "true", "true"], "{text}");
    }
    let folder = tempfile::tempdir().unwrap();
    let told = driftlab().args(map).arg("--csv").arg(folder.path().join("map.csv")).assert().code(0);
    let told = String::from_utf8(told.get_output().stdout.clone()).unwrap();
    assert!(told.contains("3 of 4 points stable\n1 marginal, ρ = 1: an error of position stays"), "{told}");
}

/// What would take minutes is refused before anything is computed, with its size and how to have it all the same; the
/// closed form, which needs no eigenvalues, comes at once: κ = 200/s at h = 1 ms leaves 0.8 of the error.
#[test]
fn large_scenes_are_refused_before_they_are_analysed() {
    let map = [
        "stability",
        "chain-1000",
        "--stabilizer",
        "baumgarte_velocity",
        "--dt",
        "0.001",
        "--over",
        "alpha=200,3000",
    ];
    let assert = driftlab().args(map).assert().code(2);
    let error = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    for part in ["2000 rows over 3000 coordinates at 2 points", "minutes", "--large", "--unloaded"] {
        assert!(error.contains(part), "{part} in {error}");
    }
    let assert = driftlab().args(map).arg("--unloaded").assert().code(0);
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    assert_eq!(text, "alpha,spectral_radius,closed_form,stable\n200,,0.8,true\n3000,,2,false\n");
}

/// The summary about an equilibrium lists the modes of small motions to 12 digits: those of the IFToMM's four-bar
/// linkage with a diagonal spring are −0.2423858093105 ± 2.133955028348 i (tests/reference/modes.py). They are no scheme's.
#[test]
fn the_summary_about_an_equilibrium_lists_the_modes_of_the_motion() {
    let folder = tempfile::tempdir().unwrap();
    for scheme in ["rattle", "anitescu_hart"] {
        let assert = driftlab()
            .args(["stability", "iftomm-four-bar-spring", "--stabilizer", scheme, "--over", "dt=0.01,0.1"])
            .arg("--csv")
            .arg(folder.path().join("map.csv"))
            .assert()
            .code(0);
        let told = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
        let expected = "λ in 1/s: -2.42385809311e-1 ± 2.13395502835e0 i\n";
        assert!(told.contains(expected), "{scheme}: {told}");
    }
}
