//! Islands: groups of movable bodies that rows connect, solved apart.
//!
//! Two bodies belong together if a row joins them and both can move (W ≠ 0); the ground joins nobody. Islands are
//! numbered by their smallest body, rows keep their order, so that the split depends on the problem alone.
//!
//! **Scale of the masses.** An island is solved with the scale σ of its masses, 1 or 2, that gives its largest 1/m an even
//! power of two as exponent: W' = σ W, c' = σ c, λ' = λ/σ and [l', u'] = [l, u]/σ, while w, v and b stay. The solvers take
//! roots of W (`body_space/rows.rs`), and √2 is rounded: with σ a world whose masses are all multiplied by a power of two has
//! the same digits.

use crate::lcp::problem::mixed::{Further, Law, MixedProblem, MixedRow, bits};
use crate::math::largest;
use glam::DVec3;

/// Marks a body or row without an island.
const NONE: u32 = u32::MAX;

/// The split of a problem, reused as long as the same rows join the same bodies.
#[derive(Debug, Default)]
pub struct Islands {
    /// The graph that was split: by row its bodies, by body whether it can move.
    joins: Vec<[u32; 2]>,
    /// The rows with more than two bodies, and their further ones.
    further: Vec<(u32, [u32; 2])>,
    movable: Vec<bool>,
    /// Union-find over bodies; a root is the smallest body of its tree.
    parent: Vec<u32>,
    /// By root, the number of its island.
    island_of: Vec<u32>,
    /// The memory of islands, of which the first `count` are those of the problem.
    islands: Vec<IslandPattern>,
    count: usize,
    /// Rows between bodies that cannot move.
    pub loose: Vec<u32>,
    /// The index of a body in its island, valid where that island has the body there.
    local_body: Vec<u32>,
    /// By row the root of its bodies; [`NONE`] where none of them moves.
    root_of_row: Vec<u32>,
}

/// The rows and bodies of an island.
#[derive(Debug, Default)]
struct IslandPattern {
    rows: Vec<u32>,
    /// By row: the indices in the island of its bodies; of the further ones by row of the problem that has them.
    local: Vec<[u32; 2]>,
    further: Vec<(u32, [u32; 2])>,
    /// The bodies in the order in which the rows meet them.
    bodies: Vec<u32>,
    /// σ.
    scale: f64,
}

impl Islands {
    /// Splits `problem`.
    pub fn split(&mut self, problem: &MixedProblem) {
        self.join_bodies(problem);
        for IslandPattern { bodies, scale, .. } in &mut self.islands[..self.count] {
            let lightest = largest(bodies.iter().map(|&body| problem.inverse_mass[body as usize].x));
            *scale = if libm::ilogb(lightest) % 2 == 0 { 1.0 } else { 2.0 };
        }
    }

    /// Finds the groups of bodies, unless the same rows join the same bodies.
    fn join_bodies(&mut self, problem: &MixedProblem) {
        let moves = |w: &DVec3| *w != DVec3::ZERO;
        let joins = |row: &MixedRow| [row.a as u32, row.b as u32];
        let further = || {
            let of_row = |(at, row): (u32, &MixedRow)| {
                row.further.map(|own| (at, own.bodies.map(|body| body as u32)))
            };
            (0..).zip(&problem.rows).filter_map(of_row)
        };
        if self.joins.iter().copied().eq(problem.rows.iter().map(joins))
            && self.further.iter().copied().eq(further())
            && self.movable.iter().copied().eq(problem.inverse_mass.iter().map(moves))
        {
            return;
        }
        self.joins.clear();
        self.joins.extend(problem.rows.iter().map(joins));
        self.further.clear();
        self.further.extend(further());
        self.movable.clear();
        self.movable.extend(problem.inverse_mass.iter().map(moves));
        self.parent.clear();
        self.parent.extend(0..problem.inverse_mass.len() as u32);
        for row in &problem.rows {
            let mut last = NONE;
            for (body, _) in row.arms() {
                if problem.inverse_mass[body] != DVec3::ZERO {
                    last = self.join(last, body as u32);
                }
            }
        }
        self.group(problem);
        self.localise();
    }

    /// Number of islands.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Number of rows of the problem that was split.
    pub fn row_count(&self) -> usize {
        self.joins.len()
    }

    /// Number of rows in islands other than the largest.
    #[cfg(feature = "parallel")]
    pub fn rows_beside_largest(&self) -> usize {
        let rows = || self.islands[..self.count].iter().map(|island| island.rows.len());
        rows().sum::<usize>() - rows().max().unwrap_or(0)
    }

    /// The rows of island `index`.
    pub fn rows_of(&self, index: usize) -> &[u32] {
        &self.islands[index].rows
    }

    /// The bodies of island `index` in the order of the island's problem, those that cannot move included.
    pub fn bodies_of(&self, index: usize) -> &[u32] {
        &self.islands[index].bodies
    }

