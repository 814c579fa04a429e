//! The mixed problem, whose equations are at the head of `problem`: laws, rows and bodies, λ's velocity, and the residual.

use crate::lcp::info::ROUNDED_SUM;
use crate::math::largest;
use glam::DVec3;

/// The complementarity law of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// w = 0.
    Equation,
    /// 0 ≤ λ ⊥ w ≥ 0.
    Unilateral,
    /// λ between two bounds, of which the first is not greater than the second; either may be infinite.
    Bounded {
        /// l.
        lower: f64,
        /// u.
        upper: f64,
    },
    /// |λ| ≤ μ λ_n.
    Friction {
        /// Index of the normal row: the row before, unilateral and between the same bodies.
        normal: usize,
        /// μ ≥ 0.
        coefficient: f64,
    },
    /// λ = s λ_n: friction of a contact that slides, whose direction is known, as the acceleration level has it.
    Sliding {
        /// Index of the normal row: the row before, unilateral and between the same bodies.
        normal: usize,
        /// s = ±μ, against the sliding.
        coefficient: f64,
    },
}

impl Law {
    /// The normal row that a friction row is limited by.
    pub fn normal(&self) -> Option<usize> {
        match *self {
            Self::Friction { normal, .. } | Self::Sliding { normal, .. } => Some(normal),
            Self::Equation | Self::Unilateral | Self::Bounded { .. } => None,
        }
    }
}

/// The third and the fourth body of a row that has more than two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Further {
    /// Their indices, which differ from those of a and b; the same one twice of a row with three bodies, and then the first
    /// of `j` is zero.
    pub bodies: [usize; 2],
    /// The row of J for each of them.
    pub j: [DVec3; 2],
}

impl Further {
    /// Each body with its J.
    #[inline]
    pub fn arms(&self) -> [(usize, DVec3); 2] {
        [(self.bodies[0], self.j[0]), (self.bodies[1], self.j[1])]
    }

    /// Its part of J v.
    #[cold]
    pub fn rate(&self, v: &[DVec3]) -> f64 {
        self.arms().into_iter().map(|(body, j)| j.dot(v[body])).sum()
    }

    /// Its part of J W Jᵀ, with W the diagonal inverse metric.
    #[cold]
    pub fn mobility(&self, inverse_mass: &[DVec3]) -> f64 {
        self.arms().into_iter().map(|(body, j)| j.dot(inverse_mass[body] * j)).sum()
    }

    /// v ← v + W Jᵀ λ of its bodies.
    #[cold]
    pub fn push(&self, lambda: f64, inverse_mass: &[DVec3], v: &mut [DVec3]) {
        for (body, j) in self.arms() {
            v[body] += inverse_mass[body] * j * lambda;
        }
    }

    /// With its J times `factor`.
    pub fn times(self, factor: f64) -> Self {
        Self { j: self.j.map(|j| factor * j), ..self }
    }
}

/// One scalar row between two bodies, or up to four.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MixedRow {
    /// Index of body a.
    pub a: usize,
    /// Index of body b; equal to `a` where one body alone takes part, and then `ja` is zero.
    pub b: usize,
    /// The row of J for body a.
    pub ja: DVec3,
    /// The row of J for body b.
    pub jb: DVec3,
    /// b.
    pub bias: f64,
    /// c ≥ 0.
    pub compliance: f64,
    /// The row's law.
    pub law: Law,
    /// Its bodies beyond a and b.
    pub further: Option<Further>,
}

impl MixedRow {
    /// Whether `other` is the same row to the bit.
    #[inline(always)]
    pub(crate) fn is_to_the_bit(&self, other: &Self) -> bool {
        let law = |law: Law| match law {
            Law::Equation => [0, 0, 0],
            Law::Unilateral => [1, 0, 0],
            Law::Bounded { lower, upper } => [2, lower.to_bits(), upper.to_bits()],
            Law::Friction { normal, coefficient } => [3, normal as u64, coefficient.to_bits()],
            Law::Sliding { normal, coefficient } => [4, normal as u64, coefficient.to_bits()],
        };
        let of = |row: &Self| {
            let numbers = [row.bias.to_bits(), row.compliance.to_bits(), row.a as u64, row.b as u64];
            (numbers, bits(row.ja), bits(row.jb), law(row.law))
        };
        let beyond = |row: &Self| row.further.map(|own| (own.bodies, own.j.map(bits)));
        of(self) == of(other) && beyond(self) == beyond(other)
    }

