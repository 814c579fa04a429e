//! The file dialog, and the window that lists what is wrong with a file.

use super::super::model::Model;
use egui_macroquad::egui::{self, Align2, RichText, ScrollArea};

/// Height of the list of problems, points.
const LIST_HEIGHT: f32 = 320.0;

pub(super) fn show(ctx: &egui::Context, model: &mut Model) {
    dialog(ctx, model);
    refusal(ctx, model);
}

fn dialog(ctx: &egui::Context, model: &mut Model) {
    if model.errand.is_none() {
        return;
    }
    model.dialog.update(ctx);
    if let Some(path) = model.dialog.take_picked() {
        model.run_errand(&path);
    }
}

fn refusal(ctx: &egui::Context, model: &mut Model) {
    let Some(refusal) = &model.refusal else { return };
    let palette = model.view.palette();
    let mut open = true;
    egui::Window::new(refusal.heading)
        .id(egui::Id::new("refusal"))
        .open(&mut open)
        .collapsible(false)
        .resizable(true)
        .default_width(560.0)
        .pivot(Align2::CENTER_CENTER)
        .default_pos(model.canvas.center())
        .show(ctx, |ui| {
            ui.label(RichText::new(&refusal.title).strong());
            ui.label(RichText::new("The running world stays as it was.").color(palette.weak));
            ui.add_space(6.0);
            ScrollArea::vertical().max_height(LIST_HEIGHT).show(ui, |ui| {
                for problem in &refusal.problems {
                    ui.label(RichText::new(problem).monospace().color(palette.error));
                }
            });
        });
    if !open {
        model.refusal = None;
    }
}
