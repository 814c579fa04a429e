//! Shapes of a body, read and written.

use super::grid;
use super::reader::{Cursor, Object};
use super::surfaces;
use super::write::{number, object, pair};
use crate::model::{Filter, Materials, Placement, Profile, Shape, Surface};
use glam::DVec2;
use serde_json::{Value, json};

/// Largest number of vertices of a polygon or polyline; the check for crossings compares all pairs of edges.
pub(crate) const MAX_VERTICES: usize = 4096;

/// What shapes have to know of their body and scene.
pub(super) struct OfBody<'a> {
    pub materials: &'a Materials,
    pub filter: Filter,
    /// Whether the body's mass is given, so that densities have no use.
    pub has_mass: bool,
}

/// Reads one element of `shapes`, of which a grid is several shapes.
pub(super) fn read(cursor: &Cursor<'_>, of_body: &OfBody<'_>) -> Option<Vec<Placement>> {
    let keys = cursor.object("a shape {\"shape\": …}")?;
    let kind = keys.require("shape", "the kind of shape")?;
    type Reader = fn(&Object<'_>) -> Option<Vec<(Shape, DVec2)>>;
    let read: Reader = kind.one_of(
        "a kind of shape",
        &[
            ("circle", (|keys| one(circle(keys))) as Reader),
            ("box", |keys| one(rectangle(keys))),
            ("ellipse", |keys| one(ellipse(keys))),
            ("capsule", |keys| one(capsule(keys))),
            ("polygon", |keys| one(polygon(keys))),
            ("half_plane", |keys| one(half_plane(keys))),
            ("polyline", |keys| one(polyline(keys))),
            ("grid", grid::read),
        ],
    )?;
    let shapes = read(&keys);
    // A half plane's `offset` may be a number, its distance along the normal, which `half_plane` has read.
    let is_distance = matches!(shapes.as_deref(), Some([(Shape::HalfPlane { .. }, _)]))
        && keys.get("offset").is_some_and(|offset| offset.is_number());
    let offset =
        if is_distance { Some(DVec2::ZERO) } else { keys.or("offset", DVec2::ZERO, Cursor::vector) };
    let angle = keys.or("angle", 0.0, Cursor::number);
    let surface = surface(&keys, of_body);
    keys.finish();
    let (shapes, offset, angle, (surface, surface_profile)) = (shapes?, offset?, angle?, surface?);
    let turn = crate::internal::Rotation::from_angle(angle);
    // The sizes have been checked one by one with their paths; this checks the rest, a polygon's geometry.
    let placed = |(shape, at): (Shape, DVec2)| match shape.check() {
        Ok(()) => {
            let offset = if at == DVec2::ZERO { offset } else { offset + turn.apply(at) };
            Some(Placement { shape, offset, angle, surface, surface_profile: surface_profile.clone() })
        }
        Err(error) => {
            cursor.problem(error.to_string());
            None
        }
    };
    shapes.into_iter().map(placed).collect()
}

/// A shape at its own origin.
fn one(shape: Option<Shape>) -> Option<Vec<(Shape, DVec2)>> {
    Some(vec![(shape?, DVec2::ZERO)])
}

/// What the shape has of its own, and what drives its speed.
fn surface(keys: &Object<'_>, of_body: &OfBody<'_>) -> Option<(Surface, Option<Profile>)> {
    let OfBody { materials, filter, has_mass } = *of_body;
    let density = keys.maybe("density", Cursor::positive);
    let own = surfaces::read(keys, materials, 0.0);
    let filtered = ["categories", "mask", "group"].map(|key| keys.get(key).is_some()).contains(&true);
    let filter = surfaces::read_filter(keys, filter);
    let (density, (own, driven), filter) = (density?, own?, filter?);
    if let (Some(_), true, Some(cursor)) = (density, has_mass, keys.get("density")) {
        cursor.problem("expected no density of a shape where the body's mass is given");
        return None;
    }
    let density = density.or(own.density.filter(|_| !has_mass));
    Some((Surface { density, filter: filtered.then_some(filter), ..own }, driven))
}

fn circle(keys: &Object<'_>) -> Option<Shape> {
    let radius = keys.require("radius", "a number greater than 0")?.positive()?;
    Some(Shape::Circle { radius })
}

fn rectangle(keys: &Object<'_>) -> Option<Shape> {
    let size = keys.require("size", "[width, height]")?.positive_vector()?;
    Some(Shape::Box { size })
}

fn ellipse(keys: &Object<'_>) -> Option<Shape> {
    let semi_axes = keys.require("semi_axes", "[a, b]")?.positive_vector()?;
    Some(Shape::Ellipse { semi_axes })
}

fn capsule(keys: &Object<'_>) -> Option<Shape> {
    let length = keys.require("length", "a number greater than 0").map(|c| c.positive());
    let radius = keys.require("radius", "a number greater than 0").map(|c| c.positive());
    Some(Shape::Capsule { length: length??, radius: radius?? })
}

fn polygon(keys: &Object<'_>) -> Option<Shape> {
    let cursor = keys.require("vertices", "an array of points [x, y]")?;
    let vertices = few(&cursor, cursor.points()?)?;
    if !cursor.spend(effort(&vertices)) {
        cursor.problem(
            "the polygons of this scene take too long to check and to divide (expected fewer vertices: the sum of n³ over all \
             concave polygons of n vertices at most 1e10)",
        );
        return None;
    }
    let radius = match keys.get("radius") {
        Some(radius) => radius.positive()?,
        None => 0.0,
    };
    let shape = Shape::Polygon { vertices, radius };
    match shape.check() {
        Ok(()) => Some(shape),
        Err(error) => {
            cursor.problem(error.to_string());
            None
        }
    }
}

fn polyline(keys: &Object<'_>) -> Option<Shape> {
    let cursor = keys.require("points", "an array of points [x, y]")?;
    let points = few(&cursor, cursor.points()?)?;
    if points.len() < 2 || points.windows(2).any(|pair| pair[0] == pair[1]) {
        cursor.problem("expected two points or more, no two in a row the same");
        return None;
    }
    Some(Shape::Polyline { points })
}

/// The work that a polygon of n vertices costs: n³ to cut off ears and n² to look for crossings, in units of the former; measured
/// with combs and circles of up to 4,096 vertices.
pub(crate) fn effort(vertices: &[DVec2]) -> f64 {
    /// A pair of edges, in units of a step of the division.
    const PAIR: f64 = 30.0;
    let n = vertices.len();
    let turns = |i: usize| {
        let [a, b, c] = [vertices[i], vertices[(i + 1) % n], vertices[(i + 2) % n]];
        (b - a).perp_dot(c - b)
    };
    let convex = (0..n).all(|i| turns(i) >= 0.0) || (0..n).all(|i| turns(i) <= 0.0);
    let n = n as f64;
    PAIR * n * n + if convex { 0.0 } else { n * n * n }
}

fn few(cursor: &Cursor<'_>, points: Vec<DVec2>) -> Option<Vec<DVec2>> {
    if points.len() > MAX_VERTICES {
        cursor.problem(format!("expected at most {MAX_VERTICES} points, found {}", points.len()));
        return None;
    }
    Some(points)
}

fn half_plane(keys: &Object<'_>) -> Option<Shape> {
    let normal = keys.require("normal", "a direction [x, y]").map(|c| c.direction());
    let distance = match keys.get("offset") {
        Some(offset) if offset.is_number() => offset.number(),
        _ => Some(0.0),
    };
    Some(Shape::HalfPlane { normal: normal??, offset: distance? })
}

/// Writes one element of `shapes`.
pub(super) fn write(placement: &Placement, materials: &Materials) -> Value {
    let Placement { shape, offset, angle, surface, surface_profile } = placement;
    let points = |points: &[DVec2]| points.iter().copied().map(pair).collect::<Vec<_>>();
    let mut keys = vec![("shape", json!(shape.key()))];
    match shape {
        Shape::Circle { radius } => keys.push(("radius", number(*radius))),
        Shape::Box { size } => keys.push(("size", pair(*size))),
        Shape::Ellipse { semi_axes } => keys.push(("semi_axes", pair(*semi_axes))),
        Shape::Capsule { length, radius } => {
            keys.extend([("length", number(*length)), ("radius", number(*radius))]);
        }
        Shape::Polygon { vertices, radius } => {
            keys.push(("vertices", points(vertices).into()));
            if *radius != 0.0 {
                keys.push(("radius", number(*radius)));
            }
        }
        Shape::Polyline { points: p } => keys.push(("points", points(p).into())),
        Shape::HalfPlane { normal, .. } => keys.push(("normal", pair(*normal))),
    }
    match shape {
        // The distance and the vector share a key, so that only one can be written. Their sum gives the same plane.
        Shape::HalfPlane { normal, offset: distance } if *distance != 0.0 => {
            let turned = crate::internal::Rotation::from_angle(*angle).apply(*normal);
            keys.push(("offset", number(*distance + turned.dot(*offset))));
        }
        _ if *offset != DVec2::ZERO => keys.push(("offset", pair(*offset))),
        _ => {}
    }
    if *angle != 0.0 {
        keys.push(("angle", number(*angle)));
    }
    let material = surfaces::material(surface.material, materials);
    keys.extend(material.map(|own| ("material", json!(own.name))));
    let usual = material.map(|own| own.surface).unwrap_or_default();
    let density = surface.density.filter(|density| usual.density != Some(*density));
    keys.extend(density.map(|density| ("density", number(density))));
    keys.extend(surfaces::write(surface, &usual, surface_profile.as_ref()));
    if let Some(Filter { categories, mask, group }) = surface.filter {
        keys.extend([("categories", json!(categories)), ("mask", json!(mask)), ("group", json!(group))]);
    }
    object(keys)
}
