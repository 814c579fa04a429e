//! How the last step's problem is shown, and which of its rows the person looks at.

use crate::experiment::opened::{OpenedProblem, Watched};
use crate::report::ConstraintId;
use crate::step::SolvedRow;

/// The parts of the tab 'Solve'.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SolvePart {
    /// The matrix and a row per constraint.
    #[default]
    Rows,
    /// The replay, pivot by pivot.
    Pivots,
    /// Size of the problem and iterations over time.
    Sizes,
}

/// A row of a step's problem, by what it has in common with the rows of other steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowKey {
    /// Whose row it is.
    pub constraint: ConstraintId,
    /// Which of the constraint's rows.
    pub row: usize,
}

impl From<&SolvedRow> for RowKey {
    fn from(row: &SolvedRow) -> Self {
        Self { constraint: row.constraint, row: row.row }
    }
}

impl RowKey {
    /// Its index in a problem, if it is there.
    pub fn find(self, opened: &OpenedProblem) -> Option<usize> {
        opened.rows().iter().position(|row| Self::from(row) == self)
    }
}

/// How the last step's problem is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolveView {
    /// Which part.
    pub part: SolvePart,
    /// The row under the pointer in the panel.
    pub hovered: Option<RowKey>,
    /// The row that was clicked.
    pub chosen: Option<RowKey>,
    /// The constraint under the pointer on the canvas, when it was last looked up: the table scrolls where it changes.
    pub pointed: Option<ConstraintId>,
    /// The method that is replayed.
    pub watched: Watched,
    /// How many pivots of the replay have been made.
    pub pivot: usize,
}

impl SolveView {
    /// The constraint to be highlighted on the canvas: the hovered one, else the chosen one.
    pub fn linked(&self) -> Option<ConstraintId> {
        self.hovered.or(self.chosen).map(|key| key.constraint)
    }
}
