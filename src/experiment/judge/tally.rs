//! Figures over a run: the largest of a number, when, and its mean; how fast an error decays; when motion has come to rest.

use crate::experiment::units::larger;
use serde::Serialize;

/// The largest of a number over a run, and its mean over those steps that know it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Extreme {
    /// The largest, in the figure's unit.
    pub largest: f64,
    /// The time after the step in which it was largest, s.
    pub at: f64,
    /// That step, from 1.
    pub step: u64,
    /// The mean.
    pub mean: f64,
    /// Of the last step that knows it.
    pub last: f64,
    /// How many numbers these are.
    pub count: u64,
}

/// An [`Extreme`] in the making.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    largest: f64,
    at: f64,
    step: u64,
    sum: f64,
    last: f64,
    count: u64,
}

/// When a step ended, s, and its number from 1.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct When {
    pub time: f64,
    pub step: u64,
}

impl Tally {
    /// Takes a number in; NaN counts as larger than all.
    pub fn add(&mut self, value: f64, when: When) {
        if self.count == 0 || (larger(self.largest, value) != self.largest && !self.largest.is_nan()) {
            (self.largest, self.at, self.step) = (value, when.time, when.step);
        }
        (self.sum, self.last, self.count) = (self.sum + value, value, self.count + 1);
    }

    /// Takes a number in, if there is one.
    pub fn add_known(&mut self, value: Option<f64>, when: When) {
        value.into_iter().for_each(|value| self.add(value, when));
    }

    /// None where no step knows the number.
    pub fn extreme(&self) -> Option<Extreme> {
        let Self { largest, at, step, sum, last, count } = *self;
        let mean = if count > 0 { sum / count as f64 } else { 0.0 };
        (count > 0).then_some(Extreme { largest, at, step, mean, last, count })
    }
}

/// Steps from which a decay is read at least.
const FEWEST: usize = 8;
/// A decay that ends above this share of its beginning is none.
const DECAYED: f64 = 0.5;
/// Errors below this share of the largest count no more: what is left there is another one.
const FOLLOWED: f64 = 1e-6;

/// The half-life of an error after its largest value, s: ln 2 divided by the slope of the line through ln e(t), by least
/// squares, down to a millionth of the largest, or to `floor`, below which it is rounding. None where the error does not fall
/// to a half, or not for eight steps.
pub(super) fn half_life(points: &[[f64; 2]], floor: f64) -> Option<f64> {
    let largest = points.iter().map(|[_, e]| *e).fold(0.0, f64::max);
    let begin = points.iter().position(|[_, e]| *e == largest)?;
    let decays = points[begin..].iter().take_while(|[_, e]| *e > floor.max(FOLLOWED * largest));
    let decay: Vec<[f64; 2]> = decays.map(|[t, e]| [*t, e.ln()]).collect();
    let last = decay.last()?[1].exp();
    if decay.len() < FEWEST || last.is_nan() || last > DECAYED * largest {
        return None;
    }
    let n = decay.len() as f64;
    let [t, y] = [0, 1].map(|axis: usize| decay.iter().map(|point| point[axis]).sum::<f64>() / n);
    let product: f64 = decay.iter().map(|point| (point[0] - t) * (point[1] - y)).sum();
    let square: f64 = decay.iter().map(|point| (point[0] - t).powi(2)).sum();
    let slope = product / square;
    (slope < 0.0).then(|| -std::f64::consts::LN_2 / slope)
}

/// Share of the largest kinetic energy below which nothing moves.
pub(super) const AT_REST: f64 = 1e-4;

/// The time from which on the kinetic energy stays below [`AT_REST`] of its largest, s after the beginning, for points of
/// time and energy; none where it does not until the end, or where nothing has moved.
pub(super) fn settling_time(start: f64, points: &[[f64; 2]]) -> Option<f64> {
    let largest = points.iter().map(|[_, energy]| *energy).fold(0.0, f64::max);
    let moves = |point: &[f64; 2]| point[1].is_nan() || point[1] > AT_REST * largest;
    let last = points.iter().rposition(moves).filter(|last| last + 1 < points.len() && largest > 0.0)?;
    Some(points[last + 1][0] - start)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An error that falls by half in 0.3 s is told with that half-life; one that grows or stays has none.
    #[test]
    fn a_decay_has_its_half_life() {
        let points = |rate: f64| -> Vec<[f64; 2]> {
            (0..100).map(|i| 0.01 * f64::from(i)).map(|t| [t, (rate * t).exp()]).collect()
        };
        let found = half_life(&points(-std::f64::consts::LN_2 / 0.3), 0.0);
        assert!(found.is_some_and(|own| (own - 0.3).abs() < 1e-12), "{found:?}");
        assert_eq!(half_life(&points(0.0), 0.0), None);
        assert_eq!(half_life(&points(1.0), 0.0), None);
        assert_eq!(half_life(&points(-1.0), 2.0), None, "rounding");
    }

    /// A body that stops at 0.5 s has settled by then; one that moves until the end has not.
    #[test]
    fn motion_settles_when_it_stops() {
        let points = |until: i32| -> Vec<[f64; 2]> {
            (1..=100).map(|i| [0.01 * f64::from(i), if i <= until { 1.0 } else { 1e-9 }]).collect()
        };
        assert!(settling_time(0.0, &points(50)).is_some_and(|t| (t - 0.51).abs() < 1e-12));
        assert_eq!(settling_time(0.0, &points(100)), None);
    }
}
