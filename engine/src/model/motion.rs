//! Prescribed motion of kinematic bodies.
//!
//! Sine: p(t) = c + a sin(2π f t), with amplitude a in m and frequency f in Hz. The angle keeps turning at
//! the body's constant angular velocity.

use super::error::{ModelError, finite, finite_vector};
use glam::DVec2;
use std::f64::consts::TAU;

/// How a kinematic body moves.
///
/// ```
/// use driftlab::prelude::*;
///
/// let lift = Motion::Sine { center: DVec2::ZERO, amplitude: DVec2::new(0.0, 0.5), frequency: 0.25 };
/// assert_eq!(lift.position(DVec2::ZERO, DVec2::ZERO, 0.0, 1.0), DVec2::new(0.0, 0.5)); // after a quarter of 4 s
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Motion {
    /// At its present velocity, which stays constant.
    ConstantVelocity,
    /// Sinusoidally about a centre.
    Sine {
        /// The centre of the oscillation of the body's centre of mass, m.
        center: DVec2,
        /// Largest displacement, m.
        amplitude: DVec2,
        /// Cycles per second, Hz.
        frequency: f64,
    },
}

impl Motion {
    /// Checks that the numbers are finite.
    pub(super) fn check(&self) -> Result<(), ModelError> {
        match *self {
            Self::ConstantVelocity => Ok(()),
            Self::Sine { center, amplitude, frequency } => {
                finite_vector("center of the motion", center)?;
                finite_vector("amplitude of the motion", amplitude)?;
                finite("frequency of the motion", frequency)
            }
        }
    }

    /// Position of the centre of mass at the end of a step of `h` from time `t`, m; a motion of constant velocity
    /// starts at `now`.
    pub fn position(&self, now: DVec2, velocity: DVec2, t: f64, h: f64) -> DVec2 {
        match *self {
            Self::ConstantVelocity => now + h * velocity,
            Self::Sine { center, amplitude, frequency } => {
                center + amplitude * libm::sin(TAU * frequency * (t + h))
            }
        }
    }

    /// Velocity of the centre of mass at time `t`, m/s.
    pub fn velocity(&self, now: DVec2, t: f64) -> DVec2 {
        match *self {
            Self::ConstantVelocity => now,
            Self::Sine { amplitude, frequency, .. } => {
                amplitude * (TAU * frequency * libm::cos(TAU * frequency * t))
            }
        }
    }

    /// Acceleration of the centre of mass at time `t`, m/s².
    pub fn acceleration(&self, t: f64) -> DVec2 {
        match *self {
            Self::ConstantVelocity => DVec2::ZERO,
            Self::Sine { amplitude, frequency, .. } => {
                let rate = TAU * frequency;
                -amplitude * (rate * rate * libm::sin(rate * t))
            }
        }
    }
}
