//! The error curves of several schemes as a figure for a paper: log₁₀ of the joint error over time, or of the
//! contact error, one line per scheme, published levels dashed.

use super::canvas::{self, COLORS, FONT, Format, PlotError, failed};
use crate::experiment::error_curve::measure::Measure;
use crate::experiment::sweep::compare::Curve;
use crate::scene::Reference;
use plotters::coord::Shift;
use plotters::element::{DashedPathElement, Drawable, PointCollection};
use plotters::prelude::*;
use std::collections::BTreeMap;

/// Width and height, px.
pub(super) const SIZE: (u32, u32) = (1440, 750);
/// The lowest value on the axis: errors below are rounding, or the zero that a log axis cannot show.
const FLOOR: f64 = 1e-16;
/// Share of the errors that may lie below the axis, so that the first steps of a run that starts exactly on
/// the manifold do not flatten the rest.
const BELOW_AXIS: f64 = 0.01;
/// Points per line: two per horizontal pixel keep every peak.
const COLUMNS: usize = SIZE.0 as usize;
/// Width of the legend beside the chart, its first line, the pitch of its lines, the length of a sample: pixels.
pub(super) const LEGEND_WIDTH: u32 = 440;
const LEGEND_TOP: i32 = 64;
const LEGEND_PITCH: i32 = 26;
const KEY_LENGTH: i32 = 24;
/// Length of a curve's dashes and of the gaps between them, px.
const DASH: [u32; 2] = [10, 6];

/// Draws the constraint error of `curves` ([`Measure::of`] their summaries) over time with the `references` that concern it, and
/// returns the file's bytes.
///
/// # Errors
/// [`PlotError`], if the drawing library fails.
pub fn plot(
    title: &str,
    curves: &[Curve],
    references: &[Reference],
    format: Format,
) -> Result<Vec<u8>, PlotError> {
    match format {
        Format::Svg => canvas::svg(SIZE, |area| draw(area, title, curves, references)),
        Format::Png => canvas::png(SIZE, |area| draw(area, title, curves, references)),
    }
}

fn draw<B: DrawingBackend>(
    area: DrawingArea<B, Shift>,
    title: &str,
    curves: &[Curve],
    references: &[Reference],
) -> Result<(), PlotError> {
    area.fill(&WHITE).map_err(failed)?;
    let measure = Measure::of(curves.iter().map(|curve| &curve.summary));
    let levels: Vec<_> =
        references.iter().filter(|level| level.is_level() && measure.includes(level.quantity)).collect();
    let (start, end) = times(curves);
    let unit = curves.first().map(|curve| measure.unit(&curve.summary)).unwrap_or_default();
    let unit = if unit.contains(' ') { format!("({unit})") } else { unit };
    let (low, high) = decades(measure, curves, &levels);
    let (chart_area, legend_area) = area.split_horizontally(SIZE.0 - LEGEND_WIDTH);
    let mut legend = Legend::new(legend_area, 1);
    let mut chart = ChartBuilder::on(&chart_area)
        .caption(title, (FONT, 24))
        .margin(16)
        .x_label_area_size(52)
        .y_label_area_size(86)
        .build_cartesian_2d(start..end, (low..high).log_scale())
        .map_err(failed)?;
    chart
        .configure_mesh()
        .x_desc("time t / s")
        .y_desc(format!("largest {} {} / {unit}", measure.name(), measure.symbol()))
        .label_style((FONT, 16))
        .axis_desc_style((FONT, 18))
        .x_label_formatter(&|t| format!("{}", (t * 1e6).round() / 1e6))
        .y_label_formatter(&|error| format!("{error:.0e}"))
        .light_line_style(WHITE)
        .draw()
        .map_err(failed)?;
    for (index, curve) in curves.iter().enumerate() {
        let style = COLORS[index % COLORS.len()].stroke_width(2);
        let label = match &curve.failure {
            None => curve.label.clone(),
            Some(_) => format!("{} (failed at {:.3} s)", curve.label, curve.summary.time),
        };
        // Every other curve has gaps, through which one that coincides with it shows.
        let points = points(measure, curve, low);
        let dash = (index % 2 != 0).then_some(DASH);
        if let Some([dash, gap]) = dash {
            chart.draw_series(DashedLineSeries::new(points, dash, gap, style)).map_err(failed)?;
        } else {
            chart.draw_series(LineSeries::new(points, style)).map_err(failed)?;
        }
        legend.line(&label, dash, style)?;
    }
    for level in levels {
        let color = curves
            .iter()
            .position(|curve| {
                level.stabilizer.is_some() && level.concerns(&curve.summary.method().stabilizer)
            })
            .map_or(BLACK, |index| COLORS[index % COLORS.len()]);
        let value = level.bound.value().max(low);
        let ends = [(level.from.unwrap_or(start), value), (level.to.unwrap_or(end), value)];
        chart.draw_series(DashedLineSeries::new(ends, 8, 6, color.stroke_width(1))).map_err(failed)?;
        legend.line(&level.label, Some([6, 4]), color.stroke_width(1))?;
    }
    area.present().map_err(failed)
}

