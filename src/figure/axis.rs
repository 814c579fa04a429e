//! Axes: what they span, where their ticks stand, and how those are written.
//!
//! Whatever draws an axis draws a linear one: values have a *place* on it, which is log₁₀ of the value where it is logarithmic.

use crate::numbers::{plain, power, raised, round_up, significant};

/// The lowest value on a logarithmic axis: errors below are rounding, or the zero that it cannot show.
pub const FLOOR: f64 = 1e-17;
/// Decades up to which a logarithmic axis has a tick at 2 and 5, and at 3, beside those at 1.
const FINE: f64 = 1.5;
const COARSE: f64 = 2.5;
/// Share of the width that stays free on either side of a logarithmic axis that ends with its data, and of a linear one.
const SIDES: f64 = 0.06;
const MARGIN: f64 = 0.05;
/// Of an axis of errors: one in so many values may lie below it, since errors begin at zero; its least width, and the room
/// above and below the values, decades.
const FEWEST: usize = 60;
const LEAST: f64 = 3.0;
const ROOM: f64 = 0.7;
/// Errors up to this are none on such an axis; the decades that it shows where there are no others.
const ROUNDED: f64 = 1e-16;
const NONE: [f64; 2] = [-16.0, -13.0];
/// Divisions of an axis, to which numbers are written exactly: ticks are never as near to each other.
const DIVISIONS: f64 = 50.0;
/// Largest numbers of linear axes that are written without powers of ten.
const PLAIN: std::ops::Range<f64> = 1e-3..1e5;
/// Most digits of a number.
const MOST: f64 = 9.0;

/// An axis's scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps are equal differences.
    Linear,
    /// Equal steps are equal ratios.
    Logarithmic,
}

/// Where an axis ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ends {
    /// Where its data end.
    Exact,
    /// With its data and a margin.
    Data,
    /// At whole decades about its data.
    Decades,
    /// A logarithmic axis of errors, the smallest of which may lie below it.
    Errors,
    /// At these places.
    At([f64; 2]),
}

/// Least distance of the ticks of an axis of whole numbers.
const WHOLE: f64 = 1.0;

/// How the numbers along a logarithmic axis are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writing {
    /// 0.5, 20, 1000.
    Plain,
    /// 5·10⁻¹, 10³.
    Powers,
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What stands beside it, with its unit.
    pub label: String,
    /// Linear or logarithmic.
    pub scale: Scale,
    /// Where it ends.
    pub ends: Ends,
    writing: Writing,
    /// Least distance of its ticks.
    least: f64,
}

impl Axis {
    /// A linear axis, or a logarithmic one at whole decades.
    pub fn new(label: impl Into<String>, scale: Scale) -> Self {
        let ends = if scale == Scale::Linear { Ends::Data } else { Ends::Decades };
        Self { label: label.into(), scale, ends, writing: Writing::Powers, least: 0.0 }
    }

    /// A linear axis with a margin.
    pub fn linear(label: impl Into<String>) -> Self {
        Self::new(label, Scale::Linear)
    }

    /// A logarithmic axis at whole decades, written as powers of ten.
    pub fn logarithmic(label: impl Into<String>) -> Self {
        Self::new(label, Scale::Logarithmic)
    }

    /// The axis with other ends.
    pub fn ending(mut self, ends: Ends) -> Self {
        self.ends = ends;
        self
    }

    /// The axis with plain numbers where it is logarithmic.
    pub fn plain(mut self) -> Self {
        self.writing = Writing::Plain;
        self
    }

    /// The axis with ticks at whole numbers alone.
    pub fn whole(mut self) -> Self {
        self.least = WHOLE;
        self
    }

    /// The lowest value that it shows if it is logarithmic: smaller ones are placed there.
    pub fn floor(&self) -> f64 {
        if self.ends == Ends::Errors { ROUNDED } else { FLOOR }
    }

