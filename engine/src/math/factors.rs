//! What a way to store a sparse symmetric matrix and its factors has to offer.

use super::up_looking::{NoPivot, Replacement};

/// The value that replaces a pivot that is too small, so that the factorisation continues and finds the other dependent rows.
/// Genuine pivots of a unit-diagonal matrix do not exceed 1.
pub(super) const REPLACED_PIVOT: f64 = 2.0;
/// Refinement stops when the residual is this small relative to the right-hand side.
pub(super) const REFINED: f64 = 1e-16;
/// Refinement stops, too, where the residual of every row is at most this share of |b| + |A||x|, the sizes of its terms: x then solves
/// exactly a system whose numbers differ from these in their last digits, and the residual is as large as what rounds the terms
/// [Oettli & Prager 1964; Arioli, Demmel & Duff 1989].
pub(super) const ROUNDED: f64 = 4.0 * f64::EPSILON;
/// Smaller sizes count as this one, whose rounding is a normal number.
pub(super) const LEAST: f64 = f64::MIN_POSITIVE / f64::EPSILON;
/// An iteration that leaves more than this share of the residual has stagnated.
pub(super) const STAGNATION: f64 = 0.5;
/// Most refinements of a regular system.
pub(super) const MAX_REFINEMENTS: usize = 3;

/// A sum less another term.
#[inline(always)]
pub(super) fn less(sum: f64, term: f64) -> f64 {
    sum - term
}

/// A sum of sizes with that of another term.
#[inline(always)]
pub(super) fn with_size(sum: f64, term: f64) -> f64 {
    sum + term.abs()
}

/// A matrix with its factors L D Lᵀ, in the order of elimination.
pub(super) trait Factors: Send + Sync {
    /// How many numbers A has, one triangle counted, some perhaps without use.
    fn len(&self) -> usize;

    /// Where the entry of a row and a column is among them, the column not after the row; of an entry that is in the pattern.
    fn slot(&self, row: usize, column: usize) -> usize;

    /// Takes A as `values` with row and column i scaled by `scale[i]`.
    fn scale(&mut self, values: &[f64], scale: &[f64]);

    /// Adds `shift` to every entry of the diagonal.
    fn shift_diagonal(&mut self, shift: f64);

    /// Factorises the scaled values; returns how many pivots were replaced.
    fn factor(&mut self, small: &Replacement) -> Result<usize, NoPivot>;

    /// D of the last factorisation, row by row.
    fn pivots(&self) -> Vec<f64>;

    /// b ← (L D Lᵀ)⁻¹ b.
    fn solve(&self, b: &mut [f64]);

    /// r ← r − A x with the scaled A.
    fn subtract_product(&self, x: &[f64], r: &mut [f64]);

    /// s ← s + |A| |x| with the scaled A, entry by entry.
    fn add_sizes(&self, x: &[f64], s: &mut [f64]);

    /// A copy.
    fn boxed(&self) -> Box<dyn Factors>;
}
