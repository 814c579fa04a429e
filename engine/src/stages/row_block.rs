//! The rows of one constraint in a Gauss–Seidel sweep: a block that is solved together, two rows of a hinge, three of a weld,
//! one of a contact; and the tangential row of a contact.
//!
//! ```text
//! (J W Jᵀ + diag(c)) x = r ,     u ← u + W Jᵀ x
//! ```
//!
//! u is a velocity or a pose, W = M⁻¹.

use crate::constraint::Row;
use crate::model::joint::{Equation, Unit};
use crate::report::MOST_MULTIPLIERS as MOST;
use glam::DVec3;

/// A pivot below this share of its row's diagonal is rounding: the row depends on those before it and gets x = 0.
const DEPENDENT: f64 = 1e-12;

/// Up to [`MOST`] rows between bodies a and b, and further ones.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RowBlock {
    pub a: usize,
    pub b: usize,
    /// Rows in use.
    pub size: usize,
    /// Error, elongation or gap of each row, m or rad; zero of a non-holonomic row.
    pub g: [f64; MOST],
    /// c = ∂g/∂t of its only row, of a driven length: ġ = J v + c.
    pub c: f64,
    pub units: [Unit; MOST],
    ja: [DVec3; MOST],
    jb: [DVec3; MOST],
    /// The third and the fourth body, with J there by row.
    pub further: Option<([usize; 2], [[DVec3; MOST]; 2])>,
}

impl RowBlock {
    /// No row yet, between bodies a and b.
    pub fn between([a, b]: [usize; 2]) -> Self {
        Self { a, b, ..Self::default() }
    }

    /// Appends an equation.
    pub fn push_equation(&mut self, Equation { g, ja, jb, unit, .. }: Equation) {
        if self.size < MOST {
            let at = self.size;
            (self.g[at], self.ja[at], self.jb[at], self.units[at]) = (g, ja, jb, unit);
            self.size += 1;
        }
    }

    /// Appends a row.
    pub fn push_row(&mut self, row: &Row) {
        let Row { g, ja, jb, k, unit, .. } = *row;
        if let Some(own) = row.further.filter(|_| self.size < MOST) {
            let (_, all) = self.further.get_or_insert((own.bodies, [[DVec3::ZERO; MOST]; 2]));
            all.iter_mut().zip(own.j).for_each(|(all, j)| all[self.size] = j);
        }
        self.push_equation(Equation { g, ja, jb, k, unit });
    }

    /// Its bodies.
    pub fn bodies(&self) -> impl Iterator<Item = usize> + Clone + use<> {
        let further = self.further.map(|(bodies, _)| bodies);
        [self.a, self.b].into_iter().chain(further.into_iter().flatten())
    }

    /// Its bodies beyond a and b, with J of row `i` there.
    fn further_arms(&self, i: usize) -> impl Iterator<Item = (usize, DVec3)> + use<> {
        let arms = self.further.map(|(bodies, j)| [(bodies[0], j[0][i]), (bodies[1], j[1][i])]);
        arms.into_iter().flatten()
    }

    /// Appends the first row of another block between the same bodies.
    pub fn append(&mut self, other: &Self) {
        let (g, ja, jb, unit) = (other.g[0], other.ja[0], other.jb[0], other.units[0]);
        if let Some((bodies, j)) = other.further.filter(|_| self.size < MOST) {
            let (_, all) = self.further.get_or_insert((bodies, [[DVec3::ZERO; MOST]; 2]));
            all.iter_mut().zip(j).for_each(|(all, j)| all[self.size] = j[0]);
        }
        self.push_equation(Equation { g, ja, jb, k: 0.0, unit });
    }

    /// J u of every row.
    pub fn rates(&self, u: &[DVec3]) -> [f64; MOST] {
        let (ua, ub) = (u[self.a], u[self.b]);
        let mut rates = [0.0; MOST];
        for (i, rate) in rates.iter_mut().enumerate().take(self.size) {
            *rate = self.ja[i].dot(ua) + self.jb[i].dot(ub);
        }
        if self.further.is_some() {
            for (i, rate) in rates.iter_mut().enumerate() {
                self.further_arms(i).for_each(|(body, j)| *rate += j.dot(u[body]));
            }
        }
        rates
    }

    /// ġ = J v + c of every row.
    pub fn speeds(&self, v: &[DVec3]) -> [f64; MOST] {
        let mut rates = self.rates(v);
        if self.c != 0.0 {
            rates[0] += self.c;
        }
        rates
    }

    /// The norm of the errors that are lengths, m, and the largest error that is an angle, rad.
    pub fn misses(&self) -> [f64; 2] {
        let (mut squares, mut angle) = (0.0, 0.0_f64);
        for i in 0..self.size {
            match self.units[i] {
                Unit::Metre => squares += self.g[i] * self.g[i],
                // g = |d|² − L² changes by 2L with the distance.
                Unit::SquareMetre => {
                    let further = self.further_arms(i).map(|(_, j)| j.truncate().length());
                    let slope = further.fold(self.ja[i].truncate().length(), f64::max);
                    squares += if slope > 0.0 { (self.g[i] / slope).powi(2) } else { 0.0 };
                }
                Unit::Radian => angle = angle.max(self.g[i].abs()),
            }
        }
        [squares.sqrt(), angle]
    }

