//! The numbers of joints, springs and velocity constraints.

use super::property::{Property, YES, as_number, choice, is, not_negative, place, positive, real};
use crate::math::Rotation;
use crate::model::error::ModelError;
use crate::model::joint::{DistanceForm, Joint, JointKind, Motor, Slider, Weld};
use crate::model::nonholonomic::{
    KnifeEdge, Nonholonomic, NonholonomicKind, PrescribedVelocity, Rolling, Surface, VelocityLaw,
};
use crate::model::spring::Spring;
use crate::parameter::Parameter;
use glam::DVec2;

/// A number of a kind of joint.
macro_rules! of_kind {
    ($parameter:expr, $pattern:pat => $place:expr) => {
        Property {
            parameter: $parameter,
            get: |joint| match &joint.kind {
                $pattern => Some($place),
                _ => None,
            },
            set: |joint, value| {
                if let $pattern = &mut joint.kind {
                    $place = value;
                }
                Ok(())
            },
        }
    };
}

/// A number of the motor of a kind of joint.
macro_rules! motor {
    ($kind:ident, $field:ident, $parameter:expr) => {
        Property {
            parameter: $parameter,
            get: |joint| Some(joint.motor.filter(|_| matches!(joint.kind, JointKind::$kind(_)))?.$field),
            set: |joint, value| {
                if let Some(motor) = &mut joint.motor {
                    motor.$field = value;
                }
                Ok(())
            },
        }
    };
}

/// The speed of the motor of a kind of joint.
const fn speed(unit: &'static str) -> Parameter {
    real("speed", "motor speed", "", unit, "Of the second body against the first.")
}

/// A bound of the coordinate of a kind of joint, in its unit: 0 the lower one, 1 the upper one.
macro_rules! bound {
    ($kind:ident, $unit:expr, $side:expr) => {
        Property {
            parameter: real(
                ["lower", "upper"][$side],
                ["lower limit", "upper limit"][$side],
                "",
                $unit,
                "Counted from the limits' zero.",
            ),
            get: |joint| Some(joint.limits.filter(|_| matches!(joint.kind, JointKind::$kind(_)))?[$side]),
            set: |joint, value| {
                if let Some(limits) = &mut joint.limits {
                    let mut wanted = *limits;
                    wanted[$side] = value;
                    let [lower, upper] = wanted;
                    if lower > upper {
                        return Err(ModelError::Limits { lower, upper });
                    }
                    *limits = wanted;
                }
                Ok(())
            },
        }
    };
}

/// A number of a prescribed velocity.
macro_rules! velocity {
    ($parameter:expr, $pattern:pat => $place:expr) => {
        Property {
            parameter: $parameter,
            get: |own| match law(own) {
                Some($pattern) => Some($place),
                _ => None,
            },
            set: |own, value| {
                if let NonholonomicKind::PrescribedVelocity(point) = &mut own.kind
                    && let $pattern = &mut point.law
                {
                    $place = value;
                }
                Ok(())
            },
        }
    };
}

/// An anchor's coordinate: relative to the centre of mass, in the body's axes.
const ANCHOR: &str = "From the body's centre of mass, in the body's axes.";

/// A coordinate of an anchor of a joint.
macro_rules! anchor {
    ($key:expr, $name:expr, $end:expr, $axis:ident) => {
        Property {
            parameter: real($key, $name, "", "m", ANCHOR),
            get: |joint| Some(joint.kind.anchors()[$end].$axis),
            set: |joint, value| {
                if let Some(anchors) = joint.kind.anchors_mut() {
                    anchors[$end].$axis = value;
                }
                Ok(())
            },
        }
    };
}

