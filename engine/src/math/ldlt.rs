//! Sparse LDLᵀ factorisation of a symmetric positive semidefinite matrix, whose symbolic analysis is reused while the
//! pattern stays the same.
//!
//! ```text
//! P S A S Pᵀ = L D Lᵀ ,   S_ii = 1/√A_ii ,   P of least fill
//! row k of L:   L_kj D_j = A_kj − Σ_{i<j} L_ki D_i L_ji      for the columns j of the row's pattern
//! pivot:        D_k = A_kk − Σ_j L_kj² D_j
//! ```
//!
//! **Pattern.** Rows are ordered by approximate minimum degree (`ordering.rs`): nothing is filled in, and time is linear, on
//! chains and trees. The pattern of row k consists of the nodes of the elimination tree on the paths from the entries of A's
//! column k up to k [Davis 2006, §4.1 to §4.3]. It is found once, in an order in which children come before their parents; each
//! factorisation then only reads it, without pivoting, one row of L after the other. Scalar arithmetic in this fixed order gives
//! the same bits in every build.
//!
//! **Singular matrices.** With a unit diagonal every pivot lies in [0, 1]; a pivot
//! below a threshold belongs to a row that depends on the rows before it. Such a matrix is factorised as
//! A + εI, and A x = b solved by proximal iteration,
//!
//! ```text
//! x ← x + (A + εI)⁻¹ (b − A x) ,   x = 0 at first,
//! ```
//!
//! which multiplies the error along an eigenvector of eigenvalue σ by ε/(σ + ε). It converges to the
//! solution of least norm. Where b has a part b₀ outside the range of A (conflicting constraints), the residual
//! stagnates at b₀; the iteration then starts again with b − b₀, and converges to the pseudo-inverse's
//! solution A⁺b. Eigenvalues well below ε are cut off, the role of the truncated singular
//! values of Cline & Pai [2003, section IV-B].

use super::ordering::{compress, minimum_degree};
use super::{add, largest};

/// Largest pivot that rounding alone leaves in a dependent row of the unit-diagonal matrix: fifty times ε.
pub const ROUNDED_PIVOT: f64 = 1e-14;
/// ε of the singular case, relative to the unit diagonal: √(machine ε), at which the error of the shift and the
/// rounding that it amplifies are alike.
const PROXIMAL_SHIFT: f64 = 1e-8;
/// A residual of a singular system above this, relative to the right-hand side, is a conflict, not rounding: ten times
/// the largest pivot of rounding.
const CONFLICT: f64 = 1e-13;
/// Largest part of a conflict that may remain in the right-hand side, relative to it; it enters x divided by ε, as 1e-7 of it.
const EXTRACTED: f64 = 1e-15;
/// Largest number of times that a conflict is extracted from the right-hand side. It is a bound: extraction ends as
/// soon as less than [`EXTRACTED`] is left.
const EXTRACTIONS: usize = 5;
/// Number of passes that remove from the extracted conflict what the proximal iteration had not yet reduced: each
/// reduces the part along a singular value σ by the factor ε/(ε + σ), so that four leave 1e-16 of it where σ is some 1e4 ε.
const PURIFICATIONS: usize = 4;
/// Most proximal iterations of a singular system: each reduces the error along a singular value σ by the factor
/// ε/(ε + σ), forty by 1e-12 where σ = ε.
const MAX_PROXIMAL_ITERATIONS: usize = 40;

/// The value that replaces a pivot that is too small, so that the factorisation continues and finds the other dependent rows.
/// Genuine pivots of a unit-diagonal matrix do not exceed 1.
const REPLACED_PIVOT: f64 = 2.0;
/// Refinement stops when the residual is this small relative to the right-hand side: the last digit.
const REFINED: f64 = 1e-16;
/// Refinement stops, too, where the residual of every row is at most this share of |b| + |A||x|, the sizes of its terms: x then
/// solves exactly a system whose numbers differ from these in their last digits, and the residual is the rounding of the terms
/// [Oettli & Prager 1964; Arioli, Demmel & Duff 1989].
const ROUNDED: f64 = 4.0 * f64::EPSILON;
/// Smaller sizes count as this one, whose rounding is a normal number.
const LEAST: f64 = f64::MIN_POSITIVE / f64::EPSILON;
/// An iteration that leaves more than this share of the residual has stagnated: the factors are then right to less than
/// one digit.
const STAGNATION: f64 = 0.5;
/// Most refinements of a regular system. Each adds the digits to which the factors are right: with four of them, three
/// give all sixteen.
const MAX_REFINEMENTS: usize = 3;

