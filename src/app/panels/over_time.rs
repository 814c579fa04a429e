//! The plots over time: errors, energies, sizes of problems, and readings of what is watched.

use super::time_axis::Frame;
use super::{curves, drawn, errors};
use crate::app::model::Model;
use crate::app::view_state::plot_view::{PlotView, Tab};
use egui_macroquad::egui::Ui;

/// Draws the plot; returns when the future was left that was clicked, and the clicked time, s.
pub(super) fn show(ui: &mut Ui, view: &mut PlotView, model: &Model) -> Option<[f64; 2]> {
    let palette = model.view.palette();
    let frame = Frame::new(ui, view, model.comparison(), palette)?;
    let plotted = frame.plotted(view, model.readings());
    let chart = &plotted.chart;
    let range = frame.eased(ui, &chart.y.label, chart.ranges()[1]);
    let of_errors = view.tab == Tab::Errors;
    let response = frame.plot(view.tab.key(), chart).show(ui, |plot| {
        frame.bounds(plot, range);
        drawn::levels(plot, chart, frame.window[1]);
        let mut labels = frame.marks(plot, range[1]);
        if of_errors {
            errors::band(plot, &frame, range[0]);
            errors::approximate(plot, &frame, range[0]);
        }
        drawn::curves(plot, chart);
        labels.extend(frame.names(plot, &plotted, range[0]));
        if of_errors {
            errors::name_of_band(plot, &frame, range[0], &labels);
        }
        plot.pointer_coordinate().map(|point| point.x)
    });
    let per_point = response.transform.dvalue_dpos()[0];
    frame.steer(&response.response, response.inner, per_point, view);
    curves::show(ui, &response.response, &response.transform, &plotted, palette)
}
