//! What profiles drive on the selected body or joint, and the fields of the scene: added, removed, and their numbers; of a
//! profile its course, and of a table its points.

use super::rows::{number, one};
use super::weak;
use crate::app::theme::Coloured;
use crate::model::{
    AppliedForce, Axes, Body, BodyId, BodyKind, DrivenForce, Field, Joint, JointId, ModelError, Profile,
};
use crate::parameter::{Parameter, ParameterKind};
use crate::scene::KEYS;
use crate::workbench::editor::EditorIntent;
use crate::workbench::editor::edit::{Driven, Edit};
use crate::workbench::editor::item::Item;
use crate::workbench::editor::properties::{
    DRIVEN, FIELD, KIND, KIND_OR_OFF, PROFILE, Property, kind_of, of_kind,
};
use crate::workbench::editor::toolbox::{carried, field_at, thrust};
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::text::format;
use crate::workbench::text::prose::capitalised;
use egui_macroquad::egui::{self, Pos2, Sense, Stroke, Ui, vec2};
use glam::{DVec2, dvec2};

/// Most points of a table that are shown, and the height at which they scroll, points.
const MOST: usize = 60;
const HEIGHT: f32 = 170.0;
/// Width of a number of a point, and height of a profile's course, points.
const NUMBER: f32 = 78.0;
const COURSE: f32 = 46.0;
/// Points of the course.
const SAMPLES: usize = 160;

/// A number of a table's point.
const fn of_point(name: &'static str, unit: &'static str) -> Parameter {
    Parameter {
        key: "point",
        name,
        symbol: "",
        unit,
        minimum: f64::MIN,
        maximum: f64::MAX,
        default: 0.0,
        kind: ParameterKind::Linear,
        meaning: "Of a point through which the profile goes.",
    }
}

const INTERPOLATION: Parameter = Parameter {
    kind: ParameterKind::Choice(&["linear", "cubic"]),
    maximum: 1.0,
    minimum: 0.0,
    meaning: "Straight lines between the points, or the natural cubic spline.",
    ..of_point("between", "")
};

/// All numbers of one item of a list, set where they are changed; `unit` is that of those which state none.
fn numbers<T>(
    ui: &mut Ui,
    model: &Model,
    (table, unit): (&[Property<T>], &'static str),
    item: &mut T,
    intents: &mut Intents,
) {
    for property in table {
        let Some(present) = property.of(item) else { continue };
        let mut value = present;
        let stated = property.parameter.unit;
        let unit = if stated.is_empty() { unit } else { stated };
        one(ui, model, &Parameter { unit, ..property.parameter }, &mut value);
        if value != present
            && let Err(error) = property.set(item, value)
        {
            intents.push(refused(&error));
        }
    }
}

fn refused(error: &ModelError) -> Intent {
    Intent::Say(format!("Not done: {error}"))
}

/// The head of an item of a list; whether it is to be removed.
fn head(ui: &mut Ui, model: &Model, text: &str) -> bool {
    ui.horizontal(|ui| {
        ui.label(weak(capitalised(text), model.view.palette().text));
        let button = ui.small_button("✖");
        button.widget_info(|| {
            egui::WidgetInfo::labeled(egui::WidgetType::Button, true, format!("Remove {text}"))
        });
        button.on_hover_text(format!("Remove {text}")).clicked()
    })
    .inner
}

/// The forces on a body that profiles drive.
pub(super) fn forces(ui: &mut Ui, model: &Model, id: BodyId, body: &Body, intents: &mut Intents) {
    if !body.is_dynamic() {
        return;
    }
    let (mut wanted, mut gone) = (body.driven.clone(), None);
    for (index, own) in wanted.iter_mut().enumerate() {
        ui.push_id(("driven", id, index), |ui| {
            let kind = if own.applied.axes == Axes::Body { "thruster" } else { "driven force" };
            if head(ui, model, &format!("{kind} {}", index + 1)) {
                gone = Some(index);
            }
            numbers(ui, model, (&DRIVEN, ""), own, intents);
            key(ui, &mut own.switch);
            profile(ui, model, &FACTOR, &mut own.profile, intents);
        });
    }
    if let Some(index) = gone {
        wanted.remove(index);
    }
    ui.horizontal(|ui| {
        let weight = thrust(model.run().world(), body);
        let hint =
            "A force in the world's axes at the centre of mass, twice the body's weight, by a profile";
        if ui.button("Add a driven force").on_hover_text(hint).clicked() {
            let applied = AppliedForce::force(dvec2(0.0, weight));
            wanted.push(DrivenForce::new(applied, Profile::Constant(1.0)));
        }
        let hint =
            "A force that turns with the body, upwards in its axes; it burns where its profile is not 0";
        if ui.button("Add a thruster").on_hover_text(hint).clicked() {
            let applied = AppliedForce { axes: Axes::Body, ..AppliedForce::force(dvec2(0.0, weight)) };
            wanted.push(DrivenForce::new(applied, Profile::Constant(1.0)));
        }
    });
    if wanted != body.driven {
        intents.push(Intent::Editor(EditorIntent::Edit(Edit::Driven(id, wanted))));
    }
}

/// The key that has to be held for a force to act.
fn key(ui: &mut Ui, switch: &mut Option<u8>) {
    let hint = "The key that switches it: it acts while that is held, and the key then does nothing else";
    super::field::row(ui, "key", hint, |ui| {
        let name = |switch: Option<u8>| {
            switch.and_then(|own| KEYS.get(usize::from(own)).copied()).unwrap_or("none: always on")
        };
        let list = egui::ComboBox::from_id_salt("key").selected_text(name(*switch)).show_ui(ui, |ui| {
            ui.selectable_value(switch, None, name(None));
            for own in 0..KEYS.len() as u8 {
                ui.selectable_value(switch, Some(own), name(Some(own)));
            }
        });
        list.response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::ComboBox, true, "key"));
    });
}

