//! For every kind of contact: J against finite differences of φ, k and J̇_t v against finite differences of J v and J_t v, and φ
//! at a moved pose against a fresh detection.

use super::{assert_sound, detect_at, frames, world};
use driftlab::detect::{Contact, Feature, Gap};
use driftlab::model::{Body, Frame, Placement, Pose, Shape, World};
use glam::{DVec2, DVec3};
use proptest::prelude::*;

/// Shapes off the centre of mass, so that every arm counts.
fn shape(kind: usize, size: DVec2) -> Shape {
    match kind {
        0 => Shape::Circle { radius: size.x },
        1 => Shape::Box { size: 2.0 * size },
        2 => Shape::Capsule { length: size.x, radius: size.y },
        3 => Shape::Ellipse { semi_axes: size },
        4 | 5 => {
            let corners = [-size, DVec2::new(size.x, -0.5 * size.y), DVec2::new(0.2, size.y)];
            Shape::rounded_polygon(corners, if kind == 5 { 0.3 * size.x } else { 0.0 })
        }
        _ => Shape::HalfPlane { normal: DVec2::new(0.6, 0.8), offset: 0.1 },
    }
}

/// With a counterweight, so that the centre of mass lies off the shape.
fn off_centre(kind: usize, size: DVec2, q: DVec3) -> Body {
    let placed = Placement::at(shape(kind, size), [0.3, -0.2], 0.4);
    let weight =
        Placement { offset: DVec2::new(-0.8, 0.5), ..Placement::centred(Shape::Circle { radius: 0.3 }) };
    let shapes = if kind == 6 { vec![placed] } else { vec![placed, weight] };
    let mut body = super::compound(shapes, DVec2::ZERO, 0.0);
    body.pose = Pose::from(q);
    body
}

fn at(world: &World, contact: &Contact, q: [DVec3; 2], v: [DVec3; 2]) -> Gap {
    contact.gap(world.bodies(), &Frame::new(q[0], v[0]), &Frame::new(q[1], v[1]))
}

#[track_caller]
fn assert_close(exact: f64, difference: f64, tolerance: f64) {
    assert!((exact - difference).abs() < tolerance * (1.0 + exact.abs()), "{exact} against {difference}");
}

fn check(world: &World, contact: &Contact, q: [DVec3; 2], v: [DVec3; 2]) {
    const EPSILON: f64 = 1e-5;
    let here = at(world, contact, q, v);
    assert_sound(&here);
    for coordinate in 0..6 {
        let mut direction = [DVec3::ZERO; 2];
        direction[coordinate / 3][coordinate % 3] = EPSILON;
        let phi = |s: f64| at(world, contact, [q[0] + s * direction[0], q[1] + s * direction[1]], v).phi;
        let exact = [here.ja, here.jb][coordinate / 3][coordinate % 3];
        assert_close(exact, (phi(1.0) - phi(-1.0)) / (2.0 * EPSILON), 1e-6);
    }
    // Of fourth order: near a centre of curvature the second-order difference errs by more than its tolerance.
    let difference =
        |f: &dyn Fn(f64) -> f64| (8.0 * (f(1.0) - f(-1.0)) - (f(2.0) - f(-2.0))) / (12.0 * EPSILON);
    let rate = |s: f64| {
        let gap = at(world, contact, [q[0] + s * EPSILON * v[0], q[1] + s * EPSILON * v[1]], v);
        gap.ja.dot(v[0]) + gap.jb.dot(v[1])
    };
    assert_close(here.k, difference(&rate), 1e-5);
    let slip = |s: f64| {
        let gap = at(world, contact, [q[0] + s * EPSILON * v[0], q[1] + s * EPSILON * v[1]], v);
        gap.ta.dot(v[0]) + gap.tb.dot(v[1])
    };
    assert_close(here.kt, difference(&slip), 1e-5);
    // The tangential row is the relative velocity of the two bodies' points there.
    let t = DVec2::new(-here.normal.y, here.normal.x);
    let velocity = |i: usize| {
        let arm = here.point - q[i].truncate();
        v[i].truncate() + v[i].z * DVec2::new(-arm.y, arm.x)
    };
    assert_close(here.ta.dot(v[0]) + here.tb.dot(v[1]), t.dot(velocity(1) - velocity(0)), 1e-12);
}

