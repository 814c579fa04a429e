//! An axis of a stability plane: a parameter of the scheme or the time step, over the range that is shown.

use crate::method::{AxisQuantity, StabilityAxis};

/// An axis, logarithmic, since all these quantities span decades.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneAxis {
    /// What varies.
    pub quantity: AxisQuantity,
    /// The smallest value that is shown; greater than 0.
    pub low: f64,
    /// The largest value that is shown.
    pub high: f64,
}

impl From<StabilityAxis> for PlaneAxis {
    fn from((quantity, [low, high]): StabilityAxis) -> Self {
        Self { quantity, low, high }
    }
}

impl PlaneAxis {
    /// The quantity's symbol.
    pub fn symbol(&self) -> &'static str {
        match self.quantity {
            AxisQuantity::Parameter(own) => own.symbol,
            AxisQuantity::TimeStep => "h",
        }
    }

    /// The quantity's unit, empty where it has none.
    pub fn unit(&self) -> &'static str {
        match self.quantity {
            AxisQuantity::Parameter(own) => own.unit,
            AxisQuantity::TimeStep => "s",
        }
    }

    /// The value at a share of the axis, 0 at its low end and 1 at its high end.
    pub fn at(&self, share: f64) -> f64 {
        self.low * libm::pow(self.high / self.low, share)
    }

    /// The share of the axis at which a value lies, which may be beyond its ends; far below it for 0.
    pub fn share(&self, value: f64) -> f64 {
        libm::log(value.max(f64::MIN_POSITIVE) / self.low) / libm::log(self.high / self.low)
    }

    /// Powers of ten within the axis.
    pub fn decades(&self) -> impl Iterator<Item = f64> + '_ {
        /// Room for rounding at the ends, decades.
        const ROUNDING: f64 = 1e-9;
        let [low, high] = [self.low, self.high].map(libm::log10);
        let whole = (low - ROUNDING).ceil() as i32..=(high + ROUNDING).floor() as i32;
        whole.map(|n| libm::pow(10.0, f64::from(n)))
    }
}
