//! Converts a problem's rows to rows over the movable bodies, ordered so that each normal is followed by the friction it limits.

use super::graph::{FIXED, Graph};
use super::rows::{BodyRow, Limit};
use crate::lcp::problem::mixed::{Law, MixedProblem};
use glam::DVec3;

/// Fills `rows` from `problem` in its order, but moves friction behind its normal.
pub(crate) fn gather(
    problem: &MixedProblem,
    graph: &Graph,
    rows: &mut Vec<BodyRow>,
    chain: &mut FrictionOfNormals,
) {
    rows.clear();
    chain.roots.clear();
    chain.roots.extend(problem.weight.iter().map(|w| [w.x.sqrt(), w.y.sqrt(), w.z.sqrt()]));
    if is_in_order(problem) {
        rows.extend(problem.rows.iter().enumerate().map(|(i, row)| {
            let limit = limit(problem, graph, i, row.law.normal().unwrap_or(i) as u32);
            scaled(problem, graph, &chain.roots, i, limit)
        }));
        return;
    }
    chain.link(problem);
    for (i, row) in problem.rows.iter().enumerate() {
        if row.law.normal().is_some() {
            continue;
        }
        let place = rows.len() as u32;
        rows.push(scaled(problem, graph, &chain.roots, i, limit(problem, graph, i, place)));
        let mut next = chain.first[i];
        while next != NONE {
            let friction = next as usize;
            let limit = limit(problem, graph, friction, place);
            rows.push(scaled(problem, graph, &chain.roots, friction, limit));
            next = chain.next[friction];
        }
    }
}

/// Whether every friction row follows its normal already.
fn is_in_order(problem: &MixedProblem) -> bool {
    let mut last = None;
    problem.rows.iter().enumerate().all(|(i, row)| match row.law.normal() {
        None => {
            last = Some(i);
            true
        }
        normal => normal == last,
    })
}

/// Returns the limit of row `i`, whose normal row, if it has one, has the place `normal`.
#[inline(always)]
fn limit(problem: &MixedProblem, graph: &Graph, i: usize, normal: u32) -> Limit {
    let same_bodies = |normal: usize| graph.ends(i) == graph.ends(normal);
    match problem.rows[i].law {
        Law::Equation => Limit::Between(f64::NEG_INFINITY, f64::INFINITY),
        Law::Unilateral => Limit::Between(0.0, f64::INFINITY),
        Law::Bounded { lower, upper } => Limit::Between(lower, upper),
        Law::Friction { normal: of, coefficient } => {
            Limit::Coulomb { normal, coefficient, same_bodies: same_bodies(of) }
        }
        Law::Sliding { normal: of, coefficient } => {
            Limit::Dragged { normal, coefficient, same_bodies: same_bodies(of) }
        }
    }
}

/// Returns row `i` scaled to the kinetic-energy norm.
#[inline(always)]
fn scaled(problem: &MixedProblem, graph: &Graph, roots: &[[f64; 3]], i: usize, limit: Limit) -> BodyRow {
    let row = &problem.rows[i];
    let found = graph.ends(i);
    let root = |j: DVec3, body: usize, end: u32| match end {
        FIXED => [0.0; 3],
        _ => {
            let [x, y, z] = roots[body];
            [j.x * x, j.y * y, j.z * z]
        }
    };
    BodyRow {
        source: i as u32,
        ends: found.map(|end| end.min(graph.movable() as u32)),
        j: [root(row.ja, row.a, found[0]), root(row.jb, row.b, found[1])],
        diagonal: row.diagonal(&problem.weight),
        compliance: row.compliance,
        limit,
    }
}

/// End of a linked list.
const NONE: u32 = u32::MAX;

/// The friction rows of every normal row as linked lists, and W^(1/2) of every body.
#[derive(Debug, Default)]
pub(crate) struct FrictionOfNormals {
    roots: Vec<[f64; 3]>,
    first: Vec<u32>,
    next: Vec<u32>,
}

impl FrictionOfNormals {
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
