//! What a way to store a sparse symmetric matrix and its factors has to offer.

use super::up_looking::{NoPivot, Replacement};

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

    /// A copy.
    fn boxed(&self) -> Box<dyn Factors>;
}
