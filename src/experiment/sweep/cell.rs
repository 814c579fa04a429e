//! The last cell of a sweep's row: how its run ended, and what its numbers are worth.

use crate::experiment::run::summary::Summary;

/// What the text of a blow-up begins with.
const BLOWN_UP: &str = "blown up";
/// What the text of a run that made all its steps, but did not solve all of them, begins with.
const UNSOLVED: &str = "not solved";

/// The cell of a run that has come to `summary`, or failed for a reason; empty where nothing is to be said.
pub(crate) fn of(summary: &Summary, failure: Option<String>) -> String {
    let blown_up = || summary.blow_up.map(|blow_up| blow_up.to_string());
    let unsolved = || summary.unsolved().map(|text| format!("{UNSOLVED}: {text}"));
    failure.or_else(blown_up).or_else(unsolved).unwrap_or_default()
}

/// Whether it is the cell of a run that did not make all its steps.
pub(crate) fn has_failed(cell: &str) -> bool {
    !cell.is_empty() && !has_blown_up(cell) && !is_unsolved(cell)
}

/// Whether it is the cell of a run that made all its steps, but blew up on the way.
pub(crate) fn has_blown_up(cell: &str) -> bool {
    cell.starts_with(BLOWN_UP)
}

/// Whether it is the cell of a run that made all its steps, but whose solver has not solved all of them.
pub(crate) fn is_unsolved(cell: &str) -> bool {
    cell.starts_with(UNSOLVED)
}
