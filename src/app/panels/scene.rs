//! The scene: its name, source and what to observe, and the list of the others.

use super::super::commands::Command;
use super::super::intent::{Intent, Intents};
use super::super::model::Model;
use super::weak;
use egui_macroquad::egui::{self, Align, Layout, RichText, Ui};

/// Height of the first row, points.
const ROW_HEIGHT: f32 = 26.0;
/// Width of the list of scenes, points.
const LIST_WIDTH: f32 = 420.0;
/// Height of the list of scenes, points.
const LIST_HEIGHT: f32 = 420.0;

pub(super) fn show(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    ui.add_space(2.0);
    let size = egui::vec2(ui.available_width(), ROW_HEIGHT);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        for (text, command, hint) in [
            ("Save", Command::Save, "Save the current state as a scene  (Ctrl+S)"),
            ("Open", Command::Open, "Open a scene file  (Ctrl+O, or drop it on the window)"),
        ] {
            if ui.button(text).on_hover_text(hint).clicked() {
                intents.push(Intent::Command(command));
            }
        }
        let name = RichText::new(&model.run().scene.name).strong();
        let combo = egui::ComboBox::from_id_salt("scenes")
            .width(ui.available_width())
            .height(LIST_HEIGHT)
            .selected_text(name)
            .truncate()
            .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
            .show_ui(ui, |ui| browse(ui, model, intents));
        combo.response.on_hover_text("Choose a scene  ( [ and ] )");
    });
    let color = model.view.palette().weak;
    let scene = &model.run().scene;
    if let Some(source) = &scene.source {
        ui.label(weak(source, color));
    }
    if let Some(observe) = scene.observe.as_ref().or(scene.description.as_ref()) {
        ui.label(RichText::new(observe).size(12.5));
    }
    ui.add_space(2.0);
}

fn browse(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let mut words = model.shelf.search.clone();
    let search = egui::TextEdit::singleline(&mut words).hint_text("search");
    let search = ui.add(search.desired_width(LIST_WIDTH));
    if search.changed() {
        intents.push(Intent::Search(words));
    }
    if ui.memory(|memory| memory.focused().is_none()) {
        search.request_focus();
    }
    ui.set_max_width(LIST_WIDTH);
    let color = model.view.palette().weak;
    for listed in model.shelf.found() {
        let mut text = egui::text::LayoutJob::default();
        let font = |size| egui::FontId::proportional(size);
        let line = |size, color| egui::TextFormat { font_id: font(size), color, ..Default::default() };
        text.append(&listed.name, 0.0, line(13.0, ui.visuals().text_color()));
        if !listed.description.is_empty() {
            text.append(&format!("\n{}", listed.description), 0.0, line(11.0, color));
        }
        let here = listed.key == model.title;
        if ui.selectable_label(here, text).clicked() {
            intents.push(Intent::OpenShipped(listed.key));
            ui.memory_mut(|memory| memory.close_popup());
        }
    }
}
