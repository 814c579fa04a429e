//! J against finite differences of g, and J̇ v against finite differences of J v, for every joint kind.

use super::worlds::point_mass;
use driftlab::model::joint::{
    Bead, Curve, Distance, DistanceForm, Equation, Hinge, Rope, Side, Slider, Slot, Spline, Weld,
};
use driftlab::model::{Frame, JointKind, Spring, World};
use glam::{DVec2, DVec3};
use proptest::prelude::*;

fn equations(
    emit: &dyn Fn(&Frame, &Frame) -> Vec<Equation>,
    q: [DVec3; 2],
    v: [DVec3; 2],
) -> Vec<Equation> {
    emit(&Frame::new(q[0], v[0]), &Frame::new(q[1], v[1]))
}

/// Central differences with step ε: J dq ≈ (g(q + ε dq) − g(q − ε dq))/2ε for each of the six coordinates. Of k, whose fourth
/// derivatives grow with v⁴, those of fourth order: with r(ε) = J(q + ε v) v, k ≈ (8 (r(ε) − r(−ε)) − (r(2ε) − r(−2ε)))/12ε.
fn check(emit: &dyn Fn(&Frame, &Frame) -> Vec<Equation>, q: [DVec3; 2], v: [DVec3; 2]) {
    const EPSILON: f64 = 1e-5;
    const TOLERANCE: f64 = 1e-7;
    let here = equations(emit, q, v);
    for coordinate in 0..6 {
        let mut direction = [DVec3::ZERO; 2];
        direction[coordinate / 3][coordinate % 3] = EPSILON;
        let at = |sign: f64| equations(emit, [q[0] + sign * direction[0], q[1] + sign * direction[1]], v);
        for ((row, plus), minus) in here.iter().zip(at(1.0)).zip(at(-1.0)) {
            let difference = (plus.g - minus.g) / (2.0 * EPSILON);
            let exact = [row.ja, row.jb][coordinate / 3][coordinate % 3];
            prop_assert_close(exact, difference, TOLERANCE);
        }
    }
    let at = |sign: f64| {
        let s = sign * EPSILON;
        equations(emit, [q[0] + s * v[0], q[1] + s * v[1]], v)
    };
    let rate = |row: &Equation| row.ja.dot(v[0]) + row.jb.dot(v[1]);
    let [near, far] = [1.0, 2.0].map(|steps| {
        let change = |(plus, minus): (Equation, Equation)| rate(&plus) - rate(&minus);
        at(steps).into_iter().zip(at(-steps)).map(change).collect::<Vec<_>>()
    });
    for ((row, near), far) in here.iter().zip(near).zip(far) {
        prop_assert_close(row.k, (8.0 * near - far) / (12.0 * EPSILON), 100.0 * TOLERANCE);
    }
}

#[track_caller]
fn prop_assert_close(exact: f64, difference: f64, tolerance: f64) {
    let scale = 1.0 + exact.abs();
    assert!((exact - difference).abs() < tolerance * scale, "{exact} against {difference}");
}

fn vec2() -> impl Strategy<Value = DVec2> {
    (-2.0..2.0, -2.0..2.0).prop_map(|(x, y)| DVec2::new(x, y))
}

