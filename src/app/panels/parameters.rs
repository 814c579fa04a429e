//! The parameters of a scheme or solver, built from their descriptions, in one of the languages that the literature
//! uses: a tab for each, and its sliders beneath.

use super::field::{Judged, between, judged};
pub(super) use super::field::{Numbers, Scale, VALUE_WIDTH, control, row};
use super::{tour, weak};
use crate::app::theme::Coloured;
use crate::method::{Language, SchemeInfo};
use crate::parameter::{Parameter, ParameterKind, Values};
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::runs::live_run::Setting;
use crate::workbench::runs::sag_and_creep::sag_and_creep;
use crate::workbench::text::format;
use crate::workbench::text::number_parser;
use crate::workbench::text::parametrizations::{own_name, translated};
use egui_macroquad::egui::{self, Label, RichText, Ui};

/// A logarithmic slider without an upper limit ends this far above its default, or above 1.
const OPEN_END: f64 = 1e4;
/// Relative amount by which a translated number may pass a limit: rounding.
const ROUNDING: f64 = 1e-9;
/// Says why a typed number is not possible, if it is not.
type Accept<'a> = dyn Fn(f64) -> Result<(), String> + 'a;
/// What is said about a scheme's own numbers.
const OWN: &str = "As written in the equation.";

pub(super) fn show(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let h = model.edited().time_step();
    let present = &model.edited().method().stabilizer;
    let (info, mut stabilizer) = (present.info(), present.clone());
    let language = model.shown.languages.of(info);
    tabs(ui, info, language, intents);
    let top = ui.cursor().top();
    if let Some(language) = language {
        spoken(ui, &mut stabilizer.values, language, h);
    }
    let spoken = language.map_or(0, |_| translated(info));
    for (parameter, mut value) in present.values.iter().skip(spoken) {
        if slider(ui, parameter, reach(parameter), &any, &mut value) {
            // A number out of range is refused; the slider then shows the old one again.
            let _refused = stabilizer.values.set(parameter.key, value);
        }
    }
    tour::mark_in(ui, model, ["parameters", ""], ui.min_rect().with_min_y(top));
    about(ui, info, language, model.view.palette().weak);
    let run = model.edited();
    if let Some(text) = sag_and_creep(run.method(), h, run.world(), run.report()) {
        ui.add(Label::new(weak(text, model.view.palette().weak)).wrap());
    }
    if stabilizer != *present {
        intents.push(Intent::Set(Setting::Stabilizer(stabilizer)));
    }
}

/// A tab for each language, the scheme's own first.
fn tabs(ui: &mut Ui, info: &SchemeInfo, present: Option<&Language>, intents: &mut Intents) {
    if info.languages.is_empty() {
        return;
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.spacing_mut().button_padding.x = 6.0;
        let own = own_name(info);
        let names = std::iter::once((own.as_str(), OWN));
        let names = names.chain(info.languages.iter().map(|language| (language.name, language.meaning)));
        for (index, (name, meaning)) in names.enumerate() {
            let chosen = present.map_or(index == 0, |language| language.name == name);
            let tab = ui.selectable_label(chosen, RichText::new(name).size(12.0));
            if tab.on_hover_text(meaning).clicked() {
                intents.push(Intent::Language(name.to_owned()));
            }
        }
    });
}

/// Whose language it is and what it means.
fn about(ui: &mut Ui, info: &SchemeInfo, present: Option<&Language>, color: egui::Color32) {
    if info.languages.is_empty() {
        return;
    }
    let text = present.map_or(OWN, |language| language.meaning);
    ui.add(Label::new(weak(text, color)).wrap());
}

/// The sliders of a language.
fn spoken(ui: &mut Ui, values: &mut Values, language: &Language, h: f64) {
    let mut numbers = (language.from_native)(values.numbers(), h);
    let mut changed = false;
    for (i, parameter) in language.parameters.iter().enumerate() {
        let others = numbers.clone();
        let accept = |typed: f64| {
            let mut wanted = others.clone();
            wanted[i] = typed;
            possible(values.parameters(), &(language.to_native)(&wanted, h))
        };
        let limits = reach_in(language, parameter, values.parameters(), h);
        changed |= slider(ui, parameter, limits, &accept, &mut numbers[i]);
    }
    if changed {
        let native = (language.to_native)(&numbers, h);
        set_all(values, &native);
    }
}

/// Whether a scheme can have these numbers of its own; if not, which is out of reach.
fn possible(parameters: &[Parameter], numbers: &[f64]) -> Result<(), String> {
    let out = |(own, number): &(&Parameter, &f64)| {
        let slack = ROUNDING * number.abs();
        !(own.minimum - slack..=own.maximum + slack).contains(*number)
    };
    parameters.iter().zip(numbers).find(out).map_or(Ok(()), |(own, number)| {
        let (label, limits) = (format::label(own), between(reach(own), own.unit));
        Err(format!("The {label} would be {}; it can be {limits}.", format::significant(*number, 3)))
    })
}

