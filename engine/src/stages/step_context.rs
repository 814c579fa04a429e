//! What a step is made with: the level at which constraints are posed, the integrator of the acceleration level, the rules for contacts,
//! and, for the stages of one step, the world, these settings and the time span.

use crate::lcp::Solver;
use crate::model::World;
use crate::parameter::Values;

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

impl Level {
    /// All levels, in the order of the panel.
    pub const ALL: [Self; 2] = [Self::Velocity, Self::Acceleration];

    /// Name in scene files.
    pub fn key(self) -> &'static str {
        match self {
            Self::Velocity => "velocity",
            Self::Acceleration => "acceleration",
        }
    }
}

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

impl Integrator {
    /// All integrators, in the order of the panel.
    pub const ALL: [Self; 3] = [Self::SemiImplicitEuler, Self::ExplicitEuler, Self::Rk4];

    /// Name in scene files.
    pub fn key(self) -> &'static str {
        match self {
            Self::SemiImplicitEuler => "semi_implicit_euler",
            Self::ExplicitEuler => "explicit_euler",
            Self::Rk4 => "rk4",
        }
    }
}

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

impl Restitution {
    /// All laws, in the order of the panel.
    pub const ALL: [Self; 2] = [Self::Newton, Self::AnitescuPotra];

    /// Name in scene files.
    pub fn key(self) -> &'static str {
        match self {
            Self::Newton => "newton",
            Self::AnitescuPotra => "anitescu_potra",
        }
    }
}

/// The default threshold in units of the speed at which two bodies are pressed together: rounding and the turning of normals add
/// less than that speed once more.
pub(crate) const THRESHOLD_STEPS: f64 = 2.0;

/// The rules of a method for contacts; a number that is not given follows from the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactRules {
    /// ε̂, m; default a hundredth of the smallest shape.
    pub active_distance: Option<f64>,
    /// m; default a ten-thousandth of the smallest shape.
    pub contact_tolerance: Option<f64>,
    /// Steps of travel, at the pair's present speeds, within which a contact is in the problem; 0: ε̂, and what would tunnel
    /// (`constraints.rs`).
    pub active_travel: f64,
    /// The law of impact.
    pub restitution: Restitution,
    /// Slower impacts do not rebound, m/s; default twice the speed at which the pair is pressed together in a step.
    pub restitution_threshold: Option<f64>,
}

impl ContactRules {
    /// ε̂ in `world`, m.
    pub fn active_distance_in(&self, world: &World) -> f64 {
        self.active_distance_of(smallest_shape(world))
    }

    pub(crate) fn active_distance_of(&self, smallest_shape: f64) -> f64 {
        self.active_distance.unwrap_or(ACTIVE_SHARE * smallest_shape)
    }

    /// The contact tolerance in `world`, m.
    pub fn contact_tolerance_in(&self, world: &World) -> f64 {
        self.contact_tolerance_of(smallest_shape(world))
    }

    pub(crate) fn contact_tolerance_of(&self, smallest_shape: f64) -> f64 {
        self.contact_tolerance.unwrap_or(TOLERANCE_SHARE * smallest_shape)
    }

    /// The restitution threshold at the time step `h` in `world` where gravity alone presses along the normal, m/s.
    pub fn restitution_threshold_in(&self, world: &World, h: f64) -> f64 {
        self.restitution_threshold.unwrap_or_else(|| THRESHOLD_STEPS * h * world.gravity.length())
    }
}

/// Smallest extent of a shape that collides, m; 0 where nothing does.
pub(crate) fn smallest_shape(world: &World) -> f64 {
    let shapes = world.bodies().iter().filter(|body| body.collides).flat_map(|body| body.shapes());
    let smallest = shapes.map(|placed| placed.shape.smallest_extent()).fold(f64::INFINITY, f64::min);
    if smallest.is_finite() { smallest } else { 0.0 }
}

/// The settings of a method, apart from the scheme itself.
#[derive(Clone, Copy)]
pub(crate) struct Settings<'a> {
    /// The scheme's parameters.
    pub values: &'a Values,
    pub level: Level,
    pub integrator: Integrator,
    pub solver: &'a Solver,
    pub contact: &'a ContactRules,
}

/// The world as it was, the method's settings, and the time that the step spans.
#[derive(Clone, Copy)]
pub(crate) struct StepContext<'a> {
    pub world: &'a World,
    pub settings: Settings<'a>,
    /// Time at the start of the step, s.
    pub time: f64,
    /// Length of the step, s.
    pub h: f64,
}

impl<'a> StepContext<'a> {
    /// The scheme's parameters.
    pub fn parameters<P: From<&'a Values>>(&self) -> P {
        P::from(self.settings.values)
    }

    /// Time at the end of the step, s.
    pub fn end(&self) -> f64 {
        self.time + self.h
    }
}
