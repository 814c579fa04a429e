//! Box2D's soft constraint, linearised, with all the state that it keeps from step to step.
//!
//! ```text
//! b = ω/(2ζ + hω)     c = hω (2ζ + hω)     μ = c/(1 + c)     ν = 1/(1 + c)          ω = 2π · hertz
//!
//! v ← v + M⁻¹Jᵀλ                                            warm start with the accumulated impulses
//! sweeps:  dλᵢ = −μ (Jᵢv + b gᵢ)/Aᵢᵢ − ν λᵢ ,  λᵢ ← λᵢ + dλᵢ ,  v ← v + M⁻¹Jᵢᵀ dλᵢ    row after row
//! q ← q + h v
//! relax:   dλᵢ = −Jᵢv/Aᵢᵢ ,                    λᵢ ← λᵢ + dλᵢ ,  v ← v + M⁻¹Jᵢᵀ dλᵢ    one sweep
//! ```
//!
//! [Catto, Soft Constraints, GDC 2011; Solver2D, soft step.] b is the bias rate (1/s), μ the mass scale, ν the
//! impulse scale. Gravity is a constant that shifts the equilibrium and drops out. The state is (δq, δv, λ).
//!
//! **One constraint** is stable for every hertz: the warm start drops out and the block is [1 − m, hν; −m/h, ν] with m = (hω)²ν,
//! implicit Euler of a damped spring (determinant ν); with relax the error is multiplied by 1 − m. **Several constraints** are
//! not, because one sweep of Gauss–Seidel leaves them unsolved: a light body between the ground and a heavy one
//! is unstable above a frequency that grows with the number of sweeps. See [`ball_and_chain`].

use super::block::Block;
use crate::parameter::{Parameter, ParameterKind, Values};
use std::f64::consts::TAU;

/// The words that switch the relax sweep.
const RELAX: &[&str] = &["off", "on"];

/// The parameters, as `--stabilizer soft,…` spells them.
pub const SOFT_PARAMETERS: &[Parameter] = &[
    Parameter {
        key: "hertz",
        name: "frequency",
        symbol: "f",
        unit: "Hz",
        minimum: 0.0,
        maximum: 1e6,
        default: 30.0,
        kind: ParameterKind::Logarithmic,
        meaning: "Undamped frequency of the constraint [Box2D].",
    },
    Parameter {
        key: "damping_ratio",
        name: "damping ratio",
        symbol: "ζ",
        unit: "",
        minimum: 0.0,
        maximum: 1e3,
        default: 1.0,
        kind: ParameterKind::Linear,
        meaning: "Damping ratio; 1 is critical.",
    },
    Parameter {
        key: "sweeps",
        name: "sweeps",
        symbol: "n",
        unit: "",
        minimum: 1.0,
        maximum: 1e4,
        default: 1.0,
        kind: ParameterKind::Integer,
        meaning: "Gauss–Seidel sweeps over the rows per step.",
    },
    Parameter {
        key: "relax",
        name: "relax sweep",
        symbol: "",
        unit: "",
        minimum: 0.0,
        maximum: 1.0,
        default: 1.0,
        kind: ParameterKind::Choice(RELAX),
        meaning: "Whether a sweep without bias and softness follows the motion.",
    },
];

/// Whether the rigid sweep follows the integration of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relax {
    /// The bias stays in the velocities.
    Off,
    /// One sweep removes the bias from the velocities.
    On,
}

/// A soft constraint's parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Soft {
    /// Hz.
    pub hertz: f64,
    /// ζ.
    pub damping_ratio: f64,
    /// Gauss–Seidel sweeps per step.
    pub sweeps: usize,
    /// Whether a relax sweep follows the motion.
    pub relax: Relax,
}

/// b (1/s), μ and ν at a time step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Softness {
    /// b = ω/(2ζ + hω), 1/s.
    pub bias_rate: f64,
    /// μ = c/(1 + c).
    pub mass_scale: f64,
    /// ν = 1/(1 + c).
    pub impulse_scale: f64,
}

/// A scalar row of a linear system with diagonal masses: its entries by coordinate.
pub(super) type SparseRow = Vec<(usize, f64)>;

impl Soft {
    /// Reads the values of [`SOFT_PARAMETERS`].
    pub fn from_values(values: &Values) -> Self {
        let value = |key: &str| values.get(key).unwrap_or_default();
        let relax = if value("relax") > 0.0 { Relax::On } else { Relax::Off };
        let (hertz, damping_ratio) = (value("hertz"), value("damping_ratio"));
        Self { hertz, damping_ratio, sweeps: value("sweeps") as usize, relax }
    }

    /// The coefficients at time step `h`, s.
    pub fn at(&self, h: f64) -> Softness {
        let (omega, zeta) = (TAU * self.hertz, self.damping_ratio);
        if omega == 0.0 {
            return Softness { bias_rate: 0.0, mass_scale: 0.0, impulse_scale: 1.0 };
        }
        let c = h * omega * (2.0 * zeta + h * omega);
        let impulse_scale = 1.0 / (1.0 + c);
        Softness {
            bias_rate: omega / (2.0 * zeta + h * omega),
            mass_scale: c * impulse_scale,
            impulse_scale,
        }
    }

    /// The block of a single constraint.
    pub fn block(&self, h: f64) -> Block {
        let Softness { bias_rate, mass_scale, impulse_scale } = self.at(h);
        let m = h * mass_scale * bias_rate;
        match self.relax {
            Relax::Off => Block([[1.0 - m, h * impulse_scale], [-m / h, impulse_scale]]),
            Relax::On => Block([[1.0 - m, 0.0], [0.0, 0.0]]),
        }
    }

    /// One step of (q, v, λ) in a system of `rows` over coordinates of inverse masses `inverse_mass`.
    pub(super) fn step(&self, rows: &[SparseRow], inverse_mass: &[f64], h: f64, state: &mut [f64]) {
        let n = inverse_mass.len();
        let (q, rest) = state.split_at_mut(n);
        let (v, lambda) = rest.split_at_mut(n);
        let Softness { bias_rate, mass_scale, impulse_scale } = self.at(h);
        let along = |row: &SparseRow, x: &[f64]| row.iter().map(|(i, j)| j * x[*i]).sum::<f64>();
        let diagonal = |row: &SparseRow| row.iter().map(|(i, j)| j * j * inverse_mass[*i]).sum::<f64>();
        let push = |row: &SparseRow, impulse: f64, v: &mut [f64]| {
            row.iter().for_each(|(i, j)| v[*i] += inverse_mass[*i] * j * impulse);
        };
        for (row, lambda) in rows.iter().zip(lambda.iter()) {
            push(row, *lambda, v);
        }
        for _ in 0..self.sweeps {
            for (row, lambda) in rows.iter().zip(lambda.iter_mut()) {
                let error_rate = along(row, v) + bias_rate * along(row, q);
                let d = -mass_scale * error_rate / diagonal(row) - impulse_scale * *lambda;
                *lambda += d;
                push(row, d, v);
            }
        }
        q.iter_mut().zip(v.iter()).for_each(|(q, v)| *q += h * v);
        if self.relax == Relax::On {
            for (row, lambda) in rows.iter().zip(lambda.iter_mut()) {
                let d = -along(row, v) / diagonal(row);
                *lambda += d;
                push(row, d, v);
            }
        }
    }
}
