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
//!
//! L and Uᵀ have one pattern, and elimination does the same to both:
//!
//! ```text
//! column i:   L_ji ← L_ji − L_jk U_ki ,   Uᵀ_ji ← Uᵀ_ji − Uᵀ_jk Lᵀ_ki      for every k < i with a block (i, k), and every j > i
//! ```
//!
//! so each number of L is stored beside that of Uᵀ ([`Twin`]), and one operation computes both. Every operation is rounded as if
//! it were alone, in a fixed order: the same bits in every build.

use super::ordering::minimum_degree;
use super::simd2::{Pair, crossed};
use super::vectors::mapped;
/// A 3×3 block, row by row.
type Block = [f64; 9];
/// A block of L beside the block of Uᵀ, row by row.
type Twin = [Pair; 9];
/// A block in the order in which a solve reads it: the first two rows column by column, then the third.
type Applied = [f64; 9];

/// A pivot below this fraction of the original diagonal entry is attributed to rounding: five ε, what the difference of
/// two equal numbers leaves.
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
    /// The columns from the roots of the elimination tree to its leaves.
    downward: Vec<u32>,
    /// For permuted row i the entries of L in it, columns ascending.
    row_start: Vec<usize>,
    row_entries: Vec<(u32, u32)>,
    diagonal: Vec<Block>,
    /// Block (j, k), j > k, of the matrix, then of L, beside block (k, j), then of U, transposed.
    twins: Vec<Twin>,
    /// The blocks of L and of U.
    lower: Vec<Applied>,
    upper: Vec<Applied>,
    /// The index of each row's entry in the current column.
    entry_of: Vec<u32>,
    x: Vec<Triple>,
}

impl BlockLu {
    /// Analyses the pattern of n × n blocks given by its pairs (i, j), i ≠ j, repeats allowed, and returns it
    /// with the slot of every pair. The diagonal is always in the pattern.
    pub fn new(n: usize, pairs: &[(usize, usize)]) -> (Self, Vec<BlockSlot>) {
        let (_, position) = minimum_degree(n, pairs);
        let mut lu = Self { n, start: vec![0], row_start: vec![0], ..Self::default() };
        let mut by_row: Vec<Vec<(u32, u32)>> = vec![Vec::new(); n];
        let columns = filled_columns(n, pairs, &position);
        lu.downward = from_the_roots(&columns);
        for (k, column) in (0_u32..).zip(columns) {
            for &row in &column {
                by_row[row as usize].push((k, lu.rows.len() as u32));
                lu.rows.push(row);
            }
            lu.start.push(lu.rows.len());
        }
        for row in by_row {
            lu.row_entries.extend(row);
            lu.row_start.push(lu.row_entries.len());
        }
        lu.position = position;
        lu.diagonal = vec![[0.0; 9]; n];
        lu.twins = vec![[Pair::ZERO; 9]; lu.rows.len()];
        lu.lower = vec![[0.0; 9]; lu.rows.len()];
        lu.upper = vec![[0.0; 9]; lu.rows.len()];
        lu.entry_of = vec![0; n];
        lu.x = vec![Triple::default(); n];
        let slots = pairs.iter().map(|&(i, j)| lu.slot(i, j)).collect();
        (lu, slots)
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
        // Flattened: one loop over numbers instead of one for each block.
        self.twins.as_flattened_mut().fill(Pair::ZERO);
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
        let (low, high) = if slot.below { (0, 1) } else { (1, 0) };
        let twin = &mut self.twins[slot.entry as usize];
        // Block (j, i), transposed, is Σ yᵢ xⱼᵀ.
        add_outer_twin(twin, [x[low], y[low]], [y[high], x[high]]);
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
        let Self { start, rows, row_start, row_entries, diagonal, twins, lower, upper, entry_of, .. } =
            self;
        let (begin, end) = (start[i], start[i + 1]);
        for entry in begin..end {
            entry_of[rows[entry] as usize] = (entry - begin) as u32;
        }
        let (done, now) = twins.split_at_mut(begin);
        let now = &mut now[..end - begin];
        let mut pivot = diagonal[i];
        let before = [pivot[0], pivot[4], pivot[8]];
        for &(k, own) in &row_entries[row_start[i]..row_start[i + 1]] {
            let (own, last) = (own as usize, start[k as usize + 1]);
            let twin = done[own];
            subtract_twin(&mut pivot, &twin);
            let factor = mapped(twin, crossed);
            for (row, other) in rows[own + 1..last].iter().zip(&done[own + 1..last]) {
                subtract_product(&mut now[entry_of[*row as usize] as usize], other, &factor);
            }
        }
        let sound = factor_block(&mut pivot, before);
        diagonal[i] = pivot;
        let divisors = Divisors::of(&pivot);
        for ((twin, lower), upper) in now.iter_mut().zip(&mut lower[begin..end]).zip(&mut upper[begin..end])
        {
            divisors.divide(twin);
            (*lower, *upper) = apart(twin);
        }
        sound
    }

