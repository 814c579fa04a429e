//! The numbers of slots, wheels and beads, and of what acts along a joint's coordinate beside its motor's speed.

use super::property::{Property, as_number, choice, is, not_negative, part, positive, real};
use crate::model::joint::{Bead, Curve, Joint, JointKind, Side, Slot};
use crate::model::{ModelError, Servo, Softness};
use crate::parameter::Parameter;
use glam::DVec2;

/// Curves without points of their own.
const CURVES: &[&str] = &["line", "circle", "ellipse", "parabola", "cycloid", "graph"];
/// A new position is held with this frequency, Hz.
const FREQUENCY: f64 = 2.0;

/// The size of a curve, m, which its kinds have in common.
fn size(curve: &Curve) -> f64 {
    match curve {
        Curve::Line | Curve::Graph(_) => 1.0,
        Curve::Circle { radius } | Curve::Cycloid { radius } => *radius,
        Curve::Ellipse { semi_axes } => semi_axes.x,
        Curve::Parabola { coefficient } => 0.5 / coefficient.abs(),
    }
}

/// The curve of that number among the kinds, as large as the one before; a graph only where there is one.
fn of_kind(curve: &Curve, number: f64) -> Option<Curve> {
    let radius = size(curve);
    Some(match number as usize {
        0 => Curve::Line,
        1 => Curve::Circle { radius },
        2 => Curve::Ellipse { semi_axes: DVec2::new(radius, 0.5 * radius) },
        3 => Curve::Parabola { coefficient: 0.5 / radius },
        4 => Curve::Cycloid { radius },
        _ if matches!(curve, Curve::Graph(_)) => curve.clone(),
        _ => return None,
    })
}

/// A number of the curve of a bead.
macro_rules! curve {
    ($parameter:expr, $pattern:pat => $place:expr) => {
        part!($parameter, Joint { kind: JointKind::Bead(Bead { curve: $pattern, .. }), .. } => $place)
    };
}

/// A number of a motor that holds a position.
macro_rules! servo {
    ($parameter:expr, $place:ident) => {
        Property {
            parameter: $parameter,
            get: |joint| Some(joint.servo?.$place),
            set: |joint, value| {
                if let Some(servo) = &mut joint.servo {
                    servo.$place = value;
                }
                Ok(())
            },
        }
    };
}

const fn friction(unit: &'static str) -> Parameter {
    not_negative(real("friction", "friction", "", unit, "Largest friction along the joint's coordinate."))
}

/// Whether a motor drives an angle.
fn turns(joint: &Joint) -> bool {
    matches!(joint.kind, JointKind::Hinge(_)) || joint.kind.suspension().is_some()
}

/// The friction of joints whose coordinate is an angle or a displacement.
macro_rules! friction {
    ($unit:expr, $turns:expr) => {
        Property {
            parameter: friction($unit),
            get: |joint| (joint.kind.has_coordinate() && turns(joint) == $turns).then_some(joint.friction),
            set: |joint, value| {
                joint.friction = value;
                Ok(())
            },
        }
    };
}

/// A number of a motor joint.
macro_rules! mover {
    ($parameter:expr, $($place:ident).+) => {
        part!($parameter, Joint { kind: JointKind::PoseMotor(mover), .. } => mover.$($place).+)
    };
}

/// A number of a pulley.
macro_rules! pulley {
    ($parameter:expr, $($place:tt)+) => {
        part!($parameter, Joint { kind: JointKind::Pulley(pulley), .. } => pulley.$($place)+)
    };
}

/// Where a wheel is.
const WHEEL: &str =
    "From the centre of mass of the body that carries it, in its axes; in the world where none does.";

