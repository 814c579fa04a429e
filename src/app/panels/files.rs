//! What is pasted, and the window that lists the errors of a file.

use super::layers::DIALOG;
use crate::scene::are_parts;
use crate::workbench::editor::EditorIntent;
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::options::OpenScene;
use egui_macroquad::egui::{self, Align2, Event, RichText, ScrollArea};

/// Height of the list of problems, points.
const LIST_HEIGHT: f32 = 320.0;

/// A link, a scene or parts that is pasted while no text is being typed.
pub(super) fn pasted(ctx: &egui::Context) -> Option<Intent> {
    if ctx.wants_keyboard_input() {
        return None;
    }
    let text = ctx.input(|input| {
        input.events.iter().find_map(|event| match event {
            Event::Paste(text) => Some(text.trim().to_owned()),
            _ => None,
        })
    })?;
    if are_parts(&text) {
        return Some(Intent::Editor(EditorIntent::Paste(text)));
    }
    let is_scene = text.starts_with('{');
    let scene = || OpenScene { title: "pasted scene".to_owned(), path: None, text: text.clone() };
    Some(if is_scene { Intent::Open(scene()) } else { Intent::OpenLink(text) })
}

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
            ui.label(RichText::new(refusal.unchanged).color(palette.weak));
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
