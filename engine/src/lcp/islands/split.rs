//! Islands: groups of movable bodies that rows connect, solved apart.
//!
//! Two bodies belong together if a row joins them and both can move (W ≠ 0); the ground joins nobody. Islands are
//! numbered by their smallest body, rows keep their order, so that the split depends on the problem alone.

use crate::lcp::problem::mixed::{Law, MixedProblem, MixedRow, bits};
use glam::DVec3;

/// Marks a body or row without an island.
const NONE: u32 = u32::MAX;

/// The split of a problem, reused as long as the same rows join the same bodies.
#[derive(Debug, Default)]
pub(crate) struct Islands {
    /// The graph that was split: by row its bodies and its normal row, by body whether it can move.
    joins: Vec<[u32; 3]>,
    movable: Vec<bool>,
    /// Union-find over bodies; a root is the smallest body of its tree.
    parent: Vec<u32>,
    island_of: Vec<u32>,
    /// Rows grouped by island, and where each group starts.
    rows: Vec<u32>,
    start: Vec<usize>,
    cursor: Vec<usize>,
    /// By place in `rows`: the indices in the island of the row's bodies and of its normal row.
    local: Vec<[u32; 3]>,
    /// Bodies grouped by island, in the order in which the rows meet them, and where each group starts.
    members: Vec<u32>,
    member_start: Vec<usize>,
    /// Rows between bodies that cannot move.
    pub loose: Vec<u32>,
    /// Local index of a body, valid where `stamp` names the island.
    local_body: Vec<u32>,
    stamp: Vec<u32>,
    local_row: Vec<u32>,
}

impl Islands {
    /// Splits `problem`.
    pub fn split(&mut self, problem: &MixedProblem) {
        let moves = |w: &DVec3| *w != DVec3::ZERO;
        let joins = |row: &MixedRow| {
            [row.a as u32, row.b as u32, row.law.normal().map_or(NONE, |normal| normal as u32)]
        };
        if self.joins.iter().copied().eq(problem.rows.iter().map(joins))
            && self.movable.iter().copied().eq(problem.weight.iter().map(moves))
        {
            return;
        }
        self.joins.clear();
        self.joins.extend(problem.rows.iter().map(joins));
        self.movable.clear();
        self.movable.extend(problem.weight.iter().map(moves));
        let bodies = problem.weight.len();
        self.parent.clear();
        self.parent.extend(0..bodies as u32);
        for row in &problem.rows {
            let mut last = NONE;
            for body in touched(problem, row) {
                if problem.weight[body] != DVec3::ZERO {
                    last = self.join(last, body as u32);
                }
            }
        }
        self.group(problem);
        self.localise();
    }

    /// Number of islands.
    pub fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Number of rows of the problem that was split.
    pub fn row_count(&self) -> usize {
        self.local_row.len()
    }

    /// Number of rows in islands other than the largest.
    #[cfg(feature = "parallel")]
    pub fn rows_beside_largest(&self) -> usize {
        self.rows.len() - self.start.windows(2).map(|ends| ends[1] - ends[0]).max().unwrap_or(0)
    }

    /// The rows of island `index`.
    pub fn rows_of(&self, index: usize) -> &[u32] {
        &self.rows[self.start[index]..self.start[index + 1]]
    }

    fn root(&mut self, mut body: u32) -> u32 {
        while self.parent[body as usize] != body {
            let above = self.parent[self.parent[body as usize] as usize];
            self.parent[body as usize] = above;
            body = above;
        }
        body
    }

    fn join(&mut self, one: u32, other: u32) -> u32 {
        let other = self.root(other);
        if one == NONE {
            return other;
        }
        let one = self.root(one);
        let (low, high) = (one.min(other), one.max(other));
        self.parent[high as usize] = low;
        low
    }

