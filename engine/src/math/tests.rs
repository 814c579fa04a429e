//! The factorisations against solutions by hand.

use super::elimination::Storage;
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

/// Forests of joints of one to three rows, numbered at random, some of whose rows repeat others: the factors of chains and in
/// blocks come to the bits of the scalar ones, in the solution, its residual, the dependent rows and the singular case.
#[test]
fn chains_and_blocks_give_the_bits_of_scalars() {
    let mut state = 1_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1_u64 << 31) as f64
    };
    let (mut in_blocks, mut in_chains, mut singular) = (0, 0, 0);
    for trial in 0..400 {
        // A joint shares one body with its parent: where bodies have more than two joints, these form a clique.
        let joints = 1 + (random() * 30.0) as usize;
        let branching = [0.0, 0.1, 0.5][trial % 3];
        let mut sides: Vec<[usize; 2]> = Vec::new();
        let mut rows: Vec<usize> = Vec::new();
        for joint in 0..joints {
            let near = if random() < branching { (random() * (joint + 1) as f64) as usize } else { joint };
            sides.push([near, joint + 1]);
            let size = if trial % 2 == 0 { 2 } else { 1 + (random() * 3.0) as usize };
            rows.extend(vec![joint; size]);
        }
        let n = rows.len();
        let (sides, rows) = (&sides, &rows);
        let shares =
            |i: usize, j: usize| sides[rows[i]].iter().filter(move |body| sides[rows[j]].contains(body));
        let pairs: Vec<(usize, usize)> = (0..n)
            .flat_map(|i| (0..=i).map(move |j| (i, j)))
            .filter(|&(i, j)| shares(i, j).next().is_some())
            .collect();
        // A = J Jᵀ, body by body of three numbers.
        let mut j: Vec<[[f64; 3]; 2]> = (0..n)
            .map(|_| [[random() - 0.5, random() - 0.5, random() - 0.5], [random(), random(), random()]])
            .collect();
        if trial % 5 == 0 && n > 1 && rows[n - 1] == rows[n - 2] {
            j[n - 1] = j[n - 2];
        }
        let product = |x: [f64; 3], y: [f64; 3]| x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
        let entry = |i: usize, k: usize| {
            let mut sum = 0.0;
            for (a, x) in sides[rows[i]].iter().zip(j[i]) {
                for (b, y) in sides[rows[k]].iter().zip(j[k]) {
                    sum += if a == b { product(x, y) } else { 0.0 };
                }
            }
            sum
        };
        let b: Vec<f64> = (0..n).map(|_| random() - 0.5).collect();
        let solve = |(mut matrix, slots): (SparseLdlt, Vec<usize>)| {
            for (slot, &(i, k)) in slots.iter().zip(&pairs) {
                matrix.values_mut()[*slot] = entry(i, k);
            }
            let dependent = matrix.factor(1e-6).unwrap();
            let replaced: Vec<usize> = matrix.replaced_rows().collect();
            if dependent > 0 {
                matrix.factor_singular(dependent).unwrap();
            }
            let (mut x, mut left) = (vec![0.0; n], vec![0.0; n]);
            let residual = matrix.solve(&b, &mut x);
            matrix.left(&mut left);
            // What is left of a regular system is what rounds its terms.
            let size = |i: usize| {
                let products = pairs.iter().filter(|(row, column)| *row == i || *column == i);
                let other = |&(row, column): &(usize, usize)| if row == i { column } else { row };
                b[i].abs()
                    + products.map(|pair| (entry(pair.0, pair.1) * x[other(pair)]).abs()).sum::<f64>()
            };
            let rounded = |i: usize| left[i].abs() <= 5.0 * f64::EPSILON * size(i);
            assert!(dependent > 0 || (0..n).all(rounded), "trial {trial}: {left:?}");
            let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            (bits(&x), bits(&left), residual.to_bits(), replaced, slots)
        };
        let stored = |storage: Storage| solve(SparseLdlt::stored(n, &pairs, storage));
        let [chains, blocks, scalars] = [Storage::Chains, Storage::Blocks, Storage::Scalars].map(stored);
        for found in [&chains, &blocks] {
            assert_eq!((&found.0, &found.1), (&scalars.0, &scalars.1), "solution, trial {trial}");
            assert_eq!((found.2, &found.3), (scalars.2, &scalars.3), "residual and rank, trial {trial}");
        }
        // Other slots: another storage.
        in_blocks += usize::from(blocks.4 != scalars.4);
        in_chains += usize::from(chains.4 != blocks.4);
        singular += usize::from(!scalars.3.is_empty());
    }
    assert!(in_blocks > 200 && in_chains > 50 && singular > 20, "{in_blocks}, {in_chains}, {singular}");
}