/// What a profile drives: its name, its unit, and the numbers between which a new profile goes.
struct Number {
    name: &'static str,
    unit: &'static str,
    ends: [f64; 2],
}

/// By which a force is multiplied.
const FACTOR: Number = factor("profile");

const fn factor(name: &'static str) -> Number {
    Number { name, unit: "", ends: [0.0, 1.0] }
}

/// The profiles of a joint: of its motor's speed and largest force, and of its length.
pub(super) fn of_joint(ui: &mut Ui, model: &Model, id: JointId, joint: &Joint, intents: &mut Intents) {
    if joint.motor.is_some() {
        let (speed, most) = (factor("speed profile"), factor("largest force profile"));
        may_be_driven(ui, model, Driven::Speed(id), &speed, (&joint.speed_profile, 1.0), intents);
        may_be_driven(ui, model, Driven::MostForce(id), &most, (&joint.force_profile, 1.0), intents);
    }
    if let (Some(now), None) = (joint.length(), joint.softness) {
        let length = Number { name: "length profile", unit: "m", ends: [now, 1.5 * now] };
        may_be_driven(ui, model, Driven::Length(id), &length, (&joint.length_profile, now), intents);
    }
}

/// The profiles of a body: of the coordinates of a kinematic one, and of its belt.
pub(super) fn of_body(ui: &mut Ui, model: &Model, id: BodyId, body: &Body, intents: &mut Intents) {
    if let BodyKind::Kinematic(_) = body.kind() {
        let coordinates = ["x profile", "y profile", "angle profile"].into_iter().enumerate();
        for ((axis, name), own) in coordinates.zip(body.pose_profiles.each()) {
            let unit = if axis == 2 { "rad" } else { "m" };
            let now = body.pose.coordinates()[axis];
            let number = Number { name, unit, ends: [now, now + 1.0] };
            let of = Driven::Coordinate(id, axis);
            may_be_driven(ui, model, of, &number, (&own.cloned(), now), intents);
        }
    }
    let speeds = body.shapes().iter().filter_map(|shape| shape.surface.surface_speed);
    if body.surface_profile.is_some() || speeds.chain([body.surface_speed]).any(|speed| speed != 0.0) {
        let belt = factor("belt profile");
        may_be_driven(ui, model, Driven::Belt(id), &belt, (&body.surface_profile, 1.0), intents);
    }
    for (shape, placed) in body.shapes().iter().enumerate().filter(|_| body.shapes().len() > 1) {
        if placed.surface_profile.is_some()
            || placed.surface.surface_speed.is_some_and(|speed| speed != 0.0)
        {
            let belt = factor("belt profile of a shape");
            let of = Driven::ShapeBelt(id, shape);
            may_be_driven(ui, model, of, &belt, (&placed.surface_profile, 1.0), intents);
        }
    }
}

