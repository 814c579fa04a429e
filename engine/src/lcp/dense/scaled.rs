//! A problem equilibrated to entries of the order of one, so that tolerances mean the same everywhere.
//!
//! ```text
//! M′ = g D M D ,   q′ = D q / s ,   z = g s D z′ ,   w = s D⁻¹ w′ ,   D = diag(2^eᵢ) , s = 2^k , g = 2^l
//! ```
//!
//! D is applied from left and right: P-matrices, semidefinite, copositive and copositive-plus ones keep their
//! class. Powers of two make it exact. Afterwards the largest entry of every row and column of M′ lies near
//! 1 ([Ruiz 2001]; iterated on binary exponents), the largest of q′ in [1, 2).
//!
//! M′ and q′ of bodies do not depend on the units of length and mass: g takes up that of M, whose exponent may be odd,
//! and the iteration begins where the diagonal is one, and where rows without one, such as those of friction cones, are
//! as large as the rows that they belong to.

use crate::lcp::dense::problem::{LcpProblem, Variable};
use crate::lcp::info::{ACCEPTED, ROUNDED_SUM};
use crate::math::largest;
use libm::{ilogb, ldexp};

/// Most passes of the equilibration; each halves the logarithm of the imbalance.
const PASSES: usize = 6;
/// Exponents stay within ±this: half of f64's range, subnormal numbers included, with room to spare.
const LARGEST_EXPONENT: i32 = 600;

/// −qᵀy below this share of y's largest entry may be rounding.
const ROUNDED_SLOPE: f64 = 1e-12;

/// The problem in scaled variables.
pub(in crate::lcp) struct Scaled {
    /// M′ by rows, and the entries of each column that are not zero, with their rows: few among contacts.
    rows: Vec<f64>,
    columns: Vec<Vec<(usize, f64)>>,
    /// q′.
    pub q: Vec<f64>,
    exponents: Vec<i32>,
    gain: i32,
    magnitude: i32,
}

impl Scaled {
    /// Of a problem given as a matrix, whose units are those of its numbers.
    pub fn new(problem: &LcpProblem) -> Self {
        Self::from(problem, (vec![0; problem.n()], 0))
    }

    /// Of a problem of bodies, whose units do not count.
    pub fn without_units(problem: &LcpProblem) -> Self {
        Self::from(problem, units(problem))
    }

    fn from(problem: &LcpProblem, (mut exponents, gain): (Vec<i32>, i32)) -> Self {
        let n = problem.n();
        for _ in 0..PASSES {
            let mut tops = vec![None; n];
            for i in 0..n {
                for (j, entry) in problem.row(i).iter().enumerate().filter(|(_, entry)| **entry != 0.0) {
                    let size = Some(ilogb(*entry) + gain + exponents[i] + exponents[j]);
                    tops[i] = tops[i].max(size);
                    tops[j] = tops[j].max(size);
                }
            }
            let before = exponents.clone();
            for (exponent, top) in exponents.iter_mut().zip(tops) {
                // Rounded downwards on both sides of zero, so that a problem at another scale takes the same steps.
                let half = top.unwrap_or(0).div_euclid(2);
                *exponent = (*exponent - half).clamp(-LARGEST_EXPONENT, LARGEST_EXPONENT);
            }
            if exponents == before {
                break;
            }
        }
        let scaled = |i: usize, j: usize| ldexp(problem.row(i)[j], gain + exponents[i] + exponents[j]);
        let rows: Vec<f64> = (0..n).flat_map(|i| (0..n).map(move |j| scaled(i, j))).collect();
        let entries = |j: usize| (0..n).map(|i| (i, rows[i * n + j])).filter(|(_, m)| *m != 0.0).collect();
        let columns = (0..n).map(entries).collect();
        let q: Vec<_> = problem.q().iter().zip(&exponents).map(|(&q, &e)| ldexp(q, e)).collect();
        let top = largest(q.iter().copied());
        let magnitude = if top > 0.0 && top.is_finite() { ilogb(top) } else { 0 };
        let q = q.into_iter().map(|q| ldexp(q, -magnitude)).collect();
        Self { rows, columns, q, exponents, gain, magnitude }
    }

    /// Number of rows.
    pub fn n(&self) -> usize {
        self.q.len()
    }

