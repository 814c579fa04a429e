//! Gragg's modified midpoint rule, extrapolated: the integrator of the references.
//!
//! ```text
//! z₁ = y + δ f(y) ,  z_{i+1} = z_{i−1} + 2δ f(z_i) ,  T_{j,0} = ½ (z_n + z_{n−1} + δ f(z_n)) ,   δ = h/n ,  n = 2, 4, 6, 8, 10
//! T_{j,k} = T_{j,k−1} + (T_{j,k−1} − T_{j−1,k−1})/((n_j/n_{j−k})² − 1)
//! ```
//!
//! [Bulirsch & Stoer 1966; Hairer, Nørsett & Wanner 1993, section II.9]: of order ten, so that at small steps rounding
//! alone is left. It has nothing in common with the engine.

use std::array::from_fn;

/// Numbers of substeps whose results are extrapolated.
const SUBSTEPS: [usize; 5] = [2, 4, 6, 8, 10];

/// The state a step of `h` after `state`, where `slope` is its rate of change.
pub(crate) fn after<const N: usize>(
    state: [f64; N],
    h: f64,
    slope: &impl Fn(&[f64; N]) -> [f64; N],
) -> [f64; N] {
    let moved = |from: &[f64; N], by: f64, rate: &[f64; N]| from_fn(|i| from[i] + by * rate[i]);
    let first = slope(&state);
    let mut row = [state; SUBSTEPS.len()];
    for (j, &n) in SUBSTEPS.iter().enumerate() {
        let delta = h / n as f64;
        let (mut last, mut now): ([f64; N], [f64; N]) = (state, moved(&state, delta, &first));
        for _ in 1..n {
            (last, now) = (now, moved(&last, 2.0 * delta, &slope(&now)));
        }
        let beyond: [f64; N] = moved(&last, delta, &slope(&now));
        let mut entry: [f64; N] = from_fn(|i| 0.5 * (now[i] + beyond[i]));
        for k in 1..=j {
            let ratio = n as f64 / SUBSTEPS[j - k] as f64;
            let gain = 1.0 / (ratio * ratio - 1.0);
            let before = std::mem::replace(&mut row[k - 1], entry);
            entry = from_fn(|i| entry[i] + gain * (entry[i] - before[i]));
        }
        row[j] = entry;
    }
    row[SUBSTEPS.len() - 1]
}
