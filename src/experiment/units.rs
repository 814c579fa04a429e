//! The units in which a world's joints err, m, rad, or m² of a squared distance; and the larger of two errors.

use crate::model::World;
use crate::model::joint::{Equation, Unit};

/// The units of the rows of a world's joints, each once; m where it has no joints.
pub fn joint_units(world: &World) -> Vec<Unit> {
    let mut found = Vec::new();
    for joint in world.joints().iter().filter(|joint| joint.is_rigid()) {
        let mut take = |equation: Equation| {
            if !found.contains(&equation.unit) {
                found.push(equation.unit);
            }
        };
        joint.equations(|body| world.frame(body), |equation, _| take(equation));
    }
    let all = [Unit::Metre, Unit::Radian, Unit::SquareMetre];
    let mut units: Vec<_> = all.into_iter().filter(|unit| found.contains(unit)).collect();
    if units.is_empty() {
        units.push(Unit::default());
    }
    units
}

/// The unit of the rate of an error.
pub fn rate(unit: Unit) -> &'static str {
    match unit {
        Unit::Metre => "m/s",
        Unit::Radian => "rad/s",
        Unit::SquareMetre => "m²/s",
    }
}

/// 'm', or 'm or rad'.
pub fn errors_in(units: &[Unit]) -> String {
    units.iter().map(|unit| unit.symbol()).collect::<Vec<_>>().join(" or ")
}

/// 'm/s', or 'm/s or rad/s'.
pub fn rates_in(units: &[Unit]) -> String {
    units.iter().map(|unit| rate(*unit)).collect::<Vec<_>>().join(" or ")
}

/// The larger of two numbers, NaN counting as larger than all: `f64::max` would drop it, and report a
/// blown-up run as perfect.
pub fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b <= a { a } else { b }
}
