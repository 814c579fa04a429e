//! A node of the tree of branches: a dictionary, and the pivots of the dual simplex method.
//!
//! The rounding of a pivot stays in the dictionary. After some pivots, and where it leaves open whether a node contradicts
//! itself, the dictionary is computed afresh from M and q, B⁻¹N of its basis. This decided 92 of 115 islands in forces that were
//! left open before, most of them by rounded entries taken for zero or for negative (evidence/log/2026-11-25-reliability.md).

use super::Examined;
use crate::lcp::dense::scaled::Scaled;
use crate::lcp::info::{ACCEPTED, ROUNDED_SUM};
use crate::math::largest;

/// Most pivots of a node, per unknown: where it takes so many, rounding leads in a circle.
const PIVOTS: usize = 20;
/// Pivots per unknown after which a dictionary is computed afresh, at the cost of these pivots.
const AFRESH: usize = 2;
/// Least pivots in a dictionary that was just computed afresh, without the rounding of pivots, and in that computation.
const SMALL_PIVOT: f64 = 1e-14;
const SINGULAR: f64 = 1e-16;
/// Share of −yᵀq up to which a coefficient may be what the entries of M are rounded by: to undo the contradiction its variable
/// would have to be larger than the reciprocal of this.
const IMMATERIAL: f64 = 1e-6;
/// Rounding leaves the node open, without a λ.
const UNCLEAR: Examined = Examined::Open { near: false };

/// A dictionary x_B = r + C x_N of the 2 n variables z (0 to n − 1) and w (n to 2 n − 1), and which of these are zero.
#[derive(Clone)]
pub(super) struct Node {
    n: usize,
    basic: Vec<usize>,
    others: Vec<usize>,
    /// r.
    values: Vec<f64>,
    /// C, by rows.
    entries: Vec<f64>,
    /// By variable, whether it is zero.
    pub fixed: Vec<bool>,
    /// Largest negative value that is no contradiction, in scaled units, where q is of the order of one: at first what
    /// counts as solved.
    pub feasible: f64,
    /// Whether no pivot has been made since the dictionary was computed from M and q.
    fresh: bool,
}

impl Node {
    /// Returns the root: w = q + M z, nothing set to zero.
    pub fn root(scaled: &Scaled) -> Self {
        let n = scaled.n();
        let entries = (0..n).flat_map(|i| scaled.row(i)).copied().collect();
        let (basic, others) = ((n..2 * n).collect(), (0..n).collect());
        Self {
            n,
            basic,
            others,
            values: scaled.q.clone(),
            entries,
            fixed: vec![false; 2 * n],
            feasible: ACCEPTED,
            fresh: true,
        }
    }

    /// Makes pivots until every variable has a value that it may have. `sizes` are [`PlainForm::sizes`](super::PlainForm),
    /// scaled; `work` grows by the entries that are changed.
    ///
    /// # Errors
    /// A contradiction, which was checked, or that rounding leaves it open.
    pub fn make_feasible(
        &mut self,
        scaled: &Scaled,
        sizes: &[f64],
        work: &mut usize,
    ) -> Result<(), Examined> {
        for pivots in 0..PIVOTS * self.n.max(1) {
            let afresh = pivots > 0 && pivots.is_multiple_of(AFRESH * self.n);
            if afresh && !self.refresh(scaled, work) {
                return Err(UNCLEAR);
            }
            // By size at first; where that takes long, by the least index, which cannot cycle.
            let by_index = pivots > 4 * self.n;
            let Some((row, sign)) = self.violated(by_index) else { return Ok(()) };
            // Smaller entries, where q is of the order of one, may be no more than what counts as solved.
            if let Some(column) = self.entering(row, sign, by_index, ACCEPTED) {
                self.exchange(row, column);
            } else if self.is_contradiction(scaled, sizes, row, sign) {
                return Err(Examined::Contradiction);
            } else {
                // A small entry is accurate only in a fresh dictionary, and as a pivot it amplifies rounding.
                let small = if self.fresh { self.entering(row, sign, false, SMALL_PIVOT) } else { None };
                let Some(column) = small else { return Err(UNCLEAR) };
                self.exchange(row, column);
                if !self.refresh(scaled, work) {
                    return Err(UNCLEAR);
                }
            }
            *work += self.n * self.n;
        }
        Err(UNCLEAR)
    }

    /// Returns a row whose value its variable may not have, and −1 where that value is too large.
    fn violated(&self, by_index: bool) -> Option<(usize, f64)> {
        let is_fixed = |row: usize| self.fixed[self.basic[row]];
        let excess = |row: usize| if is_fixed(row) { self.values[row].abs() } else { -self.values[row] };
        let wrong = (0..self.n).filter(|&row| excess(row) > self.feasible);
        let row = if by_index {
            wrong.min_by_key(|&row| self.basic[row])
        } else {
            wrong.max_by(|&a, &b| excess(a).total_cmp(&excess(b)))
        };
        row.map(|row| (row, if self.values[row] > 0.0 { -1.0 } else { 1.0 }))
    }

    /// Returns the column whose variable brings the row to zero by growing, its entry more than the share `least` of the largest.
    fn entering(&self, row: usize, sign: f64, by_index: bool, least: f64) -> Option<usize> {
        let entry = |column: usize| sign * self.entries[row * self.n + column];
        let top = largest((0..self.n).map(entry)).max(1.0);
        let free =
            (0..self.n).filter(|&column| !self.fixed[self.others[column]] && entry(column) > least * top);
        if by_index {
            free.min_by_key(|&column| self.others[column])
        } else {
            free.max_by(|&a, &b| entry(a).total_cmp(&entry(b)))
        }
    }

