//! What a scheme remembers from step to step, read and written: `state.memory`.
//!
//! ```json
//! { "scheme": "soft", "constraints": [ { "of": "joint", "index": 0, "numbers": [0.1, 2.5, …] } ] }
//! ```
//!
//! What a scheme remembers of bodies is in `"bodies"`, an array of `{ "index": 0, "numbers": [0.1, …] }`.
//!
//! A constraint is told by its kind and its index: that of a joint, with its motor and limits, among the joints of the
//! file that are no velocity constraints, and so on; that of a contact in `state.contacts`.

use super::reader::Cursor;
use super::write::object;
use crate::method::Remembered;
use crate::model::joint::DRIVES;
use crate::model::{BodyId, ConstraintId, ModelError, SchemeMemory, World};
use crate::schemes::TABLE;
use serde_json::{Value, json};

/// What is remembered, its constraints by their indices.
pub(super) struct SavedMemory {
    scheme: &'static str,
    of_constraints: Vec<(Kind, usize, Vec<f64>)>,
    of_bodies: Vec<(usize, Vec<f64>)>,
}

/// Kinds of constraint of which a scheme may remember something.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Joint,
    VelocityConstraint,
    Spring,
    Suspension,
    Grab,
    Motor,
    Friction,
    Drive,
    LowerLimit,
    UpperLimit,
    Contact,
}

const KINDS: &[(&str, Kind)] = &[
    ("joint", Kind::Joint),
    ("velocity_constraint", Kind::VelocityConstraint),
    ("spring", Kind::Spring),
    ("suspension", Kind::Suspension),
    ("grab", Kind::Grab),
    ("motor", Kind::Motor),
    ("friction", Kind::Friction),
    ("drive", Kind::Drive),
    ("lower_limit", Kind::LowerLimit),
    ("upper_limit", Kind::UpperLimit),
    ("contact", Kind::Contact),
];

impl SavedMemory {
    /// Gives it to the world, which has its constraints and contacts.
    ///
    /// # Errors
    /// A constraint that is not there, or that is not in its place.
    pub fn restore(self, world: &mut World) -> Result<(), ModelError> {
        let Self { scheme, of_constraints, of_bodies } = self;
        let with_id = |(kind, index, numbers)| Some((id(world, kind, index)?, numbers));
        let all: Option<Vec<_>> = of_constraints.into_iter().map(with_id).collect();
        let with_id = |(index, numbers)| Some((world.body_ids().get(index).copied()?, numbers));
        let of_bodies: Option<Vec<_>> = of_bodies.into_iter().map(with_id).collect();
        let (all, of_bodies) = all.zip(of_bodies).ok_or(ModelError::MemoryOrder)?;
        world.restore_memory(scheme, all, of_bodies, Vec::new())
    }
}

fn id(world: &World, kind: Kind, index: usize) -> Option<ConstraintId> {
    let joint = || world.joint_ids().get(index).copied();
    match kind {
        Kind::Joint => joint().map(ConstraintId::Joint),
        Kind::VelocityConstraint => {
            world.nonholonomic_ids().get(index).copied().map(ConstraintId::Nonholonomic)
        }
        Kind::Spring => world.spring_ids().get(index).copied().map(ConstraintId::Spring),
        Kind::Suspension => joint().map(ConstraintId::Suspension),
        Kind::Grab => Some(ConstraintId::Grab),
        Kind::Motor => joint().map(ConstraintId::Motor),
        Kind::Friction => joint().map(ConstraintId::Friction),
        // The rows of a motor joint are counted on through the joints.
        Kind::Drive => {
            let joint = world.joint_ids().get(index / DRIVES).copied();
            joint.map(|id| ConstraintId::Drive(id, (index % DRIVES) as u8))
        }
        Kind::LowerLimit => joint().map(ConstraintId::LowerLimit),
        Kind::UpperLimit => joint().map(ConstraintId::UpperLimit),
        Kind::Contact => world.contacts().get(index).map(|contact| ConstraintId::Contact(contact.id)),
    }
}

/// Kind and index of a constraint.
fn place(world: &World, id: ConstraintId) -> Option<(Kind, usize)> {
    let joint = |own| world.joint_ids().iter().position(|id| *id == own);
    match id {
        ConstraintId::Joint(own) => Some((Kind::Joint, joint(own)?)),
        ConstraintId::Nonholonomic(own) => {
            let index = world.nonholonomic_ids().iter().position(|id| *id == own)?;
            Some((Kind::VelocityConstraint, index))
        }
        ConstraintId::Spring(own) => {
            Some((Kind::Spring, world.spring_ids().iter().position(|id| *id == own)?))
        }
        ConstraintId::Grab => Some((Kind::Grab, 0)),
        ConstraintId::Motor(own) => Some((Kind::Motor, joint(own)?)),
        ConstraintId::Friction(own) => Some((Kind::Friction, joint(own)?)),
        ConstraintId::Drive(own, row) => Some((Kind::Drive, DRIVES * joint(own)? + usize::from(row))),
        ConstraintId::Suspension(own) => Some((Kind::Suspension, joint(own)?)),
        ConstraintId::LowerLimit(own) => Some((Kind::LowerLimit, joint(own)?)),
        ConstraintId::UpperLimit(own) => Some((Kind::UpperLimit, joint(own)?)),
        ConstraintId::Contact(own) => {
            let index = world.contacts().binary_search_by_key(&own, |contact| contact.id).ok()?;
            Some((Kind::Contact, index))
        }
    }
}

