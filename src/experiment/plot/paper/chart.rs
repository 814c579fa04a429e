//! A chart for a paper: curves and published levels over linear or logarithmic axes, the legend beside the data.

use super::axis::Axis;
use crate::experiment::plot::canvas;
use crate::experiment::plot::canvas::{COLORS, FONT, PlotError, failed};
use crate::experiment::plot::ruler::Ticked;
use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Width and height, px.
const SIZE: (u32, u32) = (1440, 750);
/// Width of the legend, pitch of its lines, letters that fit on one, length of a sample: px.
const LEGEND_WIDTH: u32 = 430;
const LEGEND_TOP: i32 = 64;
const LEGEND_PITCH: i32 = 24;
const LEGEND_LETTERS: usize = 42;
const KEY_LENGTH: i32 = 30;
/// Distance between the chart, whose last marks stand over its edge, and the legend, px.
const LEGEND_LEFT: i32 = 14;
/// A curve of more points than this is drawn thin.
const DENSE: usize = 500;
/// Length of a curve's dashes and of the gaps between them, px.
const DASH: [u32; 2] = [11, 5];
/// Points per curve: two per horizontal pixel keep every peak.
const COLUMNS: usize = SIZE.0 as usize;
/// Share of a linear axis that stays free above and below.
const MARGIN: f64 = 0.05;
/// The colour of lines to compare curves with.
const GUIDE: RGBColor = RGBColor(110, 110, 110);

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// A line.
    Line,
    /// A line with gaps, through which one that coincides with it shows.
    Dashed,
    /// A line with a mark at each point.
    Marked,
    /// Marks alone.
    Marks,
    /// A thin line to compare others with; its label stands at its last point and not in the legend.
    Guide,
}

/// A curve.
pub struct Curve {
    /// Its name in the legend.
    pub label: String,
    /// Abscissa and ordinate, in the axes' units.
    pub points: Vec<(f64, f64)>,
    /// How it is drawn.
    pub stroke: Stroke,
    /// Place in the palette.
    pub color: usize,
}

/// A published number: a dashed line across the chart at this ordinate, over the given abscissae; or upright.
pub struct Level {
    /// What the legend says of it.
    pub label: String,
    /// The number, in its axis's unit.
    pub value: f64,
    /// Across the chart, or upright.
    pub axis: LevelAxis,
    /// From and to; by default the whole chart.
    pub over: [Option<f64>; 2],
    /// Place in the palette of the curve that it belongs to; black where it is about all.
    pub color: Option<usize>,
}

/// Which axis a published number belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelAxis {
    /// An abscissa.
    X,
    /// An ordinate.
    Y,
}

/// A chart.
pub struct Chart {
    /// What stands above it.
    pub title: String,
    /// The abscissa.
    pub x: Axis,
    /// The ordinate.
    pub y: Axis,
    /// The curves, in the order of the legend.
    pub curves: Vec<Curve>,
    /// The published numbers, behind the curves.
    pub levels: Vec<Level>,
}

impl Chart {
    /// The bytes of an SVG file.
    ///
    /// # Errors
    /// [`PlotError`], if the drawing library fails.
    pub fn svg(&self) -> Result<Vec<u8>, PlotError> {
        canvas::svg(SIZE, |area| self.draw(&area))
    }

