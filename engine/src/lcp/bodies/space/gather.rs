//! From a problem to its rows over the movable bodies, in the order in which each normal is followed by the friction it limits.

use super::graph::{FIXED, Graph};
use super::rows::{Limit, Row};
use crate::lcp::mixed::problem::{Law, MixedProblem};
use glam::DVec3;

/// Fills `rows` from `problem`: in its order, but friction behind its normal.
pub(in crate::lcp) fn gather(
    problem: &MixedProblem,
    graph: &Graph,
    rows: &mut Vec<Row>,
    chain: &mut Chain,
) {
    rows.clear();
    chain.link(problem);
    chain.roots.clear();
    chain.roots.extend(problem.weight.iter().map(|w| [w.x.sqrt(), w.y.sqrt(), w.z.sqrt()]));
    for (i, row) in problem.rows.iter().enumerate() {
        let place = rows.len() as u32;
        let between = match row.law {
            Law::Equation => Limit::Between(f64::NEG_INFINITY, f64::INFINITY),
            Law::Unilateral => Limit::Between(0.0, f64::INFINITY),
            Law::Bounded { lower, upper } => Limit::Between(lower, upper),
            Law::Friction { .. } | Law::Sliding { .. } => continue,
        };
        rows.push(scaled(problem, graph, &chain.roots, i, between));
        let mut next = chain.first[i];
        while next != NONE {
            let friction = next as usize;
            let same_bodies = graph.ends(i) == graph.ends(friction);
            let limit = match problem.rows[friction].law {
                Law::Friction { coefficient, .. } => {
                    Limit::Coulomb { normal: place, coefficient, same_bodies }
                }
                Law::Sliding { coefficient, .. } => {
                    Limit::Dragged { normal: place, coefficient, same_bodies }
                }
                _ => between,
            };
            rows.push(scaled(problem, graph, &chain.roots, friction, limit));
            next = chain.next[friction];
        }
    }
}

/// Row `i` in the kinetic-energy norm.
fn scaled(problem: &MixedProblem, graph: &Graph, roots: &[[f64; 3]], i: usize, limit: Limit) -> Row {
    let row = &problem.rows[i];
    let found = graph.ends(i);
    let root = |j: DVec3, body: usize, end: u32| match end {
        FIXED => [0.0; 3],
        _ => {
            let [x, y, z] = roots[body];
            [j.x * x, j.y * y, j.z * z]
        }
    };
    Row {
        source: i as u32,
        ends: found.map(|end| end.min(graph.movable() as u32)),
        j: [root(row.ja, row.a, found[0]), root(row.jb, row.b, found[1])],
        diagonal: row.diagonal(&problem.weight),
        compliance: row.compliance,
        limit,
    }
}

/// End of a chain.
const NONE: u32 = u32::MAX;

/// The friction rows of every normal row, and W^(1/2) of every body.
#[derive(Debug, Default)]
pub(in crate::lcp) struct Chain {
    roots: Vec<[f64; 3]>,
    first: Vec<u32>,
    next: Vec<u32>,
}

impl Chain {
    fn link(&mut self, problem: &MixedProblem) {
        for list in [&mut self.first, &mut self.next] {
            list.clear();
            list.resize(problem.rows.len(), NONE);
        }
        for (i, row) in problem.rows.iter().enumerate().rev() {
            if let Some(normal) = row.law.normal() {
                self.next[i] = std::mem::replace(&mut self.first[normal], i as u32);
            }
        }
    }
}
