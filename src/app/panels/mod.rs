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
mod driven;
mod embed;
mod equal_cost;
mod equation;
mod errors;
mod exercise;
mod field;
mod figures;
pub mod files;
mod fixed;
mod header;
pub mod help;
mod judge;
mod layers;
mod method;
mod names;
mod over_time;
mod parameters;
mod plot;
mod properties;
mod questions;
mod rows;
mod runs;
mod scheme;
mod side;
pub(super) mod slow;
mod solve;
mod stability_map;
mod stability_words;
mod surfaces;
mod time_axis;
mod timeline;
mod tools;
pub mod tour;
mod view;
mod watch;

use super::theme;
use crate::app::screen::OnScreen;
use crate::app::theme::Coloured;
use crate::workbench::intent::Intents;
use crate::workbench::model::Model;
use crate::workbench::view_state::edge::Edge;
use egui_macroquad::egui::{self, Color32, FontFamily, FontId, RichText, Ui};

/// The panels around the canvas.
pub(super) fn around(ctx: &egui::Context, model: &Model, intents: &mut Intents) {
    if model.layout.embedded || model.layout.presenting {
        embed::show(ctx, model, intents);
    } else {
        // In a narrow window the panel takes the place of the plots, under the picture.
        let narrow = is_narrow(ctx);
        // In a low one the step of a tour needs the whole width, so that the canvas is left its height.
        let across = narrow || ctx.screen_rect().height() < LOW && tour::present(model).is_some();
        if across {
            header::show(ctx, model, intents);
        }
        if model.layout.panel_open && narrow {
            side::show_below(ctx, model, intents);
        } else if model.layout.panel_open {
            side::show(ctx, model, intents);
        }
        if !across {
            header::show(ctx, model, intents);
        }
        if model.layout.plot_open && !(narrow && model.layout.panel_open) {
            plot::show(ctx, model, intents);
        }
        timeline::show(ctx, model, intents);
    }
    intents.extend(files::pasted(ctx));
}

/// What lies over the canvas: cards, messages, lists and questions.
pub(super) fn above(ctx: &egui::Context, model: &Model, intents: &mut Intents) {
    tour::mark(ctx, model, ["stage", ""], model.pane_rect(0).shrink(STAGE_INSET));
    body::card(ctx, model, intents);
    banner::show(ctx, model, intents);
    browser::show(ctx, model, intents);
    help::show(ctx, model, intents);
    files::refusal(ctx, model, intents);
    questions::show(ctx, model, intents);
    tour::point(ctx, model);
    intents.extend(files::choose(ctx, model));
    focus(ctx, model);
}

/// A ring around the control that has the focus of the keys, since those that paint themselves show it by nothing else.
fn focus(ctx: &egui::Context, model: &Model) {
    let focused = ctx.memory(|memory| memory.focused()).and_then(|id| ctx.read_response(id));
    let Some(egui::Response { layer_id, interact_rect, .. }) = focused else { return };
    let stroke = egui::Stroke::new(FOCUS, model.view.palette().accent);
    ctx.layer_painter(layer_id).rect_stroke(interact_rect, ROUNDING, stroke, egui::StrokeKind::Outside);
}

/// The panels beside the canvas of a picture, on which nobody acts.
pub(super) fn beside_picture(ctx: &egui::Context, model: &Model) {
    if model.layout.plot_open {
        embed::plots(ctx, model, &mut Intents::new());
    }
}

/// Width of the ring around the control that has the focus, and the radius of its corners, points.
const FOCUS: f32 = 2.0;
const ROUNDING: f32 = 4.0;
/// Distance of the glow around the stage from its edge, points.
const STAGE_INSET: f32 = 8.0;
/// Width of a window below which panel and picture do not fit beside each other, and height below which the step of a
/// tour stands across both, points.
const NARROW: f32 = 640.0;
const LOW: f32 = 560.0;

/// Whether panel and picture stand above each other.
pub(super) fn is_narrow(ctx: &egui::Context) -> bool {
    ctx.screen_rect().width() < NARROW
}

/// Whether the next Escape closes a popup, the file dialog, or ends the typing of a text.
pub(super) fn takes_escape(ctx: &egui::Context, model: &Model) -> bool {
    model.files.file_action.is_some()
        || ctx.wants_keyboard_input()
        || ctx.memory(egui::Memory::any_popup_open)
}

/// Whether the mouse drags that edge.
fn is_dragged(ctx: &egui::Context, edge: Edge) -> bool {
    ctx.is_being_dragged(egui::Id::new(edge.part()).with("__resize"))
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