    /// b ← A⁻¹ b.
    pub fn solve(&mut self, b: &mut [[f64; 3]]) {
        let Self { n, position, start, rows, downward, diagonal, lower, upper, x, .. } = self;
        for (b, &new) in b.iter().zip(&*position) {
            x[new] = Triple::new(*b);
        }
        for k in 0..*n {
            let d = &diagonal[k];
            let [x0, x1, x2] = x[k].numbers();
            let x1 = x1 - d[3] * x0;
            let xk = [x0, x1, x2 - d[6] * x0 - d[7] * x1];
            x[k] = Triple::new(xk);
            if xk == [0.0; 3] {
                continue;
            }
            let column = start[k]..start[k + 1];
            for (row, block) in rows[column.clone()].iter().zip(&lower[column]) {
                x[*row as usize].subtract(block, xk);
            }
        }
        for k in downward.iter().map(|k| *k as usize) {
            let d = &diagonal[k];
            let mut xk = x[k];
            let column = start[k]..start[k + 1];
            for (row, block) in rows[column.clone()].iter().zip(&upper[column]) {
                xk.subtract(block, x[*row as usize].numbers());
            }
            let xk = xk.numbers();
            // The diagonal of a factorised block holds the reciprocal pivots.
            let x2 = xk[2] * d[8];
            let x1 = (xk[1] - d[5] * x2) * d[4];
            x[k] = Triple::new([(xk[0] - d[1] * x1 - d[2] * x2) * d[0], x1, x2]);
        }
        for (b, &new) in b.iter_mut().zip(&*position) {
            *b = x[new].numbers();
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

/// All columns, level by level from the roots of the elimination tree: a column needs its parent, the first of its
/// rows, and no column of its own level. In the reverse order of the columns each waits for the one before it, and a
/// solve takes a fifth longer.
fn from_the_roots(columns: &[Vec<u32>]) -> Vec<u32> {
    let mut level = vec![0_usize; columns.len()];
    for (k, column) in columns.iter().enumerate().rev() {
        level[k] = column.first().map_or(0, |parent| level[*parent as usize] + 1);
    }
    let mut order: Vec<u32> = (0..columns.len() as u32).rev().collect();
    order.sort_by_key(|k| level[*k as usize]);
    order
}

/// Three numbers, of which the first two are in one register.
#[derive(Clone, Copy, Debug, Default)]
struct Triple {
    first: Pair,
    last: f64,
}

impl Triple {
    #[inline(always)]
    fn new([x0, x1, x2]: [f64; 3]) -> Self {
        Self { first: Pair::new([x0, x1]), last: x2 }
    }

    #[inline(always)]
    fn numbers(self) -> [f64; 3] {
        let [x0, x1] = self.first.to_array();
        [x0, x1, self.last]
    }

    /// y ← y − a x
    #[inline(always)]
    fn subtract(&mut self, a: &Applied, [x0, x1, x2]: [f64; 3]) {
        let column = |at: usize, x: f64| Pair::new([a[at], a[at + 1]]) * Pair::splat(x);
        self.first -= column(0, x0) + column(2, x1) + column(4, x2);
        self.last -= a[6] * x0 + a[7] * x1 + a[8] * x2;
    }
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

/// twin ← twin + Σ x yᵀ: for L with the first of x and of y, for Uᵀ with the second.
#[inline]
fn add_outer_twin<const N: usize>(twin: &mut Twin, x: [[[f64; 3]; N]; 2], y: [[[f64; 3]; N]; 2]) {
    let beside = |[x, y]: [[f64; 3]; 2]| mapped([0, 1, 2], |axis| Pair::new([x[axis], y[axis]]));
    let terms: [_; N] = std::array::from_fn(|k| (beside([x[0][k], x[1][k]]), beside([y[0][k], y[1][k]])));
    for r in 0..3 {
        for c in 0..3 {
            twin[3 * r + c] = terms.iter().fold(twin[3 * r + c], |sum, (x, y)| sum + x[r] * y[c]);
        }
    }
}

/// c ← c − a bᵀ: for L with a of L and b of Uᵀ, for Uᵀ with a of Uᵀ and b of L.
#[inline(always)]
fn subtract_product(c: &mut Twin, a: &Twin, b: &Twin) {
    for r in 0..3 {
        for s in 0..3 {
            c[3 * r + s] -= a[3 * r] * b[3 * s] + a[3 * r + 1] * b[3 * s + 1] + a[3 * r + 2] * b[3 * s + 2];
        }
    }
}

/// c ← c − L U
#[inline(always)]
fn subtract_twin(c: &mut Block, twin: &Twin) {
    let twin = mapped(*twin, Pair::to_array);
    for r in 0..3 {
        for s in 0..3 {
            c[3 * r + s] -= twin[3 * r][0] * twin[3 * s][1]
                + twin[3 * r + 1][0] * twin[3 * s + 1][1]
                + twin[3 * r + 2][0] * twin[3 * s + 2][1];
        }
    }
}

/// Separates L and U of a twin, in the order in which a solve reads them.
#[inline(always)]
fn apart(twin: &Twin) -> (Applied, Applied) {
    let t = mapped(*twin, Pair::to_array);
    let lower = mapped([0, 3, 1, 4, 2, 5, 6, 7, 8], |at: usize| t[at][0]);
    let upper = mapped([0, 1, 3, 4, 6, 7, 2, 5, 8], |at: usize| t[at][1]);
    (lower, upper)
}

/// Factorises one block, with reciprocal pivots on the diagonal; `before` is the diagonal before the elimination.
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

/// The factors of a diagonal block, arranged for dividing a twin by them: L by U from the right, U by L from the left.
struct Divisors {
    scale: [Pair; 3],
    off: [Pair; 3],
}

impl Divisors {
    fn of(d: &Block) -> Self {
        let scale = mapped([0, 4, 8], |at: usize| Pair::new([d[at], 1.0]));
        let off = mapped([(1, 3), (2, 6), (5, 7)], |(u, l): (usize, usize)| Pair::new([d[u], d[l]]));
        Self { scale, off }
    }

    #[inline(always)]
    fn divide(&self, twin: &mut Twin) {
        let Self { scale, off } = self;
        for row in twin.as_chunks_mut::<3>().0 {
            row[0] *= scale[0];
            row[1] = (row[1] - row[0] * off[0]) * scale[1];
            row[2] = (row[2] - row[0] * off[1] - row[1] * off[2]) * scale[2];
        }
    }
}

#[cfg(test)]
mod tests {
    //! The factors against products and determinants computed densely.

    use super::{BlockLu, BlockSlot};
    use fastrand::Rng;

    /// Random numbers between −1 and 1.
    fn triple(random: &mut Rng) -> [f64; 3] {
        [(); 3].map(|()| 2.0 * random.f64() - 1.0)
    }

    /// Returns the determinant by Gaussian elimination with the largest pivot of each column.
    fn determinant(mut a: Vec<Vec<f64>>) -> f64 {
        let n = a.len();
        let mut product = 1.0;
        for k in 0..n {
            let pivot = (k..n).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).unwrap();
            if pivot != k {
                a.swap(pivot, k);
                product = -product;
            }
            product *= a[k][k];
            for i in k + 1..n {
                let [above, below] = a.get_disjoint_mut([k, i]).unwrap();
                let factor = below[k] / above[k];
                below.iter_mut().zip(&*above).for_each(|(b, a)| *b -= factor * a);
            }
        }
        product
    }

    /// Unsymmetric matrices I + Σ x yᵀ over random graphs have A (A⁻¹ b) = b to the rounding of an elimination without pivoting,
    /// and the right sign of the determinant.
    #[test]
    fn solutions_meet_unsymmetric_systems() {
        let mut random = Rng::with_seed(1);
        let (mut positive, mut negative, mut worst) = (0, 0, 0.0_f64);
        for _ in 0..300 {
            let n = random.usize(1..12);
            let pairs: Vec<(usize, usize)> = (0..random.usize(0..3 * n))
                .map(|_| (random.usize(0..n), random.usize(0..n)))
                .filter(|(i, j)| i != j)
                .collect();
            let (mut lu, slots): (BlockLu, Vec<BlockSlot>) = BlockLu::new(n, &pairs);
            let mut dense = vec![vec![0.0; 3 * n]; 3 * n];
            (0..3 * n).for_each(|i| dense[i][i] = 1.0);
            lu.set_identity();
            for (&(i, j), &slot) in pairs.iter().zip(&slots) {
                let [x, y] = [(); 2].map(|()| [i, j].map(|_| [triple(&mut random), triple(&mut random)]));
                lu.add_diagonal(i, x[0], y[0]);
                lu.add_diagonal(j, x[1], y[1]);
                lu.add_pair(slot, x, y);
                for (end, p) in [i, j].into_iter().enumerate() {
                    for (other, q) in [i, j].into_iter().enumerate() {
                        for k in 0..2 {
                            for r in 0..3 {
                                for c in 0..3 {
                                    dense[3 * p + r][3 * q + c] += x[end][k][r] * y[other][k][c];
                                }
                            }
                        }
                    }
                }
            }
            assert!(lu.factor());
            let sign = determinant(dense.clone());
            assert_eq!(lu.is_oriented(), sign > 0.0, "{sign}");
            *(if sign > 0.0 { &mut positive } else { &mut negative }) += 1;
            let b: Vec<[f64; 3]> = (0..n).map(|_| triple(&mut random)).collect();
            let mut solution = b.clone();
            lu.solve(&mut solution);
            let (x, b) = (solution.as_flattened(), b.as_flattened());
            let size = x.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
            for (row, b) in dense.iter().zip(b) {
                let product: f64 = row.iter().zip(x).map(|(a, x)| a * x).sum();
                worst = worst.max((product - b).abs() / size);
            }
        }
        assert!(positive > 30 && negative > 30, "{positive} {negative}");
        assert!(worst < 1e-9, "{worst:e}");
    }
}
