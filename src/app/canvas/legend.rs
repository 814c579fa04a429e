//! The legend: what the arrows on the canvas mean, and which force or speed an arrow of its length stands for.

use super::stroke::arrow;
use super::{Picture, bodies, contacts, forces};
use crate::workbench::model::Model;
use crate::workbench::runs::live_run::LiveRun;
use crate::workbench::text::format;
use egui_macroquad::egui::{Align2, Color32, FontId, Rect, Stroke, pos2, vec2};

/// Length of an arrow in the legend, points.
const LENGTH: f32 = 28.0;
/// Width of its line, points.
const WIDTH: f32 = 1.6;
/// Distance of the legend from the canvas's left side, points.
const INSET: f32 = 16.0;
/// Height of a row, and distance from arrow to text, points.
const ROW: f32 = 17.0;
const GAP: f32 = 8.0;

/// A row: the arrow's colour, what it is, and what one of the legend's length stands for.
struct LegendEntry {
    color: Color32,
    name: &'static str,
    value: String,
}

/// Narrowest picture with a legend, points.
const NARROWEST: f32 = 480.0;

/// The arrows that are switched on and that the present picture has.
fn rows(picture: &Picture<'_>, model: &Model, run: &LiveRun) -> Vec<LegendEntry> {
    let (view, palette) = (&model.view, picture.palette);
    let newtons = |force: f64| format!("{} N", format::rounded(force, 2));
    let mut rows = Vec::new();
    let mut add = |color, name, value: Option<String>| {
        rows.extend(value.map(|value| LegendEntry { color, name, value }));
    };
    if view.velocities {
        let speed = bodies::speed_of_arrow(picture, LENGTH);
        add(palette.velocity, "velocity", Some(format!("{} m/s", format::rounded(speed, 2))));
    }
    if view.joint_forces && !run.world().joints().is_empty() {
        let force = forces::scale_of_joints(picture, model, run).force(LENGTH);
        add(palette.accent, "joint, on its second body", force.map(newtons));
    }
    if view.impulses && !run.world().contacts().is_empty() {
        let force = contacts::scale(picture, model, run).force(LENGTH).map(newtons);
        add(palette.stick, "contact that sticks", force.clone());
        add(palette.slide, "contact that slides", force);
    }
    rows
}

/// The legend of a run's picture, on its left side from the height `top` on; returns the place of its rows.
pub(super) fn paint(picture: &Picture<'_>, model: &Model, run: &LiveRun, top: f32) -> Vec<Rect> {
    let mut places = Vec::new();
    if picture.rect.width() < NARROWEST {
        return places;
    }
    let mut at = pos2(picture.rect.left() + INSET, top + 0.5 * ROW);
    for LegendEntry { color, name, value } in rows(picture, model, run) {
        arrow(picture.painter, at, vec2(LENGTH, 0.0), Stroke::new(WIDTH, color));
        let place = at + vec2(LENGTH + GAP, 0.0);
        let font = FontId::proportional(12.0);
        let text = format!("{value}   {name}");
        let galley = picture.painter.layout_no_wrap(text, font, picture.palette.weak);
        let text = Align2::LEFT_CENTER.anchor_size(place, galley.size());
        picture.behind(text);
        picture.painter.galley(text.min, galley, picture.palette.weak);
        places.push(text.with_min_x(at.x));
        at.y += ROW;
    }
    places
}
