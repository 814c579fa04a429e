//! The search for the end of a piece against a plain loop over every edge.

use super::Homotopy;
use super::breakpoints::{Lag, ends};
use super::updates::{Updates, along};
use crate::lcp::body_space::{BodyRow, Limit, Piece};
use crate::math::BlockLu;
use fastrand::Rng;

const BODIES: usize = 6;

fn number(random: &mut Rng) -> f64 {
    2.0 * random.f64() - 1.0
}

fn row(random: &mut Rng, ends: [u32; 2], limit: Limit) -> BodyRow {
    let j = [(); 2].map(|()| [(); 3].map(|()| number(random)));
    BodyRow { source: 0, ends, j, diagonal: 1.0, compliance: 0.0, limit }
}

/// Contacts, contacts with two rows of friction or a dragged one, equations, limits and intervals, with possible states.
fn rows(random: &mut Rng) -> (Vec<BodyRow>, Vec<Piece>) {
    let (mut rows, mut states) = (Vec::new(), Vec::new());
    for _ in 0..random.usize(1..40) {
        let ends = [(); 2].map(|()| random.u32(0..=BODIES as u32));
        let normal = rows.len() as u32;
        let kind = random.usize(0..9);
        let (lower, upper) = match kind {
            0 => (f64::NEG_INFINITY, f64::INFINITY),
            1 => (f64::NEG_INFINITY, 0.0),
            2 => (-0.5, 0.5),
            _ => (if kind == 3 { 0.2 } else { 0.0 }, f64::INFINITY),
        };
        rows.push(row(random, ends, Limit::Between(lower, upper)));
        let held = if lower.is_finite() { Piece::Lower } else { Piece::Upper };
        states.push(if kind == 0 || random.bool() { Piece::Free } else { held });
        let closed = states[normal as usize] == Piece::Free;
        let coefficient = if random.u8(0..5) == 0 { 0.0 } else { random.f64() };
        for _ in 0..[0, 0, 0, 0, 2, 1, 1, 1, 1][kind] {
            let dragged = kind == 5;
            let limit = if dragged {
                Limit::Dragged { normal, coefficient, same_bodies: true }
            } else {
                Limit::Coulomb { normal, coefficient, same_bodies: true }
            };
            rows.push(row(random, ends, limit));
            let sliding = [Piece::Free, Piece::SlidingLower, Piece::SlidingUpper];
            states.push(match (closed, dragged) {
                (true, true) => Piece::SlidingUpper,
                (true, false) => sliding[random.usize(0..3)],
                (false, _) => Piece::Lower,
            });
        }
    }
    (rows, states)
}

/// y, dy/dt and the pivot are to the bit those of a plain loop over all rows, for both senses of t, with a row left out, and
/// where rows end together.
#[test]
fn the_search_finds_the_first_edge() {
    let mut random = Rng::with_seed(2);
    let (mut found, mut together) = (0, 0);
    for trial in 0..4000 {
        let (rows, states) = rows(&mut random);
        let mut list = |fine: bool| -> Vec<f64> {
            let whole = |x: f64| if fine { x } else { (4.0 * x).round() / 4.0 };
            rows.iter().map(|_| whole(number(&mut random))).collect()
        };
        let fine = trial % 3 > 0;
        let (y, rate, stiffness) = (list(fine), list(fine), list(fine));
        let z: Vec<[f64; 3]> = (0..=BODIES).map(|_| [(); 3].map(|()| number(&mut random))).collect();
        let turn = if random.bool() { number(&mut random) } else { 0.0 };
        let lag = Lag {
            length: if fine { number(&mut random) } else { 0.0 },
            turn: if fine { turn } else { 0.0 },
        };
        let sense = if random.bool() { 1.0 } else { -1.0 };
        let crossed = random.bool().then(|| random.usize(0..rows.len()));

        let mut after = y.clone();
        let mut rates = rate.clone();
        for (i, row) in rows.iter().enumerate() {
            after[i] += lag.length * rates[i];
            if lag.turn != 0.0 {
                rates[i] -= stiffness[i] * lag.turn * row.rate(&z);
            }
        }
        let mut lengths: Vec<(f64, usize)> = Vec::new();
        for (at, row) in rows.iter().enumerate().filter(|(at, _)| Some(*at) != crossed) {
            ends(row, at, &states, &after, &rates, |slack, rate, _| {
                if sense * rate < 0.0 {
                    lengths.push(((slack / -(sense * rate)).max(0.0), at));
                }
            });
        }
        let expected = lengths.iter().copied().min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let least = lengths.iter().filter(|(length, _)| Some(*length) == expected.map(|e| e.0)).count();
        together += usize::from(least > 1);

        let mut homotopy = Homotopy { y, rate, stiffness, z, states, ..Homotopy::default() };
        homotopy.breakpoints.begin(&rows);
        homotopy.breakpoints.enter(&homotopy.states);
        let pivot = homotopy.next_pivot(&rows, lag, sense, crossed);
        assert_eq!((&homotopy.y, &homotopy.rate), (&after, &rates));
        match expected {
            Some((length, place)) => {
                assert_eq!((pivot.length, pivot.place), (length, place), "trial {trial}");
                found += 1;
            }
            None => assert!(pivot.length.is_infinite()),
        }
    }
    assert!(found > 3000 && together > 300, "{found} {together}");
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
                rows.push(row(&mut random, ends, Limit::Between(0.0, f64::INFINITY)));
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
