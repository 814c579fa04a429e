//! Tours: their list in the panel, and the present step in the bar above the canvas, where it lies over nothing.

use super::super::intent::{Intent, Intents};
use super::super::model::{Model, Progress};
use super::{section, weak};
use crate::app::model::tours::Tour;
use crate::app::text::prose::prose;
use egui_macroquad::egui::{self, Align, Color32, Context, FontId, Layout, RichText, Ui, UiBuilder, vec2};

/// Size of the text, points.
const TEXT: f32 = 13.0;
/// Width of the buttons beside the text, points.
const BUTTONS_WIDTH: f32 = 132.0;
/// Distance of text and buttons, points.
const GAP: f32 = 14.0;
/// Height of the two rows of buttons, points.
const BUTTONS_HEIGHT: f32 = 52.0;

pub(super) fn list(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    section(ui, "Tours", |ui| {
        for (index, tour) in model.tours.iter().enumerate() {
            let here = model.progress.is_some_and(|progress| progress.tour == index);
            if ui.selectable_label(here, &tour.name).clicked() {
                intents.push(Intent::Tour { tour: index, step: 0 });
            }
        }
    });
}

/// The step of a tour that is being taken.
pub(super) struct Present<'a> {
    tour: &'a Tour,
    progress: Progress,
}

impl Present<'_> {
    /// The tour's name.
    pub(super) fn name(&self) -> &str {
        &self.tour.name
    }
}

/// The step that is being taken, if any.
pub(super) fn present(model: &Model) -> Option<Present<'_>> {
    let progress = model.progress?;
    let tour = model.tours.get(progress.tour)?;
    (progress.step < tour.steps.len()).then_some(Present { tour, progress })
}

/// Height of the step in a bar of `width` points: that of the tour's longest step, so that nothing jumps between steps.
pub(super) fn height(ctx: &Context, step: &Present<'_>, width: f32) -> f32 {
    let room = width - BUTTONS_WIDTH - GAP;
    let font = FontId::proportional(TEXT);
    let height = |text: &str| {
        let text = prose(text);
        ctx.fonts(|fonts| fonts.layout(text, font.clone(), Color32::WHITE, room).size().y)
    };
    let steps = step.tour.steps.iter().map(|step| height(&step.text));
    steps.fold(BUTTONS_HEIGHT, f32::max)
}

pub(super) fn show(ui: &mut Ui, model: &Model, present: &Present<'_>, intents: &mut Intents) {
    let Present { tour: taken, progress: Progress { tour, step } } = *present;
    let whole = ui.max_rect();
    let (text, mut buttons) = whole.split_left_right_at_x(whole.right() - BUTTONS_WIDTH);
    let mut text = ui.new_child(UiBuilder::new().max_rect(text.with_max_x(text.right() - GAP)));
    text.label(RichText::new(prose(&taken.steps[step].text)).size(TEXT));
    buttons.max.y = buttons.min.y + BUTTONS_HEIGHT;
    let place = UiBuilder::new().max_rect(buttons).layout(Layout::top_down(Align::Max));
    let mut ui = ui.new_child(place);
    let steps = taken.steps.len();
    let size = vec2(0.5 * (BUTTONS_WIDTH - ui.spacing().item_spacing.x), 22.0);
    ui.allocate_ui_with_layout(vec2(BUTTONS_WIDTH, 22.0), Layout::left_to_right(Align::Center), |ui| {
        let back = egui::Button::new("Back").min_size(size);
        if ui.add_enabled(step > 0, back).clicked() {
            intents.push(Intent::Tour { tour, step: step.saturating_sub(1) });
        }
        let last = step + 1 == steps;
        let next = egui::Button::new(if last { "Done" } else { "Next" }).min_size(size);
        if ui.add(next.selected(true)).clicked() {
            // A step beyond the last one ends the tour.
            intents.push(Intent::Tour { tour, step: step + 1 });
        }
    });
    ui.allocate_ui_with_layout(vec2(BUTTONS_WIDTH, 22.0), Layout::left_to_right(Align::Center), |ui| {
        let count = weak(format!("{} of {steps}", step + 1), model.view.palette().weak);
        ui.add_sized(size, egui::Label::new(count)).on_hover_text(&taken.name);
        if ui.add(egui::Button::new("Leave").min_size(size)).clicked() {
            intents.push(Intent::LeaveTour);
        }
    });
}
