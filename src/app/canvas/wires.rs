//! Slots, wheels and the wires of beads.

use super::Picture;
use super::stroke::{arrow, square, zigzag};
use crate::model::joint::{Bead, PoseMotor, Slot};
use crate::model::{Joint, World};
use crate::workbench::stage::framing::{anchor_in_world, wire};
use egui_macroquad::egui::{self, Stroke};
use glam::DVec2;

/// Length of a suspension of which nothing says how long it is, in sizes of its symbol.
const STRUT: f32 = 5.0;
/// Half the length of a slot, in sizes of its symbol.
const SLOT: f32 = 6.0;
/// Widths of lines, of a wire and of a suspension's zigzag, points.
const LINE: f32 = 1.3;
const WIRE: f32 = 2.0;
const ZIGZAG: f32 = 8.0;

/// An axis of a body on the screen.
pub(super) fn turned(world: &World, body: usize, axis: DVec2) -> egui::Vec2 {
    let axis = world.frame(body).rotation.apply(axis);
    egui::vec2(axis.x as f32, -axis.y as f32).normalized()
}

/// A slot as two parallel lines along its axis, with the pin between them; a wheel as the spring from its carrier to its hub.
pub(super) fn slot(picture: &Picture<'_>, world: &World, joint: &Joint, slot: &Slot, size: f32) {
    let [a, b] = joint.bodies();
    let (from, pin) =
        (anchor_in_world(world, a, slot.anchors[0]), anchor_in_world(world, b, slot.anchors[1]));
    let along = turned(world, a, slot.axis);
    let (start, hub) = (picture.at(from), picture.at(pin));
    let color = picture.palette.joint;
    let stroke = Stroke::new(LINE, color);
    if slot.suspension.is_some() {
        // From the height of the carrier's centre, if that is not beside the hub.
        let above = -slot.anchors[0].dot(slot.axis);
        let least = STRUT * size;
        let length = picture.camera.length(above.abs()).max(least);
        let top = start + along * length.copysign(if above < 0.0 { -1.0 } else { 1.0 });
        picture.painter.line(zigzag(top, hub, ZIGZAG), Stroke::new(LINE, color.gamma_multiply(0.8)));
        picture.painter.line_segment([top - along.rot90() * size, top + along.rot90() * size], stroke);
        picture.painter.circle_filled(hub, size, picture.palette.background);
        picture.painter.circle_stroke(hub, size, stroke);
        picture.painter.circle_filled(hub, 0.4 * size, color);
        return;
    }
    let side = along.rot90() * (1.2 * size);
    // The way to the pin, and a little beyond both ends.
    let way = along.dot(hub - start);
    let (low, high) = (way.min(0.0) - SLOT * size, way.max(0.0) + SLOT * size);
    for edge in [start + side, start - side] {
        picture.painter.line_segment([edge + along * low, edge + along * high], stroke);
    }
    picture.painter.circle_filled(hub, size, picture.palette.background);
    picture.painter.circle_stroke(hub, size, stroke);
}

/// A wire, as long as it is, and the bead on it; one that acts from one side is drawn thinner, with its bead as a square.
pub(super) fn bead(picture: &Picture<'_>, world: &World, joint: &Joint, bead: &Bead, size: f32) {
    let color = picture.palette.joint;
    let closed = bead.bounds().is_none();
    let width = if closed { WIRE } else { LINE };
    let seen = picture.rect.width().hypot(picture.rect.height());
    let reach = f64::from(seen) / f64::from(picture.camera.length(1.0)).max(f64::MIN_POSITIVE);
    let line = wire(world, joint, bead, reach).into_iter().map(|point| picture.at(point));
    picture.painter.line(line.collect(), Stroke::new(width, color.gamma_multiply(0.85)));
    let at = picture.at(anchor_in_world(world, joint.bodies()[1], bead.anchors[1]));
    let stroke = Stroke::new(LINE, color);
    if closed {
        picture.painter.circle_filled(at, size, picture.palette.background);
        picture.painter.circle_stroke(at, size, stroke);
    } else {
        picture.painter.add(egui::Shape::closed_line(square(at, 0.8 * size, egui::Vec2::X), stroke));
    }
}

/// A motor joint: the pose that it drives to as a cross in the accent's colour, and an arrow there from where the body is. One
/// that holds no pose, but the bodies by friction, is a point in a ring.
pub(super) fn mover(picture: &Picture<'_>, world: &World, joint: &Joint, mover: &PoseMotor, size: f32) {
    let [a, b] = joint.bodies();
    let target = anchor_in_world(world, a, mover.anchors[0] + mover.offset);
    let (to, from) = (picture.at(target), picture.at(anchor_in_world(world, b, mover.anchors[1])));
    let color = picture.palette.accent;
    if !mover.holds_pose() {
        picture.painter.circle_stroke(from, 1.5 * size, Stroke::new(LINE, color));
        picture.painter.circle_filled(from, 0.6 * size, picture.palette.joint);
        return;
    }
    let along = turned(world, a, DVec2::from_angle(mover.angle)) * (2.5 * size);
    let stroke = Stroke::new(LINE, color);
    picture.painter.line_segment([to - along, to + along], stroke);
    picture.painter.line_segment([to - along.rot90(), to + along.rot90()], stroke);
    if from.distance(to) > 4.0 * size {
        arrow(picture.painter, from, to - from, stroke);
    }
    picture.painter.circle_filled(from, 0.6 * size, picture.palette.joint);
}

/// From the curve to the bead, m.
pub(super) fn miss(world: &World, joint: &Joint, bead: &Bead) -> (DVec2, DVec2) {
    let [a, b] = joint.bodies().map(|body| world.frame(body));
    let row = bead.equation(&a, &b);
    let at = anchor_in_world(world, joint.bodies()[1], bead.anchors[1]);
    let missed = bead.bounds().map_or(row.g, |[low, high]| row.g - row.g.clamp(low, high));
    let gap = missed * row.jb.truncate();
    (at - gap, gap)
}
