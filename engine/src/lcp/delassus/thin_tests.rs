//! Equations over few bodies against the pseudo-inverse of their matrix, assembled by its definition.

use super::jacobian::{End, JacobianRow};
use super::thin::Thin;
use crate::math::{Dense, Singular};
use glam::DVec3;

/// A row between two bodies.
struct Row([usize; 2], [DVec3; 2]);

impl JacobianRow for Row {
    fn bodies(&self) -> [usize; 2] {
        self.0
    }

    fn side(&self, end: End) -> DVec3 {
        self.1[usize::from(end == End::Second)]
    }
}

/// Sixty rows of two-body hinges at twenty points over five bodies, the first of which does not move, at masses of 10⁻³ to 10³: twelve of them are
/// independent. Right-hand sides in the range of A are met, of others the least-squares solution of least norm in the scaled system is
/// found, S (S A S)⁺ S b, with and without a compliant row, which then depends on nothing.
#[test]
fn many_rows_over_few_bodies_get_the_pseudo_inverse() {
    let mut state = 7_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1_u64 << 31) as f64 - 0.5
    };
    for compliance in [0.0, 0.3] {
        let mut weight = vec![DVec3::ZERO];
        weight.extend((0..4).map(|_| 10f64.powf(6.0 * random()) * DVec3::new(1.0, 1.0, 3.0)));
        let places: Vec<[f64; 2]> = (0..5).map(|_| [random(), random()]).collect();
        let mut rows = Vec::new();
        for point in 0..30 {
            let at = [random(), random()];
            let bodies = [point % 5, (point + 1 + point / 5 % 4) % 5];
            for along in 0..2 {
                // (e, r × e) of the point, against the first body.
                let side = |body: usize| {
                    let r = [at[0] - places[body][0], at[1] - places[body][1]];
                    if along == 0 { DVec3::new(1.0, 0.0, -r[1]) } else { DVec3::new(0.0, 1.0, r[0]) }
                };
                rows.push(Row(bodies, [-side(bodies[0]), side(bodies[1])]));
            }
        }
        let n = rows.len();
        let compliances: Vec<(u32, f64)> =
            if compliance > 0.0 { vec![(17, compliance)] } else { Vec::new() };
        let side = |i: usize, body: usize| {
            let ends = [End::First, End::Second];
            let own = (0..2).filter(|end| rows[i].0[*end] == body).map(|end| rows[i].side(ends[end]));
            own.sum::<DVec3>()
        };
        let a = Dense::from_fn(n, n, |i, j| {
            let terms = (0..5).map(|body| side(i, body).dot(weight[body] * side(j, body)));
            terms.sum::<f64>() + if i == j && i == 17 { compliance } else { 0.0 }
        });
        let scale: Vec<f64> = (0..n).map(|i| 1.0 / a[(i, i)].sqrt()).collect();
        let scaled = Dense::from_fn(n, n, |i, j| scale[i] * a[(i, j)] * scale[j]);
        let inverse = Singular::of(&scaled).unwrap().pseudo_inverse(1e-10);
        let mut thin = Thin::new(&[false, true, true, true, true]);
        thin.factor(n, |i| &rows[i], &weight, &compliances).unwrap();
        assert_eq!(thin.surplus().len(), n - 12 - compliances.len());
        (0..n).for_each(|i| assert!((thin.diagonal(i) - a[(i, i)]).abs() < 1e-13 * a[(i, i)]));
        for consistent in [true, false] {
            let any: Vec<f64> = (0..n).map(|_| random()).collect();
            let product = |i: usize, x: &[f64]| (0..n).map(|j| a[(i, j)] * x[j]).sum::<f64>();
            let b: Vec<f64> = if consistent { (0..n).map(|i| product(i, &any)).collect() } else { any };
            let (mut x, mut left) = (vec![0.0; n], vec![0.0; n]);
            let residual = thin.solve(&b, &mut x);
            thin.left(&mut left);
            let scaled_b: Vec<f64> = b.iter().zip(&scale).map(|(b, s)| b * s).collect();
            let size = scaled_b.iter().fold(0.0_f64, |most, b| most.max(b.abs()));
            for i in 0..n {
                let expected = scale[i] * (0..n).map(|j| inverse[(i, j)] * scaled_b[j]).sum::<f64>();
                let near = 1e-7 * size * scale[i];
                assert!((x[i] - expected).abs() < near, "{i}: {} for {expected}, {consistent}", x[i]);
                let rest = b[i] - product(i, &x);
                assert!((left[i] - rest).abs() < 1e-10 * size / scale[i], "{} for {rest}", left[i]);
                assert!(!consistent || rest.abs() < 1e-11 * size / scale[i], "{rest} of {size} is left");
            }
            let largest = left.iter().fold(0.0_f64, |most, left| most.max(left.abs()));
            assert_eq!(residual, largest);
        }
    }
}
