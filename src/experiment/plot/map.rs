//! A quantity over one or two parameters: a line over one, a heat map over two.
//!
//! Colours are viridis (perceptually uniform, and distinct with any colour vision); what has no value, or none that is
//! finite, is grey. Curves in the plane of the parameters, such as an exact stability boundary, are drawn over it,
//! white on black.

use super::ruler::{MapError, Ruler};
use crate::experiment::sweep::axis::Axis;
use crate::figure;
use crate::figure::canvas::{self, FONT, Format, PlotError, failed};
use crate::figure::{Chart, Curve, Ends, FLOOR, Level, along, draw};
use crate::numbers::{short, significant};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::colors::colormaps::ViridisRGB;

/// Width and height, px.
const SIZE: (u32, u32) = (1440, 750);
/// Width of the colour bar's column, its left margin, its width: px.
const BAR_COLUMN: u32 = 240;
const BAR_LEFT: i32 = 24;
const BAR_WIDTH: i32 = 28;
/// Top and bottom of the colour bar, px.
const BAR_SPAN: (i32, i32) = (64, 640);
/// The colour where there is no value.
const NOTHING: RGBColor = RGBColor(200, 200, 200);
/// Decades above 1, or above the smallest value, beyond which a logarithmic shading does not distinguish values: such
/// runs have blown up.
const DECADES: f64 = 3.0;

/// How values become colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shading {
    /// log₁₀ of the value, from the smallest to the largest, or to three decades above 1.
    Logarithmic,
    /// Linear from the first number to the second; values beyond them get the colour of the nearer one.
    Between(f64, f64),
}

/// A quantity over the grid of one or two axes.
#[derive(Clone, Debug)]
pub struct Map<'a> {
    /// The title above the figure.
    pub title: &'a str,
    /// The axes; with two, the last index of `values` runs along the second, which points up.
    pub axes: &'a [Axis],
    /// Values in the order of the grid; `None` where a point has no value.
    pub values: Vec<Option<f64>>,
    /// What the values are, with the unit.
    pub label: &'a str,
    /// How they become colours.
    pub shading: Shading,
    /// Curves of a heat map in its parameters, or a level across a line plot, with what they are.
    pub curves: Vec<(String, Vec<(f64, f64)>)>,
}

/// Draws a map and returns the file's bytes.
///
/// # Errors
/// See [`MapError`].
pub fn draw_map(map: &Map<'_>, format: Format) -> Result<Vec<u8>, MapError> {
    if !matches!(map.axes.len(), 1 | 2) {
        return Err(MapError::Axes(map.axes.len()));
    }
    let ranges = map.axes.iter().map(Ruler::new).collect::<Result<Vec<_>, _>>()?;
    let [x, y] = ranges.as_slice() else { return Ok(draw(&line(map, &ranges[0]), format, 1)?) };
    let heat = Heat { map, x, y };
    Ok(match format {
        Format::Svg => canvas::svg(SIZE, 1, |area| heat.draw(&area)),
        Format::Png => canvas::png(SIZE, |area| heat.draw(&area)),
    }?)
}

/// Checks that a map over these axes can be drawn, before it is computed.
///
/// # Errors
/// As for [`draw_map`].
pub fn check_axes(axes: &[Axis]) -> Result<(), MapError> {
    match axes.len() {
        1 | 2 => axes.iter().try_for_each(|axis| Ruler::new(axis).map(drop)),
        count => Err(MapError::Axes(count)),
    }
}

/// The values over one parameter.
fn line(map: &Map<'_>, x: &Ruler) -> Chart {
    let axis = match map.shading {
        Shading::Logarithmic => figure::Axis::logarithmic(map.label),
        Shading::Between(..) => figure::Axis::linear(map.label),
    };
    let ends = Ends::At(map.shades());
    let points = x.places.iter().filter_map(|(index, place)| {
        let value = map.values.get(*index).copied().flatten()?;
        map.shade(value).map(|_| (x.axis.value(*place), value))
    });
    let level = |(name, points): &(String, Vec<(f64, f64)>)| {
        points.first().map(|(_, value)| Level::across(name, *value))
    };
    Chart {
        title: map.title.to_owned(),
        x: x.axis.clone(),
        y: axis.ending(ends),
        curves: vec![Curve::marked(0, map.label.to_owned(), points)],
        levels: map.curves.iter().filter_map(level).collect(),
    }
}

struct Heat<'a> {
    map: &'a Map<'a>,
    x: &'a Ruler,
    y: &'a Ruler,
}

