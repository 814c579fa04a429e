//! Drives of a joint's free coordinate: limits as a sector of allowed angles or a segment of the axis, motors as a small
//! arrow.

use super::Picture;
use super::stroke::arrow;
use crate::model::joint::{Motor, Slider, Slot};
use crate::model::{Joint, JointKind, World};
use crate::workbench::stage::framing::anchor_in_world;
use egui_macroquad::egui::{Mesh, Pos2, Shape, Stroke, Vec2, vec2};
use glam::DVec2;
use std::f64::consts::{PI, TAU};

/// Radius of the sector of allowed angles, in radii of the hinge's ring.
const SECTOR: f32 = 4.0;
/// Radius of a motor's arrow, in radii of the hinge's ring.
const MOTOR: f32 = 2.6;
/// Angle that a motor's arrow goes round, rad.
const TURN: f64 = 1.5 * PI;
/// Largest angle between two points of an arc, rad.
const FACET: f64 = 0.2;
/// Opacity of the sector.
const FAINT: f32 = 0.13;
/// Half the length of the bars at the ends of a slider's stretch, in sizes of its symbol.
const BAR: f32 = 3.0;

pub(super) fn paint(picture: &Picture<'_>, world: &World, joint: &Joint, size: f32) {
    let [a, b] = joint.bodies().map(|index| world.frame(index));
    let Some(coordinate) = joint.kind.coordinate(&a, &b) else { return };
    if let JointKind::Slot(slot) = &joint.kind {
        return slot_drives(picture, world, joint, slot, size);
    }
    let value = coordinate.g - joint.zero;
    match &joint.kind {
        JointKind::Hinge(hinge) => {
            let at = picture.at(anchor_in_world(world, joint.bodies()[0], hinge.anchors[0]));
            if let Some(limits) = joint.limits {
                // Where body b lies, seen from the hinge, stands for its angle.
                let arm = b.rotation.apply(-hinge.anchors[1]);
                let arm = if arm.length() > 0.0 { arm } else { b.rotation.apply(DVec2::X) };
                sector(picture, at, SECTOR * size, arm.y.atan2(arm.x), value, limits);
            }
            if let Some(motor) = joint.acting_motor() {
                turn(picture, at, MOTOR * size, motor);
            }
        }
        JointKind::Slider(slider) => {
            along_the_axis(picture, world, joint, slider, joint.acting_motor(), size)
        }
        JointKind::Distance(_)
        | JointKind::Rope(_)
        | JointKind::Pulley(_)
        | JointKind::Weld(_)
        | JointKind::Slot(_)
        | JointKind::Bead(_)
        | JointKind::PoseMotor(_)
        | JointKind::Gear(_)
        | JointKind::Custom(_) => {}
    }
}

/// Limits of a slot or a wheel, the motor of a slot along its axis, and that of a wheel about its hub.
fn slot_drives(picture: &Picture<'_>, world: &World, joint: &Joint, slot: &Slot, size: f32) {
    let slider = Slider { anchors: slot.anchors, axis: slot.axis, reference_angle: 0.0 };
    let turns = slot.suspension.is_some();
    along_the_axis(picture, world, joint, &slider, joint.acting_motor().filter(|_| !turns), size);
    if let Some(motor) = joint.acting_motor().filter(|_| turns) {
        let hub = picture.at(anchor_in_world(world, joint.bodies()[1], slot.anchors[1]));
        turn(picture, hub, MOTOR * size, motor);
    }
}

/// Limits and a motor along the axis of a slider.
fn along_the_axis(
    picture: &Picture<'_>,
    world: &World,
    joint: &Joint,
    slider: &Slider,
    motor: Option<Motor>,
    size: f32,
) {
    let stretch = Stretch::new(picture, world, joint, slider);
    if let Some(limits) = joint.limits {
        stretch.limits(picture, limits.map(|limit| limit + joint.zero), size);
    }
    if let Some(motor) = motor.filter(|motor| motor.speed != 0.0) {
        let along = stretch.along * (8.0 * size * motor.speed.signum() as f32);
        let from = picture.at(anchor_in_world(world, joint.bodies()[1], slider.anchors[1]));
        let stroke = Stroke::new(1.4, picture.palette.accent);
        arrow(picture.painter, from + 3.0 * size * stretch.across, along, stroke);
    }
}

