//! The factors against products and determinants computed densely.

use super::{BlockLu, BlockSlot};
use fastrand::Rng;

/// Between −1 and 1.
fn triple(random: &mut Rng) -> [f64; 3] {
    [(); 3].map(|()| 2.0 * random.f64() - 1.0)
}

/// The determinant by Gaussian elimination with the largest pivot of each column.
fn determinant(mut a: Vec<Vec<f64>>) -> f64 {
    let n = a.len();
    let mut product = 1.0;
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).unwrap();
        if pivot != k {
            a.swap(pivot, k);
            product = -product;
        }
        product *= a[k][k];
        for i in k + 1..n {
            let [above, below] = a.get_disjoint_mut([k, i]).unwrap();
            let factor = below[k] / above[k];
            below.iter_mut().zip(&*above).for_each(|(b, a)| *b -= factor * a);
        }
    }
    product
}

/// Unsymmetric matrices I + Σ x yᵀ over random graphs: A (A⁻¹ b) = b to rounding of a matrix without pivoting, and the sign of the determinant.
#[test]
fn solutions_meet_unsymmetric_systems() {
    let mut random = Rng::with_seed(1);
    let (mut positive, mut negative, mut worst) = (0, 0, 0.0_f64);
    for _ in 0..300 {
        let n = random.usize(1..12);
        let pairs: Vec<(usize, usize)> = (0..random.usize(0..3 * n))
            .map(|_| (random.usize(0..n), random.usize(0..n)))
            .filter(|(i, j)| i != j)
            .collect();
        let (mut lu, slots): (BlockLu, Vec<BlockSlot>) = BlockLu::new(n, &pairs);
        let mut dense = vec![vec![0.0; 3 * n]; 3 * n];
        (0..3 * n).for_each(|i| dense[i][i] = 1.0);
        lu.set_identity();
        for (&(i, j), &slot) in pairs.iter().zip(&slots) {
            let [x, y] = [(); 2].map(|()| [i, j].map(|_| [triple(&mut random), triple(&mut random)]));
            lu.add_diagonal(i, x[0], y[0]);
            lu.add_diagonal(j, x[1], y[1]);
            lu.add_pair(slot, x, y);
            for (end, p) in [i, j].into_iter().enumerate() {
                for (other, q) in [i, j].into_iter().enumerate() {
                    for k in 0..2 {
                        for r in 0..3 {
                            for c in 0..3 {
                                dense[3 * p + r][3 * q + c] += x[end][k][r] * y[other][k][c];
                            }
                        }
                    }
                }
            }
        }
        assert!(lu.factor());
        let sign = determinant(dense.clone());
        assert_eq!(lu.is_oriented(), sign > 0.0, "{sign}");
        *(if sign > 0.0 { &mut positive } else { &mut negative }) += 1;
        let b: Vec<[f64; 3]> = (0..n).map(|_| triple(&mut random)).collect();
        let mut solution = b.clone();
        lu.solve(&mut solution);
        let (x, b) = (solution.as_flattened(), b.as_flattened());
        let size = x.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
        for (row, b) in dense.iter().zip(b) {
            let product: f64 = row.iter().zip(x).map(|(a, x)| a * x).sum();
            worst = worst.max((product - b).abs() / size);
        }
    }
    assert!(positive > 30 && negative > 30, "{positive} {negative}");
    assert!(worst < 1e-9, "{worst:e}");
}