fn vec3() -> impl Strategy<Value = DVec3> {
    (-2.0..2.0, -2.0..2.0, -4.0..4.0).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

fn size() -> impl Strategy<Value = DVec2> {
    (0.3..1.2, 0.3..1.2).prop_map(|(x, y)| DVec2::new(x, y))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// J, k and J̇_t v are the derivatives of φ, J v and J_t v for every pair of shapes, in both orders, at random states, apart
    /// and overlapping.
    #[test]
    fn gaps_have_the_derivatives_that_they_claim(
        sizes in [size(), size()],
        q in [vec3(), vec3()],
        v in [vec3(), vec3()],
    ) {
        for a in 0..7 {
            for b in 0..7 {
                if a == 6 && b == 6 {
                    continue;
                }
                let bodies = [(a, sizes[0], q[0]), (b, sizes[1], q[1])];
                let world = world(bodies.map(|(kind, size, q)| off_centre(kind, size, q)).to_vec());
                for (contact, _) in detect_at(&world, &frames(&world), 1e3) {
                    let gap = at(&world, &contact, q, v);
                    let free = contact.id.features.map(Feature::from_code).iter()
                        .all(|f| !matches!(f, Feature::Edge(_)));
                    // Near the centre of curvature a maximum has unbounded derivatives.
                    let curvature = if free { stiffness(&world, &contact, q) } else { 1.0 };
                    if curvature > 0.15 && gap.phi.abs() < 50.0 {
                        check(&world, &contact, q, v);
                    }
                }
            }
        }
    }

    /// After a small motion that does not change its features, a contact evaluated at the new pose has the φ of a fresh
    /// detection there.
    #[test]
    fn a_moved_gap_is_a_fresh_detection(
        sizes in [size(), size()],
        q in [vec3(), vec3()],
        dq in [vec3(), vec3()],
        kinds in [0..7_usize, 0..6_usize],
    ) {
        let bodies = vec![
            super::body(shape(kinds[0], sizes[0]), q[0].truncate(), q[0].z),
            super::body(shape(kinds[1], sizes[1]), q[1].truncate(), q[1].z),
        ];
        let world = world(bodies);
        let mut moved = frames(&world);
        for (frame, dq) in moved.iter_mut().zip(dq) {
            *frame = Frame::new(frame.position.extend(frame.angle) + 1e-3 * dq, DVec3::ZERO);
        }
        let fresh = detect_at(&world, &moved, 1e3);
        for (contact, _) in detect_at(&world, &frames(&world), 1e3) {
            if let Some((_, gap)) = fresh.iter().find(|(other, _)| other.id == contact.id) {
                let kept = contact.gap(world.bodies(), &moved[0], &moved[1]);
                // Skipped if two equal maxima have swapped.
                if kept.normal.dot(gap.normal) > 0.9 {
                    prop_assert!((kept.phi - gap.phi).abs() < 1e-12, "{kept:?} {gap:?}");
                }
            }
        }
    }
}

/// |s_θθ| by a finite difference: metres of slip per radian that the normal turns.
fn stiffness(world: &World, contact: &Contact, q: [DVec3; 2]) -> f64 {
    let here = at(world, contact, q, [DVec3::ZERO; 2]);
    let t = DVec2::new(-here.normal.y, here.normal.x);
    let slip = 1e-6;
    let there = at(world, contact, [q[0], q[1] + (slip * t).extend(0.0)], [DVec3::ZERO; 2]);
    slip / (there.normal - here.normal).length().max(1e-12)
}
