//! Exercises: what is to be reached in a scene, what may be changed for it, and by which figures of the run it is judged.
//!
//! An exercise is data of its chapter. A person's run is given as a [`Link`]: [`Attempt`] makes its steps anew, from the scene's
//! start, and judges them; window and marking share it, and so its bits. No clock is read: where an engine would state
//! microseconds, an exercise bounds [`Quantity::Cost`].

mod allowed;
mod attempt;
mod certificate;
mod judged_run;
mod limits;
mod tally;
mod threshold;

pub use attempt::{Attempt, Verdict};
pub(crate) use certificate::plain;
pub use certificate::{KeptProof, Proof};
pub use limits::Limits;

use crate::numbers::{length, significant};
use crate::scene::{Scene, catalogue, solver_from, stabilizer_from};
use crate::schemes::TABLE;
use crate::workbench::link::{Link, Stepped, Subject};
use serde::{Deserialize, Serialize};

/// Digits of a figure in a text.
const DIGITS: usize = 3;

/// An exercise.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exercise {
    /// By which links name it: no other exercise has it.
    pub key: String,
    /// What is to be reached, a sentence or two.
    pub text: String,
    /// The catalogue key of its scene.
    pub scene: String,
    /// The scheme with which it begins, as the command line names it.
    pub stabilizer: String,
    /// The solver with which it begins, as the command line names it, if not the scene's own.
    #[serde(default)]
    pub solver: Option<String>,
    /// The time step with which it begins, s.
    pub time_step: f64,
    /// What may be changed.
    pub may: Vec<May>,
    /// Simulated time that is judged, s.
    pub duration: f64,
    /// What is judged; all of it has to hold.
    pub judged: Vec<Criterion>,
    /// What is said after two tries.
    pub hint: String,
}

/// What a person may change about the run of an exercise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum May {
    /// The scheme, with its parameters, level and integrator.
    Scheme,
    /// The parameters of the scheme.
    Parameters,
    /// The time step.
    TimeStep,
    /// The solver, with its parameters and its effort.
    Solver,
    /// The coefficients of friction of the bodies.
    Friction,
}

impl May {
    /// As a text says it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Scheme => "the scheme",
            Self::Parameters => "the scheme's parameters",
            Self::TimeStep => "the time step",
            Self::Solver => "the solver",
            Self::Friction => "the friction of bodies",
        }
    }
}

/// A figure, and the limits in which it has to lie.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Criterion {
    /// What is judged.
    #[serde(flatten)]
    pub quantity: Quantity,
    /// Its limits, in its unit.
    #[serde(flatten)]
    pub limits: Limits,
}

/// A figure of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "quantity", rename_all = "snake_case")]
pub enum Quantity {
    /// The largest error of the joints, m.
    JointError,
    /// The largest error of the joints in the last state, m.
    JointErrorAtEnd,
    /// The deepest overlap, m.
    ContactError,
    /// The deepest overlap of the last state, m.
    ContactErrorAtEnd,
    /// The largest departure of the energy from that of the start, J.
    EnergyError,
    /// The largest kinetic energy, J.
    KineticEnergy,
    /// How far a body has come in the second half of the time, over that, m/s.
    Creep {
        /// The body's name.
        body: String,
    },
    /// The largest angle by which a body has turned since the start, rad.
    Turn {
        /// The body's name.
        body: String,
    },
    /// Rows times iterations in a sixtieth of a second, on average: what stands for microseconds, which no two machines share.
    Cost,
    /// By which share a parameter of the run is off the value at which the same run begins to miss `holds`, or without it to blow
    /// up. The judge finds the value by halving.
    Threshold {
        /// The parameter's key, or `h` for the time step.
        of: String,
        /// Between which values it lies.
        between: [f64; 2],
        /// What holds on one side of the value alone.
        #[serde(default)]
        holds: Option<Box<Criterion>>,
    },
}

impl Quantity {
    /// As a text says it.
    pub fn words(&self) -> String {
        match self {
            Self::JointError => "largest gap of a joint".to_owned(),
            Self::JointErrorAtEnd => "gap of a joint at the end".to_owned(),
            Self::ContactError => "deepest overlap".to_owned(),
            Self::ContactErrorAtEnd => "overlap at the end".to_owned(),
            Self::EnergyError => "largest error of the energy".to_owned(),
            Self::KineticEnergy => "largest kinetic energy".to_owned(),
            Self::Creep { body } => format!("speed of '{body}' on average"),
            Self::Turn { body } => format!("turn of '{body}'"),
            Self::Cost => "rows × iterations in 1/60 s".to_owned(),
            Self::Threshold { of, .. } => format!("distance of {} from the limit", symbol(of)),
        }
    }

