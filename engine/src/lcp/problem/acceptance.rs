//! When a problem counts as solved: one measure for every solver, free of units and of scale.
//!
//! A row's w counts in m/s, whatever its own unit (`units.rs`). With Aᵢᵢ = J W Jᵀ and μᵢ the reduced mass of the row's
//! movable bodies,
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
//! - ŝ may be only the remainder of large velocities that cancel: a w below [`ROUNDED`] ε times the largest |J||v*| of any body
//!   and
//!   |b|, or below the rounding of b that the caller states, counts as zero.
//! - Speeds below [`LEAST`] are zero, whatever else there is.
//! - A light body that passes on the impulses of a heavy one gets their rounding as a velocity, and so does a body of small
//!   inertia at a long lever. Let R be the ratio of masses, times 1/100 of the largest (r/k)² of a row with the lever r on a body
//!   of radius of gyration k if that is more than 1. An island whose residual is [`ROUNDED`] ε times its largest impulse, Aᵢᵢ λᵢ,
//!   is then solved as well, up to [`PASSED_ON`] ε R ŝ. Below R = 2e4 that is less than 1e-9 ŝ.

use crate::lcp::info::{ACCEPTED, ROUNDED};
use crate::lcp::problem::mixed::{MixedProblem, MixedRow, within};
use crate::lcp::problem::shares::{
    LongestLever, Maximum, larger, magnitude, mass_ratio, mobility, reduced_weight, share_of,
};
use crate::lcp::problem::units::{squared_share, unit};
use crate::math::largest;
use glam::DVec3;

/// Largest impulse of a light body in a problem of speed ŝ, in units of R ŝ, times [`ROUNDED`].
const PASSED_ON: f64 = 240.0;
/// Speeds below this, m/s, count as zero: √MIN_POSITIVE/ε, since the squares by which norms are measured would lose their
/// rounding, and at 1e-162 themselves. A world without forces comes to rest by powers, step by step, and gets there within
/// hundreds of steps.
const LEAST: f64 = 6.7e-139;
/// Rounding excuses no residual above this multiple of what is otherwise accepted, at any mass ratio.
const LARGEST: f64 = 1e6;

/// The measure of one problem.
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

/// The measure of one row's residual.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowMeasure {
    /// Aᵢᵢ.
    pub diagonal: f64,
    /// 1/(Aᵢᵢ μᵢ) of w in m/s, without compliance.
    share: f64,
}

impl Acceptance {
    /// Returns the measure of `problem`, and those of its rows.
    pub(crate) fn measuring(problem: &MixedProblem, measures: &mut Vec<RowMeasure>) -> Self {
        measures.clear();
        measures.reserve(problem.rows.len());
        Self::taking(problem, |measure| measures.push(measure))
    }

    /// The measure of `problem`.
    pub fn of(problem: &MixedProblem) -> Self {
        Self::taking(problem, |_| {})
    }

    #[inline]
    fn taking(problem: &MixedProblem, mut take: impl FnMut(RowMeasure)) -> Self {
        let MixedProblem { weight, free, rows, rounding, .. } = problem;
        // The maxima are of squares: roots are taken once.
        let (mut speed, mut term, mut steepest) =
            (Maximum::default(), Maximum::default(), Maximum::default());
        let mut lever = LongestLever::default();
        for row in rows {
            let (j, v, w) = ([row.ja, row.jb], [free[row.a], free[row.b]], [weight[row.a], weight[row.b]]);
            let (mobility, s) = (mobility(j, w), unit(j, || w));
            let diagonal = mobility + row.compliance;
            let share = share_of(reduced_weight(j, w), mobility) / (s * s);
            let rate = j[0].dot(v[0]) + j[1].dot(v[1]) + row.bias;
            let most = (magnitude(j[0], v[0]) + magnitude(j[1], v[1])).max(row.bias.abs());
            let reach = row.reach(diagonal);
            let (rate, most) = if rate.abs() > reach { (reach, within(most, reach)) } else { (rate, most) };
            let (rate, most) = (s * rate, s * most);
            speed.take(share * rate * rate);
            term.take(share * most * most);
            steepest.take(share);
            lever.take(j, w);
            take(RowMeasure { diagonal, share });
        }
        let rounded = larger(ROUNDED * f64::EPSILON * term.get().sqrt(), LEAST);
        Self {
            speed: speed.get().sqrt(),
            rounded: larger(rounded, *rounding),
            steepest: steepest.get().sqrt(),
            mass_ratio: lever.beyond_ordinary() * mass_ratio(weight),
        }
    }

