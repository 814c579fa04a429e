//! The panels, one file each. None depends on the window, so that tests drive them without a display.

mod banner;
mod body;
mod browser;
mod build;
mod card_placement;
mod compare;
mod contact;
mod counts;
mod curves;
mod drawn;
mod embed;
mod equal_cost;
mod equation;
mod errors;
mod field;
mod figures;
mod files;
mod fixed;
mod header;
pub mod help;
mod layers;
mod method;
mod names;
mod over_time;
mod parameters;
mod plot;
mod properties;
mod questions;
mod runs;
mod scheme;
mod side;
mod slow;
mod solve;
mod stability_map;
mod stability_words;
mod time_axis;
mod timeline;
mod tools;
pub mod tour;
mod view;
mod watch;

use super::canvas;
use super::intent::{Intent, Intents};
use super::model::Model;
use super::theme;
use egui_macroquad::egui::{self, Color32, FontFamily, FontId, RichText, Ui};

/// Lays out one frame: panels, canvas, and the windows above them; and carries out their intents, those of the panels before
/// the canvas is drawn.
pub fn show(ctx: &egui::Context, model: &mut Model) {
    put_on_theme(ctx, model);
    slow::tell_of_movement(ctx);
    let pressed = ctx.input(|input| input.pointer.press_start_time());
    model.press_since(pressed);
    model.fade(ctx.input(|i| i.stable_dt));
    let mut intents = Intents::new();
    if model.embedded || model.presenting {
        embed::show(ctx, model, &mut intents);
    } else {
        // In a narrow window the panel takes the place of the plots, under the picture.
        let narrow = is_narrow(ctx);
        model.see_width(narrow);
        // In a low one the step of a tour needs the whole width, so that the canvas is left its height.
        let across = narrow || ctx.screen_rect().height() < LOW && tour::present(model).is_some();
        if across {
            header::show(ctx, model, &mut intents);
        }
        if model.panel_open && narrow {
            side::show_below(ctx, model, &mut intents);
        } else if model.panel_open {
            side::show(ctx, model, &mut intents);
        }
        if !across {
            header::show(ctx, model, &mut intents);
        }
        if model.plot_open && !(narrow && model.panel_open) {
            plot::show(ctx, model, &mut intents);
        }
        timeline::show(ctx, model, &mut intents);
    }
    intents.extend(files::pasted(ctx));
    model.apply_all(std::mem::take(&mut intents));
    canvas::show(ctx, model);
    tour::mark(ctx, model, ["stage", ""], model.pane(0).shrink(STAGE_INSET));
    body::card(ctx, model, &mut intents);
    banner::show(ctx, model, &mut intents);
    browser::show(ctx, model, &mut intents);
    help::show(ctx, model, &mut intents);
    files::refusal(ctx, model, &mut intents);
    questions::show(ctx, model, &mut intents);
    tour::point(ctx, model);
    if model.file_action.is_some() {
        let chosen = model.dialog.show(ctx).map(Intent::Chosen);
        let left = !model.dialog.is_open();
        intents.extend(chosen.or(left.then_some(Intent::LeaveDialog)));
    }
    model.apply_all(intents);
    model.escape_taken = takes_escape(ctx, model);
    model.settle();
}

/// One frame of a picture: the canvas, with the plot beside it where that is open.
pub fn picture(ctx: &egui::Context, model: &mut Model) {
    put_on_theme(ctx, model);
    // Nobody acts on a picture.
    let mut intents = Intents::new();
    if model.plot_open {
        embed::plots(ctx, model, &mut intents);
    }
    canvas::show(ctx, model);
    model.settle();
}

fn put_on_theme(ctx: &egui::Context, model: &mut Model) {
    let theme = [model.view.dark, model.view.still];
    if model.themed != Some(theme) {
        theme::apply(ctx, model.view.palette(), theme);
        model.themed = Some(theme);
    }
}

/// Distance of the glow around the stage from its edge, points.
const STAGE_INSET: f32 = 8.0;
/// Width of a window below which panel and picture do not fit beside each other, and height below which the step of a
/// tour stands across both, points.
const NARROW: f32 = 640.0;
const LOW: f32 = 560.0;

/// Whether panel and picture stand above each other.
fn is_narrow(ctx: &egui::Context) -> bool {
    ctx.screen_rect().width() < NARROW
}

/// Whether the next Escape closes a popup, the file dialog, or ends the typing of a text.
fn takes_escape(ctx: &egui::Context, model: &Model) -> bool {
    model.dialog.is_open() || ctx.wants_keyboard_input() || ctx.memory(egui::Memory::any_popup_open)
}

/// A heading and what stands under it.
fn section<R>(ui: &mut Ui, title: &str, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.label(heading(title));
    let inner = add(ui);
    ui.add_space(8.0);
    inner
}

/// The text of a heading.
fn heading(text: &str) -> RichText {
    RichText::new(text).font(FontId::new(13.0, FontFamily::Name(theme::HEADING_FAMILY.into())))
}

/// Secondary text.
fn weak(text: impl Into<String>, color: Color32) -> RichText {
    RichText::new(text).color(color).size(12.0)
}