/// The legend, listed beside the chart.
pub(super) struct Legend<B: DrawingBackend> {
    area: DrawingArea<B, Shift>,
    rows: i32,
    /// Pixels for one.
    fine: i32,
}

impl<B: DrawingBackend> Legend<B> {
    pub fn new(area: DrawingArea<B, Shift>, fine: u32) -> Self {
        Self { area, rows: 0, fine: fine as i32 }
    }

    /// Pixels for one.
    pub fn fine(&self) -> u32 {
        self.fine as u32
    }

    /// A row with a sample of a line.
    pub fn line(
        &mut self,
        label: &str,
        dash: Option<[u32; 2]>,
        style: ShapeStyle,
    ) -> Result<(), PlotError> {
        let length = KEY_LENGTH * self.fine;
        let key = |x: i32, y: i32| [(x, y), (x + length, y)];
        match dash {
            None => self.row(label, |x, y| PathElement::new(key(x, y), style)),
            Some(dash) => {
                let [dash, gap] = dash.map(|length| length * self.fine());
                self.row(label, |x, y| DashedPathElement::new(key(x, y), dash, gap, style))
            }
        }
    }

    fn row<E>(&mut self, label: &str, key: impl FnOnce(i32, i32) -> E) -> Result<(), PlotError>
    where
        for<'a> &'a E: PointCollection<'a, (i32, i32)>,
        E: Drawable<B>,
    {
        let y = self.fine * (LEGEND_TOP + LEGEND_PITCH * self.rows);
        self.rows += 1;
        self.area.draw(&key(0, y)).map_err(failed)?;
        let style = TextStyle::from((FONT, 15 * self.fine).into_font());
        self.area
            .draw_text(label, &style, (self.fine * (KEY_LENGTH + 8), y - self.fine * 9))
            .map_err(failed)
    }
}

fn times(curves: &[Curve]) -> (f64, f64) {
    let times = || curves.iter().filter_map(|curve| curve.errors.times());
    let start = times().map(|[start, _]| start).fold(f64::INFINITY, f64::min);
    let end = times().map(|[_, end]| end).fold(0.0, f64::max);
    if start < end { (start, end) } else { (0.0, 1.0) }
}

/// The whole decades that contain the data.
fn decades(measure: Measure, curves: &[Curve], levels: &[&Reference]) -> (f64, f64) {
    let drawn = |error: &f64| error.is_finite() && *error > FLOOR;
    let mut counts: BTreeMap<i32, u64> = BTreeMap::new();
    let floor = FLOOR.log10().round() as i32;
    for (decade, count) in curves.iter().flat_map(|curve| curve.errors.decades(measure)) {
        if decade >= floor {
            *counts.entry(decade).or_default() += count;
        }
    }
    let below = (counts.values().sum::<u64>() as f64 * BELOW_AXIS) as u64;
    let low = counts.iter().scan(0, |sum, (decade, count)| {
        *sum += count;
        Some((*decade, *sum))
    });
    let low = low.into_iter().find(|(_, sum)| *sum > below).map(|(decade, _)| f64::from(decade));
    let levels = || levels.iter().map(|level| level.bound.value()).filter(drawn);
    let largest = curves.iter().filter_map(|curve| curve.errors.largest(measure)).filter(drawn);
    let low = levels().map(|level| level.log10().floor()).chain(low).fold(f64::INFINITY, f64::min);
    let high = levels().chain(largest).fold(0.0, f64::max).log10().ceil();
    if low.is_finite() && high.is_finite() {
        (10f64.powf(low), 10f64.powf(high.max(low + 1.0)))
    } else {
        (FLOOR, 1.0)
    }
}

/// A curve's points, none below the axis, thinned to the smallest and the largest error of each column of pixels.
fn points(measure: Measure, curve: &Curve, low: f64) -> Vec<(f64, f64)> {
    let points = curve.errors.points(measure, COLUMNS);
    points.into_iter().map(|(time, error)| (time, error.max(low))).collect()
}
