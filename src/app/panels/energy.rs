//! The energy plot: how kinetic, potential and total energy have changed since each run began, the work of the
//! corrections, and who else has done which work.

use super::super::theme::Palette;
use super::curves;
use super::time_axis::{Frame, above_the_foot, steps};
use crate::workbench::runs::comparison::Comparison;
use crate::workbench::runs::history::Channel;
use crate::workbench::runs::live_run::LiveRun;
use crate::workbench::text::format;
use crate::workbench::view_state::plot_view::{ENERGIES, PlotView, Quantity, energy_drawn, energy_range};
use egui_macroquad::egui::Ui;

/// Least number of grid lines.
const LINES: f64 = 4.0;

/// Draws the plot; returns when the future was left that was clicked, and the clicked time, s.
pub(super) fn show(
    ui: &mut Ui,
    view: &mut PlotView,
    comparison: &Comparison,
    palette: &Palette,
) -> Option<[f64; 2]> {
    let frame = Frame::new(ui, view, comparison, palette)?;
    let shown = view.energies;
    let range = frame.eased(ui, "energy", range(&frame, &shown));
    let mut curves = Vec::new();
    let response = frame
        .plot("energy", "change of energy in J")
        .y_axis_formatter(|mark, range| above_the_foot(mark, range, format::significant(mark.value, 3)))
        .y_grid_spacer(|input| steps(input, LINES, 0.0))
        .show(ui, |plot| {
            frame.bounds(plot, range);
            let mut ends = Vec::new();
            for (i, quantity) in ENERGIES.iter().enumerate().filter(|(i, _)| shown[*i]) {
                for lane in &frame.lanes {
                    let start = at_start(lane.run, quantity);
                    let drawn = |energy| energy_drawn(energy - start);
                    frame.branch(plot, &mut curves, lane, (i, quantity), drawn);
                }
                for lane in &frame.lanes {
                    let start = at_start(lane.run, quantity);
                    let drawn = |energy| energy_drawn(energy - start);
                    let end = frame.line(plot, &mut curves, lane, (i, quantity), drawn);
                    let alone = frame.lanes.len() == 1;
                    if let Some(mut end) = end.filter(|_| alone || quantity.channel == Channel::Total) {
                        if alone {
                            end.maker = quantity.name.to_owned();
                        }
                        ends.push(end);
                    }
                }
            }
            frame.names(plot, ends);
            frame.marks(plot, range[1]);
            plot.pointer_coordinate().map(|point| point.x)
        });
    let per_point = response.transform.dvalue_dpos()[0];
    frame.steer(&response.response, response.inner, per_point, view);
    let joule = |energy: f64| format!("{} J", format::significant(energy, 5));
    curves::show(ui, &response.response, &response.transform, &curves, palette, |_, energy| joule(energy))
}

/// Lowest and highest energy to show, J.
fn range(frame: &Frame<'_>, shown: &[bool]) -> [f64; 2] {
    let quantities = ENERGIES.iter().zip(shown).filter(|(_, shown)| **shown).map(|(quantity, _)| quantity);
    let columns = quantities.flat_map(|quantity| {
        let columns = frame.extremes(quantity.channel);
        columns.map(|(lane, column)| {
            let start = at_start(lane.run, quantity);
            [column.low - start, column.high - start]
        })
    });
    energy_range(columns)
}

/// The value of an energy when the run began, J.
fn at_start(run: &LiveRun, quantity: &Quantity) -> f64 {
    run.history().value_at(quantity.channel, run.origin().time).unwrap_or_default()
}