fn vec3() -> impl Strategy<Value = DVec3> {
    (-2.0..2.0, -2.0..2.0, -4.0..4.0).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// J is the derivative of g, and k = J̇ v, for every joint kind and for springs, at random states.
    #[test]
    fn jacobians_and_velocity_products_match_finite_differences(
        anchors in [vec2(), vec2()],
        axis_angle in 0.0..6.3_f64,
        length in 0.1..3.0_f64,
        reference_angle in -1.0..1.0_f64,
        q in [vec3(), vec3()],
        v in [vec3(), vec3()],
    ) {
        let axis = DVec2::from_angle(axis_angle);
        let kinds = [
            JointKind::Hinge(Hinge { anchors }),
            JointKind::Distance(Distance { anchors, length, form: DistanceForm::Length }),
            JointKind::Distance(Distance { anchors, length, form: DistanceForm::Squared }),
            JointKind::Weld(Weld { anchors, reference_angle }),
            JointKind::Slider(Slider { anchors, axis, reference_angle }),
            JointKind::Slot(Slot { anchors, axis, suspension: None }),
        ];
        // The length of a vector has unbounded derivatives near zero.
        let frames = [Frame::new(q[0], v[0]), Frame::new(q[1], v[1])];
        let ends = [0, 1].map(|i| frames[i].position + frames[i].rotation.apply(anchors[i]));
        prop_assume!((ends[1] - ends[0]).length() > 0.3);
        for kind in &kinds {
            check(&|a, b| {
                let mut rows = Vec::new();
                kind.equations(a, b, |row| rows.push(row));
                assert_eq!(rows.len(), kind.rows());
                rows
            }, q, v);
        }
        let rope = JointKind::Rope(Rope { anchors });
        check(&|a, b| rope.coordinate(a, b).into_iter().collect(), q, v);
        for rest_length in [0.0, length] {
            let mut world = World::new(DVec2::ZERO);
            let [a, b] = [0; 2].map(|_| world.add_body(point_mass(DVec2::ZERO)).unwrap());
            let spring = Spring::between(a, b).anchors_in_bodies(anchors[0], anchors[1]);
            world.add_spring(spring.stiffness(1.0).rest_length(rest_length)).unwrap();
            let spring = &world.springs()[0];
            check(&|a, b| {
                let mut rows = Vec::new();
                spring.equations(a, b, |row| rows.push(row));
                assert_eq!(rows.len(), spring.rows());
                rows
            }, q, v);
        }
    }
    /// J is the derivative of g, and k = J̇ v, for beads on every curve, beside the curve and in motion with it.
    #[test]
    fn beads_match_finite_differences(
        anchors in [vec2(), vec2()],
        angle in -1.0..1.0_f64,
        (s, beside) in (-1.5..1.5_f64, -0.2..0.2_f64),
        (a, turn) in (vec3(), -3.0..3.0_f64),
        v in [vec3(), vec3()],
    ) {
        let points = [[-3.0, 0.5], [-1.0, 0.2], [0.1, 0.9], [0.9, -0.1], [2.0, 0.7]].map(DVec2::from_array);
        for curve in [
            Curve::Line,
            Curve::Circle { radius: 0.8 },
            Curve::Ellipse { semi_axes: DVec2::new(1.3, 0.7) },
            Curve::Parabola { coefficient: -0.6 },
            Curve::Cycloid { radius: 0.8 },
            Curve::Graph(Spline::new(points.to_vec()).unwrap()),
        ] {
            // At a point of the spline the third derivative jumps: no difference is taken across it.
            let at_point = points.iter().any(|point| (point.x - s).abs() < 2e-3);
            let is_graph = matches!(curve, Curve::Graph(_));
            let place = curve.point(if is_graph && at_point { s + 4e-3 } else { s }) + DVec2::new(0.0, beside);
            let frame = Frame::new(a, DVec3::ZERO);
            let own = frame.rotation.apply(anchors[0] + DVec2::from_angle(angle).rotate(place));
            let arm = Frame::new(DVec3::new(0.0, 0.0, turn), DVec3::ZERO).rotation.apply(anchors[1]);
            let q = [a, (frame.position + own - arm).extend(turn)];
            for side in [Side::On, Side::Inside] {
                let kind = JointKind::Bead(Bead { anchors, curve: curve.clone(), angle, side });
                check(&|a, b| {
                    let mut rows = Vec::new();
                    kind.equations(a, b, |row| rows.push(row));
                    rows.extend(kind.coordinate(a, b));
                    rows
                }, q, v);
            }
        }
    }
}
