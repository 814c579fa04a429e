//! The visit of a row by itself: it is projected, λ ← Π(λ − w/Aᵢᵢ), with all other impulses as they are.
//!
//! A visit changes w by A Δλ and v by W JᵀΔλ. Before it, λ moves along the conjugate direction: λ ← λ + β p, p ← d + β p.

use crate::lcp::problem::mixed::{Further, MixedProblem};
use glam::DVec3;
use wide::f64x4 as Quad;

/// A row by itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Single {
    ends: [u32; 2],
    row: u32,
    /// J of body a and of body b.
    rates: [Quad; 2],
    further: Option<Further>,
    bias: f64,
    compliance: f64,
    diagonal: f64,
    bounds: [f64; 2],
    lambda: f64,
    change: f64,
    direction: f64,
}

/// Three numbers of a body, and a zero.
fn quad(v: DVec3) -> Quad {
    Quad::new([v.x, v.y, v.z, 0.0])
}

impl Single {
    /// Returns row `index`, unless no impulse on it moves anything.
    pub fn of(problem: &MixedProblem, index: usize, lambda: &[f64]) -> Option<Self> {
        let row = &problem.rows[index];
        let diagonal = row.diagonal(&problem.inverse_mass);
        (diagonal > 0.0).then(|| Self {
            ends: [row.a as u32, row.b as u32],
            row: index as u32,
            rates: [row.ja, row.jb].map(quad),
            further: row.further,
            bias: row.bias,
            compliance: row.compliance,
            diagonal,
            bounds: problem.bounds(index, lambda),
            lambda: lambda[index],
            change: 0.0,
            direction: 0.0,
        })
    }

    /// Moves λ likewise and projects it onto its bounds; returns ‖d‖² of the row. `masses` is the diagonal of W, by body.
    #[inline(always)]
    pub fn visit(&mut self, beta: Option<f64>, bodies: &mut [Quad], masses: &[DVec3]) -> f64 {
        match beta {
            Some(beta) => {
                let p = beta * self.direction;
                self.lambda += p;
                self.direction = self.change + p;
            }
            None => self.direction = 0.0,
        }
        let ends = self.ends.map(|end| end as usize);
        let further = || self.further.iter().flat_map(Further::arms).map(|(body, j)| (body, quad(j)));
        let arms = || ends.into_iter().zip(self.rates).chain(further());
        let rate = |(body, j): (usize, Quad)| {
            let [x, y, turn, _] = (j * bodies[body]).to_array();
            x + y + turn
        };
        let [a, b] = [0, 1].map(|end| rate((ends[end], self.rates[end])));
        let w = further().map(rate).fold(self.bias + a + b + self.compliance * self.lambda, |w, x| w + x);
        let next = (self.lambda - w / self.diagonal).max(self.bounds[0]).min(self.bounds[1]);
        let d = next - self.lambda;
        if d != 0.0 {
            for (body, j) in arms() {
                bodies[body] += Quad::splat(d) * quad(masses[body]) * j;
            }
        }
        (self.lambda, self.change) = (next, d);
        self.diagonal * d * d
    }

    /// Writes λ, by row of the problem.
    pub fn write(&self, lambda: &mut [f64]) {
        lambda[self.row as usize] = self.lambda;
    }
}
