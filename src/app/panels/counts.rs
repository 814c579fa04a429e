//! The solver's plot: size of the problem of each step and iterations of its solver, beside the figures of the last step.

use super::{figures, over_time};
use crate::app::model::Model;
use crate::app::view_state::plot_view::PlotView;
use egui_macroquad::egui::{ScrollArea, Ui, UiBuilder};

/// Width of the figures beside the plot, points.
const FIGURES: f32 = 230.0;

/// Draws both; returns what a click in the plot chooses, as [`over_time::show`].
pub(super) fn show(ui: &mut Ui, view: &mut PlotView, model: &Model) -> Option<[f64; 2]> {
    let (simulation, palette) = (model.run(), model.view.palette());
    let all = ui.available_rect_before_wrap();
    let (left, right) = all.split_left_right_at_x(all.left() + FIGURES);
    let left = left.with_max_x(left.right() - 8.0);
    ui.scope_builder(UiBuilder::new().max_rect(left), |ui| {
        ScrollArea::vertical()
            .auto_shrink([false, false])
            .show(ui, |ui| figures::solver(ui, simulation, palette));
    });
    ui.scope_builder(UiBuilder::new().max_rect(right), |ui| over_time::show(ui, view, model)).inner
}
