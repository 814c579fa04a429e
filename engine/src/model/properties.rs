//! The numbers of bodies, joints, springs and velocity constraints, described: what people call each of them, its unit, its range and its
//! meaning, and how it is read and changed. A list of all that can be set reads these tables; a new kind of joint adds its lines here.
//!
//! A number that the item at hand does not have, such as the radius of a box, is absent ([`Property::of`]).

use super::applied_force::{AppliedForce, Axes};
use super::body::{Body, BodyKind, Velocity};
use super::error::ModelError;
use super::joint::{DistanceForm, Joint, JointKind, Motor, Slider, Weld};
use super::mass::MassSpec;
use super::motion::Motion;
use super::nonholonomic::{Nonholonomic, NonholonomicKind, VelocityLaw};
use super::shape::{Placement, Shape};
use super::spring::Spring;
use crate::math::Rotation;
use crate::parameter::{Parameter, ParameterKind};
use glam::DVec2;

/// A number of a body, a joint, a spring or a velocity constraint.
pub struct Property<T: 'static> {
    /// Its name, unit, range and meaning.
    pub parameter: Parameter,
    get: fn(&T) -> Option<f64>,
    set: fn(&mut T, f64) -> Result<(), ModelError>,
}

impl<T> Property<T> {
    /// Its value; none where `item` has no such number.
    pub fn of(&self, item: &T) -> Option<f64> {
        (self.get)(item)
    }

    /// Gives `item` another value. What else a world asks of it is checked where it is put into one.
    ///
    /// # Errors
    /// A value outside the range, or one with which the item has no physical meaning. The item is then as it was.
    pub fn set(&self, item: &mut T, value: f64) -> Result<(), ModelError> {
        let Parameter { name, minimum, maximum, kind, .. } = self.parameter;
        let whole = matches!(kind, ParameterKind::Integer | ParameterKind::Choice(_));
        let fits = value.is_finite() && (minimum..=maximum).contains(&value);
        if !fits || whole && value.fract() != 0.0 {
            let expected = match (minimum > f64::MIN, maximum < f64::MAX) {
                _ if whole => "a whole number in its range",
                (true, true) => "a number from 0 to 1",
                (true, false) if minimum > 0.0 => "a finite number greater than 0",
                (true, false) => "a finite number, 0 or more",
                _ => "a finite number",
            };
            return Err(ModelError::OutOfRange { quantity: name, expected, value });
        }
        (self.set)(item, value)
    }
}

/// A real number of any sign.
const fn real(
    key: &'static str,
    name: &'static str,
    symbol: &'static str,
    unit: &'static str,
    meaning: &'static str,
) -> Parameter {
    let (minimum, maximum, kind) = (f64::MIN, f64::MAX, ParameterKind::Linear);
    Parameter { key, name, symbol, unit, minimum, maximum, default: 0.0, kind, meaning }
}

/// The same, greater than 0.
const fn positive(parameter: Parameter) -> Parameter {
    Parameter { minimum: f64::MIN_POSITIVE, kind: ParameterKind::Logarithmic, default: 1.0, ..parameter }
}

/// The same, 0 or more.
const fn not_negative(parameter: Parameter) -> Parameter {
    Parameter { minimum: 0.0, kind: ParameterKind::Logarithmic, ..parameter }
}

/// One of several words.
const fn choice(
    key: &'static str,
    name: &'static str,
    words: &'static [&'static str],
    meaning: &'static str,
) -> Parameter {
    let (maximum, kind) = ((words.len() - 1) as f64, ParameterKind::Choice(words));
    Parameter { minimum: 0.0, maximum, kind, ..real(key, name, "", "", meaning) }
}

const YES: &[&str] = &["no", "yes"];

fn is(value: f64) -> bool {
    value != 0.0
}

fn as_number(value: bool) -> f64 {
    f64::from(u8::from(value))
}

/// A number that is a place in the item, where the item has it.
macro_rules! place {
    ($parameter:expr, |$item:ident| $place:expr $(, if $when:expr)?) => {
        Property {
            parameter: $parameter,
            get: |$item| (true $(&& $when)?).then(|| $place),
            set: |$item, value| {
                $place = value;
                Ok(())
            },
        }
    };
}

