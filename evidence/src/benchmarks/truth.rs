//! The motions of the benchmarks, from their own equations of motion and without the engine.
//!
//! **A01.** With a the angle from the downward vertical, a″ = −g sin a.
//!
//! **A02.** N windows of bars of 1 m and 1 kg move as a parallelogram, with φ the angle of the legs from the upright,
//! clockwise. The N + 1 legs turn about their feet (I = ⅓), the N couplers keep level at the height cos φ:
//!
//! ```text
//! T = ½ (N + (N+1)/3) φ′² ,   V = g (N + (N+1)/2) cos φ   ⇒   φ″ = g (N + (N+1)/2)/(N + (N+1)/3) sin φ
//! ```
//!
//! **Andrews' squeezer.** The seven angles q of the test set, with p(q) the complex position of a point, a sum of arms
//! L e^(i a·q):
//!
//! ```text
//! M(q) q″ + G(q)ᵀ λ = f(q, q′) ,   G q″ = −(G q)′ q′ ,    G = ∂(p_K2 − p_Kj)/∂q   for j = 3, 4, 6
//! ```
//!
//! [Hairer & Wanner 1996, section VII.7]: index one, thirteen unknowns.

use super::extrapolation::after;
use std::array::from_fn;
use std::f64::consts::FRAC_PI_2;

/// m/s².
const GRAVITY: f64 = 9.81;

/// x and y of the mass of A01 after each of `samples` spans of `span` seconds, and at the start.
pub fn pendulum(samples: usize, span: f64) -> Vec<Vec<f64>> {
    let slope = |[angle, rate]: &[f64; 2]| [*rate, -GRAVITY * libm::sin(*angle)];
    sampled([-FRAC_PI_2, 0.0], samples, span, 4, &slope, |[angle, _]| {
        vec![libm::sin(*angle), -libm::cos(*angle)]
    })
}

/// Position and velocity of B₀ of A02 with `windows` windows: x, y, x′, y′.
pub fn four_bars(windows: usize, samples: usize, span: f64) -> Vec<Vec<f64>> {
    let (couplers, legs) = (windows as f64, windows as f64 + 1.0);
    let k = GRAVITY * (couplers + legs / 2.0) / (couplers + legs / 3.0);
    let slope = |[angle, rate]: &[f64; 2]| [*rate, k * libm::sin(*angle)];
    sampled([0.0, 1.0], samples, span, 8, &slope, |[angle, rate]| {
        let (sin, cos) = (libm::sin(*angle), libm::cos(*angle));
        vec![sin, cos, rate * cos, -rate * sin]
    })
}

/// The bodies' angles of Andrews' squeezer, K1 to K7, rad.
pub fn squeezer(samples: usize, span: f64) -> Vec<Vec<f64>> {
    let mut start = [0.0; 14];
    start[..7].copy_from_slice(&squeezer::START);
    // A step of 20 µs turns the crank by 0.02 rad.
    let steps = (span / 2e-5).ceil() as usize;
    sampled(start, samples, span, steps, &squeezer::slope, |state| {
        let [be, th, ga, ph, de, om, ep] = from_fn(|i| state[i]);
        vec![be, be + th, ga, ph + de, de, om + ep, ep]
    })
}

fn sampled<const N: usize>(
    start: [f64; N],
    samples: usize,
    span: f64,
    steps: usize,
    slope: &impl Fn(&[f64; N]) -> [f64; N],
    observed: impl Fn(&[f64; N]) -> Vec<f64>,
) -> Vec<Vec<f64>> {
    let mut state = start;
    let mut values = vec![observed(&state)];
    for _ in 0..samples {
        for _ in 0..steps {
            state = after(state, span / steps as f64, slope);
        }
        values.push(observed(&state));
    }
    values
}

mod squeezer {
    use std::array::from_fn;

    /// Masses, kg, and moments of inertia, kg m², of K1 to K7.
    const MASSES: [f64; 7] = [0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498];
    const INERTIAS: [f64; 7] = [2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5];
    /// N m; N/m; m.
    const TORQUE: f64 = 0.033;
    const STIFFNESS: f64 = 4530.0;
    const LENGTH: f64 = 0.07785;
    /// β, Θ, γ, φ, δ, Ω, ε at the start, rad.
    pub const START: [f64; 7] = [
        -0.06171389001427645,
        0.0,
        0.45527981916307037,
        0.22266839016588588,
        0.48736497954384256,
        -0.22266839016588588,
        1.2305474445498212,
    ];

    /// The angles in which arms turn, as sums of the seven: β, β + Θ, γ, φ + δ, δ, Ω + ε, ε.
    const TURNING: [[f64; 7]; 7] = [
        [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0],
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
    ];
    const B: usize = 0;
    const BT: usize = 1;
    const G: usize = 2;
    const PD: usize = 3;
    const D: usize = 4;
    const OE: usize = 5;
    const E: usize = 6;

