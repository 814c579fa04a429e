//! Profiles: given functions of time, for everything that is driven.
//!
//! ```text
//! constant   p(t) = c
//! ramp       p(t) = p₀ for t ≤ t₀ ,  p₀ + (p₁ − p₀)(t − t₀)/(t₁ − t₀) ,  p₁ for t ≥ t₁
//! sine       p(t) = c + a sin(2π f t + φ)
//! table      p(tᵢ) = pᵢ , between them on straight lines, or on the natural cubic spline, which is twice continuously
//! differentiable
//! ```
//!
//! Beyond its ends a table keeps its first and its last value. t in s, f in Hz, φ in rad; p in the unit of what is driven. ṗ
//! and p̈ are
//! those to the right where the function has a corner. The mean over a step is the exact integral: Simpson's rule is exact on
//! each
//! cubic piece, and of the sine it is c + a sin(φ_m) sin(π f h)/(π f h) with the phase φ_m in the middle.
//!
//! The spline has the second derivatives mᵢ, m₀ = m_n = 0, of the tridiagonal system [Stoer & Bulirsch, section 2.4]
//! hᵢ₋₁ mᵢ₋₁ + 2 (hᵢ₋₁ + hᵢ) mᵢ + hᵢ mᵢ₊₁ = 6 ((pᵢ₊₁ − pᵢ)/hᵢ − (pᵢ − pᵢ₋₁)/hᵢ₋₁).

use super::error::{ModelError, finite, fitting};
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

/// A given function of time.
///
/// ```
/// use driftlab::model::Profile;
///
/// let start = Profile::Ramp { from: 0.0, to: 3.0, start: 1.0, end: 2.0 };
/// assert_eq!([start.value(0.5), start.value(1.5), start.value(9.0)], [0.0, 1.5, 3.0]);
/// assert_eq!((start.rate(1.5), start.mean(1.0, 1.0)), (3.0, 1.5));
/// let cam = Profile::table(&[[0.0, 0.0], [1.0, 2.0], [3.0, 0.0]], true)?;
/// assert_eq!(cam.value(1.0), 2.0);
/// # Ok::<(), driftlab::model::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Profile {
    /// A number.
    Constant(f64),
    /// From one number to another at a constant rate.
    Ramp {
        /// p₀, up to `start`.
        from: f64,
        /// p₁, from `end` on.
        to: f64,
        /// t₀, s.
        start: f64,
        /// t₁ > t₀, s.
        end: f64,
    },
    /// A sine about a mean.
    Sine {
        /// c.
        mean: f64,
        /// a.
        amplitude: f64,
        /// f, Hz.
        frequency: f64,
        /// φ, rad.
        phase: f64,
    },
    /// Times and values.
    Table(ProfileTable),
}

impl Profile {
    /// A table of (t, p) with ascending times, on straight lines or on the natural cubic spline.
    ///
    /// # Errors
    /// Fewer than two points, times that do not ascend, a number that is not finite.
    pub fn table(points: &[[f64; 2]], cubic: bool) -> Result<Self, ModelError> {
        ProfileTable::new(points, cubic).map(Self::Table)
    }