/// Reads `state.memory`.
pub(super) fn read(cursor: &Cursor<'_>) -> Option<SavedMemory> {
    let keys = cursor.object("a memory {\"scheme\": …}")?;
    let schemes: Vec<_> = TABLE.iter().map(|scheme| (scheme.info().key, scheme.info().key)).collect();
    let scheme = keys.require("scheme", "the key of a scheme");
    let scheme = scheme.and_then(|c| c.one_of("a scheme", &schemes));
    let remembered = TABLE.iter().find(|own| Some(own.info().key) == scheme);
    let Remembered { per_constraint, per_body, .. } = remembered.map(|own| own.memory).unwrap_or_default();
    let of_constraints = keys.or("constraints", Vec::new(), |c| {
        let items = c.items("an array of constraints")?;
        let read: Vec<_> = items.iter().map(|item| constraint(item, per_constraint)).collect();
        read.into_iter().collect()
    });
    let of_bodies = keys.or("bodies", Vec::new(), |c| {
        let items = c.items("an array of bodies")?;
        let read: Vec<_> = items.iter().map(|item| body(item, per_body)).collect();
        read.into_iter().collect()
    });
    keys.finish();
    Some(SavedMemory { scheme: scheme?, of_constraints: of_constraints?, of_bodies: of_bodies? })
}

fn constraint(cursor: &Cursor<'_>, count: usize) -> Option<(Kind, usize, Vec<f64>)> {
    let keys = cursor.object("a constraint {\"of\": …}")?;
    let kind =
        keys.require("of", "a kind of constraint").and_then(|c| c.one_of("a kind of constraint", KINDS));
    let index = keys.require("index", "a whole number, 0 or more").and_then(|c| c.count());
    let numbers = keys.require("numbers", "an array of numbers").and_then(|c| numbers(&c, count));
    keys.finish();
    Some((kind?, usize::try_from(index?).ok()?, numbers?))
}

fn body(cursor: &Cursor<'_>, count: usize) -> Option<(usize, Vec<f64>)> {
    let keys = cursor.object("a body {\"index\": …}")?;
    let index = keys.require("index", "a whole number, 0 or more").and_then(|c| c.count());
    let numbers = keys.require("numbers", "an array of numbers").and_then(|c| numbers(&c, count));
    keys.finish();
    Some((usize::try_from(index?).ok()?, numbers?))
}

fn numbers(cursor: &Cursor<'_>, count: usize) -> Option<Vec<f64>> {
    let items = cursor.items("an array of numbers")?;
    if items.len() != count {
        cursor.problem(format!(
            "expected {count} numbers, as many as the scheme remembers, found {}",
            items.len()
        ));
        return None;
    }
    let read: Vec<_> = items.iter().map(Cursor::number).collect();
    read.into_iter().collect()
}

/// Writes `state.memory`, or nothing where nothing is remembered. Numbers beyond an f64, which JSON cannot represent, are
/// those of a run on the verge of blowing up; then nothing is written.
pub(super) fn write(world: &World) -> Option<Value> {
    let SchemeMemory { scheme, of_constraints, of_bodies, of_world, .. } = world.remembered()?;
    let constraint = |(id, numbers): (ConstraintId, &[f64])| {
        let (kind, index) = place(world, id)?;
        let (word, _) = KINDS.iter().find(|(_, own)| *own == kind)?;
        let sayable = numbers.iter().all(|number| number.is_finite());
        let keys = vec![("of", json!(word)), ("index", json!(index)), ("numbers", json!(numbers))];
        sayable.then(|| object(keys))
    };
    let constraints: Option<Vec<Value>> = of_constraints.into_iter().map(constraint).collect();
    let mut keys = vec![("scheme", json!(scheme)), ("constraints", Value::Array(constraints?))];
    if !of_bodies.is_empty() {
        let body = |(id, numbers): (BodyId, &[f64])| {
            let index = world.body_ids().binary_search(&id).ok()?;
            let sayable = numbers.iter().all(|number| number.is_finite());
            sayable.then(|| object(vec![("index", json!(index)), ("numbers", json!(numbers))]))
        };
        let is_there = |(id, _): &(BodyId, &[f64])| world.body(*id).is_some();
        let bodies: Option<Vec<Value>> = of_bodies.into_iter().filter(is_there).map(body).collect();
        keys.push(("bodies", Value::Array(bodies?)));
    }
    of_world.is_empty().then(|| object(keys)) // no scheme of the table has numbers of the world
}
