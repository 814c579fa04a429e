//! Concave polygons and polylines behave as a whole: the seams between their convex pieces cause no contacts.

use super::{Random, body, detect, signed_distance, world};
use driftlab::model::{Body, Shape};
use glam::DVec2;

pub fn ell() -> Vec<DVec2> {
    [(0., 0.), (3., 0.), (3., 1.), (1., 1.), (1., 3.), (0., 3.)].map(|(x, y)| DVec2::new(x, y)).to_vec()
}

/// Signed distance of a point to a polygon, by all its edges and the crossing number.
pub fn to_polygon(ring: &[DVec2], p: DVec2) -> f64 {
    let (mut least, mut inside) = (f64::INFINITY, false);
    for i in 0..ring.len() {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        least = least.min((p - a - t * (b - a)).length());
        if (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x) {
            inside = !inside;
        }
    }
    if inside { -least } else { least }
}

/// The polygon's vertices in the world.
fn ring(body: &Body) -> Vec<DVec2> {
    ell().into_iter().map(|p| body.point_in_world(p)).collect()
}

/// The signed distance of a disk, with its centre outside an L-shaped polygon, is that to the whole polygon, for either
/// orientation of its vertices.
#[test]
fn a_disk_meets_the_whole_polygon() {
    let mut random = Random(9);
    for round in 0..4000 {
        let mut vertices = ell();
        if round % 2 == 0 {
            vertices.reverse();
        }
        let l = body(Shape::polygon(vertices), random.vec2(1.0), random.between(-3.0, 3.0));
        let disk = body(Shape::Circle { radius: random.between(0.05, 1.0) }, random.vec2(4.0), 0.0);
        let Shape::Circle { radius } = disk.shapes()[0].shape else { panic!() };
        let center = to_polygon(&ring(&l), disk.pose.position);
        if center > 1e-6 {
            let phi = signed_distance(&l, &disk).unwrap();
            assert!((phi - (center - radius)).abs() < 1e-10, "{phi} against {}", center - radius);
        }
    }
}

/// A box or disk pressed 1 mm into a straight polyline has normals within 1e-6 of vertical at every position along its
/// vertices.
#[test]
fn a_box_slides_over_joints_without_meeting_them() {
    let points = (-5..=5).map(|x| DVec2::new(f64::from(x), 0.0)).collect();
    let line = body(Shape::Polyline { points }, DVec2::ZERO, 0.0);
    for step in 0..500 {
        let x = -2.0 + 4.0 * f64::from(step) / 500.0;
        for shape in
            [Shape::Box { size: DVec2::splat(1.0) }, Shape::Ellipse { semi_axes: DVec2::splat(0.5) }]
        {
            let slider = body(shape, DVec2::new(x, 0.499), 1e-9);
            let found = detect(&world(vec![line.clone(), slider]), 0.01);
            assert!(!found.is_empty());
            for (_, gap) in &found {
                assert!((gap.normal - DVec2::Y).length() < 1e-6 && gap.phi > -0.002, "x = {x}: {gap:?}");
            }
        }
    }
}

/// A polyline has contacts on both sides, with the normal towards the body.
#[test]
fn a_line_has_two_sides() {
    let points = vec![DVec2::new(-2.0, 0.0), DVec2::ZERO, DVec2::new(2.0, 0.0)];
    let line = body(Shape::Polyline { points }, DVec2::ZERO, 0.0);
    for side in [1.0, -1.0] {
        let above = body(Shape::Box { size: DVec2::splat(1.0) }, DVec2::new(0.2, 0.55 * side), 0.0);
        let found = detect(&world(vec![line.clone(), above]), 0.1);
        assert!(
            !found.is_empty() && found.iter().all(|(_, gap)| gap.normal == DVec2::Y * side),
            "{found:?}"
        );
    }
}

/// An L-shaped polygon that rests on its long side has two contacts, although several convex pieces share its corners.
#[test]
fn pieces_do_not_repeat_each_others_contacts() {
    let ground = body(Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 }, DVec2::ZERO, 0.0);
    let l = body(Shape::polygon(ell()), DVec2::ZERO, 0.0);
    let found = detect(&world(vec![ground, l]), 0.01);
    assert_eq!(found.len(), 2, "{found:?}");
}
