//! When a problem counts as solved: one measure for every solver, free of units and of scale.
//!
//! A row's w counts in m/s, whatever its own unit (*One unit for all rows*, below). With Aᵢᵢ = J W Jᵀ, here without c,
//! and μᵢ the reduced mass of the row's movable bodies,
//!
//! ```text
//! ŵᵢ = wᵢ/√(Aᵢᵢ μᵢ)
//! ```
//!
//! is a speed in m/s, however the row is scaled: |w| for a row along a line of action through the centres of mass, less with a
//! lever; k ω for a row that turns a body of radius of gyration k. The *speed of the problem* is ŝ = maxᵢ |ŵᵢ|
//! where no impulse acts, w = J v* + b, and an island is solved if
//!
//! ```text
//! |r̂ᵢ| ≤ 1e-9 ŝ                                                          r: the residual of `problem/mixed.rs`
//! ```
//!
//! for all its rows. A target out of reach does not loosen the measure of other rows: λ of a bounded row, such as a motor's,
//! changes its own w by no more than its reach, Aᵢᵢ max(|l|, |u|), so that no more of |w| counts in ŝ, and the rounding of such a
//! w not at all. Three cases are rounding and no failure, whatever the scale:
//!
//! - ŝ may be only the remainder of large velocities that cancel: a w below `ROUNDED_SUM` ε times the largest |J||v*|
//!   of any body and |b|, or below the rounding of b that the caller states, counts as zero.
//! - Speeds below `LEAST` are zero, whatever else there is.
//! - A light body that passes on the impulses of a heavy one gets their rounding as a velocity, and so does a body of small
//!   inertia at a long lever. Let R be the ratio of masses, times 1/100 of the largest (r/k)² of a row with the lever r on a body
//!   of radius of gyration k if that is more than 1. An island whose residual is `ROUNDED_SUM` ε times its largest
//!   impulse, Aᵢᵢ λᵢ, is then solved as well, up to `PASSED_ON` ε R ŝ. Below R = 1.8e4 that is less than 1e-9 ŝ.
//!
//! **One unit for all rows**: w in m/s, whatever a row's own unit.
//!
//! ```text
//! w' = s w :   J' = s J ,  b' = s b ,  c' = s² c ,  λ' = λ/s ,  [l', u'] = [l, u]/s ,  μ' = μ s_n/s_t
//! ```
//!
//! s is a power of two, so that nothing is rounded: 1 for a row along a unit vector; near 1/|J_xy| for another row that moves
//! bodies, such as one in m²; near 1/√(Aᵢᵢ μᵢ), a radius of gyration, for one that only turns them. Residuals of different rows,
//! and their impulses Aᵢᵢ λᵢ, can then be compared, and a world with all lengths multiplied by a power of two has the same
//! digits.

use crate::lcp::info::{ACCEPTED, ROUNDED_SUM};
use crate::lcp::problem::mixed::{Further, Law, MixedProblem, MixedRow, within};
use crate::math::largest;
use glam::DVec3;

/// Largest impulse of a light body in a problem of speed ŝ, in units of R ŝ, times [`ROUNDED_SUM`]: ten units.
const PASSED_ON: f64 = 240.0;
/// Speeds below this, m/s, count as zero: √MIN_POSITIVE/ε, since the squares by which norms are measured would lose their
/// rounding, and at 1e-162 themselves. A world without forces comes to rest by powers, step by step, and gets there within
/// hundreds of steps.
const LEAST: f64 = 6.7e-139;
/// Rounding excuses no residual above this multiple of what is otherwise accepted, at any mass ratio: 1e-3 of the
/// problem's speed.
const LARGEST: f64 = 1e6;

/// The measure of one problem.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Acceptance {
    /// ŝ, m/s.
    speed: f64,
    /// Rounding of ŵ from J v* and b, m/s.
    rounded: f64,
    /// Largest 1/√(Aᵢᵢ μᵢ).
    steepest: f64,
    /// R.
    mass_ratio: f64,
}

