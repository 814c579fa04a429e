//! The solver's plot: size of the problem of each step and iterations of its solver, beside the figures of the last step.

use super::super::format;
use super::super::plot_view::{COUNTS, PlotView};
use super::super::simulation::Simulation;
use super::super::theme::Palette;
use super::figures;
use super::time_axis::Frame;
use egui_macroquad::egui::{ScrollArea, Ui, UiBuilder};
use egui_plot::{GridInput, GridMark};

/// Width of the figures beside the plot, points.
const FIGURES: f32 = 230.0;
/// Least number of grid lines.
const LINES: f64 = 4.0;
/// Room above the curves, as a share of the largest count.
const MARGIN: f64 = 0.15;

pub(super) fn show(ui: &mut Ui, view: &mut PlotView, simulation: &Simulation, palette: &Palette) {
    let all = ui.available_rect_before_wrap();
    let (left, right) = all.split_left_right_at_x(all.left() + FIGURES);
    let left = left.with_max_x(left.right() - 8.0);
    ui.scope_builder(UiBuilder::new().max_rect(left), |ui| {
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| figures::solver(ui, simulation));
    });
    ui.scope_builder(UiBuilder::new().max_rect(right), |ui| plot(ui, view, simulation, palette));
}

fn plot(ui: &mut Ui, view: &mut PlotView, simulation: &Simulation, palette: &Palette) {
    let Some(frame) = Frame::new(ui, view, simulation, palette) else { return };
    let shown = view.counts;
    let top = top(&frame, &shown);
    let response = frame
        .plot("counts", "count")
        .y_axis_formatter(|mark, _| format::significant(mark.value, 3))
        .y_grid_spacer(steps)
        .label_formatter(|name, point| {
            let time = format::significant(point.x, 4);
            if name.is_empty() {
                format!("t = {time} s")
            } else {
                format!("{name} {:.0}\nt = {time} s", point.y)
            }
        })
        .show(ui, |plot| {
            frame.bounds(plot, [0.0, top]);
            for ((quantity, shown), color) in COUNTS.iter().zip(shown).zip(palette.lines) {
                if shown {
                    frame.line(plot, quantity, color, |count| count);
                }
            }
            frame.marks(plot, top);
            plot.pointer_coordinate().map(|point| point.x)
        });
    let per_point = response.transform.dvalue_dpos()[0];
    frame.steer(&response.response, response.inner, per_point, view);
}

/// About four grid lines, at whole numbers.
fn steps(input: GridInput) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let step = format::round_down((high - low) / LINES).max(1.0);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).map(|i| GridMark { value: i as f64 * step, step_size: high - low }).collect()
}

/// The top of the axis of counts.
fn top(frame: &Frame<'_>, shown: &[bool]) -> f64 {
    let history = frame.simulation.history();
    let channels = COUNTS.iter().zip(shown).filter(|(_, shown)| **shown).map(|(q, _)| q.channel);
    let curves = channels.flat_map(|channel| history.decimate(channel, frame.window, frame.columns));
    let largest = curves.flatten().map(|column| column.high).fold(1.0, f64::max);
    largest * (1.0 + MARGIN)
}
