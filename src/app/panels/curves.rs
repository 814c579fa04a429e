//! What a plot says under the pointer: the nearest curve, and its value at the pointer's time.
//!
//! The value is that of the line as it is drawn: between two samples on the straight line that joins them.

use super::super::theme::Palette;
use super::drawn::{color, placed};
use crate::app::model::plotted::{Plotted, Source};
use crate::app::text::format;
use crate::figure::{Chart, Curve, Scale};
use egui_macroquad::egui::{
    Align2, CornerRadius, FontId, Pos2, Rect, Response, Stroke, StrokeKind, Ui, WidgetInfo, WidgetType,
    pos2, vec2,
};
use egui_plot::{PlotPoint, PlotTransform};

/// Radius of the point on the curve, points.
const POINT: f32 = 4.0;
/// Distance from a curve within which a click means it, points.
const REACH: f32 = 8.0;
/// Distance of the text from the point, its padding and its size, points.
const APART: f32 = 12.0;
const PADDING: f32 = 5.0;
const TEXT: f32 = 12.0;
/// Digits of the value.
const DIGITS: usize = 4;

/// The place of a curve at `time`, s; none before its first and after its last point.
fn height(chart: &Chart, curve: &Curve, time: f64) -> Option<f64> {
    curve.parts.iter().rev().find_map(|part| {
        let after = part.partition_point(|[x, _]| *x <= time);
        let from = placed(chart, part.get(after.checked_sub(1)?)?);
        match part.get(after).map(|point| placed(chart, point)) {
            Some(to) => Some(from.y + (to.y - from.y) * (time - from.x) / (to.x - from.x)),
            None => (from.x == time).then_some(from.y),
        }
    })
}

/// What is under the pointer.
struct Under {
    /// Number of the curve.
    curve: usize,
    point: PlotPoint,
    /// Distance of the pointer from the curve at its time, points.
    distance: f32,
}

/// The curve nearest to a point of the screen among those that exist at its time.
fn nearest(chart: &Chart, transform: &PlotTransform, at: Pos2) -> Option<Under> {
    let time = transform.value_from_position(at).x;
    let mut best: Option<Under> = None;
    for (curve, own) in chart.curves.iter().enumerate() {
        let Some(height) = height(chart, own, time).filter(|height| height.is_finite()) else { continue };
        let point = PlotPoint::new(time, height);
        let distance = (transform.position_from_point(&point).y - at.y).abs();
        // The last of equally near curves is drawn over the others.
        if best.as_ref().is_none_or(|best| distance <= best.distance) {
            best = Some(Under { curve, point, distance });
        }
    }
    best
}

/// A value with its unit.
fn written(chart: &Chart, place: f64, unit: &str) -> String {
    let value = if chart.y.scale == Scale::Logarithmic && place <= chart.y.floor().log10() {
        format!("less than {}", format::significant(chart.y.floor(), 1))
    } else {
        format::significant(chart.y.value(place), DIGITS)
    };
    format!("{value} {unit}").trim_end().to_owned()
}

/// Marks the curve under the pointer and says its value with the unit. Returns the moment at which the future was left that a
/// click chooses, and the clicked time, s.
pub(super) fn show(
    ui: &Ui,
    response: &Response,
    transform: &PlotTransform,
    Plotted { chart, sources }: &Plotted,
    palette: &Palette,
) -> Option<[f64; 2]> {
    let at = response.hover_pos()?;
    let Under { curve, point, distance } = nearest(chart, transform, at)?;
    let (Source { name, unit, left, .. }, curve) = (sources.get(curve)?, chart.curves.get(curve)?);
    let (value, own) = (written(chart, point.y, unit), color(curve.color));
    let left = left.filter(|_| distance <= REACH);
    let hint = if left.is_some() { "\nclick: back to this future" } else { "" };
    let text = format!("{name}\n{value}\nt = {} s{hint}", format::significant(point.x, 4));
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, &text));
    let painter = ui.painter().with_clip_rect(response.rect);
    let here = transform.position_from_point(&point);
    let faint = Stroke::new(1.0, palette.weak.gamma_multiply(0.35));
    painter.vline(here.x, response.rect.y_range(), faint);
    painter.circle(here, POINT, own, Stroke::new(1.5, palette.panel));
    let galley = painter.layout_no_wrap(text, FontId::proportional(TEXT), palette.text);
    let size = galley.size() + vec2(2.0 * PADDING, 2.0 * PADDING);
    let place = beside(here, size, response.rect);
    let edge = Stroke::new(1.0, own);
    let ground = palette.panel.gamma_multiply(0.94);
    painter.rect(place, CornerRadius::same(4), ground, edge, StrokeKind::Inside);
    painter.galley(place.min + vec2(PADDING, PADDING), galley, palette.text);
    left.filter(|_| response.clicked()).map(|left| [left, point.x])
}