pub(super) const WIRE: [Property<Joint>; 31] = [
    pulley!(
        positive(real(
            "length",
            "length",
            "L",
            "m",
            "From both ends to their wheels, the second part times ρ."
        )),
        length
    ),
    pulley!(positive(real("ratio", "ratio", "ρ", "", "Of the second part: |d_a| + ρ |d_b| = L.")), ratio),
    part!(
        choice("slack", "may go slack", &["no", "yes"], "Whether the rope may be longer than the way over its wheels."),
        Joint { kind: JointKind::Pulley(pulley), .. } => pulley.slack,
        as_number,
        is
    ),
    pulley!(real("wheel_a_x", "first wheel x", "", "m", WHEEL), wheels[0].x),
    pulley!(real("wheel_a_y", "first wheel y", "", "m", WHEEL), wheels[0].y),
    pulley!(real("wheel_b_x", "second wheel x", "", "m", WHEEL), wheels[1].x),
    pulley!(real("wheel_b_y", "second wheel y", "", "m", WHEEL), wheels[1].y),
    mover!(
        real(
            "offset_x",
            "target x",
            "",
            "m",
            "Where the second anchor is driven to, from the first one, in the first body's axes."
        ),
        offset.x
    ),
    mover!(
        real(
            "offset_y",
            "target y",
            "",
            "m",
            "Where the second anchor is driven to, from the first one, in the first body's axes."
        ),
        offset.y
    ),
    mover!(
        real("reference_angle", "target angle", "θ₀", "rad", "The angle θ_b − θ_a that is driven to."),
        angle
    ),
    mover!(
        not_negative(real(
            "frequency",
            "frequency",
            "",
            "Hz",
            "With which the body swings about its target; with 0 it has none and is held by friction alone."
        )),
        frequency
    ),
    mover!(
        not_negative(real("damping_ratio", "damping ratio", "ζ", "", "Of that swing; 1 is critical.")),
        damping_ratio
    ),
    mover!(not_negative(real("max_force", "largest force", "", "N", "Along each axis.")), max_force),
    mover!(not_negative(real("max_torque", "largest torque", "", "N m", "Of the motor.")), max_torque),
    part!(
        not_negative(real("stiffness", "stiffness", "k", "N/m", "Of the suspension: it sinks by F/k under a load F.")),
        Joint { kind: JointKind::Slot(Slot { suspension: Some(Softness { stiffness, .. }), .. }), .. } => *stiffness
    ),
    part!(
        not_negative(real("damping", "damping", "c", "N s/m", "Of the suspension.")),
        Joint { kind: JointKind::Slot(Slot { suspension: Some(Softness { damping, .. }), .. }), .. } => *damping
    ),
    Property {
        parameter: choice("curve", "curve", CURVES, "The wire. A graph comes from a scene file alone."),
        get: |joint| match &joint.kind {
            JointKind::Bead(bead) => {
                CURVES.iter().position(|key| *key == bead.curve.key()).map(|number| number as f64)
            }
            _ => None,
        },
        set: |joint, value| {
            if let JointKind::Bead(bead) = &mut joint.kind {
                let expected = "another kind than a graph, whose points stand in a scene file";
                let refused = ModelError::OutOfRange { quantity: "curve", expected, value };
                bead.curve = of_kind(&bead.curve, value).ok_or(refused)?;
            }
            Ok(())
        },
    },
    curve!(positive(real("radius", "radius", "R", "m", "Of the circle.")), Curve::Circle { radius } => *radius),
    curve!(positive(real("radius", "radius", "r", "m", "Of the circle that rolls.")), Curve::Cycloid { radius } => *radius),
    curve!(positive(real("semi_axis_a", "semi-axis a", "a", "m", "Along the curve's first axis.")), Curve::Ellipse { semi_axes } => semi_axes.x),
    curve!(positive(real("semi_axis_b", "semi-axis b", "b", "m", "Along the curve's second axis.")), Curve::Ellipse { semi_axes } => semi_axes.y),
    curve!(real("coefficient", "coefficient", "c", "1/m", "Of y = c x²."), Curve::Parabola { coefficient } => *coefficient),
    part!(
        real("angle", "curve's angle", "α", "rad", "Of the curve's first axis in the first body, counter-clockwise from its x axis."),
        Joint { kind: JointKind::Bead(bead), .. } => bead.angle
    ),
    part!(
        choice("side", "side", &["on", "outside", "inside"], "Whether the curve holds the bead, or from which side; above counts as outside."),
        Joint { kind: JointKind::Bead(bead), .. } => bead.side,
        |side| match side {
            Side::On => 0.0,
            Side::Outside => 1.0,
            Side::Inside => 2.0,
        },
        |value| if value == 1.0 { Side::Outside } else if is(value) { Side::Inside } else { Side::On }
    ),
    Property {
        parameter: choice(
            "holds",
            "holds a position",
            &["no", "yes"],
            "Whether the motor holds a position, as a spring and a damper do.",
        ),
        get: |joint| joint.motor.map(|_| as_number(joint.servo.is_some())),
        set: |joint, value| {
            let new = Servo { position: 0.0, frequency: FREQUENCY, damping_ratio: 1.0 };
            joint.servo = is(value).then_some(new);
            if let (Some(motor), Some(_)) = (&mut joint.motor, joint.servo) {
                motor.speed = 0.0;
            }
            Ok(())
        },
    },
    Property {
        parameter: real(
            "position",
            "position",
            "x*",
            "rad",
            "Where the motor holds the joint, from the limits' zero.",
        ),
        get: |joint| Some(joint.servo.filter(|_| turns(joint))?.position),
        set: |joint, value| {
            if let Some(servo) = &mut joint.servo {
                servo.position = value;
            }
            Ok(())
        },
    },
    Property {
        parameter: real(
            "position",
            "position",
            "x*",
            "m",
            "Where the motor holds the joint, from the limits' zero.",
        ),
        get: |joint| Some(joint.servo.filter(|_| !turns(joint))?.position),
        set: |joint, value| {
            if let Some(servo) = &mut joint.servo {
                servo.position = value;
            }
            Ok(())
        },
    },
    servo!(
        positive(real(
            "frequency",
            "frequency",
            "",
            "Hz",
            "With which the motor swings about the position."
        )),
        frequency
    ),
    servo!(
        not_negative(real(
            "damping_ratio",
            "damping ratio",
            "ζ",
            "",
            "Of the motor's swing; 1 is critical."
        )),
        damping_ratio
    ),
    friction!("N m", true),
    friction!("N", false),
];
