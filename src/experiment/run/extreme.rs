//! The largest value of a figure over a run, and its last.

use crate::experiment::units::larger;
use serde::Serialize;

/// The largest value of a figure, where NaN counts as larger than all numbers, and its last value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Extreme {
    /// The largest value.
    pub largest: f64,
    /// The time at which it occurred, s.
    pub at: f64,
    /// Its unit.
    pub unit: &'static str,
    /// The last value.
    pub last: f64,
    /// The last value's unit, since another row may have the largest error by then.
    pub last_unit: &'static str,
}

impl Extreme {
    pub(crate) fn new(value: f64, unit: &'static str, time: f64) -> Self {
        Self { largest: value, at: time, unit, last: value, last_unit: unit }
    }

    pub(crate) fn add(&mut self, value: f64, unit: &'static str, time: f64) {
        (self.last, self.last_unit) = (value, unit);
        let larger = larger(self.largest, value);
        if larger.to_bits() != self.largest.to_bits() {
            (self.largest, self.at, self.unit) = (larger, time, unit);
        }
    }
}

/// Takes in a figure that not every step has.
pub(crate) fn add_optional(
    extreme: &mut Option<Extreme>,
    value: Option<f64>,
    unit: &'static str,
    time: f64,
) {
    if let Some(value) = value {
        extreme.get_or_insert(Extreme::new(value, unit, time)).add(value, unit, time);
    }
}
