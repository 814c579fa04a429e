//! The basis of a drive: which λ move freely, which rows have w = 0, and the inverse of their system.
//!
//! ```text
//! G_EU x_U = r_E ,   G_ij = A_ij + s_j A_it        t the friction of j
//! Δλ_j = x_j ,   Δλ_t = s_j x_j + x_t              x_t only where t is in U as well
//! ```
//!
//! Between drives U = E are the clamped rows. s_j = ±μ where t slides: λ_t follows λ_j and its column is part of
//! j's. Where t is clamped s_j is any number, and x_t what λ_t has beyond it; so a row that begins or ceases to slide
//! changes one row or one column of G at a time.

use crate::lcp::delassus::rows::Rows;
use crate::lcp::linear::inverse::Inverse;
use crate::math::largest;

/// A pivot below this, in the equilibrated rows, is rounding.
const TINY_PIVOT: f64 = 1e-12;
/// A direction that moves rows of E by more than this, relative to its largest entry, is refined.
const ROUNDED: f64 = 1e-13;
/// The same before the inverse is computed afresh.
const DRIFT: f64 = 1e-9;

/// A variable that enters the basis or leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    /// λ of a row, or what it has beyond s λ_n; in U while basic.
    Lambda(usize),
    /// w of a row; the row is in E while it is not basic.
    Rate(usize),
}

/// What moves with the entering variable.
#[derive(Clone, Debug, Default)]
pub(super) struct Direction {
    /// Δλ.
    pub lambda: Vec<f64>,
    /// Δw, zero for the rows of E but for the one that enters.
    pub w: Vec<f64>,
    x: Vec<f64>,
    step: Vec<f64>,
}

pub(super) struct Basis<'r> {
    rows: &'r Rows,
    inverse: Inverse,
    /// s by normal row.
    slope: Vec<f64>,
    /// Changes since the inverse was last computed from A.
    changes: usize,
}

impl<'r> Basis<'r> {
    /// No row is clamped, none slides.
    pub fn new(rows: &'r Rows) -> Self {
        let n = rows.len();
        Self { rows, inverse: Inverse::new(n, n), slope: vec![0.0; n], changes: 0 }
    }

    /// y ← y + factor · column of x_j.
    fn add(&self, j: usize, factor: f64, y: &mut [f64]) {
        self.rows.a.column(j).add_to(factor, y);
        if let Some(t) = self.rows.friction[j]
            && self.slope[j] != 0.0
        {
            self.rows.a.column(t).add_to(factor * self.slope[j], y);
        }
    }

    /// G_iU by position.
    fn row(&self, i: usize) -> Vec<(usize, f64)> {
        let mut row = Vec::new();
        for (j, a) in self.rows.a.row(i).iter().filter(|(_, a)| *a != 0.0) {
            row.extend(self.inverse.unknown(j).map(|p| (p, a)));
            // A_ij of a friction row j is part of its normal row's column.
            if let Some(n) = self.rows.normal[j]
                && let Some(p) = self.inverse.unknown(n)
                && self.slope[n] != 0.0
            {
                row.push((p, a * self.slope[n]));
            }
        }
        row
    }

    /// The variable `entering` joins the basis in place of `leaving`; false where rounding left no pivot.
    pub fn exchange(&mut self, entering: Variable, leaving: Variable) -> bool {
        let (mut d, mut v) = (Vec::new(), Vec::new());
        let done = match (entering, leaving) {
            (Variable::Lambda(j), Variable::Lambda(k)) if j == k => return true,
            (Variable::Lambda(j), Variable::Lambda(k)) => {
                self.solve(j, &mut d);
                self.inverse.unknown(k).filter(|&p| is_pivot(d[p])).map(|p| {
                    self.inverse.replace_unknown(p, j, &d);
                })
            }
            (Variable::Lambda(j), Variable::Rate(i)) => {
                let column = self.solve(j, &mut d);
                let row = self.row(i);
                self.inverse.solve_transposed(&row, &mut v);
                let s = column[i] - row.iter().map(|&(p, g)| g * d[p]).sum::<f64>();
                is_pivot(s).then(|| self.inverse.grow(j, i, &d, &v, s))
            }
            (Variable::Rate(i), Variable::Lambda(k)) => {
                let places = self.inverse.unknown(k).zip(self.inverse.equation(i));
                places.filter(|&(p, e)| is_pivot(self.inverse.column(e)[p])).map(|(p, e)| {
                    self.inverse.shrink(p, e);
                })
            }
            (Variable::Rate(i), Variable::Rate(k)) => {
                self.inverse.solve_transposed(&self.row(k), &mut v);
                self.inverse.equation(i).filter(|&e| is_pivot(v[e])).map(|e| {
                    self.inverse.replace_equation(e, k, &v);
                })
            }
        };
        self.changes += 1;
        done.is_some()
    }

    /// d = H a of the column of x_j, which is returned.
    fn solve(&self, j: usize, d: &mut Vec<f64>) -> Vec<f64> {
        let mut column = vec![0.0; self.rows.len()];
        self.add(j, 1.0, &mut column);
        self.inverse.solve(&column, d);
        column
    }

