//! The numbers of a body.

use super::property::{Property, YES, as_number, choice, is, not_negative, part, place, positive, real};
use crate::model::{
    AppliedForce, Axes, Body, BodyKind, Damping, MassSpec, ModelError, Motion, Placement, Shape, Velocity,
};
use crate::parameter::{Parameter, ParameterKind};
use glam::DVec2;

/// A number of what a body is made of, its kind and its shapes: a change makes it anew.
macro_rules! made {
    ($parameter:expr, $kind:pat, $shapes:pat => $place:expr) => {
        Property {
            parameter: $parameter,
            get: |body| match (&body.kind(), body.shapes()) {
                ($kind, $shapes) => Some($place),
                _ => None,
            },
            set: |body, value| {
                let (mut kind, mut shapes) = (body.kind(), body.shapes().to_vec());
                let ($kind, $shapes) = (&mut kind, shapes.as_mut_slice()) else { return Ok(()) };
                $place = value;
                *body = body.remade(kind, shapes, body.mass_spec())?;
                Ok(())
            },
        }
    };
}

/// A size of the one shape of a body.
macro_rules! size {
    ($key:expr, $name:expr, $symbol:expr, $pattern:pat => $place:expr) => {
        made!(
            positive(real($key, $name, $symbol, "m", "Of the body's shape.")),
            _, [Placement { shape: $pattern, .. }] => $place
        )
    };
}

