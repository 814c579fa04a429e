//! A few equations between the same two bodies, solved together: what Gauss–Seidel sweeps go over.
//!
//! ```text
//! (J W Jᵀ + diag(c)) x = r ,     u ← u + W Jᵀ x
//! ```
//!
//! The rows of one joint are a block: two for a hinge, three for a weld. u is a velocity or a pose, W = M⁻¹.

use crate::model::Frame;
use crate::model::joint::{Equation, Unit};
use crate::model::nonholonomic::VelocityEquation;
use glam::DVec3;

/// Most rows of a block: those of a weld.
pub(super) const MOST: usize = 3;
/// A pivot below this share of its row's diagonal is rounding: the row depends on those before it and gets nothing.
const DEPENDENT: f64 = 1e-12;

/// Up to [`MOST`] rows between bodies a and b.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    pub a: usize,
    pub b: usize,
    /// Rows in use.
    pub size: usize,
    /// Error, elongation or gap of each row, m or rad; zero of a non-holonomic row.
    pub g: [f64; MOST],
    pub units: [Unit; MOST],
    ja: [DVec3; MOST],
    jb: [DVec3; MOST],
}

impl Block {
    /// No row yet, between bodies a and b.
    pub fn between([a, b]: [usize; 2]) -> Self {
        Self { a, b, ..Self::default() }
    }

    /// One row.
    pub fn single(bodies: [usize; 2], g: f64, ja: DVec3, jb: DVec3) -> Self {
        let mut block = Self::between(bodies);
        block.add(g, ja, jb);
        block
    }

    /// Appends an equation.
    pub fn push_equation(&mut self, equation: Equation) {
        self.add(equation.g, equation.ja, equation.jb);
        if let Some(unit) = self.size.checked_sub(1).and_then(|last| self.units.get_mut(last)) {
            *unit = equation.unit;
        }
    }

    /// Appends a row of N, which has no g.
    pub fn push_velocity(&mut self, equation: VelocityEquation) {
        self.add(0.0, equation.na, equation.nb);
    }

    fn add(&mut self, g: f64, ja: DVec3, jb: DVec3) {
        if self.size < MOST {
            (self.g[self.size], self.ja[self.size], self.jb[self.size]) = (g, ja, jb);
            self.size += 1;
        }
    }

    /// J u of every row.
    pub fn rates(&self, u: &[DVec3]) -> [f64; MOST] {
        let (ua, ub) = (u[self.a], u[self.b]);
        std::array::from_fn(|i| self.ja[i].dot(ua) + self.jb[i].dot(ub))
    }

    /// The distance by which the rows of a length miss it, m, and the largest of the angles, rad.
    pub fn misses(&self) -> [f64; 2] {
        let (mut squares, mut angle) = (0.0, 0.0_f64);
        for i in 0..self.size {
            match self.units[i] {
                Unit::Metre => squares += self.g[i] * self.g[i],
                // g = |d|² − L² changes by 2L with the distance.
                Unit::SquareMetre => {
                    let slope = self.ja[i].truncate().length();
                    squares += if slope > 0.0 { (self.g[i] / slope).powi(2) } else { 0.0 };
                }
                Unit::Radian => angle = angle.max(self.g[i].abs()),
            }
        }
        [squares.sqrt(), angle]
    }

    /// u ← u + W Jᵀ x.
    pub fn push(&self, x: &[f64; MOST], weight: &[DVec3], u: &mut [DVec3]) {
        for (i, x) in x.iter().enumerate().take(self.size) {
            u[self.a] += weight[self.a] * self.ja[i] * *x;
            u[self.b] += weight[self.b] * self.jb[i] * *x;
        }
    }

    /// p ← p + Jᵀ x of bodies a and b.
    pub fn add_transposed(&self, x: &[f64; MOST], p: &mut [DVec3; 2]) {
        for (i, x) in x.iter().enumerate().take(self.size) {
            p[0] += self.ja[i] * *x;
            p[1] += self.jb[i] * *x;
        }
    }

    /// (J W Jᵀ)ᵢⱼ.
    pub fn mass(&self, i: usize, j: usize, weight: &[DVec3]) -> f64 {
        self.ja[i].dot(weight[self.a] * self.ja[j]) + self.jb[i].dot(weight[self.b] * self.jb[j])
    }

    /// J W Kᵀ of the first rows of this block and another between the same bodies.
    pub fn coupling(&self, other: &Self, weight: &[DVec3]) -> f64 {
        self.ja[0].dot(weight[self.a] * other.ja[0]) + self.jb[0].dot(weight[self.b] * other.jb[0])
    }

    /// x, by elimination.
    pub fn solve(&self, weight: &[DVec3], c: &[f64; MOST], mut r: [f64; MOST]) -> [f64; MOST] {
        let n = self.size;
        let mut k: [[f64; MOST]; MOST] =
            std::array::from_fn(|i| std::array::from_fn(|j| self.mass(i, j, weight)));
        for (i, row) in k.iter_mut().enumerate() {
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

/// The tangential row of a contact.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slide {
    /// One row, without g.
    pub block: Block,
    /// Coulomb's μ of the pair.
    pub friction: f64,
    /// Left out of the present sweep.
    pub rests: bool,
}

/// Frames of two bodies at the poses q; constraints' g and J ask for no velocity.
pub(super) fn frames([a, b]: [usize; 2], q: &[DVec3]) -> [Frame; 2] {
    [Frame::new(q[a], DVec3::ZERO), Frame::new(q[b], DVec3::ZERO)]
}
