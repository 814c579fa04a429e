//! N v against the velocity that it constrains, found by moving the bodies, and (N v)_q v and v̇₀ against finite differences.

use driftlab::model::joint::Equation;
use driftlab::model::nonholonomic::{KnifeEdge, PrescribedVelocity, Rolling, Surface, VelocityLaw};
use driftlab::model::{Frame, NonholonomicKind};
use glam::{DVec2, DVec3};
use proptest::prelude::*;

fn rows(kind: &NonholonomicKind, q: [DVec3; 2], v: [DVec3; 2]) -> Vec<Equation> {
    let mut found = Vec::new();
    kind.equations(&Frame::new(q[0], v[0]), &Frame::new(q[1], v[1]), |row| found.push(row));
    assert_eq!(found.len(), kind.rows());
    found
}

/// Velocity of the material point of a body that is at `point` now, by a central difference of its position.
fn drift_of(q: DVec3, v: DVec3, point: DVec2) -> DVec2 {
    const EPSILON: f64 = 1e-6;
    let arm = Frame::new(q, v).rotation.inverse_apply(point - q.truncate());
    let at = |s: f64| {
        let moved = Frame::new(q + s * v, v);
        moved.position + moved.rotation.apply(arm)
    };
    (at(EPSILON) - at(-EPSILON)) / (2.0 * EPSILON)
}

fn vec2() -> impl Strategy<Value = DVec2> {
    (-2.0..2.0, -2.0..2.0).prop_map(|(x, y)| DVec2::new(x, y))
}

fn vec3() -> impl Strategy<Value = DVec3> {
    (-2.0..2.0, -2.0..2.0, -4.0..4.0).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// N v is the velocity that each kind constrains, found by moving the bodies, and k = (N v)_q v is the derivative of N v
    /// along q + t v.
    #[test]
    fn rows_match_finite_differences(
        anchor in vec2(),
        axis_angle in 0.0..6.3_f64,
        radius in 0.1..1.0_f64,
        q in [vec3(), vec3()],
        v in [vec3(), vec3()],
    ) {
        let axis = DVec2::from_angle(axis_angle);
        let frames = [Frame::new(q[0], v[0]), Frame::new(q[1], v[1])];
        let center = frames[0].position + frames[0].rotation.apply(anchor);
        prop_assume!(frames[1].position.distance(center) > 0.5);
        let law = VelocityLaw::Constant(DVec2::ZERO);
        let rolling = |surface| NonholonomicKind::Rolling(Rolling { radius, surface });
        let kinds = [
            NonholonomicKind::KnifeEdge(KnifeEdge { anchor, axis }),
            NonholonomicKind::PrescribedVelocity(PrescribedVelocity { anchor, law }),
            rolling(Surface::Straight(axis)),
            rolling(Surface::Round(anchor)),
        ];
        let point = frames[1].position + frames[1].rotation.apply(anchor);
        let contact = |normal: DVec2| {
            let touching = frames[1].position - radius * normal;
            let slip = drift_of(q[1], v[1], touching) - drift_of(q[0], v[0], touching);
            vec![DVec2::new(normal.y, -normal.x).dot(slip)]
        };
        let expected = [
            vec![frames[1].rotation.apply(axis).perp().dot(drift_of(q[1], v[1], point))],
            drift_of(q[1], v[1], point).to_array().to_vec(),
            contact(frames[0].rotation.apply(axis)),
            contact((frames[1].position - center).normalize()),
        ];
        for (kind, expected) in kinds.iter().zip(expected) {
            let rate = |row: &Equation| row.ja.dot(v[0]) + row.jb.dot(v[1]);
            const EPSILON: f64 = 1e-5;
            let at = |s: f64| rows(kind, [q[0] + s * v[0], q[1] + s * v[1]], v);
            let (plus, minus) = (at(EPSILON), at(-EPSILON));
            for (i, row) in rows(kind, q, v).iter().enumerate() {
                let moved = expected[i];
                prop_assert!((rate(row) - moved).abs() < 1e-6 * (1.0 + moved.abs()), "{}: {moved}", kind.key());
                let slope = (rate(&plus[i]) - rate(&minus[i])) / (2.0 * EPSILON);
                prop_assert!((row.k - slope).abs() < 1e-5 * (1.0 + slope.abs()), "{}: {} {slope}", kind.key(), row.k);
            }
        }
    }

    /// v̇₀ is the derivative of a circular motion's v₀, and |v₀| is its radius times the magnitude of its rate.
    #[test]
    fn prescribed_accelerations_match_finite_differences(
        center in vec2(), start in vec2(), rate in -3.0..3.0_f64, t in 0.0..10.0_f64,
    ) {
        let law = VelocityLaw::Circle { center, start, rate };
        let kind = NonholonomicKind::PrescribedVelocity(PrescribedVelocity { anchor: DVec2::ZERO, law });
        let [now, plus, minus] = [t, t + 1e-5, t - 1e-5].map(|t| kind.prescribed(t));
        for i in 0..2 {
            prop_assert!((now[i].rate - (plus[i].value - minus[i].value) / 2e-5).abs() < 1e-6);
        }
        // |v₀| = |ω| r.
        let velocity = DVec2::new(now[0].value, now[1].value);
        prop_assert!((velocity.length() - rate.abs() * start.distance(center)).abs() < 1e-9);
    }
}
