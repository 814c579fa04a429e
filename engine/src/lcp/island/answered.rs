//! The island that was last solved, as it was posed: while it stays the same to the bit, it comes to the same.
//!
//! A pile at rest poses the same rows in every step, whatever flies beside it. What an island comes to depends on its problem, the solver
//! and the warm start alone, so that to recognise it is an economy and no influence.

use super::split::Islands;
use crate::lcp::info::SolverInfo;
use crate::lcp::mixed::problem::MixedProblem;
use crate::parameter::Values;

/// By what an island is solved: the solver and its parameters, and whether rows may yield.
#[derive(Clone, Copy, Debug)]
pub(super) struct By<'a> {
    pub info: &'static SolverInfo,
    pub values: &'a Values,
    pub yields: bool,
}

/// An island, with its warm start and by what it was solved.
#[derive(Debug, Default)]
pub(super) struct Answered {
    /// The problem as it was taken out of the whole.
    pub problem: MixedProblem,
    warm: Vec<f64>,
    by: Option<(&'static SolverInfo, Values, bool)>,
}

impl Answered {
    /// Whether it is island `index` of `problem` with its share of the warm start `lambda`, solved by `by`.
    pub fn is(
        &self,
        by: By<'_>,
        (islands, index): (&Islands, usize),
        problem: &MixedProblem,
        lambda: &[f64],
    ) -> bool {
        let Some((info, values, yields)) = &self.by else { return false };
        let rows = islands.rows_of(index);
        std::ptr::eq(*info, by.info)
            && (values, *yields) == (by.values, by.yields)
            && rows.len() == self.warm.len()
            && rows.iter().zip(&self.warm).all(|(&row, x)| lambda[row as usize].to_bits() == x.to_bits())
            && islands.extracts_to(problem, index, &self.problem)
    }

    /// Becomes that.
    pub fn take(
        &mut self,
        by: By<'_>,
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
    }
}