    /// p(t).
    pub fn value(&self, t: f64) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Ramp { from, to, start, end } => {
                let share = ((t - start) / (end - start)).clamp(0.0, 1.0);
                // Exact at both ends.
                if share < 1.0 { from + share * (to - from) } else { *to }
            }
            Self::Sine { mean, amplitude, frequency, phase } => {
                mean + amplitude * libm::sin(TAU * frequency * t + phase)
            }
            Self::Table(table) => table.at(t)[0],
        }
    }

    /// ṗ(t), per s.
    pub fn rate(&self, t: f64) -> f64 {
        match self {
            Self::Constant(_) => 0.0,
            Self::Ramp { from, to, start, end } => {
                if (*start..*end).contains(&t) {
                    (to - from) / (end - start)
                } else {
                    0.0
                }
            }
            Self::Sine { amplitude, frequency, phase, .. } => {
                amplitude * TAU * frequency * libm::cos(TAU * frequency * t + phase)
            }
            Self::Table(table) => table.at(t)[1],
        }
    }

    /// p̈(t), per s².
    pub fn second(&self, t: f64) -> f64 {
        match self {
            Self::Constant(_) | Self::Ramp { .. } => 0.0,
            Self::Sine { amplitude, frequency, phase, .. } => {
                let omega = TAU * frequency;
                -amplitude * omega * omega * libm::sin(omega * t + phase)
            }
            Self::Table(table) => table.at(t)[2],
        }
    }

    /// c + s p.
    pub fn scaled(&self, s: f64, c: f64) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(c + s * value),
            Self::Ramp { from, to, start, end } => {
                Self::Ramp { from: c + s * from, to: c + s * to, start: *start, end: *end }
            }
            Self::Sine { mean, amplitude, frequency, phase } => {
                let (mean, amplitude) = (c + s * mean, s * amplitude);
                Self::Sine { mean, amplitude, frequency: *frequency, phase: *phase }
            }
            Self::Table(table) => {
                let Knots { points, bends } = &*table.0;
                let points: Vec<_> = points.iter().map(|[t, p]| [*t, c + s * p]).collect();
                // Those of the new points, as a table that is read has them, to the bit.
                let bends = if bends.is_empty() { Vec::new() } else { self::bends(&points) };
                Self::Table(ProfileTable(Arc::new(Knots { points, bends })))
            }
        }
    }

    /// The least value.
    pub fn least(&self) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Ramp { from, to, .. } => from.min(*to),
            Self::Sine { mean, amplitude, .. } => mean - amplitude.abs(),
            Self::Table(table) => table.least(),
        }
    }

    /// A bound of |ṗ|, per s.
    pub fn steepest(&self) -> f64 {
        match self {
            Self::Constant(_) => 0.0,
            Self::Ramp { from, to, start, end } => (to - from).abs() / (end - start),
            Self::Sine { amplitude, frequency, .. } => (amplitude * TAU * frequency).abs(),
            Self::Table(table) => {
                let Knots { points, bends } = &*table.0;
                let bend = |i: usize| bends.get(i).map_or(0.0, |bend| bend.abs());
                let pieces = points.windows(2).enumerate().map(|(i, ends)| {
                    let [[t0, p0], [t1, p1]] = [ends[0], ends[1]];
                    ((p1 - p0) / (t1 - t0)).abs() + (t1 - t0) * (bend(i) + bend(i + 1)) / 3.0
                });
                pieces.fold(0.0, f64::max)
            }
        }
    }

    /// The mean of p over the `h` seconds from `t` on.
    pub fn mean(&self, t: f64, h: f64) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Ramp { start, end, .. } => self.simpson([*start, *end].into_iter(), t, h),
            Self::Sine { mean, amplitude, frequency, phase } => {
                let half = PI * frequency * h;
                let share = if half == 0.0 { 1.0 } else { libm::sin(half) / half };
                mean + amplitude * share * libm::sin(TAU * frequency * (t + 0.5 * h) + phase)
            }
            Self::Table(table) => {
                let first = table.0.points.partition_point(|[time, _]| *time <= t);
                let knots = table.0.points[first..].iter().map(|[time, _]| *time);
                self.simpson(knots.take_while(|time| *time < t + h), t, h)
            }
        }
    }

    /// The mean of a function that is cubic between the ascending `corners`.
    fn simpson(&self, corners: impl Iterator<Item = f64>, t: f64, h: f64) -> f64 {
        let end = t + h;
        let (mut from, mut sum) = (t, 0.0);
        let inside = corners.filter(|corner| (t..end).contains(corner));
        for to in inside.chain([end]) {
            let middle = self.value(0.5 * (from + to));
            sum += (to - from) * (self.value(from) + 4.0 * middle + self.value(to)) / 6.0;
            from = to;
        }
        sum / (end - t)
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        match self {
            Self::Constant(value) => finite("value of the profile", *value),
            Self::Ramp { from, to, start, end } => {
                [from, to, start, end].into_iter().try_for_each(|x| finite("number of the ramp", *x))?;
                fitting(start < end, "end of the ramp", "later than its start", *end)
            }
            Self::Sine { mean, amplitude, frequency, phase } => [mean, amplitude, frequency, phase]
                .into_iter()
                .try_for_each(|x| finite("number of the sine", *x)),
            Self::Table(_) => Ok(()),
        }
    }
}

/// The table of a [`Profile`]. Clones share it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "SavedTable", into = "SavedTable"))]
pub struct ProfileTable(Arc<Knots>);

#[derive(Debug, PartialEq)]
struct Knots {
    /// (t, p).
    points: Vec<[f64; 2]>,
    /// p̈ at the points of a spline; empty for straight lines.
    bends: Vec<f64>,
}