/// The numbers of a joint.
pub static JOINT: [Property<Joint>; 21] = [
    of_kind!(positive(real("length", "length", "L", "m", "The distance that is kept.")), JointKind::Distance(rod) => rod.length),
    Property {
        parameter: choice(
            "form",
            "form",
            &["length", "squared"],
            "Of the equation: g = r − L, or g = r² − L².",
        ),
        get: |joint| match &joint.kind {
            JointKind::Distance(rod) => Some(as_number(rod.form == DistanceForm::Squared)),
            _ => None,
        },
        set: |joint, value| {
            if let JointKind::Distance(rod) = &mut joint.kind {
                rod.form = if is(value) { DistanceForm::Squared } else { DistanceForm::Length };
            }
            Ok(())
        },
    },
    Property {
        parameter: real(
            "axis",
            "axis",
            "",
            "rad",
            "Direction of the axis in the first body, counter-clockwise from its x axis.",
        ),
        get: |joint| match &joint.kind {
            JointKind::Slider(slider) => Some(libm::atan2(slider.axis.y, slider.axis.x)),
            _ => None,
        },
        set: |joint, value| {
            if let JointKind::Slider(slider) = &mut joint.kind {
                slider.axis = Rotation::from_angle(value).apply(DVec2::X);
            }
            Ok(())
        },
    },
    of_kind!(
        real("reference_angle", "kept angle", "θ₀", "rad", "The angle between the bodies that is kept, θ_b − θ_a."),
        JointKind::Weld(Weld { reference_angle, .. })
            | JointKind::Slider(Slider { reference_angle, .. }) => *reference_angle
    ),
    Property {
        parameter: choice(
            "motor",
            "motor",
            &["off", "on"],
            "Drives the joint at a speed, with a force up to a limit.",
        ),
        get: |joint| joint.kind.has_coordinate().then_some(as_number(joint.motor.is_some())),
        set: |joint, value| {
            joint.motor = is(value).then_some(Motor { speed: 1.0, max_force: 100.0 });
            Ok(())
        },
    },
    motor!(Hinge, speed, speed("rad/s")),
    motor!(
        Hinge,
        max_force,
        not_negative(real("max_torque", "largest torque", "", "N m", "Of the motor."))
    ),
    motor!(Slider, speed, speed("m/s")),
    motor!(Slider, max_force, not_negative(real("max_force", "largest force", "", "N", "Of the motor."))),
    Property {
        parameter: choice("limits", "limits", &["off", "on"], "How far the joint lets the second body go."),
        get: |joint| joint.kind.has_coordinate().then_some(as_number(joint.limits.is_some())),
        set: |joint, value| {
            joint.limits = is(value).then_some([-1.0, 1.0]);
            Ok(())
        },
    },
    bound!(Hinge, "rad", 0),
    bound!(Hinge, "rad", 1),
    bound!(Slider, "m", 0),
    bound!(Slider, "m", 1),
    place!(
        real("limits_from", "limits' zero", "", "rad", "The angle θ_b − θ_a from which limits count."),
        |joint| joint.zero,
        if joint.limits.is_some() && matches!(joint.kind, JointKind::Hinge(_))
    ),
    place!(
        real("limits_from", "limits' zero", "", "m", "The displacement from which limits count."),
        |joint| joint.zero,
        if joint.limits.is_some() && matches!(joint.kind, JointKind::Slider(_))
    ),
    Property {
        parameter: choice(
            "collide_connected",
            "ends collide",
            YES,
            "Whether the two bodies touch each other.",
        ),
        get: |joint| Some(as_number(joint.collide_connected)),
        set: |joint, value| {
            joint.collide_connected = is(value);
            Ok(())
        },
    },
    anchor!("arm_a_x", "first anchor x", 0, x),
    anchor!("arm_a_y", "first anchor y", 0, y),
    anchor!("arm_b_x", "second anchor x", 1, x),
    anchor!("arm_b_y", "second anchor y", 1, y),
];

/// The numbers of a spring.
pub static SPRING: [Property<Spring>; 10] = [
    place!(
        not_negative(real("stiffness", "stiffness", "k", "N/m", "Force per elongation.")),
        |spring| spring.softness.stiffness,
        if spring.rest_angle.is_none()
    ),
    place!(
        not_negative(real("damping", "damping", "d", "N s/m", "Force per rate of elongation.")),
        |spring| spring.softness.damping,
        if spring.rest_angle.is_none()
    ),
    place!(
        not_negative(real("rest_length", "rest length", "", "m", "Without force. At 0 it pulls equally in all directions.")),
        |spring| spring.rest_length,
        if spring.rest_angle.is_none()
    ),
    place!(
        not_negative(real("stiffness", "stiffness", "k", "N m/rad", "Torque per angle.")),
        |spring| spring.softness.stiffness,
        if spring.rest_angle.is_some()
    ),
    place!(
        not_negative(real("damping", "damping", "d", "N m s/rad", "Torque per angular velocity.")),
        |spring| spring.softness.damping,
        if spring.rest_angle.is_some()
    ),
    Property {
        parameter: real(
            "rest_angle",
            "rest angle",
            "θ₀",
            "rad",
            "The angle between the bodies without torque, θ_b − θ_a.",
        ),
        get: |spring| spring.rest_angle,
        set: |spring, value| {
            spring.rest_angle = Some(value);
            Ok(())
        },
    },
    place!(real("arm_a_x", "first anchor x", "", "m", ANCHOR), |spring| spring.anchors[0].x),
    place!(real("arm_a_y", "first anchor y", "", "m", ANCHOR), |spring| spring.anchors[0].y),
    place!(real("arm_b_x", "second anchor x", "", "m", ANCHOR), |spring| spring.anchors[1].x),
    place!(real("arm_b_y", "second anchor y", "", "m", ANCHOR), |spring| spring.anchors[1].y),
];

