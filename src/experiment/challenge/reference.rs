//! The true motion: three point masses on massless rods, integrated to rounding in their angles, where no
//! constraint is left.
//!
//! ```text
//! x_k = L Σ_{i ≤ k} (sin θ_i, −cos θ_i)
//! M(θ) θ̈ = f ,   M_ij = n_ij cos(θ_i − θ_j) ,   f_i = −Σ_j n_ij sin(θ_i − θ_j) θ̇_j² − (g/L) n_ii sin θ_i
//! ```
//!
//! θ from the downward vertical, rad; n_ij the number of masses at or beyond both rods, 4 − max(i, j) for
//! i, j from 1; all masses are equal and divide out, and so does L². [Lagrange's equations of the first
//! three masses of a chain.]
//!
//! The integrator is Gragg's modified midpoint rule with 2, 4, 6, 8 and 10 substeps, extrapolated in their
//! squared lengths [Bulirsch & Stoer 1966; Hairer, Nørsett & Wanner, section II.9]: of order 10, so that at
//! these steps rounding alone is left. It has nothing in common with the engine.

use super::{FRAME, FRAMES, GRAVITY, MASSES, ROD, START};
use glam::{DMat3, DVec2, DVec3};
use std::array::from_fn;

/// Numbers of substeps whose results are extrapolated.
const SUBSTEPS: [usize; 5] = [2, 4, 6, 8, 10];

/// Angles and their rates, rad and rad/s.
#[derive(Clone, Copy)]
struct State {
    angle: DVec3,
    rate: DVec3,
}

impl State {
    /// This state moved along `slope` for `h`.
    fn moved(self, h: f64, slope: Self) -> Self {
        Self { angle: self.angle + h * slope.angle, rate: self.rate + h * slope.rate }
    }

    /// θ̇ and θ̈.
    fn slope(self) -> Self {
        let (angle, rate) = (self.angle, self.rate);
        let beyond = |i: usize, j: usize| (MASSES - i.max(j)) as f64; // n_ij, from 0
        let mass = |j: usize| DVec3::from_array(from_fn(|i| beyond(i, j) * libm::cos(angle[i] - angle[j])));
        let load = |i: usize| {
            let turning: f64 = (0..MASSES)
                .map(|j| beyond(i, j) * libm::sin(angle[i] - angle[j]) * rate[j] * rate[j])
                .sum();
            -turning - GRAVITY / ROD * beyond(i, i) * libm::sin(angle[i])
        };
        let m = DMat3::from_cols(mass(0), mass(1), mass(2));
        Self { angle: rate, rate: m.inverse() * DVec3::from_array(from_fn(load)) }
    }

    /// The state after `span` seconds.
    fn after(self, span: f64) -> Self {
        let first = self.slope();
        let mut row: Vec<Self> = Vec::with_capacity(SUBSTEPS.len());
        for (j, &n) in SUBSTEPS.iter().enumerate() {
            let h = span / n as f64;
            let (mut last, mut now) = (self, self.moved(h, first));
            for _ in 1..n {
                (last, now) = (now, last.moved(2.0 * h, now.slope()));
            }
            // T_{j,0}, then T_{j,k} = T_{j,k−1} + (T_{j,k−1} − T_{j−1,k−1})/((n_j/n_{j−k})² − 1).
            let mut entry = mean(now, last.moved(h, now.slope()));
            for k in 1..=j {
                let ratio = n as f64 / SUBSTEPS[j - k] as f64;
                let gain = 1.0 / (ratio * ratio - 1.0);
                let before = std::mem::replace(&mut row[k - 1], entry);
                entry = Self {
                    angle: entry.angle + gain * (entry.angle - before.angle),
                    rate: entry.rate + gain * (entry.rate - before.rate),
                };
            }
            row.push(entry);
        }
        row[SUBSTEPS.len() - 1]
    }

    /// The places of the masses, m.
    fn places(self) -> [DVec2; MASSES] {
        let mut end = DVec2::ZERO;
        from_fn(|i| {
            end += ROD * DVec2::new(libm::sin(self.angle[i]), -libm::cos(self.angle[i]));
            end
        })
    }
}

fn mean(a: State, b: State) -> State {
    State { angle: 0.5 * (a.angle + b.angle), rate: 0.5 * (a.rate + b.rate) }
}

/// The places of the masses at every frame, by `steps` steps of the integrator a frame.
pub(super) fn motion(steps: usize) -> Vec<[DVec2; MASSES]> {
    let mut state = State { angle: DVec3::from_array(START), rate: DVec3::ZERO };
    let mut places = vec![state.places()];
    for _ in 0..FRAMES {
        for _ in 0..steps {
            state = state.after(FRAME / steps as f64);
        }
        places.push(state.places());
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x and y of the last mass, m, at whole seconds, by DOP853 (scipy 1.x, rtol 3e-14, atol 1e-14) from
    /// the same start, and how far they are from those with rtol 1e-12.
    const DOP853: [(usize, f64, f64, f64); 4] = [
        (1, -0.6173628096599876, -0.08602559994572795, 2e-13),
        (2, -0.08232345285860954, -0.11488753079408723, 7e-11),
        (3, -0.3447332402646291, -0.30891956776487267, 5e-9),
        (4, 0.23685199611790225, -0.30135849860482905, 8e-8),
    ];

    #[test]
    fn the_reference_is_the_motion_that_another_integrator_finds() {
        // Protects the yardstick: the last mass stands where DOP853 has it, within what its tolerance moves
        // it.
        let places = motion(16);
        for (second, x, y, uncertain) in DOP853 {
            let tip = places[60 * second][2];
            let apart = tip.distance(DVec2::new(x, y));
            assert!(apart < uncertain + 1e-12, "{second} s: {tip}, {apart} m apart");
        }
    }
}
