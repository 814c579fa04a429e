//! The facts about the linear stability of a scheme: the operations of its step, the map of one small constraint error, the
//! plane of parameters over which its stability is shown, and the exact boundary in that plane.
//!
//! A scheme's file states them. The analysis is the program's (`experiment::stability`): it differentiates the operations one
//! after the other, computes spectral radii, and finds the words.

use crate::parameter::Parameter;
use crate::rules::Integrator;
pub use crate::stages::terms::{GapTerm, Metric, Oscillator, Quadrature};

/// An operation of a step whose derivative is known; each has the same equation in every scheme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operation {
    /// J v⁺ + κ g = 0 and N v⁺ = v₀(t+h) with the rows of the start, then q⁺ = q + h v⁺.
    Impulses {
        /// κ, 1/s.
        rate: f64,
        /// Which contacts are in it.
        gap: GapTerm,
        /// Whether non-holonomic rows contain their turning, N v⁺ + h (N v)_q v = v₀(t+h).
        turning: bool,
    },
    /// g̈ + 2α ġ + β² g = 0 by forces, under the method's integrator.
    Forces(Oscillator),
    /// W⁻¹dp = Jᵀλ, g + J dp = 0, q ← q + dp, several times.
    PositionCorrections {
        /// W⁻¹.
        metric: Metric,
        /// The longest move of a body in one of them, m or rad.
        bound: f64,
        /// How many.
        count: usize,
    },
    /// Corrections in the mass metric until g(q) = 0.
    PositionProjection,
    /// M dv = Jᵀλ, J(q⁺) (v + dv) + c = 0.
    VelocityProjection,
    /// q ← q + h v with the velocity that the step begins with.
    Drift,
    /// J v⁺ + c = 0 and N v⁺ = v₀(t+h) with the rows of the present pose, at which the step ends.
    ImpulsesAtEnd,
    /// The Störmer–Verlet step with g(q⁺) = 0 and J(q⁺) v⁺ = 0, after a projection of the start onto both.
    Verlet,
    /// Substeps of one Gauss–Seidel sweep over soft constraints each.
    SoftSubsteps {
        /// Undamped frequency in Hz and damping ratio of a joint or limit, of a contact, and of one with a fixed body.
        oscillators: [[f64; 2]; 3],
        /// How many.
        count: usize,
        /// Whether a sweep without bias and softness follows the motion of each.
        relaxes: bool,
    },
}

/// The map of one small constraint error (g, ġ) over a step, without load; it is the same for every constraint, whatever the
/// masses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Linearised {
    /// J v⁺ + κ g = 0, q⁺ = q + h v⁺.
    Velocity {
        /// κ, 1/s: 0 unstabilised, α of Baumgarte, γ/h of Anitescu & Hart, 1/h of Hong et al. (their X).
        rate: f64,
    },
    /// g̈ + 2α ġ + β² g = 0 under an integrator; under semi-implicit Euler Hong's Λ.
    Acceleration {
        /// α, 1/s.
        alpha: f64,
        /// β, 1/s.
        beta: f64,
        /// The integrator.
        integrator: Integrator,
    },
    /// Brought back to the manifold in q and v by the end of the step.
    Projected,
    /// g⁺ = 0 by the accelerations a of Newmark's formulas, q⁺ = q + h v + h² [(½ − β) a + β a⁺], v⁺ = v + h [(1 − γ) a + γ a⁺],
    /// which the step remembers: errors of ġ and of a are left.
    Newmark {
        /// β.
        beta: f64,
        /// γ.
        gamma: f64,
    },
}

impl Linearised {
    /// The map of the operations of a step; `None` if there are none, or if they couple the constraints.
    ///
    /// A correction of positions counts as projection: its bound lies far above a small error.
    pub fn of(operations: &[Operation], integrator: Integrator) -> Option<Self> {
        match *operations {
            [] | [Operation::SoftSubsteps { .. }] => None,
            [Operation::Impulses { rate, .. }] => Some(Self::Velocity { rate }),
            [Operation::Forces(Oscillator { alpha, beta, .. })] => {
                Some(Self::Acceleration { alpha, beta, integrator })
            }
            _ => Some(Self::Projected),
        }
    }
}

/// The quantity along an axis of a stability plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AxisQuantity {
    /// A parameter of the scheme.
    Parameter(&'static Parameter),
    /// The length of a step, s.
    TimeStep,
}

/// A quantity and the range, greater than 0, over which it is shown on a logarithmic axis.
pub type StabilityAxis = (AxisQuantity, [f64; 2]);

/// Time steps that are shown, s.
pub(crate) const TIME_STEPS: StabilityAxis = (AxisQuantity::TimeStep, [1e-5, 0.1]);

/// The exact line ρ = 1 in a stability plane.
#[derive(Clone, Debug, PartialEq)]
pub struct StabilityBoundary {
    /// Its equation.
    pub name: &'static str,
    /// Its points in the plane's quantities, one after the other.
    pub points: Vec<[f64; 2]>,
}
