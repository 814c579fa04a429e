//! The cache of solved islands: returns the last solution of an island if its problem is the same to the bit.
//!
//! A pile at rest has the same rows in every step, even while other bodies move. The outcome of an island depends only on its
//! problem, the solver and the warm start, so that a hit saves the solve and changes no bit. This is the only cache of solutions.

use super::split::Islands;
use crate::lcp::info::{Effort, SolverInfo};
use crate::lcp::problem::mixed::MixedProblem;
use crate::lcp::problem::solution::{MixedError, Solved};
use crate::parameter::Values;

/// The outcome of a solved island.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IslandOutcome {
    pub solved: Solved,
    pub judged: Judgement,
    /// Whether nothing proves that there is no solution although rows are violated.
    pub unproved: bool,
    /// Whether the effort was bounded and did not lead to a solution.
    pub approximate: bool,
}

/// Why an island has no outcome.
#[derive(Clone, Debug)]
pub(crate) struct IslandFailure {
    pub error: MixedError,
    /// Whether a solver was called at all.
    pub tried: bool,
}

/// The judgement of an island's λ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judgement {
    /// maxᵢ |r̂ᵢ|/ŝ, 0 where the problem is proved to have no solution.
    pub relative: f64,
    /// An upper bound of maxᵢ |r̂ᵢ|/ŝ, even where infeasibility is proved.
    pub left: f64,
    /// Whether equations contradict each other.
    pub conflict: bool,
    /// ‖r‖∞ on the problem as posed; `None` where the problem was changed, or λ has changed since.
    pub posed: Option<f64>,
}

/// How an island is solved: the solver with its parameters and effort, and whether rows may be violated without a proof.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolvedBy<'a> {
    pub info: &'static SolverInfo,
    pub values: &'a Values,
    pub effort: Effort,
    pub yields: bool,
}

/// The island that was solved last, with its warm start and how it was solved.
#[derive(Debug, Default)]
pub(crate) struct IslandCache {
    /// The island's problem, as extracted from the step's problem.
    pub problem: MixedProblem,
    warm: Vec<f64>,
    by: Option<(&'static SolverInfo, Values, Effort, bool)>,
    /// Its outcome; `None` if it was not solved.
    pub came: Option<IslandOutcome>,
}

impl IslandCache {
    /// Returns the outcome of island `index` of `problem` if the island, its share of the warm start `lambda` and `by` are those
    /// of the last solve.
    pub fn recall(
        &self,
        by: SolvedBy<'_>,
        (islands, index): (&Islands, usize),
        problem: &MixedProblem,
        lambda: &[f64],
    ) -> Option<IslandOutcome> {
        let (came, (info, values, effort, yields)) = (self.came?, self.by.as_ref()?);
        let rows = islands.rows_of(index);
        let hit = std::ptr::eq(*info, by.info)
            && (values, *effort, *yields) == (by.values, by.effort, by.yields)
            && rows.len() == self.warm.len()
            && rows.iter().zip(&self.warm).all(|(&row, x)| lambda[row as usize].to_bits() == x.to_bits())
            && islands.extracts_to(problem, index, &self.problem);
        hit.then_some(came)
    }

    /// Notes by what the extracted island `index` is about to be solved, and from which share of the warm start `lambda`.
    pub fn remember(&mut self, by: SolvedBy<'_>, (islands, index): (&Islands, usize), lambda: &[f64]) {
        self.warm.clear();
        self.warm.extend(islands.rows_of(index).iter().map(|&row| lambda[row as usize]));
        match &mut self.by {
            Some((info, values, effort, yields)) if *values == *by.values => {
                (*info, *effort, *yields) = (by.info, by.effort, by.yields)
            }
            other => *other = Some((by.info, by.values.clone(), by.effort, by.yields)),
        }
        self.came = None;
    }
}