    /// An upper bound of max |r̂ᵢ|/ŝ where ‖r‖∞ is `residual`, of rows with J W Jᵀ where it is known and J v* + b, among bodies
    /// of the given W. It is cheap, and in most solves small enough.
    pub fn share_of_rows<'r>(
        residual: f64,
        rows: impl IntoIterator<Item = (&'r MixedRow, Option<f64>, f64)>,
        weight: &[DVec3],
    ) -> f64 {
        if residual == 0.0 {
            return 0.0;
        }
        let mut shares = ShareBound::default();
        for (row, known, rate) in rows {
            let (j, w) = ([row.ja, row.jb], [weight[row.a], weight[row.b]]);
            let s = unit(j, || w);
            shares.take(reduced_weight(j, w), known.unwrap_or_else(|| mobility(j, w)) * s * s, s * rate);
        }
        shares.of(residual)
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
        tolerance.max((ROUNDED * rounding).min(most))
    }

    /// An upper bound of max |r̂ᵢ|/ŝ where ‖r‖∞ is `residual`.
    pub fn at_most(&self, residual: f64) -> f64 {
        if residual == 0.0 { 0.0 } else { self.steepest * residual / self.speed() }
    }

    /// Whether a residual is small enough where the largest impulse of a row, Aᵢᵢ λᵢ, is `impulse`.
    pub fn admits_beside(&self, residual: f64, impulse: f64) -> bool {
        residual <= self.with_rounding(self.tolerance(ACCEPTED), f64::EPSILON * impulse)
    }

    /// Whether λ with ‖r‖∞ = `residual` solves the problem to `share` of its speed.
    pub fn admits(&self, problem: &MixedProblem, lambda: &[f64], residual: f64, share: f64) -> bool {
        let tolerance = self.tolerance(share);
        residual <= tolerance || {
            let impulses = problem.rows.iter().zip(lambda);
            let weight = &problem.weight;
            let terms = impulses.map(|(row, lambda)| row.unit(weight) * row.diagonal(weight) * lambda);
            residual <= self.with_rounding(tolerance, f64::EPSILON * largest(terms))
        }
    }

    /// Returns maxᵢ |r̂ᵢ|/ŝ of rows with their residuals.
    pub fn relative<'a>(
        &self,
        weight: &[DVec3],
        residuals: impl IntoIterator<Item = (&'a MixedRow, f64)>,
    ) -> f64 {
        let squares = residuals.into_iter().map(|(row, r)| {
            let share = squared_share([row.ja, row.jb], [weight[row.a], weight[row.b]]);
            share * r * r
        });
        self.of_squares(squares)
    }

    /// maxᵢ |r̂ᵢ|/ŝ of all rows, with their measures.
    pub(crate) fn relative_of_all(&self, measures: &[RowMeasure], residuals: &[f64]) -> f64 {
        self.of_squares(measures.iter().zip(residuals).map(|(measure, &r)| measure.share * r * r))
    }

    fn of_squares(&self, squares: impl Iterator<Item = f64>) -> f64 {
        let left = largest(squares).sqrt();
        if left == 0.0 { 0.0 } else { left / self.speed() }
    }
}

/// The maxima from which [`Acceptance::share_of_rows`] is computed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ShareBound {
    steepest: Maximum,
    speed: Maximum,
}

impl ShareBound {
    /// Includes a row in m/s with 1/μᵢ, J W Jᵀ and J v* + b.
    #[inline]
    pub fn take(&mut self, reduced: f64, mobility: f64, rate: f64) {
        let share = share_of(reduced, mobility);
        self.steepest.take(share);
        self.speed.take(share * rate * rate);
    }

    /// Returns an upper bound of max |r̂ᵢ|/ŝ of these rows, where ‖r‖∞ is `residual`.
    pub fn of(&self, residual: f64) -> f64 {
        if residual == 0.0 { 0.0 } else { residual * (self.steepest.get() / self.speed.get()).sqrt() }
    }
}
