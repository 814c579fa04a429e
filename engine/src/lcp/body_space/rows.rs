//! Rows over the movable bodies, scaled to the kinetic-energy norm.
//!
//! With u = W^(−1/2) (v − v_k) and Ĵ = J W^(1/2), a row's step away from λ_k is
//!
//! ```text
//! Δ = Π(λ_k + y) − λ_k ,   y = −ρ̃ (w_k + Ĵ u) ,   ρ̃ = ρ / (1 + ρ c) ,   ρ = κ / Aᵢᵢ
//! ```
//!
//! which is λ_k ← Π(λ_k − ρ w) with the compliance c taken implicitly. κ has no unit.

use crate::lcp::info::ACCEPTED;
use crate::lcp::problem::mixed::positive;

/// Friction of at least this share of its bound counts as sliding, where its piece is told from λ alone: what is
/// missing may be the residual of a solution.
const EDGE: f64 = 1.0 - ACCEPTED;

/// The piece of Π that a row is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Piece {
    /// At a lower bound that does not move.
    #[default]
    Lower,
    /// At an upper bound that does not move.
    Upper,
    /// Between its bounds: λ follows w.
    Free,
    /// Friction at −μ λ_n, which follows the normal row.
    SlidingLower,
    /// Friction at +μ λ_n.
    SlidingUpper,
}

/// The bounds of λ.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Limit {
    /// [l, u].
    Between(f64, f64),
    /// ±μ λ_n, with the place of the normal row.
    Coulomb { normal: u32, coefficient: f64 },
    /// λ = s λ_n with the signed coefficient s.
    Dragged { normal: u32, coefficient: f64 },
}

impl Limit {
    /// Returns the place of the normal row and λ_t / λ_n, if the friction slides.
    #[inline]
    pub fn slope(&self, state: Piece) -> Option<(usize, f64)> {
        match (*self, state) {
            (
                Self::Coulomb { normal, coefficient } | Self::Dragged { normal, coefficient },
                Piece::SlidingUpper,
            ) => Some((normal as usize, coefficient)),
            (Self::Coulomb { normal, coefficient }, Piece::SlidingLower) => {
                Some((normal as usize, -coefficient))
            }
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyRow {
    /// Its index.
    pub place: u32,
    /// Movable bodies; where there is none, the number of movable bodies, and Ĵ is zero.
    pub ends: [u32; 2],
    /// Ĵ.
    pub j: [[f64; 3]; 2],
    /// The ends and Ĵ of its further bodies.
    pub further: Option<([u32; 2], [[f64; 3]; 2])>,
    /// Aᵢᵢ.
    pub diagonal: f64,
    pub compliance: f64,
    pub limit: Limit,
}

impl BodyRow {
    /// Whether it is friction, which the row before it limits.
    #[inline]
    pub fn is_friction(&self) -> bool {
        !matches!(self.limit, Limit::Between(..))
    }

    /// Returns Ĵ u; `u` has an entry for each movable body, and one for all that do not move.
    #[inline]
    pub fn rate(&self, u: &[[f64; 3]]) -> f64 {
        let rate = self.rate_between([u[self.ends[0] as usize], u[self.ends[1] as usize]]);
        if self.further.is_none() { rate } else { rate + self.further_rate(|end| u[end]) }
    }

    /// Returns Ĵ u of its further bodies, given u of each.
    pub fn further_rate(&self, u: impl Fn(usize) -> [f64; 3]) -> f64 {
        let Some((ends, j)) = self.further else { return 0.0 };
        let of = |end: usize| dot(&j[end], &u(ends[end] as usize));
        of(0) + of(1)
    }

    /// All its ends.
    pub fn ends(&self) -> impl Iterator<Item = usize> + use<> {
        let further = self.further.map(|(ends, _)| ends);
        self.ends.into_iter().chain(further.into_iter().flatten()).map(|end| end as usize)
    }

    /// Each of its ends with its Ĵ.
    fn arms(&self) -> impl Iterator<Item = (u32, [f64; 3])> + use<> {
        let further = self.further.map(|(ends, j)| [(ends[0], j[0]), (ends[1], j[1])]);
        let own = [(self.ends[0], self.j[0]), (self.ends[1], self.j[1])];
        own.into_iter().chain(further.into_iter().flatten())
    }

    /// Returns Ĵ u of bodies a and b, given u of them.
    #[inline]
    pub fn rate_between(&self, [a, b]: [[f64; 3]; 2]) -> f64 {
        let [ja, jb] = &self.j;
        (ja[0] * a[0] + ja[1] * a[1] + ja[2] * a[2]) + (jb[0] * b[0] + jb[1] * b[1] + jb[2] * b[2])
    }

    /// u ← u + Ĵᵀ x.
    #[inline]
    pub fn push(&self, x: f64, u: &mut [[f64; 3]]) {
        for (body, j) in self.arms() {
            let u = &mut u[body as usize];
            for k in 0..3 {
                u[k] += j[k] * x;
            }
        }
    }

    /// u ← u + |Ĵᵀ x|.
    pub fn push_magnitude(&self, x: f64, u: &mut [[f64; 3]]) {
        for (body, j) in self.arms() {
            let u = &mut u[body as usize];
            for k in 0..3 {
                u[k] += (j[k] * x).abs();
            }
        }
    }

    /// Returns [l, u]; those of friction at the present `lambda`, by place.
    #[inline]
    pub fn bounds(&self, lambda: &[f64]) -> [f64; 2] {
        match self.limit {
            Limit::Between(lower, upper) => [lower, upper],
            Limit::Coulomb { normal, coefficient } => {
                let most = coefficient * positive(lambda[normal as usize]);
                [-most, most]
            }
            Limit::Dragged { normal, coefficient } => {
                let drag = coefficient * positive(lambda[normal as usize]);
                [drag, drag]
            }
        }
    }

    /// Returns the piece on which λ lies; friction within 1e-9 of its bound slides.
    pub fn piece(&self, lambda: f64, [lower, upper]: [f64; 2]) -> Piece {
        match self.limit {
            Limit::Coulomb { .. } if upper > 0.0 => match lambda {
                _ if lambda <= EDGE * lower => Piece::SlidingLower,
                _ if lambda >= EDGE * upper => Piece::SlidingUpper,
                _ => Piece::Free,
            },
            Limit::Dragged { .. } if lower != 0.0 => Piece::SlidingUpper,
            _ if lambda <= lower => Piece::Lower,
            _ if lambda >= upper => Piece::Upper,
            _ => Piece::Free,
        }
    }

    /// ρ̃.
    #[inline]
    pub fn stiffness(&self, kappa: f64) -> f64 {
        if self.diagonal > 0.0 { kappa / (self.diagonal + kappa * self.compliance) } else { 0.0 }
    }
}

#[inline]
fn dot(j: &[f64; 3], u: &[f64; 3]) -> f64 {
    j[0] * u[0] + j[1] * u[1] + j[2] * u[2]
}