    /// The place of a value on the axis.
    pub fn place(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value,
            Scale::Logarithmic => value.max(self.floor()).log10(),
        }
    }

    /// The value at a place.
    pub fn value(&self, place: f64) -> f64 {
        match self.scale {
            Scale::Linear => place,
            Scale::Logarithmic => 10f64.powf(place),
        }
    }

    /// Its first and last place, if it shows these values.
    pub fn range(&self, values: impl Iterator<Item = f64>) -> [f64; 2] {
        if let Ends::At(ends) = self.ends {
            return ends;
        }
        let shown = |v: &f64| v.is_finite() && (self.scale == Scale::Linear || *v > self.floor());
        let mut places: Vec<f64> = values.filter(shown).map(|v| self.place(v)).collect();
        places.sort_by(f64::total_cmp);
        let (Some(low), Some(high)) = (places.first().copied(), places.last().copied()) else {
            return if self.ends == Ends::Errors { NONE } else { [0.0, 1.0] };
        };
        match (self.scale, self.ends) {
            (Scale::Logarithmic, Ends::Errors) => {
                let low = places[places.len() / FEWEST];
                [low - (LEAST - (high - low)).max(0.0) - ROOM, high + ROOM]
            }
            (Scale::Logarithmic, Ends::Decades) => [low.floor(), high.ceil().max(low.floor() + 1.0)],
            (Scale::Logarithmic, _) => {
                // A single value stands in the middle of a decade.
                let room = SIDES * if high > low { high - low } else { 0.5 / SIDES };
                [low - room, high + room]
            }
            (Scale::Linear, ends) => {
                let width = if high > low { high - low } else { 1.0 };
                let room = if ends == Ends::Exact { 0.0 } else { MARGIN * width };
                // An axis that begins at zero needs nothing below it.
                let low = if low == 0.0 { 0.0 } else { low - room };
                [low, if high > low { high + room } else { low + width }]
            }
        }
    }

    /// Places of ticks from `low` to `high`, at least `apart` from each other.
    pub fn ticks(&self, [low, high]: [f64; 2], apart: f64) -> Vec<f64> {
        let marks: &[f64] = match high - low {
            _ if self.scale == Scale::Linear || self.ends == Ends::Decades => &[],
            width if width <= FINE => &[1.0, 2.0, 5.0],
            width if width <= COARSE => &[1.0, 3.0],
            _ => &[],
        };
        if !marks.is_empty() {
            let decades = low.floor() as i64..=high.floor() as i64;
            let ticks = decades.flat_map(|k| marks.iter().map(move |m| k as f64 + m.log10()));
            return ticks.filter(|tick| (low..=high).contains(tick)).collect();
        }
        let step = match self.scale {
            Scale::Linear => round_up(apart.max(self.least)),
            Scale::Logarithmic => apart.ceil().max(1.0),
        };
        let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
        (first..=last).map(|i| i as f64 * step).collect()
    }

    /// What stands at a tick of an axis from `low` to `high`.
    pub fn text(&self, tick: f64, [low, high]: [f64; 2]) -> String {
        match (self.scale, self.writing) {
            (Scale::Linear, _) => {
                let (largest, finest) = (low.abs().max(high.abs()), round_up((high - low) / DIVISIONS));
                let decimals = -finest.log10().floor();
                if PLAIN.contains(&largest) {
                    return plain(tick, decimals.clamp(0.0, MOST) as usize);
                }
                let digits = tick.abs().max(f64::MIN_POSITIVE).log10().floor() + decimals + 1.0;
                significant(tick, digits.clamp(1.0, MOST) as usize)
            }
            (Scale::Logarithmic, Writing::Plain) => significant(self.value(tick), 3),
            (Scale::Logarithmic, Writing::Powers) => {
                // log₁₀ may have rounded a mark down; it still belongs to its own decade.
                let decade = (tick + 1e-9).floor();
                let mark = 10f64.powf(tick - decade).round();
                if mark == 1.0 {
                    power(decade as i32)
                } else {
                    format!("{mark}·10{}", raised(decade as i32))
                }
            }
        }
    }
}