    /// Its unit; empty without one.
    pub fn unit(&self) -> &'static str {
        match self {
            Self::JointError | Self::JointErrorAtEnd | Self::ContactError | Self::ContactErrorAtEnd => "m",
            Self::EnergyError | Self::KineticEnergy => "J",
            Self::Creep { .. } => "m/s",
            Self::Turn { .. } => "rad",
            Self::Cost => "",
            Self::Threshold { .. } => "%",
        }
    }

    /// A value with its unit; shares in per cent.
    pub fn value(&self, value: f64) -> String {
        match self.unit() {
            "m" => length(value),
            "m/s" => length(value) + "/s",
            "%" => format!("{} %", significant(100.0 * value, DIGITS)),
            "" => significant(value, DIGITS),
            unit => format!("{} {unit}", significant(value, DIGITS)),
        }
    }
}

/// The symbol of a parameter, where it has one.
fn symbol(key: &str) -> &str {
    let mut parameters = TABLE.iter().flat_map(|scheme| scheme.info().parameters);
    let known = parameters.find(|own| own.key == key && !own.symbol.is_empty());
    known.map_or(key, |own| own.symbol)
}

impl Criterion {
    /// Its limits in words: 'at most 1 mm'.
    pub fn wanted(&self) -> String {
        let limit = |word: &str, limit: Option<f64>| {
            limit.map(|limit| format!("{word} {}", self.quantity.value(limit)))
        };
        let both = [limit("at least", self.limits.at_least), limit("at most", self.limits.at_most)];
        both.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl Exercise {
    /// The state with which it begins, which waits at its start.
    ///
    /// # Errors
    /// A scheme that cannot be read.
    pub fn link(&self) -> Result<Link, String> {
        Ok(Link {
            subject: Some(Subject::Shipped(self.scene.clone())),
            main: Stepped { h: Some(self.time_step), ..Stepped::read(&self.stabilizer)? },
            solver: self.solver.clone(),
            playing: Some(false),
            ..Link::default()
        })
    }

    /// What may be changed, in words.
    pub fn free(&self) -> String {
        let words: Vec<&str> = self.may.iter().map(|may| may.words()).collect();
        words.join(", ")
    }

    /// Checks what a file says: that scene, scheme, solver and bodies are there, and that it can be judged.
    ///
    /// # Errors
    /// What is wrong, with its place.
    pub fn check(&self) -> Result<(), String> {
        let entry =
            catalogue::find(&self.scene).ok_or_else(|| format!("scene: no scene '{}'", self.scene))?;
        let scene = entry.scene().map_err(|problems| format!("scene: {} errors", problems.len()))?;
        if !(self.time_step > 0.0 && self.duration > 0.0) {
            return Err("time_step, duration: expected numbers greater than 0".to_owned());
        }
        stabilizer_from(&self.stabilizer, self.time_step).map_err(|why| format!("stabilizer: {why}"))?;
        self.solver.as_ref().map_or(Ok(()), |text| solver_from(text).map(|_| ()))?;
        if self.judged.is_empty() {
            return Err("judged: expected at least one figure".to_owned());
        }
        self.judged.iter().try_for_each(|criterion| criterion.check(&scene))
    }
}

impl Criterion {
    fn check(&self, scene: &Scene) -> Result<(), String> {
        let Limits { at_least, at_most } = self.limits;
        if at_least.is_none() && at_most.is_none() {
            return Err("judged: expected at_least or at_most".to_owned());
        }
        match &self.quantity {
            Quantity::Creep { body } | Quantity::Turn { body } => {
                let has = scene.world.bodies().iter().any(|own| own.name == *body);
                has.then_some(()).ok_or_else(|| format!("judged: no body '{body}'"))
            }
            Quantity::Threshold { between: [low, high], holds, .. } => {
                if !(*low > 0.0 && low < high && high.is_finite()) {
                    return Err("judged.between: expected two numbers greater than 0, in order".to_owned());
                }
                match holds.as_deref() {
                    Some(Self { quantity: Quantity::Threshold { .. }, .. }) => {
                        Err("judged.holds: expected a figure of a run".to_owned())
                    }
                    Some(own) => own.check(scene),
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }
}
