//! Questions about files: before unsaved work is left, about work that an earlier window could not save, and about a
//! file that has changed on disk.

use super::layers::{CARD, DIALOG, frame};
use crate::app::screen::OnScreen;
use crate::app::theme::Coloured;
use crate::workbench::command::Command;
use crate::workbench::intent::{Answer, Intent, Intents};
use crate::workbench::model::Model;
use egui_macroquad::egui::{
    Align2, Area, Context, Id, Key, Modifiers, Pos2, RichText, Sense, Ui, Window, vec2,
};

/// Distance of the card about a changed file from the canvas's top, where the badges are, points.
const TOP: f32 = 52.0;

pub(super) fn show(ctx: &Context, model: &Model, intents: &mut Intents) {
    changed(ctx, model, intents);
    // While a place for the work is chosen, that is the answer.
    if model.files.file_action.is_some() {
        return;
    }
    if model.document.is_asking() {
        unsaved(ctx, model, intents);
    } else if let Some(lost) = &model.files.lost {
        let place = lost.path.as_ref().map_or(lost.name.clone(), |path| path.display().to_string());
        ask(ctx, model, "Work that was not saved", |ui| {
            ui.label(RichText::new(place).strong());
            ui.label("The window closed before this was saved.");
            ui.add_space(8.0);
            ui.horizontal(|ui| {
                for (text, intent) in [("Open it", Intent::TakeLost), ("Throw it away", Intent::ForgetLost)]
                {
                    if ui.button(text).clicked() {
                        intents.push(intent);
                    }
                }
            });
        });
        if struck(ctx, Key::Enter) {
            intents.push(Intent::TakeLost);
        }
    }
}

/// What to do with unsaved work that is about to be left.
fn unsaved(ctx: &Context, model: &Model, intents: &mut Intents) {
    ask(ctx, model, "Save the changes?", |ui| {
        let name = match model.document.path() {
            Some(path) => path.display().to_string(),
            None => model.run().scene.name.clone(),
        };
        ui.label(RichText::new(name).strong());
        ui.label("Without saving, what you have changed is lost.");
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            let [save, discard] = if model.document.is_quitting() {
                ["Save and close", "Close without saving  (Del)"]
            } else {
                ["Save and open", "Open without saving  (Del)"]
            };
            let answers = [(save, Answer::Save), (discard, Answer::Discard), ("Stay here", Answer::Stay)];
            for (text, answer) in answers {
                if ui.button(text).clicked() {
                    intents.push(Intent::Answer(answer));
                }
            }
        });
    });
    if struck(ctx, Key::Enter) {
        intents.push(Intent::Answer(Answer::Save));
    }
    if struck(ctx, Key::Delete) {
        intents.push(Intent::Answer(Answer::Discard));
    }
}

/// A card that says so.
fn changed(ctx: &Context, model: &Model, intents: &mut Intents) {
    if !model.document.has_changed_outside() {
        return;
    }
    let palette = model.view.palette();
    let corner = model.canvas().center_top() + vec2(0.0, TOP);
    let card = Area::new(Id::new("changed file")).order(CARD).pivot(Align2::CENTER_TOP).fixed_pos(corner);
    card.show(ctx, |ui| {
        frame(palette, palette.accent).show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.label("The scene's file has changed on disk.");
                if ui.button("Open it again  (R)").clicked() {
                    intents.push(Intent::Command(Command::Restart));
                }
            });
        });
    });
}

/// A question over everything else, which waits for an answer.
fn ask(ctx: &Context, model: &Model, heading: &str, add: impl FnOnce(&mut Ui)) {
    let behind = Area::new(Id::new("behind the question")).order(DIALOG).fixed_pos(Pos2::ZERO);
    behind.show(ctx, |ui| ui.allocate_response(ctx.screen_rect().size(), Sense::click_and_drag()));
    let window = Window::new(heading)
        .id(Id::new("question"))
        .order(DIALOG)
        .collapsible(false)
        .resizable(false)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(model.canvas().center());
    if let Some(shown) = window.show(ctx, add) {
        ctx.move_to_top(shown.response.layer_id);
    }
}

fn struck(ctx: &Context, key: Key) -> bool {
    ctx.input_mut(|input| input.consume_key(Modifiers::NONE, key))
}
