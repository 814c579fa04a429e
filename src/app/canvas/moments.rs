//! Arrows of the moments of joints, with those of their motors and limits: arcs about their points on their second bodies.

use super::Picture;
use super::arrows::median_size;
use super::drives::arc;
use crate::model::{JointId, JointKind};
use crate::report::ConstraintId;
use crate::workbench::model::Model;
use crate::workbench::runs::live_run::LiveRun;
use crate::workbench::stage::framing::anchor_in_world;
use egui_macroquad::egui::{Shape, Stroke};
use std::f64::consts::PI;

/// Radius of an arc, points, and its width.
const RADIUS: f32 = 15.0;
const WIDTH: f32 = 1.5;
/// Largest angle of an arc, rad: of a moment that is many times the typical force on an arm of a body's size.
const MOST: f64 = 1.5 * PI;
/// Smaller arcs are left out, rad.
const LEAST: f64 = 0.2;

/// The moments of the joints on their second bodies, if forces of joints are shown.
pub(super) fn of_joints(picture: &Picture<'_>, model: &Model, run: &LiveRun) {
    let Some(account) = run.account().filter(|_| model.view.joint_forces) else { return };
    let world = run.world();
    let reference = run.typical().joints * median_size(world);
    let mut moments: Vec<(JointId, f64)> = Vec::new();
    for impulse in account.impulses() {
        let (id, turns) = match impulse.constraint {
            ConstraintId::Joint(id) => (id, world.joint(id).is_some_and(|own| holds_angle(&own.kind))),
            ConstraintId::Motor(id) | ConstraintId::LowerLimit(id) | ConstraintId::UpperLimit(id) => {
                (id, world.joint(id).is_some_and(|own| matches!(own.kind, JointKind::Hinge(_))))
            }
            _ => continue,
        };
        let Some(joint) = world.joint(id).filter(|_| turns) else { continue };
        let body = joint.bodies()[1];
        let arm =
            anchor_in_world(world, body, joint.kind.anchors()[1]) - world.bodies()[body].pose.position;
        let on_b = impulse.on_bodies[1] / account.duration();
        moments.push((id, on_b.z - arm.perp_dot(on_b.truncate())));
    }
    moments.sort_by_key(|(id, _)| *id);
    for own in moments.chunk_by(|one, other| one.0 == other.0) {
        let moment: f64 = own.iter().map(|(_, moment)| moment).sum();
        let angle = MOST * moment / (moment.abs() + reference);
        let Some(joint) = world.joint(own[0].0).filter(|_| angle.abs() > LEAST) else { continue };
        let at = picture.at(anchor_in_world(world, joint.bodies()[1], joint.kind.anchors()[1]));
        if !picture.rect.expand(RADIUS).contains(at) {
            continue;
        }
        let mut points = arc(at, RADIUS, 0.5 * PI, 0.5 * PI + angle);
        let color = picture.palette.accent;
        picture.painter.line(points.clone(), Stroke::new(WIDTH, color));
        let (Some(tip), Some(before)) = (points.pop(), points.pop()) else { continue };
        let along = (tip - before).normalized() * 6.0;
        let side = 0.5 * along.rot90();
        let head = vec![tip + 0.6 * along, tip - 0.4 * along + side, tip - 0.4 * along - side];
        picture.painter.add(Shape::convex_polygon(head, color, Stroke::NONE));
    }
}

/// Whether the rows of a joint carry a moment.
fn holds_angle(kind: &JointKind) -> bool {
    matches!(kind, JointKind::Weld(_) | JointKind::Slider(_) | JointKind::Custom(_))
}
