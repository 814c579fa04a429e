//! What shows how a joint bears its load: ropes, soft joints, and the frayed ends of what is broken.

use super::Picture;
use super::stroke::zigzag;
use crate::model::{Joint, JointKind, World};
use crate::workbench::stage::sag::sagging;
use egui_macroquad::egui::{Color32, Pos2, Stroke, Vec2};
use glam::DVec2;

/// Width of a rope, points.
const ROPE: f32 = 1.8;
/// Width of a soft rod's zigzag, points.
const ZIGZAG: f32 = 7.0;
/// Length of what is left at an end of a broken part, points, and of its strands.
const STUB: f32 = 9.0;
const STRAND: f32 = 7.0;
/// Angles of the strands, rad.
const FRAYED: [f32; 3] = [-0.55, 0.05, 0.6];

/// A rope between its ends: straight while it is taut, hanging as long as it is while it is slack.
pub(super) fn rope(picture: &Picture<'_>, world: &World, joint: &Joint, [a, b]: [DVec2; 2]) {
    let down = world.gravity().normalize_or(DVec2::NEG_Y);
    let length = joint.rope_length().unwrap_or(0.0);
    let points: Vec<Pos2> =
        sagging(a, b, length, down).into_iter().map(|point| picture.at(point)).collect();
    let stroke = Stroke::new(ROPE, picture.palette.joint.gamma_multiply(0.9));
    if joint.softness.is_some() && points.len() == 2 {
        picture.painter.line(zigzag(points[0], points[1], ZIGZAG), stroke);
    } else {
        picture.painter.line(points, stroke);
    }
}

/// A soft rod.
pub(super) fn soft_rod(picture: &Picture<'_>, [a, b]: [Pos2; 2]) {
    let stroke = Stroke::new(ROPE, picture.palette.joint.gamma_multiply(0.85));
    picture.painter.line(zigzag(a, b, ZIGZAG), stroke);
}

/// A second, faint ring about a soft hinge or weld.
pub(super) fn soft_ring(picture: &Picture<'_>, at: Pos2, size: f32) {
    picture.painter.circle_stroke(
        at,
        2.0 * size,
        Stroke::new(1.0, picture.palette.joint.gamma_multiply(0.6)),
    );
    picture.painter.circle_stroke(
        at,
        2.8 * size,
        Stroke::new(1.0, picture.palette.joint.gamma_multiply(0.3)),
    );
}

/// What is left of a broken joint.
pub(super) fn broken_joint(picture: &Picture<'_>, joint: &Joint, [a, b]: [Pos2; 2]) {
    let is_line = matches!(
        joint.kind,
        JointKind::Distance(_) | JointKind::Rope(_) | JointKind::Pulley(_) | JointKind::Custom(_)
    );
    let across = (b - a).normalized();
    let apart = a.distance(b) > 1.0;
    let towards = if apart { across } else { Vec2::new(0.0, -1.0) };
    frayed(picture, a, towards, is_line);
    frayed(picture, b, -towards, is_line);
}

/// What is left of a broken spring.
pub(super) fn broken_spring(picture: &Picture<'_>, [a, b]: [Pos2; 2]) {
    let towards = if a.distance(b) > 1.0 { (b - a).normalized() } else { Vec2::new(0.0, -1.0) };
    frayed(picture, a, towards, true);
    frayed(picture, b, -towards, true);
}

/// The frayed end of a part at `at` that went on in a direction: a stub, if it is a line, and loose strands.
fn frayed(picture: &Picture<'_>, at: Pos2, towards: Vec2, has_stub: bool) {
    let color: Color32 = picture.palette.error;
    let end = if has_stub { at + STUB * towards } else { at };
    if has_stub {
        picture.painter.line_segment([at, end], Stroke::new(ROPE, picture.palette.joint));
    }
    for angle in FRAYED {
        let strand = Vec2::angled(towards.angle() + angle);
        picture.painter.line_segment([end, end + STRAND * strand], Stroke::new(1.2, color));
    }
    picture.painter.circle_filled(at, 2.0, color);
}
