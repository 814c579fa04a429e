//! The constraint error of one step in closed form: a 2 × 2 matrix for every scheme without memory.
//!
//! On range(P) the linearised step is the same for every constraint, whatever the masses: (g, ġ) ↦ B (g, ġ),
//! [Hong et al., eqs. 19 and 22, restricted to range(P)], with s = κh:
//!
//! ```text
//! velocity level  J v⁺ + κ g = 0        [ 1 − s           0        ]   ρ = |1 − s|
//!                                       [ −κ              0        ]
//! acceleration    semi-implicit Euler   [ 1 − (βh)²  h (1 − 2αh)  ]   trace 2 − (βh)² − 2αh
//!                                       [ −hβ²        1 − 2αh      ]   determinant 1 − 2αh
//!                 explicit Euler        I + hC ,                        C = [ 0  1 ; −β²  −2α ]
//!                 Runge–Kutta           I + hC + (hC)²/2 + (hC)³/6 + (hC)⁴/24
//! Newmark, g⁺ = 0    [ 1 − γ/β    1 − γ − γ (½ − β)/β ]             of (h ġ, h² a); with β = ¼ (γ + ½)² twice the eigenvalue
//!                    [ −1/β       −(½ − β)/β          ]             (γ − 3/2)/(γ + ½), −ρ∞ of generalised-α methods
//! ```
//!
//! κ is 0 without stabilization, α for Baumgarte, γ/h for Anitescu & Hart, 1/h for Hong's implicit enforcement (X). g
//! in m or rad, α, β and κ in 1/s, h in s.
//!
//! **The boundary** of semi-implicit Euler is the parabola (βh)² + 4αh = 4, and αh = 1 at its tip, where β = 0. For
//! β > 0 the parabola is reached first. The 0.83 that Hong et al. print for α = β = 10 belongs to α = β = 1.

use crate::method::{Integrator, Linearised};

/// A spectral radius that exceeds 1 by less than this counts as 1.
const ROUNDING: f64 = 1e-12;
/// Discriminants below this, relative to the matrix, belong to a double eigenvalue.
const DOUBLE: f64 = 1e-12;

/// A real 2 × 2 matrix by rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block(pub [[f64; 2]; 2]);

impl Block {
    const IDENTITY: Self = Self([[1.0, 0.0], [0.0, 1.0]]);

    /// One step of a scheme.
    pub fn of(linearised: &Linearised, h: f64) -> Self {
        match *linearised {
            Linearised::Velocity { rate } => Self::velocity(rate, h),
            Linearised::Acceleration { alpha, beta, integrator } => {
                Self::acceleration(alpha, beta, integrator, h)
            }
            Linearised::Projected => Self([[0.0; 2]; 2]),
            Linearised::Newmark { beta, gamma } => Self::newmark(beta, gamma),
        }
    }

    /// One step of g⁺ = 0 by Newmark's formulas, of (h ġ, h² a) in place of (g, ġ), since g is zero after one step.
    pub fn newmark(beta: f64, gamma: f64) -> Self {
        let [from_rate, from_a] = [-1.0 / beta, (beta - 0.5) / beta];
        Self([[1.0 + gamma * from_rate, 1.0 - gamma + gamma * from_a], [from_rate, from_a]])
    }

    /// One step of J v⁺ + κ g = 0, q⁺ = q + h v⁺; κ = `rate` in 1/s.
    pub fn velocity(rate: f64, h: f64) -> Self {
        Self([[1.0 - rate * h, 0.0], [-rate, 0.0]])
    }

    /// One step of g̈ + 2α ġ + β² g = 0 under an integrator.
    pub fn acceleration(alpha: f64, beta: f64, integrator: Integrator, h: f64) -> Self {
        let hc = Self([[0.0, h], [-h * beta * beta, -2.0 * alpha * h]]);
        match integrator {
            Integrator::SemiImplicitEuler => {
                let [from_g, from_rate] = [hc.0[1][0], 1.0 + hc.0[1][1]];
                Self([[1.0 + h * from_g, h * from_rate], [from_g, from_rate]])
            }
            Integrator::ExplicitEuler => Self::IDENTITY.plus(1.0, &hc),
            // Horner: I + hC (I + hC/2 (I + hC/3 (I + hC/4))).
            Integrator::Rk4 => [4.0, 3.0, 2.0, 1.0]
                .into_iter()
                .fold(Self::IDENTITY, |sum, n| Self::IDENTITY.plus(1.0 / n, &hc.times(&sum))),
        }
    }

    fn times(&self, other: &Self) -> Self {
        let entry = |i: usize, j: usize| self.0[i][0] * other.0[0][j] + self.0[i][1] * other.0[1][j];
        Self([[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]])
    }

    fn plus(&self, factor: f64, other: &Self) -> Self {
        let entry = |i: usize, j: usize| self.0[i][j] + factor * other.0[i][j];
        Self([[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]])
    }

    /// Trace and determinant.
    pub fn invariants(&self) -> (f64, f64) {
        let [[a, b], [c, d]] = self.0;
        (a + d, a * d - b * c)
    }

    /// Largest modulus of the two eigenvalues, of λ² − trace · λ + determinant.
    pub fn spectral_radius(&self) -> f64 {
        let (trace, determinant) = self.invariants();
        let discriminant = trace * trace - 4.0 * determinant;
        if discriminant < 0.0 { determinant.sqrt() } else { 0.5 * (trace.abs() + discriminant.sqrt()) }
    }

    /// Whether no error grows without bound under powers of the matrix: ρ < 1, or ρ = 1 without the Jordan block whose
    /// powers grow linearly, [1 h; 0 1] of a constraint that nothing corrects.
    pub fn is_stable(&self) -> bool {
        let radius = self.spectral_radius();
        // NaN is no stable radius.
        if radius.is_nan() || (radius - 1.0).abs() > ROUNDING {
            return radius < 1.0;
        }
        let (trace, determinant) = self.invariants();
        let [[_, b], [c, _]] = self.0;
        let double = (trace * trace - 4.0 * determinant).abs() <= DOUBLE;
        !double || (b == 0.0 && c == 0.0)
    }

    /// Whether errors grow, but by no factor: ρ = 1 with that Jordan block.
    pub fn is_marginal(&self) -> bool {
        !self.is_stable() && (self.spectral_radius() - 1.0).abs() <= ROUNDING
    }
}
