//! Shapes: their areas, centroids and second moments, and the checks that they are valid.
//!
//! Polygon with vertices pᵢ in order, cᵢ = pᵢ × pᵢ₊₁:
//! A = ½ Σ cᵢ, centroid = Σ (pᵢ + pᵢ₊₁) cᵢ / 6A, polar moment about the origin
//! = Σ cᵢ (pᵢ·pᵢ + pᵢ·pᵢ₊₁ + pᵢ₊₁·pᵢ₊₁) / 12. Rounded by r, with the perimeter P: A = ½ Σ cᵢ + P r + π r² (Steiner).

use super::decomposition::convex_cores;
use super::error::{ModelError, positive};
use super::profile::Profile;
use super::surface::Surface;
use crate::math::Rotation;
use glam::DVec2;
use std::f64::consts::PI;

/// A shape in its own frame.
///
/// ```
/// use driftlab::prelude::*;
///
/// assert_eq!(Shape::rectangle(2.0, 0.5).moments().area, 1.0);
/// assert_eq!(Shape::polygon([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).moments().area, 0.5);
/// assert!(!Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 }.has_area());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Shape {
    /// A disk about the origin.
    Circle {
        /// Radius, m.
        radius: f64,
    },
    /// A rectangle about the origin.
    Box {
        /// Full width and height, m.
        size: DVec2,
    },
    /// An ellipse about the origin, its axes along x and y.
    Ellipse {
        /// Half axes, m.
        semi_axes: DVec2,
    },
    /// A stadium along x: all points within `radius` of a segment of `length`.
    Capsule {
        /// Length of the segment between the centres of the caps, m.
        length: f64,
        /// Radius of the caps, m.
        radius: f64,
    },
    /// All points within `radius` of a simple polygon, which is convex where the radius is not 0.
    Polygon {
        /// Vertices in order, of either orientation, m.
        vertices: Vec<DVec2>,
        /// Radius by which the polygon is rounded outwards, m: 0 leaves it sharp.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_zero"))]
        radius: f64,
    },
    /// All points p with normal·p ≤ offset.
    HalfPlane {
        /// Outward unit normal.
        normal: DVec2,
        /// Distance of the boundary from the origin along the normal, m.
        offset: f64,
    },
    /// A chain of segments without an interior.
    Polyline {
        /// Points in order, m.
        points: Vec<DVec2>,
    },
}

/// Area, centroid and polar second moment of area about the centroid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AreaMoments {
    /// Area, m².
    pub area: f64,
    /// Centroid, m.
    pub centroid: DVec2,
    /// Polar second moment about the centroid, m⁴.
    pub polar: f64,
}

impl Shape {
    /// A disk of this radius, m.
    pub fn circle(radius: f64) -> Self {
        Self::Circle { radius }
    }

    /// A rectangle of this full width and height, m.
    pub fn rectangle(width: f64, height: f64) -> Self {
        Self::Box { size: DVec2::new(width, height) }
    }

    /// A simple polygon with these vertices in order, of either orientation, m.
    pub fn polygon(vertices: impl IntoIterator<Item = impl Into<DVec2>>) -> Self {
        Self::rounded_polygon(vertices, 0.0)
    }

    /// All points within `radius`, m, of a convex polygon with these vertices in order, of either orientation, m.
    pub fn rounded_polygon(vertices: impl IntoIterator<Item = impl Into<DVec2>>, radius: f64) -> Self {
        Self::Polygon { vertices: vertices.into_iter().map(Into::into).collect(), radius }
    }

    /// An ellipse with these half axes along x and y, m.
    pub fn ellipse(along_x: f64, along_y: f64) -> Self {
        Self::Ellipse { semi_axes: DVec2::new(along_x, along_y) }
    }

    /// All points within `radius`, m, of a segment of this length, m, along x.
    pub fn capsule(length: f64, radius: f64) -> Self {
        Self::Capsule { length, radius }
    }

    /// All points p with normal·p ≤ offset, m; `normal` is of unit length and points outwards.
    pub fn half_plane(normal: impl Into<DVec2>, offset: f64) -> Self {
        Self::HalfPlane { normal: normal.into(), offset }
    }

