//! Axes of charts: what they span, where their ticks stand, and how those are written.
//!
//! Logarithmic axes are drawn as linear ones of log₁₀, so that one kind of chart serves all.

use crate::experiment::plot::ruler::Ticked;

/// The lowest decade of a logarithmic axis: errors below are rounding, or the zero that it cannot show.
const FLOOR: f64 = 1e-17;
/// Ticks of an axis, at most.
const TICKS: f64 = 10.0;
/// Decades up to which an axis that ends with its data has a tick at 2 and 5, and at 3, beside those at 1.
const FINE: f64 = 1.5;
const COARSE: f64 = 2.5;
/// Share of the width of such an axis that stays free on either side.
const SIDES: f64 = 0.06;

/// An axis's scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps are equal differences.
    Linear,
    /// Equal steps are equal ratios.
    Logarithmic,
}

/// An axis.
pub struct Axis {
    /// What stands beside it, with its unit.
    pub label: String,
    /// Linear or logarithmic.
    pub scale: Scale,
    /// Where it ends.
    pub reach: Reach,
}

/// Where a logarithmic axis ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// At whole decades.
    Decades,
    /// With its data.
    Data,
}

impl Axis {
    /// The coordinate of a value on the axis.
    pub(super) fn placed(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value,
            Scale::Logarithmic => value.max(FLOOR).log10(),
        }
    }

    /// What it spans: whole decades, or the values and a margin, a share of their width.
    pub(super) fn range(&self, values: impl Iterator<Item = f64>, margin: f64) -> (f64, f64) {
        let shown = |v: &f64| v.is_finite() && (self.scale == Scale::Linear || *v > FLOOR);
        let values: Vec<f64> = values.filter(shown).map(|v| self.placed(v)).collect();
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        match (self.scale, self.reach) {
            _ if low > high => (0.0, 1.0),
            (Scale::Logarithmic, Reach::Decades) => (low.floor(), high.ceil().max(low.floor() + 1.0)),
            (Scale::Logarithmic, Reach::Data) => {
                // A single value stands in the middle of a decade.
                let width = if high > low { high - low } else { 0.5 / SIDES };
                (low - SIDES * width, high + SIDES * width)
            }
            (Scale::Linear, _) => {
                let width = if high > low { high - low } else { 1.0 };
                // An axis that begins at zero needs nothing below it.
                let low = if low == 0.0 { 0.0 } else { low - margin * width };
                (low, high + margin * width)
            }
        }
    }

    /// The axis over a range, with its ticks.
    pub(super) fn ticked(&self, (low, high): (f64, f64)) -> Ticked {
        let within = |tick: &f64| (low..=high).contains(tick);
        let ticks = match (self.scale, self.reach) {
            (Scale::Logarithmic, Reach::Data) if high - low <= COARSE => {
                let marks: &[f64] = if high - low <= FINE { &[1.0, 2.0, 5.0] } else { &[1.0, 3.0] };
                let decades = low.floor() as i64..=high.floor() as i64;
                let ticks = decades.flat_map(|k| marks.iter().map(move |m| k as f64 + m.log10()));
                ticks.filter(within).collect()
            }
            _ => {
                let stride = self.stride(low, high);
                let (first, last) = ((low / stride).ceil() as i64, (high / stride).floor() as i64);
                (first..=last).map(|i| i as f64 * stride).collect()
            }
        };
        Ticked { low, high, ticks }
    }

    fn stride(&self, low: f64, high: f64) -> f64 {
        match self.scale {
            Scale::Logarithmic => ((high - low) / TICKS).ceil().max(1.0),
            Scale::Linear => {
                let decade = 10f64.powf(((high - low) / TICKS).log10().floor());
                let enough = |stride: &f64| (high - low) / stride <= TICKS;
                [1.0, 2.0, 5.0].map(|m| m * decade).into_iter().find(enough).unwrap_or(10.0 * decade)
            }
        }
    }

    /// The label of a tick.
    pub(super) fn written(&self, tick: f64) -> String {
        match self.scale {
            Scale::Linear => format!("{}", (tick * 1e9).round() / 1e9),
            Scale::Logarithmic => {
                // log₁₀ may have rounded a mark down; it still belongs to its own decade.
                let decade = (tick + 1e-9).floor();
                let mark = 10f64.powf(tick - decade).round();
                let power = format!("10{}", raised(decade as i64));
                if mark == 1.0 { power } else { format!("{mark}·{power}") }
            }
        }
    }
}

/// A whole number as an exponent.
pub(crate) fn raised(number: i64) -> String {
    let raised = |c: char| match c {
        '-' => '⁻',
        digit => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize - '0' as usize],
    };
    number.to_string().chars().map(raised).collect()
}
