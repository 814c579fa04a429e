//! The inverse H of a square block G of a larger matrix, kept while rows and columns come and go.
//!
//! ```text
//! G_EU x_U = r_E ,  H = G⁻¹          E equations (rows of G), U unknowns (columns of G)
//!
//! grow       [G a; r c]⁻¹ = [H + d v/s, −d/s; −v/s, 1/s]      d = H a, v = r H, s = c − r d
//! shrink     H_pe ≠ 0:  H_ij ← H_ij − H_ie H_pj / H_pe        without unknown p and equation e
//! unknown    column p of G becomes a:  H_p ← H_p / d_p ,  H_i ← H_i − d_i H_p
//! equation   row e of G becomes r:     H_e ← H_e / v_e ,  H_j ← H_j − v_j H_e    (columns of H)
//! ```
//!
//! Each costs k² multiplications for a block of k rows, fewer where d or v has zeros. It is the incremental
//! factorisation of the pivoting methods [Baraff 1994, §4.3] in its explicit form, which unsymmetric blocks of friction
//! need no special case for. Rounding accumulates with every change; the caller compares G H a with a, and has the block
//! factorised afresh where they differ.

use super::lu::{Lu, subtract};

/// A block with its inverse.
pub(super) struct Inverse {
    /// Labels by position.
    pub unknowns: Vec<usize>,
    pub equations: Vec<usize>,
    /// Positions by label.
    unknown_at: Vec<Option<usize>>,
    equation_at: Vec<Option<usize>>,
    /// H, one column for each equation, n apart.
    entries: Vec<f64>,
    n: usize,
}

impl Inverse {
    /// The empty block of `n` possible equations and `m` possible unknowns.
    pub fn new(n: usize, m: usize) -> Self {
        Self {
            unknowns: Vec::new(),
            equations: Vec::new(),
            unknown_at: vec![None; m],
            equation_at: vec![None; n],
            entries: vec![0.0; n * n],
            n,
        }
    }

    /// Rows of the block.
    pub fn len(&self) -> usize {
        self.unknowns.len()
    }

    /// Position of an unknown.
    pub fn unknown(&self, label: usize) -> Option<usize> {
        self.unknown_at[label]
    }

    /// Position of an equation.
    pub fn equation(&self, label: usize) -> Option<usize> {
        self.equation_at[label]
    }

    /// Column of H by position of the equation; its entries by position of the unknowns.
    pub fn column(&self, equation: usize) -> &[f64] {
        &self.entries[equation * self.n..][..self.len()]
    }

    /// x = H a, by position; `a` by label of the equations.
    pub fn solve(&self, a: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; self.len()];
        for (e, &label) in self.equations.iter().enumerate() {
            if a[label] != 0.0 {
                subtract(&mut x, -a[label], self.column(e));
            }
        }
        x
    }

    /// v = r H, by position of the equations; `r` by position of the unknowns, zeros left out.
    pub fn solve_transposed(&self, r: &[(usize, f64)]) -> Vec<f64> {
        let of = |column: &[f64]| r.iter().map(|&(p, r)| r * column[p]).sum();
        (0..self.len()).map(|e| of(self.column(e))).collect()
    }

    /// Adds an unknown and an equation, with d, v and s of the file's head.
    pub fn grow(&mut self, unknown: usize, equation: usize, d: &[f64], v: &[f64], s: f64) {
        let k = self.len();
        for (e, &v) in v.iter().enumerate() {
            let column = &mut self.entries[e * self.n..][..=k];
            let factor = v / s;
            if factor != 0.0 {
                subtract(&mut column[..k], -factor, d);
            }
            column[k] = -factor;
        }
        let last = &mut self.entries[k * self.n..][..=k];
        last.iter_mut().zip(d).for_each(|(x, d)| *x = -d / s);
        last[k] = 1.0 / s;
        self.unknown_at[unknown] = Some(k);
        self.equation_at[equation] = Some(k);
        self.unknowns.push(unknown);
        self.equations.push(equation);
    }

    /// Removes the unknown at position `p` and the equation at position `e`.
    pub fn shrink(&mut self, p: usize, e: usize) {
        let k = self.len();
        let own = self.column(e).to_vec();
        for j in (0..k).filter(|&j| j != e) {
            let column = &mut self.entries[j * self.n..][..k];
            let factor = column[p] / own[p];
            if factor != 0.0 {
                subtract(column, factor, &own);
            }
            // The last unknown takes the place of the one that leaves.
            column[p] = column[k - 1];
        }
        if e != k - 1 {
            let from = (k - 1) * self.n;
            self.entries.copy_within(from..from + k, e * self.n);
        }
        let (unknown, equation) = (self.unknowns.swap_remove(p), self.equations.swap_remove(e));
        for (labels, at, place) in
            [(&self.unknowns, &mut self.unknown_at, p), (&self.equations, &mut self.equation_at, e)]
        {
            if let Some(&moved) = labels.get(place) {
                at[moved] = Some(place);
            }
        }
        (self.unknown_at[unknown], self.equation_at[equation]) = (None, None);
    }

    /// Replaces the unknown at position `p` by `new`, or only its column if the label is the same; d = H a of the new column.
    pub fn replace_unknown(&mut self, p: usize, new: usize, d: &[f64]) {
        let k = self.len();
        for column in self.entries.chunks_exact_mut(self.n.max(1)).take(k) {
            let factor = column[p] / d[p];
            if factor != 0.0 {
                subtract(&mut column[..k], factor, d);
            }
            column[p] = factor;
        }
        let old = std::mem::replace(&mut self.unknowns[p], new);
        self.unknown_at[old] = None;
        self.unknown_at[new] = Some(p);
    }

    /// Replaces the equation at position `e` by `new`; v = r H of its row.
    pub fn replace_equation(&mut self, e: usize, new: usize, v: &[f64]) {
        let (k, n) = (self.len(), self.n);
        let own: Vec<f64> = self.column(e).iter().map(|x| x / v[e]).collect();
        for (j, &v) in v.iter().enumerate().filter(|&(j, v)| j != e && *v != 0.0) {
            subtract(&mut self.entries[j * n..][..k], v, &own);
        }
        self.entries[e * n..][..k].copy_from_slice(&own);
        let old = std::mem::replace(&mut self.equations[e], new);
        self.equation_at[old] = None;
        self.equation_at[new] = Some(e);
    }

    /// Computes H from G, which `write` returns row by row for the labels of the equations and of the unknowns, both
    /// ascending; leaves H as it was and says false where G is singular to rounding.
    pub fn factor(&mut self, write: impl FnOnce(&[usize], &[usize]) -> Vec<f64>) -> bool {
        let k = self.len();
        let (mut unknowns, mut equations) = (self.unknowns.clone(), self.equations.clone());
        unknowns.sort_unstable();
        equations.sort_unstable();
        let Some(lu) = Lu::of(k, write(&equations, &unknowns)) else { return false };
        let mut unit = vec![0.0; k * k];
        (0..k).for_each(|i| unit[i * k + i] = 1.0);
        let solved = lu.solve(&unit, k);
        if solved.iter().any(|x| !x.is_finite()) {
            return false;
        }
        for (i, row) in solved.chunks_exact(k.max(1)).enumerate() {
            row.iter().enumerate().for_each(|(j, &x)| self.entries[j * self.n + i] = x);
        }
        (0..k).for_each(|at| {
            self.unknown_at[unknowns[at]] = Some(at);
            self.equation_at[equations[at]] = Some(at);
        });
        (self.unknowns, self.equations) = (unknowns, equations);
        true
    }
}
