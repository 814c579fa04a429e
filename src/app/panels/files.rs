//! What is pasted, the dialog in which a file is chosen, and the window that lists the errors of a file.

use super::layers::DIALOG;
use crate::app::screen::OnScreen;
use crate::app::theme::Coloured;
use crate::platform::chooser::Chooser;
use crate::scene::are_parts;
use crate::workbench::editor::EditorIntent;
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::{Model, Offer};
use crate::workbench::options::OpenScene;
use egui_macroquad::egui::{self, Align2, Event, Id, RichText, ScrollArea};
use std::sync::{Arc, Mutex, PoisonError};

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

/// The dialog in which a file is chosen, and what was offered in it last.
#[derive(Default)]
struct Dialog {
    chooser: Chooser,
    offered: Option<Offer>,
}

/// egui keeps the dialog from frame to frame.
fn dialog(ctx: &egui::Context) -> Arc<Mutex<Dialog>> {
    ctx.data_mut(|data| data.get_temp_mut_or_default::<Arc<Mutex<Dialog>>>(Id::NULL).clone())
}

/// Lets a person choose a file where one has to be chosen; returns what came of it.
pub(super) fn choose(ctx: &egui::Context, model: &Model) -> Option<Intent> {
    let offer = model.offered()?;
    let dialog = dialog(ctx);
    let mut dialog = dialog.lock().unwrap_or_else(PoisonError::into_inner);
    let Dialog { chooser, offered } = &mut *dialog;
    if !chooser.is_open() || offered.as_ref() != Some(offer) {
        let Offer { kind, folder, name } = offer;
        match name {
            Some(name) => chooser.place(kind.name(), kind.extension(), name, folder.clone()),
            None => chooser.pick(kind.name(), kind.extensions(), folder.clone()),
        }
        *offered = Some(offer.clone());
    }
    let chosen = chooser.show(ctx).map(Intent::Chosen);
    chosen.or((!chooser.is_open()).then_some(Intent::LeaveDialog))
}

/// The window of the dialog in egui.
pub fn dialog_window(ctx: &egui::Context) -> Id {
    dialog(ctx).lock().unwrap_or_else(PoisonError::into_inner).chooser.window()
}

pub(super) fn refusal(ctx: &egui::Context, model: &Model, intents: &mut Intents) {
    let Some(refusal) = &model.news.refusal else { return };
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
        .default_pos(model.canvas().center())
        .show(ctx, |ui| {
            ui.label(RichText::new(&refusal.title).strong());
            ui.label(RichText::new(refusal.unchanged).color(palette.weak));
            ui.add_space(6.0);
            ScrollArea::vertical().max_height(LIST_HEIGHT).show(ui, |ui| {
                let color = if refusal.opened { palette.text } else { palette.error };
                for problem in &refusal.problems {
                    ui.label(RichText::new(problem).monospace().color(color));
                }
            });
        });
    if !open {
        intents.push(Intent::CloseRefusal);
    }
}
