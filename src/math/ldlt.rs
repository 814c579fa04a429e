//! Sparse LDLᵀ factorisation of a symmetric positive semidefinite matrix, its symbolic phase kept while
//! the pattern stays.
//!
//! The factorisation itself is faer's up-looking simplicial one, ordered by approximate minimum degree:
//! linear time on chains and trees, scalar arithmetic in a fixed order, hence the same bits in every build.
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

use super::largest;
use super::pattern::{compress, minimum_degree};
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::ldlt::factor::LdltRegularization;
use faer::sparse::linalg::cholesky::simplicial;
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par};
use thiserror::Error;

/// Pivot of the unit-diagonal matrix that rounding alone can leave of a dependent row.
pub const ROUNDED_PIVOT: f64 = 1e-14;
/// What such a pivot is replaced by, so that the factorisation runs to its end and finds the others. Honest
/// pivots of a unit-diagonal matrix do not exceed 1.
const REPLACED_PIVOT: f64 = 2.0;
/// ε of the singular case, relative to the unit diagonal.
const PROXIMAL_SHIFT: f64 = 1e-8;
/// Refinement stops when the residual is this small relative to the right-hand side.
const REFINED: f64 = 1e-16;
/// An iteration that leaves more than this share of the residual has stagnated.
const STAGNATION: f64 = 0.5;
/// A residual of a singular system above this, relative to the right-hand side, is a conflict and no rounding.
const CONFLICT: f64 = 1e-13;
/// What may be left of a conflict, relative to the right-hand side: it enters x divided by ε.
const EXTRACTED: f64 = 1e-15;
/// Most times that a conflict is extracted from the right-hand side.
const EXTRACTIONS: usize = 5;
/// Times that the conflict is freed of what the proximal iteration had not yet reached.
const PURIFICATIONS: usize = 4;
/// Most refinements of a regular system, and most proximal iterations of a singular one.
const MAX_REFINEMENTS: usize = 3;
const MAX_PROXIMAL_ITERATIONS: usize = 40;

/// A matrix that cannot be factorised.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum FactorError {
    /// An entry is not finite.
    #[error("the matrix is not finite")]
    NotFinite,
    /// There is no memory for the factors.
    #[error("there is no memory for the factors of the matrix")]
    OutOfMemory,
}

/// A symmetric positive semidefinite matrix of fixed pattern with its factors.
///
/// Entries are addressed by *slots*: [`SparseLdlt::new`] takes the pattern's pairs and gives each a slot in
/// the values that [`SparseLdlt::factor`] reads.
pub struct SparseLdlt {
    n: usize,
    /// Upper triangle of the permuted matrix, compressed columns.
    column_start: Vec<usize>,
    row_index: Vec<usize>,
    diagonal: Vec<usize>,
    /// permutation[i] is the original index of permuted row i.
    permutation: Vec<usize>,
    symbolic: simplicial::SymbolicSimplicialCholesky<usize>,
    memory: MemBuffer,
    /// The unscaled entries, to be filled by the caller.
    values: Vec<f64>,
    scaled: Vec<f64>,
    factors: Vec<f64>,
    scale: Vec<f64>,
    /// All +1: the matrix is semidefinite, so a negative pivot is a rounded zero.
    signs: Vec<i8>,
    /// Rows found to depend on the others, and whether the factors are those of A + εI.
    dependent: usize,
    singular: bool,
    rhs: Vec<f64>,
    x: Vec<f64>,
    residual: Vec<f64>,
    /// The part of a right-hand side that lies outside the range of a singular matrix.
    unreachable: Vec<f64>,
}

impl std::fmt::Debug for SparseLdlt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SparseLdlt").field("n", &self.n).field("nonzeros", &self.values.len()).finish()
    }
}

