//! The pages in `evidence/docs/` are what their commands write, but for computing times.

use crate::evidence;
use std::fs;
use std::path::Path;

/// The rows of a page's tables without the columns of computing times, which every machine has its own of.
fn untimed(page: &str) -> Vec<Vec<&str>> {
    let (mut rows, mut kept) = (Vec::new(), Vec::new());
    for line in page.lines() {
        if !line.starts_with('|') {
            kept.clear();
            continue;
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if kept.is_empty() {
            kept = cells
                .iter()
                .map(|title| !["time, ms", "cost"].iter().any(|own| title.starts_with(own)))
                .collect();
        }
        rows.push(cells.into_iter().zip(&kept).filter(|(_, kept)| **kept).map(|(cell, _)| cell).collect());
    }
    rows
}

/// Fails unless the page of that name in `evidence/docs/` has the same tables as `written`, computing times aside.
pub fn assert_page_is_current(name: &str, written: &str) {
    let shipped =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)).unwrap();
    let (shipped, written) = (untimed(&shipped), untimed(written));
    for (shipped, written) in shipped.iter().zip(&written) {
        assert_eq!(shipped, written, "evidence/docs/{name} is not what its command writes");
    }
    assert_eq!(shipped.len(), written.len(), "evidence/docs/{name}");
    assert!(!written.is_empty());
}

/// `driftlab-evidence figures` computes what evidence/docs/figures.md and comparison.md say.
#[test]
#[ignore = "minutes; the continuous integration runs it"]
fn the_figures_are_what_the_pages_say() {
    let folder = tempfile::tempdir().unwrap();
    evidence().args(["figures", "--out"]).arg(folder.path()).assert().code(0);
    for name in ["figures.md", "comparison.md"] {
        assert_page_is_current(name, &fs::read_to_string(folder.path().join(name)).unwrap());
    }
}