/// The allowed angles about a hinge, and the present one, in the error's colour where it is beyond them.
/// `direction` is where body b lies now, at the coordinate `value`, rad.
fn sector(picture: &Picture<'_>, at: Pos2, radius: f32, direction: f64, value: f64, limits: [f64; 2]) {
    // On a side without a limit half a turn is shown.
    let [lower, upper] =
        limits.map(|limit| if limit.is_finite() { limit } else { value + limit.signum() * PI });
    let (from, to) = (direction + lower - value, direction + upper - value);
    let to = to.min(from + TAU);
    let palette = picture.palette;
    let allowed = (limits[0]..=limits[1]).contains(&value);
    let color = if allowed { palette.accent } else { palette.error };
    let rim = arc(at, radius, from, to);
    let mut mesh = Mesh::default();
    mesh.colored_vertex(at, color.gamma_multiply(FAINT));
    for point in &rim {
        mesh.colored_vertex(*point, color.gamma_multiply(FAINT));
    }
    for i in 1..rim.len() as u32 {
        mesh.add_triangle(0, i, i + 1);
    }
    picture.painter.add(Shape::mesh(mesh));
    let thin = Stroke::new(1.0, color.gamma_multiply(0.45));
    for end in [rim.first(), rim.last()].into_iter().flatten() {
        picture.painter.line_segment([at, *end], thin);
    }
    picture.painter.line(rim, thin);
    let hand = at + radius * toward(direction);
    picture.painter.line_segment([at, hand], Stroke::new(1.6, color));
}

/// An arrow round a hinge, in the direction in which its motor turns body b.
fn turn(picture: &Picture<'_>, at: Pos2, radius: f32, Motor { speed, .. }: Motor) {
    if speed == 0.0 {
        return;
    }
    let to = PI + speed.signum() * TURN;
    let color = picture.palette.accent;
    let mut points = arc(at, radius, PI, to);
    picture.painter.line(points.clone(), Stroke::new(1.3, color));
    let (Some(tip), Some(before)) = (points.pop(), points.pop()) else { return };
    let along = (tip - before).normalized() * (0.7 * radius);
    let side = 0.5 * along.rot90();
    let head = vec![tip + 0.6 * along, tip - 0.4 * along + side, tip - 0.4 * along - side];
    picture.painter.add(Shape::convex_polygon(head, color, Stroke::NONE));
}

fn toward(angle: f64) -> Vec2 {
    let (sin, cos) = angle.sin_cos();
    vec2(cos as f32, -sin as f32)
}

pub(super) fn arc(at: Pos2, radius: f32, from: f64, to: f64) -> Vec<Pos2> {
    let facets = ((to - from).abs() / FACET).ceil().max(1.0) as usize;
    (0..=facets).map(|i| at + radius * toward(from + (to - from) * i as f64 / facets as f64)).collect()
}

/// A slider's axis on the screen.
struct Stretch {
    anchor: DVec2,
    axis: DVec2,
    along: Vec2,
    across: Vec2,
}

impl Stretch {
    fn new(picture: &Picture<'_>, world: &World, joint: &Joint, slider: &Slider) -> Self {
        let anchor = anchor_in_world(world, joint.bodies()[0], slider.anchors[0]);
        let axis = world.frame(joint.bodies()[0]).rotation.apply(slider.axis);
        let along = (picture.at(anchor + axis) - picture.at(anchor)).normalized();
        Self { anchor, axis, along, across: along.rot90() }
    }

    /// Bars where the stretch ends, and a line between them.
    fn limits(&self, picture: &Picture<'_>, limits: [f64; 2], size: f32) {
        let stroke = Stroke::new(1.4, picture.palette.accent);
        let ends =
            limits.map(|limit| limit.is_finite().then(|| picture.at(self.anchor + self.axis * limit)));
        for end in ends.into_iter().flatten() {
            let bar = BAR * size * self.across;
            picture.painter.line_segment([end - bar, end + bar], stroke);
        }
        if let [Some(from), Some(to)] = ends {
            picture.painter.line_segment([from, to], Stroke::new(3.0, stroke.color.gamma_multiply(FAINT)));
        }
    }
}
