//! The ledger of a step: the impulses that acted on the bodies, by constraint, and whether they account for the motion.
//!
//! ```text
//! M (v⁺ − v) = h F + Σ Jᵀλ
//! ```
//!
//! Σ runs over all solves of the step: its stages, substeps and parts, impacts and corrections of the velocity, each with the J
//! of the pose at which it acted. λ in N s (N m s), Jᵀλ in N s and N m s about the centres of mass; F is the weight, the applied
//! forces, the force laws and the mouse's repulsion. Corrections of positions, which change no velocity, are not in it.
//! Since every solve adds its impulses, the equation holds to rounding, and its residual shows whether an impulse was forgotten.

use crate::constraint::{Condition, Constraint, Row, Rows, Touch, further_bodies};
use crate::detect::Contact;
use crate::lcp::{Further, MixedRow};
use crate::model::{BodyId, ConstraintId, ContactId, Revision, World};
use crate::report::{ConstraintImpulse, FurtherImpulse, MOST_MULTIPLIERS};
use glam::DVec3;

/// A row of a problem by the constraint it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowName {
    /// A row of a joint, a non-holonomic constraint, a spring or the grab, by its index in [`Rows::all`].
    Row(usize),
    /// The row of a motor, by its index among the motors with a row.
    Motor(usize),
    /// A row of a contact or limit, by its index among the unilateral rows; 0 is the normal, 1 the tangential row, 2 that of
    /// rolling resistance.
    Touch(usize, usize),
}

/// Impulses by constraint.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// The world whose constraints are listed, and the body that the grab holds.
    revision: Revision,
    grabbed: Option<BodyId>,
    /// Its bodies.
    bodies: Vec<BodyId>,
    /// All constraints but contacts, and the impulse of each.
    constraints: Vec<Constraint>,
    pub entries: Vec<ConstraintImpulse>,
    /// The entry and the multiplier of each row, in the order of [`Rows::all`].
    row_entries: Vec<[u32; 2]>,
    /// Whether the entries still hold the impulses of an earlier step, and count as zero.
    stale: bool,
    /// Where the entries of soft joints begin, and how many they are.
    soft: [usize; 2],
    /// Where the entries of motors and of limits begin.
    pub motors: usize,
    pub limits: usize,
    /// The contacts with their impulses, in the order of their identities.
    contacts: Vec<ContactEntry>,
}

/// A contact with its impulse.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactEntry {
    pub contact: Contact,
    pub friction: f64,
    /// The speed of its surfaces, m/s.
    pub surface_speed: f64,
    /// Whether it was in the last problem of the dynamics.
    pub posed: bool,
    pub impulse: ConstraintImpulse,
    /// What of Σ Jᵀλ the tangential impulse and rolling resistance exert.
    pub friction_on_bodies: [DVec3; 2],
}

/// Where the impulse of a unilateral row is booked.
pub(crate) enum UnilateralEntry<'a> {
    Contact(&'a mut ContactEntry),
    Limit(&'a mut ConstraintImpulse),
    None,
}

impl UnilateralEntry<'_> {
    /// Adds λ of row `at` with the row's J.
    pub fn add(&mut self, at: usize, lambda: f64, [ja, jb]: [DVec3; 2], further: &Option<Further>) {
        match self {
            Self::Contact(entry) => entry.add(at, lambda, ja, jb),
            Self::Limit(entry) => {
                entry.add(at, lambda, ja, jb);
                entry.add_further(lambda, further);
            }
            Self::None => {}
        }
    }
}

impl ContactEntry {
    /// Adds λ of row `at`, 0 the normal, 1 the tangential and 2 the rolling one, with the row's J.
    pub fn add(&mut self, at: usize, lambda: f64, ja: DVec3, jb: DVec3) {
        self.impulse.add(at, lambda, ja, jb);
        if at > 0 {
            let [on_a, on_b] = &mut self.friction_on_bodies;
            *on_a += lambda * ja;
            *on_b += lambda * jb;
        }
    }
}

impl Ledger {
    /// Copies `other`, reusing memory.
    pub fn copy_from(&mut self, other: &Self) {
        let Self { revision, grabbed, bodies, constraints, entries, row_entries, contacts, .. } = self;
        // Stale entries of the same constraints need not be copied.
        if !(other.stale && *revision == other.revision && *grabbed == other.grabbed) {
            bodies.clone_from(&other.bodies);
            revision.clone_from(&other.revision);
            constraints.clone_from(&other.constraints);
            entries.clone_from(&other.entries);
            row_entries.clone_from(&other.row_entries);
            *grabbed = other.grabbed;
        }
        contacts.clone_from(&other.contacts);
        (self.stale, self.motors, self.limits) = (other.stale, other.motors, other.limits);
        self.soft = other.soft;
    }