/// A symmetric positive semidefinite matrix of fixed pattern with its factors.
///
/// Entries are addressed by *slots*: [`SparseLdlt::new`] takes the pattern's pairs and gives each a slot in the values that
/// [`SparseLdlt::factor`] reads. Indices have 32 bits: a factorisation reads about as many indices as numbers, and for a long
/// chain more of both than a cache holds.
#[derive(Clone, Debug)]
pub struct SparseLdlt {
    /// The slot on the diagonal of every row, in the original order.
    pub diagonal: Vec<u32>,
    /// permutation[i] is the original index of permuted row i.
    permutation: Vec<u32>,
    /// The upper triangle of the permuted matrix: compressed columns, rows ascending, the diagonal last.
    column_start: Vec<u32>,
    row_index: Vec<u32>,
    /// The unscaled entries of A by slot, to be filled before [`SparseLdlt::factor`], and the scaled ones.
    pub values: Vec<f64>,
    scaled: Vec<f64>,
    /// L and D of the scaled matrix.
    factors: Factors,
    scale: Vec<f64>,
    /// Number of rows that depend on the others, as the last factorisation found or was told, and whether the factors
    /// are those of A + εI.
    pub dependent: usize,
    singular: bool,
    rhs: Vec<f64>,
    x: Vec<f64>,
    residual: Vec<f64>,
    /// |b| + |A||x|, row by row.
    sizes: Vec<f64>,
    /// The part of a right-hand side that lies outside the range of a singular matrix.
    unreachable: Vec<f64>,
}

impl SparseLdlt {
    /// Analyses the pattern of an n × n symmetric matrix given by its pairs (i, j), either triangle, repeats
    /// allowed, and returns it with the slot of every pair. The diagonal is always in the pattern.
    pub fn new(n: usize, pairs: &[(usize, usize)]) -> (Self, Vec<usize>) {
        let (permutation, position) = minimum_degree(n, pairs);
        let (column_start, row_index) = compress(n, pairs, &position);
        let slot = |i: usize, j: usize| {
            let (column, row) = (position[i].max(position[j]), position[i].min(position[j]));
            let rows = &row_index[column_start[column]..column_start[column + 1]];
            column_start[column] + rows.binary_search(&row).unwrap_or_default()
        };
        let slots = pairs.iter().map(|&(i, j)| slot(i, j)).collect();
        let entries = row_index.len();
        let matrix = Self {
            diagonal: (0..n).map(|i| slot(i, i) as u32).collect(),
            permutation: short(&permutation),
            column_start: short(&column_start),
            row_index: short(&row_index),
            values: vec![0.0; entries],
            scaled: vec![0.0; entries],
            factors: Factors::new(n, &column_start, &row_index),
            scale: vec![1.0; n],
            dependent: 0,
            singular: false,
            rhs: vec![0.0; n],
            x: vec![0.0; n],
            residual: vec![0.0; n],
            sizes: vec![0.0; n],
            unreachable: vec![0.0; n],
        };
        (matrix, slots)
    }

    /// Factorises the present values and returns how many rows depend on the others: those whose pivot, of the
    /// matrix scaled to a unit diagonal, is below `pivot_threshold`.
    ///
    /// If there are any, the factors are not those of A: [`SparseLdlt::factor_singular`], or this function with
    /// another threshold, must be called before a solve. Returns nothing if an entry is not finite.
    pub fn factor(&mut self, pivot_threshold: f64) -> Option<usize> {
        self.scale_values()?;
        self.singular = false;
        let Self { factors, column_start, row_index, scaled, .. } = self;
        self.dependent = factors.factor(column_start, row_index, scaled, pivot_threshold)?;
        Some(self.dependent)
    }

