//! What maps share: their size, and drawing on either kind of canvas.

use super::canvas;
pub(crate) use super::canvas::{FONT, Format, PlotError, failed};
use plotters::coord::Shift;
use plotters::prelude::*;

/// Width and height, px.
pub(crate) const SIZE: (u32, u32) = (1440, 750);

/// A figure, whatever it is drawn on.
pub(crate) trait Figure {
    fn draw<B: DrawingBackend>(&self, area: DrawingArea<B, Shift>) -> Result<(), PlotError>;
}

/// The bytes of a figure's file.
pub(crate) fn render(figure: &impl Figure, format: Format) -> Result<Vec<u8>, PlotError> {
    match format {
        Format::Svg => canvas::svg(SIZE, |area| figure.draw(area)),
        Format::Png => canvas::png(SIZE, |area| figure.draw(area)),
    }
}
