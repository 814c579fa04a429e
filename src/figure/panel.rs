//! A chart on a drawing area of plotters, and its legend.

use super::{Axis, Chart, Curve, Level, LevelAxis, Mark, Named, Shape};
use crate::figure::canvas::{FONT, PlotError, failed};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Most ticks of an axis.
const TICKS: f64 = 10.0;
/// First line of the legend, pitch of its lines, letters that fit on one, length of a sample: px.
const LEGEND_TOP: i32 = 64;
const LEGEND_PITCH: i32 = 24;
const LEGEND_LETTERS: usize = 42;
const KEY_LENGTH: i32 = 30;
/// Distance between the chart, whose last marks stand over its edge, and the legend, px.
const LEGEND_LEFT: i32 = 14;
/// Lengths of a level's dashes and of the gaps between them, in the chart and in the legend, px.
const LEVEL: [u32; 2] = [9, 7];
const LEVEL_SAMPLE: [u32; 2] = [6, 4];
/// Points per curve: two per horizontal pixel keep every peak.
const COLUMNS: usize = 1440;

/// An axis as a linear coordinate with its own ticks.
pub(crate) struct Ticked {
    ends: [f64; 2],
    ticks: Vec<f64>,
}

impl Ranged for Ticked {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let [low, high] = self.ends;
        start + ((value - low) / (high - low) * f64::from(end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // A second call asks for the light lines between the ticks, of which there are none.
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.ends[0]..self.ends[1]
    }
}

/// The coordinate along an axis between two places.
pub(crate) fn along(axis: &Axis, ends: [f64; 2]) -> Ticked {
    Ticked { ends, ticks: axis.ticks(ends, (ends[1] - ends[0]) / TICKS) }
}

/// An area, and how many of its pixels make one of the picture.
pub(super) struct Panel<B: DrawingBackend> {
    pub area: DrawingArea<B, Shift>,
    pub fine: u32,
}

type Context<'a, B> = ChartContext<'a, B, Cartesian2d<Ticked, Ticked>>;

impl<B: DrawingBackend> Panel<B> {
    /// The chart without its legend.
    pub fn chart(&self, chart: &Chart) -> Result<(), PlotError> {
        let (Chart { x, y, .. }, fine) = (chart, self.fine);
        let [across, up] = chart.ranges();
        let mut builder = ChartBuilder::on(&self.area);
        if !chart.title.is_empty() {
            builder.caption(&chart.title, (FONT, 22 * fine));
        }
        let mut context = builder
            .margin(16 * fine)
            .x_label_area_size(56 * fine)
            .y_label_area_size(96 * fine)
            .build_cartesian_2d(along(x, across), along(y, up))
            .map_err(failed)?;
        context
            .configure_mesh()
            .x_desc(&x.label)
            .y_desc(&y.label)
            .label_style((FONT, 17 * fine))
            .axis_desc_style((FONT, 19 * fine))
            .axis_style(BLACK.stroke_width(fine))
            .set_all_tick_mark_size(5 * fine)
            .x_label_formatter(&|tick| x.text(*tick, across))
            .y_label_formatter(&|tick| y.text(*tick, up))
            .light_line_style(WHITE)
            .bold_line_style(RGBColor(225, 225, 225).stroke_width(fine))
            .draw()
            .map_err(failed)?;
        for level in &chart.levels {
            let line = ends(chart, level, [across, up]);
            let [dash, gap] = LEVEL.map(|length| length * fine);
            let line = DashedLineSeries::new(line, dash, gap, self.style(level.color, 2));
            context.draw_series(line).map_err(failed)?;
        }
        for curve in &chart.curves {
            for part in &curve.parts {
                let finite = part.iter().filter(|point| point[1].is_finite());
                let points: Vec<_> =
                    finite.map(|[a, b]| (x.place(*a), y.place(*b).clamp(up[0], up[1]))).collect();
                self.curve(&mut context, curve, &thinned(&points))?;
            }
        }
        Ok(())
    }

    fn style(&self, [red, green, blue]: super::Color, width: u32) -> ShapeStyle {
        RGBColor(red, green, blue).stroke_width(width * self.fine)
    }

