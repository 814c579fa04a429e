//! What a row of a solved problem does, in a word.

use crate::lcp::{Law, MixedProblem};
use crate::step::SolvedRow;

/// Relative distance from a bound within which λ counts as having reached it: the tolerance with which solutions are accepted.
const AT_BOUND: f64 = 1e-9;

/// What a row does at the solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowState {
    /// An equation: w = 0 whatever λ is.
    Equation,
    /// A contact or limit that pushes, or would have to if w fell: w = 0.
    Closed,
    /// A contact or limit that does not push, or the friction of such a contact.
    Open,
    /// Friction inside its cone.
    Sticking,
    /// Friction on the edge of its cone.
    Sliding,
    /// λ between its bounds.
    Inside,
    /// λ at one of its bounds.
    AtBound,
}

impl RowState {
    /// In a word.
    pub fn words(self) -> &'static str {
        match self {
            Self::Equation => "equation",
            Self::Closed => "closed",
            Self::Open => "open",
            Self::Sticking => "sticking",
            Self::Sliding => "sliding",
            Self::Inside => "inside",
            Self::AtBound => "at bound",
        }
    }
}

pub(super) fn of(problem: &MixedProblem, rows: &[SolvedRow], i: usize) -> RowState {
    let reading = &rows[i].reading;
    let [lower, upper] = reading.bounds;
    // Written so that an infinite bound is never reached.
    let reached = |bound: f64| {
        bound.is_finite()
            && (reading.lambda - bound).abs() <= AT_BOUND * bound.abs().max(reading.lambda.abs())
    };
    match problem.rows[i].law {
        Law::Equation => RowState::Equation,
        Law::Unilateral if reading.lambda > 0.0 => RowState::Closed,
        Law::Unilateral => RowState::Open,
        Law::Friction { normal, .. } | Law::Sliding { normal, .. }
            if rows[normal].reading.lambda <= 0.0 =>
        {
            RowState::Open
        }
        Law::Sliding { .. } => RowState::Sliding,
        Law::Friction { .. } if reached(lower) || reached(upper) => RowState::Sliding,
        Law::Friction { .. } => RowState::Sticking,
        Law::Bounded { .. } if reached(lower) || reached(upper) => RowState::AtBound,
        Law::Bounded { .. } => RowState::Inside,
    }
}
