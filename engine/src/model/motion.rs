//! Prescribed motion of kinematic bodies.
//!
//! Sine: p(t) = c + a sin(2π f t), with amplitude a in m and frequency f in Hz. The angle keeps turning at
//! the body's constant angular velocity.
//!
//! Profiles: x(t), y(t) and θ(t), each in place of what the motion says of that coordinate. Velocities and accelerations are the
//! profile's ṗ and p̈. A step at the velocity level moves the body with its mean velocity (p(t + h) − p(t))/h, so that it
//! is where the profile says at the end of every step.

use super::error::{ModelError, finite, finite_vector};
use super::profile::Profile;
use glam::{DVec2, DVec3};
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

/// Coordinates of a kinematic body that profiles drive; the others move as its [`Motion`] says.
///
/// ```
/// use driftlab::model::PoseProfiles;
/// use driftlab::prelude::*;
///
/// // A lift that rises by 2 m from 1 s to 3 s.
/// let y = Profile::Ramp { from: 0.0, to: 2.0, start: 1.0, end: 3.0 };
/// let lift = Body::kinematic(Motion::ConstantVelocity).shape(Shape::rectangle(1.0, 0.2));
/// let mut world = World::new(DVec2::ZERO);
/// let lift = world.add_body(lift.pose_profiles(PoseProfiles { y: Some(y), ..PoseProfiles::default() }))?;
/// for _ in 0..20 {
///     step(&mut world, &Method::none(), 0.1, &mut Workspace::default())?;
/// }
/// assert!((world[lift].pose.position.y - 1.0).abs() < 1e-14);
/// assert_eq!(world[lift].velocity.linear.y, 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PoseProfiles {
    /// x(t) of the centre of mass, which is the origin of a kinematic body, m.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub x: Option<Profile>,
    /// y(t), m.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub y: Option<Profile>,
    /// θ(t), rad.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub angle: Option<Profile>,
}

impl PoseProfiles {
    /// Those of x, y and θ.
    pub fn each(&self) -> [Option<&Profile>; 3] {
        [self.x.as_ref(), self.y.as_ref(), self.angle.as_ref()]
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.each() == [None; 3]
    }

    /// `given`, with `of` each profile in place of the coordinates that have one.
    fn over(&self, given: DVec3, of: impl Fn(&Profile) -> f64) -> DVec3 {
        let [x, y, angle] = self.each();
        let or = |own: Option<&Profile>, given: f64| own.map_or(given, &of);
        DVec3::new(or(x, given.x), or(y, given.y), or(angle, given.z))
    }
}

/// The prescribed path of a kinematic body.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    pub(super) motion: Motion,
    pub(super) profiles: &'a PoseProfiles,
    pub(super) velocity: DVec3,
}

impl Path<'_> {
    /// q at the end of `h` seconds from the time `t`, of a body that is at `now`.
    pub fn pose(&self, now: DVec3, t: f64, h: f64) -> DVec3 {
        let position = self.motion.position(now.truncate(), self.velocity.truncate(), t, h);
        let moved = position.extend(now.z + h * self.velocity.z);
        self.profiles.over(moved, |own| own.value(t + h))
    }

    /// v at the time `t`.
    pub fn velocity(&self, t: f64) -> DVec3 {
        let moved = self.motion.velocity(self.velocity.truncate(), t).extend(self.velocity.z);
        self.profiles.over(moved, |own| own.rate(t))
    }

    /// The velocity that leads from `now` to its pose after `h` seconds from the time `t`.
    pub fn mean_velocity(&self, now: DVec3, t: f64, h: f64) -> DVec3 {
        let end = self.motion.position(now.truncate(), self.velocity.truncate(), t, h);
        let moved = ((end - now.truncate()) / h).extend(self.velocity.z);
        let due = self.profiles.over(now, |own| own.value(t + h));
        let [x, y, angle] = self.profiles.each();
        let or = |own: Option<&Profile>, given: f64, mean: f64| if own.is_some() { mean } else { given };
        let mean = (due - now) / h;
        DVec3::new(or(x, moved.x, mean.x), or(y, moved.y, mean.y), or(angle, moved.z, mean.z))
    }

    /// v̇ at the time `t`.
    pub fn acceleration(&self, t: f64) -> DVec3 {
        self.profiles.over(self.motion.acceleration(t).extend(0.0), |own| own.second(t))
    }

    /// `moved`, a body that has moved at its velocity for a step and is due at the time `t`, on its path.
    pub fn placed(&self, moved: DVec3, t: f64, elapsed: f64) -> DVec3 {
        let placed = match self.motion {
            Motion::ConstantVelocity => moved,
            Motion::Sine { .. } => {
                let now = moved.truncate();
                self.motion.position(now, now, t, elapsed).extend(moved.z)
            }
        };
        self.profiles.over(placed, |own| own.value(t + elapsed))
    }
}