impl ProfileTable {
    fn new(points: &[[f64; 2]], cubic: bool) -> Result<Self, ModelError> {
        let count = points.len();
        fitting(count >= 2, "number of points of the table", "2 or more", count as f64)?;
        points.iter().flatten().try_for_each(|x| finite("number of the table", *x))?;
        for pair in points.windows(2) {
            fitting(pair[0][0] < pair[1][0], "time of the table", "later than the one before", pair[1][0])?;
        }
        let bends = if cubic { bends(points) } else { Vec::new() };
        bends.iter().try_for_each(|x| finite("bend of the spline", *x))?;
        Ok(Self(Arc::new(Knots { points: points.to_vec(), bends })))
    }

    /// Its points (t, p).
    pub fn points(&self) -> &[[f64; 2]] {
        &self.0.points
    }

    /// Whether it is a spline.
    pub fn is_cubic(&self) -> bool {
        !self.0.bends.is_empty()
    }

    /// The least value: at a point, or where ṗ = A a² + B a + C = 0 between two, a the time since the first.
    fn least(&self) -> f64 {
        let Knots { points, bends } = &*self.0;
        let mut least = points.iter().fold(f64::INFINITY, |least, [_, p]| least.min(*p));
        for (ends, curved) in points.windows(2).zip(bends.windows(2)) {
            let ([[t0, p0], [t1, p1]], [m0, m1]) = ([ends[0], ends[1]], [curved[0], curved[1]]);
            let span = t1 - t0;
            let (a, b) = ((m1 - m0) / (2.0 * span), m0);
            let c = (p1 - p0) / span - span * (m1 + 2.0 * m0) / 6.0;
            let q = -0.5 * (b + (b * b - 4.0 * a * c).sqrt().copysign(b));
            // NaN, where there is no root, is not inside.
            for root in [q / a, c / q].into_iter().filter(|root| (0.0..span).contains(root)) {
                least = least.min(self.at(t0 + root)[0]);
            }
        }
        least
    }

    /// p, ṗ and p̈ at the time `t`.
    fn at(&self, t: f64) -> [f64; 3] {
        let Knots { points, bends } = &*self.0;
        let next = points.partition_point(|[time, _]| *time <= t);
        let held = if next == 0 { points.first() } else { points.last().filter(|_| next == points.len()) };
        if let Some([_, value]) = held {
            return [*value, 0.0, 0.0];
        }
        let [[t0, p0], [t1, p1]] = [points[next - 1], points[next]];
        let (span, slope) = (t1 - t0, (p1 - p0) / (t1 - t0));
        let (a, b) = (t - t0, t1 - t);
        let line = if a <= b { p0 + slope * a } else { p1 - slope * b };
        if bends.is_empty() {
            return [line, slope, 0.0];
        }
        let [m0, m1] = [bends[next - 1], bends[next]];
        let bend = (m0 * b + m1 * a) / span;
        // p = line − a b ((m₀ (span + b) + m₁ (span + a))/(6 span)
        let value = line - a * b * (m0 * (span + b) + m1 * (span + a)) / (6.0 * span);
        let rate =
            slope + (m1 * (3.0 * a * a - span * span) - m0 * (3.0 * b * b - span * span)) / (6.0 * span);
        [value, rate, bend]
    }
}

/// p̈ of the natural spline at its points, by elimination without pivots: the matrix is dominated by its diagonal.
fn bends(points: &[[f64; 2]]) -> Vec<f64> {
    let n = points.len();
    let span = |i: usize| points[i + 1][0] - points[i][0];
    let slope = |i: usize| (points[i + 1][1] - points[i][1]) / span(i);
    let (mut share, mut bends) = (vec![0.0; n], vec![0.0; n]);
    for i in 1..n - 1 {
        let pivot = 2.0 * (span(i - 1) + span(i)) - span(i - 1) * share[i - 1];
        share[i] = span(i) / pivot;
        bends[i] = (6.0 * (slope(i) - slope(i - 1)) - span(i - 1) * bends[i - 1]) / pivot;
    }
    for i in (1..n - 1).rev() {
        bends[i] -= share[i] * bends[i + 1];
    }
    bends
}

/// A profile's table as it is written.
#[cfg(feature = "serde")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
struct SavedTable {
    points: Vec<[f64; 2]>,
    cubic: bool,
}

#[cfg(feature = "serde")]
impl TryFrom<SavedTable> for ProfileTable {
    type Error = ModelError;

    fn try_from(SavedTable { points, cubic }: SavedTable) -> Result<Self, ModelError> {
        Self::new(&points, cubic)
    }
}

#[cfg(feature = "serde")]
impl From<ProfileTable> for SavedTable {
    fn from(table: ProfileTable) -> Self {
        Self { points: table.points().to_vec(), cubic: table.is_cubic() }
    }
}