    /// Numbers the roots that rows touch, by their smallest body, and groups the rows by island.
    fn group(&mut self, problem: &MixedProblem) {
        self.island_of.clear();
        self.island_of.resize(problem.weight.len(), NONE);
        self.local_row.clear();
        for row in &problem.rows {
            // The island of a row is that of its first movable body.
            let movable = touched(problem, row).find(|&body| problem.weight[body] != DVec3::ZERO);
            let root = movable.map_or(NONE, |body| self.root(body as u32));
            if root != NONE {
                self.island_of[root as usize] = 0;
            }
            self.local_row.push(root);
        }
        let mut count = 0;
        for island in self.island_of.iter_mut().filter(|island| **island == 0) {
            *island = count;
            count += 1;
        }
        self.start.clear();
        self.start.resize(count as usize + 1, 0);
        self.loose.clear();
        for (row, island) in (0_u32..).zip(&mut self.local_row) {
            if *island == NONE {
                self.loose.push(row);
            } else {
                *island = self.island_of[*island as usize];
                self.start[*island as usize + 1] += 1;
            }
        }
        for island in 1..self.start.len() {
            self.start[island] += self.start[island - 1];
        }
        self.cursor.clone_from(&self.start);
        self.rows.resize(problem.rows.len() - self.loose.len(), 0);
        for (row, island) in (0_u32..).zip(&mut self.local_row) {
            if *island != NONE {
                let at = &mut self.cursor[*island as usize];
                self.rows[*at] = row;
                *island = (*at - self.start[*island as usize]) as u32;
                *at += 1;
            }
        }
    }

    /// Numbers the bodies and rows of every island.
    fn localise(&mut self) {
        let Self { joins, rows, start, local, members, member_start, local_body, stamp, local_row, .. } =
            self;
        local_body.resize(self.movable.len(), 0);
        stamp.clear();
        stamp.resize(self.movable.len(), NONE);
        local.clear();
        members.clear();
        member_start.clear();
        member_start.push(0);
        for (index, ends) in start.windows(2).enumerate() {
            let first = members.len();
            for &row in &rows[ends[0]..ends[1]] {
                let [a, b, normal] = joins[row as usize];
                let mut number = |body: u32| {
                    let at = body as usize;
                    if stamp[at] != index as u32 {
                        stamp[at] = index as u32;
                        local_body[at] = (members.len() - first) as u32;
                        members.push(body);
                    }
                    local_body[at]
                };
                let normal = if normal == NONE { NONE } else { local_row[normal as usize] };
                local.push([number(a), number(b), normal]);
            }
            member_start.push(members.len());
        }
    }

    /// The bodies of island `index` in the order of the island's problem, those that cannot move included.
    pub fn bodies_of(&self, index: usize) -> &[u32] {
        &self.members[self.member_start[index]..self.member_start[index + 1]]
    }

    /// Writes the bodies and rows of island `index` as the problem `local`.
    pub fn extract(&self, problem: &MixedProblem, index: usize, local: &mut MixedProblem) {
        local.weight.clear();
        local.free.clear();
        for &body in self.bodies_of(index) {
            local.weight.push(problem.weight[body as usize]);
            local.free.push(problem.free[body as usize]);
        }
        local.rows.clear();
        local.rows.extend(self.local_rows(problem, index));
        (local.rounding, local.rests) = (problem.rounding, problem.rests);
    }

    /// Whether [`extract`](Self::extract) would write `local`, to the bit.
    pub fn extracts_to(&self, problem: &MixedProblem, index: usize, local: &MixedProblem) -> bool {
        let bodies = self.bodies_of(index);
        let of_bodies = |whole: &[DVec3], own: &[DVec3]| {
            bodies.len() == own.len()
                && bodies.iter().zip(own).all(|(&body, x)| bits(whole[body as usize]) == bits(*x))
        };
        problem.rests == local.rests
            && problem.rounding.to_bits() == local.rounding.to_bits()
            && self.rows_of(index).len() == local.rows.len()
            && of_bodies(&problem.weight, &local.weight)
            && of_bodies(&problem.free, &local.free)
            && self.local_rows(problem, index).zip(&local.rows).all(|(x, y)| x.is_to_the_bit(y))
    }

    /// The rows of island `index`, between its bodies by their numbers in it.
    fn local_rows(&self, problem: &MixedProblem, index: usize) -> impl Iterator<Item = MixedRow> {
        let places = &self.local[self.start[index]..self.start[index + 1]];
        self.rows_of(index).iter().zip(places).map(|(&row, &[a, b, at])| {
            let row = &problem.rows[row as usize];
            let law = match row.law {
                Law::Friction { coefficient, .. } => Law::Friction { normal: at as usize, coefficient },
                Law::Sliding { coefficient, .. } => Law::Sliding { normal: at as usize, coefficient },
                law => law,
            };
            MixedRow { a: a as usize, b: b as usize, law, ..*row }
        })
    }
}

/// The bodies that a row touches: its own, and those of the normal row that limits it.
fn touched(problem: &MixedProblem, row: &MixedRow) -> impl Iterator<Item = usize> {
    let normal = row.law.normal().map_or(row, |normal| &problem.rows[normal]);
    [row.a, row.b, normal.a, normal.b].into_iter()
}
