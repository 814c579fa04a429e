//! Figures on the screen: axes, curves and levels as `egui_plot` draws them.

use super::super::theme::Palette;
use super::names::apart;
use crate::figure::{Axis, Chart, Color, Curve, Dash, Level, LevelAxis, Mark, Scale, Shape};
use egui_macroquad::egui::{Align2, Color32, Rangef, Rect, RichText, Vec2, vec2};
use egui_plot::{
    AxisHints, GridInput, GridMark, HLine, Line, LineStyle, MarkerShape, Plot, PlotPoint, PlotPoints,
    PlotUi, Points, Text, VLine,
};
use std::ops::RangeInclusive;

/// Least distances of the numbers along both axes, points. Those that stand are drawn in full: fainter ones cannot be read.
pub(super) const LABELS: [f32; 2] = [60.0, 13.0];
/// Most divisions of a linear axis, and of a logarithmic one.
const DIVISIONS: [f64; 2] = [8.0, 6.0];
/// Distances of grid lines, in points, at which they are faintest and strongest; the latter is never reached.
pub(super) const GRID_SPACING: Rangef = Rangef { min: 14.0, max: 2_400.0 };
/// Share of the vertical axis at its foot that bears no numbers: the first number of the horizontal one stands there.
const FOOT: f64 = 0.04;
/// Size of a name at the end of a line, its row's height, width of a character, points.
const NAME: f32 = 11.5;
const ROW: f64 = 13.0;
pub(super) const CHARACTER: f64 = 6.0;
/// Size of an axis's label and of a level's, points.
const LABEL: f32 = 12.0;
const LEVEL: f32 = 11.0;

/// What stands beside an axis.
fn label(axis: &Axis, palette: &Palette) -> RichText {
    RichText::new(&axis.label).size(LABEL).color(palette.weak)
}

/// A plot with the axes of a chart, which stands still.
pub(super) fn plot<'a>(id: &str, chart: &Chart, palette: &Palette) -> Plot<'a> {
    let [across, up] = LABELS.map(|points| Rangef::new(points, points));
    let (x, y) = (chart.x.clone(), chart.y.clone());
    let above_the_foot = move |mark: GridMark, range: &RangeInclusive<f64>| {
        let share = (mark.value - range.start()) / (range.end() - range.start());
        if share < FOOT { String::new() } else { text(&y, mark, range) }
    };
    let [along_x, along_y] = [chart.x.clone(), chart.y.clone()];
    Plot::new(id)
        .custom_x_axes(vec![AxisHints::new_x().label_spacing(across)])
        .custom_y_axes(vec![AxisHints::new_y().label_spacing(up)])
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_drag(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        // What is under the pointer is said by [`super::curves`].
        .show_x(false)
        .show_y(false)
        .show_background(false)
        .x_axis_formatter(move |mark, range| text(&x, mark, range))
        .y_axis_formatter(above_the_foot)
        .x_grid_spacer(move |input| ticks(&along_x, input, LABELS[0]))
        .y_grid_spacer(move |input| ticks(&along_y, input, LABELS[1]))
        .x_axis_label(label(&chart.x, palette))
        .y_axis_label(label(&chart.y, palette))
        .grid_spacing(GRID_SPACING)
        .set_margin_fraction(Vec2::ZERO)
}

/// What stands at a mark of an axis.
pub(super) fn text(axis: &Axis, mark: GridMark, range: &RangeInclusive<f64>) -> String {
    axis.text(mark.value, [*range.start(), *range.end()])
}

/// The lines across a plot at the ticks of an axis, whose numbers have room for so many points.
fn ticks(axis: &Axis, input: GridInput, room: f32) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let divisions = DIVISIONS[usize::from(axis.scale == Scale::Logarithmic)];
    // The base step is as long as the least distance of grid lines.
    let least = input.base_step_size * f64::from(room / GRID_SPACING.min).max(1.0);
    let ticks = axis.ticks([low, high], least.max((high - low) / divisions));
    // Numbers are left out where the step has no room for them.
    let step = ticks.get(1).map_or(high - low, |second| (second - ticks[0]).max(1.001 * least));
    ticks.into_iter().map(|value| GridMark { value, step_size: step }).collect()
}

