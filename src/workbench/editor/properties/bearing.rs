//! The numbers of what a joint or spring bears: a rope's distances, softness, and the reaction at which it breaks.

use super::property::{Property, YES, as_number, choice, is, not_negative, part, positive, real};
use crate::model::joint::{Joint, JointKind, JointSoftness, Pulley, Unit};
use crate::model::{Breaking, Frame, Softness, Spring};
use crate::parameter::Parameter;
use glam::DVec3;

/// Stiffness and damping of a joint that is made soft: N/m and N m/rad.
const SOFTNESS: Softness = Softness { stiffness: 1000.0, damping: 10.0 };

/// Whether a kind has rows that are lengths, or are angles.
fn has(kind: &JointKind, unit: Unit) -> bool {
    let [a, b] = [DVec3::X, DVec3::ZERO].map(|q| Frame::new(q, DVec3::ZERO));
    let mut found = matches!(kind, JointKind::Rope(_) | JointKind::Pulley(_)) && unit == Unit::Metre;
    kind.equations_of([&a, &b, &a, &b], |row, _| found |= row.unit == unit);
    found
}

pub(super) const LENGTH: Property<Joint> = part!(
    positive(real("length", "length", "L", "m", "The greatest distance of its ends.")),
    Joint { kind: JointKind::Rope(_), limits: Some([_, longest]), .. } => *longest
);

pub(super) const SHORTEST: Property<Joint> = Property {
    parameter: not_negative(real(
        "shortest",
        "shortest",
        "",
        "m",
        "The least distance of its ends; 0 of a rope.",
    )),
    get: |joint| match (&joint.kind, joint.limits) {
        (JointKind::Rope(_), Some([shortest, _])) => Some(shortest.max(0.0)),
        _ => None,
    },
    set: |joint, value| {
        if let Some([shortest, _]) = &mut joint.limits {
            *shortest = if value > 0.0 { value } else { f64::NEG_INFINITY };
        }
        Ok(())
    },
};

pub(super) const RESTITUTION: Property<Joint> = part!(
    Parameter { maximum: 1.0, ..not_negative(real("restitution", "restitution", "e", "", "Of impacts at its limits; a rope that becomes taut does not rebound at 0.")) },
    Joint { limits: Some(_), restitution, .. }
        | Joint { kind: JointKind::Pulley(Pulley { slack: true, .. }), restitution, .. } => *restitution
);

pub(super) const SOFT: Property<Joint> = Property {
    parameter: choice(
        "softness",
        "softness",
        &["rigid", "compliant"],
        "A soft joint gives way as a spring with a damper does.",
    ),
    get: |joint| joint.further().is_none().then_some(as_number(joint.softness.is_some())),
    set: |joint, value| {
        joint.softness = is(value).then_some(JointSoftness { linear: SOFTNESS, angular: SOFTNESS });
        Ok(())
    },
};

/// A number of the softness of the rows with a unit.
macro_rules! softness {
    ($key:expr, $name:expr, $symbol:expr, $unit:expr, $of:expr, $part:ident.$number:ident) => {
        Property {
            parameter: not_negative(real($key, $name, $symbol, $unit, "Of the soft joint.")),
            get: |joint| joint.softness.filter(|_| has(&joint.kind, $of)).map(|own| own.$part.$number),
            set: |joint, value| {
                if let Some(own) = &mut joint.softness {
                    own.$part.$number = value;
                }
                Ok(())
            },
        }
    };
}

pub(super) const STIFFNESS: Property<Joint> =
    softness!("stiffness", "stiffness", "k", "N/m", Unit::Metre, linear.stiffness);
pub(super) const DAMPING: Property<Joint> =
    softness!("damping", "damping", "d", "N s/m", Unit::Metre, linear.damping);
pub(super) const ANGULAR_STIFFNESS: Property<Joint> =
    softness!("angular_stiffness", "angular stiffness", "k", "N m/rad", Unit::Radian, angular.stiffness);
pub(super) const ANGULAR_DAMPING: Property<Joint> =
    softness!("angular_damping", "angular damping", "d", "N m s/rad", Unit::Radian, angular.damping);

/// A limit of what a part bears; 0 is none.
const fn bears(
    key: &'static str,
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
) -> Parameter {
    not_negative(real(key, name, "", unit, meaning))
}

/// A limit of `breaking` becomes `value`; 0 removes it.
fn limit(breaking: &mut Option<Breaking>, value: f64, of: fn(&mut Breaking) -> &mut Option<f64>) {
    let mut own = breaking.unwrap_or_default();
    *of(&mut own) = (value > 0.0).then_some(value);
    *breaking = (own != Breaking::default()).then_some(own);
}

pub(super) const FORCE: Property<Joint> = Property {
    parameter: bears(
        "breaks_at_force",
        "breaks at force",
        "N",
        "The largest mean force of a step that it bears; 0 is none.",
    ),
    get: |joint| Some(joint.breaking.and_then(|own| own.force).unwrap_or(0.0)),
    set: |joint, value| {
        limit(&mut joint.breaking, value, |own| &mut own.force);
        Ok(())
    },
};

pub(super) const TORQUE: Property<Joint> = Property {
    parameter: bears(
        "breaks_at_torque",
        "breaks at torque",
        "N m",
        "The largest mean torque of a step that it bears; 0 is none.",
    ),
    get: |joint| {
        let turns = has(&joint.kind, Unit::Radian) || matches!(joint.kind, JointKind::Hinge(_));
        turns.then(|| joint.breaking.and_then(|own| own.torque).unwrap_or(0.0))
    },
    set: |joint, value| {
        limit(&mut joint.breaking, value, |own| &mut own.torque);
        Ok(())
    },
};

pub(super) const MOTOR: Property<Joint> = Property {
    parameter: bears(
        "breaks_at_motor",
        "motor breaks at",
        "N or N m",
        "The largest force or torque of its motor; 0 is none.",
    ),
    get: |joint| joint.motor.map(|_| joint.breaking.and_then(|own| own.motor).unwrap_or(0.0)),
    set: |joint, value| {
        limit(&mut joint.breaking, value, |own| &mut own.motor);
        Ok(())
    },
};

pub(super) const BROKEN: Property<Joint> = Property {
    parameter: choice("broken", "broken", YES, "Whether it is broken: it then exerts nothing."),
    get: |joint| (joint.breaking.is_some() || joint.broken).then_some(as_number(joint.broken)),
    set: |joint, value| {
        joint.broken = is(value);
        joint.motor_broken &= joint.broken;
        Ok(())
    },
};

pub(super) const OF_SPRING: Property<Spring> = Property {
    parameter: bears(
        "breaks_at",
        "breaks at",
        "N or N m",
        "The largest mean force of a step that it bears, torque of a torsional one; 0 is none.",
    ),
    get: |spring| {
        let own = spring.breaking.unwrap_or_default();
        Some(if spring.rest_angle.is_some() { own.torque } else { own.force }.unwrap_or(0.0))
    },
    set: |spring, value| {
        let torsional = spring.rest_angle.is_some();
        limit(
            &mut spring.breaking,
            value,
            if torsional { |own| &mut own.torque } else { |own| &mut own.force },
        );
        Ok(())
    },
};

pub(super) const SPRING_BROKEN: Property<Spring> = Property {
    parameter: choice("broken", "broken", YES, "Whether it is broken: it then exerts nothing."),
    get: |spring| (spring.breaking.is_some() || spring.broken).then_some(as_number(spring.broken)),
    set: |spring, value| {
        spring.broken = is(value);
        Ok(())
    },
};