    /// s of the normal row `j` becomes `slope`; false where rounding left no pivot.
    pub fn slide(&mut self, j: usize, slope: f64) -> bool {
        let change = slope - self.slope[j];
        if let (Some(p), Some(t), true) = (self.inverse.unknown(j), self.rows.friction[j], change != 0.0) {
            let mut d = Vec::new();
            self.solve(t, &mut d);
            d.iter_mut().for_each(|x| *x *= change);
            d[p] += 1.0;
            if !is_pivot(d[p]) {
                return false;
            }
            self.inverse.replace_unknown(p, j, &d);
            self.changes += 1;
        }
        self.slope[j] = slope;
        true
    }

    /// What moves when `entering`, which is not in the basis, grows by `size`.
    pub fn direction(&mut self, entering: Variable, size: f64, direction: &mut Direction) {
        self.compute(entering, size, direction);
        // Written so that NaN counts as missed.
        let met = self.missed(direction) <= DRIFT;
        if !met && self.changes > 0 {
            self.refresh();
            self.compute(entering, size, direction);
        }
        let Direction { lambda, w, x, .. } = direction;
        lambda.clear();
        lambda.resize(w.len(), 0.0);
        self.inverse.equations().iter().for_each(|&i| w[i] = 0.0);
        match entering {
            Variable::Lambda(j) => {
                lambda[j] = size;
                if let Some(t) = self.rows.friction[j] {
                    lambda[t] = self.slope[j] * size;
                }
            }
            Variable::Rate(i) => w[i] = size,
        }
        self.spread(x, lambda);
    }

    fn compute(&self, entering: Variable, size: f64, direction: &mut Direction) {
        direction.w.clear();
        direction.w.resize(self.rows.len(), 0.0);
        direction.x.clear();
        direction.x.resize(self.inverse.len(), 0.0);
        match entering {
            Variable::Lambda(j) => self.add(j, size, &mut direction.w),
            // What is left to be met: w_i shall come out as `size`.
            Variable::Rate(i) => direction.w[i] = -size,
        }
        self.correct(direction);
        if self.missed(direction) > ROUNDED {
            self.correct(direction);
        }
    }

    /// x ← x − H w_E, and the w that this leaves.
    fn correct(&self, Direction { w, x, step, .. }: &mut Direction) {
        self.inverse.solve(w, step);
        for ((&u, x), &dx) in self.inverse.unknowns().iter().zip(x).zip(&*step) {
            *x -= dx;
            if dx != 0.0 {
                self.add(u, -dx, w);
            }
        }
    }

    fn missed(&self, direction: &Direction) -> f64 {
        let missed = largest(self.inverse.equations().iter().map(|&i| direction.w[i]));
        missed / largest(direction.x.iter().copied()).max(1.0)
    }

    /// λ ← λ + x of the clamped rows and of those that slide along.
    fn spread(&self, x: &[f64], lambda: &mut [f64]) {
        for (&u, &x) in self.inverse.unknowns().iter().zip(x) {
            lambda[u] += x;
            if let Some(t) = self.rows.friction[u] {
                lambda[t] += self.slope[u] * x;
            }
        }
    }

    /// Corrects λ so that the rows of E have w = 0, with w from A and `q`.
    pub fn settle(&mut self, q: &[f64], lambda: &mut [f64], w: &mut Vec<f64>) {
        let mut x = Vec::new();
        self.rows.rates(q, lambda, w);
        for _ in 0..2 {
            self.inverse.solve(w, &mut x);
            x.iter_mut().for_each(|x| *x = -*x);
            self.spread(&x, lambda);
            self.rows.rates(q, lambda, w);
            let missed = largest(self.inverse.equations().iter().map(|&i| w[i]));
            if missed <= DRIFT * largest(lambda.iter().chain(q).copied()) {
                return;
            }
            self.refresh();
        }
    }

    /// Computes the inverse from A; leaves it as it is where G is singular to rounding.
    pub fn refresh(&mut self) {
        self.changes = 0;
        let (rows, slope) = (self.rows, &self.slope);
        self.inverse.factor(|equations, unknowns, block| {
            let sliding: Vec<(usize, usize)> = unknowns
                .iter()
                .enumerate()
                .filter_map(|(place, &j)| rows.friction[j].map(|t| (place, t)))
                .filter(|&(place, _)| slope[unknowns[place]] != 0.0)
                .collect();
            let friction: Vec<usize> = sliding.iter().map(|&(_, t)| t).collect();
            // Friction rows need not stand in the order of their normal rows.
            let mut order: Vec<usize> = (0..friction.len()).collect();
            order.sort_unstable_by_key(|&at| friction[at]);
            let ascending: Vec<usize> = order.iter().map(|&at| friction[at]).collect();
            let mut dragged = Vec::new();
            for &i in equations {
                let start = block.len();
                rows.a.gather(i, unknowns, block);
                dragged.clear();
                rows.a.gather(i, &ascending, &mut dragged);
                for (&at, a) in order.iter().zip(&dragged) {
                    let place = sliding[at].0;
                    block[start + place] += slope[unknowns[place]] * a;
                }
            }
        });
    }
}

fn is_pivot(x: f64) -> bool {
    x.is_finite() && x.abs() > TINY_PIVOT
}