/// A number of a kinematic body's motion to and fro.
macro_rules! sine {
    ($parameter:expr, $field:ident $(, $axis:ident)?) => {
        made!($parameter, BodyKind::Kinematic(Motion::Sine { $field, .. }), _ => (*$field) $(. $axis)?)
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

/// A number of the damping of a dynamic body.
macro_rules! damping {
    ($key:expr, $name:expr, $symbol:expr, $unit:expr, $meaning:expr, $field:ident) => {
        place!(
            not_negative(real($key, $name, $symbol, $unit, $meaning)),
            |body| body.damping.$field,
            if body.is_dynamic()
        )
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

/// Bits as a whole number.
const fn bits(key: &'static str, name: &'static str, meaning: &'static str) -> Parameter {
    Parameter {
        minimum: 0.0,
        maximum: u32::MAX as f64,
        kind: ParameterKind::Integer,
        ..real(key, name, "", "", meaning)
    }
}

/// The numbers of a body.
pub static BODY: [Property<Body>; 44] = [
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
                other.driven.clear();
                other.damping = Damping::default();
            }
            *body = other;
            Ok(())
        },
    },
    Property {
        parameter: real("x", "position x", "", "m", "Where the body's origin is."),
        get: |body| Some(body.origin().x),
        set: |body, x| {
            body.pose.position += DVec2::new(x - body.origin().x, 0.0);
            Ok(())
        },
    },
    Property {
        parameter: real("y", "position y", "", "m", "Where the body's origin is."),
        get: |body| Some(body.origin().y),
        set: |body, y| {
            body.pose.position += DVec2::new(0.0, y - body.origin().y);
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
            body.pose.position += origin - body.origin();
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
            "Coulomb's coefficient; a pair of bodies takes the geometric mean, or what the scene says."
        )),
        |body| body.friction
    ),
    Property {
        parameter: not_negative(real(
            "static_friction",
            "static friction",
            "μ_s",
            "",
            "Coulomb's coefficient where nothing slips, at least the friction.",
        )),
        get: |body| Some(body.static_friction.unwrap_or(body.friction)),
        set: |body, value| {
            body.static_friction = Some(value).filter(|own| *own != body.friction);
            Ok(())
        },
    },
    place!(
        not_negative(real(
            "rolling_resistance",
            "rolling resistance",
            "c_r",
            "m",
            "Lever: pressed together by N, two bodies resist turning by at most c_r N; a pair takes the larger one."
        )),
        |body| body.rolling_resistance
    ),
    place!(
        real(
            "surface_speed",
            "surface speed",
            "s",
            "m/s",
            "The surface runs round the body clockwise, as a belt: it carries what lies on top to the right."
        ),
        |body| body.surface_speed
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
                "Share of the speed with which it rebounds; a pair takes the larger one, or what the scene says.",
            )
        },
        |body| body.restitution
    ),
    Property {
        parameter: Parameter {
            default: 1.0,
            ..real(
                "gravity_scale",
                "gravity scale",
                "s",
                "",
                "The weight is m s g; 0: it floats, below 0: it rises.",
            )
        },
        get: |body| body.is_dynamic().then_some(body.gravity_scale),
        set: |body, value| {
            body.gravity_scale = value;
            Ok(())
        },
    },
    damping!(
        "linear_damping",
        "linear damping",
        "c",
        "N s/m",
        "A force −c v; a rate in 1/s, times the mass.",
        linear
    ),
    damping!("angular_damping", "angular damping", "c_θ", "N m s", "A torque −c ω.", angular),
    damping!("linear_drag", "linear drag", "c₁", "N s/m", "A force −c₁ (v − w) in the wind w.", drag),
    damping!(
        "quadratic_drag",
        "quadratic drag",
        "c₂",
        "N s²/m²",
        "A force −c₂ |v − w| (v − w) in the wind w: ½ ρ C A of a body in air.",
        quadratic_drag
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
            ..real(
                "group",
                "group",
                "",
                "",
                "Bodies of the same negative group do not touch each other, those of the same positive one always do.",
            )
        },
        get: |body| Some(f64::from(body.group)),
        set: |body, value| {
            body.group = value as i32;
            Ok(())
        },
    },
    Property {
        parameter: bits(
            "categories",
            "categories",
            "The categories it belongs to, as the sum of 1, 2, 4, 8, …",
        ),
        get: |body| Some(f64::from(body.categories)),
        set: |body, value| {
            body.categories = value as u32;
            Ok(())
        },
    },
    Property {
        parameter: bits(
            "mask",
            "mask",
            "The categories it touches, as the sum of 1, 2, 4, …; 4294967295 are all.",
        ),
        get: |body| Some(f64::from(body.mask)),
        set: |body, value| {
            body.mask = value as u32;
            Ok(())
        },
    },
    Property {
        parameter: choice("fixed_rotation", "fixed rotation", YES, "Whether nothing turns the body."),
        get: |body| body.is_dynamic().then_some(as_number(body.fixed_rotation)),
        set: |body, value| {
            body.fixed_rotation = is(value);
            if body.fixed_rotation {
                body.velocity.angular = 0.0;
            }
            Ok(())
        },
    },
    size!("radius", "radius", "r", Shape::Circle { radius } | Shape::Capsule { radius, .. } => *radius),
    made!(
        not_negative(real("rounding", "rounding", "r", "m", "All points within it of a convex polygon are the shape.")),
        _, [Placement { shape: Shape::Polygon { radius, .. }, .. }] => *radius
    ),
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
    part!(
        choice(
            "axes",
            "force's axes",
            &["world", "body"],
            "Whether the applied force keeps its direction or turns with the body.",
        ),
        Body { applied: Some(applied), .. } => applied.axes,
        |axes| as_number(axes == Axes::Body),
        |value| if is(value) { Axes::Body } else { Axes::World }
    ),
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
            let motion = if is(value) { sine } else { Motion::ConstantVelocity };
            *body = body.remade(BodyKind::Kinematic(motion), body.shapes().to_vec(), body.mass_spec())?;
            Ok(())
        },
    },
    sine!(real("amplitude_x", "amplitude x", "", "m", "Largest displacement."), amplitude, x),
    sine!(real("amplitude_y", "amplitude y", "", "m", "Largest displacement."), amplitude, y),
    sine!(positive(real("frequency", "frequency", "f", "Hz", "Cycles per second.")), frequency),
    sine!(real("center_x", "centre x", "", "m", "Of the motion of the centre of mass."), center, x),
    sine!(real("center_y", "centre y", "", "m", "Of the motion of the centre of mass."), center, y),
];