/// The numbers of a velocity constraint.
pub static NONHOLONOMIC: [Property<Nonholonomic>; 13] = [
    Property {
        parameter: real(
            "axis",
            "blade",
            "",
            "rad",
            "Direction along the blade in the body, counter-clockwise from its x axis.",
        ),
        get: |own| match &own.kind {
            NonholonomicKind::KnifeEdge(blade) => Some(libm::atan2(blade.axis.y, blade.axis.x)),
            _ => None,
        },
        set: |own, value| {
            if let NonholonomicKind::KnifeEdge(blade) = &mut own.kind {
                blade.axis = Rotation::from_angle(value).apply(DVec2::X);
            }
            Ok(())
        },
    },
    of_kind!(positive(real("radius", "radius", "r", "m", "Of the disk that rolls.")), NonholonomicKind::Rolling(disk) => disk.radius),
    Property {
        parameter: real(
            "normal_on",
            "surface's normal",
            "",
            "rad",
            "Direction in the other body, counter-clockwise from its x axis.",
        ),
        get: |own| match &own.kind {
            NonholonomicKind::Rolling(Rolling { surface: Surface::Straight(normal), .. }) => {
                Some(libm::atan2(normal.y, normal.x))
            }
            _ => None,
        },
        set: |own, value| {
            if let NonholonomicKind::Rolling(Rolling { surface: Surface::Straight(normal), .. }) =
                &mut own.kind
            {
                *normal = Rotation::from_angle(value).apply(DVec2::X);
            }
            Ok(())
        },
    },
    of_kind!(
        real("arm_on_x", "surface's centre x", "", "m", ANCHOR),
        NonholonomicKind::Rolling(Rolling { surface: Surface::Round(center), .. }) => center.x
    ),
    of_kind!(
        real("arm_on_y", "surface's centre y", "", "m", ANCHOR),
        NonholonomicKind::Rolling(Rolling { surface: Surface::Round(center), .. }) => center.y
    ),
    of_kind!(
        real("arm_x", "anchor x", "", "m", ANCHOR),
        NonholonomicKind::KnifeEdge(KnifeEdge { anchor, .. })
            | NonholonomicKind::PrescribedVelocity(PrescribedVelocity { anchor, .. }) => anchor.x
    ),
    of_kind!(
        real("arm_y", "anchor y", "", "m", ANCHOR),
        NonholonomicKind::KnifeEdge(KnifeEdge { anchor, .. })
            | NonholonomicKind::PrescribedVelocity(PrescribedVelocity { anchor, .. }) => anchor.y
    ),
    Property {
        parameter: choice(
            "velocity",
            "velocity",
            &["constant", "circle"],
            "The velocity of a point that moves straight on, or on a circle.",
        ),
        get: |own| law(own).map(|law| as_number(matches!(law, VelocityLaw::Circle { .. }))),
        set: |own, value| {
            if let NonholonomicKind::PrescribedVelocity(point) = &mut own.kind {
                let (center, start, rate) = (DVec2::ZERO, DVec2::X, 1.0);
                let circle = VelocityLaw::Circle { center, start, rate };
                point.law = if is(value) { circle } else { VelocityLaw::Constant(DVec2::ZERO) };
            }
            Ok(())
        },
    },
    velocity!(real("velocity_x", "velocity x", "", "m/s", "Of the point."), VelocityLaw::Constant(velocity) => velocity.x),
    velocity!(real("velocity_y", "velocity y", "", "m/s", "Of the point."), VelocityLaw::Constant(velocity) => velocity.y),
    velocity!(real("center_x", "centre x", "", "m", "Of the circle."), VelocityLaw::Circle { center, .. } => center.x),
    velocity!(real("center_y", "centre y", "", "m", "Of the circle."), VelocityLaw::Circle { center, .. } => center.y),
    velocity!(real("rate", "rate", "Ω", "rad/s", "At which the point goes round the circle, counter-clockwise."), VelocityLaw::Circle { rate, .. } => *rate),
];

fn law(own: &Nonholonomic) -> Option<&VelocityLaw> {
    match &own.kind {
        NonholonomicKind::PrescribedVelocity(point) => Some(&point.law),
        _ => None,
    }
}
