//! The help sheet (F1): keys and mouse, from the table that the keyboard uses.

use super::super::commands::{BINDINGS, Chapter, MOUSE};
use super::super::intent::{Intent, Intents};
use super::super::model::Model;
use egui_macroquad::egui::{self, Align2, Grid, RichText, Ui};

pub(super) fn show(ctx: &egui::Context, model: &Model, intents: &mut Intents) {
    let palette = model.view.palette();
    let mut open = model.help_open;
    egui::Window::new("Keys and mouse")
        .open(&mut open)
        .frame(egui::Frame::window(&ctx.style()).inner_margin(14.0))
        .collapsible(false)
        .resizable(false)
        .pivot(Align2::CENTER_CENTER)
        .default_pos(model.canvas.center())
        .show(ctx, |ui| {
            ui.add_space(4.0);
            ui.horizontal_top(|ui| {
                for pair in Chapter::ALL.chunks(2) {
                    ui.vertical(|ui| {
                        for chapter in pair {
                            heading(ui, chapter.title());
                            let lines =
                                BINDINGS.iter().filter(|b| b.chapter == *chapter && !b.shown.is_empty());
                            table(
                                ui,
                                chapter.title(),
                                lines.map(|b| (b.label(), b.meaning)),
                                palette.accent,
                            );
                            ui.add_space(8.0);
                        }
                    });
                    ui.add_space(20.0);
                }
                ui.vertical(|ui| {
                    heading(ui, "Mouse");
                    table(
                        ui,
                        "mouse",
                        MOUSE.iter().map(|(keys, meaning)| ((*keys).to_owned(), *meaning)),
                        palette.accent,
                    );
                });
            });
        });
    if open != model.help_open {
        intents.push(Intent::CloseHelp);
    }
}

fn heading(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).strong());
}

fn table<'a>(ui: &mut Ui, id: &str, lines: impl Iterator<Item = (String, &'a str)>, color: egui::Color32) {
    Grid::new(id).num_columns(2).spacing([14.0, 4.0]).show(ui, |ui| {
        for (keys, meaning) in lines {
            ui.label(RichText::new(keys).color(color));
            ui.label(meaning);
            ui.end_row();
        }
    });
}
