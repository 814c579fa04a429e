//! Polygons that are rounded: their area, centroid and second moment, and what cannot be rounded.

use driftlab::model::{AreaMoments, Body, ModelError, Shape};
use glam::DVec2;
use std::f64::consts::{PI, TAU};

const KITE: [[f64; 2]; 4] = [[3.0, -1.0], [4.5, 0.2], [3.2, 1.1], [2.9, 0.4]];

/// A polygon of many corners with the outline of a counter-clockwise one that is rounded.
fn many_corners(corners: &[[f64; 2]], radius: f64) -> Shape {
    let n = corners.len();
    let edge = |i: usize| DVec2::from(corners[(i + 1) % n]) - DVec2::from(corners[i % n]);
    let corner = |i: usize| {
        let [from, to] = [edge(i + n - 1), edge(i)].map(|along| -along.perp());
        let turn = from.perp_dot(to).atan2(from.dot(to));
        let points = 2000;
        let along = (0..=points).map(move |k| from.to_angle() + turn * f64::from(k) / f64::from(points));
        along.map(move |angle| DVec2::from(corners[i]) + radius * DVec2::from_angle(angle))
    };
    Shape::polygon((0..n).flat_map(corner))
}

fn assert_like(one: AreaMoments, other: AreaMoments, tolerance: f64) {
    assert!((one.area - other.area).abs() < tolerance * one.area, "{one:?}, {other:?}");
    assert!(one.centroid.distance(other.centroid) < tolerance, "{one:?}, {other:?}");
    assert!((one.polar - other.polar).abs() < tolerance * one.polar, "{one:?}, {other:?}");
}

/// The moments are those of the polygon that has the rounded one's outline in 8,000 corners, whichever way round the corners go.
#[test]
fn moments_are_those_of_the_outline() {
    for radius in [0.01, 0.3, 2.0] {
        let exact = Shape::rounded_polygon(KITE, radius).moments();
        assert_like(exact, many_corners(&KITE, radius).moments(), 1e-6);
        let back = KITE.into_iter().rev();
        assert_like(exact, Shape::rounded_polygon(back, radius).moments(), 1e-14);
    }
}

/// A rectangle of 2 m by 1 m that is rounded by r is one of (2 + 2 r) by (1 + 2 r) without its corners; a capsule is a thin
/// rectangle that is rounded, and a disk a small one.
#[test]
fn moments_have_the_limits_that_they_should() {
    let rectangle = |w: f64, h: f64| [[-w, -h], [w, -h], [w, h], [-w, h]].map(|p| p.map(|x| 0.5 * x));
    let r = 0.25;
    let rounded = Shape::rounded_polygon(rectangle(2.0, 1.0), r).moments();
    assert!((rounded.area - (2.5 * 1.5 - (4.0 - PI) * r * r)).abs() < 1e-15);
    assert!(rounded.centroid.length() < 1e-15);
    let thin = Shape::rounded_polygon(rectangle(2.0, 1e-9), r).moments();
    assert_like(thin, Shape::capsule(2.0, r).moments(), 1e-7);
    let small = Shape::rounded_polygon(rectangle(1e-9, 1e-9), r).moments();
    assert_like(small, Shape::circle(r).moments(), 1e-7);
}

/// A body that is rounded has the mass and inertia of its outline, and one ball of its size fits in it.
#[test]
fn bodies_have_the_mass_of_their_outline() {
    let hexagon = (0..6).map(|i| DVec2::from_angle(TAU * f64::from(i) / 6.0));
    let shape = Shape::rounded_polygon(hexagon, 0.5);
    let body = Body::dynamic().density(2.0).shape(shape.clone()).build().unwrap();
    let area = 1.5 * 3.0_f64.sqrt() + 6.0 * 0.5 + PI * 0.25;
    assert!((body.mass_properties().mass - 2.0 * area).abs() < 1e-13);
    assert!((shape.smallest_extent() - 3.0_f64.sqrt() - 1.0).abs() < 1e-14);
}

/// A concave polygon cannot be rounded, nor one of two corners, nor any by a length that is negative or no number; each error
/// says what was expected.
#[test]
fn what_cannot_be_rounded_is_refused() {
    let concave = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 0.5]];
    assert_eq!(Shape::polygon(concave).check(), Ok(()));
    let error = Shape::rounded_polygon(concave, 0.1).check().unwrap_err();
    assert_eq!(error.to_string(), "the polygon is rounded and not convex");
    for few in [&KITE[..0], &KITE[..2]] {
        let shape = Shape::rounded_polygon(few.iter().copied(), 0.1);
        assert_eq!(shape.check().unwrap_err().to_string(), "the polygon needs three vertices or more");
        assert!(Body::dynamic().shape(shape).build().is_err());
    }
    for radius in [-0.1, f64::NAN, f64::INFINITY] {
        let error = Shape::rounded_polygon(KITE, radius).check().unwrap_err();
        assert!(matches!(error, ModelError::OutOfRange { quantity: "radius", .. }), "{error}");
    }
}
