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
use crate::lcp::delassus::polyhedral::HELD;
use crate::lcp::linear::matrix::{Lines, Matrix};
use crate::lcp::mixed::problem::{Law, MixedProblem};
use glam::DVec3;

/// Exponents of D stay within ±this, so that no product leaves the range of f64.
const LARGEST_EXPONENT: i32 = 250;

/// The rows other than equations, in scaled numbers, in memory that the next problem uses again.
#[derive(Debug, Default)]
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
    /// By row of the problem: its place here, and λ where these rows start.
    place: Vec<usize>,
    given: Vec<f64>,
    /// The velocity there.
    v: Vec<DVec3>,
    columns: Lines,
    coupling: Coupling,
}

impl Rows {
    /// Becomes the rows that `equations`, factorised, leave.
    pub fn pose(&mut self, problem: &MixedProblem, equations: &mut Equations) {
        let is_friction = |law: Law| matches!(law, Law::Friction { .. });
        let list = |friction: bool| {
            (0..problem.rows.len()).filter(move |&i| {
                let law = problem.rows[i].law;
                law != Law::Equation && is_friction(law) == friction
            })
        };
        let Self { index, normal, friction, bounds, scale, place, given, .. } = self;
        index.clear();
        index.extend(list(false).chain(list(true)));
        let n = index.len();
        refill(place, problem.rows.len(), 0);
        index.iter().enumerate().for_each(|(at, &row)| place[row] = at);
        scale.clear();
        scale.extend(index.iter().map(|&row| scale_of(problem.rows[row].diagonal(&problem.weight))));
        refill(normal, n, None);
        refill(friction, n, None);
        refill(&mut self.coefficient, n, 0.0);
        refill(bounds, n, [0.0, f64::INFINITY]);
        refill(given, problem.rows.len(), 0.0);
        for (at, &row) in index.iter().enumerate() {
            match problem.rows[row].law {
                Law::Friction { normal: of, coefficient } => {
                    let of = place[of];
                    (normal[at], friction[of]) = (Some(of), Some(at));
                    self.coefficient[at] = coefficient * (scale[of] / scale[at]);
                }
                Law::Bounded { lower, upper } => {
                    given[row] = 0.0_f64.max(lower).min(upper);
                    bounds[at] = [lower / scale[at], upper / scale[at]];
                }
                _ => {}
            }
        }
        let Self { index, a, start, q, scale, place, given, v, columns, coupling, .. } = self;
        start.clear();
        start.extend(index.iter().zip(&*scale).map(|(&row, d)| given[row] / d));
        equations.complete(problem, given, v);
        q.clear();
        q.extend(index.iter().zip(&*scale).map(|(&row, d)| problem.w(row, v, given) * d));
        columns.clear();
        coupling.prepare(problem);
        for (&row, d) in index.iter().zip(&*scale) {
            coupling.column(problem, equations, row, |i, w| {
                columns.push(place[i], w * d * scale[place[i]]);
            });
            columns.close();
        }
        a.set_columns(columns);
    }

    /// A row that the equations hold altogether (`polyhedral.rs`) and that is met within `tolerance` is met: nothing could drive the
    /// rounding out of it.
    pub fn let_held_rest(&mut self, problem: &MixedProblem, tolerance: f64) {
        for (at, &row) in self.index.iter().enumerate() {
            let data = &problem.rows[row];
            let size = self.scale[at] * self.scale[at] * data.diagonal(&problem.weight);
            let left = self.a.row(at).iter().find(|(j, _)| *j == at).map_or(0.0, |(_, entry)| entry);
            if data.compliance == 0.0
                && left <= HELD * size
                && self.q[at].abs() <= tolerance * self.scale[at]
            {
                self.q[at] = 0.0;
            }
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
    pub fn scaled(&self, lambda: &[f64], into: &mut Vec<f64>) {
        into.clear();
        into.extend(self.index.iter().zip(&self.scale).map(|(&row, d)| lambda[row] / d));
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
fn scale_of(diagonal: f64) -> f64 {
    if diagonal > 0.0 && diagonal.is_finite() {
        libm::ldexp(1.0, (-libm::ilogb(diagonal)).div_euclid(2).clamp(-LARGEST_EXPONENT, LARGEST_EXPONENT))
    } else {
        1.0
    }
}

/// `count` times `value`.
fn refill<T: Clone>(into: &mut Vec<T>, count: usize, value: T) {
    into.clear();
    into.resize(count, value);
}
