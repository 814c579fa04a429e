//! Which engine steps, and its parameters by the engine's own names.
//!
//! The text form is the engine's key and what differs from its defaults: `box2d,substeps=8,continuous=off`.

use std::fmt;
use std::str::FromStr;

/// An engine.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Kind {
    /// Box2D 3 in single precision.
    Box2d,
    /// Rapier in double precision.
    Rapier,
}

/// What the values of a parameter are.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Value {
    /// Any number in the range.
    Number,
    /// A whole number in the range.
    Whole,
    /// On (1) or off (0).
    Switch,
}

/// A parameter of an engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// The engine's own name of it, in snake case.
    pub key: &'static str,
    /// Its SI unit, empty without one.
    pub unit: &'static str,
    /// What its values are.
    pub value: Value,
    /// The engine's default.
    pub default: f64,
    /// The smallest and the largest value that is accepted.
    pub range: [f64; 2],
    /// What it does, in a sentence.
    pub doc: &'static str,
}

const fn number(
    key: &'static str,
    unit: &'static str,
    default: f64,
    range: [f64; 2],
    doc: &'static str,
) -> Parameter {
    Parameter { key, unit, value: Value::Number, default, range, doc }
}

const fn whole(key: &'static str, default: f64, range: [f64; 2], doc: &'static str) -> Parameter {
    Parameter { key, unit: "", value: Value::Whole, default, range, doc }
}

const fn switch(key: &'static str, default: f64, doc: &'static str) -> Parameter {
    Parameter { key, unit: "", value: Value::Switch, default, range: [0.0, 1.0], doc }
}

/// Those of Box2D: `b2WorldDef`, `b2JointDef` and what `b2World_Step` and the setters of a world take.
const BOX2D: [Parameter; 12] = [
    whole("substeps", 4.0, [1.0, 64.0], "How many parts a step has."),
    number(
        "contact_hertz",
        "Hz",
        30.0,
        [0.0, 1e4],
        "Stiffness of contacts; at most an eighth of the substeps' rate acts.",
    ),
    number(
        "contact_damping_ratio",
        "",
        10.0,
        [0.0, 1e3],
        "Damping ratio of contacts: a larger one recovers more slowly.",
    ),
    number("contact_speed", "m/s", 3.0, [0.0, 1e4], "The largest speed at which an overlap is pushed out."),
    number(
        "joint_hertz",
        "Hz",
        60.0,
        [0.0, 1e4],
        "Stiffness of all joints; at most a quarter of the substeps' rate acts.",
    ),
    number("joint_damping_ratio", "", 2.0, [0.0, 1e3], "Damping ratio of all joints."),
    number("restitution_threshold", "m/s", 1.0, [0.0, 1e4], "The approach below which nothing rebounds."),
    number("maximum_linear_speed", "m/s", 400.0, [1e-3, 1e5], "The speed at which every body is cut off."),
    switch("warm_starting", 1.0, "Whether a step begins with the impulses of the last one."),
    switch("continuous", 1.0, "Whether fast bodies are stopped at what does not move."),
    switch("contact_softening", 0.0, "Whether contacts between very different masses are softer."),
    switch("contact_recycling", 1.0, "Whether contacts that hardly move keep their points."),
];

