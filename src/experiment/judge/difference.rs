//! Two recordings: the first step at which they differ, in which body or row, and by how much against rounding.
//!
//! ```text
//! unit of a number = u · largest of its kind in that step          u = 2⁻²⁴ or 2⁻⁵³ of the coarser precision
//! ```
//!
//! Kinds are positions, angles, velocities, angular velocities and impulses. Two runs of different precision differ from the
//! first step on; so that both are told: the first number that differs at all, and the first that differs by more than
//! [`BEYOND`] units.

use crate::experiment::recording::{Recording, RecordingProblem, Stretch};
use crate::model::World;
use driftlab_probe::format::{Acted, Contact, Impulse, Precision, Step};
use serde::Serialize;
use std::collections::BTreeMap;

/// Units up to which a difference may be rounding: a step adds up a few dozens of numbers.
pub const BEYOND: f64 = 64.0;
/// Seconds by which the times of two steps may differ, as a share of them.
const SAME_TIME: f64 = 1e-6;

/// A number in which two recordings differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The step, from 1.
    pub step: u64,
    /// Time after it, s.
    pub time: f64,
    /// What differs: `x of body 3, crate`, or `impulse of joint 2 on body 1, x`.
    pub what: String,
    /// The numbers of both, in its unit.
    pub values: [f64; 2],
    /// Its unit.
    pub unit: &'static str,
    /// By how many rounding units they differ.
    pub roundings: f64,
}

/// What is told of two recordings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// Steps that were compared.
    pub steps: u64,
    /// How many steps both have.
    pub lengths: [u64; 2],
    /// The first numbers that differ at all, the largest one of each kind.
    pub first: Vec<Difference>,
    /// The first that differ by more than rounding, likewise.
    pub beyond: Vec<Difference>,
    /// What cannot be compared: a sentence each.
    pub notes: Vec<String>,
}

/// Compares two recordings step by step, until they differ by more than rounding.
///
/// # Errors
/// Which of the two cannot be read, and what is wrong with its line.
pub fn first_difference(
    a: &mut Recording,
    b: &mut Recording,
) -> Result<Compared, (usize, Vec<RecordingProblem>)> {
    let lengths = [a.times().len(), b.times().len()];
    let digits = if [a.precision(), b.precision()].contains(&Precision::F32) { 24 } else { 53 };
    let u = 0.5_f64.powi(digits);
    let mut own = Compared {
        steps: 0,
        lengths: lengths.map(|length| length as u64),
        first: Vec::new(),
        beyond: Vec::new(),
        notes: Vec::new(),
    };
    if lengths[0] != lengths[1] {
        own.notes.push(format!("one has {} steps, the other {}", lengths[0], lengths[1]));
    }
    for place in 0..lengths[0].min(lengths[1]) {
        let (one, of_one) = a.step(place).map_err(|problems| (0, problems))?;
        let names: Vec<_> = (0..one.q.len()).map(|number| name(of_one, number)).collect();
        let (other, _) = b.step(place).map_err(|problems| (1, problems))?;
        own.steps += 1;
        let number = place as u64 + 1;
        if one.q.len() != other.q.len() {
            let (one, other) = (one.q.len(), other.q.len());
            own.notes.push(format!("step {number}: one has {one} bodies, the other {other}"));
            return Ok(own);
        }
        if (one.t - other.t).abs() > SAME_TIME * one.t.abs().max(other.t.abs()) {
            own.notes.push(format!("step {number}: one ends at {} s, the other at {} s", one.t, other.t));
            return Ok(own);
        }
        let found = differences(&one, &other, &names, u);
        let told = |least: f64| -> Vec<Difference> {
            let largest = found.iter().filter(|own| own.roundings > least);
            largest.cloned().map(|own| Difference { step: number, time: one.t, ..own }).collect()
        };
        if own.first.is_empty() {
            own.first = told(0.0);
        }
        own.beyond = told(BEYOND);
        if !own.beyond.is_empty() {
            return Ok(own);
        }
    }
    Ok(own)
}

/// A body by its number, with its name.
fn name(stretch: &Stretch, number: usize) -> String {
    let world: &World = &stretch.world;
    let body = stretch.bodies.get(number).copied().flatten().and_then(|id| world.body(id));
    match body {
        Some(body) if !body.name.is_empty() => format!("body {number}, {}", body.name),
        _ => format!("body {number}"),
    }
}

/// Numbers of one kind, by what they are of.
type Numbers = Vec<(String, [f64; 2])>;

