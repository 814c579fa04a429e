//! What `--verbose` adds to a summary: who was tried on the steps' problems, and all of the problem at which a run has stopped.

use crate::experiment::{AttemptCount, AttemptFigures, Summary, UnsolvedStep};
use crate::numbers::four_digits;

/// A row for each kind of attempt of a run.
pub(super) fn attempts(summary: &Summary) -> Vec<(&'static str, String)> {
    let row = |count: &AttemptCount| {
        let AttemptCount { solver, from, ending, attempts, iterations } = count;
        let [from, ending] = [from, ending].map(|key| key.replace('_', " "));
        ("attempts", format!("{solver} ({from}): {attempts} {ending}, {iterations} iterations"))
    };
    summary.attempts.tally.iter().map(row).collect()
}

/// Rows for the problem that was not solved: who was asked, each of its bodies and constraints, and each attempt.
pub(super) fn problem(unsolved: &UnsolvedStep) -> Vec<(&'static str, String)> {
    let UnsolvedStep { step, asked, rows, bodies, constraints, attempts, .. } = unsolved;
    let mut lines = vec![
        ("not solved", format!("step {step}, {rows} rows, asked for '{asked}'")),
        ("  bodies", bodies.join(", ")),
    ];
    lines.extend(constraints.iter().map(|constraint| ("  constraint", constraint.clone())));
    lines.extend(attempts.iter().map(|attempt| {
        let AttemptFigures { solver, from, iterations, residual, ending } = attempt;
        let [from, ending] = [from, ending].map(|key| key.replace('_', " "));
        let left =
            residual.map_or_else(String::new, |left| format!(", {} of the speed left", four_digits(left)));
        ("  tried", format!("{solver} ({from}): {ending} after {iterations}{left}"))
    }));
    lines
}
