//! Pulleys: the rope from end to end over two wheels, which turn as it runs, and which hang on the bodies that carry them.

use super::Picture;
use crate::model::joint::Pulley;
use crate::model::{Joint, World};
use crate::workbench::stage::framing::wheels;
use crate::workbench::stage::sag::sagging;
use egui_macroquad::egui::{Pos2, Stroke, Vec2};
use glam::DVec2;

/// Width of the rope and of the lines of a wheel, points.
const ROPE: f32 = 1.8;
const LINE: f32 = 1.3;
/// Radius of a wheel, in sizes of a joint's symbol.
const WHEEL: f32 = 2.6;

pub(super) fn paint(
    picture: &Picture<'_>,
    world: &World,
    joint: &Joint,
    (pulley, ends): (&Pulley, [DVec2; 2]),
    size: f32,
) {
    let color = picture.palette.joint;
    let rope = Stroke::new(ROPE, color.gamma_multiply(0.9));
    let stroke = Stroke::new(LINE, color);
    let at = wheels(world, joint, pulley);
    let down = world.gravity().normalize_or(DVec2::NEG_Y);
    let parts = [0, 1].map(|side| ends[side].distance(at[side]));
    let whole = parts[0] + pulley.ratio * parts[1];
    // What is slack hangs in both parts alike.
    let share = if pulley.slack && whole > 0.0 { (pulley.length / whole).max(1.0) } else { 1.0 };
    let radius = WHEEL * size;
    picture.painter.line_segment(at.map(|wheel| picture.at(wheel)), rope);
    for side in [0, 1] {
        let line = sagging(ends[side], at[side], share * parts[side], down);
        let line: Vec<Pos2> = line.into_iter().map(|point| picture.at(point)).collect();
        picture.painter.line(line, rope);
        let hub = picture.at(at[side]);
        picture.painter.circle_filled(hub, radius, picture.palette.background);
        picture.painter.circle_stroke(hub, radius, stroke);
        picture.painter.circle_filled(hub, 0.25 * radius, color);
        // The rim runs with the rope.
        let turned = picture.camera.length(parts[side]) / radius.max(f32::MIN_POSITIVE);
        for quarter in 0..3 {
            let spoke = Vec2::angled(turned + quarter as f32 * std::f32::consts::TAU / 3.0);
            picture.painter.line_segment([hub + 0.25 * radius * spoke, hub + radius * spoke], stroke);
        }
    }
}
