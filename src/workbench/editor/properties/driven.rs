//! The numbers of a force that a profile drives, and of a field.

use super::property::{Property, as_number, choice, is, place, real};
use crate::model::{Axes, DrivenForce, Field};

/// What its force and its point are.
const WHERE_ONE: &str = "Where the profile is 1.";
const ARM: &str = "From the centre of mass, in the body's axes.";

/// A number of the force itself.
macro_rules! applied {
    ($key:expr, $name:expr, $unit:expr, $meaning:expr, $($place:ident).+) => {
        place!(real($key, $name, "", $unit, $meaning), |own| own.applied.$($place).+)
    };
}

/// The numbers of a driven force.
pub static DRIVEN: [Property<DrivenForce>; 6] = [
    applied!("force_x", "force x", "N", WHERE_ONE, force.x),
    applied!("force_y", "force y", "N", WHERE_ONE, force.y),
    applied!("torque", "torque", "N m", "Where the profile is 1, counter-clockwise.", torque),
    applied!("at_x", "acts at x", "m", ARM, at.x),
    applied!("at_y", "acts at y", "m", ARM, at.y),
    Property {
        parameter: choice(
            "axes",
            "axes",
            &["world", "body"],
            "Whether the force keeps its direction, or turns with the body as a thruster's does.",
        ),
        get: |own| Some(as_number(own.applied.axes == Axes::Body)),
        set: |own, value| {
            own.applied.axes = if is(value) { Axes::Body } else { Axes::World };
            Ok(())
        },
    },
];

/// What the centre of a field is.
const CENTER: &str =
    "Where the field points to: in the world; on a body from its centre of mass, in its axes.";

/// A number of a field.
macro_rules! field {
    ($key:expr, $name:expr, $symbol:expr, $unit:expr, $meaning:expr, $($place:ident).+) => {
        place!(real($key, $name, $symbol, $unit, $meaning), |own| own.$($place).+)
    };
}

/// The numbers of a field.
pub static FIELD: [Property<Field>; 4] = [
    field!("center_x", "centre x", "", "m", CENTER, center.x),
    field!("center_y", "centre y", "", "m", CENTER, center.y),
    field!(
        "strength",
        "strength",
        "k",
        "mⁿ⁺¹/s²",
        "The acceleration at a distance of 1 m: above 0 it attracts, below 0 it repels.",
        strength
    ),
    field!(
        "exponent",
        "exponent",
        "n",
        "",
        "The acceleration falls with the distance as k/rⁿ: 2 is Newton's gravity, −1 a spring to the centre.",
        exponent
    ),
];
