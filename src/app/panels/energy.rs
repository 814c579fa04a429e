//! The energy plot: kinetic, potential, total, and the work of the corrections.

use super::super::format;
use super::super::plot_view::{ENERGIES, PlotView, energy_drawn, energy_range};
use super::super::simulation::Simulation;
use super::super::theme::Palette;
use super::time_axis::Frame;
use egui_macroquad::egui::Ui;
use egui_plot::{GridInput, GridMark};

/// Least number of grid lines.
const LINES: f64 = 4.0;

pub(super) fn show(ui: &mut Ui, view: &mut PlotView, simulation: &Simulation, palette: &Palette) {
    let Some(frame) = Frame::new(ui, view, simulation, palette) else { return };
    let shown = view.energies;
    let range = range(&frame, &shown);
    let response = frame
        .plot("energy", "energy in J")
        .y_axis_formatter(|mark, _| format::significant(mark.value, 3))
        .y_grid_spacer(steps)
        .label_formatter(|name, point| {
            let (value, time) = (format::significant(point.y, 5), format::significant(point.x, 4));
            let heading = if name.is_empty() { String::new() } else { format!("{name}\n") };
            format!("{heading}{value} J\nt = {time} s")
        })
        .show(ui, |plot| {
            frame.bounds(plot, range);
            for ((quantity, shown), color) in ENERGIES.iter().zip(shown).zip(palette.lines) {
                if shown {
                    frame.line(plot, quantity, color, energy_drawn);
                }
            }
            frame.marks(plot, range[1]);
            plot.pointer_coordinate().map(|point| point.x)
        });
    let per_point = response.transform.dvalue_dpos()[0];
    frame.steer(&response.response, response.inner, per_point, view);
}

/// About four grid lines, at steps of 1, 2 or 5 × 10ⁿ.
fn steps(input: GridInput) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let step = format::round_down((high - low) / LINES);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    // Labels are drawn where the step is long enough; all of these are.
    (first..=last).map(|i| GridMark { value: i as f64 * step, step_size: high - low }).collect()
}

/// Lowest and highest energy to show, J.
fn range(frame: &Frame<'_>, shown: &[bool]) -> [f64; 2] {
    let history = frame.simulation.history();
    let channels = ENERGIES.iter().zip(shown).filter(|(_, shown)| **shown).map(|(q, _)| q.channel);
    let curves = channels.flat_map(|channel| history.decimate(channel, frame.window, frame.columns));
    energy_range(curves.flatten().map(|column| [column.low, column.high]))
}
