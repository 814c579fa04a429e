//! Springs with damping, as compliant rows: those that a step resolves keep their energy, stiffer ones are implicit and
//! stay stable.
//!
//! A spring has the elongation s(q) and the force f = −k s − d ṡ along J = ∂s/∂q. Its impulse in a step h is a row
//!
//! ```text
//! λ = −(h k s + r ṡ⁺ + t ṡ) ,      i.e.     J v⁺ + λ/r + (h k s + t ṡ)/r = 0 ,      ṡ = J v ,  ṡ⁺ = J v⁺
//! ```
//!
//! with a compliance 1/r on the diagonal of A, like a joint's row with constraint force mixing. A steady spring (ṡ =
//! ṡ⁺ = 0) pulls with k s for any r and t. They depend on the mass m_e that the row moves, 1/m_e = J M⁻¹Jᵀ (less with joints,
//! `stages/springs.rs`), through w = (hω)² = h²k/m_e and δ = h d/m_e.
//!
//! **Why not implicit.** With q⁺ = q + h v⁺ one mass on the spring has a step of determinant (m_e − t)/(m_e + r), the factor by
//! which the step multiplies areas of the phase plane and, if it oscillates, the energy. Backward Euler, r = h²k and t = 0, has
//! 1/(1 + w): at 1 Hz and h = 1/60 s it leaves a thousandth of the energy after ten seconds.
//!
//! **hω ≤ ½: energy is kept.** The determinant is that of the true motion, e^(−δ), so that an undamped spring loses nothing and a
//! damped one decays at its own rate. With B(x) = x/(1 − e^(−x)), B(0) = 1,
//!
//! ```text
//! 1 + r/m_e = (1 + w/4) B(δ)      oscillating, δ² < 4w          t/m_e = 1 − e^(−δ) (1 + r/m_e)
//!           = B(a) B(b)           overdamped, a + b = δ, ab = w: both decay rates are exact; of a dashpot alone B(δ)
//! ```
//!
//! Without damping this is r = h²k/4 = −t: v⁺ = v − h (k/m_e)(s + ¼h (ṡ⁺ − ṡ)), Newmark's method with β = ¼ [Newmark
//! 1959], neutral at every hω and for every number of springs, whose frequency is low by the fraction w/12.
//!
//! **Between free bodies** this row is evaluated in the middle, at q + ½h v, and the bodies move by the mean of v and v⁺
//! (`stages/springs.rs`): s + ¼h (ṡ⁺ − ṡ) is then ½ (s + s⁺) to first order, and k ½(s⁺² − s²) is exactly the work of
//! the impulse: the implicit midpoint rule, which conserves ½ m v² + ½ k s² to rounding while the spring does not turn.
//! Where it turns, the middle is a predicted one, and the energy varies by about a thousandth of it at hω = ½, without trend.
//!
//! **Between bodies with joints, contacts or other constraints** the schemes move by v⁺, since J v⁺ is what they
//! constrain. The row is evaluated at q. v then is the velocity in the middle of the last step: the sum ½ m v² + ½ k s²
//! varies by up to the fraction ½hω within each period, as that of gravity does under these schemes, without trend.
//!
//! **hω ≥ 1: backward Euler**, r = h²k + h d and t = 0, which damps what the step cannot resolve. Between ½ and 1, r and t pass
//! from the one to the other linearly in hω. `driftlab check` names the springs beyond ½ and what they lose in a period.
//!
//! Under the law of r and t any d is stable, and the turning of the spring's direction (its geometric stiffness) is
//! explicit, since it can be indefinite. RATTLE and the explicit integrators have their own rules (`schemes/rattle.rs`,
//! `stages/acceleration.rs`), and the grab is backward Euler. A spring of rest length 0 pulls equally in all
//! directions: two rows, s = d. A torsional spring has the angle between its bodies beyond the one at rest, s = θ_b −
//! θ_a − θ₀, k in N m/rad and d in N m s/rad.

use super::body::Frame;
use super::breaking::Breaking;
use super::error::{ModelError, finite, finite_vector, not_negative};
use super::joint::{Distance, DistanceForm, Equation, Hinge, Unit};
use glam::{DVec2, DVec3};

/// Stiffness and damping of a compliant row.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Softness {
    /// k, N/m; N m/rad of a torsional spring.
    pub stiffness: f64,
    /// d, N s/m; N m s/rad of a torsional spring.
    pub damping: f64,
}

impl Softness {
    /// No force.
    pub(crate) const NONE: Self = Self { stiffness: 0.0, damping: 0.0 };

