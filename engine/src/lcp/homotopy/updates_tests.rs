//! Solutions after changes of H against those of the changed matrix, factorised.

use super::updates::{Updates, along};
use crate::lcp::body_space::{BodyRow, Limit};
use crate::math::BlockLu;
use fastrand::Rng;

const BODIES: usize = 6;

fn number(random: &mut Rng) -> f64 {
    2.0 * random.f64() - 1.0
}

fn row(random: &mut Rng, ends: [u32; 2]) -> BodyRow {
    let j = [(); 2].map(|()| [(); 3].map(|()| number(random)));
    let limit = Limit::Between(0.0, f64::INFINITY);
    BodyRow { place: 0, ends, j, further: None, diagonal: 1.0, compliance: 0.0, limit }
}

/// Solutions with factors and forty changes are those of the changed matrix, factorised, and the ratios of the determinants
/// multiply to its sign.
#[test]
fn changes_give_the_solutions_of_the_changed_matrix() {
    let mut random = Rng::with_seed(3);
    let pairs: Vec<(usize, usize)> = (1..BODIES).map(|i| (i - 1, i)).collect();
    let mut worst = 0.0_f64;
    for _ in 0..50 {
        let (mut kept, slots) = BlockLu::new(BODIES, &pairs);
        let (mut changed, _) = BlockLu::new(BODIES, &pairs);
        kept.set_identity();
        changed.set_identity();
        assert!(kept.factor());
        let mut updates = Updates::default();
        let (mut rows, mut product) = (Vec::new(), 1.0);
        for _ in 0..random.usize(1..=40) {
            let pair = random.usize(0..pairs.len());
            let ends = [pairs[pair].0 as u32, pairs[pair].1 as u32];
            let at = rows.len();
            for _ in 0..2 {
                rows.push(row(&mut random, ends));
            }
            let q =
                [(at, random.f64()), (at + 1, if random.bool() { 0.0 } else { 0.3 * number(&mut random) })];
            let mut z = vec![[0.0; 3]; BODIES + 1];
            rows[at].push(1.0, &mut z);
            let p = rows[at].j;
            updates.solve(&mut kept, &rows, &mut z);
            product *= updates.push(&rows, &z, q);
            let j = [0, 1].map(|end| {
                [0, 1, 2].map(|axis| q.iter().map(|(place, f)| f * rows[*place].j[end][axis]).sum::<f64>())
            });
            changed.add_diagonal(pairs[pair].0, [p[0]], [j[0]]);
            changed.add_diagonal(pairs[pair].1, [p[1]], [j[1]]);
            changed.add_pair(slots[pair], p.map(|p| [p]), j.map(|j| [j]));
            assert!(along(&q, &rows, &z).is_finite());
        }
        let b: Vec<[f64; 3]> = (0..=BODIES)
            .map(|i| if i < BODIES { [(); 3].map(|()| number(&mut random)) } else { [0.0; 3] })
            .collect();
        let (mut x, mut expected) = (b.clone(), b);
        updates.solve(&mut kept, &rows, &mut x);
        assert!(changed.factor());
        changed.solve(&mut expected);
        assert_eq!(changed.is_oriented(), product > 0.0);
        for (x, expected) in x.as_flattened().iter().zip(expected.as_flattened()) {
            worst = worst.max((x - expected).abs());
        }
    }
    assert!(worst < 1e-9, "{worst:e}");
}