    /// |J W Jᵀ x| row by row on the diagonal: the largest that is a length, m (or a square, m²), and the largest angle, rad.
    pub fn moves(&self, x: &[f64; MOST], inverse_mass: &[DVec3]) -> [f64; 2] {
        let mut moves = [0.0_f64; 2];
        for i in 0..self.size {
            let own = &mut moves[usize::from(self.units[i] == Unit::Radian)];
            *own = own.max((self.mass(i, i, inverse_mass) * x[i]).abs());
        }
        moves
    }

    /// u ← u + W Jᵀ x.
    pub fn push(&self, x: &[f64; MOST], inverse_mass: &[DVec3], u: &mut [DVec3]) {
        for (i, x) in x.iter().enumerate().take(self.size) {
            u[self.a] += inverse_mass[self.a] * self.ja[i] * *x;
            u[self.b] += inverse_mass[self.b] * self.jb[i] * *x;
            self.further_arms(i).for_each(|(body, j)| u[body] += inverse_mass[body] * j * *x);
        }
    }

    /// p ← p + Jᵀ x of bodies a and b.
    pub fn add_transposed(&self, x: &[f64; MOST], p: &mut [DVec3; 2]) {
        for (i, x) in x.iter().enumerate().take(self.size) {
            p[0] += self.ja[i] * *x;
            p[1] += self.jb[i] * *x;
        }
    }

    /// p ← p + Jᵀ x of the bodies beyond.
    pub fn add_transposed_further(&self, x: &[f64; MOST], p: &mut [DVec3; 2]) {
        let Some((_, j)) = &self.further else { return };
        for (p, j) in p.iter_mut().zip(j) {
            x.iter().zip(j).take(self.size).for_each(|(x, j)| *p += *j * *x);
        }
    }

    /// (J W Jᵀ)ᵢⱼ.
    pub fn mass(&self, i: usize, j: usize, inverse_mass: &[DVec3]) -> f64 {
        let own = self.ja[i].dot(inverse_mass[self.a] * self.ja[j])
            + self.jb[i].dot(inverse_mass[self.b] * self.jb[j]);
        let pairs = self.further_arms(i).zip(self.further_arms(j));
        pairs.fold(own, |sum, ((body, x), (_, y))| sum + x.dot(inverse_mass[body] * y))
    }

    /// J W Kᵀ of the first row of this block and a row K of the same bodies.
    pub fn coupling(&self, other: [DVec3; 2], inverse_mass: &[DVec3]) -> f64 {
        self.ja[0].dot(inverse_mass[self.a] * other[0]) + self.jb[0].dot(inverse_mass[self.b] * other[1])
    }

    /// J of the first row, at a and at b.
    pub fn first(&self) -> [DVec3; 2] {
        [self.ja[0], self.jb[0]]
    }

    /// x, by elimination.
    pub fn solve(&self, inverse_mass: &[DVec3], c: &[f64; MOST], mut r: [f64; MOST]) -> [f64; MOST] {
        let n = self.size;
        if n == 1 {
            let mass = self.mass(0, 0, inverse_mass) + c[0];
            return [if mass > 0.0 { r[0] / mass } else { 0.0 }, 0.0, 0.0];
        }
        let mut k = [[0.0; MOST]; MOST];
        for (i, row) in k.iter_mut().enumerate().take(n) {
            for (j, entry) in row.iter_mut().enumerate().take(n) {
                *entry = self.mass(i, j, inverse_mass);
            }
            row[i] += c[i];
        }
        let least: [f64; MOST] = std::array::from_fn(|i| DEPENDENT * k[i][i]);
        for p in 0..n {
            let pivot = k[p];
            if pivot[p] <= least[p] {
                continue;
            }
            for i in p + 1..n {
                let factor = k[i][p] / pivot[p];
                for (entry, above) in k[i].iter_mut().zip(pivot) {
                    *entry -= factor * above;
                }
                r[i] -= factor * r[p];
            }
        }
        let mut x = [0.0; MOST];
        for p in (0..n).rev() {
            if k[p][p] > least[p] {
                let known: f64 = (p + 1..n).map(|j| k[p][j] * x[j]).sum();
                x[p] = (r[p] - known) / k[p][p];
            }
        }
        x
    }
}

/// The tangential row of a contact between bodies a and b, without g.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SlideRow {
    pub ends: [usize; 2],
    /// J at a and at b.
    pub j: [DVec3; 2],
}

impl SlideRow {
    /// J u.
    pub fn rate(&self, u: &[DVec3]) -> f64 {
        self.j[0].dot(u[self.ends[0]]) + self.j[1].dot(u[self.ends[1]])
    }

    /// J W Jᵀ.
    pub fn mass(&self, inverse_mass: &[DVec3]) -> f64 {
        let own = |end: usize| self.j[end].dot(inverse_mass[self.ends[end]] * self.j[end]);
        own(0) + own(1)
    }

    /// x of J W Jᵀ x = r; 0 where it moves nothing.
    pub fn solve(&self, inverse_mass: &[DVec3], r: f64) -> f64 {
        let mass = self.mass(inverse_mass);
        if mass > 0.0 { r / mass } else { 0.0 }
    }

    /// u ← u + W Jᵀ x.
    pub fn push(&self, x: f64, inverse_mass: &[DVec3], u: &mut [DVec3]) {
        for (body, j) in self.ends.into_iter().zip(self.j) {
            u[body] += inverse_mass[body] * j * x;
        }
    }

    /// p ← p + Jᵀ x.
    pub fn add_transposed(&self, x: f64, p: &mut [DVec3; 2]) {
        p.iter_mut().zip(self.j).for_each(|(p, j)| *p += j * x);
    }
}