    fn curve(
        &self,
        context: &mut Context<'_, B>,
        curve: &Curve,
        points: &[(f64, f64)],
    ) -> Result<(), PlotError> {
        let [red, green, blue] = curve.color;
        let width = (curve.width * curve.dash.width() * self.fine as f32).round().max(1.0) as u32;
        let style = RGBColor(red, green, blue).mix(f64::from(curve.opacity)).stroke_width(width);
        let line = points.iter().copied();
        if let Some(lengths) = curve.dash.lengths() {
            let [dash, gap] = lengths.map(|length| length * self.fine);
            context.draw_series(DashedLineSeries::new(line, dash, gap, style)).map_err(failed)?;
        } else {
            context.draw_series(LineSeries::new(line, style)).map_err(failed)?;
        }
        if let Some(Mark { radius, shape }) = curve.mark {
            let (radius, style) = (radius * self.fine, self.style(curve.color, 2));
            match shape {
                Shape::Ring => context.draw_series(points.iter().map(|at| Circle::new(*at, radius, style))),
                Shape::Square => context.draw_series(
                    points
                        .iter()
                        .map(|at| EmptyElement::at(*at) + PathElement::new(square(radius as i32), style)),
                ),
            }
            .map_err(failed)?;
        }
        if curve.named == Named::End {
            let style = TextStyle::from((FONT, 17 * self.fine).into_font());
            let color = RGBColor(red, green, blue);
            let style = style.pos(Pos::new(HPos::Left, VPos::Center)).color(&color);
            let apart = (4 * self.fine as i32, 0);
            let text = |at: &(f64, f64)| {
                EmptyElement::at(*at) + Text::new(curve.label.clone(), apart, style.clone())
            };
            context.draw_series(points.last().map(text)).map_err(failed)?;
        }
        Ok(())
    }

    /// The legend of a chart: curves and levels, listed beside the data.
    pub fn legend(&self, chart: &Chart) -> Result<(), PlotError> {
        let mut row = LEGEND_TOP;
        for curve in chart.curves.iter().filter(|curve| curve.named == Named::Legend) {
            self.sample(row, curve.dash.lengths(), self.style(curve.color, 2))?;
            if let Some(Mark { radius, shape }) = curve.mark {
                let middle = self.at(LEGEND_LEFT + KEY_LENGTH / 2, row);
                let (radius, style) = (radius * self.fine, self.style(curve.color, 2));
                match shape {
                    Shape::Ring => self.area.draw(&Circle::new(middle, radius, style)),
                    Shape::Square => {
                        let corners = PathElement::new(square(radius as i32), style);
                        self.area.draw(&(EmptyElement::at(middle) + corners))
                    }
                }
                .map_err(failed)?;
            }
            row = self.entry(row, &curve.label)?;
        }
        for level in &chart.levels {
            self.sample(row, Some(LEVEL_SAMPLE), self.style(level.color, 2))?;
            row = self.entry(row, &level.label)?;
        }
        Ok(())
    }

    fn at(&self, x: i32, y: i32) -> (i32, i32) {
        (x * self.fine as i32, y * self.fine as i32)
    }

    /// A piece of a line before an entry of the legend.
    fn sample(&self, top: i32, dash: Option<[u32; 2]>, style: ShapeStyle) -> Result<(), PlotError> {
        let ends = [self.at(LEGEND_LEFT, top), self.at(LEGEND_LEFT + KEY_LENGTH, top)];
        match dash.map(|lengths| lengths.map(|length| length * self.fine)) {
            None => self.area.draw(&PathElement::new(ends, style)),
            Some([dash, gap]) => self.area.draw(&DashedPathElement::new(ends, dash, gap, style)),
        }
        .map_err(failed)
    }

    /// The text of an entry of the legend from the height `top` on; returns where the next one begins, px.
    fn entry(&self, top: i32, label: &str) -> Result<i32, PlotError> {
        let text =
            TextStyle::from((FONT, 15 * self.fine).into_font()).pos(Pos::new(HPos::Left, VPos::Center));
        let lines = wrapped(label, LEGEND_LETTERS);
        for (index, line) in lines.iter().enumerate() {
            let y = top + LEGEND_PITCH * 3 / 4 * index as i32;
            self.area.draw_text(line, &text, self.at(LEGEND_LEFT + KEY_LENGTH + 10, y)).map_err(failed)?;
        }
        Ok(top + LEGEND_PITCH + LEGEND_PITCH * 3 / 4 * (lines.len() as i32 - 1))
    }
}

/// The ends of a level's line.
fn ends(chart: &Chart, level: &Level, [x, y]: [[f64; 2]; 2]) -> [(f64, f64); 2] {
    let along = |axis: &Axis, value: Option<f64>, [low, high]: [f64; 2], end: f64| {
        value.map_or(end, |value| axis.place(value)).clamp(low, high)
    };
    let [from, to] = level.over;
    match level.axis {
        LevelAxis::X => {
            let across = along(&chart.x, Some(level.value), x, x[0]);
            [(across, along(&chart.y, from, y, y[0])), (across, along(&chart.y, to, y, y[1]))]
        }
        LevelAxis::Y => {
            let up = along(&chart.y, Some(level.value), y, y[0]);
            [(along(&chart.x, from, x, x[0]), up), (along(&chart.x, to, x, x[1]), up)]
        }
    }
}

/// The outline of a square mark about its centre, px.
fn square(half: i32) -> [(i32, i32); 5] {
    [(-half, -half), (half, -half), (half, half), (-half, half), (-half, -half)]
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
