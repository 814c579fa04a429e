//! The comparison with the engines that schemes imitate.

use crate::evidence;
use driftlab::method::Stabilizer;
use driftlab_evidence::engines::{Ablation, ENGINES, EngineFigure, Rule, Verdict, cases};
use std::fs;
use std::path::Path;

/// The page in `docs/` is what the command writes.
#[test]
#[ignore = "some seconds of many threads; the continuous integration runs it"]
fn the_page_is_what_the_command_writes() {
    let folder = tempfile::tempdir().unwrap();
    let assert = evidence().args(["engines", "--out"]).arg(folder.path()).assert().code(0);
    let told = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    assert_eq!(told.lines().count(), ENGINES.len(), "{told}");
    assert!(told.lines().all(|line| line.contains("figures agree within 20 %")), "{told}");
    let written = fs::read_to_string(folder.path().join("engines.md")).unwrap();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/engines.md");
    assert_eq!(
        written,
        fs::read_to_string(shipped).unwrap(),
        "evidence/docs/engines.md: driftlab-evidence engines --out evidence/docs"
    );
}

/// Scenes of at most two moving bodies, whose motion is not chaotic, agree with the engines but for the figures that
/// are named here, each with its factor on the page; the campaign runs all.
#[test]
fn figures_of_small_scenes_agree_with_the_engines() {
    let (mut agree, mut differ) = (0, Vec::new());
    for case in cases().unwrap() {
        if case.scene().unwrap().world.bodies().iter().filter(|body| body.is_dynamic()).count() > 2 {
            continue;
        }
        for figure in case.compare().unwrap() {
            match figure.verdict {
                Verdict::Agrees | Verdict::SameOutcome | Verdict::Explained(_) => agree += 1,
                _ => differ.push((case.engine.scheme, case.scene, figure.row.quantity)),
            }
        }
    }
    assert!(agree >= 4 * differ.len(), "{agree} agree, these differ: {differ:#?}");
}

/// Verdicts are those of the rules: within 20 % or nothing at all, the same side, else the factor with its sign; a
/// departure explains a difference only where the engine without that feature does as ours, and the scheme's card has
/// it. No quantity is counted twice.
#[test]
fn figures_of_engines_are_judged_by_their_rules() {
    let cases = cases().unwrap();
    let keys: Vec<_> = ENGINES.iter().map(|engine| engine.scheme).collect();
    assert_eq!(keys, ["soft", "ngs", "split_impulse", "xpbd", "mujoco", "sap", "avbd"]);
    let mut seen = Vec::new();
    for case in &cases {
        let card = Stabilizer::by_key(case.engine.scheme).unwrap().info().departures;
        for row in &case.rows {
            let row = row.clone();
            seen.push((case.engine.scheme, case.scene, row.quantity));
            let plain = EngineFigure { ablation: None, ..row.clone() };
            match row.rule {
                Rule::Figure(bound) => {
                    assert_eq!(plain.verdict(row.theirs), Verdict::Agrees);
                    assert_eq!(plain.verdict(row.theirs * 1.19), Verdict::Agrees);
                    assert_eq!(
                        plain.verdict(0.9 * bound) == Verdict::Agrees,
                        row.theirs.abs() <= bound || (0.9 * bound / row.theirs - 1.0).abs() <= 0.2
                    );
                    for factor in [3.0, -1.0] {
                        let ours =
                            factor * row.theirs + 2.0 * bound * factor.signum() * row.theirs.signum();
                        let verdict = plain.verdict(ours);
                        assert!(matches!(verdict, Verdict::Factor(_)), "{row:?} beside {ours}");
                    }
                }
                Rule::Side(bound) => {
                    let other = if row.theirs > bound { bound - 1.0 } else { bound + 1.0 };
                    assert_eq!(plain.verdict(row.theirs), Verdict::SameOutcome);
                    assert_eq!(plain.verdict(other), Verdict::OtherOutcome);
                }
            }
            if let Some(Ablation { departure, value }) = row.ablation {
                assert!((1..=card.len()).contains(&departure), "{row:?}");
                let verdict = row.verdict(value);
                assert!(
                    verdict == Verdict::Explained(departure) || plain.verdict(value) == verdict,
                    "{row:?}"
                );
            }
        }
        assert!(case.scene().is_ok(), "{}", case.scene);
    }
    let count = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), count, "a quantity is counted twice");
}
