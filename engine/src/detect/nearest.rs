//! The point of a body's surface nearest to a given point, and the body nearest to it.
//!
//! Cuts of decomposed polygons are no surface. Where shapes of one body overlap, the depth of a point is that in the
//! shape in which it is deepest.

use super::feature::Profile;
use super::normal;
use super::solid::nearest_on_segment;
use crate::math::Rotation;
use crate::model::{Body, BodyId, Core, Ellipse, Piece, Pose, World};
use glam::DVec2;

/// The point of the body's surface nearest to `point` (m, world), and its distance: negative inside. None for a body
/// without shapes.
pub fn nearest_point(body: &Body, pose: &Pose, point: impl Into<DVec2>) -> Option<(DVec2, f64)> {
    let rotation = Rotation::from_angle(pose.angle);
    let local = rotation.inverse_apply(point.into() - pose.position);
    let (surface, distance) = least(body.pieces().iter().map(|piece| of_piece(body, piece, local)))?;
    Some((pose.position + rotation.apply(surface), distance))
}

/// Distance of a world point from the body's shapes and its centre of mass, m: zero inside a shape.
pub fn distance_to(body: &Body, at: impl Into<DVec2>) -> f64 {
    let at = at.into();
    let to_surface = nearest_point(body, &body.pose, at).map_or(f64::INFINITY, |(_, distance)| distance);
    to_surface.max(0.0).min(at.distance(body.pose.position))
}

/// The dynamic body under the world point `at` (m); of several, the last in the list, which is drawn on top. If
/// there is none, the nearest dynamic body within `reach`, m, since a body may be too thin to be hit.
pub fn pick(world: &World, at: impl Into<DVec2>, reach: f64) -> Option<BodyId> {
    let at = at.into();
    let movable = world.bodies().iter().enumerate().rev().filter(|(_, body)| body.is_dynamic());
    let distances = movable.map(|(index, body)| (index, distance_to(body, at)));
    // `min_by` keeps the first of equal distances, which is the last body of the list.
    let nearest = distances.min_by(|a, b| a.1.total_cmp(&b.1));
    world.id_of(nearest.filter(|(_, distance)| *distance <= reach)?.0)
}

/// Height above a cut that is rounding, as a share of the distance of its corner from the centre of mass.
const ROUNDED: f64 = 8.0 * f64::EPSILON;

/// The point at the least distance, the first of equals.
fn least(points: impl Iterator<Item = (DVec2, f64)>) -> Option<(DVec2, f64)> {
    points.min_by(|(_, one), (_, other)| one.total_cmp(other))
}

/// The point of a piece of `body` nearest to `local` (m, from the centre of mass, in the body's axes), and its
/// distance: negative inside.
pub(super) fn of_piece(body: &Body, piece: &Piece, local: DVec2) -> (DVec2, f64) {
    match piece {
        Piece::Core(core) => of_core(body, core, local),
        Piece::Ellipse(ellipse) => of_ellipse(ellipse, local),
        Piece::HalfPlane { normal, offset } => {
            let distance = normal.dot(local) - offset;
            (local - distance * *normal, distance)
        }
    }
}

fn of_core(body: &Body, core: &Core, p: DVec2) -> (DVec2, f64) {
    let height = |i: usize| core.normals[i].dot(p - core.vertices[i]);
    let edges = core.normals.len();
    // On a cut between two pieces rounding must not put a point outside of both.
    let rounding = |i: usize| if core.exposes_edge(i) { 0.0 } else { ROUNDED * core.vertices[i].length() };
    let deep = edges > 2 && (0..edges).all(|i| height(i) <= rounding(i));
    if !deep {
        // Outside of the core: the rounding counts from its nearest point.
        let foot = closest_on(core, p).map_or(core.vertices[0], |(foot, _)| foot);
        let n = normal::direction(foot, p, core.normals.first().copied().unwrap_or(DVec2::Y));
        return (foot + core.radius * n, (p - foot).length() - core.radius);
    }
    if core.seam.is_none() {
        let edge = (0..edges).fold(0, |best, i| if height(i) > height(best) { i } else { best });
        let n = core.normals[edge];
        return (p - height(edge) * n + core.radius * n, height(edge) - core.radius);
    }
    // Inside of a piece of a polygon: the nearest edge may belong to a neighbour.
    let feet = body.pieces().iter().filter_map(|piece| match piece {
        Piece::Core(other) if other.seam.is_some() => closest_on(other, p),
        _ => None,
    });
    let (foot, depth) = least(feet).unwrap_or((p, f64::INFINITY));
    (foot, -depth)
}

/// The nearest point on the core's edges that are not cuts, and its distance.
fn closest_on(core: &Core, p: DVec2) -> Option<(DVec2, f64)> {
    let edges = (0..core.normals.len()).filter(|edge| core.exposes_edge(*edge));
    least(edges.map(|edge| {
        let (q, r) = (core.vertices[edge], core.vertices[(edge + 1) % core.vertices.len()]);
        let foot = nearest_on_segment(q, r, p);
        (foot, (p - foot).length())
    }))
}

fn of_ellipse(ellipse: &Ellipse, p: DVec2) -> (DVec2, f64) {
    let Ellipse { center, axis, semi_axes } = *ellipse;
    let curve = Profile::Ellipse { center, axis, semi_axes };
    let point = Profile::Round { center: p, radius: 0.0 };
    let (n, separation) = normal::largest(&curve, &point, &normal::closed(&normal::samples(&curve)), 0.0);
    (curve.support(n).point, separation)
}