impl Acceptance {
    /// The measure of `problem`.
    pub fn of(problem: &MixedProblem) -> Self {
        let MixedProblem { inverse_mass, free, rows, rounding, .. } = problem;
        // The maxima are of squares: roots are taken once.
        let (mut speed, mut term, mut steepest) = (0.0, 0.0, 0.0);
        // The largest (r/k)², as a quotient.
        let mut lever = [0.0, 1.0];
        for row in rows {
            let (mobility, s) = (row.mobility(inverse_mass), row.unit(inverse_mass));
            let squared = squared_scale_of(row.reduced_weight(inverse_mass), mobility) / (s * s);
            let rate = row.rate(free) + row.bias;
            let most = row.magnitude(free).max(row.bias.abs());
            let reach = row.reach(mobility + row.compliance);
            let (rate, most) = if rate.abs() > reach { (reach, within(most, reach)) } else { (rate, most) };
            let (rate, most) = (s * rate, s * most);
            speed = larger(speed, squared * rate * rate);
            term = larger(term, squared * most * most);
            steepest = larger(steepest, squared);
            lever = longer(lever, row, inverse_mass);
        }
        let rounded = larger(ROUNDED_SUM * f64::EPSILON * term.sqrt(), LEAST);
        Self {
            speed: speed.sqrt(),
            rounded: larger(rounded, *rounding),
            steepest: steepest.sqrt(),
            mass_ratio: (lever[0] / (ORDINARY_LEVER * lever[1])).max(1.0) * mass_ratio(inverse_mass),
        }
    }

    /// An upper bound of max |r̂ᵢ|/ŝ where ‖r‖∞ is `residual`, of rows with their J v* + b, among bodies of the given
    /// W. It is cheap, and in most solves small enough.
    pub fn share_of_rows<'r>(
        residual: f64,
        rows: impl IntoIterator<Item = (&'r MixedRow, f64)>,
        inverse_mass: &[DVec3],
    ) -> f64 {
        if residual == 0.0 {
            return 0.0;
        }
        let (mut steepest, mut speed) = (0.0, 0.0);
        for (row, rate) in rows {
            let s = row.unit(inverse_mass);
            let mobility = row.mobility(inverse_mass) * s * s;
            let (squared, rate) = (squared_scale_of(row.reduced_weight(inverse_mass), mobility), s * rate);
            steepest = larger(steepest, squared);
            speed = larger(speed, squared * rate * rate);
        }
        residual * (steepest / speed).sqrt()
    }

    /// Returns ŝ, but at least the smallest speed that can be told from rounding, m/s: shares of the problem's speed are shares
    /// of this.
    pub fn speed(&self) -> f64 {
        larger(self.speed, self.rounded / ACCEPTED)
    }

    /// Rounding of ŵ from J v* and b, m/s.
    pub fn rounding(&self) -> f64 {
        self.rounded
    }

    /// Returns the largest ‖r‖∞ at which the problem is solved to the given share of its speed, by default [`ACCEPTED`].
    pub fn tolerance(&self, share: f64) -> f64 {
        if self.steepest > 0.0 { larger(share * self.speed, self.rounded) / self.steepest } else { 0.0 }
    }

    /// Returns `tolerance`, enlarged where rounding of the impulses is `rounding`.
    pub fn with_rounding(&self, tolerance: f64, rounding: f64) -> f64 {
        let most = (PASSED_ON * f64::EPSILON * self.mass_ratio / ACCEPTED).min(LARGEST) * tolerance;
        tolerance.max((ROUNDED_SUM * rounding).min(most))
    }

    /// An upper bound of max |r̂ᵢ|/ŝ where ‖r‖∞ is `residual`.
    pub fn at_most(&self, residual: f64) -> f64 {
        if residual == 0.0 { 0.0 } else { self.steepest * residual / self.speed() }
    }

    /// Whether λ with ‖r‖∞ = `residual` solves the problem to `share` of its speed.
    pub fn admits(&self, problem: &MixedProblem, lambda: &[f64], residual: f64, share: f64) -> bool {
        let tolerance = self.tolerance(share);
        residual <= tolerance || {
            let impulses = problem.rows.iter().zip(lambda);
            let inverse_mass = &problem.inverse_mass;
            let terms =
                impulses.map(|(row, lambda)| row.unit(inverse_mass) * row.diagonal(inverse_mass) * lambda);
            residual <= self.with_rounding(tolerance, f64::EPSILON * largest(terms))
        }
    }

    /// Returns maxᵢ |r̂ᵢ|/ŝ of rows with their residuals.
    pub fn relative<'a>(
        &self,
        inverse_mass: &[DVec3],
        residuals: impl IntoIterator<Item = (&'a MixedRow, f64)>,
    ) -> f64 {
        let squares = residuals.into_iter().map(|(row, r)| {
            let s = row.unit(inverse_mass);
            let mobility = row.mobility(inverse_mass);
            squared_scale_of(row.reduced_weight(inverse_mass), mobility) / (s * s) * r * r
        });
        let left = largest(squares).sqrt();
        if left == 0.0 { 0.0 } else { left / self.speed() }
    }
}

// One unit for all rows.

impl MixedRow {
    /// Whether it is along vectors of nearly unit length: w is a speed in m/s.
    #[inline(always)]
    pub(crate) fn is_speed(&self) -> bool {
        is_unit(self.along())
    }

