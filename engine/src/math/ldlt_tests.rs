//! The factorisation against the residual's definition.

use super::SparseLdlt;

/// Forests of joints of one to three rows, numbered at random, some of whose rows repeat others: the residual is the rounding of
/// the terms in a regular system, and that of the proximal iteration in a consistent singular one; every repeated row is found.
#[test]
fn forests_of_joints_are_solved_to_rounding() {
    let mut state = 1_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1_u64 << 31) as f64
    };
    let mut singular = 0;
    for trial in 0..400 {
        // A joint shares one body with its parent: where bodies have more than two joints, these form a clique.
        let joints = 1 + (random() * 30.0) as usize;
        let branching = [0.0, 0.1, 0.5][trial % 3];
        let (mut sides, mut rows): (Vec<[usize; 2]>, Vec<usize>) = (Vec::new(), Vec::new());
        for joint in 0..joints {
            let near = if random() < branching { (random() * (joint + 1) as f64) as usize } else { joint };
            sides.push([near, joint + 1]);
            let size = if trial % 2 == 0 { 2 } else { 1 + (random() * 3.0) as usize };
            rows.extend(vec![joint; size]);
        }
        let n = rows.len();
        let mut j: Vec<[[f64; 3]; 2]> = (0..n)
            .map(|_| [[random() - 0.5, random() - 0.5, random() - 0.5], [random(), random(), random()]])
            .collect();
        let repeats = trial % 5 == 0 && n > 1 && rows[n - 1] == rows[n - 2];
        if repeats {
            j[n - 1] = j[n - 2];
        }
        // A = J Jᵀ, body by body of three numbers.
        let product = |x: [f64; 3], y: [f64; 3]| x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
        let entry = |i: usize, k: usize| {
            let ends = |row: usize| sides[rows[row]].into_iter().zip(j[row]);
            let terms = ends(i).flat_map(|one| ends(k).map(move |other| (one, other)));
            terms.map(|((a, x), (b, y))| if a == b { product(x, y) } else { 0.0 }).sum::<f64>()
        };
        let pairs: Vec<(usize, usize)> = (0..n)
            .flat_map(|i| (0..=i).map(move |k| (i, k)))
            .filter(|&(i, k)| entry(i, k) != 0.0)
            .collect();
        let (mut matrix, slots) = SparseLdlt::new(n, &pairs);
        for (slot, &(i, k)) in slots.iter().zip(&pairs) {
            matrix.values[*slot] = entry(i, k);
        }
        let wanted: Vec<f64> = (0..n).map(|_| random() - 0.5).collect();
        let b: Vec<f64> = (0..n).map(|i| (0..n).map(|k| entry(i, k) * wanted[k]).sum::<f64>()).collect();
        let dependent = matrix.factor(1e-10).unwrap();
        assert_eq!(dependent, usize::from(repeats), "trial {trial}");
        if dependent > 0 {
            assert_eq!(matrix.replaced_rows().count(), 1);
            matrix.factor_singular(dependent).unwrap();
            singular += 1;
        }
        let (mut x, mut left) = (vec![0.0; n], vec![0.0; n]);
        matrix.solve(&b, &mut x);
        matrix.left(&mut left);
        for i in 0..n {
            let size = b[i].abs() + (0..n).map(|k| (entry(i, k) * x[k]).abs()).sum::<f64>();
            let rest = b[i] - (0..n).map(|k| entry(i, k) * x[k]).sum::<f64>();
            let rounded = if dependent > 0 { 1e-12 } else { 8.0 * f64::EPSILON };
            assert!(rest.abs() <= rounded * size, "trial {trial}: {rest:.3e} of {size:.3e} is left");
            assert!((rest - left[i]).abs() <= 1e-13 * size, "trial {trial}: not {:.3e}", left[i]);
        }
    }
    assert!(singular > 20, "{singular}");
}
