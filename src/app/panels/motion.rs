//! The plot of one body's motion, of all runs: over time, or one quantity over another.

use super::super::intent::{Intent, Intents};
use super::super::model::Model;
use super::super::theme::Palette;
use super::curves;
use super::time_axis::{Frame, above_the_foot};
use crate::app::runs::force_balance::body_name;
use crate::app::text::format;
use crate::app::view_state::plot_view::{MOTION, PlotView};
use egui_macroquad::egui::{RichText, Ui};
use egui_plot::{GridInput, GridMark, Line, Plot, PlotPoints};

/// Least number of grid lines.
const LINES: f64 = 4.0;
/// Room above and below the curves, as a share of their range.
const MARGIN: f64 = 0.12;
/// Smallest range of an axis, as a share of the largest value on it: smaller differences are rounding.
const FLATTEST: f64 = 1e-9;
/// Width of a line of the main run and of the others in a phase plot, points.
const WIDTHS: [f32; 2] = [1.8, 1.2];

/// The choice of the quantity, of what it is plotted over, and the button that saves the figures.
pub(super) fn header(ui: &mut Ui, view: &mut PlotView, model: &Model, intents: &mut Intents) {
    let palette = model.view.palette();
    let Some(index) = model.selected_body() else { return };
    ui.label(RichText::new(body_name(model.run().world(), index)).strong());
    ui.menu_button(MOTION[view.motion].name, |ui| {
        for (place, quantity) in MOTION.iter().enumerate() {
            let text = format!("{} [{}]", quantity.name, quantity.unit);
            if ui.selectable_label(view.motion == place, text).on_hover_text(quantity.meaning).clicked() {
                view.motion = place;
                ui.close_menu();
            }
        }
    });
    ui.label(RichText::new("over").color(palette.weak));
    ui.menu_button(view.phase.map_or("time", |place| MOTION[place].name), |ui| {
        let rows = std::iter::once(None).chain((0..MOTION.len()).map(Some));
        for place in rows {
            if ui
                .selectable_label(view.phase == place, place.map_or("time", |at| MOTION[at].name))
                .clicked()
            {
                view.phase = place;
                ui.close_menu();
            }
        }
    });
    if ui.button("CSV").on_hover_text("Save the recorded steps of all runs as a table").clicked() {
        intents.push(Intent::SaveMotion);
    }
}

/// Draws the plot; returns when the future was left that was clicked, and the clicked time, s.
pub(super) fn show(ui: &mut Ui, view: &mut PlotView, model: &Model, palette: &Palette) -> Option<[f64; 2]> {
    if model.selected_body().is_none() {
        ui.centered_and_justified(|ui| ui.label("Click a body: from then on its motion is plotted here."));
        return None;
    }
    let frame = Frame::new(ui, view, model.comparison(), palette)?;
    match view.phase {
        Some(across) => {
            phase(ui, &frame, view, across);
            None
        }
        None => over_time(ui, &frame, view),
    }
}

fn over_time(ui: &mut Ui, frame: &Frame<'_>, view: &mut PlotView) -> Option<[f64; 2]> {
    let place = view.motion;
    let quantity = &MOTION[place];
    let columns = frame.extremes(quantity.channel).map(|(_, column)| [column.low, column.high]);
    let range = frame.eased(ui, quantity.name, range(columns));
    let mut curves = Vec::new();
    let response = frame
        .plot("motion", &format!("{} in {}", quantity.name, quantity.unit))
        .y_axis_formatter(|mark, range| above_the_foot(mark, range, format::significant(mark.value, 4)))
        .y_grid_spacer(steps)
        .show(ui, |plot| {
            frame.bounds(plot, range);
            let drawn = quantity.drawn();
            let mut ends = Vec::new();
            for lane in &frame.lanes {
                frame.branch(plot, &mut curves, lane, (place, &drawn), |value| value);
                ends.extend(frame.line(plot, &mut curves, lane, (place, &drawn), |value| value));
            }
            if frame.lanes.len() > 1 {
                frame.names(plot, ends);
            }
            frame.marks(plot, range[1]);
            plot.pointer_coordinate().map(|point| point.x)
        });
    let per_point = response.transform.dvalue_dpos()[0];
    frame.steer(&response.response, response.inner, per_point, view);
    let write =
        |_: &curves::Curve, value: f64| format!("{} {}", format::significant(value, 5), quantity.unit);
    curves::show(ui, &response.response, &response.transform, &curves, frame.palette, write)
}

/// One quantity over another, step by step.
fn phase(ui: &mut Ui, frame: &Frame<'_>, view: &PlotView, across: usize) {
    let (x, y) = (&MOTION[across], &MOTION[view.motion]);
    let label = |text: String| RichText::new(text).size(12.0).color(frame.palette.weak);
    Plot::new("phase")
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_drag(false)
        .show_background(false)
        .x_axis_label(label(format!("{} in {}", x.name, x.unit)))
        .y_axis_label(label(format!("{} in {}", y.name, y.unit)))
        .show(ui, |plot| {
            for (place, lane) in frame.lanes.iter().enumerate() {
                let points = lane.run.history().pairs([x.channel, y.channel], frame.window);
                let color = frame.palette.scheme(lane.run.scheme_index());
                let is_main = place + 1 == frame.lanes.len();
                let width = WIDTHS[usize::from(!is_main)];
                plot.line(Line::new(&lane.name, PlotPoints::new(points)).color(color).width(width));
            }
        });
}

/// Lowest and highest value to show.
fn range(columns: impl Iterator<Item = [f64; 2]>) -> [f64; 2] {
    let ends = columns.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], column| {
        [low.min(column[0]), high.max(column[1])]
    });
    let [low, high] = ends;
    if low > high {
        return [-1.0, 1.0];
    }
    let largest = high.abs().max(low.abs());
    let least = if largest > 0.0 { FLATTEST * largest } else { 1.0 };
    let margin = MARGIN * (high - low).max(least);
    [low - margin, high + margin]
}

/// About four grid lines, at steps of 1, 2 or 5 × 10ⁿ.
fn steps(input: GridInput) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let step = format::round_down((high - low) / LINES);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).map(|i| GridMark { value: i as f64 * step, step_size: high - low }).collect()
}
