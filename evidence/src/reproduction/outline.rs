//! The outlines of bodies as points in the world, for pictures of frames.

use driftlab::experiment::internal::outline;
use driftlab::model::{Body, Placement, Shape};
use driftlab_engine::internal::Rotation;
use glam::{DVec2, DVec3};

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
    let draw = |placed: &Placement| {
        if let Some((point, normal)) = outline::boundary(placed) {
            return Outline::Endless(place(point), turn.apply(normal));
        }
        let mut points = outline::open(placed);
        if points.is_empty() {
            points = outline::closed(placed);
            points.extend(points.first().copied()); // a closed line ends where it begins
            if matches!(placed.shape, Shape::Circle { .. }) {
                points.push(placed.offset); // a radius shows how a disk has turned
            }
        }
        Outline::Line(points.into_iter().map(place).collect())
    };
    body.shapes().iter().map(draw).collect()
}