    type Complex = [f64; 2];
    /// A fixed point and arms: each turns with one of [`TURNING`].
    type Point = (Complex, &'static [(Complex, usize)]);

    const FOOT_A: Complex = [-0.06934, -0.00227];
    const FOOT_B: Complex = [-0.03635, 0.03273];
    /// C, where the spring is fastened.
    const FOOT_C: Complex = [0.014, 0.072];
    const O: Complex = [0.0, 0.0];
    /// The centres of mass.
    const CENTERS: [Point; 7] = [
        (O, &[([0.00092, 0.0], B)]),
        (O, &[([0.007, 0.0], B), ([-0.0115, 0.0], BT)]),
        (FOOT_B, &[([0.01043, -0.01874], G)]),
        (FOOT_A, &[([0.04, 0.0], D), ([0.0, -(0.02 - 0.01421)], PD)]),
        (FOOT_A, &[([0.02308, 0.00916], D)]),
        (FOOT_A, &[([0.0, -0.04], E), ([0.02 - 0.01421, 0.0], OE)]),
        (FOOT_A, &[([-0.00449, -0.01228], E)]),
    ];
    /// The point P on K2, and on K3, K4 and K6.
    const ON_K2: Point = (O, &[([0.007, 0.0], B), ([-0.028, 0.0], BT)]);
    const ON_OTHERS: [Point; 3] = [
        (FOOT_B, &[([0.0, -0.035], G)]),
        (FOOT_A, &[([0.04, 0.0], D), ([0.0, -0.02], PD)]),
        (FOOT_A, &[([0.0, -0.04], E), ([0.02, 0.0], OE)]),
    ];
    /// The spring's point on K3.
    const SPRUNG: Point = (FOOT_B, &[([0.02, -0.018], G)]);

    /// A point with its derivative by q (x and y), and its acceleration where q″ = 0.
    fn moved(point: &Point, q: &[f64; 7], v: &[f64; 7]) -> (Complex, [[f64; 7]; 2], Complex) {
        let (mut at, mut slope, mut turning) = (point.0, [[0.0; 7]; 2], [0.0; 2]);
        for &([x, y], angle) in point.1 {
            let with = TURNING[angle];
            let dot = |a: &[f64; 7]| (0..7).map(|i| with[i] * a[i]).sum::<f64>();
            let (sin, cos) = (libm::sin(dot(q)), libm::cos(dot(q)));
            let arm = [x * cos - y * sin, x * sin + y * cos];
            let rate = dot(v);
            for i in 0..7 {
                slope[0][i] -= with[i] * arm[1];
                slope[1][i] += with[i] * arm[0];
            }
            at = [at[0] + arm[0], at[1] + arm[1]];
            turning = [turning[0] - rate * rate * arm[0], turning[1] - rate * rate * arm[1]];
        }
        (at, slope, turning)
    }

    /// q′ and q″ of the state (q, q′).
    pub fn slope(state: &[f64; 14]) -> [f64; 14] {
        let (q, v): ([f64; 7], [f64; 7]) = (from_fn(|i| state[i]), from_fn(|i| state[7 + i]));
        let mut system = [[0.0; 14]; 13]; // M, Gᵀ; G, 0; the right-hand side in the last column
        let mut load = [0.0; 7];
        for body in 0..7 {
            let (_, slope, turning) = moved(&CENTERS[body], &q, &v);
            for i in 0..7 {
                for j in 0..7 {
                    let turns = TURNING[body][i] * TURNING[body][j];
                    let moves = slope[0][i] * slope[0][j] + slope[1][i] * slope[1][j];
                    system[i][j] += MASSES[body] * moves + INERTIAS[body] * turns;
                }
                load[i] -= MASSES[body] * (slope[0][i] * turning[0] + slope[1][i] * turning[1]);
            }
        }
        let (at, slope, _) = moved(&SPRUNG, &q, &v);
        let along = [at[0] - FOOT_C[0], at[1] - FOOT_C[1]];
        let length = libm::hypot(along[0], along[1]);
        let pull = -STIFFNESS * (length - LENGTH) / length;
        for i in 0..7 {
            load[i] += pull * (slope[0][i] * along[0] + slope[1][i] * along[1]);
        }
        load[0] += TORQUE;
        let (_, own, own_turning) = moved(&ON_K2, &q, &v);
        for (loop_index, other) in ON_OTHERS.iter().enumerate() {
            let (_, slope, turning) = moved(other, &q, &v);
            for axis in 0..2 {
                let row = 7 + 2 * loop_index + axis;
                for i in 0..7 {
                    let gradient = own[axis][i] - slope[axis][i];
                    (system[row][i], system[i][row]) = (gradient, gradient);
                }
                system[row][13] = turning[axis] - own_turning[axis];
            }
        }
        for i in 0..7 {
            system[i][13] = load[i];
        }
        let solution = solved(system);
        from_fn(|i| if i < 7 { v[i] } else { solution[i - 7] })
    }

    /// The solution of a system of thirteen equations, by elimination with row pivots.
    fn solved(mut rows: [[f64; 14]; 13]) -> [f64; 13] {
        for k in 0..13 {
            let largest = (k..13).max_by(|a, b| rows[*a][k].abs().total_cmp(&rows[*b][k].abs()));
            rows.swap(k, largest.unwrap_or(k));
            let pivot = rows[k];
            for row in &mut rows[k + 1..] {
                let factor = row[k] / pivot[k];
                row.iter_mut().zip(&pivot).skip(k).for_each(|(x, p)| *x -= factor * p);
            }
        }
        let mut x = [0.0; 13];
        for k in (0..13).rev() {
            let known: f64 = (k + 1..13).map(|j| rows[k][j] * x[j]).sum();
            x[k] = (rows[k][13] - known) / rows[k][k];
        }
        x
    }
}
