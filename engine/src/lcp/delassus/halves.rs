//! The chains that pins form, each cut in the middle: the pins of both halves side by side, from the ends to the middle.
//!
//! ```text
//! end ─ pin 0 ─ body ─ pin 1 ─ body ─ … ─ middle ─ … ─ body ─ pin 1 ─ body ─ pin 0 ─ end
//!       first half                                              second half
//! ```
//!
//! Two pins are neighbours where they have a body in common that can move. The outer body of a pin is the one on the side of its half's
//! end, and the inner body of a pin is the outer body of the next. The pin in the middle belongs to both halves: the outer body of
//! the one is the inner body of the other. Where the second half is shorter by one, no pin stands beside the first one of the other, and both bodies of
//! that place are the second end.

use crate::lcp::mixed::problem::MixedProblem;
use glam::DVec3;

/// No pin: beyond every list.
pub(super) const NONE: u32 = u32::MAX;

/// A pin of either half.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Its place among the pins of the problem.
    pub pin: u32,
    pub outer: u32,
    /// Whether its outer body is its b.
    pub reversed: bool,
}

/// The pins that hold a body: not more than two.
#[derive(Clone, Copy)]
struct Held {
    pins: [u32; 2],
    count: usize,
}

/// The chains of the pins whose rows those of `problem` are, in pairs, the middle of each last; nothing where rows do not
/// come in pairs between the same bodies, where more than two pins hold a body that can move, or where pins form a loop.
pub(super) fn chains(problem: &MixedProblem) -> Option<Vec<Vec<[Place; 2]>>> {
    let (rows, others) = problem.rows.as_chunks::<2>();
    if rows.is_empty() || !others.is_empty() {
        return None;
    }
    let mut held = vec![Held { pins: [NONE; 2], count: 0 }; problem.weight.len()];
    for (pin, [x, y]) in (0_u32..).zip(rows) {
        if [x.a, x.b] != [y.a, y.b] || x.a == x.b {
            return None;
        }
        for body in [x.a, x.b].into_iter().filter(|&body| problem.weight[body] != DVec3::ZERO) {
            let Held { pins, count } = &mut held[body];
            *pins.get_mut(*count)? = pin;
            *count += 1;
        }
    }
    let bodies = |pin: u32| {
        let [row, _] = rows[pin as usize];
        [row.a, row.b]
    };
    // The pin at the other side of a body.
    let beyond = |pin: u32, body: usize| {
        let Held { pins: [one, other], .. } = held[body];
        Some(if one == pin { other } else { one }).filter(|pin| *pin != NONE)
    };
    let mut chains = Vec::new();
    let mut known = vec![false; rows.len()];
    for start in 0..rows.len() as u32 {
        let [a, b] = bodies(start);
        let Some(outer) = [a, b].into_iter().find(|&body| beyond(start, body).is_none()) else { continue };
        if known[start as usize] {
            continue;
        }
        let mut chain = Vec::new();
        let mut next = Some((start, outer));
        while let Some((pin, outer)) = next {
            known[pin as usize] = true;
            let [a, b] = bodies(pin);
            let reversed = outer == b;
            let inner = if reversed { a } else { b };
            chain.push((Place { pin, outer: outer as u32, reversed }, inner as u32));
            next = beyond(pin, inner).map(|pin| (pin, inner));
        }
        chains.push(halves(&chain));
    }
    known.into_iter().all(|known| known).then_some(chains)
}

/// The two halves of a chain, whose pins are given with their inner bodies as seen from its first end.
fn halves(chain: &[(Place, u32)]) -> Vec<[Place; 2]> {
    let (count, middle) = (chain.len(), chain.len() / 2);
    let longer = 2 * middle + 1 - count;
    let pair = |at: usize| {
        let (first, _) = chain[at];
        let second = (at >= longer).then(|| chain[count - 1 - (at - longer)]);
        let turned =
            |(place, inner): (Place, u32)| Place { outer: inner, reversed: !place.reversed, ..place };
        let (_, end) = chain[count - 1];
        [first, second.map_or(Place { pin: NONE, outer: end, reversed: false }, turned)]
    };
    (0..=middle).map(pair).collect()
}

#[cfg(test)]
mod tests {
    //! Halves meet in the middle, whatever the number of pins and the order in which they were made.

    use super::*;
    use crate::lcp::mixed::problem::{Law, MixedRow};

    fn problem(bodies: usize, pins: &[[usize; 2]]) -> MixedProblem {
        let rows = pins.iter().flat_map(|&[a, b]| {
            [DVec3::X, DVec3::Y].map(|axis| MixedRow {
                a,
                b,
                ja: -axis,
                jb: axis,
                bias: 0.0,
                compliance: 0.0,
                law: Law::Equation,
            })
        });
        // Body 0 is fixed.
        let weight = (0..bodies).map(|body| if body == 0 { DVec3::ZERO } else { DVec3::ONE }).collect();
        MixedProblem { weight, rows: rows.collect(), ..MixedProblem::default() }
    }

    fn halves_of(bodies: usize, pins: &[[usize; 2]]) -> Option<Vec<Vec<[[i64; 2]; 2]>>> {
        // By pin and outer body, −1 where there is none.
        let number = |n: u32| if n == NONE { -1 } else { i64::from(n) };
        let place = |place: Place| [number(place.pin), number(place.outer)];
        let chains = chains(&problem(bodies, pins))?;
        Some(chains.iter().map(|chain| chain.iter().map(|pair| pair.map(place)).collect()).collect())
    }

    #[test]
    fn chains_are_cut_in_the_middle() {
        assert_eq!(halves_of(2, &[[0, 1]]), Some(vec![vec![[[0, 0], [0, 1]]]]));
        let two = vec![[[0, 0], [-1, 2]], [[1, 1], [1, 2]]];
        assert_eq!(halves_of(3, &[[0, 1], [1, 2]]), Some(vec![two]));
        let three = vec![[[0, 0], [2, 3]], [[1, 1], [1, 2]]];
        assert_eq!(halves_of(4, &[[0, 1], [1, 2], [2, 3]]), Some(vec![three.clone()]));
        assert_eq!(halves_of(4, &[[1, 0], [1, 2], [3, 2]]), Some(vec![three]));
        // Two chains that hang from the same wall.
        let apart = vec![vec![[[0, 0], [0, 1]]], vec![[[1, 0], [1, 2]]]];
        assert_eq!(halves_of(3, &[[0, 1], [0, 2]]), Some(apart));
    }

    #[test]
    fn loops_and_branches_are_no_chains() {
        assert_eq!(halves_of(4, &[[1, 2], [2, 3], [3, 1]]), None);
        assert_eq!(halves_of(3, &[[1, 2], [1, 2]]), None);
        assert_eq!(halves_of(5, &[[1, 2], [1, 3], [1, 4]]), None);
        assert!(halves_of(4, &[[0, 2], [2, 3], [3, 0]]).is_some());
    }
}