    /// The softness on which the mass `mass`, kg, or the moment of inertia, kg m², swings at `frequency`, Hz, with the damping
    /// ratio ζ: k = m ω², d = 2 ζ m ω.
    pub fn of(mass: f64, frequency: f64, damping_ratio: f64) -> Self {
        let omega = std::f64::consts::TAU * frequency;
        Self { stiffness: mass * omega * omega, damping: 2.0 * damping_ratio * mass * omega }
    }
}

/// The impulse of a spring in a step, λ = −(pull s + after ṡ⁺ + before ṡ).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringImpulse {
    /// h k, N s/m; N m s/rad of a torsional spring, as the others.
    pub pull: f64,
    /// r, kg; kg m² of a torsional spring, as t.
    pub after: f64,
    /// t, kg.
    pub before: f64,
}

impl SpringImpulse {
    /// Compliance c and bias b of the row J v⁺ + c λ + b = 0, for the elongation s and its rate ṡ when the step begins.
    #[inline]
    pub fn row(&self, s: f64, s_dot: f64) -> (f64, f64) {
        (1.0 / self.after, (self.pull * s + self.before * s_dot) / self.after)
    }
}

/// hω up to which a spring keeps its energy, and from which on it is implicit.
pub const RESOLVED: [f64; 2] = [0.5, 1.0];

impl Softness {
    /// hω of a row that moves `mobility` = J M⁻¹Jᵀ, 1/kg or 1/(kg m²), over a step `h`, s.
    #[inline]
    pub fn phase(&self, h: f64, mobility: f64) -> f64 {
        h * (self.stiffness * mobility).sqrt()
    }

    /// Whether a step `h` resolves the spring, so that it keeps its energy.
    #[inline]
    pub fn is_resolved(&self, h: f64, mobility: f64) -> bool {
        self.phase(h, mobility) <= RESOLVED[0]
    }

    /// The impulse over a step `h` where the row moves `mobility` = J M⁻¹Jᵀ.
    ///
    /// Returns `None` where the row carries no force at all (k = d = 0).
    #[inline]
    pub fn impulse(&self, h: f64, mobility: f64) -> Option<SpringImpulse> {
        let Self { stiffness: k, damping: d } = *self;
        let implicit = h * (h * k + d);
        if implicit.is_nan() || implicit <= 0.0 {
            return None;
        }
        let [resolved, unresolved] = RESOLVED;
        let phase = self.phase(h, mobility);
        let share = ((phase - resolved) / (unresolved - resolved)).clamp(0.0, 1.0);
        let pull = h * k;
        if share.is_nan() || share >= 1.0 {
            return Some(SpringImpulse { pull, after: implicit, before: 0.0 });
        }
        let [after, before] = if mobility > 0.0 {
            let delta = h * d * mobility;
            let gain = gain_of(phase, delta);
            [gain / mobility, (-libm::expm1(-delta) - libm::exp(-delta) * gain) / mobility]
        } else {
            // Nothing moves: the limit of a great mass.
            [0.25 * h * pull + 0.5 * h * d, 0.5 * h * d - 0.25 * h * pull]
        };
        // Numbers that overflow, or vanish beside those of the row, leave the implicit row.
        if !(after.is_finite() && before.is_finite() && after > 0.0) {
            return Some(SpringImpulse { pull, after: implicit, before: 0.0 });
        }
        let mixed = |exact: f64, implicit: f64| {
            if share > 0.0 { exact + share * (implicit - exact) } else { exact }
        };
        Some(SpringImpulse { pull, after: mixed(after, implicit), before: mixed(before, 0.0) })
    }

    /// Compliance c and bias b of the row J v⁺ + c λ + b = 0 of backward Euler over a step h, for elongation s.
    ///
    /// Returns `None` where the row carries no force at all (k = d = 0).
    #[inline]
    pub fn row(&self, s: f64, h: f64) -> Option<(f64, f64)> {
        let gain = h * self.stiffness + self.damping;
        (gain > 0.0).then(|| (1.0 / (h * gain), self.stiffness * s / gain))
    }

    /// The force −k s − d ṡ of explicit integrators, N.
    #[inline]
    pub fn force(&self, s: f64, s_dot: f64) -> f64 {
        -self.stiffness * s - self.damping * s_dot
    }
}

