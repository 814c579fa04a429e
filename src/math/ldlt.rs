//! Sparse LDLᵀ factorisation of a symmetric positive semidefinite matrix, its symbolic phase kept while
//! the pattern stays.
//!
//! The factorisation itself is faer's up-looking simplicial one, ordered by approximate minimum degree:
//! linear time on chains and trees, scalar arithmetic in a fixed order, hence the same bits in every build.
//!
//! **Dependent rows.** The matrix is scaled to a unit diagonal, so that every pivot lies in [0, 1]. A pivot
//! below [`PIVOT_THRESHOLD`] belongs to a row that depends on the rows before it; it is replaced by δ = 2,
//! which no honest pivot can be. What is then factorised is B = A + δ E Eᵀ, E the unit vectors of the r
//! dependent rows:
//!
//! - if A x = b has a solution, it has one with Eᵀx = 0, and B x = b gives just that one;
//! - if not (conflicting constraints), Eᵀ B⁻¹ b ≠ 0 says so. The columns of N = δ B⁻¹ E span the null space
//!   of A; b is replaced by its projection b − N (NᵀN)⁻¹ Nᵀ b onto the range, the least-squares right-hand
//!   side, with NᵀN y = Nᵀ b solved by conjugate gradients.

use super::largest;
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::ldlt::factor::LdltRegularization;
use faer::sparse::linalg::amd;
use faer::sparse::linalg::cholesky::simplicial;
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par};
use thiserror::Error;

/// Pivot of the unit-diagonal matrix below which a row counts as dependent on the rows before it.
///
/// Rounding leaves some 1e-15 there; a mass ratio of 10¹¹ along a chain still stays above it.
pub const PIVOT_THRESHOLD: f64 = 1e-12;
/// What such a pivot is replaced by. Honest pivots of a unit-diagonal matrix do not exceed 1.
const REPLACED_PIVOT: f64 = 2.0;
/// Eᵀ B⁻¹ b relative to B⁻¹ b above which the system counts as inconsistent.
const CONFLICT_THRESHOLD: f64 = 1e-10;
/// Refinement stops when the residual is this small relative to the right-hand side.
const REFINED: f64 = 1e-16;
/// Most steps of iterative refinement.
const MAX_REFINEMENTS: usize = 3;

/// The matrix has an entry that is not finite.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the matrix is not finite")]
pub struct FactorError;

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
    dependent: Vec<usize>,
    rhs: Vec<f64>,
    x: Vec<f64>,
    residual: Vec<f64>,
}

impl std::fmt::Debug for SparseLdlt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SparseLdlt").field("n", &self.n).field("nonzeros", &self.values.len()).finish()
    }
}