    /// A chain of segments between these points in order, m, without an interior.
    pub fn polyline(points: impl IntoIterator<Item = impl Into<DVec2>>) -> Self {
        Self::Polyline { points: points.into_iter().map(Into::into).collect() }
    }

    /// The shape's name in scene files.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Circle { .. } => "circle",
            Self::Box { .. } => "box",
            Self::Ellipse { .. } => "ellipse",
            Self::Capsule { .. } => "capsule",
            Self::Polygon { .. } => "polygon",
            Self::HalfPlane { .. } => "half_plane",
            Self::Polyline { .. } => "polyline",
        }
    }

    /// Whether a body with this shape can be moved by forces: it has an area and a mass.
    pub fn has_area(&self) -> bool {
        !matches!(self, Self::HalfPlane { .. } | Self::Polyline { .. })
    }

    /// Checks that the sizes are positive and the polygon is simple.
    ///
    /// # Errors
    /// [`ModelError::OutOfRange`] or [`ModelError::DegeneratePolygon`], with what was expected.
    pub fn check(&self) -> Result<(), ModelError> {
        match self {
            Self::Circle { radius } => positive("radius", *radius),
            Self::Box { size } => positive("size", size.x).and(positive("size", size.y)),
            Self::Ellipse { semi_axes: size } => {
                positive("semi_axes", size.x).and(positive("semi_axes", size.y))
            }
            Self::Capsule { length, radius } => {
                positive("length", *length).and(positive("radius", *radius))
            }
            Self::Polygon { vertices, radius } => {
                check_simple(vertices)?;
                check_rounding(vertices, *radius)
            }
            Self::HalfPlane { normal, .. } => positive("length of normal", normal.length()),
            Self::Polyline { points } if points.len() < 2 || points.windows(2).any(|p| p[0] == p[1]) => {
                let why = "line needs two points or more, no two in a row the same";
                Err(ModelError::DegeneratePolygon(why))
            }
            Self::Polyline { .. } => Ok(()),
        }
    }

    /// Area, centroid and second moment in the shape's own frame.
    pub fn moments(&self) -> AreaMoments {
        let centred = |area: f64, polar: f64| AreaMoments { area, centroid: DVec2::ZERO, polar };
        match self {
            Self::Circle { radius } => {
                let area = PI * radius * radius;
                centred(area, area * radius * radius / 2.0)
            }
            Self::Box { size } => {
                let area = size.x * size.y;
                centred(area, area * size.length_squared() / 12.0)
            }
            Self::Ellipse { semi_axes } => {
                let area = PI * semi_axes.x * semi_axes.y;
                centred(area, area * semi_axes.length_squared() / 4.0)
            }
            Self::Capsule { length, radius } => capsule_moments(*length, *radius),
            Self::Polygon { vertices, radius } => rounded_moments(vertices, *radius),
            Self::HalfPlane { .. } | Self::Polyline { .. } => AreaMoments::default(),
        }
    }

    /// The smallest extent, m: the length by which tolerances are scaled. Infinite for unbounded shapes.
    pub fn smallest_extent(&self) -> f64 {
        match self {
            Self::Circle { radius } | Self::Capsule { radius, .. } => 2.0 * radius,
            Self::Box { size } => size.min_element(),
            Self::Ellipse { semi_axes } => 2.0 * semi_axes.min_element(),
            Self::Polygon { vertices, radius } => {
                let low = vertices.iter().copied().fold(DVec2::INFINITY, DVec2::min);
                let high = vertices.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
                (high - low).min_element() + 2.0 * radius
            }
            Self::HalfPlane { .. } | Self::Polyline { .. } => f64::INFINITY,
        }
    }
}

