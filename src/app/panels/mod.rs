//! The panels, one file each. None depends on the window, so that tests drive them without a display.

mod banner;
mod compare;
mod contact;
mod counts;
mod energy;
mod errors;
mod field;
mod figures;
mod files;
mod help;
mod method;
mod parameters;
mod plot;
mod scene;
mod scheme;
mod solve;
mod stability_map;
mod time_axis;
mod timeline;
mod tools;
mod tour;
mod view;

use super::canvas;
use super::intent::{Intent, Intents};
use super::model::Model;
use super::theme;
use egui_file_dialog::DialogState;
use egui_macroquad::egui::{self, Color32, RichText, Ui};

/// Width of the right panel at the start, points.
const PANEL_WIDTH: f32 = 348.0;

/// Lays out one frame: panels, canvas, and the windows above them; and carries out their intents, those of the panels before
/// the canvas is drawn.
pub fn show(ctx: &egui::Context, model: &mut Model) {
    if model.themed != Some(model.view.dark) {
        theme::apply(ctx, model.view.palette(), model.view.dark);
        model.themed = Some(model.view.dark);
    }
    model.fade(ctx.input(|i| i.stable_dt));
    let mut intents = Intents::new();
    if model.panel_open {
        let frame = egui::Frame::side_top_panel(&ctx.style()).inner_margin(egui::Margin::symmetric(12, 8));
        egui::SidePanel::right("panel")
            .default_width(PANEL_WIDTH)
            .width_range(280.0..=640.0)
            .frame(frame)
            .show(ctx, |ui| side(ui, model, &mut intents));
    }
    plot::show(ctx, model, &mut intents);
    timeline::show(ctx, model, &mut intents);
    model.apply_all(std::mem::take(&mut intents));
    canvas::show(ctx, model);
    tour::card(ctx, model, &mut intents);
    banner::show(ctx, model, &mut intents);
    help::show(ctx, model, &mut intents);
    files::refusal(ctx, model, &mut intents);
    if model.file_action.is_some() {
        intents.extend(files::dialog(ctx, &mut model.dialog).map(Intent::Chosen));
    }
    model.apply_all(intents);
    model.escape_taken = takes_escape(ctx, model);
    model.settle();
}

/// Whether the next Escape closes a popup, the file dialog, or ends the typing of a text.
fn takes_escape(ctx: &egui::Context, model: &Model) -> bool {
    let dialog = matches!(model.dialog.state(), DialogState::Open);
    dialog || ctx.wants_keyboard_input() || ctx.memory(egui::Memory::any_popup_open)
}

fn side(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    scene::show(ui, model, intents);
    ui.separator();
    egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        scheme::show(ui, model, intents);
        method::show(ui, model, intents);
        contact::show(ui, model, intents);
        figures::show(ui, model.run());
        tools::show(ui, model, intents);
        view::show(ui, &model.view, intents);
        tour::list(ui, model, intents);
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

/// Secondary text.
fn weak(text: impl Into<String>, color: Color32) -> RichText {
    RichText::new(text).color(color).size(12.0)
}
