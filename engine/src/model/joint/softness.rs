//! Soft joints: a joint whose equations give way as springs do.
//!
//! Each row g of a soft joint is a compliant row with the force −k g − d ġ (`model/spring.rs`): the rows that are lengths
//! with `linear`, those that are angles with `angular`. They are no constraints: neither a bias, nor post-stabilization, nor
//! a projection acts on them, and their errors are no errors of joints. Limits and motors stay rigid; of a soft rope the
//! limits are what is soft.
//!
//! A frequency f and a damping ratio ζ mean those of the bodies' two masses on the spring,
//!
//! ```text
//! k = m ω² ,   d = 2 ζ m ω ,   ω = 2π f ,   1/m = 1/m_a + 1/m_b          lengths
//! k = I ω² ,   d = 2 ζ I ω ,               1/I = 1/I_a + 1/I_b          angles
//! ```
//!
//! with 1/m = 1/I = 0 of a body that forces do not move. A row whose lever turns its bodies moves less mass than m, and
//! swings faster.

use super::{DistanceForm, Joint, JointKind, Unit};
use crate::model::body::Body;
use crate::model::error::{ModelError, fitting, not_negative};
use crate::model::spring::Softness;

/// Stiffness and damping of a soft joint.
///
/// ```
/// use driftlab::prelude::*;
///
/// let body = || Body::dynamic().mass_and_inertia(2.0, 3.0).build();
/// let soft = JointSoftness::of_frequency([&body()?, &body()?], 1.0, 0.5);
/// let w = std::f64::consts::TAU; // of 1 Hz
/// assert_eq!((soft.linear.stiffness, soft.linear.damping), (1.0 * w * w, 1.0 * w));
/// assert_eq!(soft.angular.stiffness, 1.5 * w * w);
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointSoftness {
    /// Of the rows that are lengths: N/m and N s/m.
    pub linear: Softness,
    /// Of the rows that are angles: N m/rad and N m s/rad.
    pub angular: Softness,
}

impl JointSoftness {
    /// The softness with the natural `frequency`, Hz, and the damping ratio ζ of these bodies on it.
    pub fn of_frequency(bodies: [&Body; 2], frequency: f64, damping_ratio: f64) -> Self {
        let of_mass = |mass: f64| Softness::of(mass, frequency, damping_ratio);
        let [a, b] = bodies.map(|body| body.inverse_mass());
        let reduced = |one: f64, other: f64| if one + other > 0.0 { 1.0 / (one + other) } else { 0.0 };
        Self { linear: of_mass(reduced(a.x, b.x)), angular: of_mass(reduced(a.z, b.z)) }
    }

    /// That of rows with this unit.
    #[inline]
    pub fn of(&self, unit: Unit) -> Softness {
        if unit == Unit::Radian { self.angular } else { self.linear }
    }

    /// Checks that no number is below zero or not finite, that `joint` has two bodies, and that its rows are lengths and angles.
    pub(super) fn check(&self, joint: &Joint) -> Result<(), ModelError> {
        for Softness { stiffness, damping } in [self.linear, self.angular] {
            not_negative("stiffness of the joint", stiffness)?;
            not_negative("damping of the joint", damping)?;
        }
        let bodies = joint.all_bodies().count();
        fitting(bodies == 2, "number of bodies of a soft joint", "2, not those of a gear", bodies as f64)?;
        let squared = matches!(&joint.kind, JointKind::Distance(rod) if rod.form == DistanceForm::Squared);
        fitting(!squared, "form of a soft distance joint", "length, not squared", 2.0)
    }
}