    /// Each of its bodies with its J.
    #[inline(always)]
    pub fn arms(&self) -> impl Iterator<Item = (usize, DVec3)> + Clone + use<> {
        let further = self.further.map(|own| own.arms());
        [(self.a, self.ja), (self.b, self.jb)].into_iter().chain(further.into_iter().flatten())
    }

    /// J v.
    #[inline(always)]
    pub fn rate(&self, v: &[DVec3]) -> f64 {
        let rate = self.ja.dot(v[self.a]) + self.jb.dot(v[self.b]);
        match &self.further {
            None => rate,
            Some(further) => rate + further.rate(v),
        }
    }

    /// v ← v + W Jᵀ λ.
    #[inline(always)]
    pub fn push(&self, lambda: f64, inverse_mass: &[DVec3], v: &mut [DVec3]) {
        v[self.a] += inverse_mass[self.a] * self.ja * lambda;
        v[self.b] += inverse_mass[self.b] * self.jb * lambda;
        if let Some(further) = &self.further {
            further.push(lambda, inverse_mass, v);
        }
    }

    /// J W Jᵀ.
    #[inline(always)]
    pub fn mobility(&self, inverse_mass: &[DVec3]) -> f64 {
        let own = self.ja.dot(inverse_mass[self.a] * self.ja) + self.jb.dot(inverse_mass[self.b] * self.jb);
        match &self.further {
            None => own,
            Some(further) => own + further.mobility(inverse_mass),
        }
    }

    /// Aᵢᵢ = J W Jᵀ + c.
    #[inline(always)]
    pub fn diagonal(&self, inverse_mass: &[DVec3]) -> f64 {
        self.mobility(inverse_mass) + self.compliance
    }

    /// The most by which λ within fixed bounds changes the row's own w, Aᵢᵢ max(|l|, |u|), given Aᵢᵢ: a motor that asks for more
    /// is at its bound, however much more it asks for. Without bound for every other law.
    #[inline]
    pub fn reach(&self, diagonal: f64) -> f64 {
        match self.law {
            Law::Bounded { lower, upper } if diagonal > 0.0 => diagonal * upper.abs().max(lower.abs()),
            _ => f64::INFINITY,
        }
    }
}

/// A problem: bodies with W and v*, and rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MixedProblem {
    /// The diagonal of W per body: 1/kg, 1/kg and 1/(kg m²) in the dynamics, the inverse of the metric in a correction;
    /// zero for bodies that cannot be moved.
    pub inverse_mass: Vec<DVec3>,
    /// v* per body.
    pub free: Vec<DVec3>,
    /// The rows.
    pub rows: Vec<MixedRow>,
    /// Rounding of the rows' b beyond their own last digit, in the unit of v: where b comes from gaps, the rounding of
    /// coordinates.
    pub rounding: f64,
    /// Whether v are velocities with which bodies may come to rest: rates that rounding alone has left are then zero
    /// ([`MixedProblem::velocity_or_rest`]).
    pub rests: bool,
}

impl MixedProblem {
    /// Whether each friction row stands directly behind the normal row that limits it, between the same bodies.
    pub fn is_in_order(&self) -> bool {
        let is_behind = |(i, row): (usize, &MixedRow)| {
            let Some(normal) = row.law.normal() else { return true };
            let before =
                i.checked_sub(1).filter(|before| *before == normal).map(|before| &self.rows[before]);
            let same = |own: &MixedRow| (own.a, own.b) == (row.a, row.b);
            let two = |own: &MixedRow| own.further.is_none() && row.further.is_none();
            before.is_some_and(|own| own.law.normal().is_none() && same(own) && two(own))
        };
        self.rows.iter().enumerate().all(is_behind)
    }

