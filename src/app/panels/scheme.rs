//! The list of all schemes, and the present one's equation, description and parameters.

use super::super::intent::{Intent, Intents};
use super::super::model::Model;
use super::super::simulation::Setting;
use super::super::theme::equation_font;
use super::{parameters, section, stability_map, weak};
use crate::stabilizer::TABLE;
use egui_macroquad::egui::text::{LayoutJob, TextFormat};
use egui_macroquad::egui::{self, Align, FontId, Layout, RichText, Ui};

/// How many of the table's schemes have a number key.
const NUMBERED: usize = 9;

pub(super) fn show(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    section(ui, "Stabilizer", true, |ui| {
        list(ui, model, intents);
        ui.add_space(2.0);
        present(ui, model);
        parameters::show(ui, model, intents);
        stability_map::show(ui, model, intents);
    });
}

fn list(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let present = model.run().scheme_index();
    let color = model.view.palette().weak;
    let text_color = ui.visuals().text_color();
    let small = FontId::proportional(11.0);
    let width = ui.fonts(|fonts| fonts.glyph_width(&small, '0') + fonts.glyph_width(&small, ' '));
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.spacing_mut().button_padding.y = 1.0;
        ui.spacing_mut().interact_size.y = 20.0;
        ui.with_layout(Layout::top_down_justified(Align::LEFT), |ui| {
            for (index, scheme) in TABLE.iter().enumerate() {
                let info = scheme.info();
                let mut row = LayoutJob::default();
                // Names of schemes without a digit key are aligned with the others.
                let indent = if index < NUMBERED {
                    let number = format!("{} ", index + 1);
                    row.append(&number, 0.0, TextFormat::simple(small.clone(), color));
                    4.0
                } else {
                    4.0 + width
                };
                row.append(info.name, indent, TextFormat::simple(FontId::proportional(13.0), text_color));
                let row = ui.selectable_label(index == present, row);
                if row.on_hover_text(info.summary).clicked() {
                    intents.push(Intent::Set(Setting::Scheme(index)));
                }
            }
        });
    });
}

fn present(ui: &mut Ui, model: &Model) {
    let info = model.run().method().stabilizer.info();
    let palette = model.view.palette();
    let frame = egui::Frame::NONE.fill(palette.background).corner_radius(4.0).inner_margin(8.0);
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        let equation = RichText::new(info.equation).font(equation_font()).color(palette.accent);
        ui.add(egui::Label::new(equation).wrap());
    });
    ui.label(RichText::new(info.summary).size(12.5));
    ui.label(weak(info.source, palette.weak));
}
