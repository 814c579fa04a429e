//! The graph of an island's movable bodies: which blocks of H each row adds to, analysed once for as long as the graph stays.

use super::rows::BodyRow;
use crate::lcp::problem::mixed::MixedProblem;
use crate::math::{BlockLu, BlockSlot};
use glam::DVec3;

/// Index of a body that cannot move.
pub(crate) const FIXED: u32 = u32::MAX;

/// The pattern of H with its factors.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// Movable bodies (a, b) of every row that the pattern was made for; [`FIXED`] where there is none.
    ends: Vec<[u32; 2]>,
    /// Movable bodies of the present problem's rows.
    found: Vec<[u32; 2]>,
    number: Vec<u32>,
    movable: usize,
    slots: Vec<BlockSlot>,
    pub lu: BlockLu,
}

impl Graph {
    /// Analyses the pattern of `problem`, unless it is the present one.
    pub fn fit(&mut self, problem: &MixedProblem) {
        self.number.clear();
        let mut movable = 0;
        for weight in &problem.weight {
            let moves = *weight != DVec3::ZERO;
            self.number.push(if moves { movable } else { FIXED });
            movable += u32::from(moves);
        }
        self.found.clear();
        for row in &problem.rows {
            let b = self.number[row.b];
            let a = if row.a == row.b { FIXED } else { self.number[row.a] };
            self.found.push([a, b]);
        }
        if self.movable == movable as usize && self.ends == self.found {
            return;
        }
        self.movable = movable as usize;
        self.ends.clone_from(&self.found);
        let joins = |[a, b]: [u32; 2]| a != FIXED && b != FIXED;
        let pairs: Vec<(usize, usize)> =
            self.ends.iter().filter(|e| joins(**e)).map(|&[a, b]| (a as usize, b as usize)).collect();
        let (lu, found) = BlockLu::new(self.movable, &pairs);
        let mut found = found.into_iter();
        let slot =
            |e: &[u32; 2]| if joins(*e) { found.next().unwrap_or_default() } else { BlockSlot::default() };
        self.slots = self.ends.iter().map(slot).collect();
        self.lu = lu;
    }

    /// Number of movable bodies.
    pub fn movable(&self) -> usize {
        self.movable
    }

    /// Movable bodies of a row.
    pub fn ends(&self, row: usize) -> [u32; 2] {
        self.ends[row]
    }

    /// H ← H + f Ĵᵀ y, y over the bodies of `row`.
    #[inline]
    pub fn add(&mut self, row: &BodyRow, f: f64, y: [[f64; 3]; 2]) {
        self.add_sum(row, [row.j], [y.map(|y| y.map(|y| f * y))]);
    }

    /// H ← H + Ĵᵀ K Ĵ of a contact with the rows n and t, K by rows.
    #[inline]
    pub fn add_contact(&mut self, n: &BodyRow, t: &BodyRow, k: [[f64; 2]; 2]) {
        let mix = |[a, b]: [f64; 2]| {
            [0, 1].map(|end| [0, 1, 2].map(|axis| a * n.j[end][axis] + b * t.j[end][axis]))
        };
        self.add_sum(n, [n.j, t.j], k.map(mix));
    }

    /// H ← H + Σ xᵀ y.
    #[inline]
    fn add_sum<const N: usize>(&mut self, row: &BodyRow, x: [[[f64; 3]; 2]; N], y: [[[f64; 3]; 2]; N]) {
        let [a, b] = self.ends[row.source as usize];
        let of = |end: usize| (x.map(|x| x[end]), y.map(|y| y[end]));
        let ((xa, ya), (xb, yb)) = (of(0), of(1));
        if a != FIXED {
            self.lu.add_diagonal(a as usize, xa, ya);
        }
        if b != FIXED {
            self.lu.add_diagonal(b as usize, xb, yb);
        }
        if a != FIXED && b != FIXED {
            self.lu.add_pair(self.slots[row.source as usize], [xa, xb], [ya, yb]);
        }
    }
}
