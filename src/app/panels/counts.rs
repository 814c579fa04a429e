//! The solver's plot: size of the problem of each step and iterations of its solver, beside the figures of the last step.

use super::super::theme::Palette;
use super::curves;
use super::figures;
use super::time_axis::{Frame, above_the_foot, steps};
use crate::workbench::runs::comparison::Comparison;
use crate::workbench::text::format;
use crate::workbench::view_state::plot_view::{COUNTS, PlotView};
use egui_macroquad::egui::{ScrollArea, Ui, UiBuilder};

/// Width of the figures beside the plot, points.
const FIGURES: f32 = 230.0;
/// Least number of grid lines.
const LINES: f64 = 4.0;
/// Room above the curves, as a share of the largest count.
const MARGIN: f64 = 0.15;

pub(super) fn show(ui: &mut Ui, view: &mut PlotView, comparison: &Comparison, palette: &Palette) {
    let simulation = comparison.main();
    let all = ui.available_rect_before_wrap();
    let (left, right) = all.split_left_right_at_x(all.left() + FIGURES);
    let left = left.with_max_x(left.right() - 8.0);
    ui.scope_builder(UiBuilder::new().max_rect(left), |ui| {
        ScrollArea::vertical()
            .auto_shrink([false, false])
            .show(ui, |ui| figures::solver(ui, simulation, palette));
    });
    ui.scope_builder(UiBuilder::new().max_rect(right), |ui| plot(ui, view, comparison, palette));
}

fn plot(ui: &mut Ui, view: &mut PlotView, comparison: &Comparison, palette: &Palette) {
    let Some(frame) = Frame::new(ui, view, comparison, palette) else { return };
    let shown = view.counts;
    let top = top(&frame, &shown);
    let mut curves = Vec::new();
    let response = frame
        .plot("counts", "count")
        .y_axis_formatter(|mark, range| above_the_foot(mark, range, format::significant(mark.value, 3)))
        .y_grid_spacer(|input| steps(input, LINES, 1.0))
        .show(ui, |plot| {
            frame.bounds(plot, [0.0, top]);
            for (i, quantity) in COUNTS.iter().enumerate().filter(|(i, _)| shown[*i]) {
                for lane in &frame.lanes {
                    let _end = frame.line(plot, &mut curves, lane, (i, quantity), |count| count);
                }
            }
            frame.marks(plot, top);
            plot.pointer_coordinate().map(|point| point.x)
        });
    let per_point = response.transform.dvalue_dpos()[0];
    frame.steer(&response.response, response.inner, per_point, view);
    // Between two steps the line has no whole number.
    let write = |_: &curves::Curve, count: f64| format::significant(count, 3);
    let _no_branch = curves::show(ui, &response.response, &response.transform, &curves, palette, write);
}

/// The top of the axis of counts.
fn top(frame: &Frame<'_>, shown: &[bool]) -> f64 {
    let channels = COUNTS.iter().zip(shown).filter(|(_, shown)| **shown).map(|(q, _)| q.channel);
    let counts = channels.flat_map(|channel| frame.extremes(channel)).map(|(_, column)| column.high);
    counts.fold(1.0, f64::max) * (1.0 + MARGIN)
}
