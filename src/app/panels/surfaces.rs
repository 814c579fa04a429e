//! What surfaces are made of: the materials of the scene, pairs of them and the rules by which two are combined; the material
//! of the selected body, and what each of its shapes has of its own.

use super::rows::{line, number, one, written};
use super::weak;
use crate::app::theme::Coloured;
use crate::model::{Body, BodyId, Filter, Materials, Mix, Placement, Surface};
use crate::parameter::{Parameter, ParameterKind};
use crate::workbench::editor::EditorIntent;
use crate::workbench::editor::edit::Edit;
use crate::workbench::editor::materials::{free_pair, pair_of, surface_of, with_another, without};
use crate::workbench::editor::properties::{STATED, Stated, is_of_pair};
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::text::format;
use egui_macroquad::egui::{self, Ui};

/// What stands where no material is named.
const NONE: &str = "no material";
/// Names of the rules of combination, in the order of [`Mix::ALL`].
const RULES: &[&str] = &["mean", "geometric", "min", "max", "product"];

const fn rule(key: &'static str, name: &'static str) -> Parameter {
    Parameter {
        key,
        name,
        symbol: "",
        unit: "",
        minimum: 0.0,
        maximum: (RULES.len() - 1) as f64,
        default: 0.0,
        kind: ParameterKind::Choice(RULES),
        meaning: "How the value of a pair follows from those of its two surfaces, where no pair of materials states it.",
    }
}

/// A bit mask of a shape's filter.
const fn bits(key: &'static str, name: &'static str, meaning: &'static str) -> Parameter {
    Parameter {
        key,
        name,
        symbol: "",
        unit: "",
        minimum: 0.0,
        maximum: u32::MAX as f64,
        default: 0.0,
        kind: ParameterKind::Integer,
        meaning,
    }
}

const CATEGORIES: Parameter =
    bits("categories", "categories", "The sum of 1, 2, 4, 8, … of its categories.");
const MASK: Parameter = bits("mask", "mask", "The sum of 1, 2, 4, … of the categories that it touches.");
const GROUP: Parameter = Parameter {
    minimum: i32::MIN as f64,
    maximum: i32::MAX as f64,
    ..bits(
        "group",
        "group",
        "Shapes of the same negative group never touch, those of a positive one always do.",
    )
};

/// A number that may be stated: a box to tick, and the number, or what holds in its place.
fn stated(ui: &mut Ui, model: &Model, own: &Stated, surface: &mut Surface, instead: Option<f64>) {
    let label = format::label(&own.parameter);
    let present = own.of(surface);
    let mut on = present.is_some();
    line(ui, &own.parameter, |ui, hint| {
        let tick = ui.checkbox(&mut on, "").on_hover_text("Whether it has a value of its own");
        tick.widget_info(|| {
            egui::WidgetInfo::selected(egui::WidgetType::Checkbox, true, on, format!("own {label}"))
        });
        match present {
            Some(mut value) => {
                number(ui, model, &own.parameter, &mut value, hint);
                *(own.place)(surface) = Some(value);
            }
            None => {
                let text = instead
                    .map_or_else(|| "–".to_owned(), |value| format::parameter(&own.parameter, value, 4));
                ui.label(weak(text, model.view.palette().weak));
            }
        }
    });
    if on != present.is_some() {
        *(own.place)(surface) = on.then(|| instead.unwrap_or(own.parameter.default));
    }
}

/// A material of the scene, or none, by its name.
fn choice(ui: &mut Ui, materials: &Materials, label: &str, place: &mut Option<u32>, needed: bool) {
    let name = |place: Option<u32>| {
        place.and_then(|place| materials.list.get(place as usize)).map_or(NONE, |own| own.name.as_str())
    };
    let list = egui::ComboBox::from_id_salt(label).selected_text(name(*place));
    let shown = list.show_ui(ui, |ui| {
        if !needed {
            ui.selectable_value(place, None, NONE);
        }
        for index in 0..materials.list.len() as u32 {
            ui.selectable_value(place, Some(index), name(Some(index)));
        }
    });
    shown.response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::ComboBox, true, label));
}

