//! Sparse LDLᵀ factorisation of a symmetric positive semidefinite matrix, whose symbolic analysis is reused while the
//! pattern stays the same.
//!
//! Rows are ordered by approximate minimum degree: linear time on chains and trees. The factors are those of `up_looking`, in
//! blocks where nothing is filled in (`elimination.rs`): arithmetic in a fixed order, hence the same bits in every build.
//!
//! **Singular matrices.** The matrix is scaled to a unit diagonal, so that every pivot lies in [0, 1]; a pivot
//! below a threshold belongs to a row that depends on the rows before it. Such a matrix is factorised as
//! A + εI, and A x = b solved by proximal iteration,
//!
//! ```text
//! x ← x + (A + εI)⁻¹ (b − A x) ,   x = 0 at first,
//! ```
//!
//! which multiplies the error along an eigenvector of eigenvalue σ by ε/(σ + ε). It converges to the
//! solution of least norm. Where b has a part b₀ outside the range of A (conflicting constraints), the residual
//! stagnates at b₀; the iteration then starts again with b − b₀, and what it reaches is the pseudo-inverse's
//! solution A⁺b. Eigenvalues well below ε are cut off, the role of the truncated singular
//! values of Cline & Pai [2003, section IV-B].

use super::elimination::{Storage, eliminate};
use super::factors::{Factors, LEAST, MAX_REFINEMENTS, REFINED, REPLACED_PIVOT, ROUNDED, STAGNATION};
use super::pattern::{compress, minimum_degree, short};
use super::up_looking::Replacement;
use super::{add, largest};
use thiserror::Error;

/// Largest pivot that rounding alone leaves in a dependent row of the unit-diagonal matrix.
pub const ROUNDED_PIVOT: f64 = 1e-14;
/// ε of the singular case, relative to the unit diagonal.
const PROXIMAL_SHIFT: f64 = 1e-8;
/// A residual of a singular system above this, relative to the right-hand side, is a conflict, not rounding.
const CONFLICT: f64 = 1e-13;
/// Largest part of a conflict that may remain in the right-hand side, relative to it; it enters x divided by ε.
const EXTRACTED: f64 = 1e-15;
/// Largest number of times that a conflict is extracted from the right-hand side.
const EXTRACTIONS: usize = 5;
/// Number of passes that remove from the extracted conflict what the proximal iteration had not yet reduced.
const PURIFICATIONS: usize = 4;
/// Most proximal iterations of a singular system.
const MAX_PROXIMAL_ITERATIONS: usize = 40;

/// A matrix that cannot be factorised.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum FactorError {
    /// An entry is not finite.
    #[error("the matrix is not finite")]
    NotFinite,
}

/// A symmetric positive semidefinite matrix of fixed pattern with its factors.
///
/// Entries are addressed by *slots*: [`SparseLdlt::new`] takes the pattern's pairs and gives each a slot in
/// the values that [`SparseLdlt::factor`] reads. Indices have 32 bits: a factorisation reads about as many indices as numbers, and
/// of a long chain more of both than a cache holds.
pub struct SparseLdlt {
    /// Of every row, in the original order, the slot on the diagonal.
    diagonal: Vec<u32>,
    /// The same in the order of elimination.
    pivots: Vec<u32>,
    /// permutation[i] is the original index of permuted row i.
    permutation: Vec<u32>,
    /// The permuted and scaled matrix.
    elimination: Box<dyn Factors>,
    /// The unscaled entries, to be filled by the caller.
    values: Vec<f64>,
    scale: Vec<f64>,
    /// Rows found to depend on the others, and whether the factors are those of A + εI.
    dependent: usize,
    singular: bool,
    rhs: Vec<f64>,
    x: Vec<f64>,
    residual: Vec<f64>,
    /// |b| + |A||x|, row by row.
    sizes: Vec<f64>,
    /// The part of a right-hand side that lies outside the range of a singular matrix.
    unreachable: Vec<f64>,
}

impl std::fmt::Debug for SparseLdlt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SparseLdlt")
            .field("n", &self.scale.len())
            .field("nonzeros", &self.values.len())
            .finish()
    }
}

impl SparseLdlt {
    /// Analyses the pattern of an n × n symmetric matrix given by its pairs (i, j), either triangle, repeats
    /// allowed, and returns it with the slot of every pair. The diagonal is always in the pattern.
    pub fn new(n: usize, pairs: &[(usize, usize)]) -> (Self, Vec<usize>) {
        Self::stored(n, pairs, Storage::Chains)
    }

