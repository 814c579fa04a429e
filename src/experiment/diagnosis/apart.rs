//! Joints that are far apart, and bodies that lie deep in one another: told under every scheme by the same measure.
//!
//! A joint's error counts as a length: metres as they are, radians times the size of the smallest jointed body, m² as
//! the square of the scene's size. It is told from a two-hundredth of the scene's size (`blow_up.rs`), or a twentieth
//! of the size of the smallest body that a joint moves, an overlap from a tenth of the smallest body that moves and
//! collides; of a body without a shape the scene's size is taken. A body's size is the diameter of the circle about its
//! centre that holds it. What a run begins with does not count. Drift of papers' figures, of some per mille of the
//! scene, is the summary's matter alone.

use crate::model::joint::Unit;
use crate::model::{Body, Piece, World};
use crate::report::StepReport;
use serde::Serialize;
use std::fmt;

/// Shares from which an error is told: of a joint, of the scene's size and of the smallest jointed body's; of an
/// overlap, of the smallest body's.
const OF_SCENE: f64 = 0.005;
const OF_JOINTED: f64 = 0.05;
const OF_COLLIDING: f64 = 0.1;

/// The largest error of joints, or the largest overlap, where it is not small beside the scene.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Apart {
    /// `joint`, `limit` or `contact`.
    pub quantity: &'static str,
    /// How large it is.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// As a share of the scene's size.
    pub of_scene: f64,
    /// As a share of the size of the smallest body that is jointed, or collides.
    pub of_body: f64,
    /// The time at which it was largest, s.
    pub at: f64,
}

/// Against what errors are measured, and the errors of the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scales {
    /// The scene's size, m.
    size: f64,
    /// Sizes of the smallest body that a joint moves, and that collides, m.
    jointed: f64,
    colliding: f64,
    /// Shares of the scene's size at the start: of joints, limits, contacts.
    start: [f64; 3],
}

impl Scales {
    /// Those of a run that begins with `world`, of this size, and the figures `initial`.
    pub fn new(world: &World, size: f64, initial: &StepReport) -> Self {
        let bodies = world.bodies();
        let smallest = |among: &mut dyn Iterator<Item = &Body>| {
            let sizes = among.filter(|body| body.is_dynamic()).map(|body| {
                let reach = body.pieces().iter().map(Piece::bounding_radius).fold(0.0, f64::max);
                if reach > 0.0 { 2.0 * reach } else { size }
            });
            sizes.fold(size, f64::min)
        };
        let ends = world.joints().iter().flat_map(|joint| joint.all_bodies());
        let jointed = smallest(&mut ends.map(|body| &bodies[body]));
        let colliding = smallest(&mut bodies.iter().filter(|body| body.collides));
        let scales = Self { size, jointed, colliding, start: [0.0; 3] };
        Self { start: scales.errors(initial).map(|error| error.of_scene), ..scales }
    }

    /// The largest errors of joints, limits and contacts.
    fn errors(&self, report: &StepReport) -> [Apart; 3] {
        let Self { size, jointed, colliding, .. } = *self;
        let [joints, limits] =
            [(&report.joint_errors, "joint"), (&report.limit_errors, "limit")].map(|(errors, quantity)| {
                let of = |value: f64, unit: Unit| {
                    let of_scene = match unit {
                        Unit::Metre => value / size,
                        Unit::Radian => value * jointed / size,
                        Unit::SquareMetre => value / (size * size),
                    };
                    let of_body = of_scene * size / jointed;
                    Apart { quantity, value, unit: unit.symbol(), of_scene, of_body, at: report.time }
                };
                let all = [(errors.metre, Unit::Metre), (errors.radian, Unit::Radian)];
                let first = of(errors.square_metre, Unit::SquareMetre);
                all.into_iter().map(|(value, unit)| of(value, unit)).fold(first, Apart::larger)
            });
        let value = report.contact_error;
        let (of_scene, of_body) = (value / size, value / colliding);
        let contacts = Apart { quantity: "contact", value, unit: "m", of_scene, of_body, at: report.time };
        [joints, limits, contacts]
    }

    /// What is to be told after a step.
    pub fn told(&self, report: &StepReport) -> impl Iterator<Item = Apart> {
        let start = self.start;
        let thresholds = [[OF_SCENE, OF_JOINTED], [OF_SCENE, OF_JOINTED], [f64::INFINITY, OF_COLLIDING]];
        let all = self.errors(report).into_iter().zip(start.into_iter().zip(thresholds));
        all.filter_map(|(error, (start, [of_scene, of_body]))| {
            let grown = 1.0 - start / error.of_scene;
            (error.of_scene * grown > of_scene || error.of_body * grown > of_body).then_some(error)
        })
    }
}

impl Apart {
    /// The larger of two, as shares of the scene's size.
    fn larger(self, other: Self) -> Self {
        if other.of_scene > self.of_scene { other } else { self }
    }

    /// Adds those found after a step to `all`, which keeps the largest of each quantity.
    pub(crate) fn add(all: &mut Vec<Self>, found: impl Iterator<Item = Self>) {
        for found in found {
            match all.iter_mut().find(|own| own.quantity == found.quantity) {
                Some(own) => *own = own.larger(found),
                None => all.push(found),
            }
        }
    }
}

impl fmt::Display for Apart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { quantity, value, unit, of_scene, of_body, at } = *self;
        let (what, smallest) = match quantity {
            "contact" => ("bodies overlap by up to", "body"),
            "limit" => ("joints are beyond their limits by up to", "jointed body"),
            _ => ("joints are apart by up to", "jointed body"),
        };
        let [of_scene, of_body] = [of_scene, of_body].map(|share| 100.0 * share);
        write!(
            f,
            "{what} {value:.3e} {unit}, at {at:.4} s: {of_scene:.2} % of the scene's size, {of_body:.1} % of that of the smallest {smallest}"
        )
    }
}
