//! The problem of a step, opened: its matrix, a row for each scalar constraint with what it demands and what it has got, the same
//! problem as a file that `driftlab lcp` reads, and its solution pivot by pivot.
//!
//! ```text
//! A = J M⁻¹ Jᵀ + diag(c) ,     w = A λ + b₀ ,     b₀ = J v* + b
//! ```
//!
//! Rows are put in the order of their islands, groups of bodies that no row connects with others, so that A falls into blocks.

pub(crate) mod dat;
mod export;
pub(crate) mod matrix;
pub(crate) mod problem_line;
mod replay;
mod state;
pub(crate) mod words;

pub use export::{ExportError, MOST_EXPORTED};
pub use replay::{MOST_REPLAYED, NoReplay, Replay, Watched};
pub use state::RowState;
pub use words::{constraint_in_words, row_in_words};

use crate::lcp::{IslandReading, MixedProblem, Trail};
use crate::step::{SolvedProblem, SolvedRow};
use std::ops::Range;

/// The rows of one island.
#[derive(Clone, Copy, Debug)]
pub struct OpenedIsland {
    /// The first of its places in [`OpenedProblem::order`].
    start: usize,
    /// One behind its last place.
    end: usize,
    /// What came of it; absent for rows that touch no body that can move.
    pub reading: Option<IslandReading>,
}

impl OpenedIsland {
    /// Its places in [`OpenedProblem::order`].
    pub fn places(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// The problem of a step with its solution, its rows in the order of their islands.
#[derive(Clone, Debug)]
pub struct OpenedProblem {
    problem: MixedProblem,
    rows: Vec<SolvedRow>,
    order: Vec<usize>,
    place: Vec<usize>,
    blocks: Vec<OpenedIsland>,
    /// A by row of the problem: columns, which ascend, and entries.
    matrix: Vec<Vec<(usize, f64)>>,
    given: Vec<f64>,
}

impl OpenedProblem {
    /// Opens a solved problem.
    pub fn new(SolvedProblem { problem, rows, .. }: SolvedProblem) -> Self {
        let number = |i: usize| rows[i].reading.island.unwrap_or(usize::MAX);
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|&i| (number(i), i));
        let mut place = vec![0; rows.len()];
        order.iter().enumerate().for_each(|(at, &i)| place[i] = at);
        let mut blocks: Vec<OpenedIsland> = Vec::new();
        for (at, &i) in order.iter().enumerate() {
            match blocks.last_mut().filter(|block| number(order[block.start]) == number(i)) {
                Some(block) => block.end = at + 1,
                None => blocks.push(OpenedIsland { start: at, end: at + 1, reading: rows[i].island }),
            }
        }
        let matrix = matrix::delassus(&problem);
        let given = problem.rows.iter().map(|row| row.rate(&problem.free) + row.bias).collect();
        Self { problem, rows, order, place, blocks, matrix, given }
    }

    /// Bodies and rows as they were posed.
    pub fn problem(&self) -> &MixedProblem {
        &self.problem
    }

    /// The rows, in the order of the problem.
    pub fn rows(&self) -> &[SolvedRow] {
        &self.rows
    }

    /// Indices of the rows in the order of their islands.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The place of row `i` in that order.
    pub fn place(&self, i: usize) -> usize {
        self.place[i]
    }

    /// The islands, in that order.
    pub fn blocks(&self) -> &[OpenedIsland] {
        &self.blocks
    }

    /// The entries of row `i` of A that may differ from zero: column and value.
    pub fn entries(&self, i: usize) -> &[(usize, f64)] {
        &self.matrix[i]
    }

    /// The entry of A in row `i` and column `j`.
    pub fn entry(&self, i: usize, j: usize) -> f64 {
        let row = &self.matrix[i];
        row.binary_search_by_key(&j, |(column, _)| *column).map_or(0.0, |at| row[at].1)
    }

    /// b₀ of row `i`: its w where no impulse acts.
    pub fn given(&self, i: usize) -> f64 {
        self.given[i]
    }

    /// λ by row.
    pub fn multipliers(&self) -> Vec<f64> {
        self.rows.iter().map(|row| row.reading.lambda).collect()
    }

    /// What row `i` does.
    pub fn state(&self, i: usize) -> RowState {
        state::of(&self.problem, &self.rows, i)
    }

    /// Whether all rows are equations: one linear system, which takes no pivots.
    pub fn is_linear(&self) -> bool {
        self.problem.is_linear()
    }

    /// The longest trail of all islands, and the rows of its island.
    pub fn longest_trail(&self) -> Option<(Trail, usize)> {
        let islands = self.blocks.iter().filter_map(|block| block.reading.as_ref());
        islands
            .map(|island| (island.trail, island.rows))
            .reduce(|longest, other| if other.0.is_longer_than(&longest.0) { other } else { longest })
    }
}
