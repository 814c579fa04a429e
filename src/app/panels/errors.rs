//! What a plot of errors shows beside its curves: the band of mere rounding, and the steps whose solutions are approximate.

use super::time_axis::Frame;
use crate::app::runs::history::Channel;
use egui_macroquad::egui::{Align2, Rect, RichText, Stroke, Vec2, vec2};
use egui_plot::{MarkerShape, PlotPoint, PlotPoints, PlotUi, Points, Polygon, Text};

/// Errors below this, m, are rounding of lengths of about a metre.
const ROUNDING: f64 = 1e-13;
/// Size of the name of the band of rounding, points.
const NAME: Vec2 = vec2(58.0, 14.0);
/// Size of the mark of an approximate step, points.
const APPROXIMATE: f32 = 3.0;

/// The band of errors that are mere rounding.
pub(super) fn band(plot: &mut PlotUi<'_>, frame: &Frame<'_>, bottom: f64) {
    let ([from, to], top) = (frame.window, ROUNDING.log10());
    if bottom >= top {
        return;
    }
    let corners = PlotPoints::new(vec![[from, bottom], [to, bottom], [to, top], [from, top]]);
    let color = frame.palette.weak;
    let band = Polygon::new("", corners).stroke(Stroke::NONE).fill_color(color.gamma_multiply(0.09));
    plot.polygon(band);
}

/// Marks on the axis of time the steps whose solutions are approximate, in the colours of their runs' schemes.
pub(super) fn approximate(plot: &mut PlotUi<'_>, frame: &Frame<'_>, bottom: f64) {
    for lane in &frame.lanes {
        let runs = lane.run.history().decimate(Channel::Approximate, frame.window, frame.columns);
        let points: Vec<[f64; 2]> = runs.iter().flatten().map(|column| [column.time, bottom]).collect();
        if !points.is_empty() {
            let color = frame.palette.scheme(lane.run.scheme_index());
            let marks = Points::new("", points).shape(MarkerShape::Up).radius(APPROXIMATE).color(color);
            plot.points(marks);
        }
    }
}

/// The name of the band: at its upper end, or at its lower one where `labels` lie there.
pub(super) fn name_of_band(plot: &mut PlotUi<'_>, frame: &Frame<'_>, bottom: f64, labels: &[Rect]) {
    let (from, top, color) = (frame.window[0], ROUNDING.log10(), frame.palette.weak);
    if bottom >= top {
        return;
    }
    for (anchor, y) in [(Align2::LEFT_TOP, top), (Align2::LEFT_BOTTOM, bottom)] {
        let place = PlotPoint::new(from, y);
        let room = anchor.anchor_size(plot.screen_from_plot(place), NAME);
        if !labels.iter().any(|label| label.intersects(room)) {
            let text = RichText::new(" rounding").size(11.0).color(color);
            return plot.text(Text::new("", place, text).color(color).anchor(anchor));
        }
    }
}
