//! The numbers of what is selected, from the model's own descriptions; and those of the whole scene: its texts, gravity
//! with a dial, the time step.

use super::rows::{one, text, written};
use super::{driven, method, surfaces, weak};
use crate::app::theme::Coloured;
use crate::experiment::{DEFAULT_DURATION, spring_phases};
use crate::model::{SpringId, World};
use crate::parameter::{Parameter, ParameterKind};
use crate::scene::DEFAULT_GRAVITY;
use crate::workbench::editor::connect::motor_of;
use crate::workbench::editor::edit::Edit;
use crate::workbench::editor::item::{self, Item};
use crate::workbench::editor::properties::{BODY, JOINT, NONHOLONOMIC, Property, SPRING};
use crate::workbench::editor::scene_text::SceneText;
use crate::workbench::editor::{EditorIntent, snap};
use crate::workbench::intent::{Intent, Intents};
use crate::workbench::model::Model;
use crate::workbench::text::format;
use egui_macroquad::egui::{self, Key, Sense, Stroke, Ui, pos2, vec2};
use glam::DVec2;

/// Side of the dial of gravity, points.
const DIAL: f32 = 62.0;
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

/// Direction of gravity, what is typed.
const DIRECTION: Parameter = Parameter {
    key: "direction",
    name: "direction",
    symbol: "",
    unit: "rad",
    minimum: f64::MIN,
    maximum: f64::MAX,
    default: -std::f64::consts::FRAC_PI_2,
    kind: ParameterKind::Linear,
    meaning: "Of gravity, counter-clockwise from the right: −90° is down.",
};
/// The wind along x and y, what is typed.
const WIND: [Parameter; 2] = [wind("wind_x", "wind x"), wind("wind_y", "wind y")];

const fn wind(key: &'static str, name: &'static str) -> Parameter {
    Parameter {
        key,
        name,
        symbol: "",
        unit: "m/s",
        minimum: f64::MIN,
        maximum: f64::MAX,
        default: 0.0,
        kind: ParameterKind::Linear,
        meaning: "Velocity of the air, against which the drag of bodies counts.",
    }
}

/// For how long a scene runs, what is typed.
const DURATION: Parameter = Parameter {
    key: "duration",
    name: "runs for",
    symbol: "",
    unit: "s",
    minimum: f64::MIN_POSITIVE,
    maximum: f64::MAX,
    default: DEFAULT_DURATION,
    kind: ParameterKind::Logarithmic,
    meaning: "How long the scene is run, compared and drawn where no other time is asked for. The window goes on.",
};

/// The numbers of the selection: of its first item, and set in all items of its kind.
pub(super) fn selection(ui: &mut Ui, model: &Model, intents: &mut Intents) {
    let world = model.run().world();
    let Some(first) = model.build.selection.first().copied() else { return };
    let alike = |item: &&Item| std::mem::discriminant(*item) == std::mem::discriminant(&first);
    let items: Vec<Item> = model.build.selection.iter().filter(alike).copied().collect();
    if let ([Item::Body(id)], Some(body)) = (items.as_slice(), first.body().and_then(|id| world.body(id))) {
        let typed = written(ui, "name", "The body's name in the scene file", ("name", id), &body.name);
        if let Some(name) = typed.filter(|name| !name.is_empty()) {
            intents.push(Intent::Editor(EditorIntent::Edit(Edit::Rename(*id, name))));
        }
    }
    if let [Item::Spring(id)] = items[..]
        && let Some(said) = resolution(model, id)
    {
        ui.label(weak(said, model.view.palette().weak));
    }
    for (parameter, value) in numbers(world, first) {
        let mut wanted = value;
        one(ui, model, &parameter, &mut wanted);
        if wanted != value {
            let motor = match items.as_slice() {
                [Item::Joint(id)] if parameter.key == "motor" && wanted == 1.0 => {
                    motor_of(world, *id, model.sight.camera.grid_step())
                }
                _ => None,
            };
            let edit = motor.unwrap_or_else(|| Edit::Set(items.clone(), parameter, wanted));
            intents.push(Intent::Editor(EditorIntent::Edit(edit)));
        }
    }
    match items[..] {
        [Item::Body(id)] => {
            if let Some(body) = world.body(id) {
                driven::of_body(ui, model, id, body, intents);
                driven::forces(ui, model, id, body, intents);
                surfaces::of_body(ui, model, id, body, intents);
            }
        }
        [Item::Joint(id)] => {
            if let Some(joint) = world.joint(id) {
                driven::of_joint(ui, model, id, joint, intents);
            }
        }
        _ => {}
    }
}

