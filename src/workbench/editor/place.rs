//! Where a tool was drawn, and what lies there: what all tools share.

use super::edit::Edit;
use super::parts::Parts;
use crate::detect::distance_to;
use crate::model::{Body, BodyKind, Joint, JointKind, MassSpec, Placement, Shape, World};
use crate::scene::DEFAULT_FRICTION;
use glam::{DVec2, dvec2};

/// What a tool is given: where it was drawn, and in what.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The world.
    pub world: &'a World,
    /// The points that were drawn, m: one, two, or more.
    pub points: &'a [DVec2],
    /// Distance of the grid's lines, m: the size of what is placed by a click.
    pub grid: f64,
    /// Distance within which a body is found, m.
    pub reach: f64,
    /// How many bodies a stamp has.
    pub count: usize,
}

impl Place<'_> {
    /// Where it begins, m.
    pub fn first(&self) -> DVec2 {
        self.points.first().copied().unwrap_or_default()
    }

    /// Where it ends, m.
    pub fn last(&self) -> DVec2 {
        self.points.last().copied().unwrap_or_default()
    }

    /// The two ends of a line; of a click, from there to the right.
    pub fn line(&self, length: f64) -> [DVec2; 2] {
        let (from, to) = (self.first(), self.last());
        if from.distance(to) > self.reach {
            [from, to]
        } else {
            [from, from + dvec2(length * self.grid, 0.0)]
        }
    }

    /// Middle and size of a box; of a click, that of two by two lines of the grid.
    pub fn rectangle(&self, size: DVec2) -> [DVec2; 2] {
        let (from, to) = (self.first(), self.last());
        let across = (to - from).abs();
        if across.min_element() > 0.5 * self.reach {
            [0.5 * (from + to), across]
        } else {
            [from, size * self.grid]
        }
    }
}

/// A body that forces move, named by its kind.
pub fn body(name: &str, at: DVec2, angle: f64, shape: Shape) -> Result<Body, String> {
    let kind = if shape.has_area() { BodyKind::Dynamic } else { BodyKind::Fixed };
    let body = Body::new(kind, at, angle, vec![Placement::centred(shape)], MassSpec::default());
    let mut body = body.map_err(|error| error.to_string())?;
    name.clone_into(&mut body.name);
    body.friction = DEFAULT_FRICTION;
    Ok(body)
}

/// The edit that adds one body.
pub fn add(body: Body) -> Result<Edit, String> {
    Ok(Edit::Add(Box::new(Parts { bodies: vec![body], ..Parts::default() })))
}

/// A capsule whose ends have their middles at these points.
pub fn bar(name: &str, [from, to]: [DVec2; 2], radius: f64) -> Result<Body, String> {
    let along = to - from;
    body(name, 0.5 * (from + to), along.y.atan2(along.x), Shape::Capsule { length: along.length(), radius })
}

/// The bodies under a point, those that move first, of each the nearest and then the topmost before the others; indices.
pub fn under(world: &World, at: DVec2, reach: f64) -> Vec<usize> {
    let all = world.bodies().iter().enumerate().rev();
    let all = all.map(|(index, body)| (index, body, distance_to(body, at)));
    let mut found: Vec<_> = all.filter(|(.., distance)| *distance <= 0.5 * reach).collect();
    found
        .sort_by(|(_, a, near), (_, b, far)| b.is_dynamic().cmp(&a.is_dynamic()).then(near.total_cmp(far)));
    found.into_iter().map(|(index, ..)| index).collect()
}

/// The index of a body that stands still, which takes what hangs on nothing else: one of the world, or a new one without a shape.
pub fn frame(world: &World, parts: &mut Parts) -> Result<usize, String> {
    if let Some(index) = world.bodies().iter().position(|body| body.kind() == BodyKind::Fixed) {
        return Ok(index);
    }
    let body = Body::new(BodyKind::Fixed, DVec2::ZERO, 0.0, Vec::new(), MassSpec::default());
    let mut body = body.map_err(|error| error.to_string())?;
    "ground".clone_into(&mut body.name);
    parts.bodies.push(body);
    Ok(world.bodies().len() + parts.bodies.len() - 1)
}

/// A body of the world, or a new one of the parts.
pub fn end<'a>(world: &'a World, parts: &'a Parts, index: usize) -> Option<&'a Body> {
    let there = world.bodies();
    there.get(index).or_else(|| parts.bodies.get(index.checked_sub(there.len())?))
}

/// Why a joint is not placed.
pub const NOTHING: &str = "nothing that moves lies there to be held (click on a body, or place one first)";

/// A joint between two bodies at points of the world.
pub fn joint(
    world: &World,
    parts: &mut Parts,
    bodies: [usize; 2],
    points: [DVec2; 2],
    kind: impl FnOnce([DVec2; 2], [&Body; 2]) -> JointKind,
) -> Result<(), String> {
    let (Some(a), Some(b)) = (end(world, parts, bodies[0]), end(world, parts, bodies[1])) else {
        return Err(NOTHING.to_owned());
    };
    let anchors = [a.anchor_at(points[0]), b.anchor_at(points[1])];
    let kind = kind(anchors, [a, b]);
    parts.joints.push(Joint::new(bodies, kind));
    Ok(())
}

/// The body that moves under the first point.
pub fn moving<'a>(place: &Place<'a>) -> Result<(usize, &'a Body), String> {
    let index = under(place.world, place.first(), place.reach).first().copied();
    let found = index.map(|index| (index, &place.world.bodies()[index]));
    found.filter(|(_, body)| body.is_dynamic()).ok_or_else(|| NOTHING.to_owned())
}
