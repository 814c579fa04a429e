//! Time steps whose motions can be compared: each divides the largest, so that all of them pass through its multiples.

use crate::numbers::shortest;

/// A quotient within this relative distance of a whole number counts as whole: time steps are typed with five digits
/// or more.
const TYPED: f64 = 1e-5;
/// A time step within this relative distance of the exact quotient is left as it was typed.
const ROUNDING: f64 = 1e-14;
/// How many time steps the default has, each half the one before.
const HALVINGS: u32 = 5;

/// Time steps that each divide the largest, and a run whose length is a multiple of the largest.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeSteps {
    /// s, the largest first.
    values: Vec<f64>,
    /// How many steps of each make one of the largest.
    divisions: Vec<u64>,
    /// The run in multiples of the largest.
    intervals: u64,
    /// Length of the run that was asked for, s.
    asked: f64,
    /// Whether a time step is not the one that was asked for.
    rounded: bool,
}

impl TimeSteps {
    /// `h` s and its half, quarter, eighth and sixteenth, over about `duration` s.
    ///
    /// # Errors
    /// A run shorter than `h`.
    pub fn halving(h: f64, duration: f64) -> Result<Self, String> {
        let all: Vec<f64> = (0..HALVINGS).map(|k| h / f64::from(1 << k)).collect();
        Self::dividing(&all, duration)
    }

    /// Time steps (s) each of which divides the largest, over about `duration` s: the nearest multiple of the largest.
    ///
    /// # Errors
    /// Time steps that do not divide it, with what was expected; a run that is too short.
    pub fn dividing(h: &[f64], duration: f64) -> Result<Self, String> {
        let all = Self::near(h, duration)?;
        let divides = |h: &f64| divides(*h, all.interval());
        match h.iter().find(|h| !divides(h)) {
            None => Ok(all),
            Some(odd) => {
                let largest = all.interval();
                Err(format!(
                    "{} s does not divide the largest time step, {} s (expected time steps that do, such as \
                     {},{},{}, because motions are compared at its multiples)",
                    shortest(*odd),
                    shortest(largest),
                    shortest(largest),
                    shortest(largest / 2.0),
                    shortest(largest / 4.0)
                ))
            }
        }
    }

    /// The nearest to `h` (s) that divide the largest of them, each once, over about `duration` s.
    ///
    /// # Errors
    /// No time step, one that is not positive and finite, a run that is too short.
    pub fn near(h: &[f64], duration: f64) -> Result<Self, String> {
        let expected = "expected numbers greater than 0";
        if let Some(wrong) = h.iter().find(|h| !(h.is_finite() && **h > 0.0)) {
            return Err(format!("{wrong:e} is not a time step ({expected})"));
        }
        let largest = h.iter().copied().fold(0.0, f64::max);
        if largest == 0.0 {
            return Err(format!("no time step ({expected})"));
        }
        let rounded = !h.iter().all(|h| divides(*h, largest));
        let mut divisions: Vec<(u64, f64)> = h.iter().map(|h| ((largest / h).round() as u64, *h)).collect();
        divisions.sort_by_key(|(division, _)| *division);
        divisions.dedup_by_key(|(division, _)| *division);
        let value = |(division, typed): &(u64, f64)| {
            let exact = largest / *division as f64;
            if (typed / exact - 1.0).abs() <= ROUNDING { *typed } else { exact }
        };
        let intervals = (duration / largest).round() as u64;
        if largest > duration * (1.0 + TYPED) || intervals == 0 {
            return Err(format!(
                "the largest time step, {} s, is longer than the run of {} s (expected a longer --time, or smaller \
                 time steps)",
                shortest(largest),
                shortest(duration)
            ));
        }
        Ok(Self {
            values: divisions.iter().map(value).collect(),
            divisions: divisions.iter().map(|(division, _)| *division).collect(),
            intervals,
            asked: duration,
            rounded,
        })
    }

    /// The time steps, s, the largest first.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Time between two comparisons, s: the largest time step.
    pub fn interval(&self) -> f64 {
        self.values[0]
    }

    /// Length of the run, s.
    pub fn duration(&self) -> f64 {
        self.intervals as f64 * self.interval()
    }

    /// The length of the run that was asked for, s, if it is another.
    pub fn asked(&self) -> Option<f64> {
        ((self.duration() / self.asked - 1.0).abs() > TYPED).then_some(self.asked)
    }

    /// Whether a time step is not the one that was asked for.
    pub fn is_rounded(&self) -> bool {
        self.rounded
    }

    /// Steps of a run by each of the time steps.
    pub fn steps(&self) -> impl Iterator<Item = u64> {
        self.divisions.iter().map(|division| self.intervals.saturating_mul(*division))
    }

    /// (time step in s, steps of the run, steps between two comparisons) of each.
    pub(super) fn paces(&self) -> impl Iterator<Item = Pace> {
        let pace =
            |(h, stride): (&f64, &u64)| Pace { h: *h, steps: self.intervals * stride, stride: *stride };
        self.values.iter().zip(&self.divisions).map(pace)
    }

    /// The smallest time step over `refined`.
    pub(super) fn finer(&self, refined: u64) -> Pace {
        let smallest = self.divisions.last().copied().unwrap_or(1);
        let stride = smallest.saturating_mul(refined);
        let steps = self.intervals.saturating_mul(stride);
        Pace { h: self.interval() / stride as f64, steps, stride }
    }
}

/// Whether a whole number of `h` makes `interval`, to the digits that are typed.
fn divides(h: f64, interval: f64) -> bool {
    (h * (interval / h).round() / interval - 1.0).abs() <= TYPED
}

/// How a run is stepped, and how often it is sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pace {
    /// Time step, s.
    pub h: f64,
    /// Steps of the run.
    pub steps: u64,
    /// Steps between two comparisons.
    pub stride: u64,
}
