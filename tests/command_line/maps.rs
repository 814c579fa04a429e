//! `driftlab stability`: the map as CSV and as a figure.

use super::columns;
use crate::driftlab;
use std::fs;

/// Protects the columns, and the boundary (βh)² + 4αh = 4 in them: stable or not as the formula says, at every point.
#[test]
fn the_map_holds_the_parabola() {
    let folder = tempfile::tempdir().unwrap();
    let (csv, plot) = (folder.path().join("map.csv"), folder.path().join("map.svg"));
    driftlab()
        .args(["stability", "double-pendulum", "--stabilizer", "baumgarte_acceleration", "--dt", "0.01"])
        .args(["--over", "alpha=1:1000:log:12", "--over", "beta=1:1000:log:12", "--csv"])
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

/// Without `--csv` the rows go to standard output; a PNG and a map over one parameter can be drawn, at a later time of the scene.
#[test]
fn one_parameter_later_in_the_motion() {
    let folder = tempfile::tempdir().unwrap();
    let plot = folder.path().join("line.png");
    let assert = driftlab()
        .args(["stability", "six-link-chain", "--stabilizer", "baumgarte_velocity", "--dt", "0.01"])
        .args(["--over", "alpha=50,100,200,250", "--at", "0.1", "--plot"])
        .arg(&plot)
        .assert()
        .code(0);
    let text = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    let stable: Vec<_> = text.lines().skip(1).map(|row| row.rsplit(',').next().unwrap()).collect();
    assert_eq!(stable, ["true", "true", "true", "false"]);
    assert!(fs::read(plot).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn soft_constraints_can_be_mapped() {
    let soft = ["--stabilizer", "soft,damping_ratio=0,relax=off", "--dt", "0.0166", "--over", "hertz=5,60"];
    driftlab().args(["stability", "ball-and-chain"]).args(soft).assert().code(0).stderr("");
}

#[test]
fn what_cannot_be_mapped_is_refused() {
    let refused = |arguments: &[&str], expected: &str| {
        let assert = driftlab().arg("stability").args(arguments).assert().code(2);
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(stderr.contains(expected), "{arguments:?}: {stderr}");
    };
    let scheme = ["double-pendulum", "--stabilizer", "baumgarte_velocity", "--over"];
    refused(&[scheme.as_slice(), &["alhpa=1,2"]].concat(), "did you mean 'alpha'?");
    refused(&[scheme.as_slice(), &["gravity=1,2"]].concat(), "does not enter");
    refused(&["double-pendulum"], "--over");
    refused(&["double-pendulum", "--stabilizer", "soft", "--over", "herz=1,2"], "unknown parameter 'herz'");
}