impl SparseLdlt {
    /// Analyses the pattern of an n × n symmetric matrix given by its pairs (i, j), either triangle, repeats
    /// allowed, and returns it with the slot of every pair. The diagonal is always in the pattern.
    ///
    /// # Errors
    /// [`FactorError::OutOfMemory`].
    pub fn new(n: usize, pairs: &[(usize, usize)]) -> Result<(Self, Vec<usize>), FactorError> {
        let identity: Vec<usize> = (0..n).collect();
        let (start, index) = compress(n, pairs, &identity);
        let permutation = minimum_degree(n, &start, &index);
        let mut position = vec![0; n];
        for (new, &old) in permutation.iter().enumerate() {
            position[old] = new;
        }
        let (column_start, row_index) = compress(n, pairs, &position);
        let slot = |i: usize, j: usize| {
            let (low, high) = (position[i].min(position[j]), position[i].max(position[j]));
            let column = &row_index[column_start[high]..column_start[high + 1]];
            column_start[high] + column.binary_search(&low).unwrap_or_default()
        };
        let slots = pairs.iter().map(|&(i, j)| slot(i, j)).collect();
        let diagonal = (0..n).map(|i| slot(i, i)).collect();

        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &column_start, None, &row_index);
        let mut memory = MemBuffer::new(StackReq::any_of(&[
            simplicial::prefactorize_symbolic_cholesky_scratch::<usize>(n, row_index.len()),
            simplicial::factorize_simplicial_symbolic_cholesky_scratch::<usize>(n),
            simplicial::factorize_simplicial_numeric_ldlt_scratch::<usize, f64>(n),
        ]));
        let (mut tree, mut counts) = (vec![0_isize; n], vec![0_usize; n]);
        let stack = MemStack::new(&mut memory);
        let tree = simplicial::prefactorize_symbolic_cholesky(&mut tree, &mut counts, pattern, stack);
        let stack = MemStack::new(&mut memory);
        let symbolic = simplicial::factorize_simplicial_symbolic_cholesky(pattern, tree, &counts, stack)
            .map_err(|_| FactorError::OutOfMemory)?;
        let nonzeros = row_index.len();
        let ldlt = Self {
            n,
            diagonal,
            permutation,
            values: vec![0.0; nonzeros],
            scaled: vec![0.0; nonzeros],
            factors: vec![0.0; symbolic.len_val()],
            scale: vec![1.0; n],
            signs: vec![1; n],
            dependent: 0,
            singular: false,
            rhs: vec![0.0; n],
            x: vec![0.0; n],
            residual: vec![0.0; n],
            unreachable: vec![0.0; n],
            column_start,
            row_index,
            symbolic,
            memory,
        };
        Ok((ldlt, slots))
    }

    /// A matrix of the same pattern and slots, its entries zero.
    pub fn with_same_pattern(&self) -> Self {
        let stack = simplicial::factorize_simplicial_numeric_ldlt_scratch::<usize, f64>(self.n);
        Self {
            n: self.n,
            column_start: self.column_start.clone(),
            row_index: self.row_index.clone(),
            diagonal: self.diagonal.clone(),
            permutation: self.permutation.clone(),
            symbolic: self.symbolic.clone(),
            memory: MemBuffer::new(stack),
            values: vec![0.0; self.values.len()],
            scaled: vec![0.0; self.scaled.len()],
            factors: vec![0.0; self.factors.len()],
            scale: vec![1.0; self.n],
            signs: self.signs.clone(),
            dependent: 0,
            singular: false,
            rhs: vec![0.0; self.n],
            x: vec![0.0; self.n],
            residual: vec![0.0; self.n],
            unreachable: vec![0.0; self.n],
        }
    }

    /// The unscaled entries by slot, to be filled before [`SparseLdlt::factor`].
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// The slot of the diagonal entry of row `i`.
    pub fn diagonal_slot(&self, i: usize) -> usize {
        self.diagonal[i]
    }

    /// Number of rows that depend on the others, as the last factorisation found or was told.
    pub fn dependent_rows(&self) -> usize {
        self.dependent
    }

    /// Factorises the present values and returns how many rows depend on the others: those whose pivot, of the
    /// matrix scaled to a unit diagonal, is below `pivot_threshold`.
    ///
    /// If there are any, the factors are not those of A, and [`SparseLdlt::factor_singular`] or another
    /// threshold is to follow before a solve.
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
        // The first entry of a column of the factor is its pivot.
        let pivots = self.symbolic.col_ptr()[..self.n].iter().map(|start| self.factors[*start]);
        let replaced = pivots.enumerate().filter(|(_, pivot)| *pivot == REPLACED_PIVOT);
        replaced.map(|(new, _)| self.permutation[new])
    }

    /// Factorises the present values as a singular matrix of which `dependent` rows depend on the others.
    ///
    /// # Errors
    /// [`FactorError::NotFinite`] if an entry is not finite.
    pub fn factor_singular(&mut self, dependent: usize) -> Result<(), FactorError> {
        self.scale_values()?;
        self.shift_diagonal(PROXIMAL_SHIFT);
        self.factor_scaled(ROUNDED_PIVOT)?;
        self.shift_diagonal(-PROXIMAL_SHIFT);
        (self.dependent, self.singular) = (dependent, true);
        Ok(())
    }

    fn shift_diagonal(&mut self, shift: f64) {
        for &slot in &self.diagonal {
            self.scaled[slot] += shift;
        }
    }

    fn scale_values(&mut self) -> Result<(), FactorError> {
        let Self { n, permutation, diagonal, values, scaled, scale, column_start, row_index, .. } = self;
        for new in 0..*n {
            let d = values[diagonal[permutation[new]]];
            if !d.is_finite() {
                return Err(FactorError::NotFinite);
            }
            scale[new] = if d > 0.0 { 1.0 / d.sqrt() } else { 1.0 };
        }
        for column in 0..*n {
            for slot in column_start[column]..column_start[column + 1] {
                scaled[slot] = values[slot] * scale[row_index[slot]] * scale[column];
            }
        }
        Ok(())
    }

    /// Factorises the scaled values; returns how many pivots were below the threshold and replaced.
    fn factor_scaled(&mut self, pivot_threshold: f64) -> Result<usize, FactorError> {
        let Self { n, scaled, column_start, row_index, .. } = self;
        let pattern = SymbolicSparseColMatRef::new_checked(*n, *n, column_start, None, row_index);
        simplicial::factorize_simplicial_numeric_ldlt(
            &mut self.factors,
            SparseColMatRef::new(pattern, scaled),
            LdltRegularization {
                dynamic_regularization_signs: Some(&self.signs),
                dynamic_regularization_delta: REPLACED_PIVOT,
                dynamic_regularization_epsilon: pivot_threshold,
            },
            &self.symbolic,
            MemStack::new(&mut self.memory),
        )
        .map(|info| info.dynamic_regularization_count)
        .map_err(|_| FactorError::NotFinite)
    }

    /// Solves A x = b and returns ‖A x − b‖∞ of the original, unscaled system.
    ///
    /// After [`SparseLdlt::factor_singular`], x is the least-squares solution of least norm in the scaled
    /// system, and the residual returned is what conflicting rows leave.
    pub fn solve(&mut self, b: &[f64], x: &mut [f64]) -> f64 {
        for (new, &old) in self.permutation.iter().enumerate() {
            self.rhs[new] = b[old] * self.scale[new];
        }
        if self.singular {
            self.solve_singular();
        } else {
            self.iterate(MAX_REFINEMENTS);
        }
        for (new, &old) in self.permutation.iter().enumerate() {
            x[old] = self.x[new] * self.scale[new];
        }
        let unscaled = |new: usize| self.residual[new] / self.scale[new];
        largest((0..self.n).map(unscaled))
    }

    /// A x − b of the last solve with its sign turned, b − A x, in the order of the rows.
    pub fn left(&self, into: &mut [f64]) {
        for (new, &old) in self.permutation.iter().enumerate() {
            into[old] = self.residual[new] / self.scale[new];
        }
    }

    /// The proximal iteration, and again without the part b₀ of the right-hand side that it could not reach.
    ///
    /// F has a condition of 1/ε, so that one extraction of b₀ leaves some 1e-8 of it; the next ones take that.
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
            if norm <= REFINED * size {
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

    /// residual = rhs − A x; returns its largest component.
    fn residual_norm(&mut self) -> f64 {
        let Self { n, column_start, row_index, scaled, x, rhs, residual, .. } = self;
        residual.copy_from_slice(rhs);
        for column in 0..*n {
            for slot in column_start[column]..column_start[column + 1] {
                let row = row_index[slot];
                residual[row] -= scaled[slot] * x[column];
                if row != column {
                    residual[column] -= scaled[slot] * x[row];
                }
            }
        }
        largest(residual.iter().copied())
    }

    /// Replaces one of the vectors by F⁻¹ times itself.
    fn apply_inverse(&mut self, field: Field) {
        let n = self.n;
        let x = match field {
            Field::X => &mut self.x,
            Field::Residual => &mut self.residual,
        };
        simplicial::SimplicialLdltRef::new(&self.symbolic, &self.factors).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(x, n, 1),
            Par::Seq,
            MemStack::new(&mut self.memory),
        );
    }
}

/// Which vector [`SparseLdlt::apply_inverse`] works on.
#[derive(Clone, Copy)]
enum Field {
    X,
    Residual,
}

/// x ← x + factor dx.
fn add(x: &mut [f64], factor: f64, dx: &[f64]) {
    for (x, dx) in x.iter_mut().zip(dx) {
        *x += factor * dx;
    }
}