    /// Lists the constraints of `world`, each with the impulse zero.
    pub fn begin(&mut self, world: &World) {
        let Self { revision, grabbed, bodies, constraints, entries, row_entries, contacts, .. } = self;
        contacts.clear();
        let holds = world.grab.map(|grab| grab.body);
        self.stale = !revision.update(world) && *grabbed == holds;
        if self.stale {
            return;
        }
        *grabbed = holds;
        entries.clear();
        row_entries.clear();
        bodies.clear();
        bodies.extend_from_slice(world.body_ids());
        constraints.clear();
        constraints.extend(Constraint::all(world, 0));
        for constraint in constraints.iter() {
            let Some(id) = constraint.id(world, &[]) else { continue };
            let named = constraint.bodies(world, &[]).map(|body| bodies[body]);
            let (entry, rows) = (entries.len() as u32, constraint.rows(world));
            if !matches!(constraint.condition(), Condition::Speed | Condition::Unilateral) {
                row_entries.extend((0..rows as u32).map(|row| [entry, row]));
            }
            let [a, b] = constraint.bodies(world, &[]);
            let further = constraint.further(world).and_then(|[c, d]| further_bodies([a, b, c, d]));
            let further = further.map(|others| FurtherImpulse::none(others.map(|body| bodies[body])));
            entries.push(ConstraintImpulse { further, ..ConstraintImpulse::none(id, named, rows) });
        }
        let first = |condition: Condition| {
            let found = constraints.iter().position(|own| own.condition() == condition);
            found.unwrap_or(constraints.len())
        };
        let is_soft = |own: &Constraint| matches!(own, Constraint::SoftJoint(_));
        self.soft = [
            constraints.iter().position(is_soft).unwrap_or(0),
            constraints.iter().filter(|own| is_soft(own)).count(),
        ];
        self.limits = first(Condition::Unilateral);
        self.motors = first(Condition::Speed).min(self.limits);
    }

    /// The entries, set to zero where they were stale.
    pub fn current_entries(&mut self) -> &mut [ConstraintImpulse] {
        if std::mem::take(&mut self.stale) {
            self.entries.iter_mut().for_each(ConstraintImpulse::clear);
        }
        &mut self.entries
    }

    /// All constraints but contacts, each with its impulse; none where the impulses are stale.
    pub fn listed(&self) -> impl Iterator<Item = (Constraint, &ConstraintImpulse)> {
        let count = if self.stale { 0 } else { self.entries.len() };
        self.constraints.iter().copied().zip(&self.entries).take(count)
    }

    /// Every constraint's impulse, contacts last.
    pub fn impulses(&self) -> impl Iterator<Item = &ConstraintImpulse> {
        self.entries.iter().chain(self.contacts.iter().map(|entry| &entry.impulse))
    }

    /// The impulse of a constraint.
    pub fn of(&self, constraint: ConstraintId) -> Option<&ConstraintImpulse> {
        let (sorted, limits) = self.entries.split_at(self.limits);
        match constraint {
            ConstraintId::Contact(id) => {
                let place = self.contacts.binary_search_by_key(&id, |entry| entry.contact.id).ok()?;
                Some(&self.contacts[place].impulse)
            }
            ConstraintId::LowerLimit(_) | ConstraintId::UpperLimit(_) => {
                limits.iter().find(|entry| entry.constraint == constraint)
            }
            _ => {
                // Soft joints stand behind the springs, with the ids of joints.
                let (before, others) = sorted.split_at(self.soft[0]);
                let (soft, behind) = others.split_at(self.soft[1]);
                [before, soft, behind].into_iter().find_map(|part| {
                    let place = part.binary_search_by_key(&constraint, |entry| entry.constraint);
                    part.get(place.ok()?)
                })
            }
        }
    }

    /// The index of a body that the world had when the step began.
    pub fn index_of(&self, body: BodyId) -> Option<usize> {
        self.bodies.binary_search(&body).ok()
    }

    /// The contacts of the last problem, and those of an earlier one that pushed.
    pub fn contacts(&self) -> impl Iterator<Item = &ContactEntry> {
        let pushed =
            |entry: &&ContactEntry| entry.posed || entry.impulse.multipliers != [0.0; MOST_MULTIPLIERS];
        self.contacts.iter().filter(pushed)
    }

    /// Adds λ of the row with index `place` in [`Rows::all`].
    pub fn add_row(&mut self, place: usize, row: &Row, lambda: f64) {
        if let Some(&[entry, at]) = self.row_entries.get(place)
            && let Some(entry) = self.current_entries().get_mut(entry as usize)
        {
            entry.add(at as usize, lambda, row.ja, row.jb);
            entry.add_further(lambda, &row.further);
        }
    }

    /// The entry of the row with index `place` in [`Rows::all`], and which of its rows it is.
    pub fn entry_of(&self, place: usize) -> Option<[usize; 2]> {
        self.row_entries.get(place).map(|own| own.map(|index| index as usize))
    }

    /// Adds multipliers and what they exert on the bodies, in the order of its rows' arms, to an entry.
    pub fn book(&mut self, entry: usize, multipliers: [f64; MOST_MULTIPLIERS], on: [DVec3; 4]) {
        let Some(entry) = self.current_entries().get_mut(entry) else { return };
        entry.multipliers.iter_mut().zip(multipliers).for_each(|(sum, own)| *sum += own);
        let [a, b, c, d] = on;
        entry.on_bodies[0] += a;
        entry.on_bodies[1] += b;
        if let Some(further) = &mut entry.further {
            further.on_bodies[0] += c;
            further.on_bodies[1] += d;
        }
    }

