//! The outlines of bodies as points in the world, for pictures of frames.

use crate::internal::Rotation;
use crate::model::{Body, Placement, Shape};
use glam::{DVec2, DVec3};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Points of a full circle.
const CIRCLE_POINTS: usize = 64;

/// A line to be drawn.
pub(crate) enum Outline {
    /// Points in order, m.
    Line(Vec<DVec2>),
    /// A straight line without ends: a point of it, m, and its unit normal, to the outside.
    Endless(DVec2, DVec2),
}

/// The outlines of a body whose centre of mass stands at (x, y) with the angle θ.
pub(crate) fn outlines(body: &Body, pose: DVec3) -> Vec<Outline> {
    // From the body's own pose to the wanted one, by way of the body's coordinates.
    let turn = Rotation::from_angle(pose.z);
    let origin = body.origin() - body.pose.position;
    let own = Rotation::from_angle(-body.pose.angle).apply(origin);
    let place = |point: DVec2| pose.truncate() + turn.apply(own + point);
    let draw = |placed: &Placement| match &placed.shape {
        Shape::HalfPlane { normal, offset } => {
            let normal = Rotation::from_angle(placed.angle).apply(normal.normalize_or_zero());
            Outline::Endless(place(placed.offset + normal * *offset), turn.apply(normal))
        }
        shape => {
            let rotation = Rotation::from_angle(placed.angle);
            let points = points(shape).into_iter();
            Outline::Line(points.map(|p| place(placed.offset + rotation.apply(p))).collect())
        }
    };
    body.shapes().iter().map(draw).collect()
}

/// The outline in the shape's own frame; closed ones end where they begin.
fn points(shape: &Shape) -> Vec<DVec2> {
    let mut points = match shape {
        // A radius shows how a disk has turned.
        Shape::Circle { radius } => {
            let mut points = arc(DVec2::ZERO, DVec2::splat(*radius), 0.0, TAU);
            points.extend([DVec2::new(*radius, 0.0), DVec2::ZERO]);
            return points;
        }
        Shape::Ellipse { semi_axes } => arc(DVec2::ZERO, *semi_axes, 0.0, TAU),
        Shape::Box { size } => [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
            .map(|(x, y)| *size * DVec2::new(x, y))
            .to_vec(),
        Shape::Capsule { length, radius } => {
            let (end, r) = (DVec2::new(0.5 * length, 0.0), DVec2::splat(*radius));
            let mut points = arc(end, r, -FRAC_PI_2, FRAC_PI_2);
            points.extend(arc(-end, r, FRAC_PI_2, FRAC_PI_2 + PI));
            points
        }
        Shape::Polygon { vertices } => vertices.clone(),
        Shape::Polyline { points } => return points.clone(),
        Shape::HalfPlane { .. } => Vec::new(),
    };
    points.extend(points.first().copied());
    points
}

fn arc(center: DVec2, axes: DVec2, from: f64, to: f64) -> Vec<DVec2> {
    let at = |i: usize| {
        let turn = Rotation::from_angle(from + (to - from) * i as f64 / CIRCLE_POINTS as f64);
        center + axes * turn.apply(DVec2::X)
    };
    (0..=CIRCLE_POINTS).map(at).collect()
}
