//! The least φ of a pair is its signed distance: compared with parry2d-f64 if apart, and with its definition, the smallest
//! separating translation, if overlapping.

use super::{Random, body, convex_polygon, signed_distance};
use driftlab::model::{Body, Shape};
use glam::DVec2;
use parry2d_f64::math::{Pose, Vector};
use parry2d_f64::query;
use parry2d_f64::shape::{Ball, Capsule, ConvexPolygon, Cuboid, HalfSpace, Segment, SharedShape};

fn vector(p: DVec2) -> Vector {
    Vector::new(p.x, p.y)
}

/// A random shape that parry has, too, and parry's counterpart.
fn shape(random: &mut Random, kind: usize) -> (Shape, SharedShape) {
    match kind {
        0 => {
            let radius = random.between(0.1, 1.0);
            (Shape::Circle { radius }, SharedShape::new(Ball::new(radius)))
        }
        1 => {
            let size = DVec2::new(random.between(0.1, 2.0), random.between(0.1, 2.0));
            (Shape::Box { size }, SharedShape::new(Cuboid::new(vector(size / 2.0))))
        }
        2 => {
            let (length, radius) = (random.between(0.1, 2.0), random.between(0.05, 0.5));
            (Shape::Capsule { length, radius }, SharedShape::new(Capsule::new_x(length / 2.0, radius)))
        }
        3 => {
            let vertices = convex_polygon(random);
            let points = vertices.iter().map(|p| vector(*p)).collect();
            let polygon = ConvexPolygon::from_convex_polyline(points).unwrap();
            (Shape::polygon(vertices), SharedShape::new(polygon))
        }
        5 => {
            let (vertices, radius) = (convex_polygon(random), random.between(0.05, 0.5));
            let points = vertices.iter().map(|p| vector(*p)).collect();
            let rounded = SharedShape::round_convex_polyline(points, radius).unwrap();
            (Shape::rounded_polygon(vertices, radius), rounded)
        }
        4 => {
            let points = vec![random.vec2(1.0), random.vec2(1.0)];
            let segment = Segment::new(vector(points[0]), vector(points[1]));
            (Shape::Polyline { points }, SharedShape::new(segment))
        }
        _ => (
            Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 },
            SharedShape::new(HalfSpace::new(Vector::new(0.0, 1.0))),
        ),
    }
}

/// Minus the smallest translation by brute force: the largest separation of the supports over 4,000 directions,
/// refined by golden section. For pieces given as points with a radius.
fn separation(a: &[DVec2], r_a: f64, b: &[DVec2], r_b: f64) -> f64 {
    let s = |angle: f64| {
        let n = DVec2::from_angle(angle);
        let far = a.iter().map(|p| n.dot(*p)).fold(f64::NEG_INFINITY, f64::max);
        let near = b.iter().map(|p| n.dot(*p)).fold(f64::INFINITY, f64::min);
        near - far - r_a - r_b
    };
    const DIRECTIONS: usize = 4000;
    let step = std::f64::consts::TAU / DIRECTIONS as f64;
    let values: Vec<f64> = (0..DIRECTIONS).map(|i| s(i as f64 * step)).collect();
    let top = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let candidates = (0..DIRECTIONS).filter(|i| {
        let neighbours = [values[(i + 1) % DIRECTIONS], values[(i + DIRECTIONS - 1) % DIRECTIONS]];
        neighbours.iter().all(|v| *v <= values[*i]) && values[*i] > top - 0.02
    });
    candidates
        .map(|i| {
            let (mut low, mut high) = ((i as f64 - 1.0) * step, (i as f64 + 1.0) * step);
            for _ in 0..120 {
                let (p, q) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
                if s(p) > s(q) { high = q } else { low = p }
            }
            s(0.5 * (low + high))
        })
        .fold(f64::NEG_INFINITY, f64::max)
}

fn outline(body: &Body) -> (Vec<DVec2>, f64) {
    let driftlab::model::Piece::Core(core) = &body.pieces()[0] else { panic!("not a core") };
    let turn = driftlab::model::Rotation::from_angle(body.pose.angle);
    (core.vertices.iter().map(|p| body.pose.position + turn.apply(*p)).collect(), core.radius)
}

fn parry_pose(body: &Body) -> Pose {
    Pose::new(vector(body.origin()), body.pose.angle)
}

/// For 30,000 pairs of all kinds the signed distance agrees with parry's GJK if they are apart (to 1e-9 m, to 1e-6 m with
/// capsules), and with the smallest separating translation by brute force if they overlap (to 1e-9 m).
#[test]
fn signed_distances_agree_with_independent_ones() {
    let mut random = Random(1);
    let (mut apart, mut overlapping) = (0, 0);
    let (mut worst_parry, mut worst_force, mut worst_parry_depth) = (0.0_f64, 0.0_f64, 0.0_f64);
    for round in 0..30_000 {
        let kinds = [random.below(6), random.below(7)];
        if kinds == [4, 4] {
            continue;
        }
        let [(shape_a, parry_a), (shape_b, parry_b)] = kinds.map(|kind| shape(&mut random, kind));
        let spread = if round % 2 == 0 { 3.0 } else { 0.7 };
        let angles = [random.between(-4.0, 4.0), random.between(-4.0, 4.0)];
        let a = body(shape_a, random.vec2(spread), angles[0]);
        let b = body(shape_b, random.vec2(spread), angles[1]);
        if !a.is_dynamic() && !b.is_dynamic() {
            continue;
        }
        let phi = signed_distance(&a, &b).unwrap();
        let (pa, pb) = (parry_pose(&a), parry_pose(&b));
        if phi > 1e-6 {
            apart += 1;
            let other = query::distance(&pa, parry_a.as_ref(), &pb, parry_b.as_ref()).unwrap().distance;
            let error = (phi - other).abs();
            // parry's GJK ends early on what is rounded, with an error of up to 2.4e-7 m by comparison with brute force.
            let tolerance = if kinds.contains(&2) || kinds.contains(&5) { 1e-6 } else { 1e-9 };
            assert!(
                error < tolerance,
                "round {round}, {kinds:?}: {phi} against parry's {other}\n{a:?}\n{b:?}"
            );
            worst_parry = worst_parry.max(error);
        }
        let plane = kinds[1] == 6;
        if phi < 0.0 || !plane && round % 8 == 0 {
            overlapping += 1;
            let exact = if plane {
                let (points, radius) = outline(&a);
                let n = DVec2::from_angle(b.pose.angle + std::f64::consts::FRAC_PI_2);
                points.iter().map(|p| n.dot(*p - b.pose.position)).fold(f64::INFINITY, f64::min) - radius
            } else {
                let ((points_a, r_a), (points_b, r_b)) = (outline(&a), outline(&b));
                separation(&points_a, r_a, &points_b, r_b)
            };
            let error = (phi - exact).abs();
            assert!(error < 1e-9, "round {round}: {phi} against {exact}\n{a:?}\n{b:?}");
            worst_force = worst_force.max(error);
            // Not for half planes, for which parry's contact disagrees with its own distance and with the closed form.
            if let Ok(Some(contact)) = query::contact(&pa, parry_a.as_ref(), &pb, parry_b.as_ref(), 0.0)
                && phi < -1e-6
                && !plane
            {
                worst_parry_depth = worst_parry_depth.max((contact.dist - phi).abs());
            }
        }
    }
    assert!(worst_parry_depth < 1e-6, "parry's depth is {worst_parry_depth} off");
    assert!(apart > 6_000 && overlapping > 6_000, "{apart} apart, {overlapping} overlapping");
}
