//! The panels, one file each. None of them knows of the window: they are driven by tests without a display.

mod banner;
mod contact;
mod counts;
mod energy;
mod errors;
mod figures;
mod files;
mod help;
mod method;
mod parameters;
mod plot;
mod scene;
mod scheme;
mod tools;
mod tour;
mod transport;
mod view;

use super::model::Model;
use super::theme;
use egui_macroquad::egui::{self, Color32, RichText, Ui};

/// Width of the right panel at the start, points.
const PANEL_WIDTH: f32 = 348.0;

/// Lays out one frame: panels, canvas, and what lies above them.
pub fn show(ctx: &egui::Context, model: &mut Model) {
    if model.themed != Some(model.view.dark) {
        theme::apply(ctx, model.view.palette(), model.view.dark);
        model.themed = Some(model.view.dark);
    }
    if model.panel_open {
        let frame = egui::Frame::side_top_panel(&ctx.style()).inner_margin(egui::Margin::symmetric(12, 8));
        egui::SidePanel::right("panel")
            .default_width(PANEL_WIDTH)
            .width_range(280.0..=640.0)
            .frame(frame)
            .show(ctx, |ui| side(ui, model));
    }
    plot::show(ctx, model);
    super::canvas::show(ctx, model);
    tour::card(ctx, model);
    banner::show(ctx, model);
    help::show(ctx, model);
    files::show(ctx, model);
    // What follows would not be what the recording says.
    if model.simulation.recording_is_stale() {
        model.end_recording();
    }
    model.simulation.note_changes();
}

fn side(ui: &mut Ui, model: &mut Model) {
    scene::show(ui, model);
    transport::show(ui, model);
    ui.separator();
    egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        scheme::show(ui, model);
        method::show(ui, model);
        contact::show(ui, model);
        figures::show(ui, &model.simulation);
        tools::show(ui, model);
        view::show(ui, &mut model.view);
        tour::list(ui, model);
        ui.add_space(8.0);
    });
}

/// A section with a heading that folds.
fn section<R>(ui: &mut Ui, title: &str, open: bool, add: impl FnOnce(&mut Ui) -> R) {
    egui::CollapsingHeader::new(RichText::new(title).strong()).default_open(open).show_unindented(
        ui,
        |ui| {
            add(ui);
            ui.add_space(4.0);
        },
    );
}

/// Text of second rank.
fn weak(text: impl Into<String>, color: Color32) -> RichText {
    RichText::new(text).color(color).size(12.0)
}
