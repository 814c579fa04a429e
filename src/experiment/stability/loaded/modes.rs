//! The motion's own modes about an equilibrium, and what a scheme's step makes of them.
//!
//! ```text
//! d/dt (δq, δv) = A (δq, δv) ,     R Z = 0 ,     λ: the eigenvalues of Zᵀ A Z
//! ```
//!
//! A is the derivative of the equations of motion with the forces of the joints eliminated, at the world's state. Z spans the
//! disturbances that violate no constraint, the null space of R (`errors`), which A maps into itself at an equilibrium. A step of
//! explicit Euler is I + h A without any error of truncation, so that A follows from the derivative of one such step. A
//! scheme's own step has multipliers μ on the same space: e^(hλ), but for the scheme's error.

use super::errors::{Errors, norm, null_space};
use super::rows::holds;
use super::stage::{Stage, places};
use super::{Loaded, REST, derivative, scale, scaled};
use crate::experiment::dense::Dense;
use crate::experiment::stability::{StabilityError, eigenvalues};
use crate::internal::largest;
use crate::method::{Integrator, Oscillator, Quadrature};
use crate::model::{BodyKind, Joint, World};

/// A mode e^(−decay · t) of the motion, oscillating at `frequency`: λ = −decay ± i frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mode {
    /// −Re λ, 1/s; negative where the mode grows.
    pub decay: f64,
    /// |Im λ|, rad/s; 0 of a mode that does not oscillate.
    pub frequency: f64,
}

impl Mode {
    /// |λ − λ′|, 1/s.
    pub fn distance(self, other: Self) -> f64 {
        libm::hypot(self.decay - other.decay, self.frequency - other.frequency)
    }
}

/// The modes of small motions about the world's state, an equilibrium, whatever the scheme; the slowest decay first,
/// and of each pair of conjugate eigenvalues one. Double eigenvalues, as those of a body that drifts freely, are
/// accurate to the square root of rounding.
///
/// # Errors
/// A state that is no equilibrium; contacts that push, motors and the mouse, which are not part of A; an iteration that does not
/// converge.
pub fn modes(world: &World) -> Result<Vec<Mode>, StabilityError> {
    /// s. Any step gives the same A; this one makes the entries of I + h A those of A in SI units.
    const STEP: f64 = 1.0;
    let acts = world.grab().is_some() || world.repulsion().is_some();
    let other = |joint: &Joint| joint.motor.is_some() || holds(joint);
    if acts || world.joints().iter().any(other) {
        return Err(StabilityError::NotThisStep);
    }
    let places = places(world);
    let mut stage = Stage::new(world, STEP, &places, false);
    let (start, q, v) = (stage.rows(), stage.q.value.clone(), stage.v.value.clone());
    let free = Oscillator { alpha: 0.0, beta: 0.0, integral: Quadrature::Off };
    stage.acceleration_step(Integrator::ExplicitEuler, free)?;
    let changes = [(&stage.q.value, &q), (&stage.v.value, &v)].into_iter();
    let moved = changes.flat_map(|(after, before)| after.iter().zip(before).map(|(a, b)| *a - *b));
    let prescribed = |kind: BodyKind| matches!(kind, BodyKind::Kinematic(_));
    let rests = largest(moved.map(|x| x.abs().max_element())) <= REST;
    if !rests || world.bodies().iter().any(|body| prescribed(body.kind())) {
        return Err(StabilityError::NoEquilibrium);
    }
    let rows: Vec<_> = start.into_iter().filter(|row| !row.kind.is_spring()).collect();
    let scale = scale(&stage.inverse_mass, &places, &rows, STEP, false);
    let norms = rows.iter().map(|row| norm(row, &stage.inverse_mass)).collect();
    let reading = Errors { places: &places, scale: &scale, h: STEP, norms }.reading(&rows, &v);
    let step = scaled(&derivative(&stage, &places, false), &scale);
    let rates = &(&step - &Dense::identity(step.nrows())) * (1.0 / STEP);
    let modes = eigenvalues_on(&rates, &reading)?.into_iter();
    Ok(sorted(modes.map(|(re, im)| Mode { decay: -re, frequency: im })))
}

impl Loaded {
    /// The modes as the step has them, ln μ/h of its multipliers μ, in the order of [`modes`]; to compare with those.
    ///
    /// # Errors
    /// A state that is no equilibrium, or an iteration that does not converge.
    pub fn modes(&self) -> Result<Vec<Mode>, StabilityError> {
        if !self.at_rest {
            return Err(StabilityError::NoEquilibrium);
        }
        let multipliers = eigenvalues_on(&scaled(&self.matrix, &self.scale), &self.reading)?;
        let mode = |(re, im): (f64, f64)| Mode {
            decay: -libm::log(libm::hypot(re, im)) / self.h,
            frequency: libm::atan2(im, re) / self.h,
        };
        Ok(sorted(multipliers.into_iter().map(mode)))
    }
}

/// The eigenvalues of Zᵀ M Z, Z an orthonormal basis of the null space of `reading`.
fn eigenvalues_on(matrix: &Dense, reading: &Dense) -> Result<Vec<(f64, f64)>, StabilityError> {
    let basis = null_space(reading)?;
    let restricted = &(&basis.transposed() * matrix) * &basis;
    eigenvalues(&restricted).ok_or(StabilityError::NoConvergence)
}

/// One of each conjugate pair, the slowest decay first, then the lowest frequency.
fn sorted(modes: impl Iterator<Item = Mode>) -> Vec<Mode> {
    let mut modes: Vec<Mode> = modes.filter(|mode| mode.frequency >= 0.0).collect();
    modes.sort_by(|a, b| a.decay.total_cmp(&b.decay).then(a.frequency.total_cmp(&b.frequency)));
    modes
}
