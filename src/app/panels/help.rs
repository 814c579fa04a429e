//! The help sheet (F1): keys and mouse, from the table that the keyboard uses.

use super::heading;
use super::layers::DIALOG;
use crate::app::keys::{Chapter, MOUSE, bindings};
use crate::app::theme::Coloured;
use crate::platform::Host;
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use egui_macroquad::egui::{self, Align2, Grid, RichText, ScrollArea, Ui, vec2};

/// Width of a column with its distance from the next, points.
const COLUMN: f32 = 330.0;
/// Most columns.
const MOST_COLUMNS: usize = 3;
/// Least distance of the sheet from the window's edges, and room for its title, points.
const AROUND: [f32; 2] = [60.0, 110.0];

/// A part of the sheet: its heading, and what each key does.
pub type Block = (&'static str, Vec<(String, &'static str)>);

pub(super) fn show(ctx: &egui::Context, model: &Model, intents: &mut Intents) {
    let mut open = model.layout.help_open;
    let room = ctx.screen_rect().size() - vec2(AROUND[0], AROUND[1]);
    let columns = ((room.x / COLUMN) as usize).clamp(1, MOST_COLUMNS);
    let color = model.view.palette().accent;
    egui::Window::new("Keys and mouse")
        .open(&mut open)
        .frame(egui::Frame::window(&ctx.style()).inner_margin(14.0))
        .order(DIALOG)
        .collapsible(false)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
        .show(ctx, |ui| {
            ui.add_space(4.0);
            ScrollArea::vertical().max_height(room.y).show(ui, |ui| {
                ui.horizontal_top(|ui| {
                    for column in divided(blocks(Host::HERE), columns) {
                        ui.vertical(|ui| {
                            for (title, lines) in column {
                                ui.label(heading(title));
                                table(ui, title, lines, color);
                                ui.add_space(8.0);
                            }
                        });
                        ui.add_space(20.0);
                    }
                });
            });
        });
    if open != model.layout.help_open {
        intents.push(Intent::CloseHelp);
    }
}

/// What the sheet says on a host.
pub fn blocks(host: Host) -> Vec<Block> {
    let chapter = |chapter: Chapter| {
        let lines = bindings(host).filter(|b| b.chapter == chapter && !b.shown.is_empty());
        (chapter.title(), lines.map(|b| (b.label(), b.meaning)).collect())
    };
    let mouse = MOUSE.iter().map(|(keys, meaning)| ((*keys).to_owned(), *meaning)).collect();
    Chapter::ALL.into_iter().map(chapter).chain([("Mouse", mouse)]).collect()
}

/// The blocks in that many columns, in their order and about equally long.
fn divided(blocks: Vec<Block>, columns: usize) -> Vec<Vec<Block>> {
    // A heading and the distance to the next block are worth two lines.
    let length = |block: &Block| block.1.len() + 2;
    let whole: usize = blocks.iter().map(length).sum();
    let mut above = 0;
    let mut divided = vec![Vec::new(); columns];
    for block in blocks {
        let middle = above + length(&block) / 2;
        above += length(&block);
        divided[(middle * columns / whole.max(1)).min(columns - 1)].push(block);
    }
    divided
}

fn table(ui: &mut Ui, id: &str, lines: Vec<(String, &str)>, color: egui::Color32) {
    Grid::new(id).num_columns(2).spacing([14.0, 4.0]).show(ui, |ui| {
        for (keys, meaning) in lines {
            ui.label(RichText::new(keys).color(color));
            ui.label(meaning);
            ui.end_row();
        }
    });
}