    /// The bytes of a PNG file.
    ///
    /// # Errors
    /// [`PlotError`], if the drawing library fails.
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        canvas::png(SIZE, |area| self.draw(&area))
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), PlotError> {
        area.fill(&WHITE).map_err(failed)?;
        let (left, right) = area.split_horizontally(SIZE.0 - LEGEND_WIDTH);
        self.draw_panel(&left)?;
        legend(&right, &self.curves, &self.levels)?;
        area.present().map_err(failed)
    }

    /// The chart alone, on the whole area.
    ///
    /// # Errors
    /// [`PlotError`], if the drawing library fails.
    pub fn draw_panel<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), PlotError> {
        let abscissae = self.curves.iter().flat_map(|curve| &curve.points).map(|point| point.0);
        let (x, y) = (self.x.range(abscissae, 0.0), self.y.range(self.ordinates(), MARGIN));
        let mut builder = ChartBuilder::on(area);
        if !self.title.is_empty() {
            builder.caption(&self.title, (FONT, 22));
        }
        let mut chart = builder
            .margin(16)
            .x_label_area_size(56)
            .y_label_area_size(96)
            .build_cartesian_2d(self.x.ticked(x), self.y.ticked(y))
            .map_err(failed)?;
        chart
            .configure_mesh()
            .x_desc(&self.x.label)
            .y_desc(&self.y.label)
            .label_style((FONT, 17))
            .axis_desc_style((FONT, 19))
            .x_label_formatter(&|v| self.x.written(*v))
            .y_label_formatter(&|v| self.y.written(*v))
            .light_line_style(WHITE)
            .bold_line_style(RGBColor(225, 225, 225))
            .draw()
            .map_err(failed)?;
        for level in &self.levels {
            let style = level.color.map_or(BLACK, color).stroke_width(2);
            let line = self.line_of(level, x, y);
            chart.draw_series(DashedLineSeries::new(line, 9, 7, style)).map_err(failed)?;
        }
        for curve in &self.curves {
            self.draw_curve(&mut chart, curve, y.0)?;
        }
        Ok(())
    }

    fn draw_curve<B: DrawingBackend>(
        &self,
        chart: &mut ChartContext<'_, B, Cartesian2d<Ticked, Ticked>>,
        curve: &Curve,
        low: f64,
    ) -> Result<(), PlotError> {
        let point = |(x, y): &(f64, f64)| (self.x.placed(*x), self.y.placed(*y).max(low));
        let points: Vec<_> = curve.points.iter().filter(|(_, y)| y.is_finite()).map(point).collect();
        let points = thinned(&points);
        if curve.stroke == Stroke::Guide {
            return guide(chart, &points, &curve.label);
        }
        if curve.stroke != Stroke::Marks {
            // Thick lines have mitred joins, whose points stand far out of a dense curve's turns.
            let width = if points.len() > DENSE { 1 } else { 2 };
            let (style, points) = (color(curve.color).stroke_width(width), points.iter().copied());
            if !dashed(curve.stroke, curve.color) {
                chart.draw_series(LineSeries::new(points, style)).map_err(failed)?;
            } else {
                let [dash, gap] = DASH;
                chart.draw_series(DashedLineSeries::new(points, dash, gap, style)).map_err(failed)?;
            }
        }
        if matches!(curve.stroke, Stroke::Marked | Stroke::Marks) {
            let style = color(curve.color).stroke_width(2);
            let circle = |p: &(f64, f64)| Circle::new(*p, ring(curve.color), style);
            let corners =
                |p: &(f64, f64)| EmptyElement::at(*p) + PathElement::new(square(curve.color), style);
            if squared(curve.color) {
                chart.draw_series(points.iter().map(corners)).map_err(failed)?
            } else {
                chart.draw_series(points.iter().map(circle)).map_err(failed)?
            };
        }
        Ok(())
    }

    /// The ends of a published number's line.
    fn line_of(&self, level: &Level, x: (f64, f64), y: (f64, f64)) -> [(f64, f64); 2] {
        let [from, to] = level.over;
        let across = |v: Option<f64>, end| v.map_or(end, |v| self.x.placed(v)).clamp(x.0, x.1);
        match level.axis {
            LevelAxis::X => [y.0, y.1].map(|height| (across(Some(level.value), x.0), height)),
            LevelAxis::Y => {
                let height = self.y.placed(level.value).clamp(y.0, y.1);
                [(across(from, x.0), height), (across(to, x.1), height)]
            }
        }
    }

    fn ordinates(&self) -> impl Iterator<Item = f64> {
        let curves = self.curves.iter().flat_map(|curve| &curve.points).map(|point| point.1);
        let levels = self.levels.iter().filter(|level| level.axis == LevelAxis::Y);
        curves.chain(levels.map(|level| level.value))
    }
}

/// The legend: curves and levels, listed beside the data.
///
/// # Errors
/// [`PlotError`], if the drawing library fails.
pub fn legend<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    curves: &[Curve],
    levels: &[Level],
) -> Result<(), PlotError> {
    let mut row = LEGEND_TOP;
    for curve in curves.iter().filter(|curve| curve.stroke != Stroke::Guide) {
        row = entry(area, row, &curve.label, Sample::Curve(curve.color, curve.stroke))?;
    }
    for level in levels {
        row = entry(area, row, &level.label, Sample::Level(level.color.map_or(BLACK, color)))?;
    }
    Ok(())
}