/// The largest difference of each kind.
fn differences(one: &Step, other: &Step, names: &[String], u: f64) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut take = |unit: &'static str, numbers: Numbers| {
        let largest = numbers.iter().flat_map(|(_, values)| values.map(f64::abs)).fold(0.0, f64::max);
        let worst = numbers.into_iter().map(|(what, values)| {
            let apart = (values[0] - values[1]).abs();
            let roundings = if apart == 0.0 { 0.0 } else { apart / (u * largest) };
            Difference { step: 0, time: 0.0, what, values, unit, roundings }
        });
        let worst = worst.reduce(|worst, own| if own.roundings > worst.roundings { own } else { worst });
        found.extend(worst.filter(|own| own.roundings > 0.0));
    };
    let impulses = [impulses(one), impulses(other)];
    take("N s", paired(&impulses, names, [0, 1]));
    take("N m s", paired(&impulses, names, [2, 2]));
    if let (Some(one), Some(other)) = (&one.v, &other.v) {
        take("m/s", states(one, other, names, &[(0, "velocity along x"), (1, "velocity along y")]));
        take("rad/s", states(one, other, names, &[(2, "angular velocity")]));
    }
    take("m", states(&one.q, &other.q, names, &[(0, "x"), (1, "y")]));
    take("rad", states(&one.q, &other.q, names, &[(2, "angle")]));
    found
}

/// Components of both recordings' states, by body.
fn states(
    one: &[Option<[f64; 3]>],
    other: &[Option<[f64; 3]>],
    names: &[String],
    parts: &[(usize, &str)],
) -> Numbers {
    let both = one.iter().zip(other).zip(names);
    let numbers = both.filter_map(|((one, other), name)| Some(((*one)?, (*other)?, name)));
    numbers
        .flat_map(|(one, other, name)| {
            parts.iter().map(move |(at, part)| (format!("{part} of {name}"), [one[*at], other[*at]]))
        })
        .collect()
}

/// Who exerts an impulse on a body.
type Exerted = BTreeMap<(String, usize), [f64; 3]>;

/// All impulses of joints, springs and contacts by who exerts them, and the body.
fn impulses(step: &Step) -> Exerted {
    let mut all = Exerted::new();
    let mut add = |who: &str, Impulse(body, x, y, l): &Impulse| {
        let sum = all.entry((who.to_owned(), *body)).or_default();
        *sum = [sum[0] + x, sum[1] + y, sum[2] + l];
    };
    for acted in step.acted.iter().flatten() {
        let who = who(acted);
        acted.on.iter().for_each(|on| add(&who, on));
    }
    for contact in step.contacts.iter().flatten() {
        let [a, b] = contact.bodies;
        let who = format!("contacts of bodies {} and {}", a.min(b), a.max(b));
        pushes(contact).iter().for_each(|on| add(&who, on));
    }
    all
}

fn who(acted: &Acted) -> String {
    let part = match acted.part {
        Some(part) => format!("{part:?} of ").to_lowercase(),
        None => String::new(),
    };
    match (acted.joint, acted.spring) {
        (Some(joint), _) => format!("{part}joint {joint}"),
        (_, Some(spring)) => format!("spring {spring}"),
        _ => format!("velocity constraint {}", acted.nonholonomic.unwrap_or_default()),
    }
}

/// The impulses of a contact; of one that states its parts alone those along its directions, without moments.
fn pushes(contact: &Contact) -> Vec<Impulse> {
    if !contact.on.is_empty() {
        return contact.on.clone();
    }
    let ([a, b], [nx, ny]) = (contact.bodies, contact.normal);
    let Some([p_n, p_t, _]) = contact.impulse else { return Vec::new() };
    let [x, y] = [p_n * nx + p_t * ny, p_n * ny - p_t * nx];
    vec![Impulse(a, -x, -y, 0.0), Impulse(b, x, y, 0.0)]
}

/// Components of both recordings' impulses; what one of them does not have is 0.
fn paired([one, other]: &[Exerted; 2], names: &[String], [from, to]: [usize; 2]) -> Numbers {
    let mut numbers = Vec::new();
    let keys = one.keys().chain(other.keys().filter(|key| !one.contains_key(*key)));
    for key in keys {
        let [one, other] = [one, other].map(|own| own.get(key).copied().unwrap_or_default());
        let (who, body) = key;
        let body = names.get(*body).map_or_else(|| format!("body {body}"), Clone::clone);
        for at in from..=to {
            let part = ["x", "y", "moment"][at];
            numbers.push((format!("impulse of {who} on {body}, {part}"), [one[at], other[at]]));
        }
    }
    numbers
}
