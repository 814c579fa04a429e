//! What all figures share: files to be written, why one could not be made, and how numbers and methods are taken from a scene.

use driftlab::figure::canvas::Format;
use driftlab::figure::canvas::PlotError;
use driftlab::figure::{Chart, draw};
use driftlab::method::{Level, Method, Stabilizer};
use driftlab::scene::{Problem, Settings};
use thiserror::Error;

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The file's name.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl Document {
    /// A chart's two pictures, `id.svg` and `id.png`.
    ///
    /// # Errors
    /// [`PlotError`], if the drawing library fails.
    pub fn of_chart(chart: &Chart, id: &str) -> Result<[Self; 2], PlotError> {
        let named = |(end, bytes)| Self { name: format!("{id}.{end}"), bytes };
        Ok([("svg", draw(chart, Format::Svg, 1)?), ("png", draw(chart, Format::Png, 1)?)].map(named))
    }
}

/// Why a figure could not be made.
#[derive(Debug, Error)]
pub enum FigureError {
    /// The table of figures names a scene that is not shipped, or a scheme that does not exist.
    #[error("{0}")]
    Table(String),
    /// The picture could not be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
}

impl From<Vec<Problem>> for FigureError {
    fn from(problems: Vec<Problem>) -> Self {
        Self::Table(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
    }
}

/// The scene's method with another scheme: at the scene's level where the scheme has it, else at its natural one.
pub(crate) fn method(settings: &Settings, stabilizer: &Stabilizer) -> Method {
    let own = &settings.method;
    let levels = stabilizer.info().levels;
    let level = if levels.contains(&own.level) { own.level } else { levels[0] };
    let integrator = match level {
        Level::Acceleration => own.integrator,
        Level::Velocity => Default::default(),
    };
    Method { stabilizer: stabilizer.clone(), level, integrator, ..own.clone() }
}

/// Four significant digits, or six where fewer would hide that a number is not exact.
pub(crate) fn significant(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    match value.abs().log10().floor() as i32 {
        exponent @ -3..=5 => {
            let digits = (5 - exponent).max(0) as usize;
            let text = format!("{value:.digits$}");
            if text.contains('.') {
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            } else {
                text
            }
        }
        _ => {
            let text = format!("{value:.3e}");
            text.replace(".000e", "e")
        }
    }
}
