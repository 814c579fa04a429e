//! Springs with damping, as compliant rows so that stiff ones stay stable.
//!
//! With elongation s(q) and force f = −k s − d ṡ along J = ∂s/∂q, taken at the end of the step to first
//! order, f⁺ = −k (s + h ṡ⁺) − d ṡ⁺ and ṡ⁺ = J v⁺, the impulse λ = h f⁺ obeys
//!
//! ```text
//! J v⁺ + λ/(h (h k + d)) + k s/(h k + d) = 0 ,
//! ```
//!
//! a row like a joint's with a compliance on the diagonal of A: linearly implicit, stable for any k and d.
//! The turning of the spring's direction (its geometric stiffness) is left explicit, since it can be
//! indefinite. A spring of rest length 0 pulls equally in all directions: two rows, s = d. A torsional spring has the angle between
//! its bodies beyond the one at rest, s = θ_b − θ_a − θ₀, k in N m/rad and d in N m s/rad.

use super::body::Frame;
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
    /// Compliance c and bias b of the row J v⁺ + c λ + b = 0 over a step h, for elongation s.
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
}

impl Spring {
    /// A spring between the bodies at the given indices, for [`World::insert_spring`]; its rest length in m.
    ///
    /// [`World::insert_spring`]: crate::model::World::insert_spring
    pub fn new(bodies: [usize; 2], anchors: [DVec2; 2], softness: Softness, rest_length: f64) -> Self {
        Self { bodies, anchors, softness, rest_length, rest_angle: None }
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
        self.rest_angle.map_or(Ok(()), |angle| finite("rest_angle", angle))
    }

    /// The rows of the spring: the angle of a torsional spring, the elongation along the line, or both components where the
    /// rest length is zero.
    #[inline]
    pub fn equations(&self, a: &Frame, b: &Frame, mut emit: impl FnMut(Equation)) {
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
        if self.rest_length > 0.0 || self.rest_angle.is_some() { 1 } else { 2 }
    }
}
