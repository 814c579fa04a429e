//! The curves of beads, read and written.

use super::reader::{Cursor, Object};
use super::write::{number, object, pair};
use crate::model::joint::{Curve, Side, Spline};
use glam::DVec2;
use serde_json::{Value, json};

/// On which side of the curve the bead may be; of a graph above and below.
pub(super) const SIDES: [(&str, Side); 5] = [
    ("on", Side::On),
    ("outside", Side::Outside),
    ("inside", Side::Inside),
    ("above", Side::Outside),
    ("below", Side::Inside),
];

/// Reads `curve`.
pub(super) fn read(cursor: &Cursor<'_>) -> Option<Curve> {
    type Read = fn(&Object<'_>) -> Option<Curve>;
    let keys = cursor.object("a curve {\"kind\": …}")?;
    let kind = keys.require("kind", "the kind of curve")?;
    let kinds: [(&str, Read); 6] = [
        ("line", |_| Some(Curve::Line)),
        ("circle", |keys| Some(Curve::Circle { radius: positive(keys, "radius")? })),
        ("ellipse", |keys| {
            let axes = keys.require("semi_axes", "two numbers [a, b], greater than 0")?;
            Some(Curve::Ellipse { semi_axes: axes.positive_vector()? })
        }),
        ("parabola", |keys| {
            let own = keys.require("coefficient", "a number other than 0")?;
            Some(Curve::Parabola { coefficient: own.number_that("a number other than 0", |c| c != 0.0)? })
        }),
        ("cycloid", |keys| Some(Curve::Cycloid { radius: positive(keys, "radius")? })),
        ("graph", |keys| {
            let own = keys.require("points", "an array of points [x, y] with ascending x")?;
            match Spline::new(own.points()?) {
                Ok(spline) => Some(Curve::Graph(spline)),
                Err(error) => {
                    own.problem(error.to_string());
                    None
                }
            }
        }),
    ];
    let read = kind.one_of("a kind of curve", &kinds)?;
    let curve = read(&keys);
    keys.finish();
    curve
}

fn positive(keys: &Object<'_>, key: &'static str) -> Option<f64> {
    keys.require(key, "a number greater than 0")?.positive()
}

/// Writes `curve`.
pub(super) fn write(curve: &Curve) -> Value {
    let mut keys = vec![("kind", json!(curve.key()))];
    match curve {
        Curve::Line => {}
        Curve::Circle { radius } | Curve::Cycloid { radius } => keys.push(("radius", number(*radius))),
        Curve::Ellipse { semi_axes } => keys.push(("semi_axes", pair(*semi_axes))),
        Curve::Parabola { coefficient } => keys.push(("coefficient", number(*coefficient))),
        Curve::Graph(spline) => {
            let points: Vec<Value> = spline.points().iter().map(|point: &DVec2| pair(*point)).collect();
            keys.push(("points", json!(points)));
        }
    }
    object(keys)
}
