//! Gears: the pitch circles of two wheels in mesh, a belt round two that turn the same way, and a pinion's circle with a line
//! to its rack. A spoke in each circle shows how far its body has turned.

use super::Picture;
use crate::model::joint::{Gear, Slot};
use crate::model::{Joint, JointKind, World};
use crate::workbench::stage::framing::anchor_in_world;
use egui_macroquad::egui::{Shape, Stroke};
use glam::DVec2;

/// Width of the lines, points; lengths of dashes and of the gaps between them.
const LINE: f32 = 1.3;
const DASH: f32 = 5.0;
const GAP: f32 = 3.0;
/// Corners of a circle.
const CORNERS: usize = 72;
/// Opacity beside that of other joints, since the circles cross the bodies.
const OPACITY: f32 = 0.75;
/// The part of the distance between two joints that the radii of a belt's wheels take.
const BELT: f64 = 0.4;

/// A wheel: its centre and radius, m, and the angle of its spoke.
struct Wheel {
    at: DVec2,
    radius: f64,
    angle: f64,
}

pub(super) fn paint(picture: &Picture<'_>, world: &World, joint: &Joint, gear: &Gear) {
    let Some([_, second]) = joint.further().filter(|_| !joint.broken) else { return };
    let bodies = [joint.bodies()[1], second];
    let at = [0, 1].map(|side| anchor_in_world(world, bodies[side], gear.sides()[side].anchors()[1]));
    let (apart, ratio) = (at[0].distance(at[1]), gear.ratio.abs());
    let belt = gear.ratio < 0.0;
    let first = if belt { BELT } else { 1.0 } * apart / (1.0 + ratio);
    let slides = gear
        .sides()
        .each_ref()
        .map(|side| matches!(side, JointKind::Slider(_) | JointKind::Slot(Slot { suspension: None, .. })));
    let radii = match slides {
        [false, false] => [first, ratio * first],
        [false, true] => [1.0 / ratio, 0.0],
        [true, false] => [0.0, ratio],
        [true, true] => [0.0, 0.0],
    };
    let stroke = Stroke::new(LINE, picture.palette.joint.gamma_multiply(OPACITY));
    let wheels = [0, 1].map(|side| Wheel {
        at: at[side],
        radius: radii[side],
        angle: world.bodies()[bodies[side]].pose.angle,
    });
    wheels.iter().filter(|wheel| wheel.radius > 0.0).for_each(|wheel| circle(picture, wheel, stroke));
    if slides != [false, false] {
        dashed(picture, &at, stroke);
    } else if belt && apart > 0.0 {
        // The outer tangents of both circles.
        let along = (at[1] - at[0]) / apart;
        let cosine = ((radii[0] - radii[1]) / apart).clamp(-1.0, 1.0);
        let sine = (1.0 - cosine * cosine).sqrt();
        for side in [sine, -sine] {
            let normal = cosine * along + side * along.perp();
            let ends = [0, 1].map(|wheel| picture.at(at[wheel] + radii[wheel] * normal));
            picture.painter.line_segment(ends, stroke);
        }
    }
}

fn circle(picture: &Picture<'_>, wheel: &Wheel, stroke: Stroke) {
    let rim = |angle: f64| wheel.at + wheel.radius * DVec2::from_angle(angle);
    let corners = (0..=CORNERS).map(|i| rim(std::f64::consts::TAU * i as f64 / CORNERS as f64));
    dashed(picture, &corners.collect::<Vec<_>>(), stroke);
    let spoke = [wheel.at, rim(wheel.angle)].map(|point| picture.at(point));
    picture.painter.line_segment(spoke, stroke);
}

fn dashed(picture: &Picture<'_>, points: &[DVec2], stroke: Stroke) {
    let points: Vec<_> = points.iter().map(|point| picture.at(*point)).collect();
    // Of a circle far larger than the screen the dashes would be too many.
    let (first, size) = (points.first().copied().unwrap_or_default(), 4.0 * picture.rect.size().max_elem());
    if points.iter().all(|point| point.distance(first) < size) {
        picture.painter.extend(Shape::dashed_line(&points, stroke, DASH, GAP));
    }
}