/// Whether the time step resolves a spring, and what becomes of its energy.
fn resolution(model: &Model, id: SpringId) -> Option<String> {
    let run = model.run();
    let index = run.world().spring_ids().binary_search(&id).ok()?;
    let own = spring_phases(run.world(), run.method(), run.time_step()).get(index).copied()??;
    let phase = format::significant(own.phase, 3);
    Some(if own.is_resolved() {
        format!("h ω = {phase}, at most 0.5: without damping it keeps its energy.")
    } else {
        let percent = format::significant(100.0 * own.left, 2);
        format!(
            "h ω = {phase}, above 0.5: implicit, which damps it. Without damping {percent}\u{a0}% of its energy are left after a period; smaller time steps keep it."
        )
    })
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
        Item::Spring(id) => of(&SPRING, world.spring(id)),
        Item::Velocity(id) => of(&NONHOLONOMIC, item::nonholonomic(world, id)),
    }
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
            let mut angle = present.y.atan2(present.x);
            let before = angle;
            one(ui, model, &DIRECTION, &mut angle);
            if angle != before {
                wanted = directed(present, angle);
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
        intents.push(Intent::Editor(EditorIntent::Edit(Edit::Gravity(wanted))));
    }
    let present = model.run().world().wind();
    let mut wanted = present;
    one(ui, model, &WIND[0], &mut wanted.x);
    one(ui, model, &WIND[1], &mut wanted.y);
    if wanted != present {
        intents.push(Intent::Editor(EditorIntent::Edit(Edit::Wind(wanted))));
    }
    driven::fields(ui, model, intents);
    surfaces::materials(ui, model, intents);
    method::step_slider(ui, model, intents);
    let present = model.run().scene.settings.duration.unwrap_or(DEFAULT_DURATION);
    let mut duration = present;
    one(ui, model, &DURATION, &mut duration);
    if duration != present {
        intents.push(Intent::Editor(EditorIntent::Duration(duration)));
    }
    let scheme = model.edited().scheme_name();
    ui.label(weak(format!("stepped by: {scheme}  (tab Method)"), model.view.palette().weak));
    for own in SceneText::ALL {
        let present = own.of(&model.run().scene);
        let typed = if own == SceneText::Name {
            written(ui, own.label(), own.hint(), own, present)
        } else {
            ui.label(weak(own.label(), model.view.palette().weak));
            text(ui, own.hint(), own, present)
        };
        if let Some(text) = typed {
            intents.push(Intent::Editor(EditorIntent::Write(own, text)));
        }
    }
}

/// Gravity on the Moon, m/s².
const MOON: DVec2 = DVec2::new(0.0, -1.62);

/// Gravity turned to an angle, rad; exact where it points along an axis. Where there is none, it becomes that of the Earth.
fn directed(gravity: DVec2, angle: f64) -> DVec2 {
    let along = DVec2::new(angle.cos(), angle.sin());
    let along = DVec2::select(along.abs().cmplt(DVec2::splat(1e-12)), DVec2::ZERO, along);
    let size = if gravity.length() > 0.0 { gravity.length() } else { DEFAULT_GRAVITY.length() };
    size * along
}

/// An arrow that shows and turns the direction of gravity.
fn dial(ui: &mut Ui, model: &Model, gravity: &mut DVec2) {
    let palette = model.view.palette();
    let (rect, response) = ui.allocate_exact_size(vec2(DIAL, DIAL), Sense::click_and_drag());
    response
        .widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Slider, true, "direction of gravity"));
    let (middle, radius) = (rect.center(), 0.5 * DIAL - 3.0);
    let present = gravity.y.atan2(gravity.x);
    let pointed = response.interact_pointer_pos().map(|at| at - middle);
    // The screen's y points down.
    let pointed = pointed.map(|to| f64::from(-to.y).atan2(f64::from(to.x)));
    if let Some(angle) = pointed.or_else(|| turned(ui, &response).map(|by| present + by)) {
        let free = ui.input(|i| i.modifiers.alt);
        let step = if free { 0.0 } else { 1.0 };
        let angle = snap::Snap { grid: step, reach: 0.0 }.angle(angle);
        *gravity = directed(*gravity, angle);
    }
    let painter = ui.painter();
    painter.circle(middle, radius, palette.background, Stroke::new(1.0, palette.axis));
    if let Some(along) = gravity.try_normalize() {
        let tip = (radius - 5.0) * vec2(along.x as f32, -along.y as f32);
        painter.arrow(middle - 0.4 * tip, 1.4 * tip, Stroke::new(2.0, palette.accent));
    } else {
        painter.circle_filled(pos2(middle.x, middle.y), 3.0, palette.weak);
    }
    if response.has_focus() {
        painter.circle_stroke(middle, radius + 2.0, Stroke::new(1.0, palette.text));
    }
    response.on_hover_text(
        "Drag, or press ← and →: the direction in which everything falls, in steps of 15°; freely with Alt held.",
    );
}

/// By how much the arrow keys turn the dial while it has the focus, rad.
fn turned(ui: &Ui, dial: &egui::Response) -> Option<f64> {
    if !dial.has_focus() {
        return None;
    }
    let filter = egui::EventFilter { horizontal_arrows: true, ..Default::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(dial.id, filter));
    let [left, right] = [Key::ArrowLeft, Key::ArrowRight].map(|key| ui.input(|i| i.key_pressed(key)));
    (left != right).then(|| if left { snap::ANGLE } else { -snap::ANGLE })
}
