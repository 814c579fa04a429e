//! An axis as a figure draws it: linear or logarithmic, with cells about its values and ticks at round numbers.

use super::picture::PlotError;
use crate::experiment::sweep::axis::{Axis, Scale};
use crate::experiment::units::short;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use thiserror::Error;

/// A map that cannot be drawn.
#[derive(Debug, Error)]
pub enum MapError {
    /// Neither one axis nor two.
    #[error("a figure shows one or two parameters, not {0}")]
    Axes(usize),
    /// An axis of words, or of one value.
    #[error("'{0}' needs at least two numbers to be drawn as an axis")]
    NoNumbers(String),
    /// The drawing library failed.
    #[error(transparent)]
    Plot(#[from] PlotError),
}

/// An axis in the coordinate in which it is drawn, x or log₁₀ x.
pub(crate) struct Ruler {
    scale: Scale,
    /// Places in ascending order of the values, with the index of each.
    pub places: Vec<(usize, f64)>,
}

impl Ruler {
    pub fn new(axis: &Axis) -> Result<Self, MapError> {
        let numbers = axis.numbers().filter(|numbers| numbers.len() > 1);
        let numbers = numbers.ok_or_else(|| MapError::NoNumbers(axis.key.clone()))?;
        let place = |x: f64| if axis.scale == Scale::Logarithmic { x.log10() } else { x };
        let mut places: Vec<_> = numbers.into_iter().map(place).enumerate().collect();
        places.sort_by(|a, b| a.1.total_cmp(&b.1));
        Ok(Self { scale: axis.scale, places })
    }

    /// Where a value is drawn.
    pub fn place(&self, x: f64) -> f64 {
        if self.scale == Scale::Logarithmic { x.log10() } else { x }
    }

    /// Borders of the cells about the places: halfway between neighbours.
    pub fn borders(&self) -> Vec<f64> {
        let at = |i: usize| self.places[i].1;
        let last = self.places.len() - 1;
        let inner = (0..last).map(|i| 0.5 * (at(i) + at(i + 1)));
        let first = at(0) - 0.5 * (at(1) - at(0));
        let end = at(last) + 0.5 * (at(last) - at(last - 1));
        std::iter::once(first).chain(inner).chain([end]).collect()
    }

    /// The coordinate of a chart, as wide as the cells.
    pub fn coordinate(&self) -> Ticked {
        let borders = self.borders();
        let (low, high) = (borders[0], borders[borders.len() - 1]);
        let ticks = match self.scale {
            Scale::Logarithmic => logarithmic_ticks(low, high),
            Scale::Linear | Scale::Words => linear_ticks(low, high),
        };
        Ticked { low, high, ticks }
    }

    /// The label of a tick.
    pub fn label(&self, place: f64) -> String {
        match self.scale {
            Scale::Logarithmic => short(10f64.powf(place)),
            Scale::Linear | Scale::Words => short(place),
        }
    }
}

/// A linear coordinate with given ticks.
pub(crate) struct Ticked {
    pub low: f64,
    pub high: f64,
    pub ticks: Vec<f64>,
}

impl Ranged for Ticked {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let share = (value - self.low) / (self.high - self.low);
        start + (share * f64::from(end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // A second call asks for the light lines between the ticks, of which there are none.
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.low..self.high
    }
}

/// log₁₀ of 1, 2 and 5 in every decade where there are few, of the powers of ten where there are many.
fn logarithmic_ticks(low: f64, high: f64) -> Vec<f64> {
    let within: &[f64] = if high - low < 3.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let decades = low.floor() as i32..=high.ceil() as i32;
    let ticks = decades.flat_map(|decade| within.iter().map(move |m| f64::from(decade) + m.log10()));
    ticks.filter(|tick| (low..=high).contains(tick)).collect()
}

/// About eight multiples of 1, 2 or 5 times a power of ten.
fn linear_ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 8.0;
    let power = 10f64.powf(rough.log10().floor());
    let pitch = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|p| *p >= rough).unwrap_or(rough);
    let (first, last) = ((low / pitch).ceil() as i64, (high / pitch).floor() as i64);
    (first..=last).map(|i| i as f64 * pitch).collect()
}
