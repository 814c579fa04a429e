//! `driftlab-evidence creep`: a box that friction could hold, under every scheme.

use crate::evidence;
use crate::pages::assert_page_is_current;
use driftlab_evidence::creep::{Line, compute};
use std::fs;

/// The page is what the command writes, and its numbers are what theory gives: where the law is solved the held box rests to
/// rounding, and beyond the cone it slides at g (sin θ − μ cos θ); MuJoCo's creep is inverse to impratio.
#[test]
fn held_boxes_rest_creep_or_slide_as_theory_says() {
    let lines = compute().unwrap();
    let of = |scheme: &str| -> &Line { lines.iter().find(|line| line.scheme == scheme).unwrap() };
    assert_eq!(lines.len(), driftlab::schemes::TABLE.len() + 5);
    // tan θ = 1.1 μ, over the mean of the sixth second.
    let angle = (1.1_f64 * 0.6).atan();
    let due = 9.81 * (angle.sin() - 0.6 * angle.cos()) * 5.5;
    for key in
        ["none", "baumgarte_acceleration", "post_stabilization", "anitescu_hart", "projection", "rattle"]
    {
        let speeds = of(key).speeds.each_ref().map(|speed| *speed.as_ref().unwrap());
        assert!(speeds[..5].iter().all(|speed| speed.abs() < 1e-12), "{key}: {speeds:?}");
        assert!((speeds[5] / due - 1.0).abs() < 1e-3, "{key}: {} m/s, not {due}", speeds[5]);
    }
    let [one, ten] = ["mujoco,cone=elliptic", "mujoco,cone=elliptic,impratio=10"].map(of);
    for (one, ten) in one.speeds.iter().zip(&ten.speeds).take(5) {
        let ratio = one.as_ref().unwrap() / ten.as_ref().unwrap();
        assert!((ratio - 10.0).abs() < 1e-3, "{ratio}");
    }
    let folder = tempfile::tempdir().unwrap();
    evidence().args(["creep", "--out"]).arg(folder.path()).assert().code(0);
    assert_page_is_current("creep.md", &fs::read_to_string(folder.path().join("creep.md")).unwrap());
}
