//! Engines themselves beside ours.

use driftlab_evidence::beside::{MAKERS, Outcome, SCENES, recorded};

/// Protects the figures of other programs' recordings: each scene of the table has a row of MuJoCo, the eleven that its
/// plants can be have one of Drake, and those that ended early say so.
#[test]
fn recorded_figures_are_there_for_every_scene() {
    let rows = recorded().unwrap();
    let of = |engine: &str| -> Vec<usize> {
        let own = rows.iter().filter(|row| row.maker.starts_with(engine));
        own.map(|row| row.scene).collect()
    };
    assert_eq!(of("mujoco"), (0..SCENES.len()).collect::<Vec<_>>());
    assert_eq!((of("Drake").len(), rows.len()), (11, SCENES.len() + 11));
    for row in &rows {
        match &row.outcome {
            Outcome::Whole(figures) => assert!(figures.end > 0.0 && figures.moved >= 0.0),
            Outcome::Stopped(figures, why) => assert!(figures.is_some() && !why.is_empty(), "{row:?}"),
        }
    }
}

#[cfg(not(feature = "engines"))]
mod without {
    use super::MAKERS;
    use driftlab_evidence::beside::run;

    /// Protects a program without the engines: it says what to build, and computes nothing in their place.
    #[test]
    fn a_program_without_the_engines_says_so() {
        let error = run(0, &MAKERS[0], &|| 0.0).unwrap_err().to_string();
        assert!(error.contains("--features engines"), "{error}");
    }
}

#[cfg(feature = "engines")]
mod with {
    use super::{MAKERS, SCENES};
    use driftlab_evidence::beside::{imitation, imitations, markdown, predictions, run, section};
    use std::fs;
    use std::path::Path;

    /// Scenes that take less than a second.
    const SMALL: [&str; 4] = ["chain-6", "stack-20", "motor-holds", "parked-car"];

    fn page() -> String {
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/beside.md")).unwrap()
    }

    /// A line of the page without its last cell, the time of a step, which differs from run to run.
    fn without_time(line: &str) -> Option<&str> {
        Some(line.strip_suffix(" |")?.rsplit_once(" | ")?.0)
    }

    /// Protects the page: its rows of small scenes are what the command computes, but for the time of a step.
    #[test]
    fn the_page_has_what_small_scenes_do() {
        let mut rows = Vec::new();
        for name in SMALL {
            let place = SCENES.iter().position(|(own, _)| *own == name).unwrap();
            rows.extend(MAKERS.iter().map(|maker| run(place, maker, &|| 0.0).unwrap()));
        }
        let (page, told) = (page(), markdown(&rows, &[], "any"));
        let is_row = |line: &&str| MAKERS.iter().any(|own| line.starts_with(&format!("| {} |", own.name)));
        let lines: Vec<&str> = told.lines().filter(is_row).collect();
        assert_eq!(lines.len(), SMALL.len() * MAKERS.len());
        let there: Vec<_> = page.lines().filter(is_row).map(without_time).collect();
        for line in lines {
            assert!(there.contains(&without_time(line)), "evidence/docs/beside.md: no line {line}");
        }
    }

    /// Protects what the page says of the imitation: the verdicts of small scenes follow from runs that are made again.
    #[test]
    fn the_page_has_what_the_imitation_differs_in() {
        let all = ["chain-6", "motor-holds", "parked-car"].map(|name| imitation(name).unwrap());
        let (page, told) = (page(), imitations(&all));
        let lines: Vec<&str> = told.lines().filter(|line| line.starts_with("| ")).collect();
        assert!(lines.len() > 2 * all.len());
        for line in lines {
            assert!(page.contains(line), "evidence/docs/beside.md: no line {line}");
        }
    }

    /// Protects the closed forms against the engines themselves: four of five figures are within a tenth, and the page tells all.
    #[test]
    fn closed_forms_foretell_the_engines() {
        let all = predictions().unwrap();
        let held = all.iter().filter(|own| own.holds()).count();
        assert!(all.len() >= 60 && 5 * held >= 4 * all.len(), "{held} of {}", all.len());
        assert!(
            page().contains(&section(&all)),
            "evidence/docs/beside.md: driftlab-evidence beside --out evidence/docs"
        );
    }
}
