//! `driftlab-evidence figures`: a row per published statement, verdicts that follow from computed numbers, and the same bytes on
//! any number of threads.

use crate::evidence;
use driftlab::scene::{Bound, Scene, Take, catalogue};
use driftlab_evidence::reproduction;
use driftlab_evidence::reproduction::{Figure, Judgement, markdown};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Figures that take a moment, of every kind of picture.
const QUICK: [&str; 5] = ["cline-pai-1", "cline-pai-2", "cline-pai-4", "hong-stability", "drake"];

fn figure(id: &str) -> &'static Figure {
    reproduction::all().find(|figure| figure.id == id).unwrap()
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries.map(|e| (e.file_name().into_string().unwrap(), fs::read(e.path()).unwrap())).collect()
}

fn compute(threads: &str) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("deep/down");
    evidence()
        .args(["figures", "--threads", threads, "--out"])
        .arg(&out)
        .arg("--only")
        .args(QUICK)
        .assert()
        .code(0);
    files(&out)
}

#[test]
fn figures_are_the_same_bytes_on_one_thread_and_on_many() {
    // Protects determinism: two runs, serial and parallel, write the same files, three for each figure and the table.
    let serial = compute("1");
    assert_eq!(serial.len(), 3 * QUICK.len() + 1, "{:?}", serial.keys());
    assert!(serial == compute("3"));
    for (name, bytes) in &serial {
        let start: &[u8] = match name.rsplit('.').next().unwrap() {
            "svg" => b"<svg",
            "png" => b"\x89PNG",
            "csv" => b"stabilizer,",
            _ => b"# ",
        };
        assert!(bytes.starts_with(start), "{name}");
        assert!(!String::from_utf8_lossy(bytes).contains("NaN"), "{name}");
    }
}

#[test]
fn the_table_has_a_row_for_every_statement() {
    // Protects completeness: every reference of a scene that belongs to a figure has exactly one row in the table.
    let table = String::from_utf8(compute("2")["figures.md"].clone()).unwrap();
    for id in QUICK {
        let scene = reproduction::scene_of(figure(id)).unwrap();
        let own = scene.references.iter().filter(|reference| reference.figure.as_deref() == Some(id));
        for reference in own {
            let rows =
                table.lines().filter(|line| line.starts_with('|') && line.contains(&reference.label));
            assert_eq!(rows.count(), 1, "{id}: {}", reference.label);
        }
    }
    assert!(table.contains("reproduced under an assumption: g = 85 m/s²"), "{table}");
    assert!(table.contains("**not reproduced**: the limit is αh = 2√2 − 2"), "{table}");
}

#[test]
fn every_statement_belongs_to_a_figure_of_its_scene() {
    // Protects the link from scenes to figures: an id that no figure of that scene has would drop a statement silently.
    let mut named = 0;
    for entry in catalogue::entries() {
        for reference in entry.scene().unwrap().references {
            // One that names none is no published statement but a level that theory gives.
            let Some(id) = reference.figure.as_deref() else { continue };
            named += 1;
            let at_home = reproduction::all().any(|figure| figure.id == id && figure.scene == entry.key);
            assert!(at_home, "{}: no figure '{id}' of this scene", entry.key);
        }
    }
    assert!(named > 50, "only {named} statements");
    let mut ids: Vec<_> = reproduction::all().map(|figure| figure.id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), reproduction::all().count(), "two figures share an id");
}

/// Judgements of a figure of this scene, by label.
fn judged(id: &str, scene: &Scene) -> BTreeMap<String, (Option<f64>, Judgement)> {
    let drawing = reproduction::recompute(figure(id), scene).unwrap();
    assert!(!markdown(&[(figure(id), &drawing)]).is_empty());
    drawing.statements.into_iter().map(|s| (s.text, (s.measured, s.judgement))).collect()
}

