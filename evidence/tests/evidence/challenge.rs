//! `driftlab-evidence challenge`: the pendulum challenge, answered by every scheme.

use crate::evidence;
use crate::pages::assert_page_is_current;
use driftlab::experiment::Run;
use driftlab::method::Method;
use driftlab::scene::catalogue;
use driftlab_evidence::challenge::reference::motion;
use driftlab_evidence::challenge::{Challenge, Outcome, compute};
use glam::DVec2;
use std::fs;

fn challenge() -> Challenge {
    compute(&|| 0.0).unwrap()
}

/// The outcome of a method, by the start of its name, at so many steps or substeps a frame.
fn of<'c>(challenge: &'c Challenge, name: &str, count: u32) -> &'c Outcome {
    let line = challenge.lines.iter().find(|line| line.name == name).unwrap();
    line.outcomes.iter().find(|outcome| outcome.count == count).unwrap()
}

/// RATTLE and projection end every step of the challenge's first three seconds with the rods right to rounding.
#[test]
fn rods_of_the_challenge_keep_their_lengths_to_rounding() {
    let scene = catalogue::find("pendulum-challenge").unwrap().scene().unwrap();
    for key in ["rattle", "projection"] {
        let run = Run::under(&scene, Method::by_key(key).unwrap(), 180);
        let most = run.map(|report| report.unwrap().joint_error).fold(0.0, f64::max);
        assert!(most < 1e-14, "{key}: {most:e} m");
    }
}

#[test]
#[ignore = "half a minute; the continuous integration runs it"]
fn the_challenge_is_answered_by_numbers_that_theory_gives() {
    // Protects the page's statements. Theory: RATTLE and projection end each step with the rods right to
    // rounding; enforcing energy once a frame keeps it to rounding; Runge–Kutta's energy error is of fourth
    // order in h until rounding or chaos, so that eight times as many steps leave less than a hundredth;
    // XPBD's and ours are the same algorithm for points, so that both follow the motion equally long within
    // a tenth of a second.
    let challenge = challenge();
    let of = |name, count| of(&challenge, name, count);
    assert!(challenge.trusted > 5.0 && challenge.trusted < 20.0, "{}", challenge.trusted);
    assert!(of("RATTLE", 1).stretch < 1e-14 && of("Projection", 8).stretch < 1e-14);
    assert!(of("XPBD, the challenge's own, energy enforced", 50).energy < 1e-9);
    assert!(of("XPBD, the challenge's own", 50).energy > 1.0);
    let runge_kutta = "Baumgarte, acceleration level, Runge–Kutta";
    assert!(of(runge_kutta, 32).energy < 0.01 * of(runge_kutta, 4).energy);
    let (own, theirs) = (of("XPBD", 100), of("XPBD, the challenge's own", 100));
    assert!((own.followed - theirs.followed).abs() < 0.1, "{} {}", own.followed, theirs.followed);
    for line in &challenge.lines {
        for outcome in &line.outcomes {
            assert!(outcome.followed <= challenge.trusted, "{}", line.name);
        }
        // Refined sixteen times and more, no method follows the motion a shorter time.
        let (first, last) = (line.outcomes.first().unwrap(), line.outcomes.last().unwrap());
        assert!(last.failure.is_none() && last.followed >= first.followed, "{}", line.name);
    }
    assert!(challenge.lines.len() == driftlab::schemes::TABLE.len() + 2, "a scheme has no line");
}

#[test]
#[ignore = "a minute; the continuous integration runs it"]
fn the_challenge_is_written_as_a_page_a_picture_and_a_table() {
    // Protects the command: its three files hold what their names say, a row for each run.
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("deep/challenge");
    evidence().args(["challenge", "--out"]).arg(&out).assert().code(0);
    let page = fs::read_to_string(out.join("challenge.md")).unwrap();
    // Independently counted: RATTLE divides its steps of 1/60 s into 3.1 parts on average, and up to 8.
    assert!(page.contains("| RATTLE | 1 step, each in 3.1 parts on average, up to 8 |"), "{page}");
    assert!(page.contains("](challenge.png)"), "{page}");
    assert_page_is_current("challenge.md", &page);
    assert!(!page.contains("NaN"), "{page}");
    assert!(fs::read(out.join("challenge.png")).unwrap().starts_with(b"\x89PNG"));
    assert!(fs::read(out.join("challenge.svg")).unwrap().starts_with(b"<svg"));
    let mut table = csv::Reader::from_path(out.join("challenge.csv")).unwrap();
    let runs: usize = challenge().lines.iter().map(|line| line.outcomes.len()).sum();
    assert_eq!(table.records().map(Result::unwrap).count(), runs);
}

/// x and y of the last mass, m, at whole seconds, by DOP853 (scipy 1.x, rtol 3e-14, atol 1e-14) from
/// the same start, and how far they are from those with rtol 1e-12.
const DOP853: [(usize, f64, f64, f64); 4] = [
    (1, -0.6173628096599876, -0.08602559994572795, 2e-13),
    (2, -0.08232345285860954, -0.11488753079408723, 7e-11),
    (3, -0.3447332402646291, -0.30891956776487267, 5e-9),
    (4, 0.23685199611790225, -0.30135849860482905, 8e-8),
];

#[test]
fn the_reference_is_the_motion_that_another_integrator_finds() {
    // Protects the yardstick: the last mass stands where DOP853 has it, within what its tolerance moves
    // it.
    let places = motion(16);
    for (second, x, y, uncertain) in DOP853 {
        let tip = places[60 * second][2];
        let apart = tip.distance(DVec2::new(x, y));
        assert!(apart < uncertain + 1e-12, "{second} s: {tip}, {apart} m apart");
    }
}