/// A figure's colour.
pub(super) fn color([red, green, blue]: Color) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

fn style(dash: Dash) -> LineStyle {
    match dash {
        Dash::Solid | Dash::Thin => LineStyle::Solid,
        Dash::Dashed => LineStyle::Dashed { length: 9.0 },
        Dash::Dotted => LineStyle::Dotted { spacing: 5.0 },
        Dash::Fine => LineStyle::Dashed { length: 4.0 },
    }
}

/// The curves of a chart, without their names.
pub(super) fn curves(plot: &mut PlotUi<'_>, chart: &Chart) {
    for curve in &chart.curves {
        let color = color(curve.color).gamma_multiply(curve.opacity);
        for part in &curve.parts {
            let places = || part.iter().map(|point| placed(chart, point));
            let line = Line::new(&curve.label, PlotPoints::Owned(places().collect()));
            let width = curve.width * curve.dash.width();
            plot.line(line.style(style(curve.dash)).color(color).width(width));
            if let Some(Mark { radius, shape }) = curve.mark {
                let shape = if shape == Shape::Ring { MarkerShape::Circle } else { MarkerShape::Square };
                let marks = Points::new(&curve.label, PlotPoints::Owned(places().collect()));
                plot.points(marks.shape(shape).radius(radius as f32).color(color));
            }
        }
    }
}

/// Where a point is drawn.
pub(super) fn placed(chart: &Chart, [x, y]: &[f64; 2]) -> PlotPoint {
    PlotPoint::new(chart.x.place(*x), chart.y.place(*y))
}

/// The last point of a curve that can be drawn.
pub(super) fn end(chart: &Chart, curve: &Curve) -> Option<PlotPoint> {
    curve.points().filter(|[_, y]| y.is_finite()).last().map(|point| placed(chart, point))
}

/// The levels of a chart with their labels, which end at `right`.
pub(super) fn levels(plot: &mut PlotUi<'_>, chart: &Chart, right: f64) {
    for Level { label, value, axis, color: own, .. } in &chart.levels {
        let color = color(*own);
        match axis {
            LevelAxis::X => {
                let line = VLine::new("", chart.x.place(*value)).color(color.gamma_multiply(0.6));
                plot.vline(line.width(1.0));
            }
            LevelAxis::Y => {
                let y = chart.y.place(*value);
                let line = HLine::new("", y).color(color.gamma_multiply(0.8)).width(1.0);
                plot.hline(line.style(LineStyle::dashed_loose()));
                let (place, text) =
                    (PlotPoint::new(right, y), RichText::new(label).size(LEVEL).color(color));
                plot.text(Text::new("", place, text).color(color).anchor(Align2::RIGHT_BOTTOM));
            }
        }
    }
}

/// Names behind the ends of lines, moved apart where they would overlap, from the highest one down; returns their places on
/// the screen.
pub(super) fn names(plot: &mut PlotUi<'_>, mut ends: Vec<(PlotPoint, Color, String)>) -> Vec<Rect> {
    let row = (ROW * plot.transform().dvalue_dpos()[1]).abs();
    let bounds = plot.plot_bounds();
    let [low, high] = [bounds.min()[1] + 0.5 * row, bounds.max()[1] - 0.5 * row];
    ends.sort_by(|a, b| b.0.y.total_cmp(&a.0.y));
    let heights: Vec<f64> = ends.iter().map(|(end, ..)| end.y).collect();
    let mut places = Vec::new();
    for ((end, own, name), y) in ends.into_iter().zip(apart(&heights, row, [low, high])) {
        let (color, anchor) = (color(own), Align2::LEFT_CENTER);
        let size = vec2((CHARACTER * (name.chars().count() + 1) as f64) as f32, ROW as f32);
        let place = PlotPoint::new(end.x, y);
        places.push(anchor.anchor_size(plot.screen_from_plot(place), size));
        let text = RichText::new(name).size(NAME).color(color);
        plot.text(Text::new("", place, text).color(color).anchor(anchor));
    }
    places
}