    /// Exchanges the variable of the row, which becomes zero, for that of the column.
    fn exchange(&mut self, row: usize, column: usize) {
        let n = self.n;
        self.fresh = false;
        let pivot = self.entries[row * n + column];
        let mut line: Vec<f64> = self.entries[row * n..][..n].iter().map(|x| -x / pivot).collect();
        line[column] = 1.0 / pivot;
        let value = -self.values[row] / pivot;
        for i in (0..n).filter(|&i| i != row) {
            let share = self.entries[i * n + column];
            if share == 0.0 {
                continue;
            }
            self.values[i] += share * value;
            let entries = &mut self.entries[i * n..][..n];
            entries[column] = 0.0;
            entries.iter_mut().zip(&line).for_each(|(x, l)| *x += share * l);
        }
        self.entries[row * n..][..n].copy_from_slice(&line);
        self.values[row] = value;
        std::mem::swap(&mut self.basic[row], &mut self.others[column]);
    }

    /// Computes the dictionary from M and q, without the rounding of the pivots that led to it; false where its basis is
    /// singular.
    ///
    /// With the columns e_i of w_i and −M e_j of z_j, w − M z = q reads B x_B + N x_N = q: x_B = B⁻¹q − B⁻¹N x_N, by Gauss and
    /// Jordan.
    pub fn refresh(&mut self, scaled: &Scaled, work: &mut usize) -> bool {
        let n = self.n;
        let width = 2 * n + 1;
        *work += n * n * width;
        let mut a = vec![0.0; n * width];
        let places = self.basic.iter().chain(&self.others).enumerate();
        for (place, &x) in places {
            if x >= n {
                a[(x - n) * width + place] = 1.0;
            } else {
                scaled.column(x).iter().for_each(|&(i, m)| a[i * width + place] = -m);
            }
        }
        scaled.q.iter().enumerate().for_each(|(i, q)| a[i * width + 2 * n] = *q);
        for k in 0..n {
            let size = |i: &usize| a[i * width + k].abs();
            let Some(best) = (k..n).max_by(|i, j| size(i).total_cmp(&size(j))) else { return false };
            let pivot = a[best * width + k];
            if pivot.abs() < SINGULAR {
                return false;
            }
            if best != k {
                (k..width).for_each(|c| a.swap(best * width + c, k * width + c));
            }
            let line: Vec<f64> = a[k * width + k..(k + 1) * width].iter().map(|x| x / pivot).collect();
            a[k * width + k..(k + 1) * width].copy_from_slice(&line);
            for i in (0..n).filter(|&i| i != k) {
                let share = a[i * width + k];
                if share != 0.0 {
                    let row = &mut a[i * width + k..(i + 1) * width];
                    row.iter_mut().zip(&line).for_each(|(x, l)| *x -= share * l);
                }
            }
        }
        for (i, row) in a.chunks_exact(width).enumerate() {
            self.values[i] = row[2 * n];
            let entries = &mut self.entries[i * n..][..n];
            entries.iter_mut().zip(&row[n..2 * n]).for_each(|(x, y)| *x = -y);
        }
        self.fresh = true;
        true
    }

    /// Whether the row, computed afresh as yᵀ(w − M z) = yᵀq, has a negative right-hand side and no negative coefficient of a
    /// variable that is not zero.
    ///
    /// The rounding of an entry of M is proportional to `sizes`, not to the entry itself, whose terms may have cancelled.
    fn is_contradiction(&self, scaled: &Scaled, sizes: &[f64], row: usize, sign: f64) -> bool {
        let n = self.n;
        let mut y = vec![0.0; n];
        let terms = self.others.iter().zip(&self.entries[row * n..][..n]).map(|(&x, c)| (x, -sign * c));
        for (x, c) in terms.chain([(self.basic[row], sign)]) {
            if x >= n {
                // Negative values are so within rounding.
                y[x - n] = if self.fixed[x] { c } else { c.max(0.0) };
            }
        }
        let slope: f64 = scaled.q.iter().zip(&y).map(|(q, y)| q * y).sum();
        let terms: f64 = scaled.q.iter().zip(&y).map(|(q, y)| (q * y).abs()).sum();
        let pushed: f64 = sizes.iter().zip(&y).map(|(size, y)| size * y.abs()).sum();
        let holds = |j: usize| {
            let (mut sum, mut terms) = (0.0, 0.0);
            for &(i, m) in scaled.column(j) {
                sum += m * y[i];
                terms += (m * y[i]).abs();
            }
            let rounded = ROUNDED_SUM * f64::EPSILON * scaled.gain() * sizes[j] * pushed;
            let entries = if rounded <= -IMMATERIAL * slope { rounded } else { 0.0 };
            sum <= -ACCEPTED * slope || sum <= ROUNDED_SUM * f64::EPSILON * terms + entries
        };
        slope < -ACCEPTED * terms && (0..n).all(|j| self.fixed[j] || holds(j))
    }

    /// Returns the pair with two positive variables whose smaller one is largest.
    pub fn worst_pair(&self) -> Option<usize> {
        let mut values = vec![0.0; 2 * self.n];
        self.basic.iter().zip(&self.values).for_each(|(&x, &value)| values[x] = value);
        let both = |&pair: &usize| {
            let (z, w) = (values[pair], values[self.n + pair]);
            if z < w { z } else { w }
        };
        let worst = (0..self.n).max_by(|a, b| both(a).total_cmp(&both(b)));
        worst.filter(|pair| both(pair) > self.feasible)
    }

    pub fn z(&self) -> Vec<f64> {
        let mut z = vec![0.0; self.n];
        for (&x, &value) in self.basic.iter().zip(&self.values).filter(|(x, _)| **x < self.n) {
            z[x] = value.max(0.0);
        }
        z
    }
}
