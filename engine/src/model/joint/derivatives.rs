//! J and k of a joint against differences, for joints of other crates.
//!
//! ```text
//! J e ≈ (g(q + ε e) − g(q − ε e))/2ε       for each of the six coordinates e
//! k   ≈ (J(q + ε v) v − J(q − ε v) v)/2ε   for velocities v that move every coordinate
//! ```
//!
//! No ε suits every joint: the length over which it curves is not known, nor how exactly it computes g. A derivative is
//! therefore right if it agrees with the central or a one-sided difference (g may have a kink at q) at any of several
//! ε; a wrong one agrees at none.

use super::{Equation, JointKind};
use crate::model::body::Frame;
use crate::model::error::ModelError;
use glam::DVec3;

/// ε, in m, rad or s.
const STEPS: [f64; 9] = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10];
/// ε of the difference that an error shows.
const SHOWN: f64 = 1e-6;
/// Agreement as a share of the derivative.
const TOLERANCE: f64 = 1e-5;
/// What the rounding of g may look like, as a share of the row's largest derivative.
const ROUNDING: f64 = 1e-8;
/// Velocities of the two bodies at which k is compared, besides the present ones (m/s, m/s, rad/s).
const VELOCITIES: [[[f64; 3]; 2]; 2] =
    [[[0.7, -0.4, 1.1], [-0.3, 0.9, 0.6]], [[-0.2, 0.5, -0.8], [0.6, 0.1, 1.3]]];
const COORDINATES: [&str; 6] = [
    "∂g/∂x of body a",
    "∂g/∂y of body a",
    "∂g/∂θ of body a",
    "∂g/∂x of body b",
    "∂g/∂y of body b",
    "∂g/∂θ of body b",
];

/// Checks J and k of a joint, and those of its free coordinate, at the frames of its bodies.
pub(super) fn check_derivatives(kind: &JointKind, a: &Frame, b: &Frame) -> Result<(), ModelError> {
    let q = [a, b].map(|frame| frame.position.extend(frame.angle));
    let own = [a, b].map(|frame| frame.linear.extend(frame.angular));
    let all = |q: [DVec3; 2], v: [DVec3; 2]| {
        let frames = [Frame::new(q[0], v[0]), Frame::new(q[1], v[1])];
        let mut rows: Vec<Equation> = Vec::new();
        kind.equations(&frames[0], &frames[1], |row| rows.push(row));
        rows.extend(kind.coordinate(&frames[0], &frames[1]));
        rows
    };
    let here = all(q, own);
    for (coordinate, name) in COORDINATES.into_iter().enumerate() {
        let mut direction = [DVec3::ZERO; 2];
        direction[coordinate / 3][coordinate % 3] = 1.0;
        let g = |step: f64| all(moved(q, step, direction), own).iter().map(|row| row.g).collect();
        let exact = |row: &Equation| [row.ja, row.jb][coordinate / 3][coordinate % 3];
        let least = |row: &Equation| {
            ROUNDING * [row.ja, row.jb].map(|j| j.abs().max_element()).into_iter().fold(0.0, f64::max)
        };
        compare(kind, name, &here, (exact, least), g)?;
    }
    let velocities = VELOCITIES.map(|both| both.map(DVec3::from_array));
    for v in std::iter::once(own).chain(velocities) {
        let rate = |row: &Equation| row.ja.dot(v[0]) + row.jb.dot(v[1]);
        let rates = |step: f64| all(moved(q, step, v), v).iter().map(rate).collect();
        let least =
            |row: &Equation| ROUNDING * (row.ja.abs().dot(v[0].abs()) + row.jb.abs().dot(v[1].abs()));
        compare(kind, "k = J̇ v", &all(q, v), (|row: &Equation| row.k, least), rates)?;
    }
    Ok(())
}

fn moved(q: [DVec3; 2], step: f64, along: [DVec3; 2]) -> [DVec3; 2] {
    [q[0] + step * along[0], q[1] + step * along[1]]
}

/// Compares a derivative of each row with differences of `value`, which gives all rows' values at a displacement; `least` is the
/// difference that counts as rounding.
fn compare(
    kind: &JointKind,
    derivative: &'static str,
    here: &[Equation],
    (exact, least): (impl Fn(&Equation) -> f64, impl Fn(&Equation) -> f64),
    value: impl Fn(f64) -> Vec<f64>,
) -> Result<(), ModelError> {
    let middle = value(0.0);
    let mut agrees = vec![false; here.len()];
    for step in STEPS {
        let [after, before] = [value(step), value(-step)];
        for (index, row) in here.iter().enumerate() {
            let [after, middle, before] = [after[index], middle[index], before[index]];
            let differences =
                [(after - before) / (2.0 * step), (after - middle) / step, (middle - before) / step];
            let most = |difference: f64| least(row) + TOLERANCE * exact(row).abs().max(difference.abs());
            agrees[index] |= differences.into_iter().any(|difference| {
                difference.is_finite() && (difference - exact(row)).abs() <= most(difference)
            });
        }
    }
    let Some(row) = agrees.iter().position(|agrees| !agrees) else { return Ok(()) };
    let difference = (value(SHOWN)[row] - value(-SHOWN)[row]) / (2.0 * SHOWN);
    Err(ModelError::WrongDerivative {
        joint: kind.key(),
        row,
        derivative,
        given: exact(&here[row]),
        difference,
    })
}