/// Those of Rapier: `IntegrationParameters`, and the softness of joints.
const RAPIER: [Parameter; 18] = [
    whole("num_solver_iterations", 4.0, [1.0, 64.0], "How many parts a step has."),
    whole("num_internal_pgs_iterations", 1.0, [1.0, 64.0], "Sweeps over all constraints in each part."),
    whole(
        "num_internal_stabilization_iterations",
        1.0,
        [0.0, 64.0],
        "Sweeps in each part that take back the speed of the correction.",
    ),
    number(
        "contact_natural_frequency",
        "Hz",
        30.0,
        [1e-3, 1e7],
        "Stiffness of contacts between bodies that move.",
    ),
    number("contact_damping_ratio", "", 10.0, [0.0, 1e3], "Damping ratio of these contacts."),
    number(
        "static_contact_natural_frequency",
        "Hz",
        60.0,
        [1e-3, 1e7],
        "Stiffness of contacts with a fixed body.",
    ),
    number(
        "static_contact_damping_ratio",
        "",
        10.0,
        [0.0, 1e3],
        "Damping ratio of contacts with a fixed body.",
    ),
    number("joint_natural_frequency", "Hz", 1e6, [1e-3, 1e7], "Stiffness of all joints."),
    number("joint_damping_ratio", "", 1.0, [0.0, 1e3], "Damping ratio of all joints."),
    number(
        "warmstart_coefficient",
        "",
        1.0,
        [0.0, 1.0],
        "The part of the last step's impulses with which a step begins.",
    ),
    switch("warmstart_joints", 0.0, "Whether joints begin with the impulses of the last step, too."),
    number(
        "normalized_allowed_linear_error",
        "m",
        0.005,
        [0.0, 1.0],
        "The distance that the continuous detection leaves.",
    ),
    number(
        "normalized_max_corrective_velocity",
        "m/s",
        3.0,
        [0.0, 1e4],
        "The largest speed at which an overlap is pushed out.",
    ),
    number(
        "normalized_prediction_distance",
        "m",
        0.02,
        [0.0, 10.0],
        "The distance at which contacts are looked for.",
    ),
    number(
        "normalized_max_linear_velocity",
        "m/s",
        400.0,
        [1e-3, 1e5],
        "The speed at which every body is cut off.",
    ),
    switch("contact_recycling", 1.0, "Whether contacts that hardly move keep their points."),
    switch("friction_in_bias_pass", 0.0, "Whether friction acts in the sweeps that correct overlaps, too."),
    whole(
        "max_ccd_substeps",
        1.0,
        [0.0, 16.0],
        "Parts in which fast bodies are stopped at what does not move; 0: they are not.",
    ),
];

impl Kind {
    /// All engines.
    pub const ALL: [Self; 2] = [Self::Box2d, Self::Rapier];

    /// Its name on the command line and in files.
    pub fn key(self) -> &'static str {
        match self {
            Self::Box2d => "box2d",
            Self::Rapier => "rapier",
        }
    }

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Box2d => "Box2D",
            Self::Rapier => "Rapier",
        }
    }

    /// The engine of this key.
    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.key() == key)
    }

    /// Its revision or version.
    pub fn version(self) -> &'static str {
        match self {
            Self::Box2d => "56edae79f2949d86142b03450d5d60f63bcf5a6f",
            Self::Rapier => "0.36.1",
        }
    }

    /// Whether this program has it.
    pub fn is_built(self) -> bool {
        match self {
            Self::Box2d => cfg!(feature = "box2d"),
            Self::Rapier => cfg!(feature = "rapier"),
        }
    }

    /// Its parameters, in the order in which settings are written.
    pub fn parameters(self) -> &'static [Parameter] {
        match self {
            Self::Box2d => &BOX2D,
            Self::Rapier => &RAPIER,
        }
    }
}

/// An engine with the values of its parameters.
///
/// ```
/// use driftlab_peers::peer::{Kind, Settings};
///
/// let settings: Settings = "box2d,substeps=8,joint_hertz=60".parse()?;
/// assert_eq!((settings.kind(), settings.get("substeps")), (Kind::Box2d, Some(8.0)));
/// assert_eq!(settings.to_string(), "box2d,substeps=8"); // 60 Hz are the default
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    kind: Kind,
    /// One for each of the kind's parameters.
    values: Vec<f64>,
}

impl Settings {
    /// The engine with its defaults.
    pub fn new(kind: Kind) -> Self {
        Self { kind, values: kind.parameters().iter().map(|parameter| parameter.default).collect() }
    }

