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
//! The integrator is the extrapolated midpoint rule of `benchmarks/extrapolation.rs`.

use super::{FRAME, FRAMES, GRAVITY, MASSES, ROD, START};
use crate::benchmarks::extrapolation::after;
use glam::{DMat3, DVec2, DVec3};
use std::array::from_fn;

/// Angles, rad, and then their rates, rad/s.
type State = [f64; 2 * MASSES];

/// θ̇ and θ̈.
fn slope(state: &State) -> State {
    let (angle, rate): ([f64; MASSES], [f64; MASSES]) =
        (from_fn(|i| state[i]), from_fn(|i| state[MASSES + i]));
    let beyond = |i: usize, j: usize| (MASSES - i.max(j)) as f64; // n_ij, from 0
    let mass = |j: usize| DVec3::from_array(from_fn(|i| beyond(i, j) * libm::cos(angle[i] - angle[j])));
    let load = |i: usize| {
        let turning: f64 =
            (0..MASSES).map(|j| beyond(i, j) * libm::sin(angle[i] - angle[j]) * rate[j] * rate[j]).sum();
        -turning - GRAVITY / ROD * beyond(i, i) * libm::sin(angle[i])
    };
    let m = DMat3::from_cols(mass(0), mass(1), mass(2));
    let acceleration = m.inverse() * DVec3::from_array(from_fn(load));
    from_fn(|i| if i < MASSES { rate[i] } else { acceleration[i - MASSES] })
}

/// The places of the masses, m.
fn places(state: &State) -> [DVec2; MASSES] {
    let mut end = DVec2::ZERO;
    from_fn(|i| {
        end += ROD * DVec2::new(libm::sin(state[i]), -libm::cos(state[i]));
        end
    })
}

/// The places of the masses at every frame, by `steps` steps of the integrator a frame.
pub fn motion(steps: usize) -> Vec<[DVec2; MASSES]> {
    let mut state: State = from_fn(|i| START.get(i).copied().unwrap_or_default());
    let mut found = vec![places(&state)];
    for _ in 0..FRAMES {
        for _ in 0..steps {
            state = after(state, FRAME / steps as f64, &slope);
        }
        found.push(places(&state));
    }
    found
}
