//! The outlines of shapes, as points of the body's frame: what pictures and the window draw.

use crate::internal::Rotation;
use crate::model::{Placement, Shape};
use glam::DVec2;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Points of a full circle.
const CIRCLE_POINTS: usize = 72;

/// The closed outline of a placed shape in the body's frame, m; empty for shapes without an inside.
pub fn closed(placed: &Placement) -> Vec<DVec2> {
    let own = match &placed.shape {
        Shape::Circle { radius } => arc(DVec2::ZERO, DVec2::splat(*radius), 0.0, TAU, CIRCLE_POINTS),
        Shape::Ellipse { semi_axes } => arc(DVec2::ZERO, *semi_axes, 0.0, TAU, CIRCLE_POINTS),
        Shape::Box { size } => {
            let half = 0.5 * *size;
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(x, y)| half * DVec2::new(x, y))
                .to_vec()
        }
        Shape::Capsule { length, radius } => {
            let (end, r) = (DVec2::new(0.5 * length, 0.0), DVec2::splat(*radius));
            let mut points = arc(end, r, -FRAC_PI_2, FRAC_PI_2, CIRCLE_POINTS / 2);
            points.push(end + DVec2::new(0.0, *radius));
            points.extend(arc(-end, r, FRAC_PI_2, FRAC_PI_2 + PI, CIRCLE_POINTS / 2));
            points.push(-end - DVec2::new(0.0, *radius));
            points
        }
        Shape::Polygon { vertices, radius } if *radius > 0.0 => rounded(vertices, *radius),
        Shape::Polygon { vertices, .. } => vertices.clone(),
        Shape::HalfPlane { .. } | Shape::Polyline { .. } => Vec::new(),
    };
    in_body(placed, own)
}

/// The open line of a polyline in the body's frame, m; empty for every other shape.
pub fn open(placed: &Placement) -> Vec<DVec2> {
    match &placed.shape {
        Shape::Polyline { points } => in_body(placed, points.clone()),
        _ => Vec::new(),
    }
}

/// The boundary of a half plane in the body's frame: a point on it (m) and the outward unit normal.
pub fn boundary(placed: &Placement) -> Option<(DVec2, DVec2)> {
    let Shape::HalfPlane { normal, offset } = &placed.shape else { return None };
    let turn = Rotation::from_angle(placed.angle);
    let normal = normal.normalize_or_zero();
    Some((placed.offset + turn.apply(normal * *offset), turn.apply(normal)))
}

fn in_body(placed: &Placement, mut points: Vec<DVec2>) -> Vec<DVec2> {
    let turn = Rotation::from_angle(placed.angle);
    for point in &mut points {
        *point = placed.offset + turn.apply(*point);
    }
    points
}

/// A convex polygon with an arc about each of its corners.
fn rounded(vertices: &[DVec2], radius: f64) -> Vec<DVec2> {
    let n = vertices.len();
    let edge = |i: usize| vertices[(i + 1) % n] - vertices[i % n];
    let turn = |i: usize| edge(i + n - 1).perp_dot(edge(i)).atan2(edge(i + n - 1).dot(edge(i)));
    // Of a polygon in clockwise order the normals point to the left of its edges.
    let side = if (0..n).map(turn).sum::<f64>() > 0.0 { -FRAC_PI_2 } else { FRAC_PI_2 };
    let corner = |i: usize| {
        let from = edge(i + n - 1).to_angle() + side;
        let points = (turn(i).abs() / TAU * CIRCLE_POINTS as f64).ceil() as usize + 1;
        let mut points = arc(vertices[i], DVec2::splat(radius), from, from + turn(i), points);
        points.push(vertices[i] + radius * DVec2::from_angle(from + turn(i)));
        points
    };
    (0..n).flat_map(corner).collect()
}

fn arc(center: DVec2, axes: DVec2, from: f64, to: f64, points: usize) -> Vec<DVec2> {
    let angle = |i| from + (to - from) * i as f64 / points as f64;
    (0..points)
        .map(|i| {
            let (sin, cos) = angle(i).sin_cos();
            center + axes * DVec2::new(cos, sin)
        })
        .collect()
}
