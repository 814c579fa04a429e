//! Questions about space against closed forms, and against a search along the ray by the nearest point.

use driftlab::detect::{Space, nearest_point};
use driftlab::model::{Body, BodyId, Placement, Pose, Shape, World};
use glam::DVec2;
use proptest::prelude::*;

/// One body of each shape, turned and beside each other, the last one a half plane below; ids in that order.
fn gallery() -> (World, Vec<BodyId>) {
    let concave = [[-0.6, -0.6], [0.6, -0.6], [0.6, 0.6], [0.0, -0.1], [-0.6, 0.6]];
    let shapes = [
        Shape::circle(0.5),
        Shape::rectangle(1.0, 0.6),
        Shape::Capsule { length: 0.8, radius: 0.2 },
        Shape::Ellipse { semi_axes: DVec2::new(0.7, 0.3) },
        Shape::polygon(concave),
        Shape::rounded_polygon([[-0.4, -0.3], [0.5, -0.2], [0.1, 0.4]], 0.2),
        Shape::Polyline { points: vec![DVec2::new(-0.5, 0.0), DVec2::new(0.5, 0.2)] },
        Shape::HalfPlane { normal: DVec2::Y, offset: -1.0 },
    ];
    let mut world = World::new(DVec2::ZERO);
    let mut ids = Vec::new();
    for (k, shape) in shapes.into_iter().enumerate() {
        let unbounded = matches!(shape, Shape::HalfPlane { .. });
        let body = if k < 6 { Body::dynamic() } else { Body::fixed() };
        let (x, angle) = if unbounded { (0.0, 0.0) } else { (2.0 * k as f64, 0.4 * k as f64) };
        let placed = Placement { offset: DVec2::new(0.1, 0.0), ..Placement::centred(shape) };
        ids.push(world.add_body(body.at([x, 0.0]).angle(angle).placed(placed)).unwrap());
    }
    (world, ids)
}

/// The signed distance of a point from the nearest surface, asked of one body after the other.
fn distance(world: &World, point: DVec2) -> f64 {
    let of = |body: &Body| {
        let pose: Pose = body.pose;
        nearest_point(body, &pose, point).map_or(f64::INFINITY, |(_, distance)| distance)
    };
    world.bodies().iter().map(of).fold(f64::INFINITY, f64::min)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Where a ray meets a shape, the distance from the nearest surface is zero for the first time: sphere tracing
    /// along the ray finds no surface before, and one there.
    #[test]
    fn a_ray_meets_the_first_surface(
        from in (-2.0..13.0_f64, -0.9..3.0_f64),
        to in (-2.0..13.0_f64, -3.0..3.0_f64),
    ) {
        let (world, _) = gallery();
        let (from, to) = (DVec2::from(from), DVec2::from(to));
        let hit = Space::of(&world).ray_cast(from, to).unwrap();
        let length = from.distance(to);
        let reached = hit.map_or(length, |hit| hit.distance);
        let way = (to - from).normalize();
        // A polyline has no interior, so that no distance is negative there; steps by the distance stop before every surface.
        let (mut t, mut steps) = (0.0, 0);
        while t < reached - 1e-9 && steps < 10_000 {
            let free = distance(&world, from + t * way);
            if free < 1e-10 {
                break;
            }
            t += free;
            steps += 1;
        }
        prop_assert!(t > reached - 1e-4, "a surface at {t}, before {reached}");
        if let Some(hit) = hit {
            prop_assert!(hit.point.distance(from + hit.distance * way) < 1e-9);
            prop_assert!((hit.normal.length() - 1.0).abs() < 1e-12 && hit.normal.dot(way) < 0.0);
            let there = distance(&world, hit.point);
            prop_assert!(there.abs() < 1e-6 || hit.distance == 0.0, "{there} m from a surface");
        }
    }

    /// The nearest point is the nearest of all bodies', and lies on a surface.
    #[test]
    fn the_nearest_point_is_that_of_the_nearest_body(point in (-2.0..13.0_f64, -3.0..3.0_f64)) {
        let (world, _) = gallery();
        let point = DVec2::from(point);
        let nearest = Space::of(&world).nearest(point).unwrap().unwrap();
        prop_assert_eq!(nearest.distance, distance(&world, point));
        prop_assert!((nearest.point.distance(point) - nearest.distance.abs()).abs() < 1e-6);
    }
}

/// Closed forms: a ray meets a circle, a box's side and a plane where geometry says; one that begins inside is met at once.
#[test]
fn rays_meet_circles_sides_and_planes() {
    let (world, ids) = gallery();
    let space = Space::of(&world);
    let down = |x: f64| space.ray_cast([x, 5.0], [x, -5.0]).unwrap().unwrap();
    let ball = down(0.1);
    assert!(
        ball.body == ids[0]
            && (ball.distance - 4.5).abs() < 1e-12
            && ball.normal.distance(DVec2::Y) < 1e-12
    );
    let beside = down(0.4);
    assert!((beside.distance - (5.0 - 0.4)).abs() < 1e-12, "a 3-4-5 triangle: {}", beside.distance);
    let ground = down(-3.0);
    assert!(ground.body == ids[7] && (ground.distance - 6.0).abs() < 1e-12);
    let within = space.ray_cast([0.1, 0.1], [0.1, 9.0]).unwrap().unwrap();
    assert!(within.distance == 0.0 && within.normal == DVec2::NEG_Y);
    assert_eq!(space.ray_cast([-3.0, 1.0], [-3.0, 2.0]).unwrap(), None);
    assert!(space.ray_cast([f64::NAN, 0.0], [0.0, 0.0]).is_err());
}

/// A world that begins with a half plane, as a floor does, and has one or two other shapes, is as any other.
#[test]
fn a_floor_may_come_first() {
    let mut world = World::new(DVec2::ZERO);
    let floor = Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 };
    let mut ids = vec![world.add_body(Body::fixed().placed(Placement::centred(floor))).unwrap()];
    for x in [0.0, 3.0, 6.0] {
        ids.push(world.add_body(Body::dynamic().at([x, 2.0]).shape(Shape::circle(0.5))).unwrap());
        let hit = Space::of(&world).ray_cast([x, 9.0], [x, -9.0]).unwrap().unwrap();
        assert!(Some(&hit.body) == ids.last() && hit.distance == 6.5);
    }
}

/// A box finds the bodies in it, in the world's order, and half planes that reach into it.
#[test]
fn a_box_finds_what_reaches_into_it() {
    let (world, ids) = gallery();
    let space = Space::of(&world);
    assert_eq!(space.bodies_in([-0.5, -0.5], [2.0, 0.5]).unwrap(), [ids[0], ids[1]]);
    assert_eq!(space.bodies_in([3.9, -1.5], [4.1, 0.5]).unwrap(), [ids[2], ids[7]]);
    assert!(space.bodies_in([-3.0, 3.0], [-2.0, 4.0]).unwrap().is_empty());
    let error = space.bodies_in([1.0, 0.0], [0.0, 1.0]).unwrap_err();
    assert_eq!(error.to_string(), "size of the box must be 0 m or more, not -1");
}
