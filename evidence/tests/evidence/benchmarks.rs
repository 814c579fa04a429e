//! `driftlab-evidence benchmarks`: the community's benchmarks under every scheme.

use crate::evidence;
use crate::pages::assert_page_is_current;
use driftlab_evidence::benchmarks::BENCHMARKS;
use driftlab_evidence::benchmarks::truth::{four_bars, pendulum, squeezer};
use std::fs;

#[test]
#[ignore = "three minutes; the continuous integration runs it"]
fn the_benchmarks_are_written_and_every_scheme_has_its_order_on_the_smooth_ones() {
    // Protects the command: its files hold what their names say, the page a section for each benchmark, the published codes where
    // they ran, and nothing that is no number; and the orders that it tells.
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("deep/benchmarks");
    evidence().args(["benchmarks", "--out"]).arg(&out).assert().code(0);
    let page = fs::read_to_string(out.join("benchmarks.md")).unwrap();
    assert!(page.contains("| RADAU5 | 1e-5 |") && page.contains("](benchmarks.png)"), "{page}");
    assert!(!page.contains("NaN"), "{page}");
    assert_page_is_current("benchmarks.md", &page);
    assert!(fs::read(out.join("benchmarks.png")).unwrap().starts_with(b"\x89PNG"));
    assert!(fs::read(out.join("benchmarks.svg")).unwrap().starts_with(b"<svg"));
    let table = csv::Reader::from_path(out.join("benchmarks.csv")).unwrap();
    assert_eq!(table.into_records().map(Result::unwrap).count(), 20 * (7 + 7 + 5 + 7));
    let mut measured = Vec::new();
    for benchmark in &BENCHMARKS {
        let heading = format!("\n## {}", benchmark.name);
        let section = page.split(&heading).nth(1).and_then(|rest| rest.split("\n## ").next());
        let section = section.unwrap_or_else(|| panic!("no section of {} in {page}", benchmark.name));
        if benchmark.scene != "iftomm-a02-forty-windows" {
            measured.extend(orders(section, benchmark.name));
        }
    }
    for name in [
        "RATTLE",
        "Generalised α, ρ∞ = 0.8",
        "Baumgarte, Runge–Kutta",
        "Anitescu & Hart",
        "Implicit enforcement",
    ] {
        assert!(measured.iter().filter(|other| *other == name).count() >= 3, "{name}: {measured:?}");
    }
}

/// The methods of a section that have an order, each with the one that it should have, against a motion that no engine has
/// computed: RATTLE and generalised α 2, Runge–Kutta at the acceleration level 4, all others 1, since their velocities act
/// over a whole step from one of its ends. Those whose constraints are springs, of a stiffness that does not grow with the
/// number of steps, have none. The forty windows are left to the page: at time steps that a test can afford they are not yet
/// in the regime of an order.
fn orders(section: &str, benchmark: &str) -> Vec<String> {
    let mut measured = Vec::new();
    // The table of the published codes follows.
    let methods = section.lines().take_while(|line| !line.starts_with("| code |"));
    for line in methods {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let [_, name, .., order, _] = cells[..] else { continue };
        let Ok(order) = order.parse::<f64>() else { continue };
        let expected = match name {
            "RATTLE" | "Generalised α, ρ∞ = 0.8" => 2.0,
            "None, Runge–Kutta" | "Baumgarte, Runge–Kutta" => 4.0,
            "Soft step (Box2D v3)" | "AVBD" | "MuJoCo's convex problem" | "SAP (Drake)" => continue,
            _ => 1.0,
        };
        assert!((order - expected).abs() < 0.2, "{benchmark} under {name}: {order}");
        measured.push(name.to_owned());
    }
    measured
}

#[test]
fn the_references_are_the_motions_that_another_integrator_finds() {
    // Protects the yardsticks: the end states agree with DOP853 of scipy (evidence/tests/reference/benchmarks.py).
    let near = |found: &[f64], expected: &[f64], tolerance: f64| {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < tolerance, "{found} is not {expected}");
        }
    };
    near(&pendulum(400, 0.025)[400], &[-0.275087462576, -0.961419205099], 2e-12);
    near(&four_bars(2, 200, 0.05)[200], &[0.328458111536, 0.944518538180], 1e-10);
    near(&four_bars(40, 400, 0.05)[400], &[0.410901153749, 0.911679900978], 1e-9);
    let [be, th, ga, ph, de, om, ep] = [
        15.810771195154,
        -15.756371058413,
        0.040822240120,
        -0.534730116342,
        0.524409965880,
        0.534730116342,
        1.048080741042,
    ];
    near(&squeezer(1, 0.03)[1], &[be, be + th, ga, ph + de, de, om + ep, ep], 3e-12);
}
