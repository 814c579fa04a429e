//! The numbers of joints, springs and velocity constraints.

use super::bearing;
use super::property::{Property, YES, as_number, choice, is, not_negative, part, place, positive, real};
use super::wire::WIRE;
use crate::model::joint::{DistanceForm, Joint, JointKind, Motor, Slider, Slot, Weld};
use crate::model::nonholonomic::{
    KnifeEdge, Nonholonomic, NonholonomicKind, PrescribedVelocity, Rolling, Surface, VelocityLaw,
};
use crate::model::{ModelError, Spring};
use crate::parameter::Parameter;
use glam::DVec2;

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

/// The angle of a direction, rad.
fn angle_of(direction: DVec2) -> f64 {
    libm::atan2(direction.y, direction.x)
}

fn direction_at(angle: f64) -> DVec2 {
    let (sin, cos) = libm::sincos(angle);
    DVec2::new(cos, sin)
}

/// An anchor's coordinate: relative to the centre of mass, in the body's axes.
const ANCHOR: &str = "From the body's centre of mass, in the body's axes.";

/// A coordinate of an anchor of a joint.
macro_rules! anchor {
    ($key:expr, $name:expr, $end:expr, $axis:ident) => {
        Property {
            parameter: real($key, $name, "", "m", ANCHOR),
            get: |joint| {
                let own = !matches!(joint.kind, JointKind::Gear(_));
                own.then(|| joint.kind.anchors()[$end].$axis)
            },
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
pub static JOINT: [Property<Joint>; CONNECTION.len() + WIRE.len()] = {
    let mut all = [CONNECTION[0]; CONNECTION.len() + WIRE.len()];
    let mut place = 1;
    while place < all.len() {
        let beyond = place.checked_sub(CONNECTION.len());
        all[place] = match beyond {
            Some(beyond) => WIRE[beyond],
            None => CONNECTION[place],
        };
        place += 1;
    }
    all
};

const CONNECTION: [Property<Joint>; 37] = [
    part!(
        positive(real("length", "length", "L", "m", "The distance that is kept.")),
        Joint { kind: JointKind::Distance(rod), .. } => rod.length
    ),
    part!(
        choice("form", "form", &["length", "squared"], "Of the equation: g = r − L, or g = r² − L²."),
        Joint { kind: JointKind::Distance(rod), .. } => rod.form,
        |form| as_number(form == DistanceForm::Squared),
        |value| if is(value) { DistanceForm::Squared } else { DistanceForm::Length }
    ),
    part!(
        real("axis", "axis", "", "rad", "Direction of the axis in the first body, counter-clockwise from its x axis."),
        Joint { kind: JointKind::Slider(Slider { axis, .. }) | JointKind::Slot(Slot { axis, .. }), .. } => *axis,
        angle_of,
        direction_at
    ),
    part!(
        real("reference_angle", "kept angle", "θ₀", "rad", "The angle between the bodies that is kept, θ_b − θ_a."),
        Joint {
            kind: JointKind::Weld(Weld { reference_angle, .. }) | JointKind::Slider(Slider { reference_angle, .. }),
            ..
        } => *reference_angle
    ),
    part!(
        real("ratio", "ratio", "ρ", "", "Of the two coordinates, x₁ + ρ x₂ = c; m/rad where the first slides and the second turns."),
        Joint { kind: JointKind::Gear(gear), .. } => gear.ratio
    ),
    part!(
        real("constant", "constant", "c", "", "The sum x₁ + ρ x₂ that is kept, in rad or m as the first coordinate."),
        Joint { kind: JointKind::Gear(gear), .. } => gear.constant
    ),
    Property {
        parameter: choice(
            "motor",
            "motor",
            &["off", "on"],
            "Drives the joint at a speed, with a force up to a limit.",
        ),
        get: |joint| joint.kind.has_drive().then_some(as_number(joint.motor.is_some())),
        set: |joint, value| {
            joint.motor = is(value).then_some(Motor { speed: 1.0, max_force: 100.0 });
            (joint.speed_profile, joint.force_profile) = (None, None);
            joint.servo = None;
            Ok(())
        },
    },
    part!(
        speed("rad/s"),
        Joint { kind: JointKind::Hinge(_) | JointKind::Slot(Slot { suspension: Some(_), .. }), motor: Some(motor), .. } => motor.speed
    ),
    part!(
        not_negative(real("max_torque", "largest torque", "", "N m", "Of the motor.")),
        Joint { kind: JointKind::Hinge(_) | JointKind::Slot(Slot { suspension: Some(_), .. }), motor: Some(motor), .. } => motor.max_force
    ),
    part!(
        speed("m/s"),
        Joint { kind: JointKind::Slider(_) | JointKind::Slot(Slot { suspension: None, .. }), motor: Some(motor), .. } => motor.speed
    ),
    part!(
        not_negative(real("max_force", "largest force", "", "N", "Of the motor.")),
        Joint { kind: JointKind::Slider(_) | JointKind::Slot(Slot { suspension: None, .. }), motor: Some(motor), .. } => motor.max_force
    ),
    Property {
        parameter: choice("limits", "limits", &["off", "on"], "How far the joint lets the second body go."),
        get: |joint| joint.kind.has_drive().then_some(as_number(joint.limits.is_some())),
        set: |joint, value| {
            joint.limits = is(value).then_some([-1.0, 1.0]);
            Ok(())
        },
    },
    bound!(Hinge, "rad", 0),
    bound!(Hinge, "rad", 1),
    bound!(Slider, "m", 0),
    bound!(Slider, "m", 1),
    bound!(Slot, "m", 0),
    bound!(Slot, "m", 1),
    part!(
        real("limits_from", "limits' zero", "", "rad", "The angle θ_b − θ_a from which limits count."),
        Joint { kind: JointKind::Hinge(_), limits: Some(_), zero, .. } => *zero
    ),
    part!(
        real("limits_from", "limits' zero", "", "m", "The displacement from which limits count."),
        Joint { kind: JointKind::Slider(_) | JointKind::Slot(_), limits: Some(_), zero, .. } => *zero
    ),
    bearing::LENGTH,
    bearing::SHORTEST,
    bearing::RESTITUTION,
    bearing::SOFT,
    bearing::STIFFNESS,
    bearing::DAMPING,
    bearing::ANGULAR_STIFFNESS,
    bearing::ANGULAR_DAMPING,
    bearing::FORCE,
    bearing::TORQUE,
    bearing::MOTOR,
    bearing::BROKEN,
    Property {
        parameter: choice(
            "collide_connected",
            "ends collide",
            YES,
            "Whether the two bodies touch each other.",
        ),
        get: |joint| {
            let own = !matches!(joint.kind, JointKind::Gear(_));
            own.then(|| as_number(joint.collide_connected))
        },
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
pub static SPRING: [Property<Spring>; 12] = [
    part!(
        not_negative(real("stiffness", "stiffness", "k", "N/m", "Force per elongation. A spring without damping keeps its energy while h ω ≤ ½, ω² = k/m; a stiffer one is implicit and loses it.")),
        Spring { rest_angle: None, softness, .. } => softness.stiffness
    ),
    part!(
        not_negative(real("damping", "damping", "d", "N s/m", "Force per rate of elongation.")),
        Spring { rest_angle: None, softness, .. } => softness.damping
    ),
    part!(
        not_negative(real("rest_length", "rest length", "", "m", "Without force. At 0 it pulls equally in all directions.")),
        Spring { rest_angle: None, rest_length, .. } => *rest_length
    ),
    part!(
        not_negative(real("stiffness", "stiffness", "k", "N m/rad", "Torque per angle. A spring without damping keeps its energy while h ω ≤ ½, ω² = k/I; a stiffer one is implicit and loses it.")),
        Spring { rest_angle: Some(_), softness, .. } => softness.stiffness
    ),
    part!(
        not_negative(real("damping", "damping", "d", "N m s/rad", "Torque per angular velocity.")),
        Spring { rest_angle: Some(_), softness, .. } => softness.damping
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
    bearing::OF_SPRING,
    bearing::SPRING_BROKEN,
    place!(real("arm_a_x", "first anchor x", "", "m", ANCHOR), |spring| spring.anchors[0].x),
    place!(real("arm_a_y", "first anchor y", "", "m", ANCHOR), |spring| spring.anchors[0].y),
    place!(real("arm_b_x", "second anchor x", "", "m", ANCHOR), |spring| spring.anchors[1].x),
    place!(real("arm_b_y", "second anchor y", "", "m", ANCHOR), |spring| spring.anchors[1].y),
];

/// A number of a prescribed velocity.
macro_rules! law {
    ($parameter:expr, $pattern:pat => $place:expr) => {
        part!(
            $parameter,
            Nonholonomic {
                kind: NonholonomicKind::PrescribedVelocity(PrescribedVelocity { law: $pattern, .. }),
                ..
            } => $place
        )
    };
}

/// Where a point begins that is to move on a circle.
const CIRCLE: VelocityLaw = VelocityLaw::Circle { center: DVec2::ZERO, start: DVec2::X, rate: 1.0 };

/// The numbers of a velocity constraint.
pub static NONHOLONOMIC: [Property<Nonholonomic>; 13] = [
    part!(
        real("axis", "blade", "", "rad", "Direction along the blade in the body, counter-clockwise from its x axis."),
        Nonholonomic { kind: NonholonomicKind::KnifeEdge(blade), .. } => blade.axis,
        angle_of,
        direction_at
    ),
    part!(
        positive(real("radius", "radius", "r", "m", "Of the disk that rolls.")),
        Nonholonomic { kind: NonholonomicKind::Rolling(disk), .. } => disk.radius
    ),
    part!(
        real("normal_on", "surface's normal", "", "rad", "Direction in the other body, counter-clockwise from its x axis."),
        Nonholonomic { kind: NonholonomicKind::Rolling(Rolling { surface: Surface::Straight(normal), .. }), .. } => *normal,
        angle_of,
        direction_at
    ),
    part!(
        real("arm_on_x", "surface's centre x", "", "m", ANCHOR),
        Nonholonomic { kind: NonholonomicKind::Rolling(Rolling { surface: Surface::Round(center), .. }), .. } => center.x
    ),
    part!(
        real("arm_on_y", "surface's centre y", "", "m", ANCHOR),
        Nonholonomic { kind: NonholonomicKind::Rolling(Rolling { surface: Surface::Round(center), .. }), .. } => center.y
    ),
    part!(
        real("arm_x", "anchor x", "", "m", ANCHOR),
        Nonholonomic {
            kind: NonholonomicKind::KnifeEdge(KnifeEdge { anchor, .. })
                | NonholonomicKind::PrescribedVelocity(PrescribedVelocity { anchor, .. }),
            ..
        } => anchor.x
    ),
    part!(
        real("arm_y", "anchor y", "", "m", ANCHOR),
        Nonholonomic {
            kind: NonholonomicKind::KnifeEdge(KnifeEdge { anchor, .. })
                | NonholonomicKind::PrescribedVelocity(PrescribedVelocity { anchor, .. }),
            ..
        } => anchor.y
    ),
    part!(
        choice(
            "velocity",
            "velocity",
            &["constant", "circle"],
            "The velocity of a point that moves straight on, or on a circle.",
        ),
        Nonholonomic { kind: NonholonomicKind::PrescribedVelocity(point), .. } => point.law,
        |law| as_number(matches!(law, VelocityLaw::Circle { .. })),
        |value| if is(value) { CIRCLE } else { VelocityLaw::Constant(DVec2::ZERO) }
    ),
    law!(real("velocity_x", "velocity x", "", "m/s", "Of the point."), VelocityLaw::Constant(velocity) => velocity.x),
    law!(real("velocity_y", "velocity y", "", "m/s", "Of the point."), VelocityLaw::Constant(velocity) => velocity.y),
    law!(real("center_x", "centre x", "", "m", "Of the circle."), VelocityLaw::Circle { center, .. } => center.x),
    law!(real("center_y", "centre y", "", "m", "Of the circle."), VelocityLaw::Circle { center, .. } => center.y),
    law!(
        real("rate", "rate", "Ω", "rad/s", "At which the point goes round the circle, counter-clockwise."),
        VelocityLaw::Circle { rate, .. } => *rate
    ),
];
