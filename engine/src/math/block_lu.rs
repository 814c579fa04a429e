//! Sparse LU of a matrix of 3×3 blocks with a symmetric pattern, whose symbolic analysis is reused while the pattern
//! stays the same.
//!
//! ```text
//! P A Pᵀ = L U ,   A = I + Ĵᵀ D Ĵ  over planar bodies, three degrees of freedom each
//! ```
//!
//! Left-looking by columns of blocks, without pivoting, ordered by approximate minimum degree of the bodies'
//! graph [Amestoy, Davis & Duff 2004; Davis 2006, §4 and §6]. The values need not be symmetric: Coulomb's law
//! ties the tangential impulse to the normal one and not the other way round. Where they are, the matrix is
//! positive definite and needs no pivots; where they are not, a pivot may fail, and [`BlockLu::factor`] says so.
//! Scalar arithmetic in a fixed order: the same bits in every build.

use super::pattern::{compress, minimum_degree};

/// A 3×3 block, row by row.
pub type Block = [f64; 9];

/// A pivot below this fraction of the original diagonal entry is attributed to rounding.
const ROUNDED_PIVOT: f64 = 1e-15;

/// Where the pair of blocks (i, j) and (j, i) of a pattern is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockSlot {
    entry: u32,
    /// Whether block (i, j) lies below the diagonal of the permuted matrix.
    below: bool,
}

/// A matrix of fixed pattern, which [`BlockLu::factor`] turns into its factors in place.
#[derive(Debug, Default)]
pub struct BlockLu {
    n: usize,
    /// position[i] is the permuted index of block row i.
    position: Vec<usize>,
    /// Blocks below the diagonal by permuted columns, fill included; rows ascending.
    start: Vec<usize>,
    rows: Vec<u32>,
    /// For permuted row i the entries of L in it, columns ascending.
    row_start: Vec<usize>,
    row_entries: Vec<(u32, u32)>,
    diagonal: Vec<Block>,
    /// Block (j, k), j > k, of the matrix, then of L.
    lower: Vec<Block>,
    /// Block (k, j), j > k, of the matrix, then of U.
    upper: Vec<Block>,
    /// The index of each row's entry in the current column.
    entry_of: Vec<u32>,
    x: Vec<[f64; 3]>,
}

impl BlockLu {
    /// Analyses the pattern of n × n blocks given by its pairs (i, j), i ≠ j, repeats allowed, and returns it
    /// with the slot of every pair. The diagonal is always in the pattern.
    pub fn new(n: usize, pairs: &[(usize, usize)]) -> (Self, Vec<BlockSlot>) {
        let identity: Vec<usize> = (0..n).collect();
        let (start, index) = compress(n, pairs, &identity);
        let order = minimum_degree(n, &start, &index);
        let mut position = vec![0; n];
        for (new, &old) in order.iter().enumerate() {
            position[old] = new;
        }
        let columns = filled_columns(n, pairs, &position);
        let mut lu = Self { n, position, ..Self::default() };
        lu.keep(&columns);
        let slots = pairs.iter().map(|&(i, j)| lu.slot(i, j)).collect();
        (lu, slots)
    }

    fn keep(&mut self, columns: &[Vec<u32>]) {
        let n = self.n;
        self.start.push(0);
        let mut by_row: Vec<Vec<(u32, u32)>> = vec![Vec::new(); n];
        for (k, column) in (0_u32..).zip(columns) {
            for &row in column {
                by_row[row as usize].push((k, self.rows.len() as u32));
                self.rows.push(row);
            }
            self.start.push(self.rows.len());
        }
        self.row_start.push(0);
        for row in by_row {
            self.row_entries.extend(row);
            self.row_start.push(self.row_entries.len());
        }
        self.diagonal = vec![[0.0; 9]; n];
        self.lower = vec![[0.0; 9]; self.rows.len()];
        self.upper = vec![[0.0; 9]; self.rows.len()];
        self.entry_of = vec![0; n];
        self.x = vec![[0.0; 3]; n];
    }

