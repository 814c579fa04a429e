//! Tours: their list in the panel, and the card of the present step over the canvas.

use super::super::intent::{Intent, Intents};
use super::super::model::{Model, Progress};
use super::{section, weak};
use crate::model::Shape;
use egui_macroquad::egui::{self, Align2, RichText, Ui};

/// Width of the card, points.
const CARD_WIDTH: f32 = 360.0;

pub(super) fn list(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    section(ui, "Tours", true, |ui| {
        for (index, tour) in model.tours.iter().enumerate() {
            let here = model.progress.is_some_and(|progress| progress.tour == index);
            if ui.selectable_label(here, &tour.name).clicked() {
                intents.push(Intent::Tour { tour: index, step: 0 });
            }
        }
    });
}

pub(super) fn card(ctx: &egui::Context, model: &Model, intents: &mut Intents) {
    let Some(Progress { tour, step }) = model.progress else { return };
    let Some(taken) = model.tours.get(tour) else { return };
    let Some(card) = taken.steps.get(step) else { return };
    let palette = model.view.palette();
    // At the bottom above the scale bar, since chains hang in the upper half of the picture; at the top under the heading if
    // bodies rest on ground in the lower half.
    let (id, pivot, corner) = if has_ground(model) {
        ("tour above ground", Align2::LEFT_TOP, model.canvas.left_top() + egui::vec2(14.0, 66.0))
    } else {
        ("tour", Align2::LEFT_BOTTOM, model.canvas.left_bottom() + egui::vec2(14.0, -56.0))
    };
    let frame = egui::Frame::window(&ctx.style()).inner_margin(12.0).shadow(egui::Shadow::NONE);
    egui::Window::new("tour")
        .id(egui::Id::new(id))
        .title_bar(false)
        .resizable(false)
        .frame(frame)
        .pivot(pivot)
        .default_pos(corner)
        .default_width(CARD_WIDTH)
        .show(ctx, |ui| {
            ui.set_max_width(CARD_WIDTH);
            ui.label(RichText::new(&taken.name).strong());
            ui.label(&card.text);
            ui.add_space(2.0);
            ui.horizontal(|ui| {
                if ui.add_enabled(step > 0, egui::Button::new("Back")).clicked() {
                    intents.push(Intent::Tour { tour, step: step.saturating_sub(1) });
                }
                let steps = taken.steps.len();
                let last = step + 1 == steps;
                if ui.button(if last { "Done" } else { "Next" }).clicked() {
                    // A step beyond the last one ends the tour.
                    intents.push(Intent::Tour { tour, step: step + 1 });
                }
                ui.label(weak(format!("{} of {steps}", step + 1), palette.weak));
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    if ui.button("Leave").clicked() {
                        intents.push(Intent::LeaveTour);
                    }
                });
            });
        });
}

/// Whether bodies rest on ground in the lower half of the picture; chains hang in the upper half.
pub(super) fn has_ground(model: &Model) -> bool {
    let shapes = model.run().world().bodies().iter().flat_map(|body| body.shapes());
    shapes.into_iter().any(|placed| matches!(placed.shape, Shape::HalfPlane { .. }))
}