    /// Becomes `other` in its own memory, without taking more unless that is larger.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.inverse_mass.clone_from(&other.inverse_mass);
        self.free.clone_from(&other.free);
        self.rows.clone_from(&other.rows);
        (self.rounding, self.rests) = (other.rounding, other.rests);
    }

    /// v = v* + W Jᵀλ.
    pub fn velocity(&self, lambda: &[f64], v: &mut Vec<DVec3>) {
        v.clone_from(&self.free);
        for (row, lambda) in self.rows.iter().zip(lambda) {
            row.push(*lambda, &self.inverse_mass, v);
        }
    }

    /// v = v* + W Jᵀλ; for a problem that `rests`, rates of at most 24 ε times the largest term of any body's sum, of
    /// displacements or of angles, become zero. Within that bound of its terms a w counts as zero, too. Bodies at rest
    /// then rest to the bit, and the next step has the same gaps.
    pub fn velocity_or_rest(&self, lambda: &[f64], v: &mut Vec<DVec3>) {
        if !self.rests {
            return self.velocity(lambda, v);
        }
        let rounded = ROUNDED_SUM * f64::EPSILON * self.velocity_and_terms(lambda, v);
        for (v, w) in v.iter_mut().zip(&self.inverse_mass) {
            if w.x > 0.0 {
                *v = DVec3::select(v.abs().cmple(rounded), DVec3::ZERO, *v);
            }
        }
    }

    /// v = v* + W Jᵀλ; returns the largest term of any sum of a body that can move, the same for both displacements.
    fn velocity_and_terms(&self, lambda: &[f64], v: &mut Vec<DVec3>) -> DVec3 {
        let mut largest = DVec3::ZERO;
        for (v, w) in self.free.iter().zip(&self.inverse_mass) {
            if w.x > 0.0 {
                largest = largest.max(v.abs());
            }
        }
        v.clone_from(&self.free);
        for (row, lambda) in self.rows.iter().zip(lambda) {
            let (a, b) =
                (self.inverse_mass[row.a] * row.ja * *lambda, self.inverse_mass[row.b] * row.jb * *lambda);
            largest = largest.max(a.abs()).max(b.abs());
            v[row.a] += a;
            v[row.b] += b;
            for (body, j) in row.further.iter().flat_map(Further::arms) {
                let own = self.inverse_mass[body] * j * *lambda;
                largest = largest.max(own.abs());
                v[body] += own;
            }
        }
        let linear = largest.x.max(largest.y);
        DVec3::new(linear, linear, largest.z)
    }

    /// Returns the largest rate in v = v* + W Jᵀλ of a body that can move, as a share of the largest term of any body's sum, of
    /// displacements or of angles. For bodies at rest it is at most [`ROUNDED_SUM`] ε.
    pub(crate) fn share_left(&self, lambda: &[f64], v: &mut Vec<DVec3>) -> f64 {
        let terms = self.velocity_and_terms(lambda, v).max(DVec3::splat(f64::MIN_POSITIVE));
        let moving = v.iter().zip(&self.inverse_mass).filter(|(_, inverse_mass)| inverse_mass.x > 0.0);
        largest(moving.map(|(v, _)| (v.abs() / terms).max_element()))
    }

    /// w of row `i` for v and λ.
    #[inline(always)]
    pub fn w(&self, i: usize, v: &[DVec3], lambda: &[f64]) -> f64 {
        let row = &self.rows[i];
        row.rate(v) + row.compliance * lambda[i] + row.bias
    }

    /// Returns the bounds [l, u] of row `i`; for friction, at the present λ.
    #[inline]
    pub fn bounds(&self, i: usize, lambda: &[f64]) -> [f64; 2] {
        match self.rows[i].law {
            Law::Equation => [f64::NEG_INFINITY, f64::INFINITY],
            Law::Unilateral => [0.0, f64::INFINITY],
            Law::Bounded { lower, upper } => [lower, upper],
            Law::Friction { normal, coefficient } => {
                let most = coefficient * positive(lambda[normal]);
                [-most, most]
            }
            Law::Sliding { normal, coefficient } => {
                let drag = coefficient * positive(lambda[normal]);
                [drag, drag]
            }
        }
    }

    /// rᵢ of the room's head, in m/s whatever the row's unit.
    pub fn row_residual(&self, i: usize, v: &[DVec3], lambda: &[f64]) -> f64 {
        let row = &self.rows[i];
        let own = residual(
            row.diagonal(&self.inverse_mass),
            lambda[i],
            self.w(i, v, lambda),
            self.bounds(i, lambda),
        );
        row.unit(&self.inverse_mass) * own
    }

    /// ‖r‖∞ over all rows, m/s, with v computed from λ; NaN as soon as any of it is NaN.
    pub fn residual(&self, lambda: &[f64]) -> f64 {
        let mut v = Vec::new();
        self.velocity(lambda, &mut v);
        largest((0..self.rows.len()).map(|i| self.row_residual(i, &v, lambda)))
    }

    /// The largest |J v* + b|, w where no impulse acts, of each row as far as it reaches ([`MixedRow::reach`]).
    pub(crate) fn free_speed(&self) -> f64 {
        let asked = |row: &MixedRow| {
            within(row.rate(&self.free) + row.bias, row.reach(row.diagonal(&self.inverse_mass)))
        };
        largest(self.rows.iter().map(asked))
    }

    /// Returns the largest difference of a body's velocity, √(Δv² + k²Δω²) with its radius of gyration k.
    pub fn largest_difference(&self, one: &[DVec3], other: &[DVec3]) -> f64 {
        largest(one.iter().zip(other).zip(&self.inverse_mass).map(|((one, other), w)| {
            let d = *one - *other;
            // k² = (1/m)/(1/I), of a body that turns.
            let gyration = if w.z > 0.0 { w.x / w.z } else { 0.0 };
            (d.x * d.x + d.y * d.y + gyration * d.z * d.z).sqrt()
        }))
    }

    /// Whether rows slide in a given direction: forces may then have no solution at all.
    pub(crate) fn slides(&self) -> bool {
        self.rows.iter().any(|row| matches!(row.law, Law::Sliding { .. }))
    }

    /// Whether it is a system of equations alone.
    pub fn is_linear(&self) -> bool {
        self.rows.iter().all(|row| row.law == Law::Equation)
    }
}