    /// The rows whose pivots the last factorisation replaced, since they depend on the rows before them.
    pub fn replaced_rows(&self) -> impl Iterator<Item = usize> + '_ {
        let pivots = self.factors.reciprocal.iter().zip(&self.permutation);
        pivots.filter(|(d, _)| **d == 1.0 / REPLACED_PIVOT).map(|(_, old)| *old as usize)
    }

    /// Factorises the present values as a singular matrix of which `dependent` rows depend on the others; returns
    /// nothing if an entry is not finite.
    pub fn factor_singular(&mut self, dependent: usize) -> Option<()> {
        self.scale_values()?;
        self.shift_diagonal(PROXIMAL_SHIFT);
        let Self { factors, column_start, row_index, scaled, .. } = self;
        factors.factor(column_start, row_index, scaled, ROUNDED_PIVOT)?;
        self.shift_diagonal(-PROXIMAL_SHIFT);
        (self.dependent, self.singular) = (dependent, true);
        Some(())
    }

    fn scale_values(&mut self) -> Option<()> {
        let Self { column_start, row_index, values, scaled, scale, .. } = self;
        for (scale, end) in scale.iter_mut().zip(&column_start[1..]) {
            let d = values[*end as usize - 1];
            if !d.is_finite() {
                return None;
            }
            *scale = if d > 0.0 { 1.0 / d.sqrt() } else { 1.0 };
        }
        for column in 0..scale.len() {
            for slot in column_start[column] as usize..column_start[column + 1] as usize {
                scaled[slot] = values[slot] * scale[row_index[slot] as usize] * scale[column];
            }
        }
        Some(())
    }

    fn shift_diagonal(&mut self, shift: f64) {
        self.column_start[1..].iter().for_each(|end| self.scaled[*end as usize - 1] += shift);
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

    /// Solves A x = b without computing the residual, which the factors of a positive definite matrix leave at a few ε ‖A‖ ‖x‖;
    /// by [`SparseLdlt::solve`] where rows depend on others.
    pub fn substitute(&mut self, b: &[f64], x: &mut [f64]) {
        if self.singular {
            self.solve(b, x);
            return;
        }
        self.take_rhs(b);
        self.x.copy_from_slice(&self.rhs);
        self.factors.solve(&mut self.x);
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

    /// Writes b − A x of the last solve, in the original order of the rows.
    pub fn left(&self, into: &mut [f64]) {
        for (new, &old) in self.permutation.iter().enumerate() {
            into[old as usize] = self.residual[new] / self.scale[new];
        }
    }

    /// Runs the proximal iteration, and repeats it without the part b₀ of the right-hand side that lies outside the range of A.
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
                self.factors.solve(&mut self.residual);
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
        self.factors.solve(&mut self.x);
        let size = largest(self.rhs.iter().copied());
        let mut norm = self.residual_norm();
        for _ in 0..most {
            if norm <= REFINED * size || !self.singular && self.leaves_rounding() {
                break;
            }
            let last = norm;
            self.factors.solve(&mut self.residual);
            add(&mut self.x, 1.0, &self.residual);
            norm = self.residual_norm();
            if norm > STAGNATION * last {
                break;
            }
        }
        norm
    }

    /// Whether no residual is larger than the rounding of its terms.
    fn leaves_rounding(&mut self) -> bool {
        let mut sizes = std::mem::take(&mut self.sizes);
        sizes.iter_mut().zip(&self.rhs).for_each(|(size, b)| *size = b.abs().max(LEAST));
        self.add_product(&mut sizes, |size, term| size + term.abs());
        self.sizes = sizes;
        !self.residual.iter().zip(&self.sizes).any(|(residual, size)| residual.abs() > ROUNDED * *size)
    }

    /// residual = rhs − A x; returns its largest component.
    fn residual_norm(&mut self) -> f64 {
        let mut residual = std::mem::take(&mut self.residual);
        residual.copy_from_slice(&self.rhs);
        self.add_product(&mut residual, |rest, term| rest - term);
        self.residual = residual;
        largest(self.residual.iter().copied())
    }

    /// Adds each term of A x, scaled, to the sum of its row, as `add` does it.
    #[inline(always)]
    fn add_product(&self, sums: &mut [f64], add: impl Fn(f64, f64) -> f64) {
        let Self { column_start, row_index, scaled, x, .. } = self;
        for column in 0..x.len() {
            for slot in column_start[column] as usize..column_start[column + 1] as usize {
                let row = row_index[slot] as usize;
                sums[row] = add(sums[row], scaled[slot] * x[column]);
                if row != column {
                    sums[column] = add(sums[column], scaled[slot] * x[row]);
                }
            }
        }
    }
}

/// The factors of a matrix whose upper triangle is given by compressed columns.
#[derive(Clone, Debug)]
struct Factors {
    /// Columns of L below the diagonal, rows ascending.
    column_start: Vec<u32>,
    row_index: Vec<u32>,
    values: Vec<f64>,
    /// Rows of L: for every entry left of the diagonal its column and its index in `values`, in the order of
    /// elimination.
    row_start: Vec<u32>,
    row_entries: Vec<(u32, u32)>,
    /// 1/D.
    reciprocal: Vec<f64>,
    /// The current row, L_kj D_j; zero between two rows.
    x: Vec<f64>,
}

