//! The window that lists the errors of a file.

use super::super::intent::{Intent, Intents};
use super::super::model::Model;
use super::layers::DIALOG;
use egui_macroquad::egui::{self, Align2, RichText, ScrollArea};

/// Height of the list of problems, points.
const LIST_HEIGHT: f32 = 320.0;

pub(super) fn refusal(ctx: &egui::Context, model: &Model, intents: &mut Intents) {
    let Some(refusal) = &model.refusal else { return };
    let palette = model.view.palette();
    let mut open = true;
    egui::Window::new(refusal.heading)
        .id(egui::Id::new("refusal"))
        .open(&mut open)
        .order(DIALOG)
        .collapsible(false)
        .resizable(true)
        .default_width(560.0)
        .pivot(Align2::CENTER_CENTER)
        .default_pos(model.canvas.center())
        .show(ctx, |ui| {
            ui.label(RichText::new(&refusal.title).strong());
            ui.label(RichText::new("The running world is unchanged.").color(palette.weak));
            ui.add_space(6.0);
            ScrollArea::vertical().max_height(LIST_HEIGHT).show(ui, |ui| {
                for problem in &refusal.problems {
                    ui.label(RichText::new(problem).monospace().color(palette.error));
                }
            });
        });
    if !open {
        intents.push(Intent::CloseRefusal);
    }
}
