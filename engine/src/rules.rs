//! The rules of a step that are no scheme's own: the level at which constraints are posed, the integrator of the acceleration
//! level, the law of impact, and how near bodies have to be to touch.

use crate::model::World;
use crate::parameter::words;

/// The level at which the constraint is posed.
///
/// ```
/// use driftlab::prelude::*;
///
/// assert_eq!(Method::none().level, Level::Velocity);
/// assert!(Method::rattle().at_level(Level::Acceleration, Integrator::default()).is_none()); // it has none
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Level {
    /// Velocities and impulses: J v⁺ + b = 0.
    Velocity,
    /// Accelerations and forces: g̈ + 2α ġ + β² g = 0, under an integrator.
    Acceleration,
}

words!(Level { Velocity: "velocity", Acceleration: "acceleration" });

/// How accelerations become motion, at the acceleration level.
///
/// ```
/// use driftlab::prelude::*;
///
/// let method = Method::baumgarte_acceleration().at_level(Level::Acceleration, Integrator::Rk4);
/// assert_eq!(method.map(|own| own.integrator), Some(Integrator::Rk4));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Integrator {
    /// v⁺ = v + h a, q⁺ = q + h v⁺ [Hong et al., eqs. 6–9].
    #[default]
    SemiImplicitEuler,
    /// v⁺ = v + h a, q⁺ = q + h v.
    ExplicitEuler,
    /// Classical Runge–Kutta of order four.
    Rk4,
}

words!(Integrator {
    SemiImplicitEuler: "semi_implicit_euler",
    ExplicitEuler: "explicit_euler",
    Rk4: "rk4"
});

/// Default of ε̂, in sizes of the smallest shape.
const ACTIVE_SHARE: f64 = 1e-2;
/// Default of the contact tolerance, in sizes of the smallest shape.
const TOLERANCE_SHARE: f64 = 1e-4;

/// How an impact rebounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Restitution {
    /// Newton's law, J v⁺ ≥ −e J v, in the right-hand side [Trefny's c].
    #[default]
    Newton,
    /// Poisson's law in two phases: compression with e = 0, then decompression with e times its normal impulse
    /// [Anitescu & Potra 1997].
    AnitescuPotra,
}

words!(Restitution { Newton: "newton", AnitescuPotra: "anitescu_potra" });

/// The default threshold in units of the speed at which two bodies are pressed together: rounding and the turning of normals add
/// less than that speed once more.
pub(crate) const REBOUND_STEPS: f64 = 2.0;

/// The rules of a method for contacts; a number that is not given follows from the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactRules {
    /// ε̂, m; default a hundredth of the smallest shape.
    pub active_distance: Option<f64>,
    /// m; default a ten-thousandth of the smallest shape.
    pub contact_tolerance: Option<f64>,
    /// Steps of travel, at the pair's present speeds, within which a contact is in the problem; 0: ε̂, and what would tunnel
    /// (`stages/constraints.rs`).
    pub active_travel: f64,
    /// The law of impact.
    pub restitution: Restitution,
    /// Slower impacts do not rebound, m/s; default twice the speed at which the pair is pressed together in a step.
    pub restitution_threshold: Option<f64>,
}

impl ContactRules {
    /// ε̂ in a world with this [`smallest_shape`], m.
    pub fn active_distance_of(&self, smallest_shape: f64) -> f64 {
        self.active_distance.unwrap_or(ACTIVE_SHARE * smallest_shape)
    }

    /// The contact tolerance in a world with this [`smallest_shape`], m.
    pub fn contact_tolerance_of(&self, smallest_shape: f64) -> f64 {
        self.contact_tolerance.unwrap_or(TOLERANCE_SHARE * smallest_shape)
    }

    /// The restitution threshold at the time step `h` in `world` where gravity alone presses along the normal, m/s.
    pub fn restitution_threshold_in(&self, world: &World, h: f64) -> f64 {
        self.restitution_threshold.unwrap_or_else(|| REBOUND_STEPS * h * world.largest_fall())
    }
}

/// Smallest extent of a shape that collides, m; 0 where nothing does.
pub fn smallest_shape(world: &World) -> f64 {
    let shapes = world.bodies().iter().filter(|body| body.collides).flat_map(|body| body.shapes());
    let smallest = shapes.map(|placed| placed.shape.smallest_extent()).fold(f64::INFINITY, f64::min);
    if smallest.is_finite() { smallest } else { 0.0 }
}
