//! Tours: their list in the panel, and the card of the present step over the canvas.

use super::super::model::{Model, Progress};
use super::{section, weak};
use crate::model::Shape;
use egui_macroquad::egui::{self, Align2, RichText, Ui};

/// Width of the card, points.
const CARD_WIDTH: f32 = 360.0;

pub(super) fn list(ui: &mut Ui, model: &mut Model) {
    section(ui, "Tours", true, |ui| {
        let names: Vec<_> = model.tours.iter().map(|tour| tour.name.clone()).collect();
        for (index, name) in names.into_iter().enumerate() {
            let here = model.progress.is_some_and(|progress| progress.tour == index);
            if ui.selectable_label(here, name).clicked() {
                model.take_tour(index, 0);
            }
        }
    });
}

pub(super) fn card(ctx: &egui::Context, model: &mut Model) {
    let Some(Progress { tour, step }) = model.progress else { return };
    let Some((name, text, steps)) = model
        .tours
        .get(tour)
        .and_then(|tour| Some((tour.name.clone(), tour.steps.get(step)?.text.clone(), tour.steps.len())))
    else {
        model.progress = None;
        return;
    };
    let palette = model.view.palette();
    // Above the scale bar, as chains hang from the upper half of the picture; under the heading where bodies rest on
    // the ground of the lower half.
    let (id, pivot, corner) = match has_ground(model) {
        true => ("tour above ground", Align2::LEFT_TOP, model.canvas.left_top() + egui::vec2(14.0, 66.0)),
        false => ("tour", Align2::LEFT_BOTTOM, model.canvas.left_bottom() + egui::vec2(14.0, -56.0)),
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
            ui.label(RichText::new(name).strong());
            ui.label(text);
            ui.add_space(2.0);
            ui.horizontal(|ui| {
                if ui.add_enabled(step > 0, egui::Button::new("Back")).clicked() {
                    model.take_tour(tour, step.saturating_sub(1));
                }
                let last = step + 1 == steps;
                if ui.button(if last { "Done" } else { "Next" }).clicked() {
                    // A step beyond the last one ends the tour.
                    model.take_tour(tour, step + 1);
                }
                ui.label(weak(format!("{} of {steps}", step + 1), palette.weak));
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    if ui.button("Leave").clicked() {
                        model.progress = None;
                    }
                });
            });
        });
}

fn has_ground(model: &Model) -> bool {
    let shapes = model.simulation.world.bodies().iter().flat_map(|body| body.shapes());
    shapes.into_iter().any(|placed| matches!(placed.shape, Shape::HalfPlane { .. }))
}
