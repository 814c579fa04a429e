//! Sliders for the parameters of a scheme or solver, built from their descriptions, in every equivalent form that the
//! literature uses (α, αh, γ, …).

use super::super::format;
use super::super::intent::{Intent, Intents};
use super::super::model::Model;
use super::super::simulation::Setting;
use super::weak;
use crate::parameter::{Parameter, ParameterKind, Values};
use egui_macroquad::egui::{
    self, Align, Layout, Response, RichText, Slider, SliderClamping, Ui, UiBuilder, vec2,
};

/// Width of the names before the controls, points.
const NAME_WIDTH: f32 = 72.0;
/// Width of value and unit behind a slider, points.
pub(super) const VALUE_WIDTH: f32 = 88.0;
/// Relative change of a number per point that it is dragged.
const DRAG: f64 = 0.01;
/// A logarithmic slider without an upper limit ends this far above its default, or above 1.
const OPEN_END: f64 = 1e4;
/// A logarithmic slider from zero shows this many decades below its end.
const DECADES: f64 = 1e-7;

/// Words in a remark that mark it as a warning.
const ALARMING: [&str; 3] = ["unstable", "overshoots", "stability limit"];

pub(super) fn show(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let h = model.run().time_step();
    let palette = model.view.palette();
    let mut stabilizer = model.run().method().stabilizer.clone();
    sliders(ui, &mut stabilizer.values);
    for language in stabilizer.info().languages {
        if language.parameters.len() > 1 {
            ui.label(weak(language.name, palette.weak));
        }
        let mut numbers = (language.from_native)(stabilizer.values.numbers(), h);
        let mut changed = false;
        for (parameter, number) in language.parameters.iter().zip(&mut numbers) {
            changed |= slider(ui, parameter, number);
        }
        if changed {
            let native = (language.to_native)(&numbers, h);
            set_all(&mut stabilizer.values, &native);
        }
    }
    if let Some(remark) = stabilizer.remark(h) {
        ui.add_space(2.0);
        let alarming = ALARMING.iter().any(|word| remark.contains(word));
        let color = if alarming { palette.bodies[2] } else { palette.weak };
        ui.label(RichText::new(remark).size(12.5).color(color));
    }
    if stabilizer != model.run().method().stabilizer {
        intents.push(Intent::Set(Setting::Stabilizer(stabilizer)));
    }
}

/// A slider for each value; returns whether one was moved.
pub(super) fn sliders(ui: &mut Ui, values: &mut Values) -> bool {
    let mut moved = false;
    let present: Vec<_> = values.iter().collect();
    for (parameter, mut value) in present {
        if slider(ui, parameter, &mut value) {
            moved = true;
            // A number out of range is refused; the slider then shows the old one again.
            let _refused = values.set(parameter.key, value);
        }
    }
    moved
}

/// Sets all values in order, each moved into its range.
fn set_all(values: &mut Values, numbers: &[f64]) {
    for (parameter, number) in values.parameters().iter().zip(numbers) {
        if number.is_finite() {
            let _refused = values.set(parameter.key, number.clamp(parameter.minimum, parameter.maximum));
        }
    }
}

/// One slider, or a choice of words; returns whether it was moved.
fn slider(ui: &mut Ui, parameter: &Parameter, value: &mut f64) -> bool {
    let hint = format!("{} ({}): {}", parameter.symbol, parameter.key, parameter.meaning);
    row(ui, parameter.symbol, &hint, |ui| match parameter.kind {
        ParameterKind::Choice(words) => choice(ui, parameter, words, value).on_hover_text(&hint),
        _ => control(ui, numbers(parameter), value, &hint),
    })
    .changed()
}

/// A name in a column of its own, and the control behind it.
pub(super) fn row<R>(ui: &mut Ui, name: &str, hint: &str, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(NAME_WIDTH, 20.0), egui::Sense::hover());
        let place = UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center));
        let label = egui::Label::new(name).truncate().selectable(false);
        ui.new_child(place).add(label).on_hover_text(hint);
        add(ui)
    })
    .inner
}

/// Writes a number with its unit.
pub(super) type Write<'a> = dyn Fn(f64) -> String + 'a;
/// Reads a number with or without its unit.
pub(super) type Read<'a> = dyn Fn(&str) -> Option<f64> + 'a;

/// What a slider shows and accepts.
pub(super) struct Numbers<'a> {
    /// Smallest and largest number.
    pub(super) range: [f64; 2],
    /// Whether the slider is logarithmic, or steps through whole numbers.
    pub(super) scale: Scale,
    /// Width of the written number, points.
    pub(super) width: f32,
    /// How a number is written.
    pub(super) write: Box<Write<'a>>,
    /// How a number is read.
    pub(super) read: Box<Read<'a>>,
}

/// How a slider divides its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// Equal lengths for equal factors.
    Logarithmic,
    /// Equal lengths for equal differences.
    Linear,
    /// Whole numbers only.
    Integer,
}

/// A slider with its number behind it, the numbers of all sliders under each other.
pub(super) fn control(ui: &mut Ui, numbers: Numbers<'_>, value: &mut f64, hint: &str) -> Response {
    let Numbers { range: [low, high], scale, width, write, read } = numbers;
    ui.spacing_mut().slider_width = (ui.available_width() - width - ui.spacing().item_spacing.x).max(40.0);
    let mut slider = Slider::new(value, low..=high).show_value(false).clamping(SliderClamping::Edits);
    slider = match scale {
        Scale::Logarithmic => {
            slider.logarithmic(true).smallest_positive(if low > 0.0 { low } else { high * DECADES })
        }
        Scale::Linear => slider,
        Scale::Integer => slider.integer(),
    };
    let moved = ui.add(slider).on_hover_text(hint);
    let speed = match scale {
        Scale::Logarithmic => DRAG * value.abs(),
        Scale::Linear => DRAG * (high - low),
        Scale::Integer => 4.0 * DRAG,
    };
    let number = egui::DragValue::new(value)
        .range(low..=high)
        .clamp_existing_to_range(false)
        .speed(speed)
        .custom_formatter(|x, _| write(x))
        .custom_parser(|text| read(text));
    let typed = ui.add_sized([ui.available_width(), 20.0], number).on_hover_text(hint);
    moved.union(typed)
}

fn numbers(parameter: &Parameter) -> Numbers<'static> {
    let high = if parameter.maximum.is_finite() {
        parameter.maximum
    } else {
        OPEN_END * parameter.default.max(1.0)
    };
    let (unit, whole) = (parameter.unit, parameter.kind == ParameterKind::Integer);
    Numbers {
        range: [parameter.minimum, high],
        width: VALUE_WIDTH,
        scale: match parameter.kind {
            ParameterKind::Logarithmic | ParameterKind::Bound => Scale::Logarithmic,
            ParameterKind::Integer => Scale::Integer,
            ParameterKind::Linear | ParameterKind::Choice(_) => Scale::Linear,
        },
        write: Box::new(move |x| {
            with_unit(if whole { format!("{x:.0}") } else { format::significant(x, 4) }, unit)
        }),
        read: Box::new(move |text| text.trim().trim_end_matches(unit).trim().parse().ok()),
    }
}

fn with_unit(number: String, unit: &str) -> String {
    if unit.is_empty() { number } else { format!("{number} {unit}") }
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