/// A number that a profile may drive: its present profile, and what it is without one.
fn may_be_driven(
    ui: &mut Ui,
    model: &Model,
    of: Driven,
    number: &Number,
    (own, now): (&Option<Profile>, f64),
    intents: &mut Intents,
) {
    ui.push_id(("profile", of), |ui| {
        let present = own.as_ref().map_or(0.0, |own| kind_of(own) + 1.0);
        let (mut kind, mut wanted) = (present, own.clone());
        one(ui, model, &Parameter { name: number.name, ..KIND_OR_OFF }, &mut kind);
        if kind != present {
            wanted = of_kind(kind - 1.0, now, number.ends).filter(|_| kind > 0.0);
        }
        if let Some(wanted) = &mut wanted {
            course_and_numbers(ui, model, number.unit, wanted, intents);
        }
        if wanted != *own {
            intents.push(Intent::Editor(EditorIntent::Edit(Edit::Profile(of, wanted))));
        }
    });
}

/// The kind of a profile that is always there, and the rest of it.
fn profile(ui: &mut Ui, model: &Model, number: &Number, own: &mut Profile, intents: &mut Intents) {
    let present = kind_of(own);
    let mut kind = present;
    one(ui, model, &Parameter { name: number.name, ..KIND }, &mut kind);
    if kind != present
        && let Some(other) = of_kind(kind, number.ends[1], number.ends)
    {
        *own = other;
    }
    course_and_numbers(ui, model, number.unit, own, intents);
}

/// The numbers and the course of a profile, and the points of a table.
fn course_and_numbers(
    ui: &mut Ui,
    model: &Model,
    unit: &'static str,
    own: &mut Profile,
    intents: &mut Intents,
) {
    numbers(ui, model, (&PROFILE, unit), own, intents);
    course(ui, model, own);
    if let Some(table) = points(ui, model, unit, own, intents) {
        *own = table;
    }
}

/// The points of a table; the table after a change.
fn points(
    ui: &mut Ui,
    model: &Model,
    unit: &'static str,
    own: &Profile,
    intents: &mut Intents,
) -> Option<Profile> {
    let Profile::Table(table) = own else { return None };
    let (mut points, mut gone) = (table.points().to_vec(), None);
    let before = f64::from(u8::from(table.is_cubic()));
    let mut cubic = before;
    one(ui, model, &INTERPOLATION, &mut cubic);
    let count = points.len();
    egui::ScrollArea::vertical().id_salt("points").max_height(HEIGHT).show(ui, |ui| {
        for (index, point) in points.iter_mut().enumerate().take(MOST) {
            ui.push_id(index, |ui| {
                ui.horizontal(|ui| {
                    for (parameter, value) in
                        [of_point("time", "s"), of_point("value", unit)].iter().zip(point)
                    {
                        let hint = format!("{} of point {}", parameter.name, index + 1);
                        ui.allocate_ui(vec2(NUMBER, 20.0), |ui| number(ui, model, parameter, value, &hint));
                    }
                    if ui.add_enabled(count > 2, egui::Button::new("✖").small()).clicked() {
                        gone = Some(index);
                    }
                });
            });
        }
    });
    if count > MOST {
        let text = format!("{} further points are in the file", count - MOST);
        ui.label(weak(text, model.view.palette().weak));
    }
    if let Some(index) = gone {
        points.remove(index);
    }
    if ui.button("Add a point").clicked()
        && let [.., [before, _], [last, value]] = points[..]
    {
        points.push([2.0 * last - before, value]);
    }
    if points == table.points() && cubic == before {
        return None;
    }
    match Profile::table(&points, cubic != 0.0) {
        Ok(profile) => Some(profile),
        Err(error) => {
            intents.push(refused(&error));
            None
        }
    }
}

/// The times between which a profile is drawn, s; none where it is constant.
fn span(profile: &Profile) -> Option<[f64; 2]> {
    match profile {
        Profile::Ramp { start, end, .. } => {
            let beyond = 0.25 * (end - start);
            Some([start - beyond, end + beyond])
        }
        Profile::Sine { frequency, .. } => Some([0.0, 2.0 / frequency]),
        Profile::Table(table) => {
            let (first, last) = (table.points().first()?[0], table.points().last()?[0]);
            let beyond = 0.05 * (last - first);
            Some([first - beyond, last + beyond])
        }
        _ => None,
    }
}