/// The materials of the scene, pairs of them, and how surfaces are combined.
pub(super) fn materials(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let present = model.run().world().materials();
    let (mut wanted, mut removed) = (present.clone(), None);
    let title = format!("Materials ({})", present.list.len());
    egui::CollapsingHeader::new(title).id_salt("materials").show(ui, |ui| {
        for (place, own) in wanted.list.iter_mut().enumerate() {
            egui::CollapsingHeader::new(&own.name).id_salt(("material", place)).show(ui, |ui| {
                let typed =
                    written(ui, "name", "Bodies and shapes name their material by it", "name", &own.name);
                let free = |name: &str| !present.list.iter().any(|other| other.name == name);
                if let Some(name) = typed.filter(|name| !name.is_empty() && free(name)) {
                    own.name = name;
                }
                for quantity in &STATED {
                    stated(ui, model, quantity, &mut own.surface, None);
                }
                if ui.button("Remove this material").clicked() {
                    removed = Some(place as u32);
                }
            });
        }
        if ui.button("Add a material").clicked() {
            wanted = with_another(&wanted);
        }
        let mut gone = None;
        for (index, pair) in wanted.pairs.iter_mut().enumerate() {
            let [a, b] =
                pair.materials.map(|own| present.list.get(own as usize).map_or("", |own| &own.name));
            let title = format!("{a} – {b}");
            egui::CollapsingHeader::new(title).id_salt(("pair", index)).show(ui, |ui| {
                ui.horizontal(|ui| {
                    for (end, own) in pair.materials.iter_mut().enumerate() {
                        let mut place = Some(*own);
                        choice(ui, present, ["first material", "second material"][end], &mut place, true);
                        *own = place.unwrap_or(*own);
                    }
                });
                let mut surface = surface_of(pair);
                for quantity in STATED.iter().filter(|own| is_of_pair(own)) {
                    stated(ui, model, quantity, &mut surface, None);
                }
                *pair = pair_of(pair.materials, &surface);
                if ui.button("Remove this pair").clicked() {
                    gone = Some(index);
                }
            });
        }
        if let Some(index) = gone {
            wanted.pairs.remove(index);
        }
        let free = free_pair(&wanted);
        let hint = "Two materials that have values together, in place of what their combination gives";
        let add = ui.add_enabled(free.is_some(), egui::Button::new("Add a pair")).on_hover_text(hint);
        if let Some(pair) = free.filter(|_| add.clicked()) {
            wanted.pairs.push(pair_of(pair, &Surface::default()));
        }
        ui.label(weak("Rules of combination", model.view.palette().weak));
        for (parameter, own) in [
            (rule("friction_rule", "friction"), &mut wanted.friction),
            (rule("restitution_rule", "restitution"), &mut wanted.restitution),
        ] {
            let place = Mix::ALL.iter().position(|(_, rule)| rule == own).unwrap_or(0) as f64;
            let mut value = place;
            one(ui, model, &parameter, &mut value);
            if value != place {
                *own = Mix::ALL[value as usize].1;
            }
        }
    });
    if let Some(place) = removed {
        wanted = without(present, place);
    }
    if wanted != *present {
        intents.push(Intent::Editor(EditorIntent::Edit(Edit::Materials(Box::new(wanted), removed))));
    }
}

/// The material of a body, and what each of its shapes has of its own.
pub(super) fn of_body(ui: &mut Ui, model: &Model, id: BodyId, body: &Body, intents: &mut Intents) {
    let materials = model.run().world().materials();
    let mut push = |edit| intents.push(Intent::Editor(EditorIntent::Edit(edit)));
    if !materials.list.is_empty() {
        let mut place = body.material;
        super::field::row(ui, "material", "The body takes all values that its material states", |ui| {
            choice(ui, materials, "material", &mut place, false);
        });
        if place != body.material {
            push(Edit::MadeOf(id, None, place));
        }
    }
    for (index, placed) in body.shapes().iter().enumerate() {
        let title = format!("shape {}: {}", index + 1, placed.shape.key().replace('_', " "));
        egui::CollapsingHeader::new(title).id_salt(("shape", id, index)).show(ui, |ui| {
            if !materials.list.is_empty() {
                let mut place = placed.surface.material;
                super::field::row(
                    ui,
                    "material",
                    "The shape takes all values that its material states",
                    |ui| {
                        choice(ui, materials, "material of the shape", &mut place, false);
                    },
                );
                if place != placed.surface.material {
                    push(Edit::MadeOf(id, Some(index), place));
                }
            }
            let surface = of_shape(ui, model, body, placed);
            if surface != placed.surface {
                push(Edit::Surface(id, index, surface));
            }
        });
    }
}

/// What a shape has of its own, after the changes of this frame.
fn of_shape(ui: &mut Ui, model: &Model, body: &Body, placed: &Placement) -> Surface {
    let mut surface = placed.surface;
    let density = match body.mass_spec() {
        crate::model::MassSpec::Density(density) => Some(density),
        crate::model::MassSpec::Given { .. } => None,
    };
    for own in &STATED {
        let of_body = match own.parameter.key {
            "density" if density.is_none() => continue,
            "density" => density,
            "friction" => Some(body.friction),
            "static_friction" => Some(body.static_friction.unwrap_or(body.friction)),
            "restitution" => Some(body.restitution),
            "rolling_resistance" => Some(body.rolling_resistance),
            _ => Some(body.surface_speed),
        };
        stated(ui, model, own, &mut surface, of_body);
    }
    let mut filtered = surface.filter.is_some();
    let hint = "Whether the shape touches other bodies than the rest of its body does";
    if ui.checkbox(&mut filtered, "own filter").on_hover_text(hint).changed() {
        let Body { categories, mask, group, .. } = *body;
        surface.filter = filtered.then_some(Filter { categories, mask, group });
    }
    if let Some(filter) = &mut surface.filter {
        let mut set = |parameter: &Parameter, value: f64| {
            let mut value = value;
            one(ui, model, parameter, &mut value);
            value
        };
        filter.categories = set(&CATEGORIES, f64::from(filter.categories)) as u32;
        filter.mask = set(&MASK, f64::from(filter.mask)) as u32;
        filter.group = set(&GROUP, f64::from(filter.group)) as i32;
    }
    surface
}
