//! One unit for all rows: w in m/s, whatever a row's own unit.
//!
//! ```text
//! w' = s w :   J' = s J ,  b' = s b ,  c' = s² c ,  λ' = λ/s ,  [l', u'] = [l, u]/s ,  μ' = μ s_n/s_t
//! ```
//!
//! s is a power of two, so that nothing is rounded: 1 for a row along a unit vector; near 1/|J_xy| for another row that moves
//! bodies, such as one in m²; near 1/√(Aᵢᵢ μᵢ), a radius of gyration, for one that only turns them. Residuals of different rows,
//! and their impulses Aᵢᵢ λᵢ, can then be compared, and a world with all lengths multiplied by a power of two has the same
//! digits.

use crate::lcp::problem::mixed::{Law, MixedProblem, MixedRow};
use crate::lcp::problem::shares::{mobility, reduced_weight, share_of};
use glam::DVec3;

impl MixedRow {
    /// Whether it is along vectors of nearly unit length: w is a speed in m/s.
    #[inline(always)]
    pub(crate) fn is_speed(&self) -> bool {
        is_unit(along([self.ja, self.jb]))
    }

    /// s of the file's head: m/s of one unit of w.
    #[inline]
    pub fn unit(&self, weight: &[DVec3]) -> f64 {
        unit([self.ja, self.jb], || [weight[self.a], weight[self.b]])
    }
}

/// Returns s of a row with J of both bodies, and their W.
#[inline]
pub(crate) fn unit(j: [DVec3; 2], w: impl FnOnce() -> [DVec3; 2]) -> f64 {
    let along = along(j);
    if is_unit(along) { 1.0 } else { unit_of_other(j, along, w()) }
}

/// Returns 1/(Aᵢᵢ μᵢ) of a row in m/s with J of both bodies; 1 for a row that moves nothing.
#[inline]
pub(crate) fn squared_share(j: [DVec3; 2], w: [DVec3; 2]) -> f64 {
    let s = unit(j, || w);
    share_of(reduced_weight(j, w), mobility(j, w)) / (s * s)
}

fn unit_of_other(j: [DVec3; 2], along: f64, w: [DVec3; 2]) -> f64 {
    let square = if along > 0.0 {
        1.0 / along
    } else {
        let mobility = mobility(j, w);
        if mobility > 0.0 { share_of(reduced_weight(j, w), mobility) } else { 1.0 }
    };
    // The root, as a power of two: of a square in [½, 2) it is 1.
    if square > 0.0 && square.is_finite() {
        libm::ldexp(1.0, (libm::ilogb(square) + 1).div_euclid(2))
    } else {
        1.0
    }
}

/// |J_xy|², the larger of two bodies.
#[inline(always)]
fn along([a, b]: [DVec3; 2]) -> f64 {
    (a.x * a.x + a.y * a.y).max(b.x * b.x + b.y * b.y)
}

#[inline(always)]
fn is_unit(along: f64) -> bool {
    (0.5..=2.0).contains(&along)
}

/// A problem with all rows converted to m/s.
#[derive(Debug, Default)]
pub(crate) struct InSpeeds {
    pub problem: MixedProblem,
    units: Vec<f64>,
}

impl InSpeeds {
    /// Converts `problem`, unless all its rows are in m/s as posed; returns whether it did.
    pub fn converts(&mut self, problem: &MixedProblem) -> bool {
        if problem.rows.iter().all(MixedRow::is_speed) {
            return false;
        }
        let Self { problem: own, units } = self;
        units.clear();
        units.extend(problem.rows.iter().map(|row| row.unit(&problem.weight)));
        own.copy_from(problem);
        for (row, &s) in own.rows.iter_mut().zip(&*units) {
            row.ja *= s;
            row.jb *= s;
            row.bias *= s;
            row.compliance *= s * s;
            match &mut row.law {
                Law::Equation | Law::Unilateral => {}
                Law::Bounded { lower, upper } => (*lower, *upper) = (*lower / s, *upper / s),
                Law::Friction { normal, coefficient } | Law::Sliding { normal, coefficient } => {
                    *coefficient *= units[*normal] / s;
                }
            }
        }
        true
    }

    /// Converts λ to λ'.
    pub fn scale(&self, lambda: &mut [f64]) {
        lambda.iter_mut().zip(&self.units).for_each(|(lambda, s)| *lambda /= s);
    }

    /// Converts λ' to λ.
    pub fn unscale(&self, lambda: &mut [f64]) {
        lambda.iter_mut().zip(&self.units).for_each(|(lambda, s)| *lambda *= s);
    }
}
