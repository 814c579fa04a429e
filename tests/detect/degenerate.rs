//! Poses in which the normal is arbitrary, and extreme sizes, give finite numbers and unit normals.

use super::{Random, assert_sound, body, convex_polygon, detect, world};
use driftlab::model::{Frame, Shape};
use glam::{DVec2, DVec3};

fn shapes(size: f64) -> Vec<Shape> {
    let v = |x: f64, y: f64| DVec2::new(x * size, y * size);
    vec![
        Shape::Circle { radius: size },
        Shape::Box { size: v(2.0, 1.0) },
        Shape::Capsule { length: size, radius: 0.5 * size },
        Shape::Ellipse { semi_axes: v(2.0, 1.0) },
        Shape::Ellipse { semi_axes: v(1.0, 1.0) },
        Shape::polygon([v(-1.0, -1.0), v(1.0, -1.0), v(0.0, 1.0)]),
        Shape::polygon([v(0., 0.), v(2., 0.), v(2., 1.), v(1., 1.), v(1., 2.), v(0., 2.)]),
        Shape::Polyline { points: vec![v(-1.0, 0.0), v(0.0, 0.0), v(1.0, 0.0)] },
        Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 },
    ]
}

/// Coincident, nested and touching bodies with sizes from 1 nm to 1e12 m have contacts of finite numbers and unit normals.
#[test]
fn contacts_of_degenerate_shapes_are_finite() {
    let mut contacts = 0;
    for size in [1e-9, 1.0, 1e12] {
        for other in [1e-9, 1e-3, 1.0, 1e12] {
            for a in shapes(size) {
                for b in shapes(other) {
                    for (at, angle) in [(DVec2::ZERO, 0.0), (DVec2::X * other, 0.0), (DVec2::ZERO, 1.0)] {
                        let bodies = vec![body(a.clone(), DVec2::ZERO, 0.0), body(b.clone(), at, angle)];
                        for (_, gap) in detect(&world(bodies), 1.0) {
                            assert_sound(&gap);
                            contacts += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(contacts > 1000, "{contacts}");
}

/// Concentric disks have the normal +y and overlap by the sum of their radii.
#[test]
fn concentric_circles_part_upwards() {
    let disk = |radius| body(Shape::Circle { radius }, DVec2::new(0.3, 0.4), 0.0);
    let found = detect(&world(vec![disk(1.0), disk(0.25)]), 0.0);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].1.phi, found[0].1.normal), (-1.25, DVec2::Y));
}

/// The contacts of a small box inside a large one have the normal and depth of the nearest wall.
#[test]
fn a_body_inside_another_leaves_through_the_nearest_wall() {
    let large = body(Shape::Box { size: DVec2::new(10.0, 6.0) }, DVec2::ZERO, 0.0);
    let small = body(Shape::Box { size: DVec2::splat(1.0) }, DVec2::new(3.0, 0.5), 0.0);
    let found = detect(&world(vec![large, small]), 0.0);
    assert!(
        found.iter().all(|(_, gap)| (gap.phi + 2.5).abs() < 1e-12 && gap.normal == DVec2::X),
        "{found:?}"
    );
}

/// A detector that was used for other worlds finds the same contacts as a fresh one, sorted by id.
#[test]
fn a_detector_has_no_memory() {
    let mut random = Random(3);
    let mut used = driftlab::detect::Detector::default();
    let reach = driftlab::detect::Reach { distance: 0.1, travel: 0.0 };
    for round in 0..50 {
        let mut bodies = Vec::new();
        for _ in 0..1 + round % 7 {
            for shape in shapes(1.0) {
                bodies.push(body(shape, random.vec2(6.0), random.between(-3.0, 3.0)));
            }
        }
        let world = world(bodies);
        let (mut by_used, mut by_fresh) = (Vec::new(), Vec::new());
        used.detect(&world, &super::frames(&world), &reach, &mut by_used);
        driftlab::detect::Detector::default().detect(&world, &super::frames(&world), &reach, &mut by_fresh);
        assert_eq!(by_used, by_fresh);
        assert!(by_used.is_sorted_by_key(|contact| contact.id));
    }
}

/// A detector remembers which edges of two polygons had the largest separations. Where two directions are equal but for rounding,
/// and where the bodies have moved on, it finds what one finds that remembers nothing.
#[test]
fn the_edges_of_the_last_pose_do_not_decide_about_the_next() {
    const NUDGES: [f64; 9] = [0.0, 1e-16, -1e-16, 1e-13, -1e-13, 1e-9, -1e-9, 0.3, -0.3];
    let mut random = Random(11);
    let reach = driftlab::detect::Reach { distance: 0.5, travel: 0.0 };
    for round in 0..20 {
        let square = || Shape::Box { size: DVec2::ONE };
        let other = if round % 2 == 0 { square() } else { Shape::polygon(convex_polygon(&mut random)) };
        let world = world(vec![body(square(), DVec2::ZERO, 0.0), body(other, DVec2::ONE, 0.0)]);
        let mut used = driftlab::detect::Detector::default();
        for pose in 0..200 {
            let mut nudge = || NUDGES[random.below(NUDGES.len())];
            let corner = [DVec2::ONE, DVec2::new(-1.0, 1.0), -DVec2::ONE, DVec2::X][pose / 50];
            let mut frames = super::frames(&world);
            let at = corner + DVec2::new(nudge(), nudge());
            frames[1] = Frame::new(at.extend(nudge()), DVec3::ZERO);
            let detect = |detector: &mut driftlab::detect::Detector| {
                let (mut contacts, mut gaps) = (Vec::new(), Vec::new());
                detector.detect_gaps(&world, &frames, &reach, (&mut contacts, &mut gaps));
                format!("{contacts:?} {gaps:?}")
            };
            assert_eq!(detect(&mut used), detect(&mut Default::default()), "pair {round}, pose {pose}");
        }
    }
}

/// A detector keeps its list of contacts while every pair of pieces gives it the same ones. Bodies of all shapes, of
/// which one moves now and then by more or less than rounding, are looked at within one distance after the other: it
/// finds what a fresh one finds, to the bit.
#[test]
fn a_list_that_is_kept_is_the_one_that_would_be_found() {
    const DISTANCES: [f64; 5] = [0.0, 1e-12, 1e-3, 0.05, 0.4];
    const NUDGES: [f64; 7] = [0.0, 1e-16, -1e-12, 1e-4, -1e-4, 0.1, -0.1];
    let (mut random, mut found) = (Random(29), 0);
    for round in 0..12 {
        let mut bodies = vec![body(Shape::HalfPlane { normal: DVec2::Y, offset: 0.0 }, DVec2::ZERO, 0.0)];
        for column in 0..5 {
            for row in 0..3 {
                let at = DVec2::new(f64::from(column), 0.5 + f64::from(row));
                let square = || Shape::Box { size: DVec2::ONE };
                let any = if round % 3 == 0 {
                    square()
                } else {
                    shapes(1.0).swap_remove(random.below(shapes(1.0).len()))
                };
                bodies.push(body(any, at, 0.0));
            }
        }
        let (world, mut used) = (world(bodies), driftlab::detect::Detector::default());
        let mut frames = super::frames(&world);
        for look in 0..150 {
            let mut nudge = || NUDGES[random.below(NUDGES.len())];
            let (shift, turn, speed) = (DVec2::new(nudge(), nudge()), nudge(), nudge());
            let any = 1 + random.below(frames.len() - 1);
            let Frame { position, angle, .. } = frames[any];
            match random.below(3) {
                0 => frames[any] = Frame::new((position + shift).extend(angle + turn), DVec3::ZERO),
                1 => frames[any] = Frame::new(position.extend(angle), DVec3::new(speed, turn, shift.x)),
                _ => {}
            }
            let travel = if random.below(3) == 0 { 1.0 } else { 0.0 };
            let reach = driftlab::detect::Reach { distance: DISTANCES[random.below(5)], travel };
            let detect = |detector: &mut driftlab::detect::Detector| {
                let (mut contacts, mut gaps) = (Vec::new(), Vec::new());
                detector.detect_gaps(&world, &frames, &reach, (&mut contacts, &mut gaps));
                (contacts.len(), format!("{contacts:?} {gaps:?}"))
            };
            let by_used = detect(&mut used);
            assert_eq!(by_used, detect(&mut Default::default()), "world {round}, look {look}");
            found += by_used.0;
        }
    }
    assert!(found > 10_000, "{found} contacts");
}