impl SparseLdlt {
    /// Analyses the pattern of an n × n symmetric matrix given by its pairs (i, j), either triangle, repeats
    /// allowed, and returns it with the slot of every pair. The diagonal is always in the pattern.
    pub fn new(n: usize, pairs: &[(usize, usize)]) -> (Self, Vec<usize>) {
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
            .unwrap_or_else(|_| unreachable!("memory for the factors"));
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
            dependent: Vec::new(),
            rhs: vec![0.0; n],
            x: vec![0.0; n],
            residual: vec![0.0; n],
            column_start,
            row_index,
            symbolic,
            memory,
        };
        (ldlt, slots)
    }

    /// The unscaled entries by slot, to be filled before [`SparseLdlt::factor`].
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// The slot of the diagonal entry of row `i`.
    pub fn diagonal_slot(&self, i: usize) -> usize {
        self.diagonal[i]
    }

    /// Number of rows that depend on the others, from the last factorisation.
    pub fn dependent_rows(&self) -> usize {
        self.dependent.len()
    }

    /// Factorises the present values.
    ///
    /// # Errors
    /// [`FactorError`] if an entry is not finite.
    pub fn factor(&mut self) -> Result<(), FactorError> {
        let Self { n, permutation, diagonal, values, scaled, scale, column_start, row_index, .. } = self;
        for new in 0..*n {
            let d = values[diagonal[permutation[new]]];
            if !d.is_finite() {
                return Err(FactorError);
            }
            scale[new] = if d > 0.0 { 1.0 / d.sqrt() } else { 1.0 };
        }
        for column in 0..*n {
            for slot in column_start[column]..column_start[column + 1] {
                scaled[slot] = values[slot] * scale[row_index[slot]] * scale[column];
            }
        }
        let pattern = SymbolicSparseColMatRef::new_checked(*n, *n, column_start, None, row_index);
        let info = simplicial::factorize_simplicial_numeric_ldlt(
            &mut self.factors,
            SparseColMatRef::new(pattern, scaled),
            LdltRegularization {
                dynamic_regularization_signs: Some(&self.signs),
                dynamic_regularization_delta: REPLACED_PIVOT,
                dynamic_regularization_epsilon: PIVOT_THRESHOLD,
            },
            &self.symbolic,
            MemStack::new(&mut self.memory),
        )
        .map_err(|_| FactorError)?;
        self.dependent.clear();
        if info.dynamic_regularization_count > 0 {
            let (factors, start) = (&self.factors, self.symbolic.col_ptr());
            let replaced = |row: &usize| factors[start[*row]].abs() == REPLACED_PIVOT;
            self.dependent.extend((0..*n).filter(replaced));
        }
        Ok(())
    }

    /// Solves A x = b and returns ‖A x − b‖∞ of the original, unscaled system.
    ///
    /// Where rows depend on each other, x is the solution in which dependent rows carry nothing; where they
    /// conflict, that of the least-squares right-hand side, and the residual returned is the conflict.
    pub fn solve(&mut self, b: &[f64], x: &mut [f64]) -> f64 {
        for (new, &old) in self.permutation.iter().enumerate() {
            self.rhs[new] = b[old] * self.scale[new];
        }
        self.solve_scaled();
        if !self.dependent.is_empty() && self.conflicts() {
            self.project_rhs();
            self.solve_scaled();
        }
        for (new, &old) in self.permutation.iter().enumerate() {
            x[old] = self.x[new] * self.scale[new];
        }
        // The residual of the system that was asked for, not of a projected one.
        for (new, &old) in self.permutation.iter().enumerate() {
            self.rhs[new] = b[old] * self.scale[new];
        }
        self.residual_norm();
        let unscaled = |new: usize| (self.residual[new] / self.scale[new]).abs();
        largest((0..self.n).map(unscaled))
    }

    /// B x = rhs with iterative refinement against A, all scaled and permuted.
    fn solve_scaled(&mut self) {
        self.x.copy_from_slice(&self.rhs);
        let mut x = std::mem::take(&mut self.x);
        self.apply_inverse(&mut x);
        self.x = x;
        let size = largest(self.rhs.iter().copied());
        let mut last = f64::INFINITY;
        for _ in 0..MAX_REFINEMENTS {
            let norm = self.residual_norm();
            let worthwhile = norm > REFINED * size && norm < 0.5 * last;
            if !worthwhile {
                break;
            }
            last = norm;
            let mut r = std::mem::take(&mut self.residual);
            self.apply_inverse(&mut r);
            for (x, dx) in self.x.iter_mut().zip(&r) {
                *x += dx;
            }
            self.residual = r;
        }
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

    fn apply_inverse(&mut self, x: &mut [f64]) {
        let n = self.n;
        simplicial::SimplicialLdltRef::new(&self.symbolic, &self.factors).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(x, n, 1),
            Par::Seq,
            MemStack::new(&mut self.memory),
        );
    }

    fn conflicts(&self) -> bool {
        let size = largest(self.x.iter().copied());
        self.dependent.iter().any(|&row| self.x[row].abs() > CONFLICT_THRESHOLD * size)
    }

    /// rhs ← rhs − N (NᵀN)⁻¹ Nᵀ rhs, with N = δ B⁻¹ E and conjugate gradients for the inverse.
    fn project_rhs(&mut self) {
        let gather = |this: &mut Self, full: &[f64]| -> Vec<f64> {
            let mut full = full.to_vec();
            this.apply_inverse(&mut full);
            this.dependent.iter().map(|&row| REPLACED_PIVOT * full[row]).collect()
        };
        let spread = |this: &mut Self, y: &[f64]| -> Vec<f64> {
            let mut full = vec![0.0; this.n];
            for (&row, y) in this.dependent.iter().zip(y) {
                full[row] = REPLACED_PIVOT * y;
            }
            this.apply_inverse(&mut full);
            full
        };
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let rhs = self.rhs.clone();
        let mut r = gather(self, &rhs);
        let mut y = vec![0.0; r.len()];
        let mut p = r.clone();
        let mut rr = dot(&r, &r);
        let enough = rr * 1e-30;
        for _ in 0..2 * r.len().min(100) {
            if rr.is_nan() || rr <= enough {
                break;
            }
            let np = spread(self, &p);
            let np = gather(self, &np);
            let step = rr / dot(&p, &np);
            for i in 0..y.len() {
                y[i] += step * p[i];
                r[i] -= step * np[i];
            }
            let next = dot(&r, &r);
            for i in 0..p.len() {
                p[i] = r[i] + next / rr * p[i];
            }
            rr = next;
        }
        let correction = spread(self, &y);
        for (rhs, c) in self.rhs.iter_mut().zip(&correction) {
            *rhs -= c;
        }
    }
}

/// Compressed columns of the upper triangle, sorted, without repeats, diagonal included.
fn compress(n: usize, pairs: &[(usize, usize)], position: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let mut entries: Vec<(usize, usize)> = pairs
        .iter()
        .map(|&(i, j)| {
            let (i, j) = (position[i], position[j]);
            (i.max(j), i.min(j))
        })
        .chain((0..n).map(|i| (i, i)))
        .collect();
    entries.sort_unstable();
    entries.dedup();
    let mut start = vec![0; n + 1];
    for &(column, _) in &entries {
        start[column + 1] += 1;
    }
    for column in 0..n {
        start[column + 1] += start[column];
    }
    (start, entries.into_iter().map(|(_, row)| row).collect())
}

/// Approximate minimum degree: result[i] is the original index of row i.
fn minimum_degree(n: usize, start: &[usize], index: &[usize]) -> Vec<usize> {
    let (mut forward, mut inverse) = (vec![0; n], vec![0; n]);
    let pattern = SymbolicSparseColMatRef::new_checked(n, n, start, None, index);
    let mut memory = MemBuffer::new(amd::order_scratch::<usize>(n, index.len()));
    let ordered = amd::order(
        &mut forward,
        &mut inverse,
        pattern,
        amd::Control::default(),
        MemStack::new(&mut memory),
    );
    match ordered {
        Ok(_) => forward,
        Err(_) => (0..n).collect(),
    }
}