    fn slot(&self, i: usize, j: usize) -> BlockSlot {
        let (i, j) = (self.position[i], self.position[j]);
        let (column, row) = (i.min(j), i.max(j));
        let rows = &self.rows[self.start[column]..self.start[column + 1]];
        let at = rows.binary_search(&(row as u32)).unwrap_or_default();
        BlockSlot { entry: (self.start[column] + at) as u32, below: i > j }
    }

    /// Makes the matrix the identity.
    pub fn set_identity(&mut self) {
        self.diagonal.fill([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        // As one stretch of numbers: blocks are filled one by one.
        self.lower.as_flattened_mut().fill(0.0);
        self.upper.as_flattened_mut().fill(0.0);
    }

    /// Adds Σ x yᵀ to block (i, i).
    #[inline]
    pub fn add_diagonal<const N: usize>(&mut self, i: usize, x: [[f64; 3]; N], y: [[f64; 3]; N]) {
        add_outer(&mut self.diagonal[self.position[i]], x, y);
    }

    /// For the slot of (i, j): adds Σ xᵢ yⱼᵀ to block (i, j) and Σ xⱼ yᵢᵀ to block (j, i).
    #[inline]
    pub fn add_pair<const N: usize>(
        &mut self,
        slot: BlockSlot,
        x: [[[f64; 3]; N]; 2],
        y: [[[f64; 3]; N]; 2],
    ) {
        let entry = slot.entry as usize;
        let (low, high) = if slot.below { (0, 1) } else { (1, 0) };
        add_outer(&mut self.lower[entry], x[low], y[high]);
        add_outer(&mut self.upper[entry], x[high], y[low]);
    }

    /// Replaces the matrix by its factors; false if a pivot vanishes or is not finite.
    pub fn factor(&mut self) -> bool {
        (0..self.n).all(|i| self.factor_column(i))
    }

    /// Whether the determinant of the factorised matrix is positive.
    pub fn is_oriented(&self) -> bool {
        let negative =
            |block: &Block| [block[0], block[4], block[8]].iter().filter(|pivot| **pivot < 0.0).count();
        self.diagonal.iter().map(negative).sum::<usize>().is_multiple_of(2)
    }

    fn factor_column(&mut self, i: usize) -> bool {
        let Self { start, rows, row_start, row_entries, diagonal, lower, upper, entry_of, .. } = self;
        let (begin, end) = (start[i], start[i + 1]);
        for entry in begin..end {
            entry_of[rows[entry] as usize] = (entry - begin) as u32;
        }
        let (lower_done, lower_now) = lower.split_at_mut(begin);
        let (upper_done, upper_now) = upper.split_at_mut(begin);
        let mut pivot = diagonal[i];
        let before = [pivot[0], pivot[4], pivot[8]];
        for &(k, own) in &row_entries[row_start[i]..row_start[i + 1]] {
            let own = own as usize;
            let (l, u) = (lower_done[own], upper_done[own]);
            subtract_product(&mut pivot, &l, &u);
            for entry in own + 1..start[k as usize + 1] {
                let target = entry_of[rows[entry] as usize] as usize;
                subtract_product(&mut lower_now[target], &lower_done[entry], &u);
                subtract_product(&mut upper_now[target], &l, &upper_done[entry]);
            }
        }
        let sound = factor_block(&mut pivot, before);
        diagonal[i] = pivot;
        for block in &mut lower_now[..end - begin] {
            divide_right(block, &pivot);
        }
        for block in &mut upper_now[..end - begin] {
            divide_left(block, &pivot);
        }
        sound
    }

    /// b ← A⁻¹ b.
    pub fn solve(&mut self, b: &mut [[f64; 3]]) {
        let Self { n, position, start, rows, diagonal, lower, upper, x, .. } = self;
        for (old, &new) in position.iter().enumerate() {
            x[new] = b[old];
        }
        for k in 0..*n {
            let d = &diagonal[k];
            let [x0, x1, x2] = x[k];
            let x1 = x1 - d[3] * x0;
            let xk = [x0, x1, x2 - d[6] * x0 - d[7] * x1];
            x[k] = xk;
            if xk == [0.0; 3] {
                continue;
            }
            for entry in start[k]..start[k + 1] {
                subtract_applied(&mut x[rows[entry] as usize], &lower[entry], xk);
            }
        }
        for k in (0..*n).rev() {
            let d = &diagonal[k];
            let mut xk = x[k];
            for entry in start[k]..start[k + 1] {
                subtract_applied(&mut xk, &upper[entry], x[rows[entry] as usize]);
            }
            // The diagonal of a factorised block holds the reciprocal pivots.
            let x2 = xk[2] * d[8];
            let x1 = (xk[1] - d[5] * x2) * d[4];
            x[k] = [(xk[0] - d[1] * x1 - d[2] * x2) * d[0], x1, x2];
        }
        for (old, &new) in position.iter().enumerate() {
            b[old] = x[new];
        }
    }
}

/// Rows below the diagonal of every column of L: those of A, and those that the column's children in the elimination
/// tree pass on.
fn filled_columns(n: usize, pairs: &[(usize, usize)], position: &[usize]) -> Vec<Vec<u32>> {
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); n];
    for &(i, j) in pairs {
        let (i, j) = (position[i], position[j]);
        if i != j {
            columns[i.min(j)].push(i.max(j) as u32);
        }
    }
    for k in 0..n {
        columns[k].sort_unstable();
        columns[k].dedup();
        if let [parent, others @ ..] = &*columns[k] {
            let (parent, others) = (*parent as usize, others.to_vec());
            columns[parent].extend(others);
        }
    }
    columns
}