    /// σ of island `index`: its λ counts σ of the problem's.
    pub fn scale_of(&self, index: usize) -> f64 {
        self.islands[index].scale
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
        self.island_of.resize(problem.inverse_mass.len(), NONE);
        self.root_of_row.clear();
        for row in &problem.rows {
            // The island of a row is that of its first movable body.
            let movable = row.arms().find(|&(body, _)| problem.inverse_mass[body] != DVec3::ZERO);
            let root = movable.map_or(NONE, |(body, _)| self.root(body as u32));
            if root != NONE {
                self.island_of[root as usize] = 0;
            }
            self.root_of_row.push(root);
        }
        self.count = 0;
        for island in self.island_of.iter_mut().filter(|island| **island == 0) {
            *island = self.count as u32;
            self.count += 1;
        }
        if self.islands.len() < self.count {
            self.islands.resize_with(self.count, IslandPattern::default);
        }
        self.islands.iter_mut().for_each(|island| island.rows.clear());
        self.loose.clear();
        for (row, &root) in (0_u32..).zip(&self.root_of_row) {
            if root == NONE {
                self.loose.push(row);
            } else {
                self.islands[self.island_of[root as usize] as usize].rows.push(row);
            }
        }
    }

    /// Numbers the bodies and rows of every island.
    fn localise(&mut self) {
        let Self { joins, further: beyond, islands, count, local_body, .. } = self;
        local_body.resize(self.movable.len(), 0);
        for IslandPattern { rows, local, further, bodies, .. } in &mut islands[..*count] {
            local.clear();
            further.clear();
            bodies.clear();
            for &row in &*rows {
                let [a, b] = joins[row as usize];
                let mut number = |body: u32| {
                    let at = &mut local_body[body as usize];
                    if bodies.get(*at as usize) != Some(&body) {
                        *at = bodies.len() as u32;
                        bodies.push(body);
                    }
                    *at
                };
                local.push([number(a), number(b)]);
                if let Ok(at) = beyond.binary_search_by_key(&row, |(row, _)| *row) {
                    let (row, [c, d]) = beyond[at];
                    further.push((row, [number(c), number(d)]));
                }
            }
        }
    }

    /// Writes the bodies and rows of island `index` as the problem `local`, its masses scaled by 1/σ.
    pub fn extract(&self, problem: &MixedProblem, index: usize, local: &mut MixedProblem) {
        local.inverse_mass.clear();
        local.free.clear();
        for &body in self.bodies_of(index) {
            local.inverse_mass.push(self.scale_of(index) * problem.inverse_mass[body as usize]);
            local.free.push(problem.free[body as usize]);
        }
        local.rows.clear();
        local.rows.extend(self.local_rows(problem, index));
        (local.rounding, local.rests) = (problem.rounding, problem.rests);
    }

    /// Whether [`extract`](Self::extract) would write `local`, to the bit.
    pub fn extracts_to(&self, problem: &MixedProblem, index: usize, local: &MixedProblem) -> bool {
        let bodies = self.bodies_of(index);
        let of_bodies = |whole: &[DVec3], scale: f64, own: &[DVec3]| {
            bodies.len() == own.len()
                && bodies.iter().zip(own).all(|(&body, x)| bits(scale * whole[body as usize]) == bits(*x))
        };
        problem.rests == local.rests
            && problem.rounding.to_bits() == local.rounding.to_bits()
            && self.rows_of(index).len() == local.rows.len()
            && of_bodies(&problem.inverse_mass, self.scale_of(index), &local.inverse_mass)
            && of_bodies(&problem.free, 1.0, &local.free)
            && self.local_rows(problem, index).zip(&local.rows).all(|(x, y)| x.is_to_the_bit(y))
    }

    /// The rows of island `index`, between its bodies by their numbers in it.
    fn local_rows(&self, problem: &MixedProblem, index: usize) -> impl Iterator<Item = MixedRow> {
        let IslandPattern { rows, local, further, scale, .. } = &self.islands[index];
        let mut further = further.iter().peekable();
        rows.iter().zip(local).zip(0_usize..).map(move |((&place, &[a, b]), at)| {
            let row = &problem.rows[place as usize];
            let beyond = further.next_if(|(row, _)| *row == place);
            let law = match row.law {
                Law::Friction { coefficient, .. } => Law::Friction { normal: at - 1, coefficient },
                Law::Sliding { coefficient, .. } => Law::Sliding { normal: at - 1, coefficient },
                Law::Bounded { lower, upper } => {
                    Law::Bounded { lower: lower / scale, upper: upper / scale }
                }
                law => law,
            };
            let further = row
                .further
                .zip(beyond)
                .map(|(own, (_, bodies))| Further { bodies: bodies.map(|body| body as usize), ..own });
            let compliance = scale * row.compliance;
            MixedRow { a: a as usize, b: b as usize, compliance, law, further, ..*row }
        })
    }
}