    /// Reads the text form.
    ///
    /// # Errors
    /// A sentence: an engine or a parameter that does not exist, or a value out of its range.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut words = text.split(',').map(str::trim);
        let key = words.next().unwrap_or_default();
        let kind = Kind::of_key(key).ok_or_else(|| {
            format!("there is no engine {key:?} (expected {})", Kind::ALL.map(Kind::key).join(" or "))
        })?;
        let mut settings = Self::new(kind);
        for word in words {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| format!("{word:?} is no setting of {} (expected KEY=VALUE)", kind.name()))?;
            let (key, value) = (key.trim(), value.trim());
            let value = match value {
                "on" | "true" => 1.0,
                "off" | "false" => 0.0,
                number => number
                    .parse()
                    .map_err(|_| format!("{key} = {value} of {} (expected a number)", kind.name()))?,
            };
            settings.set(key, value)?;
        }
        Ok(settings)
    }

    /// The engine.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    fn place(&self, key: &str) -> Option<usize> {
        self.kind.parameters().iter().position(|parameter| parameter.key == key)
    }

    /// The value of a parameter; of a switch 1 or 0. None if the engine has no such parameter.
    pub fn get(&self, key: &str) -> Option<f64> {
        Some(self.values[self.place(key)?])
    }

    /// Changes a parameter.
    ///
    /// # Errors
    /// A sentence: a parameter that the engine has not, or a value out of its range. The settings are then as they were.
    pub fn set(&mut self, key: &str, value: f64) -> Result<(), String> {
        let name = self.kind.name();
        let place = self.place(key).ok_or_else(|| {
            let keys: Vec<_> = self.kind.parameters().iter().map(|parameter| parameter.key).collect();
            format!("{name} has no parameter {key:?} (expected {})", keys.join(", "))
        })?;
        let Parameter { value: kind, range: [least, most], .. } = self.kind.parameters()[place];
        let (fits, what) = match kind {
            Value::Number => (true, "a number"),
            Value::Whole => (value.fract() == 0.0, "a whole number"),
            Value::Switch => (value.fract() == 0.0, "on or off, a number"),
        };
        if !(fits && value >= least && value <= most) {
            return Err(format!("{key} = {value} of {name} (expected {what} from {least} to {most})"));
        }
        self.values[place] = value;
        Ok(())
    }

    /// All parameters with their values.
    pub fn values(&self) -> impl Iterator<Item = (&'static Parameter, f64)> + '_ {
        self.kind.parameters().iter().zip(self.values.iter().copied())
    }

    /// The parameters as a recording's first line has them.
    pub fn to_map(&self) -> serde_json::Map<String, serde_json::Value> {
        let json = |(parameter, value): (&Parameter, f64)| {
            let value = match parameter.value {
                Value::Number => value.into(),
                Value::Whole => (value as u64).into(),
                Value::Switch => (value == 1.0).into(),
            };
            (parameter.key.to_owned(), value)
        };
        self.values().map(json).collect()
    }

    /// Engine, version and settings, as a recording's first line has them.
    pub fn engine(&self) -> driftlab_probe::format::Engine {
        driftlab_probe::format::Engine {
            name: self.kind.key().to_owned(),
            version: Some(self.kind.version().to_owned()),
            settings: self.to_map(),
        }
    }

    /// A value that the engine has by its own table.
    #[cfg(any(feature = "box2d", feature = "rapier"))]
    pub(crate) fn value(&self, key: &'static str) -> f64 {
        self.get(key).unwrap_or(f64::NAN)
    }
}

impl FromStr for Settings {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::parse(text)
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.key())?;
        for (parameter, value) in self.values().filter(|(parameter, value)| parameter.default != *value) {
            match parameter.value {
                Value::Switch => {
                    write!(f, ",{}={}", parameter.key, if value == 1.0 { "on" } else { "off" })?
                }
                Value::Number | Value::Whole => write!(f, ",{}={value}", parameter.key)?,
            }
        }
        Ok(())
    }
}