/// A place of that size beside a point, inside of `room`: right of it, or left of it where there is no room.
fn beside(at: Pos2, size: egui_macroquad::egui::Vec2, room: Rect) -> Rect {
    let right = at.x + APART + size.x <= room.right();
    let x = if right { at.x + APART } else { at.x - APART - size.x };
    let y = (at.y - 0.5 * size.y).clamp(room.top(), (room.bottom() - size.y).max(room.top()));
    Align2::LEFT_TOP.anchor_size(pos2(x.max(room.left()), y), size)
}

#[cfg(test)]
mod tests {
    use super::{height, nearest};
    use crate::figure::{Axis, Chart, Curve};
    use egui_macroquad::egui::{Rect, Vec2b, pos2};
    use egui_plot::{PlotBounds, PlotTransform};

    fn chart(y: Axis, curves: &[&[[f64; 2]]]) -> Chart {
        let curve = |(index, points): (usize, &&[[f64; 2]])| {
            Curve::line(index, String::new(), points.iter().copied())
        };
        let curves = curves.iter().enumerate().map(curve).collect();
        Chart { title: String::new(), x: Axis::linear("t"), y, curves, levels: Vec::new() }
    }

    /// The value between two samples is on the line that joins them, at the pointer's time and not at the nearest sample's; on a
    /// logarithmic axis that is their geometric mean.
    #[test]
    fn values_are_interpolated() {
        let line: &[[f64; 2]] = &[[0.0, 1.0], [1.0, 3.0], [1.0, 5.0], [2.0, 4.0]];
        let linear = chart(Axis::linear("y"), &[line]);
        let at = |time| height(&linear, &linear.curves[0], time);
        for (time, height) in [(0.0, 1.0), (0.25, 1.5), (0.75, 2.5), (1.0, 5.0), (1.5, 4.5), (2.0, 4.0)] {
            assert_eq!(at(time), Some(height), "t = {time}");
        }
        assert_eq!((at(-0.1), at(2.1)), (None, None));
        let decades = chart(Axis::logarithmic("y"), &[&[[0.0, 1e-4], [2.0, 1e-2]]]);
        let middle = height(&decades, &decades.curves[0], 1.0).expect("a place");
        assert!((decades.y.value(middle) - 1e-3).abs() < 1e-15);
    }

    /// The nearest curve is that whose line is nearest on the screen at the pointer's time, even if a sample of another
    /// one is nearer.
    #[test]
    fn the_nearest_curve_counts_in_pixels() {
        let frame = Rect::from_min_max(pos2(0.0, 0.0), pos2(200.0, 100.0));
        let bounds = PlotBounds::from_min_max([0.0, 0.0], [2.0, 10.0]);
        let transform = PlotTransform::new(frame, bounds, Vec2b::FALSE);
        let (steep, flat): (&[[f64; 2]], &[[f64; 2]]) =
            (&[[0.0, 0.0], [2.0, 10.0]], &[[0.0, 6.0], [0.98, 6.0], [2.0, 6.0]]);
        let chart = chart(Axis::linear("y"), &[steep, flat]);
        // At t = 1 s the steep line is at 5 and the flat one at 6: the screen is 100 points high for 10.
        let under = |y: f32| nearest(&chart, &transform, pos2(100.0, 100.0 - 10.0 * y)).expect("a curve");
        assert_eq!((under(5.4).curve, under(5.6).curve), (0, 1));
        assert!((under(5.4).point.y - 5.0).abs() < 1e-6 && (under(5.4).point.x - 1.0).abs() < 1e-6);
        assert!((under(5.4).distance - 4.0).abs() < 1e-3);
    }
}
