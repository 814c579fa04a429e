//! Convex pieces: the form in which collision detection uses a body's shapes, relative to the centre of mass.
//!
//! Circle, capsule, box, polygon and a link of a polyline are one thing, a *core* with a radius (`convex.rs`). An ellipse and
//! a half plane are pieces of their own kinds. A concave polygon becomes several cores (`decomposition.rs`); those and
//! the links of a polyline have *seams* to their neighbours, at which no other body can touch them.

use super::convex::{Core, Seam};
use super::decomposition::convex_cores;
use super::error::ModelError;
use super::shape::{Placement, Shape};
use crate::math::Rotation;
use glam::DVec2;

/// A convex part of a body; coordinates are relative to the centre of mass, in the body's axes.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// A rounded point, segment or convex polygon.
    Core(Core),
    /// An ellipse.
    Ellipse(Ellipse),
    /// All points p with normal·p ≤ offset.
    HalfPlane {
        /// Outward unit normal.
        normal: DVec2,
        /// Distance of the boundary from the centre of mass along the normal, m.
        offset: f64,
    },
}

/// A filled ellipse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipse {
    /// m.
    pub center: DVec2,
    /// Unit vector along the first semi-axis.
    pub axis: DVec2,
    /// Semi-axes, m.
    pub semi_axes: DVec2,
}

impl Piece {
    /// The pieces of `shapes` about the centre of mass `center`.
    ///
    /// # Errors
    /// A polygon that cannot be cut into convex pieces.
    pub(super) fn of(shapes: &[Placement], center: DVec2) -> Result<Vec<Self>, ModelError> {
        let mut pieces = Vec::new();
        Self::each(shapes, center, &mut pieces, |_, _| {})?;
        Ok(pieces)
    }

    /// The shape of each piece, by its index in `shapes`; the centre of mass does not matter.
    pub(super) fn owners(shapes: &[Placement]) -> Result<Vec<u32>, ModelError> {
        let (mut pieces, mut owners) = (Vec::new(), Vec::new());
        Self::each(shapes, DVec2::ZERO, &mut pieces, |shape, count| owners.resize(count, shape as u32))?;
        Ok(owners)
    }

    /// Adds the pieces of `shapes`, and calls `after` with the index of each and the number of pieces up to it.
    fn each(
        shapes: &[Placement],
        center: DVec2,
        pieces: &mut Vec<Self>,
        mut after: impl FnMut(usize, usize),
    ) -> Result<(), ModelError> {
        for (index, placed) in shapes.iter().enumerate() {
            let turn = Rotation::from_angle(placed.angle);
            let place = |p: DVec2| placed.offset + turn.apply(p) - center;
            let core = |vertices: &[DVec2], radius| {
                Self::Core(Core::new(vertices.iter().map(|p| place(*p)).collect(), radius))
            };
            match &placed.shape {
                Shape::Circle { radius } => pieces.push(core(&[DVec2::ZERO], *radius)),
                Shape::Capsule { length, radius } => {
                    let end = DVec2::new(length / 2.0, 0.0);
                    pieces.push(core(&[-end, end], *radius));
                }
                Shape::Box { size } => {
                    let h = *size / 2.0;
                    pieces.push(core(&[-h, DVec2::new(h.x, -h.y), h, DVec2::new(-h.x, h.y)], 0.0));
                }
                Shape::Polygon { vertices, radius } => {
                    let ring: Vec<DVec2> = vertices.iter().map(|p| place(*p)).collect();
                    let rounded = |core| Self::Core(Core { radius: *radius, ..core });
                    pieces.extend(convex_cores(&ring)?.into_iter().map(rounded));
                }
                Shape::Polyline { points } => {
                    let points: Vec<DVec2> = points.iter().map(|p| place(*p)).collect();
                    let first = pieces.len() as u32;
                    pieces.extend(links(&points, first).into_iter().map(Self::Core));
                }
                Shape::Ellipse { semi_axes } => pieces.push(Self::Ellipse(Ellipse {
                    center: place(DVec2::ZERO),
                    axis: turn.apply(DVec2::X),
                    semi_axes: *semi_axes,
                })),
                Shape::HalfPlane { normal, offset } => {
                    let normal = turn.apply(normal.normalize());
                    let offset = offset + normal.dot(placed.offset - center);
                    pieces.push(Self::HalfPlane { normal, offset });
                }
            }
            after(index, pieces.len());
        }
        Ok(())
    }

    /// Radius about the centre of mass of a circle that holds the piece, m; infinite for a half plane.
    pub fn bounding_radius(&self) -> f64 {
        match self {
            Self::Core(core) => core.vertices.iter().map(|p| p.length()).fold(0.0, f64::max) + core.radius,
            Self::Ellipse(e) => e.center.length() + e.semi_axes.max_element(),
            Self::HalfPlane { .. } => f64::INFINITY,
        }
    }
}

/// The links of a polyline. A joint between two links belongs to both, and can be touched from the directions from
/// which it is nearer than either link's inside; so a body that slides along a straight line of links meets no edge.
/// `first` is the number that the first link gets among the pieces of its body.
fn links(points: &[DVec2], first: u32) -> Vec<Core> {
    let directions: Vec<DVec2> = points.windows(2).map(|p| (p[1] - p[0]).normalize_or_zero()).collect();
    let count = directions.len();
    let closed = count > 2 && points[0] == points[count];
    let cone = |i: usize| {
        let between = [directions[(i + count - 1) % count], directions[i % count]];
        Some(if closed || (1..count).contains(&i) { between } else { Seam::FREE })
    };
    let joined = |i: usize, beside: usize| {
        let beside = (closed || (1..count).contains(&i)).then_some(beside % count);
        beside.map(|link| first + link as u32)
    };
    let link = |i: usize| {
        let sides = [0, 1].map(|_| Seam::OPEN.into()).into();
        let links = [joined(i, i + count - 1), joined(i + 1, i + 1)];
        let seam = Seam { sides, cones: [cone(i), cone(i + 1)].into(), links };
        Core { seam: Some(seam), ..Core::new(vec![points[i], points[i + 1]], 0.0) }
    };
    (0..count).map(link).collect()
}
