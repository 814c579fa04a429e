//! The lines of a recording. The first one is a [`Header`], every other one a [`Step`].
//!
//! Everything is in SI units: m, kg, s, rad, N s, N m s. A body is the number of its place among all bodies that the recording
//! has had so far: those of the header's scene, then those that came, in their order. Numbers are never used again. Joints,
//! springs and velocity constraints are counted alike, each for themselves.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The version of the format that this crate writes.
pub const FORMAT: &str = "driftlab-recording/1";

/// The first line: whose run it is, and of which world.
#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`FORMAT`].
    pub format: String,
    /// The program that made the steps.
    pub engine: Engine,
    /// Length of its steps, s, where a line does not state its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_step: Option<f64>,
    /// The units of all numbers.
    #[serde(default)]
    pub units: Units,
    /// The engine's own arithmetic, by which its rounding is judged.
    #[serde(default)]
    pub precision: Precision,
    /// The poses for which the contacts of a line state their gaps, points and normals.
    #[serde(default)]
    pub contacts_at: Moment,
    /// Whether the impulses of a line are all that acted in its step.
    #[serde(default)]
    pub impulses: Impulses,
    /// The world before the first step, as a scene file states it (`docs/SCENES.md`); `format`, `name` and `settings` may be
    /// left out.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))]
    pub scene: Box<RawValue>,
    /// What the engine's world has and the scene does not tell: a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

impl Header {
    /// States the engine's version or revision.
    #[must_use]
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.engine.version = Some(version.into());
        self
    }
}

/// A program that makes steps.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Engine {
    /// Its name.
    pub name: String,
    /// Its version or revision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The settings of its solver, by its own names.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub settings: serde_json::Map<String, serde_json::Value>,
}

/// The units of a recording. A writer whose engine has others converts.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Units {
    /// m, kg, s, rad.
    #[default]
    #[serde(rename = "SI")]
    Si,
}

/// Floating-point numbers of an engine.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// 24 bits of significand.
    F32,
    /// 53 bits of significand.
    #[default]
    F64,
}

/// What the impulses of a recording are.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Impulses {
    /// All that acted in a step.
    #[default]
    Whole,
    /// An estimate, such as those of the last substep times their number: momentum and work are not judged by them.
    Estimated,
}

/// A moment of a step.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Moment {
    /// Before the step: the poses of the line before.
    Begin,
    /// After the step: the poses of the same line.
    #[default]
    End,
}

/// A line behind the first one: the state after a step, and what acted in it. Only time and poses have to be there; what is
/// missing is not judged.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Time after the step, s: the line's first key, by which a file is searched.
    pub t: f64,
    /// Length of the step, s; if it is left out, the header's [`Header::time_step`], and without one the time since the line
    /// before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub h: Option<f64>,
    /// Pose of each body's origin: x, y, m, and angle, rad; `null` of one that is gone.
    pub q: Vec<Option<[f64; 3]>>,
    /// Velocity of each body's centre of mass, m/s, m/s, and angular velocity, rad/s; `null` of one that is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub v: Option<Vec<Option<[f64; 3]>>>,
    /// What joints, springs and velocity constraints did; none if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acted: Option<Vec<Acted>>,
    /// The contacts, touching or near; none if they are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contacts: Option<Vec<Contact>>,
    /// Impulses of weight, applied forces, fields, damping and drag together; if they are left out, the scene's own are taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external: Option<Vec<Impulse>>,
    /// Impulses of a hand: pulls and pushes from outside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hand: Vec<Impulse>,
    /// What came before the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub came: Option<Came>,
    /// What went before the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub went: Option<Went>,
    /// Lines that were lost between the line before and this one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lost: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The impulse on a body over a step: body, its parts along x and y, N s, and its moment about the centre of mass, N m s.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Impulse(pub usize, pub f64, pub f64, pub f64);

/// What a constraint did in a step. Exactly one of `joint`, `spring` and `nonholonomic` names it. Several entries of one
/// constraint add up.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Acted {
    /// A joint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<usize>,
    /// A spring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spring: Option<usize>,
    /// A velocity constraint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nonholonomic: Option<usize>,
    /// Which part of a joint; if it is left out, all parts that have no entry of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// The impulse along the joint's coordinate, N s or N m s: of a motor, a limit, friction or a suspension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub along: Option<f64>,
    /// The impulse on each of its bodies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on: Vec<Impulse>,
    /// How far the engine itself says that the joint is open after the step, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linear: Option<f64>,
    /// By how much it says that the joint is turned, rad.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angular: Option<f64>,
}

/// A part of a joint.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Its motor.
    Motor,
    /// Its friction.
    Friction,
    /// Its lower limit.
    LowerLimit,
    /// Its upper limit.
    UpperLimit,
    /// The spring along a wheel's axis.
    Suspension,
}

/// A point at which two bodies touch or nearly touch.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Contact {
    /// Body a and body b.
    pub bodies: [usize; 2],
    /// The point, m.
    pub point: [f64; 2],
    /// The point at which body a gets its impulse, m, if it is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point_a: Option<[f64; 2]>,
    /// Unit normal n, from body a to body b.
    pub normal: [f64; 2],
    /// Distance of the two surfaces, m, negative where they overlap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<f64>,
    /// Impulses on body b over the step along n and along the tangent (n_y, −n_x), N s, and about the point, N m s; body a gets
    /// the opposite ones at the same point, or at [`Self::point_a`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impulse: Option<[f64; 3]>,
    /// Its impulses on its bodies, where they are not exactly those at the point.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on: Vec<Impulse>,
    /// Coefficient of friction, if the scene's does not hold here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<f64>,
}

/// Bodies and constraints that came, each as a scene file states them.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Came {
    /// Bodies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<serde_json::Value>,
    /// Joints.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<serde_json::Value>,
    /// Springs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub springs: Vec<serde_json::Value>,
}

/// Bodies and constraints that went, by their numbers; the constraints of a body go with it.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Went {
    /// Bodies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<usize>,
    /// Joints.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<usize>,
    /// Springs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub springs: Vec<usize>,
}
