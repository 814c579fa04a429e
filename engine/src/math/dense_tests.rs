//! The dense decompositions behind the stability maps, against matrices whose eigenvalues and singular values are known by
//! theory.

use super::{Dense, Singular};
use std::f64::consts::PI;

/// Returns the largest distance from an expected value to the nearest one found; as many have to be found as expected.
fn apart(found: &[(f64, f64)], expected: &[(f64, f64)]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let nearest =
        |e: &(f64, f64)| found.iter().map(|f| (f.0 - e.0).hypot(f.1 - e.1)).fold(f64::MAX, f64::min);
    expected.iter().map(nearest).fold(0.0, f64::max)
}

fn largest(matrix: &Dense) -> f64 {
    matrix.entries().iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// A matrix without structure: sines of incommensurable arguments.
fn scattered(rows: usize, columns: usize) -> Dense {
    Dense::from_fn(rows, columns, |i, j| {
        (1.7 * i as f64 + 0.3 + 2.9 * (i * j) as f64 + 0.71 * j as f64).sin()
    })
}

/// The second difference has 2 − 2 cos(kπ/(n + 1)); a circulant shift the roots of unity, all of one modulus, on which
/// QR steps cycle that only ever take Francis' shifts; a companion matrix the roots of its polynomial.
#[test]
fn eigenvalues_are_those_of_the_theory() {
    for n in [1, 2, 3, 4, 7, 30, 80] {
        let size = n as f64;
        let second = Dense::from_fn(n, n, |i, j| match i.abs_diff(j) {
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        });
        let expected: Vec<_> =
            (1..=n).map(|k| (2.0 - 2.0 * (k as f64 * PI / (size + 1.0)).cos(), 0.0)).collect();
        assert!(apart(&second.eigenvalues().unwrap(), &expected) < 1e-13 * size, "second difference, {n}");

        let shift = Dense::from_fn(n, n, |i, j| if i == (j + 1) % n { 1.0 } else { 0.0 });
        let angle = |k: usize| 2.0 * PI * k as f64 / size;
        let expected: Vec<_> = (0..n).map(|k| (angle(k).cos(), angle(k).sin())).collect();
        assert!(apart(&shift.eigenvalues().unwrap(), &expected) < 1e-13 * size, "shift, {n}");
    }
    // (λ − 1)(λ + 2)(λ − 3)(λ² + 1) = λ⁵ − 2λ⁴ − 4λ³ + 4λ² − 5λ + 6
    let polynomial = [-6.0, 5.0, -4.0, 4.0, 2.0];
    let companion = Dense::from_fn(5, 5, |i, j| match (i, j) {
        (i, 4) => polynomial[i],
        (i, j) if i == j + 1 => 1.0,
        _ => 0.0,
    });
    let expected = [(1.0, 0.0), (-2.0, 0.0), (3.0, 0.0), (0.0, 1.0), (0.0, -1.0)];
    assert!(apart(&companion.eigenvalues().unwrap(), &expected) < 1e-12);
    assert_eq!(Dense::zeros(0, 0).eigenvalues(), Some(Vec::new()));
    assert_eq!(Dense::from_fn(2, 2, |_, _| f64::NAN).eigenvalues(), None);
}

/// Sum and sum of squares of the eigenvalues are the traces of A and A A, of matrices without any structure too.
#[test]
fn eigenvalues_keep_the_traces() {
    for n in [3, 10, 40, 120] {
        let a = scattered(n, n);
        let values = a.eigenvalues().unwrap();
        let trace = |m: &Dense| (0..n).map(|i| m[(i, i)]).sum::<f64>();
        let sum: f64 = values.iter().map(|(re, _)| re).sum();
        let squares: f64 = values.iter().map(|(re, im)| re * re - im * im).sum();
        let rounding = 1e-14 * (n * n) as f64;
        assert!((sum - trace(&a)).abs() < rounding, "{n}: {sum}");
        assert!((squares - trace(&(&a * &a))).abs() < 10.0 * rounding, "{n}: {squares}");
        assert!(values.iter().map(|(_, im)| im).sum::<f64>().abs() < rounding, "{n}: pairs are conjugate");
    }
}

/// Penrose's four equations hold for tall, wide and square matrices, whether or not the rank is full.
#[test]
fn pseudo_inverses_satisfy_penroses_equations() {
    for (rows, columns, rank) in
        [(5, 3, 3), (3, 5, 3), (8, 8, 4), (20, 31, 12), (1, 6, 1), (6, 1, 1), (4, 4, 0)]
    {
        let a = &scattered(rows, rank) * &scattered(columns, rank).transposed();
        let singular = Singular::of(&a).unwrap();
        assert_eq!(singular.rank(1e-9), rank, "{rows} by {columns}");
        let inverse = singular.pseudo_inverse(1e-9);
        let (ax, xa) = (&a * &inverse, &inverse * &a);
        let size = largest(&a).max(1.0);
        for (name, left) in [
            ("A X A = A", &(&ax * &a) - &a),
            ("X A X = X", &(&xa * &inverse) - &inverse),
            ("A X symmetric", &ax - &ax.transposed()),
            ("X A symmetric", &xa - &xa.transposed()),
        ] {
            assert!(
                largest(&left) < 1e-11 * size * largest(&inverse).max(1.0),
                "{name}, {rows} by {columns}"
            );
        }
    }
}

/// The bases of row space and null space are orthonormal and together span the whole space; the matrix maps the null space to
/// zero.
#[test]
fn row_space_and_null_space_divide_the_whole() {
    for (rows, columns, rank) in [(5, 3, 3), (3, 5, 3), (10, 24, 6), (24, 10, 6), (0, 4, 0)] {
        let a = &scattered(rows, rank) * &scattered(columns, rank).transposed();
        let singular = Singular::of(&a).unwrap();
        let (row, null) = (singular.row_space(1e-9), singular.null_space(1e-9));
        assert_eq!((row.ncols(), null.ncols()), (rank, columns - rank));
        let whole =
            Dense::from_fn(
                columns,
                columns,
                |i, j| if j < rank { row[(i, j)] } else { null[(i, j - rank)] },
            );
        let apart = &(&whole.transposed() * &whole) - &Dense::identity(columns);
        assert!(largest(&apart) < 1e-13, "{rows} by {columns}");
        assert!(largest(&(&a * &null)) < 1e-12, "{rows} by {columns}");
    }
    assert!(Singular::of(&Dense::from_fn(2, 2, |_, _| f64::INFINITY)).is_none());
}