    /// s of the file's head: m/s of one unit of w.
    #[inline]
    pub fn unit(&self, inverse_mass: &[DVec3]) -> f64 {
        let along = self.along();
        if is_unit(along) { 1.0 } else { self.unit_of_other(along, inverse_mass) }
    }

    fn unit_of_other(&self, along: f64, inverse_mass: &[DVec3]) -> f64 {
        let square = if along > 0.0 {
            1.0 / along
        } else {
            let mobility = self.mobility(inverse_mass);
            if mobility > 0.0 { squared_scale_of(self.reduced_weight(inverse_mass), mobility) } else { 1.0 }
        };
        // The root, as a power of two: of a square in [½, 2) it is 1.
        if square > 0.0 && square.is_finite() {
            libm::ldexp(1.0, (libm::ilogb(square) + 1).div_euclid(2))
        } else {
            1.0
        }
    }

    /// |J_xy|², the largest of its bodies.
    #[inline(always)]
    fn along(&self) -> f64 {
        let (a, b) = (self.ja, self.jb);
        let own = (a.x * a.x + a.y * a.y).max(b.x * b.x + b.y * b.y);
        let further = self.further.iter().flat_map(|further| further.j);
        further.fold(own, |most, j| most.max(j.x * j.x + j.y * j.y))
    }

    /// 1/μᵢ.
    #[inline]
    fn reduced_weight(&self, inverse_mass: &[DVec3]) -> f64 {
        // A body that takes part on one side alone moves alone.
        let of = |(body, j): (usize, DVec3)| if j == DVec3::ZERO { 0.0 } else { inverse_mass[body].x };
        let own = of((self.a, self.ja)) + of((self.b, self.jb));
        self.further.iter().flat_map(Further::arms).fold(own, |sum, arm| sum + of(arm))
    }

    /// The size of J v if its parts did not cancel.
    #[inline]
    fn magnitude(&self, v: &[DVec3]) -> f64 {
        let own = magnitude(self.ja, v[self.a]) + magnitude(self.jb, v[self.b]);
        self.further.iter().flat_map(Further::arms).fold(own, |sum, (body, j)| sum + magnitude(j, v[body]))
    }
}

#[inline(always)]
fn is_unit(along: f64) -> bool {
    (0.5..=2.0).contains(&along)
}

/// A problem with all rows converted to m/s.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct InSpeeds {
    /// The converted one.
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
        units.extend(problem.rows.iter().map(|row| row.unit(&problem.inverse_mass)));
        own.copy_from(problem);
        for (row, &s) in own.rows.iter_mut().zip(&*units) {
            row.ja *= s;
            row.jb *= s;
            row.further = row.further.map(|further| further.times(s));
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

// The quantities of rows by which these measure: how much a row moves its bodies, and its lever.

/// Largest (r/k)² of an ordinary lever: ten radii of gyration. The end of a rod has √3 of them.
const ORDINARY_LEVER: f64 = 100.0;

/// 1/(Aᵢᵢ μᵢ) from 1/μᵢ and J W Jᵀ.
#[inline]
pub(crate) fn squared_scale_of(reduced: f64, mobility: f64) -> f64 {
    if mobility > 0.0 && reduced > 0.0 { reduced / mobility } else { 1.0 }
}

/// The size of J v of one body if its parts did not cancel: at least |J||v|, at most twice that.
#[inline]
pub(crate) fn magnitude(j: DVec3, v: DVec3) -> f64 {
    (j.x.abs() + j.y.abs()) * (v.x.abs() + v.y.abs()) + (j.z * v.z).abs()
}

/// Largest over smallest mass of the bodies that move.
pub(crate) fn mass_ratio(inverse_mass: &[DVec3]) -> f64 {
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for w in inverse_mass.iter().filter(|w| w.x > 0.0) {
        (least, most) = (least.min(w.x), most.max(w.x));
    }
    if most > 0.0 { most / least } else { 1.0 }
}

/// Returns the larger of `lever`, (r/k)² as a quotient, and those of a row, as far as they are more than ordinary.
#[inline]
fn longer(lever: [f64; 2], row: &MixedRow, inverse_mass: &[DVec3]) -> [f64; 2] {
    row.arms().fold(lever, |[most, beside], (body, j)| {
        let w = inverse_mass[body];
        let (turning, along) = (w.z * j.z * j.z, w.x * (j.x * j.x + j.y * j.y));
        // Compared without a division.
        let is_longer = turning > ORDINARY_LEVER * along && turning * beside > most * along;
        if along > 0.0 && is_longer { [turning, along] } else { [most, beside] }
    })
}

/// The larger one, NaN if any is NaN.
#[inline]
pub(crate) fn larger(x: f64, y: f64) -> f64 {
    if y > x || y.is_nan() { y } else { x }
}
