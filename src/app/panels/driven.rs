//! What profiles drive on the selected body or joint, and the fields of the scene: added, removed, and their numbers; of a
//! profile its course, and of a table its points.

use super::rows::{number, one};
use super::weak;
use crate::app::theme::Coloured;
use crate::model::{
    AppliedForce, Axes, Body, BodyId, DrivenForce, Field, Joint, JointId, ModelError, Profile,
};
use crate::parameter::{Parameter, ParameterKind};
use crate::scene::KEYS;
use crate::workbench::editor::EditorIntent;
use crate::workbench::editor::edit::{Edit, OfMotor};
use crate::workbench::editor::properties::{DRIVEN, FIELD, Property};
use crate::workbench::editor::toolbox::{field_at, thrust};
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

/// All numbers of one item of a list, set where they are changed.
fn numbers<T>(ui: &mut Ui, model: &Model, table: &[Property<T>], item: &mut T, intents: &mut Intents) {
    for property in table {
        let Some(present) = property.of(item) else { continue };
        let mut value = present;
        one(ui, model, &property.parameter, &mut value);
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
            numbers(ui, model, &DRIVEN, own, intents);
            key(ui, &mut own.switch);
            if let Some(profile) = profile(ui, model, &own.profile, intents) {
                own.profile = profile;
            }
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

/// The profiles of a joint's motor.
pub(super) fn of_motor(ui: &mut Ui, model: &Model, id: JointId, joint: &Joint, intents: &mut Intents) {
    for (of, own, name) in [
        (OfMotor::Speed, &joint.speed_profile, "speed"),
        (OfMotor::Force, &joint.force_profile, "largest force"),
        (OfMotor::Length, &joint.length_profile, "length"),
    ] {
        let acts = joint.motor.is_some() || of == OfMotor::Length;
        let Some(own) = own.as_ref().filter(|_| acts) else { continue };
        ui.push_id(("profile", id, name), |ui| {
            ui.label(weak(format!("Profile of the {name}"), model.view.palette().text));
            if let Some(profile) = profile(ui, model, own, intents) {
                intents.push(Intent::Editor(EditorIntent::Edit(Edit::Profile(id, of, profile))));
            }
        });
    }
}

/// The course of a profile, and the points of a table; the profile after a change.
fn profile(ui: &mut Ui, model: &Model, own: &Profile, intents: &mut Intents) -> Option<Profile> {
    course(ui, model, own);
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
                        [of_point("time", "s"), of_point("value", "")].iter().zip(point)
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
                numbers::<Field>(ui, model, &FIELD, own, intents);
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