/// A thin line with its label behind its last point.
fn guide<B: DrawingBackend>(
    chart: &mut ChartContext<'_, B, Cartesian2d<Ticked, Ticked>>,
    points: &[(f64, f64)],
    label: &str,
) -> Result<(), PlotError> {
    let line = LineSeries::new(points.iter().copied(), GUIDE.stroke_width(1));
    chart.draw_series(line).map_err(failed)?;
    let style =
        TextStyle::from((FONT, 17).into_font()).pos(Pos::new(HPos::Left, VPos::Center)).color(&GUIDE);
    let text = |at: &(f64, f64)| EmptyElement::at(*at) + Text::new(label.to_owned(), (4, 0), style.clone());
    chart.draw_series(points.last().map(text)).map_err(failed)?;
    Ok(())
}

/// Whether a curve is dashed: every other one of the marked curves is.
fn dashed(stroke: Stroke, index: usize) -> bool {
    stroke == Stroke::Dashed || stroke == Stroke::Marked && index % 2 == 1
}

/// Radius of a curve's marks, px: rings of three sizes, so that curves that coincide show as concentric ones.
fn ring(index: usize) -> u32 {
    4 + 3 * (index % 3) as u32
}

/// Whether a curve's marks are squares and not rings: where the colours have all been used once.
fn squared(index: usize) -> bool {
    index >= COLORS.len()
}

/// The outline of a square mark about its centre, px.
fn square(index: usize) -> [(i32, i32); 5] {
    let half = ring(index) as i32;
    [(-half, -half), (half, -half), (half, half), (-half, half), (-half, -half)]
}

fn color(index: usize) -> RGBColor {
    COLORS[index % COLORS.len()]
}

/// What stands before an entry of the legend.
enum Sample {
    Curve(usize, Stroke),
    Level(RGBColor),
}

/// One entry of the legend from the height `top` on; returns where the next one begins, px.
fn entry<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    top: i32,
    label: &str,
    sample: Sample,
) -> Result<i32, PlotError> {
    let ends = [(LEGEND_LEFT, top), (LEGEND_LEFT + KEY_LENGTH, top)];
    let sample_of = |[dash, gap]: [u32; 2], style| DashedPathElement::new(ends, dash, gap, style);
    match sample {
        Sample::Level(color) => area.draw(&sample_of([6, 4], color.stroke_width(2))).map_err(failed)?,
        Sample::Curve(index, stroke) => {
            let style = color(index).stroke_width(2);
            match stroke {
                Stroke::Marks => {}
                _ if !dashed(stroke, index) => area.draw(&PathElement::new(ends, style)).map_err(failed)?,
                _ => area.draw(&sample_of(DASH, style)).map_err(failed)?,
            }
            if matches!(stroke, Stroke::Marked | Stroke::Marks) {
                let middle = (LEGEND_LEFT + KEY_LENGTH / 2, top);
                let corners = EmptyElement::at(middle) + PathElement::new(square(index), style);
                if squared(index) {
                    area.draw(&corners).map_err(failed)?
                } else {
                    area.draw(&Circle::new(middle, ring(index), style)).map_err(failed)?
                }
            }
        }
    }
    let text = TextStyle::from((FONT, 15).into_font()).pos(Pos::new(HPos::Left, VPos::Center));
    let lines = wrapped(label, LEGEND_LETTERS);
    for (index, line) in lines.iter().enumerate() {
        let y = top + LEGEND_PITCH * 3 / 4 * index as i32;
        area.draw_text(line, &text, (LEGEND_LEFT + KEY_LENGTH + 10, y)).map_err(failed)?;
    }
    Ok(top + LEGEND_PITCH + LEGEND_PITCH * 3 / 4 * (lines.len() as i32 - 1))
}

/// Lines of at most `letters`, broken between words.
fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        match lines[last].chars().count() + 1 + word.chars().count() {
            _ if lines[last].is_empty() => lines[last].push_str(word),
            length if length <= letters => {
                lines[last].push(' ');
                lines[last].push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The smallest and the largest ordinate of each column of pixels.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let per_column = points.len().div_ceil(COLUMNS).max(1);
    let ends = |column: &[(f64, f64)]| {
        let by_height = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let (low, high) = (column.iter().min_by(by_height), column.iter().max_by(by_height));
        let mut pair: Vec<(f64, f64)> = low.into_iter().chain(high).copied().collect();
        pair.sort_by(|a, b| a.0.total_cmp(&b.0));
        pair.dedup();
        pair
    };
    points.chunks(per_column).flat_map(ends).collect()
}
