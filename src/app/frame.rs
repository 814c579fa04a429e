//! One frame: panels and canvas are laid out from the model, and what a person does in them is carried out.

use super::panels::{self, slow};
use super::{canvas, keys, theme};
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use egui_macroquad::egui::{self, Sense};

/// Lays out one frame: panels, canvas, and the windows above them; and carries out their intents, those of the panels before
/// the canvas is drawn.
pub fn show(ctx: &egui::Context, model: &mut Model) {
    theme::put_on(ctx, &model.view);
    slow::tell_of_movement(ctx);
    let pressed = ctx.input(|input| input.pointer.press_start_time());
    model.runs.press_since(pressed);
    let switches = if ctx.wants_keyboard_input() { 0 } else { model.switching_keys() };
    let held = ctx.input(|input| keys::held(switches, |key| input.key_down(key)));
    if held != model.hand.keys {
        model.apply(Intent::Keys(held));
    }
    model.news.fade(ctx.input(|i| i.stable_dt));
    if !(model.layout.embedded || model.layout.presenting) {
        model.layout.see_width(panels::is_narrow(ctx));
    }
    let mut intents = Intents::new();
    panels::around(ctx, model, &mut intents);
    model.apply_all(std::mem::take(&mut intents));
    stage(ctx, model);
    panels::above(ctx, model, &mut intents);
    model.apply_all(intents);
    model.layout.escape_taken = panels::takes_escape(ctx, model);
    model.settle();
}

/// One frame of a picture: the canvas, with the plot beside it where that is open.
pub fn picture(ctx: &egui::Context, model: &mut Model) {
    theme::put_on(ctx, &model.view);
    panels::beside_picture(ctx, model);
    stage(ctx, model);
    model.settle();
}

/// The canvas, in the space that the panels leave.
fn stage(ctx: &egui::Context, model: &mut Model) {
    // The window has been cleared with the canvas's background.
    let frame = egui::Frame::NONE;
    egui::CentralPanel::default().frame(frame).show(ctx, |ui| {
        let rect = ui.max_rect();
        model.lay_out(rect);
        let response = ui.interact(rect, ui.id().with("canvas"), Sense::drag());
        // A held body is drawn at its position of this frame.
        model.apply_all(canvas::mouse(ui, model, &response));
        model.apply_all(canvas::draw(ui, model, rect));
    });
}
