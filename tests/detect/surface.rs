//! The nearest surface point of a body lies on the surface, at the reported distance, with the right sign.

use super::{Random, body, convex_polygon};
use driftlab::detect::{distance_to, nearest_point};
use driftlab::model::Shape;
use glam::DVec2;

/// For points inside and outside of every shape: the nearest surface point lies on the surface, the sign of the distance says
/// whether the point is inside, and no surface is nearer in any of 16 directions.
#[test]
fn nearest_points_lie_on_the_surface() {
    let mut random = Random(13);
    let l = [(0., 0.), (3., 0.), (3., 1.), (1., 1.), (1., 3.), (0., 3.)].map(|(x, y)| DVec2::new(x, y));
    for round in 0..2000 {
        let shape = match round % 7 {
            0 => Shape::Circle { radius: 0.7 },
            1 => Shape::Box { size: DVec2::new(2.0, 1.0) },
            2 => Shape::Capsule { length: 1.0, radius: 0.4 },
            3 => Shape::Ellipse { semi_axes: DVec2::new(1.5, 0.3) },
            4 => Shape::polygon(convex_polygon(&mut random)),
            5 => Shape::rounded_polygon(convex_polygon(&mut random), 0.3),
            _ => Shape::polygon(l),
        };
        let body = body(shape, random.vec2(1.0), random.between(-3.0, 3.0));
        let point = random.vec2(3.0);
        let (surface, distance) = nearest_point(&body, &body.pose, point).unwrap();
        assert!(((surface - point).length() - distance.abs()).abs() < 1e-12);
        let (_, again) = nearest_point(&body, &body.pose, surface).unwrap();
        assert!(again.abs() < 1e-12, "round {round}: {again}");
        // The centre of mass counts, too, which can lie outside of the L.
        let expected = distance.max(0.0).min(point.distance(body.pose.position));
        assert_eq!(distance_to(&body, point), expected, "round {round}");
        // Points just nearer than the surface are on the same side of it.
        for k in 0..16 {
            let near = point + 0.999 * distance.abs() * DVec2::from_angle(f64::from(k) * 0.4);
            assert_eq!(distance_to(&body, near) == 0.0, distance <= 0.0, "round {round}");
        }
    }
}

/// A point on the cut between two convex pieces of a polygon is inside of it, also where rounding puts it above both
/// pieces: the L is cut along one of the lines from its inner corner.
#[test]
fn a_point_on_a_cut_is_inside() {
    let l = [(0., 0.), (3., 0.), (3., 1.), (1., 1.), (1., 3.), (0., 3.)].map(|(x, y)| DVec2::new(x, y));
    let mut random = Random(14);
    for round in 0..2000 {
        // Turned in its own axes, too: a height above a cut along an axis is rounded alike in both pieces.
        let [turn, angle] = [(); 2].map(|()| random.between(-3.0, 3.0));
        let vertices = l.map(|vertex| DVec2::from_angle(turn).rotate(vertex)).to_vec();
        let body = body(Shape::polygon(vertices), random.vec2(1.0), angle);
        let centre = DVec2::new((3.0 * 1.5 + 2.0 * 0.5) / 5.0, (3.0 * 0.5 + 2.0 * 2.0) / 5.0);
        let along = random.between(0.1, 0.9);
        for on_cut in [DVec2::new(along, 1.0), DVec2::new(1.0, along), DVec2::splat(along)] {
            let point = body.pose.position + DVec2::from_angle(angle + turn).rotate(on_cut - centre);
            let (_, distance) = nearest_point(&body, &body.pose, point).unwrap();
            assert!(distance < -0.09, "round {round}: {distance}");
        }
    }
}
