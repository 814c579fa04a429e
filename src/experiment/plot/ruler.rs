//! A parameter's values along an axis of a map, with cells about them.

use crate::experiment::sweep::axis::{Axis, Scale};
use crate::figure;
use crate::figure::Ends;
use crate::figure::canvas::PlotError;
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

/// A parameter's values on an axis.
pub(crate) struct Ruler {
    /// The axis, as wide as the cells.
    pub axis: figure::Axis,
    /// Places in ascending order of the values, with the index of each.
    pub places: Vec<(usize, f64)>,
}

impl Ruler {
    pub fn new(values: &Axis) -> Result<Self, MapError> {
        let numbers = values.numbers().filter(|numbers| numbers.len() > 1);
        let numbers = numbers.ok_or_else(|| MapError::NoNumbers(values.key.clone()))?;
        let axis = match values.scale {
            Scale::Logarithmic => figure::Axis::logarithmic(&values.key).plain(),
            Scale::Linear | Scale::Words => figure::Axis::linear(&values.key),
        };
        let mut places: Vec<_> = numbers.into_iter().map(|x| axis.place(x)).enumerate().collect();
        places.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut own = Self { axis, places };
        own.axis.ends = Ends::At(own.ends());
        Ok(own)
    }

    /// Where a value is drawn.
    pub fn place(&self, x: f64) -> f64 {
        self.axis.place(x)
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

    /// The first and the last border.
    pub fn ends(&self) -> [f64; 2] {
        let borders = self.borders();
        [borders[0], borders[borders.len() - 1]]
    }
}
