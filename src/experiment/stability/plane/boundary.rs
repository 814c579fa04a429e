//! The exact boundary ρ = 1, where there is one in closed form, and how far the time step may grow.
//!
//! At the acceleration level only αh and βh count. Along the ray β = t α the step is stable up to αh = a*(t), which is the
//! condition |λ| ≤ 1 of a 2 × 2 matrix, 1 ± trace + determinant ≥ 0 and determinant ≤ 1, solved for a = αh, with b = βh = t a:
//!
//! ```text
//! semi-implicit Euler   b² + 4a = 4                                         a* = 2/(1 + √(1 + t²))
//! explicit Euler        t ≥ 1, complex:  b² = 2a                            a* = 2/t²
//!                       t < 1, real:     b² = 4a − 4, the smaller root      a* = 2/(1 + √(1 − t²))
//! Runge–Kutta           t < 1, real:     the faster root at −2.785 294      a* = 2.785 294/(1 + √(1 − t²))
//!                       t ≥ 1, complex:  |R(z)| = 1 along the ray, by bisection
//! ```

use super::super::Block;
use crate::stabilizer::Integrator;

/// The real z < 0 with 1 + z + z²/2 + z³/6 + z⁴/24 = 1: the root of z³ + 4z² + 12z + 24 = 0 [Hairer & Wanner, section IV.2].
const RK4_REAL: f64 = 2.785_293_563_405_282;
/// Bisections of the boundary of Runge–Kutta: to rounding.
const BISECTIONS: usize = 60;
/// No step of Runge–Kutta is stable with a βh above this; its boundary on the imaginary axis is 2√2.
const RK4_MOST: f64 = 4.0;

/// The largest stable αh and βh along a ray of slope `t` = β/α; t = ∞ for α = 0.
fn along(t: f64, integrator: Integrator) -> [f64; 2] {
    let slope = |a: f64| [a, t * a];
    match integrator {
        // With b in the place of a where t is large: b = 2/(1/t + √(1/t² + 1)).
        Integrator::SemiImplicitEuler => {
            let b = 2.0 / (1.0 / t + (1.0 / t).hypot(1.0));
            if t > 1.0 { [b / t, b] } else { slope(2.0 / (1.0 + 1.0_f64.hypot(t))) }
        }
        Integrator::ExplicitEuler if t >= 1.0 => [2.0 / t / t, 2.0 / t],
        Integrator::ExplicitEuler => slope(2.0 / (1.0 + (1.0 - t * t).sqrt())),
        Integrator::Rk4 if t < 1.0 => slope(RK4_REAL / (1.0 + (1.0 - t * t).sqrt())),
        Integrator::Rk4 => {
            let grows = |b: f64| Block::acceleration(b / t, b, integrator, 1.0).spectral_radius() > 1.0;
            let (mut low, mut high) = (0.0, RK4_MOST);
            for _ in 0..BISECTIONS {
                let middle = 0.5 * (low + high);
                if grows(middle) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            [low / t, low]
        }
    }
}

/// The largest stable time step of g̈ + 2α ġ + β² g = 0 under an integrator, s; α and β in 1/s. Infinite for α = β = 0.
pub fn largest_stable_step_under(alpha: f64, beta: f64, integrator: Integrator) -> f64 {
    let [a, b] = along(beta / alpha, integrator);
    match alpha > beta {
        true => a / alpha,
        false if beta > 0.0 => b / beta,
        false => f64::INFINITY,
    }
}

/// The boundary in (α, β), 1/s, at the time step `h`, from small β/α to large.
pub(super) fn of_acceleration(integrator: Integrator, h: f64) -> Vec<[f64; 2]> {
    /// Slopes from 10⁻⁵ to 10⁵, the same number per decade.
    const DECADES: f64 = 5.0;
    const POINTS: u32 = 400;
    let slope = |i: u32| libm::pow(10.0, DECADES * (2.0 * f64::from(i) / f64::from(POINTS) - 1.0));
    (0..=POINTS).map(|i| along(slope(i), integrator).map(|x| x / h)).collect()
}
