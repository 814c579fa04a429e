//! A = L D Lᵀ of a sparse symmetric matrix of fixed pattern, without pivoting, one row of L after the other.
//!
//! ```text
//! row k of L:   L_kj D_j = A_kj − Σ_{i<j} L_ki D_i L_ji      for the columns j of the row's pattern
//! pivot:        D_k = A_kk − Σ_j L_kj² D_j
//! ```
//!
//! The pattern of row k consists of the nodes of the elimination tree on the paths from the entries of A's column k
//! up to k [Davis 2006, §4.1 to §4.3]. It is found once, in an order in which children come before their parents;
//! each factorisation then only reads it. Scalar arithmetic in this fixed order: the same bits in every build.

use super::pattern::{elimination_tree, short};

/// The factors of a matrix whose upper triangle is given by compressed columns.
#[derive(Clone, Debug)]
pub(super) struct UpLooking {
    /// Columns of L: the pivot first, then the rows below it, ascending.
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

/// What happens to a pivot that is too small.
pub(super) struct Replacement {
    /// Pivots up to this value are replaced.
    pub threshold: f64,
    /// The value that replaces them.
    pub pivot: f64,
}

/// A pivot that is zero or not finite.
#[derive(Debug)]
pub(super) struct NoPivot;

impl UpLooking {
    /// Analyses the pattern of an n × n matrix: the upper triangle's compressed columns, rows ascending.
    pub fn new(n: usize, start: &[usize], index: &[usize]) -> Self {
        let columns = |k: usize| index[start[k]..start[k + 1]].iter().copied().filter(move |i| *i < k);
        let parent = elimination_tree(n, columns);
        let (mut row_start, mut reached) = (vec![0], Vec::new());
        // The last row whose pattern holds a node.
        let mut seen = vec![usize::MAX; n];
        for k in 0..n {
            let begin = reached.len();
            seen[k] = k;
            for entry in columns(k) {
                let path = reached.len();
                let mut i = entry;
                while seen[i] != k {
                    seen[i] = k;
                    reached.push(i);
                    i = parent[i];
                }
                // A path found later ends below one found before: it goes in front.
                reached[begin..].rotate_left(path - begin);
            }
            row_start.push(reached.len());
        }
        Self::with_rows(n, row_start, &reached)
    }

    /// Lays out the columns of L, given the columns of each of its rows.
    fn with_rows(n: usize, row_start: Vec<usize>, reached: &[usize]) -> Self {
        let mut column_start = vec![0; n + 1];
        for k in 0..n {
            column_start[k + 1] = 1;
        }
        reached.iter().for_each(|j| column_start[j + 1] += 1);
        for k in 0..n {
            column_start[k + 1] += column_start[k];
        }
        let mut row_index = vec![0_u32; column_start[n]];
        let mut next = column_start.clone();
        let mut row_entries = Vec::with_capacity(reached.len());
        for k in 0..n {
            row_index[next[k]] = k as u32;
            next[k] += 1;
            for &j in &reached[row_start[k]..row_start[k + 1]] {
                row_index[next[j]] = k as u32;
                row_entries.push((j as u32, next[j] as u32));
                next[j] += 1;
            }
        }
        let values = vec![0.0; row_index.len()];
        Self {
            column_start: short(&column_start),
            row_index,
            values,
            row_start: short(&row_start),
            row_entries,
            reciprocal: vec![0.0; n],
            x: vec![0.0; n],
        }
    }

    /// Factorises the matrix of entries `a` on the pattern given to [`UpLooking::new`]; returns how many pivots
    /// were replaced.
    pub fn factor(
        &mut self,
        start: &[u32],
        index: &[u32],
        a: &[f64],
        small: &Replacement,
    ) -> Result<usize, NoPivot> {
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
                let above = column_start[j] as usize + 1..entry;
                for (i, lij) in row_index[above.clone()].iter().zip(&values[above]) {
                    x[*i as usize] -= lij * xj;
                }
                pivot -= l * xj;
                values[entry] = l;
            }
            if pivot <= small.threshold {
                pivot = small.pivot;
                replaced += 1;
            }
            if pivot == 0.0 || !pivot.is_finite() {
                return Err(NoPivot);
            }
            values[column_start[k] as usize] = pivot;
            reciprocal[k] = 1.0 / pivot;
        }
        Ok(replaced)
    }

    /// How many entries L has, its diagonal counted.
    pub fn nonzeros(&self) -> usize {
        self.row_index.len()
    }

    /// The columns of row `k` left of the diagonal, in the order of elimination.
    pub fn row(&self, k: usize) -> impl Iterator<Item = usize> + '_ {
        let entries = self.row_start[k] as usize..self.row_start[k + 1] as usize;
        self.row_entries[entries].iter().map(|&(column, _)| column as usize)
    }

    /// D of the last factorisation, row by row.
    pub fn pivots(&self) -> impl Iterator<Item = f64> + '_ {
        self.column_start[..self.x.len()].iter().map(|start| self.values[*start as usize])
    }

    /// b ← (L D Lᵀ)⁻¹ b.
    pub fn solve(&self, b: &mut [f64]) {
        let below = |j: usize| {
            let entries = self.column_start[j] as usize + 1..self.column_start[j + 1] as usize;
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