/// A size of the one shape of a body.
macro_rules! size {
    ($key:expr, $name:expr, $symbol:expr, $pattern:pat => $place:expr) => {
        Property {
            parameter: positive(real($key, $name, $symbol, "m", "Of the body's shape.")),
            get: |body| match body.shapes() {
                [Placement { shape: $pattern, .. }] => Some($place),
                _ => None,
            },
            set: |body, value| {
                let mut shapes = body.shapes().to_vec();
                if let [Placement { shape: $pattern, .. }] = shapes.as_mut_slice() {
                    $place = value;
                }
                *body = body.remade(body.kind(), shapes, body.mass_spec())?;
                Ok(())
            },
        }
    };
}

/// A number of the force that acts on a body all the time.
macro_rules! applied {
    ($parameter:expr, |$applied:ident| $place:expr) => {
        Property {
            parameter: $parameter,
            get: |body| {
                let $applied = body.applied.unwrap_or_default();
                body.is_dynamic().then_some($place)
            },
            set: |body, value| {
                let mut $applied = body.applied.unwrap_or_default();
                $place = value;
                body.applied = Some($applied).filter(|applied| *applied != AppliedForce::default());
                Ok(())
            },
        }
    };
}

/// Centre, amplitude (m) and frequency (Hz) of a kinematic body that moves to and fro.
struct Oscillation {
    center: DVec2,
    amplitude: DVec2,
    frequency: f64,
}

impl Oscillation {
    fn of(body: &Body) -> Option<Self> {
        match body.kind() {
            BodyKind::Kinematic(Motion::Sine { center, amplitude, frequency }) => {
                Some(Self { center, amplitude, frequency })
            }
            _ => None,
        }
    }
}

/// A number of a kinematic body's motion to and fro.
macro_rules! sine {
    ($parameter:expr, |$sine:ident| $place:expr) => {
        Property {
            parameter: $parameter,
            get: |body| Oscillation::of(body).map(|$sine| $place),
            set: |body, value| {
                let Some(mut $sine) = Oscillation::of(body) else { return Ok(()) };
                $place = value;
                let Oscillation { center, amplitude, frequency } = $sine;
                with_motion(body, Motion::Sine { center, amplitude, frequency })
            },
        }
    };
}

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

/// A number of a joint's motor, in the units of a kind.
macro_rules! motor {
    ($parameter:expr, $pattern:pat, |$motor:ident| $place:expr) => {
        Property {
            parameter: $parameter,
            get: |joint| joint.motor.filter(|_| matches!(joint.kind, $pattern)).map(|$motor| $place),
            set: |joint, value| {
                if let Some($motor) = &mut joint.motor {
                    $place = value;
                }
                Ok(())
            },
        }
    };
}

