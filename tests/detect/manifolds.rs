//! The number of contacts of a pair, the features that identify them, and that the identities last while the features touch.

use super::{assert_sound, body, detect, world};
use driftlab::detect::Feature;
use driftlab::model::{Pose, Shape};
use glam::DVec2;

fn square(side: f64) -> Shape {
    Shape::Box { size: DVec2::splat(side) }
}

fn ground() -> Shape {
    Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 }
}

/// A box on a plane, box or line and a capsule on a box have two contacts each, at the ends of the overlap of the faces.
#[test]
fn flat_faces_bear_at_two_points() {
    let low = body(square(2.0), DVec2::new(0.0, 1.0), 0.0);
    let capsule = Shape::Capsule { length: 1.0, radius: 0.5 };
    let line = Shape::Polyline { points: vec![DVec2::new(-3.0, 0.0), DVec2::new(3.0, 0.0)] };
    let cases = [
        (body(ground(), DVec2::ZERO, 0.0), low.clone(), [-1.0, 1.0]),
        (low.clone(), body(square(1.0), DVec2::new(0.7, 2.5), 0.0), [0.2, 1.0]),
        (low.clone(), body(capsule, DVec2::new(0.7, 2.5), 0.0), [0.2, 1.0]),
        (body(line, DVec2::ZERO, 0.0), low.clone(), [-1.0, 1.0]),
        (low.clone(), body(square(2.0), DVec2::new(0.0, 3.0), 0.0), [-1.0, 1.0]),
    ];
    for (a, b, xs) in cases {
        for gap in [0.0, 1e-3, -1e-3] {
            let mut b = b.clone();
            b.pose.position.y += gap;
            let found = detect(&world(vec![a.clone(), b]), 0.01);
            assert_eq!(found.len(), 2, "{a:?}");
            let mut at: Vec<f64> = found.iter().map(|(_, gap)| gap.point.x).collect();
            at.sort_by(f64::total_cmp);
            assert!((at[0] - xs[0]).abs() < 1e-9 && (at[1] - xs[1]).abs() < 1e-9, "{at:?} against {xs:?}");
            for (_, found) in &found {
                assert_sound(found);
                assert!((found.phi - gap).abs() < 1e-12 && found.normal == DVec2::Y, "{found:?}");
            }
        }
    }
}

/// The contacts of a box that slides or rocks on another keep their ids, and rounding in the pose does not change them.
#[test]
fn contacts_keep_their_names() {
    let low = body(square(4.0), DVec2::new(0.0, 2.0), 0.0);
    let ids = |x: f64, y: f64, angle: f64| {
        let mut high = body(square(1.0), DVec2::ZERO, 0.0);
        high.pose = Pose { position: DVec2::new(x, y), angle };
        let found = detect(&world(vec![low.clone(), high]), 0.05);
        found.iter().map(|(contact, _)| contact.id).collect::<Vec<_>>()
    };
    let first = ids(0.0, 4.5, 0.0);
    assert_eq!(first.len(), 2);
    for step in 0..100 {
        let s = f64::from(step) / 100.0;
        let noise = 1e-11 * (s * 1e4).sin();
        assert_eq!(ids(1.4 * s, 4.5 + noise, noise), first, "sliding, step {step}");
        assert_eq!(ids(0.0, 4.5, 0.02 * (6.0 * s).sin()), first, "rocking, step {step}");
    }
    // Boxes of the same width, exactly above each other: rounding must not change the features.
    let aligned = |noise: f64| {
        let high = body(square(4.0), DVec2::new(noise, 6.0 - noise), noise);
        let found = detect(&world(vec![low.clone(), high]), 0.05);
        found.iter().map(|(contact, _)| contact.id).collect::<Vec<_>>()
    };
    for noise in [1e-15, -1e-15, 1e-12, -1e-12, 1e-10, -1e-10] {
        assert_eq!(aligned(noise), aligned(0.0), "{noise}");
    }
}

/// A box standing on its corner has one contact, and so have two boxes that are nearest at their corners, with these vertices.
#[test]
fn corners_touch_once() {
    let half = std::f64::consts::FRAC_PI_4;
    let low = body(square(2.0), DVec2::new(0.0, 1.0), 0.0);
    let high = body(square(1.0), DVec2::new(0.0, 2.0 + 0.5_f64.sqrt()), half);
    assert_eq!(detect(&world(vec![low.clone(), high]), 0.01).len(), 1);
    let beside = body(square(2.0), DVec2::new(2.3, 3.4), 0.0);
    let found = detect(&world(vec![low, beside]), 1.0);
    assert_eq!(found.len(), 1);
    assert!((found[0].1.phi - 0.5).abs() < 1e-12, "{}", found[0].1.phi);
    let features = found[0].0.id.features.map(Feature::from_code);
    assert_eq!(features, [Feature::Vertex(2), Feature::Vertex(0)]);
}
