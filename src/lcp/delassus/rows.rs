//! The rows other than equations, w = A λ + q: equilibrated, each normal row before its friction.
//!
//! ```text
//! A′ = D A D ,   q′ = D q ,   λ = D λ′ ,   μ′ = μ d_n / d_t ,   D = diag(2^e) with A′ᵢᵢ between 1/2 and 4
//! ```
//!
//! Powers of two change no digit. A row's Aᵢᵢ is that of its bodies alone, which does not vanish where equations
//! hold them.

use crate::lcp::delassus::coupling::Coupling;
use crate::lcp::delassus::equations::Equations;
use crate::lcp::linear::matrix::{Lines, Matrix};
use crate::lcp::mixed::problem::{Law, MixedProblem};

/// Exponents of D stay within ±this, so that no product leaves the range of f64.
const LARGEST_EXPONENT: i32 = 250;

/// The rows other than equations, in scaled numbers.
pub(in crate::lcp) struct Rows {
    /// Index of each in the problem.
    pub index: Vec<usize>,
    /// By place: the place of the normal row, of the friction row.
    pub normal: Vec<Option<usize>>,
    pub friction: Vec<Option<usize>>,
    /// μ of friction rows.
    pub coefficient: Vec<f64>,
    /// l and u of the other rows.
    bounds: Vec<[f64; 2]>,
    /// A.
    pub a: Matrix,
    /// λ to start from, and w there.
    pub start: Vec<f64>,
    pub q: Vec<f64>,
    /// D.
    scale: Vec<f64>,
}

impl Rows {
    /// The rows that `equations`, factorised, leave.
    pub fn new(problem: &MixedProblem, equations: &mut Equations) -> Self {
        let is_friction = |law: Law| matches!(law, Law::Friction { .. });
        let list = |friction: bool| {
            (0..problem.rows.len()).filter(move |&i| {
                let law = problem.rows[i].law;
                law != Law::Equation && is_friction(law) == friction
            })
        };
        let index: Vec<usize> = list(false).chain(list(true)).collect();
        let n = index.len();
        let mut place = vec![0; problem.rows.len()];
        index.iter().enumerate().for_each(|(at, &row)| place[row] = at);
        let scale: Vec<f64> =
            index.iter().map(|&row| scale(problem.rows[row].diagonal(&problem.weight))).collect();
        let (mut normal, mut friction) = (vec![None; n], vec![None; n]);
        let (mut coefficients, mut bounds) = (vec![0.0; n], vec![[0.0, f64::INFINITY]; n]);
        let mut start = vec![0.0; problem.rows.len()];
        for (at, &row) in index.iter().enumerate() {
            match problem.rows[row].law {
                Law::Friction { normal: of, coefficient } => {
                    let of = place[of];
                    (normal[at], friction[of]) = (Some(of), Some(at));
                    coefficients[at] = coefficient * (scale[of] / scale[at]);
                }
                Law::Bounded { lower, upper } => {
                    start[row] = 0.0_f64.max(lower).min(upper);
                    bounds[at] = [lower / scale[at], upper / scale[at]];
                }
                _ => {}
            }
        }
        let scaled_start = index.iter().zip(&scale).map(|(&row, d)| start[row] / d).collect();
        let mut v = Vec::new();
        equations.complete(problem, &mut start, &mut v);
        let q = index.iter().zip(&scale).map(|(&row, d)| problem.w(row, &v, &start) * d).collect();
        let mut columns = Lines::new();
        let mut coupling = Coupling::new(problem, equations);
        for (&row, d) in index.iter().zip(&scale) {
            coupling.column(row, |i, w| columns.push(place[i], w * d * scale[place[i]]));
            columns.close();
        }
        let a = Matrix::from_columns(columns);
        Self {
            index,
            normal,
            friction,
            coefficient: coefficients,
            bounds,
            a,
            start: scaled_start,
            q,
            scale,
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// [l, u] of a row for λ.
    pub fn bounds(&self, at: usize, lambda: &[f64]) -> [f64; 2] {
        match self.normal[at] {
            Some(n) => {
                let most = self.coefficient[at] * lambda[n].max(0.0);
                [-most, most]
            }
            None => self.bounds[at],
        }
    }

    /// λ of these rows, of those of the problem.
    pub fn scaled(&self, lambda: &[f64]) -> Vec<f64> {
        self.index.iter().zip(&self.scale).map(|(&row, d)| lambda[row] / d).collect()
    }

    /// w = A (λ − λ_start) + q, with another q than the rows' own where it is perturbed.
    pub fn rates(&self, q: &[f64], lambda: &[f64], w: &mut Vec<f64>) {
        w.clear();
        w.extend_from_slice(q);
        for (j, (x, start)) in lambda.iter().zip(&self.start).enumerate() {
            if x != start {
                self.a.column(j).add_to(x - start, w);
            }
        }
    }

    /// λ by row of the problem, those of equations zero.
    pub fn unscaled(&self, lambda: &[f64], into: &mut [f64]) {
        into.fill(0.0);
        for ((&row, d), x) in self.index.iter().zip(&self.scale).zip(lambda) {
            into[row] = d * x;
        }
    }
}

/// The power of two whose square brings `diagonal` near 1; at another scale the same one but for that.
fn scale(diagonal: f64) -> f64 {
    if diagonal > 0.0 && diagonal.is_finite() {
        libm::ldexp(1.0, (-libm::ilogb(diagonal)).div_euclid(2).clamp(-LARGEST_EXPONENT, LARGEST_EXPONENT))
    } else {
        1.0
    }
}