/// Every number is possible that its own range allows.
fn any(_: f64) -> Result<(), String> {
    Ok(())
}

/// A slider for each value; returns whether one was moved.
pub(super) fn sliders(ui: &mut Ui, values: &mut Values) -> bool {
    let mut moved = false;
    let present: Vec<_> = values.iter().collect();
    for (parameter, mut value) in present {
        if slider(ui, parameter, reach(parameter), &any, &mut value) {
            moved = true;
            // A number out of range is refused; the slider then shows the old one again.
            let _refused = values.set(parameter.key, value);
        }
    }
    moved
}

/// The slider of one parameter in the scheme's own numbers; returns whether it was moved.
pub(super) fn alone(ui: &mut Ui, parameter: &Parameter, value: &mut f64) -> bool {
    slider(ui, parameter, reach(parameter), &any, value)
}

/// Sets all values in order, each moved into its range.
fn set_all(values: &mut Values, numbers: &[f64]) {
    for (parameter, number) in values.parameters().iter().zip(numbers) {
        if number.is_finite() {
            let _refused = values.set(parameter.key, number.clamp(parameter.minimum, parameter.maximum));
        }
    }
}

/// The smallest and largest number that a parameter accepts.
fn reach(parameter: &Parameter) -> [f64; 2] {
    [parameter.minimum, parameter.maximum]
}

/// The range of a parameter in another parametrization. If that parametrization has a single number, the range is the
/// scheme's own, converted at this time step, so that a slider ends where the scheme does.
fn reach_in(language: &Language, parameter: &Parameter, native: &[Parameter], h: f64) -> [f64; 2] {
    let [low, high] = reach(parameter);
    let (1, Some(own)) = (language.parameters.len(), native.first()) else { return [low, high] };
    let end = |value: f64| (language.from_native)(&[value], h)[0];
    let ends = [end(own.minimum), end(own.maximum)];
    [low.max(ends[0].min(ends[1])), high.min(ends[0].max(ends[1]))]
}

/// One slider, or a choice of words; returns whether it was moved.
fn slider(
    ui: &mut Ui,
    parameter: &Parameter,
    limits: [f64; 2],
    accept: &Accept<'_>,
    value: &mut f64,
) -> bool {
    let label = format::label(parameter);
    let unit = if parameter.unit.is_empty() { String::new() } else { format!(", in {}", parameter.unit) };
    let hint = format!("{label}{unit}\n{}", parameter.meaning);
    row(ui, &label, &hint, |ui| match parameter.kind {
        ParameterKind::Choice(words) => choice(ui, parameter, words, value).on_hover_text(&hint),
        _ => number(ui, parameter, limits, accept, value, &hint),
    })
    .changed()
}

fn number(
    ui: &mut Ui,
    parameter: &Parameter,
    limits: [f64; 2],
    accept: &Accept<'_>,
    value: &mut f64,
    hint: &str,
) -> egui::Response {
    let [low, high] = limits;
    let high = if high.is_finite() { high } else { OPEN_END * parameter.default.max(1.0) };
    let (unit, whole) = (parameter.unit, parameter.kind == ParameterKind::Integer);
    let write = |x: f64| format::parameter(parameter, x, 4);
    let judge = |text: &str| match number_parser::number(text, unit)? {
        x if x < limits[0] || x > limits[1] => Err(format!("It can be {}.", between(limits, unit))),
        x if whole && x.fract() != 0.0 => Err("It has to be a whole number.".to_owned()),
        x => accept(x).map(|()| x),
    };
    let scale = match parameter.kind {
        ParameterKind::Logarithmic | ParameterKind::Bound => Scale::Logarithmic,
        ParameterKind::Integer => Scale::Integer,
        ParameterKind::Linear | ParameterKind::Choice(_) => Scale::Linear,
    };
    let own =
        Judged { range: [low, high], limits, scale, width: VALUE_WIDTH, write: &write, judge: &judge };
    judged(ui, own, value, hint)
}

fn choice(ui: &mut Ui, parameter: &Parameter, words: &[&'static str], value: &mut f64) -> egui::Response {
    let mut index = *value as usize;
    let combo = egui::ComboBox::from_id_salt(parameter.key)
        .selected_text(words.get(index).copied().unwrap_or_default());
    let mut response =
        combo.show_index(ui, &mut index, words.len(), |i| words.get(i).copied().unwrap_or_default());
    if index as f64 != *value {
        *value = index as f64;
        response.mark_changed();
    }
    response
}
