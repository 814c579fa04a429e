//! Pages of charts as files: charts side by side under a heading, and one legend beside them.

use super::Chart;
use super::canvas::{self, FONT, Format, PlotError, failed};
use super::panel::Panel;
use plotters::coord::Shift;
use plotters::prelude::*;

/// Width and height of a single chart's file, and width of its legend, px.
const SIZE: (u32, u32) = (1440, 750);
const LEGEND_WIDTH: u32 = 430;
/// Height of the heading, px.
const HEADING: u32 = 48;

/// Charts on one page.
pub struct Page {
    /// What stands above them; nothing for a single chart, which has its own title.
    pub heading: String,
    /// Width and height, px.
    pub size: (u32, u32),
    /// Number of charts side by side.
    pub columns: usize,
    /// The charts, row by row.
    pub charts: Vec<Chart>,
    /// Width of the legend, px.
    pub legend: u32,
    /// The chart whose curves and levels the legend lists.
    pub listed: usize,
}

/// The bytes of a chart's file. An SVG file's numbers are whole ones: they count parts of a pixel, of which `fine` make one.
///
/// # Errors
/// [`PlotError`], if the drawing library fails.
pub fn draw(chart: &Chart, format: Format, fine: u32) -> Result<Vec<u8>, PlotError> {
    let (heading, charts) = (String::new(), vec![chart.clone()]);
    Page { heading, size: SIZE, columns: 1, charts, legend: LEGEND_WIDTH, listed: 0 }.draw(format, fine)
}

impl Page {
    /// The bytes of its file, as of [`draw`].
    ///
    /// # Errors
    /// [`PlotError`], if the drawing library fails.
    pub fn draw(&self, format: Format, fine: u32) -> Result<Vec<u8>, PlotError> {
        match format {
            Format::Svg => canvas::svg(self.size, fine, |area| self.on(area, fine)),
            Format::Png => canvas::png(self.size, |area| self.on(area, 1)),
        }
    }

    fn on<B: DrawingBackend>(&self, area: DrawingArea<B, Shift>, fine: u32) -> Result<(), PlotError> {
        area.fill(&WHITE).map_err(failed)?;
        let mut rest = area.clone();
        if !self.heading.is_empty() {
            let (heading, below) = area.split_vertically(HEADING * fine);
            let at = (16 * fine as i32, 14 * fine as i32);
            let style = TextStyle::from((FONT, 24 * fine).into_font());
            heading.draw_text(&self.heading, &style, at).map_err(failed)?;
            rest = below;
        }
        let (panels, side) = rest.split_horizontally((self.size.0 - self.legend) * fine);
        let rows = self.charts.len().div_ceil(self.columns).max(1);
        for (area, chart) in panels.split_evenly((rows, self.columns)).into_iter().zip(&self.charts) {
            Panel { area, fine }.chart(chart)?;
        }
        if let Some(listed) = self.charts.get(self.listed) {
            Panel { area: side, fine }.legend(listed)?;
        }
        area.present().map_err(failed)
    }
}