impl Heat<'_> {
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), PlotError> {
        let Self { map, x, y } = self;
        area.fill(&WHITE).map_err(failed)?;
        let (chart_area, bar_area) = area.split_horizontally(SIZE.0 - BAR_COLUMN);
        let mut chart = ChartBuilder::on(&chart_area)
            .caption(map.title, (FONT, 22))
            .margin(16)
            .x_label_area_size(52)
            .y_label_area_size(86)
            .build_cartesian_2d(along(&x.axis, x.ends()), along(&y.axis, y.ends()))
            .map_err(failed)?;
        let [low, high] = map.shades();
        let (columns, rows) = (x.borders(), y.borders());
        let height = y.places.len();
        let cells = x.places.iter().enumerate().flat_map(|(i, (column, _))| {
            let (columns, rows) = (&columns, &rows);
            y.places.iter().enumerate().map(move |(j, (row, _))| {
                let corners = [(columns[i], rows[j]), (columns[i + 1], rows[j + 1])];
                let shade = map.values.get(column * height + row).copied().flatten();
                let color = shade.and_then(|value| map.color(value, low, high)).unwrap_or(NOTHING);
                Rectangle::new(corners, color.filled())
            })
        });
        chart.draw_series(cells).map_err(failed)?;
        for (_, points) in &map.curves {
            let (left, right) = (columns[0], columns[columns.len() - 1]);
            let (bottom, top) = (rows[0], rows[rows.len() - 1]);
            let inside = |(a, b): &(f64, f64)| (left..=right).contains(a) && (bottom..=top).contains(b);
            let placed = points.iter().map(|(a, b)| (x.place(*a), y.place(*b)));
            let seen: Vec<_> = placed.filter(inside).collect();
            for (color, width) in [(BLACK, 5), (WHITE, 2)] {
                let line = LineSeries::new(seen.iter().copied(), color.stroke_width(width));
                chart.draw_series(line).map_err(failed)?;
            }
        }
        chart
            .configure_mesh()
            .disable_mesh()
            .x_desc(map.axes[0].key.as_str())
            .y_desc(map.axes[1].key.as_str())
            .label_style((FONT, 16))
            .axis_desc_style((FONT, 18))
            .x_label_formatter(&|tick| x.axis.text(*tick, x.ends()))
            .y_label_formatter(&|tick| y.axis.text(*tick, y.ends()))
            .draw()
            .map_err(failed)?;
        self.bar(&bar_area, low, high)?;
        area.present().map_err(failed)
    }

    /// The colours with the numbers they stand for, and the names of the curves.
    fn bar<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        low: f64,
        high: f64,
    ) -> Result<(), PlotError> {
        const LEVELS: i32 = 5;
        let (top, bottom) = BAR_SPAN;
        for y in top..bottom {
            let share = f64::from(bottom - y) / f64::from(bottom - top);
            let row = [(BAR_LEFT, y), (BAR_LEFT + BAR_WIDTH, y + 1)];
            area.draw(&Rectangle::new(row, ViridisRGB::get_color(share).filled())).map_err(failed)?;
        }
        let style = TextStyle::from((FONT, 15).into_font());
        for level in 0..=LEVELS {
            let share = f64::from(level) / f64::from(LEVELS);
            let value = low + share * (high - low);
            let text = match self.map.shading {
                Shading::Logarithmic => significant(10f64.powf(value), 2),
                Shading::Between(..) => short(value),
            };
            let y = bottom - (share * f64::from(bottom - top)) as i32 - 9;
            area.draw_text(&text, &style, (BAR_LEFT + BAR_WIDTH + 8, y)).map_err(failed)?;
        }
        area.draw_text(self.map.label, &style, (BAR_LEFT, top - 32)).map_err(failed)?;
        for ((name, _), y) in self.map.curves.iter().zip((bottom + 22..).step_by(24)) {
            let line = [(BAR_LEFT, y + 9), (BAR_LEFT + 24, y + 9)];
            area.draw(&PathElement::new(line, BLACK.stroke_width(5))).map_err(failed)?;
            area.draw(&PathElement::new(line, WHITE.stroke_width(2))).map_err(failed)?;
            area.draw_text(name, &style, (BAR_LEFT + 32, y)).map_err(failed)?;
        }
        Ok(())
    }
}

impl Map<'_> {
    /// A value on the scale of the colours; none if it is not finite.
    fn shade(&self, value: f64) -> Option<f64> {
        let shade = match self.shading {
            Shading::Logarithmic => value.max(FLOOR).log10(),
            Shading::Between(..) => value,
        };
        (value.is_finite() && shade.is_finite()).then_some(shade)
    }

    /// The ends of the scale of the colours.
    fn shades(&self) -> [f64; 2] {
        if let Shading::Between(low, high) = self.shading {
            return [low, high];
        }
        let shades = || self.values.iter().filter_map(|value| self.shade((*value)?));
        let (low, high) =
            (shades().fold(f64::INFINITY, f64::min), shades().fold(f64::NEG_INFINITY, f64::max));
        let high = high.min(low.max(0.0) + DECADES);
        if low.is_finite() && high - low > 1e-9 {
            [low, high]
        } else if low.is_finite() {
            [low - 0.5, low + 0.5]
        } else {
            [0.0, 1.0]
        }
    }

    fn color(&self, value: f64, low: f64, high: f64) -> Option<RGBColor> {
        let share = ((self.shade(value)? - low) / (high - low)).clamp(0.0, 1.0);
        Some(ViridisRGB::get_color(share))
    }
}
