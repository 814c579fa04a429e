//! Rows of a parameter, described: a number that is dragged along or typed, a choice of words, a text.

use super::field::{Judged, Scale, VALUE_WIDTH, between, entry, row};
use crate::parameter::{Parameter, ParameterKind};
use crate::workbench::model::Model;
use crate::workbench::text::{format, number_parser};
use egui_macroquad::egui::{self, Key, RichText, Ui};
use std::hash::Hash;

/// Digits of a number that is shown.
const DIGITS: usize = 6;
/// Share of the scene's size, or of 1, below which a number is rounding.
const ROUNDING: f64 = 1e-14;

/// A text in its row.
pub(super) fn written(
    ui: &mut Ui,
    label: &str,
    hint: &str,
    key: impl Hash,
    present: &str,
) -> Option<String> {
    let mut typed = None;
    row(ui, label, hint, |ui| typed = text(ui, hint, key, present));
    typed
}

/// A text, in as many lines as it takes; Enter or leaving the field takes over what was typed, if it is another text.
pub(super) fn text(ui: &mut Ui, hint: &str, key: impl Hash, present: &str) -> Option<String> {
    let key = ui.id().with(key);
    let mut text = ui.data(|data| data.get_temp::<String>(key)).unwrap_or_else(|| present.to_owned());
    let edit = egui::TextEdit::multiline(&mut text).desired_rows(1).desired_width(f32::INFINITY);
    let field = ui.add(edit.return_key(None)).on_hover_text(hint);
    if field.has_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
        field.surrender_focus();
    }
    if field.lost_focus() {
        ui.data_mut(|data| data.remove::<String>(key));
        return Some(text.trim().to_owned()).filter(|text| text != present);
    }
    if field.has_focus() {
        ui.data_mut(|data| data.insert_temp(key, text));
    }
    None
}

/// A number in its row: dragged along or typed, or a choice of words.
pub(super) fn one(ui: &mut Ui, model: &Model, parameter: &Parameter, value: &mut f64) {
    line(ui, parameter, |ui, hint| match parameter.kind {
        ParameterKind::Choice(words) => {
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.spacing_mut().button_padding.x = 5.0;
            for (index, word) in words.iter().enumerate() {
                let text = RichText::new(*word).size(12.5);
                if ui.selectable_label(*value == index as f64, text).on_hover_text(hint).clicked() {
                    *value = index as f64;
                }
            }
        }
        _ => number(ui, model, parameter, value, hint),
    });
}

/// The row of a parameter: its name, and the control that is given what to say about it.
pub(super) fn line(ui: &mut Ui, parameter: &Parameter, add: impl FnOnce(&mut Ui, &str)) {
    let label = format::label(parameter);
    let unit = if parameter.unit.is_empty() { String::new() } else { format!(", {}", parameter.unit) };
    let hint = format!("{label}{unit}\n{}", parameter.meaning);
    row(ui, &label, &hint, |ui| add(ui, &hint));
}

pub(super) fn number(ui: &mut Ui, model: &Model, parameter: &Parameter, value: &mut f64, hint: &str) {
    let limits = [parameter.minimum, parameter.maximum];
    let (unit, whole) = (parameter.unit, parameter.kind == ParameterKind::Integer);
    // What is left by rounding is shown as nothing.
    let rounding = ROUNDING * model.run().extent().max(1.0);
    let write = |x: f64| format::parameter(parameter, if x.abs() < rounding { 0.0 } else { x }, DIGITS);
    let judge = |text: &str| match number_parser::number(text, unit)? {
        x if x < limits[0] || x > limits[1] => Err(format!("It can be {}.", between(limits, unit))),
        x if whole && x.fract() != 0.0 => Err("It has to be a whole number.".to_owned()),
        x => Ok(x),
    };
    // A number is dragged by shares of itself, or of what is usual here.
    let usual = if unit == "m" { 0.3 * model.run().extent() } else { 1.0 };
    let span = value.abs().max(usual);
    let scale = if whole { Scale::Integer } else { Scale::Linear };
    let own =
        Judged { range: [0.0, span], limits, scale, width: VALUE_WIDTH, write: &write, judge: &judge };
    entry(ui, &own, value, hint);
}
