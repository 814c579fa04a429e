//! The numbers of what is selected, from the model's own descriptions; and those of the whole scene: gravity with a dial, the time step.

use super::super::intent::{Intent, Intents};
use super::super::model::Model;
use super::field::{Judged, Scale, VALUE_WIDTH, between, entry, row};
use super::{method, weak};
use crate::app::build::edit::Edit;
use crate::app::build::item::{self, Item};
use crate::app::build::{Make, snap};
use crate::app::text::{format, number_parser};
use crate::model::World;
use crate::model::properties::{BODY, JOINT, NONHOLONOMIC, Property, SPRING};
use crate::parameter::{Parameter, ParameterKind};
use crate::scene::DEFAULT_GRAVITY;
use egui_macroquad::egui::{self, RichText, Sense, Stroke, Ui, pos2, vec2};
use glam::DVec2;

/// Side of the dial of gravity, points.
const DIAL: f32 = 62.0;
/// Digits of a number that is shown.
const DIGITS: usize = 6;
/// Share of the scene's size, or of 1, below which a number is rounding.
const ROUNDING: f64 = 1e-14;
/// Magnitude of gravity, what is typed.
const GRAVITY: Parameter = Parameter {
    key: "gravity",
    name: "gravity",
    symbol: "g",
    unit: "m/s²",
    minimum: 0.0,
    maximum: f64::MAX,
    default: 9.81,
    kind: ParameterKind::Logarithmic,
    meaning: "How fast everything falls. The dial turns it.",
};

/// The numbers of the selection: of its first item, and set in all items of its kind.
pub(super) fn selection(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let world = model.run().world();
    let Some(first) = model.build.selection.first().copied() else { return };
    let alike = |item: &&Item| std::mem::discriminant(*item) == std::mem::discriminant(&first);
    let items: Vec<Item> = model.build.selection.iter().filter(alike).copied().collect();
    if let ([Item::Body(id)], Some(body)) = (items.as_slice(), first.body().and_then(|id| world.body(id))) {
        name(ui, *id, &body.name, intents);
    }
    for (parameter, value) in numbers(world, first) {
        let mut wanted = value;
        one(ui, model, &parameter, &mut wanted);
        if wanted != value {
            intents.push(Intent::Make(Make::Edit(Edit::Set(items.clone(), parameter, wanted))));
        }
    }
}

/// The numbers that an item has, described.
fn numbers(world: &World, item: Item) -> Vec<(Parameter, f64)> {
    fn of<T>(table: &[Property<T>], item: Option<&T>) -> Vec<(Parameter, f64)> {
        let value = |own: &Property<T>| Some((own.parameter, own.of(item?)?));
        table.iter().filter_map(value).collect()
    }
    match item {
        Item::Body(id) => of(&BODY, world.body(id)),
        Item::Joint(id) => of(&JOINT, world.joint(id)),
        Item::Spring(id) => of(&SPRING, item::spring(world, id)),
        Item::Velocity(id) => of(&NONHOLONOMIC, item::nonholonomic(world, id)),
    }
}

/// The name of a body, taken over when the field is left.
fn name(ui: &mut Ui, id: crate::model::BodyId, present: &str, intents: &mut Intents) {
    row(ui, "name", "The body's name in the scene file", |ui| {
        let key = ui.id().with(("name", id));
        let mut text = ui.data(|data| data.get_temp::<String>(key)).unwrap_or_else(|| present.to_owned());
        let field = ui.add(egui::TextEdit::singleline(&mut text).desired_width(f32::INFINITY));
        if field.lost_focus() {
            ui.data_mut(|data| data.remove::<String>(key));
            if !text.trim().is_empty() && text != present {
                intents.push(Intent::Make(Make::Edit(Edit::Rename(id, text.trim().to_owned()))));
            }
        } else if field.has_focus() {
            ui.data_mut(|data| data.insert_temp(key, text));
        }
    });
}

