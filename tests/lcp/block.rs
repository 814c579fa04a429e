//! The pivoting methods' block inverse stays the inverse of its block while rows and columns are added, removed and replaced.

#[allow(dead_code)]
#[path = "../../engine/src/lcp/dense/inverse.rs"]
mod inverse;
#[allow(dead_code)]
#[path = "../../engine/src/lcp/dense/lu.rs"]
mod lu;

use super::generators::Random;
use inverse::Inverse;

/// Changes with a smaller pivot are skipped, so that the blocks stay well conditioned.
const LEAST_PIVOT: f64 = 0.2;

/// The largest entry of |H G − 1|, with G gathered by the labels.
fn error(inverse: &Inverse, a: &[f64], n: usize) -> f64 {
    let mut worst: f64 = 0.0;
    let k = inverse.len();
    for p in 0..k {
        for (q, &unknown) in inverse.unknowns.iter().enumerate() {
            let product: f64 =
                (0..k).map(|e| inverse.column(e)[p] * a[inverse.equations[e] * n + unknown]).sum();
            worst = worst.max((product - f64::from(p == q)).abs());
        }
    }
    worst
}

/// Over 2,000 random changes of blocks of random matrices with a zero diagonal, as friction's blocks have, positions and labels
/// stay consistent and H G = 1 to 1e-8 without a new factorisation; a new factorisation then gives 1e-11.
#[test]
fn a_block_that_changes_keeps_its_inverse() {
    let mut random = Random(21);
    for n in [6, 25] {
        let mut a = random.list(n * n);
        (0..n).for_each(|i| a[i * n + i] = 0.0);
        let mut inverse = Inverse::new(n, n);
        let (mut changes, mut most) = ([0; 4], 0);
        for _ in 0..1000 {
            let (unknown, equation) = (random.whole(0, n - 1), random.whole(0, n - 1));
            let row: Vec<(usize, f64)> =
                inverse.unknowns.iter().enumerate().map(|(p, &u)| (p, a[equation * n + u])).collect();
            let column: Vec<f64> = (0..n).map(|i| a[i * n + unknown]).collect();
            let (d, v) = (inverse.solve(&column), inverse.solve_transposed(&row));
            let place = if inverse.len() == 0 { 0 } else { random.whole(0, inverse.len() - 1) };
            let kind = match (inverse.unknown(unknown), inverse.equation(equation)) {
                (None, None) => {
                    let s = column[equation] - row.iter().map(|&(p, r)| r * d[p]).sum::<f64>();
                    if s.abs() < LEAST_PIVOT {
                        continue;
                    }
                    inverse.grow(unknown, equation, &d, &v, s);
                    0
                }
                (Some(p), Some(e)) if inverse.column(e)[p].abs() > LEAST_PIVOT => {
                    inverse.shrink(p, e);
                    1
                }
                (None, Some(_)) if d[place].abs() > LEAST_PIVOT => {
                    inverse.replace_unknown(place, unknown, &d);
                    2
                }
                (Some(_), None) if v[place].abs() > LEAST_PIVOT => {
                    inverse.replace_equation(place, equation, &v);
                    3
                }
                _ => continue,
            };
            changes[kind] += 1;
            most = most.max(inverse.len());
            for (p, &u) in inverse.unknowns.iter().enumerate() {
                assert_eq!(inverse.unknown(u), Some(p));
            }
            for (e, &i) in inverse.equations.iter().enumerate() {
                assert_eq!(inverse.equation(i), Some(e));
            }
            assert!(error(&inverse, &a, n) < 1e-8, "{n}: {:e}", error(&inverse, &a, n));
        }
        assert!(changes.iter().all(|&count| count > 20) && most > n / 2, "{changes:?}, {most}");
        let a = &a;
        let afresh = inverse.factor(|equations, unknowns| {
            equations.iter().flat_map(|i| unknowns.iter().map(move |u| a[i * n + u])).collect()
        });
        assert!(afresh && error(&inverse, a, n) < 1e-11, "{:e}", error(&inverse, a, n));
    }
}

/// Factorising a singular block fails and leaves the previous inverse unchanged.
#[test]
fn a_singular_block_is_refused() {
    let a = [2.0, 0.0, 0.0, 4.0];
    let mut inverse = Inverse::new(2, 2);
    for i in 0..2 {
        let zeros = vec![0.0; i];
        inverse.grow(i, i, &zeros, &zeros, a[3 * i]);
    }
    assert!(!inverse.factor(|_, _| vec![1.0; 4]));
    assert_eq!((inverse.column(0), inverse.column(1)), (&[0.5, 0.0][..], &[0.0, 0.25][..]));
}