#[test]
fn a_wrong_published_number_turns_not_reproduced() {
    // Protects the verdicts: they follow from the published number and the computed one, and the computed one does not
    // depend on the published one.
    for id in ["cline-pai-3", "cline-pai-4", "anitescu-hart-2", "drake", "trefny", "orders"] {
        let sound = reproduction::scene_of(figure(id)).unwrap();
        let mut wrong = sound.clone();
        for reference in &mut wrong.references {
            reference.bound = match reference.bound {
                Bound::AtMost(value) => Bound::AtMost(-value),
                Bound::AtLeast(value) => Bound::AtLeast(1e9 * value),
                Bound::About(value) => Bound::About(3.0 * value),
            };
        }
        let (sound, wrong) = (judged(id, &sound), judged(id, &wrong));
        assert!(!sound.is_empty());
        for (label, (measured, _)) in &sound {
            let (again, judgement) = &wrong[label];
            assert_eq!(measured, again, "{label}");
            assert!(matches!(judgement, Judgement::NotReproduced(_)), "{label}: {judgement:?}");
        }
    }
}

#[test]
fn a_run_that_fails_is_not_reproduced() {
    // Protects against a verdict from the part of a run before it diverged: αh = 5 is beyond the limit of 2 of
    // velocity-level Baumgarte, so that the run fails before the end of its window.
    let mut scene = reproduction::scene_of(figure("cline-pai-3")).unwrap();
    scene.settings.duration = Some(5.0);
    let text = scene.to_json().replace("\"alpha\": 50.0", "\"alpha\": 5000.0");
    let mut scene = Scene::parse(&text).unwrap();
    for reference in &mut scene.references {
        (reference.to, reference.take) = (None, Take::Largest);
    }
    let (measured, judgement) = &judged("cline-pai-4", &scene)["constant 50: around 5 mm"];
    assert_eq!(*measured, None);
    assert!(
        matches!(judgement, Judgement::NotReproduced(why) if why.contains("fails at")),
        "{judgement:?}"
    );
}

#[test]
fn unstabilized_disks_are_stepped_as_in_the_paper() {
    // Protects the interpretation of Anitescu & Hart's unstabilized method, Δ = 0 on the active set φ ≤ ε̂ = 0.3: its final
    // overlap is 0.058 m, its largest 3.4 times the stabilized one (both from a separate computation), and the curve
    // belongs to that run.
    let figure = figure("anitescu-hart-6");
    let scene = reproduction::scene_of(figure).unwrap();
    let drawing = reproduction::recompute(figure, &scene).unwrap();
    let number = |start: &str| {
        let found = drawing.statements.iter().find(|statement| statement.text.starts_with(start));
        found.and_then(|statement| statement.measured).unwrap()
    };
    let (ratio, end) = (number("unstabilized over stabilized"), number("unstabilized: essentially zero"));
    assert!((ratio - 3.4).abs() < 0.1 && (end - 0.058).abs() < 1e-3, "{ratio}, {end}");
    let csv = String::from_utf8(drawing.documents[0].bytes.clone()).unwrap();
    let mut curve = csv.lines().filter(|row| row.starts_with("\"none, contact tolerance 0.3 m\","));
    let last: f64 = curve.next_back().unwrap().rsplit(',').next().unwrap().parse().unwrap();
    assert_eq!(last, end);
}

#[test]
fn not_much_worse_is_judged_against_what_it_is_compared_with() {
    // Protects Cline & Pai's statement on the constant 2000, which compares two errors: their ratio decides at any gravity,
    // and an error smaller than the one compared with satisfies it.
    for id in ["cline-pai-5", "cline-pai-3-7-earth"] {
        let scene = reproduction::scene_of(figure(id)).unwrap();
        let judged = judged(id, &scene);
        let (_, (ratio, judgement)) =
            judged.iter().find(|(label, _)| label.starts_with("constant 2000")).unwrap();
        assert!(ratio.unwrap() < 1.0, "{id}: {ratio:?}");
        assert!(matches!(judgement, Judgement::Assuming(_)), "{id}: {judgement:?}");
    }
}

#[test]
fn a_figure_that_is_none_is_refused() {
    // Protects the command line: an unknown figure is refused with the list of names, and nothing is written.
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let assert = evidence().args(["figures", "--only", "cline-pai-99", "--out"]).arg(&out).assert().code(2);
    let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(error.contains("no figure is named 'cline-pai-99' (expected cline-pai-1, "), "{error}");
    assert!(!out.exists());
}