    /// The same with its factors stored in no more special way than `at_most`.
    pub(super) fn stored(n: usize, pairs: &[(usize, usize)], at_most: Storage) -> (Self, Vec<usize>) {
        let identity: Vec<usize> = (0..n).collect();
        let (start, index) = compress(n, pairs, &identity);
        let permutation = minimum_degree(n, &start, &index);
        let mut position = vec![0; n];
        for (new, &old) in permutation.iter().enumerate() {
            position[old] = new;
        }
        let (column_start, row_index) = compress(n, pairs, &position);
        let elimination = eliminate(n, &column_start, &row_index, at_most);
        let slot = |i: usize, j: usize| {
            elimination.slot(position[i].max(position[j]), position[i].min(position[j]))
        };
        let slots = pairs.iter().map(|&(i, j)| slot(i, j)).collect();
        let diagonal: Vec<usize> = (0..n).map(|i| slot(i, i)).collect();
        (Self::about(elimination, short(&diagonal), short(&permutation)), slots)
    }

    /// A matrix of the same pattern and slots, its entries zero.
    pub fn with_same_pattern(&self) -> Self {
        Self::about(self.elimination.boxed(), self.diagonal.clone(), self.permutation.clone())
    }

    fn about(elimination: Box<dyn Factors>, diagonal: Vec<u32>, permutation: Vec<u32>) -> Self {
        let n = permutation.len();
        Self {
            pivots: permutation.iter().map(|old| diagonal[*old as usize]).collect(),
            diagonal,
            permutation,
            values: vec![0.0; elimination.len()],
            elimination,
            scale: vec![1.0; n],
            dependent: 0,
            singular: false,
            rhs: vec![0.0; n],
            x: vec![0.0; n],
            residual: vec![0.0; n],
            sizes: vec![0.0; n],
            unreachable: vec![0.0; n],
        }
    }