impl Factors {
    /// Analyses the pattern of an n × n matrix: the upper triangle's compressed columns, rows ascending.
    fn new(n: usize, start: &[usize], index: &[usize]) -> Self {
        let (mut row_start, mut reached) = (vec![0], Vec::new());
        // The parent of each node, the first row below the diagonal in its column of L, and the last row whose pattern holds it.
        let (mut parent, mut seen) = (vec![usize::MAX; n], vec![usize::MAX; n]);
        for k in 0..n {
            let begin = reached.len();
            seen[k] = k;
            for &entry in &index[start[k]..start[k + 1]] {
                let path = reached.len();
                let mut i = entry;
                while seen[i] != k {
                    seen[i] = k;
                    reached.push(i);
                    parent[i] = parent[i].min(k);
                    i = parent[i];
                }
                // A path found later ends below one found before: it goes in front.
                reached[begin..].rotate_left(path - begin);
            }
            row_start.push(reached.len());
        }
        // The columns of L, given the columns of each of its rows.
        let mut column_start = vec![0; n + 1];
        reached.iter().for_each(|j| column_start[j + 1] += 1);
        for k in 0..n {
            column_start[k + 1] += column_start[k];
        }
        let mut row_index = vec![0_u32; column_start[n]];
        let mut next = column_start.clone();
        let mut row_entries = Vec::with_capacity(reached.len());
        for k in 0..n {
            for &j in &reached[row_start[k]..row_start[k + 1]] {
                row_index[next[j]] = k as u32;
                row_entries.push((j as u32, next[j] as u32));
                next[j] += 1;
            }
        }
        Self {
            column_start: short(&column_start),
            values: vec![0.0; row_index.len()],
            row_index,
            row_start: short(&row_start),
            row_entries,
            reciprocal: vec![0.0; n],
            x: vec![0.0; n],
        }
    }

    /// Factorises the matrix of entries `a` on the pattern given to [`Factors::new`]; returns how many pivots were not above
    /// `least_pivot` and replaced.
    fn factor(&mut self, start: &[u32], index: &[u32], a: &[f64], least_pivot: f64) -> Option<usize> {
        let Self { column_start, row_index, values, row_start, row_entries, reciprocal, x } = self;
        let mut replaced = 0;
        x.fill(0.0);
        for k in 0..x.len() {
            let column = start[k] as usize..start[k + 1] as usize;
            for (i, a) in index[column.clone()].iter().zip(&a[column]) {
                x[*i as usize] += a;
            }
            let mut pivot = std::mem::take(&mut x[k]);
            for &(j, entry) in &row_entries[row_start[k] as usize..row_start[k + 1] as usize] {
                let (j, entry) = (j as usize, entry as usize);
                let xj = std::mem::take(&mut x[j]);
                let l = xj * reciprocal[j];
                let above = column_start[j] as usize..entry;
                for (i, lij) in row_index[above.clone()].iter().zip(&values[above]) {
                    x[*i as usize] -= lij * xj;
                }
                pivot -= l * xj;
                values[entry] = l;
            }
            // A negative pivot of a semidefinite matrix is a rounded zero, and below any threshold.
            if pivot <= least_pivot {
                pivot = REPLACED_PIVOT;
                replaced += 1;
            }
            if !pivot.is_finite() {
                return None;
            }
            reciprocal[k] = 1.0 / pivot;
        }
        Some(replaced)
    }

    /// b ← (L D Lᵀ)⁻¹ b.
    fn solve(&self, b: &mut [f64]) {
        let below = |j: usize| {
            let entries = self.column_start[j] as usize..self.column_start[j + 1] as usize;
            self.row_index[entries.clone()].iter().zip(&self.values[entries])
        };
        for j in 0..b.len() {
            let bj = b[j];
            below(j).for_each(|(i, lij)| b[*i as usize] -= lij * bj);
        }
        for j in (0..b.len()).rev() {
            let sum = below(j).rev().fold(0.0, |sum, (i, lij)| sum + lij * b[*i as usize]);
            b[j] = b[j] * self.reciprocal[j] - sum;
        }
    }
}

/// Converts indices to 32 bits.
fn short(indices: &[usize]) -> Vec<u32> {
    indices.iter().map(|index| *index as u32).collect()
}
