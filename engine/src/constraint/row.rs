//! One scalar row of a constraint: between two bodies, or up to four.

use crate::lcp::Further;
use crate::model::joint::{Equation, Unit};
use glam::DVec3;

#[inline]
pub(super) fn row(a: usize, b: usize, equation: Equation) -> Row {
    let Equation { g, ja, jb, k, unit } = equation;
    Row { a, b, ja, jb, g, k, c: 0.0, unit, further: None }
}

/// When what profiles drive is evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Clock {
    /// The time of the pose, s.
    pub now: f64,
    /// Rates are means over so many seconds from then on, or those at that time where it is 0.
    pub span: f64,
}

impl Clock {
    /// At a time.
    pub fn at(now: f64) -> Self {
        Self { now, span: 0.0 }
    }
}

/// The row of an equation between four bodies, of which some may be the same: each is in it once.
pub fn row_of(bodies: [usize; 4], equation: Equation, further: [DVec3; 2]) -> Row {
    let [a, b, c, d] = bodies;
    let mut own = row(a, b, equation);
    let mut beyond = further_bodies(bodies).map(|bodies| Further { bodies, j: [DVec3::ZERO; 2] });
    for (body, j) in [c, d].into_iter().zip(further) {
        match &mut beyond {
            _ if body == a => own.ja += j,
            _ if body == b => own.jb += j,
            Some(beyond) => beyond.j[usize::from(beyond.bodies[1] == body)] += j,
            None => {}
        }
    }
    Row { further: beyond, ..own }
}

/// Which of four bodies are others than the first two; one alone is there twice.
pub fn further_bodies([a, b, c, d]: [usize; 4]) -> Option<[usize; 2]> {
    let is_other = |body: usize| body != a && body != b;
    match (is_other(c), is_other(d)) {
        (true, true) => Some([c, d]),
        (true, false) => Some([c, c]),
        (false, true) => Some([d, d]),
        (false, false) => None,
    }
}

/// One scalar row between two bodies, or up to four.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Index of body a.
    pub a: usize,
    /// Index of body b; equal to `a` for the grab, whose row has ja = 0.
    pub b: usize,
    /// ∂g/∂q of body a.
    pub ja: DVec3,
    /// ∂g/∂q of body b.
    pub jb: DVec3,
    /// The error g of a joint, the elongation s of a spring; zero for a non-holonomic row.
    pub g: f64,
    /// k = J̇ v.
    pub k: f64,
    /// c = ∂g/∂t of a driven length, zero of all others: ġ = J v + c.
    pub c: f64,
    /// The unit of g.
    pub unit: Unit,
    /// Its bodies beyond a and b.
    pub further: Option<Further>,
}

impl Row {
    /// Each of its bodies with its J.
    #[inline]
    pub fn arms(&self) -> impl Iterator<Item = (usize, DVec3)> + Clone + use<> {
        let further = self.further.map(|own| own.arms());
        [(self.a, self.ja), (self.b, self.jb)].into_iter().chain(further.into_iter().flatten())
    }

    /// The row with what a driven length adds to g, k and c.
    pub(super) fn driven(self, terms: Option<[f64; 3]>) -> Self {
        let Some([g, k, c]) = terms else { return self };
        Self { g: self.g + g, k: self.k + k, c, ..self }
    }

    /// ġ = J v + c.
    #[inline]
    pub fn rate(&self, v: &[DVec3]) -> f64 {
        self.with_c(self.along(v))
    }

    /// b + c.
    #[inline]
    pub(crate) fn with_c(&self, b: f64) -> f64 {
        if self.c == 0.0 { b } else { b + self.c }
    }

    /// J v.
    #[inline]
    pub fn along(&self, v: &[DVec3]) -> f64 {
        let rate = self.ja.dot(v[self.a]) + self.jb.dot(v[self.b]);
        match &self.further {
            None => rate,
            Some(further) => rate + further.rate(v),
        }
    }

    /// J ← J − s J', of a row between the same bodies.
    pub(super) fn subtract(&mut self, share: f64, other: &Self) {
        self.ja -= share * other.ja;
        self.jb -= share * other.jb;
        if let (Some(own), Some(other)) = (&mut self.further, &other.further) {
            own.j.iter_mut().zip(other.j).for_each(|(own, j)| *own -= share * j);
        }
    }

    /// J W Jᵀ, with W the diagonal inverse metric.
    #[inline]
    pub fn mobility(&self, inverse_mass: &[DVec3]) -> f64 {
        let own = self.ja.dot(inverse_mass[self.a] * self.ja) + self.jb.dot(inverse_mass[self.b] * self.jb);
        match &self.further {
            None => own,
            Some(further) => own + further.mobility(inverse_mass),
        }
    }

    /// v ← v + W Jᵀ λ, with W the diagonal inverse metric.
    #[inline(always)]
    pub fn push(&self, lambda: f64, inverse_mass: &[DVec3], v: &mut [DVec3]) {
        v[self.a] += inverse_mass[self.a] * self.ja * lambda;
        v[self.b] += inverse_mass[self.b] * self.jb * lambda;
        if let Some(further) = &self.further {
            further.push(lambda, inverse_mass, v);
        }
    }
}
