//! The picture of the benchmarks: the error of every method over its computing time, a panel for each benchmark.

use super::{Benchmark, Code, MethodOutcomes, Outcome};
use driftlab::experiment::internal::canvas::{self, FONT, failed};
use driftlab::experiment::internal::paper::{Axis, Chart, Curve, Reach, Scale, Stroke, legend};
use driftlab::experiment::{Format, PlotError};
use plotters::coord::Shift;
use plotters::prelude::*;

/// Width and height, px.
const SIZE: (u32, u32) = (1860, 1240);
/// Width of the legend, height of the title, px.
const LEGEND_WIDTH: u32 = 420;
const TITLE_HEIGHT: u32 = 48;
/// An error above this says only that the motion is lost; it is drawn here.
const LOST: f64 = 1e2;

type Results<'r> = &'r [(&'static Benchmark, Vec<MethodOutcomes>)];

/// Draws the four panels with one legend.
///
/// # Errors
/// [`PlotError`], if the drawing library fails.
pub fn draw(results: Results<'_>, format: Format) -> Result<Vec<u8>, PlotError> {
    match format {
        Format::Svg => canvas::svg(SIZE, |area| page(&area, results)),
        Format::Png => canvas::png(SIZE, |area| page(&area, results)),
    }
}

fn page<B: DrawingBackend>(area: &DrawingArea<B, Shift>, results: Results<'_>) -> Result<(), PlotError> {
    area.fill(&WHITE).map_err(failed)?;
    let (title, rest) = area.split_vertically(TITLE_HEIGHT);
    let heading = "The multibody community's benchmarks: error over computing time, both of the whole run";
    title.draw_text(heading, &TextStyle::from((FONT, 24).into_font()), (16, 14)).map_err(failed)?;
    let (panels, side) = rest.split_horizontally(SIZE.0 - LEGEND_WIDTH);
    let rows = results.len().div_ceil(2);
    for (place, (benchmark, lines)) in panels.split_evenly((rows, 2)).iter().zip(results) {
        chart(benchmark, lines).draw_panel(place)?;
    }
    // The legend of the benchmark with the most curves serves all.
    let whole = results.iter().max_by_key(|(benchmark, lines)| lines.len() + benchmark.codes.len());
    if let Some((benchmark, lines)) = whole {
        legend(&side, &chart(benchmark, lines).curves, &[])?;
    }
    area.present().map_err(failed)
}

fn chart(benchmark: &Benchmark, lines: &[MethodOutcomes]) -> Chart {
    let method = |(color, line): (usize, &MethodOutcomes)| Curve {
        label: line.name.to_owned(),
        points: line.outcomes.iter().filter_map(point).collect(),
        stroke: Stroke::Marked,
        color,
    };
    let code = |(index, code): (usize, &Code)| Curve {
        label: format!("{}, on {}", code.name, super::MACHINE),
        points: code.points.iter().map(|(_, error, cost)| (1e3 * cost, *error)).collect(),
        stroke: Stroke::Dashed,
        color: lines.len() + index,
    };
    let (methods, codes) = (lines.iter().enumerate(), benchmark.codes.iter().enumerate());
    let axis =
        |label: &str| Axis { label: label.to_owned(), scale: Scale::Logarithmic, reach: Reach::Decades };
    Chart {
        title: benchmark.name.to_owned(),
        x: axis("computing time / ms"),
        y: axis("the benchmark's error"),
        curves: methods.map(method).chain(codes.map(code)).collect(),
        levels: Vec::new(),
    }
}

/// The point of one run; none where it failed.
fn point(outcome: &Outcome) -> Option<(f64, f64)> {
    let error = outcome.error.filter(|error| *error > 0.0)?;
    (outcome.cost > 0.0).then(|| (1e3 * outcome.cost, error.min(LOST)))
}
