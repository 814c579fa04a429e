//! The factorisations against solutions by hand.

use super::{ROUNDED_PIVOT, SparseLdlt};

/// The factorisation against a dense solve by hand: [[2, 1], [1, 1]] x = (1, 0) has x = (1, −1); a rank-one
/// matrix with a consistent right-hand side is solved with residual zero, an inconsistent one by least
/// squares.
#[test]
fn factorisation_solves_small_systems() {
    let pairs = [(0, 0), (0, 1), (1, 1)];
    let (mut matrix, slots) = SparseLdlt::new(2, &pairs);
    let mut solve = |entries: [f64; 3], b: [f64; 2]| {
        matrix.values_mut().fill(0.0);
        for (slot, entry) in slots.iter().zip(entries) {
            matrix.values_mut()[*slot] += entry;
        }
        match matrix.factor(ROUNDED_PIVOT).unwrap() {
            0 => {}
            dependent => matrix.factor_singular(dependent).unwrap(),
        }
        let mut x = [0.0; 2];
        let residual = matrix.solve(&b, &mut x);
        (x, residual, matrix.dependent_rows())
    };
    let (x, residual, dependent) = solve([2.0, 1.0, 1.0], [1.0, 0.0]);
    assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] + 1.0).abs() < 1e-15);
    assert!(residual < 1e-15 && dependent == 0);
    let (x, residual, dependent) = solve([1.0, 1.0, 1.0], [3.0, 3.0]);
    assert!((x[0] + x[1] - 3.0).abs() < 1e-14 && residual < 1e-14 && dependent == 1);
    let (x, residual, dependent) = solve([1.0, 1.0, 1.0], [1.0, 3.0]);
    assert!((x[0] + x[1] - 2.0).abs() < 1e-14 && dependent == 1);
    assert!((residual - 1.0).abs() < 1e-14);
    assert!(matrix_rejects_nan());
}

fn matrix_rejects_nan() -> bool {
    let (mut matrix, slots) = SparseLdlt::new(1, &[(0, 0)]);
    matrix.values_mut()[slots[0]] = f64::NAN;
    matrix.factor(ROUNDED_PIVOT).is_err()
}
