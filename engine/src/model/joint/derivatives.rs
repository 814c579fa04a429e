//! J and k of a joint against differences, for joints of other crates.
//!
//! ```text
//! J e ≈ (g(q + ε e) − g(q − ε e))/2ε       for each coordinate e of its bodies
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
/// Velocities of the bodies at which k is compared, besides the present ones (m/s, m/s, rad/s).
const VELOCITIES: [[[f64; 3]; 4]; 2] = [
    [[0.7, -0.4, 1.1], [-0.3, 0.9, 0.6], [0.8, 0.2, -0.5], [-0.6, -0.7, 0.4]],
    [[-0.2, 0.5, -0.8], [0.6, 0.1, 1.3], [-0.9, 0.3, 0.7], [0.4, -1.2, -0.1]],
];
const COORDINATES: [&str; 12] = [
    "∂g/∂x of body a",
    "∂g/∂y of body a",
    "∂g/∂θ of body a",
    "∂g/∂x of body b",
    "∂g/∂y of body b",
    "∂g/∂θ of body b",
    "∂g/∂x of the third body",
    "∂g/∂y of the third body",
    "∂g/∂θ of the third body",
    "∂g/∂x of the fourth body",
    "∂g/∂y of the fourth body",
    "∂g/∂θ of the fourth body",
];

/// g, ∂g/∂q of each of four bodies, and k.
struct Row {
    g: f64,
    j: [DVec3; 4],
    k: f64,
}

/// Checks J and k of a joint of so many `bodies`, and those of its free coordinate, at the frames of its bodies.
pub(super) fn check_derivatives(
    kind: &JointKind,
    at: [&Frame; 4],
    bodies: usize,
) -> Result<(), ModelError> {
    let q = at.map(|frame| frame.position.extend(frame.angle));
    let own = at.map(|frame| frame.linear.extend(frame.angular));
    let all = |q: [DVec3; 4], v: [DVec3; 4]| {
        let frames: [Frame; 4] = std::array::from_fn(|body| Frame::new(q[body], v[body]));
        let mut rows: Vec<Row> = Vec::new();
        let mut push = |own: Equation, [jc, jd]: [DVec3; 2]| {
            rows.push(Row { g: own.g, j: [own.ja, own.jb, jc, jd], k: own.k });
        };
        kind.equations_of(frames.each_ref(), &mut push);
        kind.coordinate_of(frames.each_ref()).into_iter().for_each(|(own, further)| push(own, further));
        rows
    };
    let here = all(q, own);
    for (coordinate, name) in COORDINATES.into_iter().enumerate().take(3 * bodies) {
        let mut direction = [DVec3::ZERO; 4];
        direction[coordinate / 3][coordinate % 3] = 1.0;
        let g = |step: f64| all(moved(q, step, direction), own).iter().map(|row| row.g).collect();
        let exact = |row: &Row| row.j[coordinate / 3][coordinate % 3];
        let least =
            |row: &Row| ROUNDING * row.j.map(|j| j.abs().max_element()).into_iter().fold(0.0, f64::max);
        compare(kind, name, &here, (exact, least), g)?;
    }
    let velocities = VELOCITIES.map(|both| both.map(DVec3::from_array));
    for v in std::iter::once(own).chain(velocities) {
        let of = |j: &[DVec3; 4], v: &[DVec3; 4]| j.iter().zip(v).map(|(j, v)| j.dot(*v)).sum::<f64>();
        let rate = |row: &Row| of(&row.j, &v);
        let rates = |step: f64| all(moved(q, step, v), v).iter().map(rate).collect();
        let least = |row: &Row| ROUNDING * of(&row.j.map(DVec3::abs), &v.map(DVec3::abs));
        compare(kind, "k = J̇ v", &all(q, v), (|row: &Row| row.k, least), rates)?;
    }
    Ok(())
}

fn moved(q: [DVec3; 4], step: f64, along: [DVec3; 4]) -> [DVec3; 4] {
    std::array::from_fn(|body| q[body] + step * along[body])
}

/// Compares a derivative of each row with differences of `value`, which gives all rows' values at a displacement; `least` is the
/// difference that counts as rounding.
fn compare(
    kind: &JointKind,
    derivative: &'static str,
    here: &[Row],
    (exact, least): (impl Fn(&Row) -> f64, impl Fn(&Row) -> f64),
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
