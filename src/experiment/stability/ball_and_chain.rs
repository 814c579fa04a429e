//! Where soft constraints with a large mass ratio become unstable: Box2D's ball on a chain, reduced to two bodies.
//!
//! Ground, a light particle, a heavy particle on a line; a soft constraint from the ground to the light one, another
//! from the light one to the heavy one. Inverse masses 0.167 and 0.000995 1/kg, ζ = 0, h = 1/60 s. According to
//! Solver2D's note the system is stable up to 13.5 Hz without and up to 20.5 Hz with the relax sweep [Solver2D,
//! `extras/soft_constraint.m`].
//!
//! The eigenvalues of (q, v, λ) agree with it: the limits are 13.565 Hz and 20.943 Hz, of which those figures are the half hertz
//! below. **Assumptions, all of them Solver2D's**: one Gauss–Seidel sweep from the ground outwards, no substeps, warm
//! starting with the whole impulse, the relax sweep after the motion, its impulse accumulated too. With ζ = 0 the
//! limits scale with 1/h. More sweeps raise them (21.3, 31.8 and 46.7 Hz for 2, 4 and 8 without relax), damping hardly does.

use super::linear::Linear;
use super::soft::Soft;
use super::{Model, StabilityError};

/// Inverse masses of the light and of the heavy particle, 1/kg [Solver2D].
const INVERSE_MASSES: [f64; 2] = [0.167, 0.000995];
/// h of Solver2D's note, s.
pub const BALL_AND_CHAIN_STEP: f64 = 1.0 / 60.0;
/// A spectral radius ρ that exceeds 1 by less than this counts as 1.
const GROWTH: f64 = 1e-9;

/// The two particles on a line: g₁ = y₁, g₂ = y₂ − y₁.
///
/// # Errors
/// None with these numbers; see [`Linear::new`].
pub fn ball_and_chain() -> Result<Linear, StabilityError> {
    Linear::new(INVERSE_MASSES.to_vec(), vec![vec![(0, 1.0)], vec![(0, -1.0), (1, 1.0)]])
}

/// The lowest frequency, Hz, between `low` and `high` at which soft constraints become unstable, by bisection to 1e-4
/// Hz; none if they are still stable at `high`. `soft.hertz` is not read.
///
/// # Errors
/// As for [`Linear::spectral_radius`].
pub fn soft_limit(
    linear: &Linear,
    soft: Soft,
    h: f64,
    [mut low, mut high]: [f64; 2],
) -> Result<Option<f64>, StabilityError> {
    const RESOLUTION: f64 = 1e-4;
    let grows = |hertz: f64| {
        let model = Model::Soft(Soft { hertz, ..soft });
        linear.spectral_radius(&model, h).map(|radius| radius > 1.0 + GROWTH)
    };
    if !grows(high)? {
        return Ok(None);
    }
    while high - low > RESOLUTION {
        let middle = 0.5 * (low + high);
        if grows(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(Some(low))
}