    /// Adds `scale` λ of `rows` from number `first` on.
    pub fn add_rows(&mut self, rows: &Rows, first: usize, lambda: &[f64], scale: f64) {
        for ((place, row), lambda) in rows.all().iter().enumerate().skip(first).zip(lambda) {
            self.add_row(place, row, scale * lambda);
        }
    }

    /// The constraint of a row, and which of its rows it is, in a problem with these contacts.
    pub fn constraint_of(&self, name: RowName, contacts: &[ContactId]) -> Option<(ConstraintId, usize)> {
        let only_row = |entry: usize| self.entries.get(entry).map(|entry| (entry.constraint, 0));
        match name {
            RowName::Row(index) => Some(match self.row_entries.get(index) {
                Some(&[entry, at]) => (self.entries[entry as usize].constraint, at as usize),
                // The grab's rows are the last, and the mouse may have let go since.
                None => (ConstraintId::Grab, index - self.row_entries.len()),
            }),
            RowName::Motor(index) => only_row(self.motors + index),
            RowName::Touch(index, row) => match contacts.get(index) {
                Some(&id) => Some((ConstraintId::Contact(id), row)),
                None => only_row(self.limits + index - contacts.len()),
            },
        }
    }

    /// Adds `to_impulse` times λ of the rows that a mixed problem begins with, in the order of [`Rows::all`].
    pub fn add_mixed(&mut self, mut rows: &[MixedRow], mut lambda: &[f64], to_impulse: f64) {
        let stale = std::mem::take(&mut self.stale);
        for entry in &mut self.entries {
            let count = entry.rows.min(rows.len()).min(lambda.len());
            let ((own, others), (multipliers, rest)) = (rows.split_at(count), lambda.split_at(count));
            if let ([x, y], [of_x, of_y], None) = (own, multipliers, &entry.further) {
                // Most entries, without a loop.
                let none = ([0.0; MOST_MULTIPLIERS], [DVec3::ZERO; 2]);
                let ([sum_x, sum_y, sum], [on_a, on_b]) =
                    if stale { none } else { (entry.multipliers, entry.on_bodies) };
                let (of_x, of_y) = (to_impulse * of_x, to_impulse * of_y);
                entry.multipliers = [sum_x + of_x, sum_y + of_y, sum];
                entry.on_bodies = [on_a + of_x * x.ja + of_y * y.ja, on_b + of_x * x.jb + of_y * y.jb];
            } else {
                if stale {
                    entry.clear();
                }
                for (at, (row, lambda)) in own.iter().zip(multipliers).enumerate() {
                    entry.add(at, to_impulse * lambda, row.ja, row.jb);
                    entry.add_further(to_impulse * lambda, &row.further);
                }
            }
            (rows, lambda) = (others, rest);
        }
    }

    /// The entry of the contact or limit of this index among all unilateral rows; `posed` if it is in the problem of the
    /// dynamics.
    pub fn unilateral(
        &mut self,
        index: usize,
        contacts: &[Contact],
        touch: &Touch,
        posed: bool,
    ) -> UnilateralEntry<'_> {
        match (contacts.get(index), touch.tangent) {
            (Some(contact), Some(tangent)) => UnilateralEntry::Contact(self.list_contact(
                contact,
                [tangent.friction, tangent.speed],
                posed,
            )),
            _ => {
                let place = self.limits + index.saturating_sub(contacts.len());
                self.current_entries().get_mut(place).map_or(UnilateralEntry::None, UnilateralEntry::Limit)
            }
        }
    }

    /// Begins a problem: marks all contacts as not posed in it.
    pub fn begin_contacts(&mut self) {
        self.contacts.iter_mut().for_each(|entry| entry.posed = false);
    }

    /// Lists a contact with its friction and the speed of its surfaces, and returns its entry; `posed` if it is in the problem
    /// of the dynamics.
    pub fn list_contact(
        &mut self,
        contact: &Contact,
        [friction, surface_speed]: [f64; 2],
        posed: bool,
    ) -> &mut ContactEntry {
        // Most contacts are listed in their order.
        let place = match self.contacts.last() {
            Some(last) if last.contact.id >= contact.id => {
                self.contacts.binary_search_by_key(&contact.id, |entry| entry.contact.id)
            }
            _ => Err(self.contacts.len()),
        };
        let place = place.unwrap_or_else(|place| {
            let id = ConstraintId::Contact(contact.id);
            let impulse = ConstraintImpulse::none(id, contact.id.bodies, 2);
            let friction_on_bodies = [DVec3::ZERO; 2];
            let entry = ContactEntry {
                contact: *contact,
                friction,
                surface_speed,
                posed: false,
                impulse,
                friction_on_bodies,
            };
            self.contacts.insert(place, entry);
            place
        });
        let entry = &mut self.contacts[place];
        (entry.contact, entry.friction, entry.posed) = (*contact, friction, posed || entry.posed);
        entry.surface_speed = surface_speed;
        entry
    }
}
