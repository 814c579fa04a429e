//! Where a saved run began: what its judgement needs of the start, and what it has come to since. Read and written as
//! `state.start`.
//!
//! A run that is stopped, saved and resumed is judged as if it had been made in one go.

use super::reader::Cursor;
use super::write::{number, object};
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt;

/// An error or a gain of energy beyond so many times the scene's scale has nothing to do with the scene any more.
pub const BLOWN_UP: f64 = 1e6;

/// What can have grown in a run that has blown up.
const QUANTITIES: [&str; 6] = [
    "a joint error",
    "a limit's error",
    "a contact error",
    "a change of energy",
    BlowUp::PHASE,
    BlowUp::MADE,
];
/// Its units.
const UNITS: [&str; 4] = ["m", "rad", "m²", "J"];

/// The start of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beginning {
    /// The scene's length L, m; absent where it has none.
    pub size: Option<f64>,
    /// The energy that the scene can exchange by itself, J; absent where there is no such scale.
    pub scale: Option<f64>,
    /// The total energy, J.
    pub energy: f64,
    /// What has come to pass since, if the run was followed step by step.
    pub since: Option<Since>,
    /// When the run has blown up, if it has.
    pub blow_up: Option<BlowUp>,
}

/// What a run has come to since its start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Since {
    /// The largest kinetic energy, J.
    pub largest_kinetic: f64,
    /// The work of the corrections, J.
    pub work: f64,
    /// The largest that this sum has been, J.
    pub largest_work: f64,
    /// The work of applied forces, motors, drivers and the hand, J.
    pub driven: f64,
    /// The sum of the sizes of that work in each step, J.
    pub exchanged: f64,
}

/// When a run has blown up, and by what it was noticed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BlowUp {
    /// Number of the step.
    pub step: u64,
    /// Time after it, s.
    pub time: f64,
    /// What has grown.
    pub quantity: &'static str,
    /// Its value in `unit`; infinite or NaN where it is beyond all numbers.
    pub value: f64,
    /// m, rad, m², or J.
    pub unit: &'static str,
}

impl BlowUp {
    /// The quantity of one that was noticed by the phase of its fastest motion, where energy has come from nothing.
    pub const PHASE: &'static str = "a phase h ω";
    /// The quantity of one that was noticed by the energy that the method has put in.
    pub const MADE: &'static str = "an energy of the method";
}

impl fmt::Display for BlowUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, time, quantity, value, unit } = self;
        write!(f, "blown up at step {step} after {time:.6} s: ")?;
        if *quantity == Self::PHASE {
            return write!(
                f,
                "energy comes from nothing, and h ω = {value:.3e} {unit} of the fastest constrained motion is far from resolved (at most \
                 1); nothing after it has a meaning"
            );
        }
        if *quantity == Self::MADE {
            return write!(
                f,
                "the method has put in {value:.3e} {unit}, by corrections or from nothing, which is more than the scene can exchange by \
                 itself; nothing after it has a meaning"
            );
        }
        write!(f, "{quantity} ")?;
        if value.is_finite() {
            write!(f, "of {value:.3e} {unit} is more than {BLOWN_UP:.0e} times the scene's scale")?;
        } else {
            write!(f, "overflows")?;
        }
        write!(f, "; nothing after it has a meaning")
    }
}

/// Reads `state.start`.
pub(super) fn read(cursor: &Cursor<'_>) -> Option<Beginning> {
    let keys = cursor.object("the start of a run {\"energy\": …}")?;
    let size = keys.maybe("size", Cursor::positive);
    let scale = keys.maybe("energy_scale", Cursor::positive);
    let energy = keys.require("energy", "a number of joules").and_then(|c| c.number());
    let largest_kinetic = keys.maybe("largest_kinetic_energy", Cursor::not_negative);
    let work = keys.or("correction_work", 0.0, Cursor::number);
    let largest_work = keys.or("largest_correction_work", 0.0, Cursor::not_negative);
    let driven = keys.or("driven_work", 0.0, Cursor::number);
    let exchanged = keys.or("exchanged_work", 0.0, Cursor::not_negative);
    let blow_up = keys.maybe("blow_up", read_blow_up);
    keys.finish();
    let (largest_kinetic, work, largest_work) = (largest_kinetic?, work?, largest_work?);
    let (driven, exchanged) = (driven?, exchanged?);
    let since = largest_kinetic.map(|largest_kinetic| Since {
        largest_kinetic,
        work,
        largest_work,
        driven,
        exchanged,
    });
    Some(Beginning { size: size?, scale: scale?, energy: energy?, since, blow_up: blow_up? })
}

fn read_blow_up(cursor: &Cursor<'_>) -> Option<BlowUp> {
    let keys = cursor.object("a blow-up {\"step\": …}")?;
    let step = keys.require("step", "a whole number").and_then(|c| c.count());
    let time = keys.require("time", "a number, 0 or more").and_then(|c| c.not_negative());
    let quantity = keys.require("quantity", "what has grown");
    let quantity = quantity.and_then(|c| c.one_of("a quantity", &QUANTITIES.map(|own| (own, own))));
    let unit = keys.require("unit", "its unit");
    let unit = unit.and_then(|c| c.one_of("a unit", &UNITS.map(|own| (own, own))));
    let value = keys.or("value", f64::INFINITY, Cursor::not_negative);
    keys.finish();
    Some(BlowUp { step: step?, time: time?, quantity: quantity?, value: value?, unit: unit? })
}

/// Writes `state.start`; numbers that are not finite, which JSON cannot represent, are left out.
pub(super) fn write(beginning: &Beginning) -> Value {
    let Beginning { size, scale, energy, since, blow_up } = beginning;
    let mut keys = vec![("energy", number(*energy))];
    keys.extend(size.map(|size| ("size", number(size))));
    keys.extend(scale.map(|scale| ("energy_scale", number(scale))));
    let finite = |since: &Since| {
        let Since { largest_kinetic, work, largest_work, driven, exchanged } = *since;
        [largest_kinetic, work, largest_work, driven, exchanged].into_iter().all(f64::is_finite)
    };
    if let Some(Since { largest_kinetic, work, largest_work, driven, exchanged }) = since.filter(finite) {
        keys.push(("largest_kinetic_energy", number(largest_kinetic)));
        keys.push(("correction_work", number(work)));
        keys.push(("largest_correction_work", number(largest_work)));
        if exchanged != 0.0 {
            keys.push(("driven_work", number(driven)));
            keys.push(("exchanged_work", number(exchanged)));
        }
    }
    if let Some(BlowUp { step, time, quantity, value, unit }) = blow_up {
        let mut own = vec![
            ("step", json!(step)),
            ("time", number(*time)),
            ("quantity", json!(quantity)),
            ("unit", json!(unit)),
        ];
        own.extend(value.is_finite().then(|| ("value", number(*value))));
        keys.push(("blow_up", object(own)));
    }
    object(keys)
}
