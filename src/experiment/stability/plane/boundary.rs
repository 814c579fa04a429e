//! The exact boundary ρ = 1 of the acceleration level, where there is one in closed form.

use crate::internal::stable_ray;
use crate::stabilizer::Integrator;

/// The boundary in (α, β), 1/s, at the time step `h`, from small β/α to large.
pub(super) fn of_acceleration(integrator: Integrator, h: f64) -> Vec<[f64; 2]> {
    /// Slopes from 10⁻⁵ to 10⁵, the same number per decade.
    const DECADES: f64 = 5.0;
    const POINTS: u32 = 400;
    let slope = |i: u32| libm::pow(10.0, DECADES * (2.0 * f64::from(i) / f64::from(POINTS) - 1.0));
    (0..=POINTS).map(|i| stable_ray(slope(i), integrator).map(|x| x / h)).collect()
}
