//! Engines themselves beside ours.

use driftlab_evidence::beside::{MAKERS, Outcome, SCENES, recorded};

/// Protects the figures of other programs' recordings: each scene of the table has a row, and those that ended early say so.
#[test]
fn recorded_figures_are_there_for_every_scene() {
    let rows = recorded().unwrap();
    let scenes: Vec<usize> = rows.iter().map(|row| row.scene).collect();
    assert_eq!(scenes, (0..SCENES.len()).collect::<Vec<_>>());
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
    use driftlab_evidence::beside::{markdown, predictions, run, section};
    use std::fs;
    use std::path::Path;

    /// Scenes that take less than a second.
    const SMALL: [&str; 4] = ["chain-6", "stack-20", "motor-holds", "parked-car"];

    fn page() -> String {
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/beside.md")).unwrap()
    }

    /// Protects the page: its rows of small scenes are what the command computes.
    #[test]
    fn the_page_has_what_small_scenes_do() {
        let mut rows = Vec::new();
        for name in SMALL {
            let place = SCENES.iter().position(|(own, _)| *own == name).unwrap();
            rows.extend(MAKERS.iter().map(|maker| run(place, maker, &|| 0.0).unwrap()));
        }
        let (page, told) = (page(), markdown(&rows, &[]));
        let lines = told
            .lines()
            .filter(|line| MAKERS.iter().any(|own| line.starts_with(&format!("| {} |", own.name))));
        let lines: Vec<&str> = lines.collect();
        assert_eq!(lines.len(), SMALL.len() * MAKERS.len());
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