/// r/m_e of a spring with this hω and δ.
fn gain_of(phase: f64, delta: f64) -> f64 {
    let w = phase * phase;
    let half = 0.5 * delta;
    if half < phase || delta == 0.0 {
        let quarter = 0.25 * w;
        return quarter + (1.0 + quarter) * excess(delta);
    }
    let fast = half + (half * half - w).max(0.0).sqrt();
    let (of_fast, of_slow) = (excess(fast), excess(w / fast));
    of_fast + of_slow + of_fast * of_slow
}

/// B(x) − 1 = x/(1 − e^(−x)) − 1.
fn excess(x: f64) -> f64 {
    /// Below this the first four terms of the series are exact to rounding.
    const SMALL: f64 = 0.1;
    let y = 0.5 * x;
    // y + (y coth y − 1)
    let even = if x < SMALL {
        let square = y * y;
        square * (1.0 / 3.0 - square * (1.0 / 45.0 - square * (2.0 / 945.0 - square / 4725.0)))
    } else {
        y / libm::tanh(y) - 1.0
    };
    y + even
}

/// A spring and a dashpot in parallel between two points.
///
/// ```
/// use driftlab::prelude::*;
///
/// let mut world = World::new(DVec2::ZERO);
/// let wall = world.add_body(Body::fixed())?;
/// let bob = world.add_body(Body::dynamic().at([1.5, 0.0]).mass_and_inertia(1.0, 1.0))?;
/// world.add_spring(Spring::between(wall, bob).stiffness(40.0).damping(0.5).rest_length(1.0))?;
/// assert_eq!(world.potential_energy(), 0.5 * 40.0 * 0.5 * 0.5);
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spring {
    pub(crate) bodies: [usize; 2],
    /// Anchors relative to the centres of mass, in the bodies' frames, m.
    pub anchors: [DVec2; 2],
    /// Stiffness and damping.
    pub softness: Softness,
    /// The length at which the spring carries no force, m.
    pub rest_length: f64,
    /// θ₀ of a torsional spring, rad: it acts on the bodies' angles, and its anchors say only where it is drawn.
    pub rest_angle: Option<f64>,
    /// The largest force (N), or torque (N m) of a torsional spring, that it bears.
    #[cfg_attr(feature = "serde", serde(default))]
    pub breaking: Option<Breaking>,
    /// Whether it is broken: it then takes no part in steps. Part of the state.
    #[cfg_attr(feature = "serde", serde(default))]
    pub broken: bool,
}

impl Spring {
    /// A spring between the bodies at the given indices, for [`World::insert_spring`]; its rest length in m.
    ///
    /// [`World::insert_spring`]: crate::model::World::insert_spring
    pub fn new(bodies: [usize; 2], anchors: [DVec2; 2], softness: Softness, rest_length: f64) -> Self {
        Self { bodies, anchors, softness, rest_length, rest_angle: None, breaking: None, broken: false }
    }

    /// Indices of body a and body b among the world's bodies.
    pub fn bodies(&self) -> [usize; 2] {
        self.bodies
    }

    /// Checks that no number is below zero or not finite.
    pub(super) fn check(&self) -> Result<(), ModelError> {
        self.anchors.iter().try_for_each(|anchor| finite_vector("anchor of the spring", *anchor))?;
        not_negative("stiffness", self.softness.stiffness)?;
        not_negative("damping", self.softness.damping)?;
        not_negative("rest_length", self.rest_length)?;
        self.breaking.map_or(Ok(()), |breaking| breaking.check())?;
        self.rest_angle.map_or(Ok(()), |angle| finite("rest_angle", angle))
    }

    /// The rows of the spring: the angle of a torsional spring, the elongation along the line, or both components where the
    /// rest length is zero; none of a broken one.
    #[inline]
    pub fn equations(&self, a: &Frame, b: &Frame, mut emit: impl FnMut(Equation)) {
        if self.broken {
            return;
        }
        if let Some(rest) = self.rest_angle {
            let g = b.angle - a.angle - rest;
            emit(Equation { g, ja: -DVec3::Z, jb: DVec3::Z, k: 0.0, unit: Unit::Radian });
        } else if self.rest_length > 0.0 {
            let (anchors, length, form) = (self.anchors, self.rest_length, DistanceForm::Length);
            Distance { anchors, length, form }.equations(a, b, emit);
        } else {
            Hinge { anchors: self.anchors }.equations(a, b, emit);
        }
    }

    /// How many rows [`Spring::equations`] emits.
    pub fn rows(&self) -> usize {
        match self {
            Self { broken: true, .. } => 0,
            _ if self.rest_length > 0.0 || self.rest_angle.is_some() => 1,
            _ => 2,
        }
    }
}