/// block ← block + Σ x yᵀ
#[inline]
fn add_outer<const N: usize>(block: &mut Block, x: [[f64; 3]; N], y: [[f64; 3]; N]) {
    for r in 0..3 {
        for c in 0..3 {
            let mut sum = block[3 * r + c];
            for k in 0..N {
                sum += x[k][r] * y[k][c];
            }
            block[3 * r + c] = sum;
        }
    }
}

/// c ← c − a b
#[inline]
fn subtract_product(c: &mut Block, a: &Block, b: &Block) {
    for r in 0..3 {
        for s in 0..3 {
            c[3 * r + s] -= a[3 * r] * b[s] + a[3 * r + 1] * b[3 + s] + a[3 * r + 2] * b[6 + s];
        }
    }
}

/// y ← y − a x
#[inline]
fn subtract_applied(y: &mut [f64; 3], a: &Block, x: [f64; 3]) {
    for r in 0..3 {
        y[r] -= a[3 * r] * x[0] + a[3 * r + 1] * x[1] + a[3 * r + 2] * x[2];
    }
}

/// LU of one block, reciprocal pivots on the diagonal; `before` is the diagonal before the elimination.
fn factor_block(a: &mut Block, before: [f64; 3]) -> bool {
    let mut sound = true;
    for k in 0..3 {
        let pivot = a[4 * k];
        sound &= pivot.abs() > ROUNDED_PIVOT * before[k].abs() && pivot.is_finite();
        let reciprocal = 1.0 / pivot;
        a[4 * k] = reciprocal;
        for r in k + 1..3 {
            let factor = a[3 * r + k] * reciprocal;
            a[3 * r + k] = factor;
            for c in k + 1..3 {
                a[3 * r + c] -= factor * a[3 * k + c];
            }
        }
    }
    sound
}

/// b ← b U⁻¹ with the factors `d` of a diagonal block.
#[inline]
fn divide_right(b: &mut Block, d: &Block) {
    for row in b.chunks_exact_mut(3) {
        row[0] *= d[0];
        row[1] = (row[1] - row[0] * d[1]) * d[4];
        row[2] = (row[2] - row[0] * d[2] - row[1] * d[5]) * d[8];
    }
}

/// b ← L⁻¹ b with the factors `d` of a diagonal block.
#[inline]
fn divide_left(b: &mut Block, d: &Block) {
    for c in 0..3 {
        b[3 + c] -= d[3] * b[c];
        b[6 + c] = b[6 + c] - d[6] * b[c] - d[7] * b[3 + c];
    }
}