    /// The unscaled entries by slot, to be filled before [`SparseLdlt::factor`].
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// The unscaled diagonal, row by row.
    pub fn diagonals(&self) -> impl Iterator<Item = f64> + '_ {
        self.diagonal.iter().map(|slot| self.values[*slot as usize])
    }

    /// The unscaled diagonal entry of row `i`.
    pub fn diagonal(&self, i: usize) -> f64 {
        self.values[self.diagonal[i] as usize]
    }

    /// The slot of the diagonal entry of row `i`.
    pub fn diagonal_slot(&self, i: usize) -> usize {
        self.diagonal[i] as usize
    }

    /// Number of rows that depend on the others, as the last factorisation found or was told.
    pub fn dependent_rows(&self) -> usize {
        self.dependent
    }

    /// Factorises the present values and returns how many rows depend on the others: those whose pivot, of the
    /// matrix scaled to a unit diagonal, is below `pivot_threshold`.
    ///
    /// If there are any, the factors are not those of A: [`SparseLdlt::factor_singular`], or this function with
    /// another threshold, must be called before a solve.
    ///
    /// # Errors
    /// [`FactorError::NotFinite`] if an entry is not finite.
    pub fn factor(&mut self, pivot_threshold: f64) -> Result<usize, FactorError> {
        self.scale_values()?;
        self.singular = false;
        self.dependent = self.factor_scaled(pivot_threshold)?;
        Ok(self.dependent)
    }

    /// The rows whose pivots the last factorisation replaced, since they depend on the rows before them.
    pub fn replaced_rows(&self) -> impl Iterator<Item = usize> + '_ {
        let pivots = self.elimination.pivots().into_iter().enumerate();
        let replaced = pivots.filter(|(_, pivot)| *pivot == REPLACED_PIVOT);
        replaced.map(|(new, _)| self.permutation[new] as usize)
    }

    /// Factorises the present values as a singular matrix of which `dependent` rows depend on the others.
    ///
    /// # Errors
    /// [`FactorError::NotFinite`] if an entry is not finite.
    pub fn factor_singular(&mut self, dependent: usize) -> Result<(), FactorError> {
        self.scale_values()?;
        self.elimination.shift_diagonal(PROXIMAL_SHIFT);
        self.factor_scaled(ROUNDED_PIVOT)?;
        self.elimination.shift_diagonal(-PROXIMAL_SHIFT);
        (self.dependent, self.singular) = (dependent, true);
        Ok(())
    }

    fn scale_values(&mut self) -> Result<(), FactorError> {
        let Self { pivots, elimination, values, scale, .. } = self;
        for (scale, slot) in scale.iter_mut().zip(pivots) {
            let d = values[*slot as usize];
            if !d.is_finite() {
                return Err(FactorError::NotFinite);
            }
            *scale = if d > 0.0 { 1.0 / d.sqrt() } else { 1.0 };
        }
        elimination.scale(values, scale);
        Ok(())
    }

    /// Factorises the scaled values; returns how many pivots were below the threshold and replaced.
    fn factor_scaled(&mut self, pivot_threshold: f64) -> Result<usize, FactorError> {
        // A negative pivot of a semidefinite matrix is a rounded zero, and below any threshold.
        let small = Replacement { threshold: pivot_threshold, pivot: REPLACED_PIVOT };
        self.elimination.factor(&small).map_err(|_| FactorError::NotFinite)
    }

    /// Solves A x = b and returns ‖A x − b‖∞ of the original, unscaled system.
    ///
    /// After [`SparseLdlt::factor_singular`], x is the least-squares solution of least norm in the scaled
    /// system, and the residual returned is that of conflicting rows.
    pub fn solve(&mut self, b: &[f64], x: &mut [f64]) -> f64 {
        self.take_rhs(b);
        if self.singular {
            self.solve_singular();
        } else {
            self.iterate(MAX_REFINEMENTS);
        }
        self.write_x(x);
        largest(self.residual.iter().zip(&self.scale).map(|(residual, scale)| residual / scale))
    }

    /// Solves A x = b without a look at the residual, which the factors of a positive definite matrix leave at a few ε ‖A‖ ‖x‖; with
    /// [`SparseLdlt::solve`] where rows depend on others.
    pub fn substitute(&mut self, b: &[f64], x: &mut [f64]) {
        if self.singular {
            self.solve(b, x);
            return;
        }
        self.take_rhs(b);
        self.x.copy_from_slice(&self.rhs);
        self.apply_inverse(Field::X);
        self.write_x(x);
    }

    fn take_rhs(&mut self, b: &[f64]) {
        let scaled = self.rhs.iter_mut().zip(&self.permutation).zip(&self.scale);
        scaled.for_each(|((rhs, old), scale)| *rhs = b[*old as usize] * scale);
    }

    fn write_x(&self, x: &mut [f64]) {
        for ((own, old), scale) in self.x.iter().zip(&self.permutation).zip(&self.scale) {
            x[*old as usize] = own * scale;
        }
    }

    /// b − A x of the last solve, in the original order of the rows.
    pub fn left(&self, into: &mut [f64]) {
        for (new, &old) in self.permutation.iter().enumerate() {
            into[old as usize] = self.residual[new] / self.scale[new];
        }
    }

    /// The proximal iteration, repeated without the part b₀ of the right-hand side that lies outside the range of A.
    ///
    /// F has the condition number 1/ε, so that one extraction leaves about 1e-8 of b₀, which the next ones remove.
    fn solve_singular(&mut self) {
        let size = largest(self.rhs.iter().copied());
        self.unreachable.fill(0.0);
        let mut enough = CONFLICT * size;
        for extractions in 0..=EXTRACTIONS {
            let norm = self.iterate(MAX_PROXIMAL_ITERATIONS);
            if norm <= enough || extractions == EXTRACTIONS {
                break;
            }
            enough = EXTRACTED * size;
            for _ in 0..PURIFICATIONS {
                // r ← r − A F⁻¹ r = ε F⁻¹ r leaves b₀ as it is and shrinks all else.
                self.apply_inverse(Field::Residual);
                self.residual.iter_mut().for_each(|r| *r *= PROXIMAL_SHIFT);
            }
            add(&mut self.rhs, -1.0, &self.residual);
            add(&mut self.unreachable, 1.0, &self.residual);
        }
        add(&mut self.residual, 1.0, &self.unreachable);
    }

    /// x ← x + F⁻¹ (rhs − A x) with the present factors F, from x = F⁻¹ rhs until the residual stagnates:
    /// iterative refinement where F = A, the proximal iteration where F = A + εI. Leaves the residual and
    /// returns its size.
    fn iterate(&mut self, most: usize) -> f64 {
        self.x.copy_from_slice(&self.rhs);
        self.apply_inverse(Field::X);
        let size = largest(self.rhs.iter().copied());
        let mut norm = self.residual_norm();
        for _ in 0..most {
            if norm <= REFINED * size || !self.singular && self.leaves_rounding() {
                break;
            }
            let last = norm;
            self.apply_inverse(Field::Residual);
            add(&mut self.x, 1.0, &self.residual);
            norm = self.residual_norm();
            if norm > STAGNATION * last {
                break;
            }
        }
        norm
    }

    /// Whether no residual is larger than what rounds its terms.
    fn leaves_rounding(&mut self) -> bool {
        let Self { elimination, x, rhs, residual, sizes, .. } = self;
        sizes.iter_mut().zip(&*rhs).for_each(|(size, b)| *size = b.abs().max(LEAST));
        elimination.add_sizes(x, sizes);
        !residual.iter().zip(sizes).any(|(residual, size)| residual.abs() > ROUNDED * *size)
    }

    /// residual = rhs − A x; returns its largest component.
    fn residual_norm(&mut self) -> f64 {
        let Self { elimination, x, rhs, residual, .. } = self;
        residual.copy_from_slice(rhs);
        elimination.subtract_product(x, residual);
        largest(residual.iter().copied())
    }

    /// Replaces one of the vectors by F⁻¹ times itself.
    fn apply_inverse(&mut self, field: Field) {
        self.elimination.solve(match field {
            Field::X => &mut self.x,
            Field::Residual => &mut self.residual,
        });
    }
}

/// Which vector [`SparseLdlt::apply_inverse`] works on.
#[derive(Clone, Copy)]
enum Field {
    X,
    Residual,
}