/// A rectangle between two half disks of centroid distance 4r/3π from their flat sides.
fn capsule_moments(length: f64, radius: f64) -> AreaMoments {
    let (l, r) = (length, radius);
    let rectangle = 2.0 * l * r;
    let caps = PI * r * r;
    let rectangle_polar = rectangle * (l * l + 4.0 * r * r) / 12.0;
    // Each half disk: polar moment ¼πr⁴ about the flat side's centre, moved by Steiner to its own centroid
    // and back out to the capsule's centre, a distance l/2 + 4r/3π away.
    let to_centroid = 4.0 * r / (3.0 * PI);
    let half_disk_own = caps / 2.0 * (r * r / 2.0 - to_centroid * to_centroid);
    let arm = l / 2.0 + to_centroid;
    let caps_polar = 2.0 * (half_disk_own + caps / 2.0 * arm * arm);
    AreaMoments { area: rectangle + caps, centroid: DVec2::ZERO, polar: rectangle_polar + caps_polar }
}

fn edges(vertices: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    let n = vertices.len();
    (0..n).map(move |i| (vertices[i], vertices[(i + 1) % n]))
}

fn polygon_moments(vertices: &[DVec2]) -> AreaMoments {
    // Relative to the first vertex, so that a polygon far from its frame loses no digits.
    let origin = vertices.first().copied().unwrap_or(DVec2::ZERO);
    let (mut twice_area, mut first, mut second) = (0.0, DVec2::ZERO, 0.0);
    for (p, q) in edges(vertices) {
        let (p, q) = (p - origin, q - origin);
        let c = p.perp_dot(q);
        twice_area += c;
        first += (p + q) * c;
        second += c * (p.dot(p) + p.dot(q) + q.dot(q));
    }
    if twice_area == 0.0 {
        return AreaMoments { area: 0.0, centroid: origin, polar: 0.0 };
    }
    let area = twice_area / 2.0;
    let arm = first / (6.0 * area);
    AreaMoments {
        area: area.abs(),
        centroid: origin + arm,
        polar: (second / 12.0 - area * arm.length_squared()).abs(),
    }
}

/// A convex polygon with a rectangle of width r outside of each edge and a sector between two of them: of a sector of the
/// opening φ the area is ½φr², the centroid 4r sin(φ/2)/3φ from the corner, the polar moment about the corner ¼φr⁴.
fn rounded_moments(vertices: &[DVec2], r: f64) -> AreaMoments {
    let core = polygon_moments(vertices);
    if r == 0.0 || vertices.len() < 3 {
        return core;
    }
    let mut parts = vec![core];
    let turns = is_counter_clockwise(vertices);
    let ring: Vec<DVec2> = if turns { vertices.to_vec() } else { vertices.iter().rev().copied().collect() };
    let outward = |(p, q): (DVec2, DVec2)| -(q - p).normalize_or_zero().perp();
    let mut before = edges(&ring).last().map_or(DVec2::ZERO, outward);
    for (p, q) in edges(&ring) {
        let (n, length) = (outward((p, q)), p.distance(q));
        let area = length * r;
        let centroid = 0.5 * (p + q) + 0.5 * r * n;
        parts.push(AreaMoments { area, centroid, polar: area * (length * length + r * r) / 12.0 });
        let opening = libm::atan2(before.perp_dot(n), before.dot(n));
        let area = 0.5 * opening * r * r;
        // 2 sin(φ/2)/φ goes to 1 as the corner vanishes.
        let chord = if opening > 0.0 { 2.0 * libm::sin(0.5 * opening) / opening } else { 1.0 };
        let arm = 2.0 / 3.0 * r * chord * (before + n).normalize_or_zero();
        parts.push(AreaMoments {
            area,
            centroid: p + arm,
            polar: area * (0.5 * r * r - arm.length_squared()),
        });
        before = n;
    }
    let area: f64 = parts.iter().map(|part| part.area).sum();
    // About the centroid of the core, so that a polygon far from its frame loses no digits.
    let first: DVec2 = parts.iter().map(|part| part.area * (part.centroid - core.centroid)).sum();
    let centroid = core.centroid + first / area;
    let about = |part: &AreaMoments| part.polar + part.area * (part.centroid - centroid).length_squared();
    AreaMoments { area, centroid, polar: parts.iter().map(about).sum() }
}

