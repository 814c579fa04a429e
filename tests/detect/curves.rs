//! Ellipses: φ against the largest separation over densely sampled directions and, where they are apart, against distances of
//! sampled boundary points, which do not use support functions.

use super::{Random, body, convex_polygon, detect, signed_distance, world};
use driftlab::model::{Body, Piece, Shape};
use glam::DVec2;

/// The point of an ellipse's boundary at this parameter angle.
fn ellipse_point(body: &Body, angle: f64) -> DVec2 {
    let Piece::Ellipse(e) = &body.pieces()[0] else { panic!("not an ellipse") };
    let turn = driftlab::model::Rotation::from_angle(body.pose.angle);
    let local = DVec2::from_angle(angle) * e.semi_axes;
    body.pose.position + turn.apply(e.center + e.axis.rotate(local))
}

fn support(body: &Body, m: DVec2) -> f64 {
    let turn = driftlab::model::Rotation::from_angle(body.pose.angle);
    let local = turn.inverse_apply(m);
    let own = match &body.pieces()[0] {
        Piece::Ellipse(e) => {
            let across = DVec2::new(-e.axis.y, e.axis.x);
            let along = DVec2::new(local.dot(e.axis), local.dot(across));
            local.dot(e.center) + (e.semi_axes * along).length()
        }
        Piece::Core(c) => {
            c.vertices.iter().map(|p| local.dot(*p)).fold(f64::NEG_INFINITY, f64::max) + c.radius
        }
        Piece::HalfPlane { .. } => panic!("unbounded"),
    };
    m.dot(body.pose.position) + own
}

/// max over directions of the separation, sampled 6,000 times and refined by golden section.
fn by_directions(a: &Body, b: &Body) -> f64 {
    const DIRECTIONS: usize = 6_000;
    let s = |angle: f64| {
        let n = DVec2::from_angle(angle);
        -support(b, -n) - support(a, n)
    };
    refine(&s, DIRECTIONS, std::f64::consts::TAU / DIRECTIONS as f64)
}

/// The global maximum of a function of period 2π.
fn refine(s: &dyn Fn(f64) -> f64, count: usize, step: f64) -> f64 {
    let values: Vec<f64> = (0..count).map(|i| s(i as f64 * step)).collect();
    let peaks = (0..count)
        .filter(|i| values[(i + 1) % count] <= values[*i] && values[(i + count - 1) % count] <= values[*i]);
    peaks
        .map(|i| {
            let (mut low, mut high) = ((i as f64 - 1.0) * step, (i as f64 + 1.0) * step);
            for _ in 0..100 {
                let (p, q) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
                if s(p) > s(q) { high = q } else { low = p }
            }
            s(0.5 * (low + high))
        })
        .fold(f64::NEG_INFINITY, f64::max)
}

fn random_ellipse(random: &mut Random, spread: f64) -> Body {
    // Axis ratios up to 1 : 300.
    let axis = |random: &mut Random| 2.0 * 10.0_f64.powf(random.between(-2.5, 0.0));
    let semi_axes = DVec2::new(axis(random), axis(random));
    let (at, angle) = (random.vec2(spread), random.between(-4.0, 4.0));
    body(Shape::Ellipse { semi_axes }, at, angle)
}

/// The signed distance of an ellipse to an ellipse, circle, capsule, box or polygon, apart or overlapping, is the largest
/// separation over all directions, to 1e-10 m.
#[test]
fn ellipses_have_the_separation_of_dense_sampling() {
    let mut random = Random(7);
    let mut worst = 0.0_f64;
    let mut overlapping = 0;
    for round in 0..6000 {
        let spread = if round % 2 == 0 { 2.5 } else { 0.8 };
        let a = random_ellipse(&mut random, spread);
        let other = match round % 5 {
            0 => Shape::Ellipse {
                semi_axes: DVec2::new(random.between(0.05, 2.0), random.between(0.05, 2.0)),
            },
            1 => Shape::Circle { radius: random.between(0.1, 1.0) },
            2 => Shape::Capsule { length: random.between(0.1, 2.0), radius: random.between(0.05, 0.5) },
            3 => Shape::Box { size: DVec2::new(random.between(0.1, 2.0), random.between(0.1, 2.0)) },
            _ => Shape::polygon(convex_polygon(&mut random)),
        };
        let b = body(other, random.vec2(spread), random.between(-4.0, 4.0));
        let exact = by_directions(&a, &b);
        overlapping += usize::from(exact < 0.0);
        for (first, second) in [(&a, &b), (&b, &a)] {
            let phi = signed_distance(first, second).unwrap();
            let error = (phi - exact).abs();
            assert!(error < 1e-10, "round {round}: {phi} against {exact}\n{a:?}\n{b:?}");
            worst = worst.max(error);
        }
    }
    assert!(overlapping > 300, "{overlapping}");
}

/// The distance of two separate ellipses is that of their nearest boundary points, found by nested sampling of both parameters.
#[test]
fn ellipses_apart_have_the_distance_of_their_boundaries() {
    let mut random = Random(11);
    let mut checked = 0;
    while checked < 60 {
        let (a, b) = (random_ellipse(&mut random, 3.0), random_ellipse(&mut random, 3.0));
        let phi = signed_distance(&a, &b).unwrap();
        if phi < 0.01 {
            continue;
        }
        checked += 1;
        // Distance of a point to b's boundary, then the least of that over a's: both outer searches are refined.
        let to_b = |p: DVec2| {
            -refine(&|psi| -(ellipse_point(&b, psi) - p).length(), 60, std::f64::consts::TAU / 60.0)
        };
        let least = -refine(&|psi| -to_b(ellipse_point(&a, psi)), 60, std::f64::consts::TAU / 60.0);
        assert!((phi - least).abs() < 1e-10, "{phi} against {least}");
    }
}

/// The gap of an ellipse above a half plane is the height of its centre less √(a² sin²θ + b² cos²θ), to rounding.
#[test]
fn an_ellipse_on_a_plane_has_the_closed_form_gap() {
    for angle in [0.0, 0.3, 1.0, -2.0] {
        let plane = body(Shape::HalfPlane { normal: DVec2::Y, offset: 0.5 }, DVec2::ZERO, 0.0);
        let ellipse = body(Shape::Ellipse { semi_axes: DVec2::new(4.0, 2.0) }, DVec2::new(1.0, 5.0), angle);
        let found = detect(&world(vec![plane, ellipse]), 10.0);
        assert_eq!(found.len(), 1);
        let (sin, cos) = f64::sin_cos(angle);
        let exact = 4.5 - (4.0 * sin).hypot(2.0 * cos);
        assert!((found[0].1.phi - exact).abs() < 1e-14, "{} against {exact}", found[0].1.phi);
    }
}