/// A number in its row: dragged along or typed, or a choice of words.
fn one(ui: &mut Ui, model: &Model, parameter: &Parameter, value: &mut f64) {
    let label = parameter.label();
    let unit = if parameter.unit.is_empty() { String::new() } else { format!(", {}", parameter.unit) };
    let hint = format!("{label}{unit}\n{}", parameter.meaning);
    row(ui, &label, &hint, |ui| match parameter.kind {
        ParameterKind::Choice(words) => {
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.spacing_mut().button_padding.x = 5.0;
            for (index, word) in words.iter().enumerate() {
                let text = RichText::new(*word).size(12.5);
                if ui.selectable_label(*value == index as f64, text).on_hover_text(&hint).clicked() {
                    *value = index as f64;
                }
            }
        }
        _ => number(ui, model, parameter, value, &hint),
    });
}

fn number(ui: &mut Ui, model: &Model, parameter: &Parameter, value: &mut f64, hint: &str) {
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

/// What belongs to the scene as a whole.
pub(super) fn scene(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let present = model.run().world().gravity();
    let mut wanted = present;
    ui.horizontal(|ui| {
        dial(ui, model, &mut wanted);
        ui.vertical(|ui| {
            let mut size = present.length();
            one(ui, model, &GRAVITY, &mut size);
            if size != present.length() {
                wanted = size * present.try_normalize().unwrap_or(-DVec2::Y);
            }
            ui.horizontal(|ui| {
                for (text, gravity) in [("off", DVec2::ZERO), ("Earth", DEFAULT_GRAVITY), ("Moon", MOON)] {
                    if ui.selectable_label(present == gravity, text).clicked() {
                        wanted = gravity;
                    }
                }
            });
        });
    });
    if wanted != present {
        intents.push(Intent::Make(Make::Edit(Edit::Gravity(wanted))));
    }
    method::step_slider(ui, model, intents);
    let scheme = model.edited().scheme_name();
    ui.label(weak(format!("stepped by: {scheme}  (tab Method)"), model.view.palette().weak));
}

/// Gravity on the Moon, m/s².
const MOON: DVec2 = DVec2::new(0.0, -1.62);

/// An arrow that shows and turns the direction of gravity.
fn dial(ui: &mut Ui, model: &Model, gravity: &mut DVec2) {
    let palette = model.view.palette();
    let (rect, response) = ui.allocate_exact_size(vec2(DIAL, DIAL), Sense::click_and_drag());
    response
        .widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Slider, true, "direction of gravity"));
    let (middle, radius) = (rect.center(), 0.5 * DIAL - 3.0);
    if let Some(at) = response.interact_pointer_pos() {
        let to = at - middle;
        let free = ui.input(|i| i.modifiers.alt);
        let step = if free { 0.0 } else { 1.0 };
        let angle = snap::Snap { grid: step, reach: 0.0 }.angle(f64::from(-to.y).atan2(f64::from(to.x)));
        // The screen's y points down; exact where it points along an axis.
        let along = DVec2::new(angle.cos(), angle.sin());
        let along = DVec2::select(along.abs().cmplt(DVec2::splat(1e-12)), DVec2::ZERO, along);
        let size = if gravity.length() > 0.0 { gravity.length() } else { DEFAULT_GRAVITY.length() };
        *gravity = size * along;
    }
    let painter = ui.painter();
    painter.circle(middle, radius, palette.background, Stroke::new(1.0, palette.axis));
    if let Some(along) = gravity.try_normalize() {
        let tip = (radius - 5.0) * vec2(along.x as f32, -along.y as f32);
        painter.arrow(middle - 0.4 * tip, 1.4 * tip, Stroke::new(2.0, palette.accent));
    } else {
        painter.circle_filled(pos2(middle.x, middle.y), 3.0, palette.weak);
    }
    response.on_hover_text(
        "Drag: the direction in which everything falls, in steps of 15°; freely with Alt held.",
    );
}
