//! Charts as pictures.

use super::canvas::{self, FONT, Format, PlotError, failed};
use super::chart::{Chart, ChartLine};
use super::curves::{LEGEND_WIDTH, Legend, SIZE};
use super::paper::raised;
use plotters::coord::Shift;
use plotters::coord::ranged1d::ValueFormatter;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

/// The lowest value on a logarithmic axis.
const FLOOR: f64 = 1e-16;
/// One in this many values may lie below a logarithmic axis: errors begin at zero.
const FEWEST: usize = 60;
/// Room beside the lines, as a share of a linear axis, and its smallest length as a share of the largest value: less is rounding.
const MARGIN: f64 = 0.06;
const FLATTEST: f64 = 1e-9;
/// Width of a letter in the legend, and of the sample and the space round it, px.
const LETTER: u32 = 8;
const KEY: u32 = 48;
/// Parts of a pixel to which a line is drawn in an SVG file, whose numbers the library writes as whole ones.
const FINE: u32 = 8;

impl Chart {
    fn points(&self) -> impl Iterator<Item = &[f64; 2]> {
        self.lines.iter().flat_map(|line| line.parts.iter().flatten())
    }

    /// The lines that can be seen: on a logarithmic axis those that are not zero throughout.
    fn drawn(&self) -> impl Iterator<Item = &ChartLine> {
        let seen = |line: &&ChartLine| line.parts.iter().flatten().any(|[_, value]| *value > FLOOR);
        self.lines.iter().filter(move |line| !self.logarithmic || seen(line))
    }

    /// Ends of an axis.
    fn ends(&self, axis: usize) -> [f64; 2] {
        let mut values: Vec<f64> =
            self.points().map(|point| point[axis]).filter(|value| value.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        let is_logarithmic = axis == 1 && self.logarithmic;
        if is_logarithmic {
            values.retain(|value| *value > FLOOR);
        }
        let (Some(first), Some(last)) = (values.first(), values.last()) else {
            return if is_logarithmic { [FLOOR, 1.0] } else { [0.0, 1.0] };
        };
        if is_logarithmic {
            let low = values[values.len() / FEWEST].log10().floor();
            return [low, last.log10().ceil().max(low + 1.0)].map(|decade| 10f64.powf(decade));
        }
        // Time begins and ends with the lines.
        let margin = if axis == 0 && self.axes[0].starts_with("time") { 0.0 } else { MARGIN };
        let least = FLATTEST * first.abs().max(last.abs()).max(f64::MIN_POSITIVE);
        let room = margin * (last - first) + if last - first > least { 0.0 } else { least.max(1e-12) };
        [first - room, last + room]
    }
}

/// Draws a chart and returns the file's bytes.
///
/// # Errors
/// [`PlotError`], if the drawing library fails.
pub fn draw_chart(chart: &Chart, format: Format) -> Result<Vec<u8>, PlotError> {
    match format {
        Format::Svg => {
            let size = (FINE * SIZE.0, FINE * SIZE.1);
            let bytes = canvas::svg(size, |area| draw(area, chart, FINE))?;
            let text = String::from_utf8(bytes).map_err(failed)?;
            // The picture's own size; the box that is seen keeps the fine numbers.
            let of = |(width, height): (u32, u32)| format!("width=\"{width}\" height=\"{height}\"");
            Ok(text.replacen(&of(size), &of(SIZE), 1).into_bytes())
        }
        Format::Png => canvas::png(SIZE, |area| draw(area, chart, 1)),
    }
}

/// Draws with that many pixels for one.
fn draw<B: DrawingBackend>(area: DrawingArea<B, Shift>, chart: &Chart, fine: u32) -> Result<(), PlotError> {
    area.fill(&WHITE).map_err(failed)?;
    let [[left, right], [low, high]] = [0, 1].map(|axis| chart.ends(axis));
    let letters = chart.drawn().map(|line| line.label.chars().count()).max().unwrap_or(0);
    let (plot, beside) =
        area.split_horizontally(fine * (SIZE.0 - (LETTER * letters as u32 + KEY).min(LEGEND_WIDTH)));
    let mut builder = ChartBuilder::on(&plot);
    builder.caption(&chart.title, (FONT, 24 * fine)).margin(16 * fine);
    builder.x_label_area_size(52 * fine).y_label_area_size(96 * fine);
    let mut legend = Legend::new(beside, fine);
    if chart.logarithmic {
        let axes = builder.build_cartesian_2d(left..right, (low..high).log_scale()).map_err(failed)?;
        lines(axes, chart, &mut legend, &|value| power(*value), low)?;
    } else {
        let axes = builder.build_cartesian_2d(left..right, low..high).map_err(failed)?;
        let step = (high - low) / 10.0;
        lines(axes, chart, &mut legend, &|value| number(*value, step), f64::NEG_INFINITY)?;
    }
    area.present().map_err(failed)
}

/// The axes, the lines and the legend; lower values than `floor` are drawn there.
fn lines<B: DrawingBackend, Y: Ranged<ValueType = f64> + ValueFormatter<f64>>(
    mut axes: ChartContext<'_, B, Cartesian2d<RangedCoordf64, Y>>,
    chart: &Chart,
    legend: &mut Legend<B>,
    written: &dyn Fn(&f64) -> String,
    floor: f64,
) -> Result<(), PlotError> {
    let [left, right] = chart.ends(0);
    let (step, fine) = ((right - left) / 10.0, legend.fine());
    axes.configure_mesh()
        .x_desc(&chart.axes[0])
        .y_desc(&chart.axes[1])
        .label_style((FONT, 16 * fine))
        .axis_desc_style((FONT, 18 * fine))
        .axis_style(BLACK.stroke_width(fine))
        .bold_line_style(BLACK.mix(0.1).stroke_width(fine))
        .set_all_tick_mark_size(5 * fine)
        .x_label_formatter(&|value| number(*value, step))
        .y_label_formatter(written)
        .light_line_style(WHITE)
        .draw()
        .map_err(failed)?;
    for line in chart.drawn() {
        let [red, green, blue] = line.color;
        let style = RGBColor(red, green, blue).stroke_width(line.width * fine);
        for part in &line.parts {
            let points = part.iter().map(|[x, y]| (*x, y.max(floor)));
            if let Some(dash) = line.dash {
                let [dash, gap] = dash.map(|length| length * fine);
                axes.draw_series(DashedLineSeries::new(points, dash, gap, style)).map_err(failed)?;
            } else {
                axes.draw_series(LineSeries::new(points, style)).map_err(failed)?;
            }
        }
        legend.line(&line.label, line.dash, style)?;
    }
    Ok(())
}

/// A power of ten on a logarithmic axis.
fn power(value: f64) -> String {
    format!("10{}", raised(value.log10().round() as i64))
}

/// A number on a linear axis whose marks are about `step` apart.
fn number(value: f64, step: f64) -> String {
    let largest = value.abs().max(step);
    if !(1e-4..1e6).contains(&largest) && value != 0.0 {
        return format!("{value:.2e}");
    }
    let digits = (1.0 - step.log10()).ceil().clamp(0.0, 9.0) as usize;
    let text = format!("{value:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.replace('-', "−") }
}
