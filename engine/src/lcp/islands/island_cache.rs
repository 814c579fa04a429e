//! The cache of solved islands: an island that is to the bit the one solved last has its solution.
//!
//! A pile at rest poses the same rows in every step, whatever flies beside it. What an island comes to depends on its problem, the solver
//! and the warm start alone, so that a hit spares the solve and changes no bit. It is the only memory of solutions.

use super::outcome::IslandOutcome;
use super::split::Islands;
use crate::lcp::info::SolverInfo;
use crate::lcp::problem::problem::MixedProblem;
use crate::parameter::Values;

/// By what an island is solved: the solver and its parameters, and whether rows may yield.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolvedBy<'a> {
    pub info: &'static SolverInfo,
    pub values: &'a Values,
    pub yields: bool,
}

/// The island that was solved last, with its warm start and by what it was solved.
#[derive(Debug, Default)]
pub(crate) struct IslandCache {
    /// The problem as it was taken out of the whole.
    pub problem: MixedProblem,
    warm: Vec<f64>,
    by: Option<(&'static SolverInfo, Values, bool)>,
    /// What it came to; none if it was not solved.
    pub came: Option<IslandOutcome>,
}

impl IslandCache {
    /// What island `index` of `problem` comes to from its share of the warm start `lambda`, if that is what `by` has solved last.
    pub fn recall(
        &self,
        by: SolvedBy<'_>,
        (islands, index): (&Islands, usize),
        problem: &MixedProblem,
        lambda: &[f64],
    ) -> Option<IslandOutcome> {
        let (came, (info, values, yields)) = (self.came?, self.by.as_ref()?);
        let rows = islands.rows_of(index);
        let hit = std::ptr::eq(*info, by.info)
            && (values, *yields) == (by.values, by.yields)
            && rows.len() == self.warm.len()
            && rows.iter().zip(&self.warm).all(|(&row, x)| lambda[row as usize].to_bits() == x.to_bits())
            && islands.extracts_to(problem, index, &self.problem);
        hit.then_some(came)
    }

    /// Takes up island `index` of `problem`, which `by` is about to solve from its share of the warm start `lambda`.
    pub fn take(
        &mut self,
        by: SolvedBy<'_>,
        (islands, index): (&Islands, usize),
        problem: &MixedProblem,
        lambda: &[f64],
    ) {
        islands.extract(problem, index, &mut self.problem);
        self.warm.clear();
        self.warm.extend(islands.rows_of(index).iter().map(|&row| lambda[row as usize]));
        match &mut self.by {
            Some((info, values, yields)) if *values == *by.values => {
                (*info, *yields) = (by.info, by.yields)
            }
            other => *other = Some((by.info, by.values.clone(), by.yields)),
        }
        self.came = None;
    }
}