/// The bits of a vector.
#[inline]
pub(crate) fn bits(x: DVec3) -> [u64; 3] {
    [x.x.to_bits(), x.y.to_bits(), x.z.to_bits()]
}

/// rᵢ from Aᵢᵢ, λ, w and the bounds.
#[inline]
pub(crate) fn residual(diagonal: f64, lambda: f64, w: f64, [lower, upper]: [f64; 2]) -> f64 {
    if diagonal == 0.0 {
        // No impulse acts on this row: the residual says whether it holds.
        return match (lower == f64::NEG_INFINITY, upper == f64::INFINITY) {
            (true, true) => w,
            (false, true) => w.min(0.0),
            (true, false) => w.max(0.0),
            (false, false) => 0.0,
        };
    }
    if w.is_nan() || lambda.is_nan() {
        // NaN passes through neither max nor min.
        return f64::NAN;
    }
    // Written so that w keeps its digits beside a large λ̂.
    w.min(diagonal * (lambda - lower)).max(diagonal * (lambda - upper))
}

/// |x|, at most `most`; NaN of NaN.
#[inline]
pub(crate) fn within(x: f64, most: f64) -> f64 {
    if x.abs() > most { most } else { x.abs() }
}

/// x where it is positive, else zero; of NaN, too.
#[inline]
pub(crate) fn positive(x: f64) -> f64 {
    if x > 0.0 { x } else { 0.0 }
}