/// A bound of a joint's coordinate, in the units of a kind.
macro_rules! bound {
    ($parameter:expr, $pattern:pat, $side:expr) => {
        Property {
            parameter: $parameter,
            get: |joint| {
                joint.limits.filter(|_| matches!(joint.kind, $pattern)).map(|limits| limits[$side])
            },
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

/// Whether forces or a constant velocity move the body.
fn moves(body: &Body) -> bool {
    matches!(body.kind(), BodyKind::Dynamic | BodyKind::Kinematic(Motion::ConstantVelocity))
}

fn with_mass(body: &mut Body, spec: MassSpec) -> Result<(), ModelError> {
    *body = body.remade(body.kind(), body.shapes().to_vec(), spec)?;
    Ok(())
}

fn with_motion(body: &mut Body, motion: Motion) -> Result<(), ModelError> {
    *body = body.remade(BodyKind::Kinematic(motion), body.shapes().to_vec(), body.mass_spec())?;
    Ok(())
}

fn shift(body: &mut Body, by: DVec2) {
    body.pose.position += by;
}

/// The numbers of a body.
pub static BODY: [Property<Body>; 32] = [
    Property {
        parameter: choice(
            "type",
            "type",
            &["dynamic", "fixed", "kinematic"],
            "What moves the body: forces, nothing, or a prescribed motion.",
        ),
        get: |body| {
            Some(match body.kind() {
                BodyKind::Dynamic => 0.0,
                BodyKind::Fixed => 1.0,
                BodyKind::Kinematic(_) => 2.0,
            })
        },
        set: |body, value| {
            let kind = match value as u8 {
                0 => BodyKind::Dynamic,
                1 => BodyKind::Fixed,
                _ => BodyKind::Kinematic(Motion::ConstantVelocity),
            };
            let mut other = body.remade(kind, body.shapes().to_vec(), body.mass_spec())?;
            if kind == BodyKind::Fixed {
                other.velocity = Velocity::default();
            }
            if kind != BodyKind::Dynamic {
                other.applied = None;
            }
            *body = other;
            Ok(())
        },
    },
    Property {
        parameter: real("x", "position x", "", "m", "Where the body's origin is."),
        get: |body| Some(body.origin().x),
        set: |body, x| {
            shift(body, DVec2::new(x - body.origin().x, 0.0));
            Ok(())
        },
    },
    Property {
        parameter: real("y", "position y", "", "m", "Where the body's origin is."),
        get: |body| Some(body.origin().y),
        set: |body, y| {
            shift(body, DVec2::new(0.0, y - body.origin().y));
            Ok(())
        },
    },
    Property {
        parameter: real(
            "angle",
            "angle",
            "θ",
            "rad",
            "How far the body is turned counter-clockwise about its origin.",
        ),
        get: |body| Some(body.pose.angle),
        set: |body, angle| {
            let origin = body.origin();
            body.pose.angle = angle;
            shift(body, origin - body.origin());
            Ok(())
        },
    },
    place!(
        real("velocity_x", "velocity x", "", "m/s", "Of the centre of mass."),
        |body| body.velocity.linear.x,
        if moves(body)
    ),
    place!(
        real("velocity_y", "velocity y", "", "m/s", "Of the centre of mass."),
        |body| body.velocity.linear.y,
        if moves(body)
    ),
    place!(
        real("angular_velocity", "angular velocity", "ω", "rad/s", "Counter-clockwise."),
        |body| body.velocity.angular,
        if body.kind() != BodyKind::Fixed
    ),
    Property {
        parameter: positive(real("mass", "mass", "m", "kg", "Set here, it no longer follows the shapes.")),
        get: |body| body.is_dynamic().then_some(body.mass_properties().mass),
        set: |body, mass| {
            let inertia = match body.mass_spec() {
                MassSpec::Given { inertia, .. } => inertia,
                MassSpec::Density(_) => None,
            };
            with_mass(body, MassSpec::Given { mass, inertia })
        },
    },
    Property {
        parameter: positive(real(
            "inertia",
            "moment of inertia",
            "I",
            "kg m²",
            "About the centre of mass. Set here, it no longer follows the shapes.",
        )),
        get: |body| (body.is_dynamic() && !body.is_point_mass()).then_some(body.mass_properties().inertia),
        set: |body, inertia| {
            let mass = body.mass_properties().mass;
            with_mass(body, MassSpec::Given { mass, inertia: Some(inertia) })
        },
    },
    Property {
        parameter: positive(real(
            "density",
            "density",
            "",
            "kg/m²",
            "Mass per area of the shapes, from which mass and moment of inertia follow.",
        )),
        get: |body| {
            let area: f64 = body.shapes().iter().map(|placed| placed.moments().area).sum();
            let has_one = body.is_dynamic() && area > 0.0;
            has_one.then(|| match body.mass_spec() {
                MassSpec::Density(density) => density,
                MassSpec::Given { mass, .. } => mass / area,
            })
        },
        set: |body, density| with_mass(body, MassSpec::Density(density)),
    },
    place!(
        not_negative(real(
            "friction",
            "friction",
            "μ",
            "",
            "Coulomb's coefficient; a pair of bodies takes the geometric mean."
        )),
        |body| body.friction
    ),
    place!(
        Parameter {
            minimum: 0.0,
            maximum: 1.0,
            ..real(
                "restitution",
                "restitution",
                "e",
                "",
                "Share of the speed with which it rebounds; a pair of bodies takes the larger one.",
            )
        },
        |body| body.restitution
    ),
    Property {
        parameter: choice("collides", "collides", YES, "Whether the body touches others at all."),
        get: |body| Some(as_number(body.collides)),
        set: |body, value| {
            body.collides = is(value);
            Ok(())
        },
    },
    Property {
        parameter: Parameter {
            minimum: i32::MIN as f64,
            maximum: i32::MAX as f64,
            kind: ParameterKind::Integer,
            ..real("group", "group", "", "", "Bodies of the same negative group do not touch each other.")
        },
        get: |body| Some(f64::from(body.group)),
        set: |body, value| {
            body.group = value as i32;
            Ok(())
        },
    },
    size!("radius", "radius", "r", Shape::Circle { radius } | Shape::Capsule { radius, .. } => *radius),
    size!("width", "width", "", Shape::Box { size } => size.x),
    size!("height", "height", "", Shape::Box { size } => size.y),
    size!("length", "length", "", Shape::Capsule { length, .. } => *length),
    size!("semi_axis_a", "semi-axis", "a", Shape::Ellipse { semi_axes } => semi_axes.x),
    size!("semi_axis_b", "semi-axis", "b", Shape::Ellipse { semi_axes } => semi_axes.y),
    applied!(real("force_x", "applied force x", "", "N", "A constant force."), |applied| applied.force.x),
    applied!(real("force_y", "applied force y", "", "N", "A constant force."), |applied| applied.force.y),
    applied!(
        real("torque", "applied torque", "τ", "N m", "A constant torque, counter-clockwise."),
        |applied| applied.torque
    ),
    applied!(
        real("force_at_x", "force acts at x", "", "m", "From the centre of mass, in the body's axes."),
        |applied| applied.at.x
    ),
    applied!(
        real("force_at_y", "force acts at y", "", "m", "From the centre of mass, in the body's axes."),
        |applied| applied.at.y
    ),
    Property {
        parameter: choice(
            "axes",
            "force's axes",
            &["world", "body"],
            "Whether the applied force keeps its direction or turns with the body.",
        ),
        get: |body| body.applied.map(|applied| as_number(applied.axes == Axes::Body)),
        set: |body, value| {
            if let Some(applied) = &mut body.applied {
                applied.axes = if is(value) { Axes::Body } else { Axes::World };
            }
            Ok(())
        },
    },
    Property {
        parameter: choice(
            "motion",
            "motion",
            &["constant", "sine"],
            "How a kinematic body moves: at its velocity, or to and fro.",
        ),
        get: |body| match body.kind() {
            BodyKind::Kinematic(motion) => Some(as_number(motion != Motion::ConstantVelocity)),
            _ => None,
        },
        set: |body, value| {
            let sine = Motion::Sine { center: body.pose.position, amplitude: DVec2::ZERO, frequency: 1.0 };
            body.velocity.linear = DVec2::ZERO;
            with_motion(body, if is(value) { sine } else { Motion::ConstantVelocity })
        },
    },
    sine!(real("amplitude_x", "amplitude x", "", "m", "Largest displacement."), |sine| sine.amplitude.x),
    sine!(real("amplitude_y", "amplitude y", "", "m", "Largest displacement."), |sine| sine.amplitude.y),
    sine!(positive(real("frequency", "frequency", "f", "Hz", "Cycles per second.")), |sine| sine.frequency),
    sine!(real("center_x", "centre x", "", "m", "Of the motion of the centre of mass."), |sine| sine
        .center
        .x),
    sine!(real("center_y", "centre y", "", "m", "Of the motion of the centre of mass."), |sine| sine
        .center
        .y),
];

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
    motor!(
        real("speed", "motor speed", "", "rad/s", "Of the second body against the first."),
        JointKind::Hinge(_),
        |motor| motor.speed
    ),
    motor!(
        not_negative(real("max_torque", "largest torque", "", "N m", "Of the motor.")),
        JointKind::Hinge(_),
        |motor| motor.max_force
    ),
    motor!(
        real("speed", "motor speed", "", "m/s", "Of the second body against the first."),
        JointKind::Slider(_),
        |motor| motor.speed
    ),
    motor!(
        not_negative(real("max_force", "largest force", "", "N", "Of the motor.")),
        JointKind::Slider(_),
        |motor| motor.max_force
    ),
    Property {
        parameter: choice("limits", "limits", &["off", "on"], "How far the joint lets the second body go."),
        get: |joint| joint.kind.has_coordinate().then_some(as_number(joint.limits.is_some())),
        set: |joint, value| {
            joint.limits = is(value).then_some([-1.0, 1.0]);
            Ok(())
        },
    },
    bound!(
        real("lower", "lower limit", "", "rad", "Counted from the limits' zero."),
        JointKind::Hinge(_),
        0
    ),
    bound!(
        real("upper", "upper limit", "", "rad", "Counted from the limits' zero."),
        JointKind::Hinge(_),
        1
    ),
    bound!(
        real("lower", "lower limit", "", "m", "Counted from the limits' zero."),
        JointKind::Slider(_),
        0
    ),
    bound!(
        real("upper", "upper limit", "", "m", "Counted from the limits' zero."),
        JointKind::Slider(_),
        1
    ),
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
pub static NONHOLONOMIC: [Property<Nonholonomic>; 8] = [
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
