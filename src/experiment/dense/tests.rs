//! Singular values against what defines them: Penrose's equations, orthonormal bases.

use super::{Dense, Singular};

fn largest(matrix: &Dense) -> f64 {
    matrix.entries().iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// A matrix without structure: sines of incommensurable arguments.
fn scattered(rows: usize, columns: usize) -> Dense {
    Dense::from_fn(rows, columns, |i, j| {
        (1.7 * i as f64 + 0.3 + 2.9 * (i * j) as f64 + 0.71 * j as f64).sin()
    })
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
