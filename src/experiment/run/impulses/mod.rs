//! The impulses of a run as CSV: a row for each step and constraint, with the point at which it acted, its state
//! (such as open or sticking), and whether the impulses account for the motion of its bodies.

mod action;
mod state;

use self::action::Action;
use self::state::States;
use super::Run;
use super::record::shortest;
use crate::internal::largest;
use crate::model::{ContactId, ContactState, World};
use crate::report::{ConstraintId, ConstraintImpulse};
use glam::DVec2;
use std::io::Write;

/// Columns, in order.
const COLUMNS: [&str; 21] = [
    "step",
    "time",
    "kind",
    "index",
    "body_a",
    "body_b",
    "x",
    "y",
    "nx",
    "ny",
    "lambda_1",
    "lambda_2",
    "lambda_3",
    "impulse_x",
    "impulse_y",
    "moment",
    "angular_impulse_a",
    "angular_impulse_b",
    "state",
    "momentum_residual",
    "angular_momentum_residual",
];

/// The kind of contacts.
const CONTACT: &str = "contact";

/// Writes a row per step and constraint, contacts last.
pub struct ImpulseRecorder<W: Write> {
    writer: csv::Writer<W>,
}

impl<W: Write> ImpulseRecorder<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn new(writer: W) -> csv::Result<Self> {
        let mut writer = csv::Writer::from_writer(writer);
        writer.write_record(COLUMNS)?;
        Ok(Self { writer })
    }

    /// Writes the rows of the last step that `run` has made; none before its first.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn add(&mut self, run: &Run) -> csv::Result<()> {
        let world = run.world();
        let [step, time] = [world.steps().to_string(), shortest(world.time())];
        let residuals = run.momentum_residuals();
        let states = States::new(world, run.time_step(), run.impulses());
        let mut contacts = 0;
        for impulse in run.impulses() {
            let Some(line) = ImpulseRow::of(impulse, world, &states, contacts) else { continue };
            contacts += usize::from(line.kind == CONTACT);
            let left = impulse.bodies.map(|body| residuals.get(body).copied().unwrap_or_default());
            let optional = |numbers: Option<DVec2>| numbers.map_or_else(Default::default, pair);
            let [[x, y], [nx, ny]] = [pair(line.point), optional(line.direction)];
            let lambda = |row: usize| {
                if row < impulse.rows { shortest(impulse.multipliers[row]) } else { String::new() }
            };
            let [on_a, on_b] = impulse.on_bodies;
            let [body_a, body_b] = names(impulse, world);
            let row: [&str; COLUMNS.len()] = [
                &step,
                &time,
                line.kind,
                &line.index.to_string(),
                body_a,
                body_b,
                &x,
                &y,
                &nx,
                &ny,
                &lambda(0),
                &lambda(1),
                &lambda(2),
                &shortest(on_b.x),
                &shortest(on_b.y),
                &shortest(line.couple),
                &shortest(on_a.z),
                &shortest(on_b.z),
                line.state,
                &shortest(largest(left.map(|left| left.truncate().length()))),
                &shortest(largest(left.map(|left| left.z))),
            ];
            self.writer.write_record(row)?;
        }
        Ok(())
    }

    /// Flushes the underlying writer.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn flush(&mut self) -> std::io::Result<()> {
        self.writer.flush()
    }

    /// The underlying writer, everything written.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn into_inner(self) -> std::io::Result<W> {
        self.writer.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}

/// What a row states about a constraint beside its impulse.
struct ImpulseRow {
    kind: &'static str,
    index: usize,
    point: DVec2,
    direction: Option<DVec2>,
    /// The angular impulse on body b about `point`, N m s.
    couple: f64,
    state: &'static str,
}

impl ImpulseRow {
    /// For the constraint of `impulse`, at the end of the step; `contacts` is the number of the next contact.
    fn of(
        impulse: &ConstraintImpulse,
        world: &World,
        states: &States<'_>,
        contacts: usize,
    ) -> Option<Self> {
        if let ConstraintId::Contact(id) = impulse.constraint {
            // Contacts that the world does not remember have not acted, and were not in the problem at the end of the
            // step.
            let contact = remembered(world, &id)?;
            return Some(Self {
                kind: CONTACT,
                index: contacts,
                point: contact.point,
                direction: Some(contact.normal),
                couple: 0.0,
                state: states.of_contact(impulse, contact.friction),
            });
        }
        let action = Action::of(impulse.constraint, world)?;
        Some(Self {
            kind: action.kind,
            index: action.index,
            point: action.point,
            direction: action.direction(),
            couple: action.couple(&impulse.multipliers),
            state: states.of_other(impulse),
        })
    }
}

fn remembered<'a>(world: &'a World, id: &ContactId) -> Option<&'a ContactState> {
    let contacts = world.contacts();
    contacts.binary_search_by_key(id, |contact| contact.id).ok().map(|place| &contacts[place])
}

/// Names of body a and body b; that of body a is empty where the constraint acts between body b and the world.
fn names<'a>(impulse: &ConstraintImpulse, world: &'a World) -> [&'a str; 2] {
    let [a, b] = impulse.bodies;
    let name = |body: usize| world.bodies().get(body).map_or("", |body| body.name.as_str());
    [if a == b { "" } else { name(a) }, name(b)]
}

fn pair(vector: DVec2) -> [String; 2] {
    [shortest(vector.x), shortest(vector.y)]
}
