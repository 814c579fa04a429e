//! The panel at the right, or in a narrow window under the picture: the contents of a tab, and the tabs at its foot.

use super::{
    build, contact, figures, fixed, is_dragged, method, scheme, stability_map, stability_words, tools,
    tour, view,
};
use crate::app::theme::Coloured;
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::view_state::edge::Edge;
use crate::workbench::view_state::side_tab::SideTab;
use egui_macroquad::egui::{self, Margin, RichText, SelectableLabel, Ui, vec2};

/// Width of the panel at the start, points.
const WIDTH: f32 = 348.0;
/// Least width, points: two columns of chips with names.
const LEAST_WIDTH: f32 = 340.0;
/// Largest width, points.
const LARGEST_WIDTH: f32 = 640.0;
/// Share of the window's width that the panel leaves to the canvas.
const CANVAS_SHARE: f32 = 0.45;
/// Share of the height that it takes where it stands under the picture.
const BELOW_SHARE: f32 = 0.45;
/// Height of a tab, points.
const TAB_HEIGHT: f32 = 26.0;

pub(super) fn show(ctx: &egui::Context, model: &Model, intents: &mut Intents) {
    let most = ((1.0 - CANVAS_SHARE) * ctx.screen_rect().width()).clamp(LEAST_WIDTH, LARGEST_WIDTH);
    let width = model.layout.sizes[Edge::Panel as usize].map_or(WIDTH, f32::from);
    let panel = egui::SidePanel::right(Edge::Panel.part()).default_width(width);
    let panel = panel.width_range(LEAST_WIDTH..=most).frame(frame(ctx));
    let shown = panel.show(ctx, |ui| contents(ui, model, intents));
    if is_dragged(ctx, Edge::Panel) {
        intents.push(Intent::Resize(Edge::Panel, shown.response.rect.width()));
    }
}

/// The panel under the picture, where a window is too narrow for both beside each other.
pub(super) fn show_below(ctx: &egui::Context, model: &Model, intents: &mut Intents) {
    egui::TopBottomPanel::bottom("panel below")
        .resizable(false)
        .exact_height(BELOW_SHARE * ctx.screen_rect().height())
        .frame(frame(ctx))
        .show(ctx, |ui| contents(ui, model, intents));
}

fn frame(ctx: &egui::Context) -> egui::Frame {
    egui::Frame::side_top_panel(&ctx.style()).inner_margin(Margin::symmetric(12, 8))
}

fn contents(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    tabs(ui, model, intents);
    let side = stability_map::side_at_foot(ui.available_height() - stability_words::HEIGHT);
    if model.layout.side == SideTab::Method {
        foot(ui, side, model, intents);
    }
    let height = ui.available_height();
    // Each tab scrolls on its own.
    fixed::column(ui, model.layout.side.title(), |ui| match model.layout.side {
        SideTab::Method => {
            scheme::show(ui, height, model, intents);
            if side.is_none() {
                stability_map::in_column(ui, model, intents);
                stability_words::linearised(ui, model);
            }
            figures::show(ui, model.edited(), model.view.palette());
        }
        SideTab::Build => build::show(ui, model, intents),
        SideTab::Look => view::show(ui, model, intents),
        SideTab::Workings => {
            method::show(ui, model, intents);
            contact::show(ui, model, intents);
            tools::show(ui, model, intents);
            tour::list(ui, model, intents);
        }
    });
}

/// The stability map, where the panel has room for it, and the verdict beneath the column, so that both are seen while
/// the sliders are moved.
fn foot(ui: &mut Ui, side: Option<f32>, model: &Model, intents: &mut Intents) {
    let frame = egui::Frame::NONE.inner_margin(Margin { top: 8, ..Margin::ZERO });
    egui::TopBottomPanel::bottom("stability").frame(frame).show_inside(ui, |ui| {
        if let Some(side) = side {
            stability_map::show(ui, side, model, intents);
        }
        stability_words::show(ui, side.is_some(), model);
    });
}

/// The tabs, of equal width.
fn tabs(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let frame = egui::Frame::NONE.inner_margin(Margin { top: 6, ..Margin::ZERO });
    egui::TopBottomPanel::bottom("side tabs").frame(frame).show_inside(ui, |ui| {
        ui.horizontal(|ui| {
            let gaps = (SideTab::ALL.len() - 1) as f32 * ui.spacing().item_spacing.x;
            let width = (ui.available_width() - gaps) / SideTab::ALL.len() as f32;
            for tab in SideTab::ALL {
                let label =
                    SelectableLabel::new(model.layout.side == tab, RichText::new(tab.title()).strong());
                let label = ui.add_sized(vec2(width, TAB_HEIGHT), label).on_hover_text(tab.hint());
                if label.clicked() {
                    intents.push(Intent::Side(tab));
                }
            }
        });
    });
}