/// A small picture of a profile over the time, with the present time.
fn course(ui: &mut Ui, model: &Model, profile: &Profile) {
    let Some([from, to]) = span(profile).filter(|[from, to]| (to - from).is_finite()) else { return };
    let palette = model.view.palette();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), COURSE), Sense::hover());
    let time = |share: f64| from + share * (to - from);
    let values: Vec<f64> = (0..=SAMPLES).map(|i| profile.value(time(i as f64 / SAMPLES as f64))).collect();
    let low = values.iter().copied().fold(0.0, f64::min);
    let high = values.iter().copied().fold(low + f64::MIN_POSITIVE, f64::max);
    let inner = rect.shrink(4.0);
    let y = |value: f64| inner.bottom() - ((value - low) / (high - low)) as f32 * inner.height();
    let x = |share: f64| inner.left() + share as f32 * inner.width();
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 3.0, palette.background);
    painter.line_segment(
        [Pos2::new(inner.left(), y(0.0)), Pos2::new(inner.right(), y(0.0))],
        Stroke::new(1.0, palette.axis),
    );
    let place = |(i, value): (usize, &f64)| Pos2::new(x(i as f64 / SAMPLES as f64), y(*value));
    painter.line(values.iter().enumerate().map(place).collect(), Stroke::new(1.6, palette.accent));
    let now = (model.run().world().time() - from) / (to - from);
    if (0.0..=1.0).contains(&now) {
        let stroke = Stroke::new(1.0, palette.weak);
        painter.line_segment([Pos2::new(x(now), inner.top()), Pos2::new(x(now), inner.bottom())], stroke);
    }
    let [from, to, low, high] = [from, to, low, high].map(|x| format::significant(x, 3));
    response.on_hover_text(format!(
        "From {from} to {to} s, between {low} and {high}; the line is the present time"
    ));
}

/// The fields of the scene.
pub(super) fn fields(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let present = model.run().world().fields();
    let title = format!("Fields ({})", present.len());
    let (mut wanted, mut gone) = (present.to_vec(), None);
    egui::CollapsingHeader::new(title).id_salt("fields").show(ui, |ui| {
        for (index, own) in wanted.iter_mut().enumerate() {
            ui.push_id(("field", index), |ui| {
                if head(ui, model, &format!("field {}", index + 1)) {
                    gone = Some(index);
                }
                numbers::<Field>(ui, model, (&FIELD, ""), own, intents);
                carrier(ui, model, own);
            });
        }
        if let Some(index) = gone {
            wanted.remove(index);
        }
        let hint = "A field that points to the middle of the view: all bodies fall towards it";
        if ui.button("Add a field").on_hover_text(hint).clicked() {
            let canvas = model.pane(model.sight.aim);
            let [low, high] = model.sight.camera.visible(canvas);
            let middle: DVec2 = 0.5 * (low + high);
            wanted.push(field_at(model.run().world(), middle, 0.25 * (high - low).min_element()));
        }
    });
    if wanted != present {
        intents.push(Intent::Editor(EditorIntent::Edit(Edit::Fields(wanted))));
    }
}

/// The body that carries a field, with a button that releases it; else one that puts it on the selected body.
fn carrier(ui: &mut Ui, model: &Model, field: &mut Field) {
    let world = model.run().world();
    let name = |id: BodyId| world.body(id).map_or("", |body| body.name.as_str());
    let selected = model.build.selection.first().and_then(|item| match item {
        Item::Body(id) => Some(*id),
        _ => None,
    });
    match (field.on, selected) {
        (Some(id), _) => {
            let text = format!("On {}, which the others draw, too.", name(id));
            ui.label(weak(text, model.view.palette().weak));
            if ui.button("Release it").on_hover_text("Leaves its centre where it is").clicked() {
                *field = world.placed_field(field);
            }
        }
        (None, Some(id)) => {
            let hint = "The centre then goes with the body, which the others draw as much as it draws them";
            if ui.button(format!("Put it on {}", name(id))).on_hover_text(hint).clicked() {
                *field = carried(world, field, id);
            }
        }
        (None, None) => {}
    }
}