fn is_counter_clockwise(vertices: &[DVec2]) -> bool {
    edges(vertices).map(|(p, q)| (p - vertices[0]).perp_dot(q - vertices[0])).sum::<f64>() > 0.0
}

/// Only a convex polygon may be rounded: what is within a radius of a concave one is no union of rounded convex pieces that meet
/// at their cuts alone.
fn check_rounding(vertices: &[DVec2], radius: f64) -> Result<(), ModelError> {
    if radius == 0.0 {
        return Ok(());
    }
    positive("radius", radius)?;
    match convex_cores(vertices)?.len() {
        1 => Ok(()),
        _ => Err(ModelError::DegeneratePolygon("is rounded and not convex")),
    }
}

#[cfg(feature = "serde")]
fn is_zero(radius: &f64) -> bool {
    *radius == 0.0
}

fn check_simple(vertices: &[DVec2]) -> Result<(), ModelError> {
    let fail = |why| Err(ModelError::DegeneratePolygon(why));
    let n = vertices.len();
    if n < 3 {
        return fail("needs three vertices or more");
    }
    if vertices.iter().any(|p| !p.is_finite()) {
        return fail("has a vertex that is not finite");
    }
    if edges(vertices).any(|(p, q)| p == q) {
        return fail("has two equal vertices in a row");
    }
    let extent = vertices.iter().map(|p| (*p - vertices[0]).length()).fold(0.0, f64::max);
    if polygon_moments(vertices).area <= 1e-12 * extent * extent {
        return fail("encloses no area");
    }
    let crosses = |i: usize, j: usize| {
        segments_cross(vertices[i], vertices[i + 1], vertices[j], vertices[(j + 1) % n])
    };
    // Edges beside each other have a vertex in common.
    let crosses_later = |i: usize| (i + 2..n).any(|j| (i > 0 || j < n - 1) && crosses(i, j));
    if (0..n).any(crosses_later) { fail("crosses itself") } else { Ok(()) }
}

fn segments_cross(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    let side = |p: DVec2, q: DVec2, r: DVec2| (q - p).perp_dot(r - p);
    let within = |p: DVec2, q: DVec2, r: DVec2| side(p, q, r) == 0.0 && (r - p).dot(r - q) <= 0.0;
    let proper = side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0;
    proper || within(a, b, c) || within(a, b, d) || within(c, d, a) || within(c, d, b)
}

/// A shape placed in a body's frame.
///
/// ```
/// use driftlab::prelude::*;
///
/// // A dumbbell.
/// let ball = |x| Placement { offset: DVec2::new(x, 0.0), ..Placement::centred(Shape::circle(0.2)) };
/// let dumbbell = Body::dynamic().placed(ball(-0.5)).placed(ball(0.5)).shape(Shape::rectangle(1.0, 0.05)).build()?;
/// assert_eq!(dumbbell.shapes().len(), 3);
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Placement {
    /// The shape in its own frame.
    pub shape: Shape,
    /// Where the shape's origin lies in the body's frame, m.
    pub offset: DVec2,
    /// How the shape is turned in the body's frame, rad.
    pub angle: f64,
    /// What it has of its own in place of what its body has.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Surface::is_plain"))]
    pub surface: Surface,
    /// What drives the speed of its surface, in place of what drives that of its body; a factor of the speed.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub surface_profile: Option<Profile>,
}

impl Placement {
    /// The shape at the body's origin.
    pub fn centred(shape: Shape) -> Self {
        Self::at(shape, DVec2::ZERO, 0.0)
    }

    /// The shape at `offset` (m), turned by `angle` (rad) in the body's frame.
    pub fn at(shape: Shape, offset: impl Into<DVec2>, angle: f64) -> Self {
        Self { shape, offset: offset.into(), angle, surface: Surface::default(), surface_profile: None }
    }

    /// Area, centroid and second moment in the body's frame.
    pub fn moments(&self) -> AreaMoments {
        let own = self.shape.moments();
        AreaMoments { centroid: self.offset + Rotation::from_angle(self.angle).apply(own.centroid), ..own }
    }
}
