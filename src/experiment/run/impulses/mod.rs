//! The impulses of a run as CSV: a row for each step and constraint, with the point at which it acted, its state
//! (such as open or sticking), and whether the impulses account for the motion of its bodies.

mod action;
mod state;

use self::action::Action;
use self::state::States;
use super::Run;
use crate::internal::largest;
use crate::model::{BodyId, JointKind, World};
use crate::numbers::shortest;
use crate::report::{ConstraintId, ConstraintImpulse};
use glam::{DVec2, DVec3};
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
        for line in impulse_rows(run) {
            let impulse = &line.impulse;
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
                &shortest(line.momentum_residual),
                &shortest(line.angular_momentum_residual),
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

/// The impulse of a constraint in a step, where it acted, and its state.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ImpulseRow {
    /// The constraint, its bodies and its multipliers.
    pub impulse: ConstraintImpulse,
    /// Name of the constraint's kind, the one in scene files if there is one.
    pub kind: &'static str,
    /// Index in the world's list of such constraints; for a motor or a limit, the index of its joint; contacts are
    /// counted from 0 in each step.
    pub index: usize,
    /// Where it acted on body b, m.
    pub point: DVec2,
    /// n, along which its first multiplier pushes body b; none if it holds a point in both directions, or only an angle.
    pub direction: Option<DVec2>,
    /// The angular impulse on body b about `point`, N m s.
    pub couple: f64,
    /// `open`, `slip` or `stick` of a contact, `closed` or `open` of a limit, `at_limit` or `free` of a motor; else empty.
    pub state: &'static str,
    /// The part of its bodies' change of momentum that impulses and external forces do not explain, the larger one, N s.
    pub momentum_residual: f64,
    /// The part of the change of angular momentum that they do not explain, N m s.
    pub angular_momentum_residual: f64,
}

/// A row for each constraint in the last step that `run` has made, contacts last; none before its first. A constraint that does
/// not act on two bodies alone, with opposite impulses, has a row for each body.
pub fn impulse_rows(run: &Run) -> Vec<ImpulseRow> {
    let world = run.world();
    let residuals = run.momentum_residuals();
    let states = States::new(world, run.time_step(), run.impulses());
    let mut contacts = 0;
    let mut rows = |impulse: &ConstraintImpulse| {
        let row = ImpulseRow::of(impulse, world, &states, contacts)?;
        contacts += usize::from(row.kind == CONTACT);
        Some(row.of_each_body(world))
    };
    let judged = |row: ImpulseRow| {
        let left = row.impulse.bodies.map(|id| world.index_of(id).and_then(|index| residuals.get(index)));
        let left = left.map(|left| left.copied().unwrap_or_default());
        ImpulseRow {
            momentum_residual: largest(left.map(|left| left.truncate().length())),
            angular_momentum_residual: largest(left.map(|left| left.z)),
            ..row
        }
    };
    run.impulses().filter_map(&mut rows).flatten().map(judged).collect()
}

impl ImpulseRow {
    /// For the constraint of `impulse`, at the end of the step; `contacts` is the number of the next contact.
    fn of(
        impulse: &ConstraintImpulse,
        world: &World,
        states: &States<'_>,
        contacts: usize,
    ) -> Option<Self> {
        let row = |kind, index, point| Self {
            impulse: *impulse,
            kind,
            index,
            point,
            direction: None,
            couple: 0.0,
            state: "",
            momentum_residual: 0.0,
            angular_momentum_residual: 0.0,
        };
        if let ConstraintId::Contact(id) = impulse.constraint {
            // Contacts that the world does not remember have not acted, and were not in the problem at the end of the
            // step.
            let contact = world.contact(id)?;
            return Some(Self {
                direction: Some(contact.normal),
                state: states.of_contact(impulse, contact.friction),
                ..row(CONTACT, contacts, contact.point)
            });
        }
        let action = Action::of(impulse.constraint, world)?;
        Some(Self {
            direction: action.direction(),
            couple: action.couple(&impulse.multipliers),
            state: states.of_other(impulse),
            ..row(action.kind, action.index, action.point)
        })
    }

    /// The row itself, if its bodies a and b get opposite impulses and there are no others. Of a pulley and of what has more
    /// bodies, a row for body b with the multipliers, then one for each other body, with its impulse at its centre of mass.
    fn of_each_body(self, world: &World) -> Vec<Self> {
        let ConstraintImpulse { bodies: [a, b], on_bodies: [_, on_b], .. } = self.impulse;
        let is_pulley = match self.impulse.constraint {
            ConstraintId::Joint(id) | ConstraintId::UpperLimit(id) | ConstraintId::LowerLimit(id) => {
                world.joint(id).is_some_and(|joint| matches!(joint.kind, JointKind::Pulley(_)))
            }
            _ => false,
        };
        if a == b || (self.impulse.further.is_none() && !is_pulley) {
            return vec![self];
        }
        let alone = |body: BodyId, on: DVec3| {
            let mut own = self.impulse;
            (own.bodies, own.on_bodies, own.further) = ([body; 2], [DVec3::ZERO, on], None);
            own
        };
        let first = Self { impulse: alone(b, on_b), ..self };
        let others = self.impulse.on_each().filter(|(body, _)| *body != b).filter_map(|(body, on)| {
            let mut impulse = alone(body, on);
            impulse.rows = 0;
            let point = world.body(body)?.pose.position;
            Some(Self { impulse, point, direction: None, couple: on.z, ..self })
        });
        [first].into_iter().chain(others).collect()
    }
}

/// Names of body a and body b; that of body a is empty where the constraint acts between body b and the world.
fn names<'a>(impulse: &ConstraintImpulse, world: &'a World) -> [&'a str; 2] {
    let [a, b] = impulse.bodies;
    let name = |id: BodyId| world.body(id).map_or("", |body| body.name.as_str());
    [if a == b { "" } else { name(a) }, name(b)]
}

fn pair(vector: DVec2) -> [String; 2] {
    [shortest(vector.x), shortest(vector.y)]
}
