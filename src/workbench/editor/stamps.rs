//! Stamps: chains, stacks and pyramids with a number of bodies.

use super::edit::Edit;
use super::parts::Parts;
use super::place::{Place, bar, body, frame, joint, under};
use crate::model::joint::Hinge;
use crate::model::{JointKind, Shape};
use glam::{DVec2, dvec2};

/// Radius of a chain's bars, as a share of their length.
const THIN: f64 = 0.12;
/// Width of a pyramid's boxes, as a share of their distance: neighbours of a row do not touch.
const NARROW: f64 = 0.96;

/// Bars hinged in a row; the first is hinged to what lies at the first end.
pub(super) fn chain(place: Place<'_>) -> Result<Edit, String> {
    let mut parts = Parts::default();
    let [from, to] = place.line(2.0 * place.count as f64);
    let holder = match under(place.world, from, place.reach).first() {
        Some(index) => *index,
        None => frame(place.world, &mut parts)?,
    };
    let first = place.world.bodies().len() + parts.bodies.len();
    let link = (to - from) / place.count as f64;
    for i in 0..place.count {
        let ends = [i, i + 1].map(|i| from + i as f64 * link);
        parts.bodies.push(bar("link", ends, THIN * link.length())?);
        let before = if i == 0 { holder } else { first + i - 1 };
        let hinge = |anchors, _: [&crate::model::Body; 2]| JointKind::Hinge(Hinge { anchors });
        joint(place.world, &mut parts, [before, first + i], [ends[0]; 2], hinge)?;
    }
    Ok(Edit::Add(Box::new(parts)))
}

/// Boxes on top of each other, which fill the rectangle.
pub(super) fn stack(place: Place<'_>) -> Result<Edit, String> {
    let count = place.count as f64;
    let [middle, size] = place.rectangle(dvec2(2.0, 2.0 * count));
    let one = dvec2(size.x, size.y / count);
    let foot = middle - dvec2(0.0, 0.5 * size.y);
    boxes((0..place.count).map(|i| foot + dvec2(0.0, (i as f64 + 0.5) * one.y)), one)
}

/// Rows of boxes, which fill the rectangle up to a triangle.
pub(super) fn pyramid(place: Place<'_>) -> Result<Edit, String> {
    let count = place.count as f64;
    let [middle, size] = place.rectangle(2.0 * dvec2(count, count));
    let one = size / count;
    let foot = middle - 0.5 * size;
    let rows = (0..place.count).flat_map(|row| (0..place.count - row).map(move |i| (row as f64, i as f64)));
    let places = rows.map(|(row, i)| foot + dvec2((0.5 * row + i + 0.5) * one.x, (row + 0.5) * one.y));
    boxes(places, dvec2(NARROW * one.x, one.y))
}

fn boxes(places: impl Iterator<Item = DVec2>, size: DVec2) -> Result<Edit, String> {
    let bodies = places.map(|at| body("box", at, 0.0, Shape::Box { size })).collect::<Result<_, _>>()?;
    Ok(Edit::Add(Box::new(Parts { bodies, ..Parts::default() })))
}