    /// Row `i` of M′.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.rows[i * self.n()..][..self.n()]
    }

    /// g.
    pub fn gain(&self) -> f64 {
        ldexp(1.0, self.gain)
    }

    /// The entries of column `j` of M′ that are not zero, with their rows.
    pub fn column(&self, j: usize) -> &[(usize, f64)] {
        &self.columns[j]
    }

    /// D x for x by row of the given problem.
    pub fn scaled_rows(&self, x: &[f64]) -> Vec<f64> {
        x.iter().zip(&self.exponents).map(|(&x, &e)| ldexp(x, e)).collect()
    }

    /// z of the given problem.
    pub fn unscaled(&self, z: &[f64]) -> Vec<f64> {
        z.iter().zip(&self.exponents).map(|(&z, &e)| ldexp(z, e + self.gain + self.magnitude)).collect()
    }

    /// ‖min(z′, w′)‖∞ as a share of ‖q′‖∞, for z′ ≥ 0; and whether it is rounding in every row, of the terms of w′.
    pub fn residual(&self, z: &[f64]) -> (f64, bool) {
        let (mut residual, mut is_rounding) = (0.0, true);
        for (i, z_i) in z.iter().enumerate() {
            let terms = || self.row(i).iter().zip(z).map(|(m, z)| m * z);
            let w = terms().sum::<f64>() + self.q[i];
            let left = z_i.min(w).abs();
            // Written so that NaN stays.
            residual = if left <= residual { residual } else { left };
            let rounded =
                ROUNDED_SUM * f64::EPSILON * terms().fold(self.q[i].abs(), |most, x| most.max(x.abs()));
            // Overflow and NaN do not count as rounding.
            is_rounding &= w.is_finite() && rounded.is_finite() && left <= rounded;
        }
        (residual / largest(self.q.iter().copied()), is_rounding)
    }

    /// The value of one variable in the given problem, whose covering vector is d = D⁻¹ e.
    pub fn unscaled_value(&self, variable: Variable, value: f64) -> f64 {
        match variable {
            Variable::Z(k) => ldexp(value, self.exponents[k] + self.gain + self.magnitude),
            Variable::W(k) => ldexp(value, self.magnitude - self.exponents[k]),
            Variable::Covering => ldexp(value, self.magnitude),
        }
    }

    /// The direction dz of the given problem, its largest entry 1.
    pub fn unscaled_direction(&self, dz: &[f64]) -> Vec<f64> {
        let mut direction: Vec<_> = dz.iter().zip(&self.exponents).map(|(&dz, &e)| ldexp(dz, e)).collect();
        let top = largest(direction.iter().copied());
        if top > 0.0 {
            direction.iter_mut().for_each(|x| *x /= top);
        }
        direction
    }

    /// Returns the direction of y (scaled) in the given `problem`, if it proves in the numbers of both that there is no feasible
    /// point.
    ///
    /// One scale for rows and columns may leave an entry of M′ far below one, where Mᵀy > 0 looks like rounding but is not in the
    /// given numbers. Entries of y that are rounding themselves are set to zero where the proof needs it.
    pub fn certificate(&self, problem: &LcpProblem, y: &[f64]) -> Option<Vec<f64>> {
        let top = largest(y.iter().copied());
        let rounded = y.iter().map(|&y| if y > ROUNDED_SLOPE * top { y } else { 0.0 }).collect();
        [y.to_vec(), rounded].into_iter().filter(|y| self.is_farkas_certificate(y)).find_map(|y| {
            let direction = self.unscaled_direction(&y);
            problem.is_certificate(&direction).then_some(direction)
        })
    }

    /// Whether y (scaled) proves that no z ≥ 0 has M z + q ≥ 0: y ≥ 0, Mᵀy ≤ 0, qᵀy < 0.
    ///
    /// In floating point Mᵀy ≤ ε. A feasible z would give 0 ≤ yᵀ(M z + q) ≤ ε Σz + qᵀy, so Σz ≥ −qᵀy / ε: the
    /// proof holds against every z whose scaled sum stays below 1 / [`ACCEPTED`].
    fn is_farkas_certificate(&self, y: &[f64]) -> bool {
        let top = largest(y.iter().copied());
        let slope: f64 = self.q.iter().zip(y).map(|(q, y)| q * y).sum();
        top > 0.0
            && top.is_finite()
            && y.iter().all(|&y| y >= 0.0)
            && slope < -ROUNDED_SLOPE * top
            && (0..self.n())
                .all(|j| self.column(j).iter().map(|&(i, m)| m * y[i]).sum::<f64>() <= -ACCEPTED * slope)
    }
}

/// Exponents of D and g with which the diagonal of M′ is one, or two, and which other units of length and mass shift as
/// these themselves do.
fn units(problem: &LcpProblem) -> (Vec<i32>, i32) {
    let n = problem.n();
    let own = |i: usize| Some(problem.row(i)[i]).filter(|entry| *entry > 0.0).map(ilogb);
    let entries = || (0..n).flat_map(|i| problem.row(i)).copied();
    let first = (0..n).find_map(own).unwrap_or_else(|| match largest(entries()) {
        top if top > 0.0 => ilogb(top),
        _ => 0,
    });
    let halves: Vec<_> = (0..n).map(|i| own(i).map(|own| -(own - first).div_euclid(2))).collect();
    let exponents = (0..n).map(|i| {
        let beside = halves.iter().enumerate().filter_map(|(j, half)| {
            let entry = problem.row(i)[j].abs().max(problem.row(j)[i].abs());
            half.filter(|_| entry > 0.0).map(|half| ilogb(entry) + half - first)
        });
        let exponent = halves[i].or_else(|| beside.max().map(|size| -size)).unwrap_or(0);
        exponent.clamp(-LARGEST_EXPONENT, LARGEST_EXPONENT)
    });
    (exponents.collect(), -first)
}
