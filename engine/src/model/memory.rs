//! What a scheme remembers from step to step: a multiplier and a penalty of each constraint, a predictor, an order.
//!
//! It is part of the world's state, so that a clone of the world is a snapshot, and a step depends on nothing else. A
//! scheme declares how many numbers it keeps ([`Scheme::memory`](crate::method::Scheme::memory)), and reads and writes
//! them through the step (`stages/step_in_progress.rs`). Numbers of a constraint that the step has not written again
//! are forgotten at its end, as are all of them when another scheme makes a step.

use super::constraint_id::{ConstraintId, ContactId};
use super::table::BodyId;

/// How many numbers a scheme remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remembered {
    /// Of each constraint, whatever its number of rows.
    pub per_constraint: usize,
    /// Of each body.
    pub per_body: usize,
    /// Of the world.
    pub per_world: usize,
}

/// What the scheme of the last step remembers, to be read and saved.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SchemeMemory<'a> {
    /// Its key.
    pub scheme: &'a str,
    /// The numbers of each constraint, in the order of the constraints.
    pub of_constraints: Vec<(ConstraintId, &'a [f64])>,
    /// Those of each body, in the order of the bodies.
    pub of_bodies: Vec<(BodyId, &'a [f64])>,
    /// Those of the world.
    pub of_world: &'a [f64],
}

/// The numbers that the scheme of the last step remembers.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(crate) struct Memory {
    /// Its key; empty of a scheme that remembers nothing.
    scheme: String,
    /// In the order of the constraints.
    constraints: Vec<ConstraintId>,
    /// As many numbers for each of them.
    numbers: Vec<f64>,
    /// In the order of the bodies.
    #[cfg_attr(feature = "serde", serde(default))]
    bodies: Vec<BodyId>,
    /// As many numbers for each of them.
    #[cfg_attr(feature = "serde", serde(default))]
    of_bodies: Vec<f64>,
    pub of_world: Vec<f64>,
}

/// Where nothing is remembered, it does not matter by whom.
impl PartialEq for Memory {
    fn eq(&self, other: &Self) -> bool {
        let numbers = self.numbers == other.numbers && self.of_world == other.of_world;
        let whose = self.scheme == other.scheme && self.constraints == other.constraints;
        let bodies = self.bodies == other.bodies && self.of_bodies == other.of_bodies;
        numbers && bodies && (self.is_empty() || whose)
    }
}

impl Memory {
    /// Of the scheme with this key, as it was saved.
    pub fn restored(
        scheme: &str,
        of_constraints: Vec<(ConstraintId, Vec<f64>)>,
        of_bodies: Vec<(BodyId, Vec<f64>)>,
        of_world: Vec<f64>,
    ) -> Option<Self> {
        let (constraints, numbers) = in_order(of_constraints)?;
        let (bodies, of_bodies) = in_order(of_bodies)?;
        Some(Self { scheme: scheme.to_owned(), constraints, numbers, bodies, of_bodies, of_world })
    }

    /// It, to be read.
    pub fn shown(&self) -> SchemeMemory<'_> {
        let each = (self.numbers.len() / self.constraints.len().max(1)).max(1);
        let of_constraints = self.constraints.iter().copied().zip(self.numbers.chunks(each)).collect();
        let each = (self.of_bodies.len() / self.bodies.len().max(1)).max(1);
        let of_bodies = self.bodies.iter().copied().zip(self.of_bodies.chunks(each)).collect();
        SchemeMemory { scheme: &self.scheme, of_constraints, of_bodies, of_world: &self.of_world }
    }

    /// Forgets everything, and begins the memory of the scheme with this key.
    pub fn begin(&mut self, scheme: &str, of_world: usize) {
        self.constraints.clear();
        self.numbers.clear();
        self.bodies.clear();
        self.of_bodies.clear();
        self.of_world.clear();
        self.of_world.resize(of_world, 0.0);
        if self.scheme != scheme {
            scheme.clone_into(&mut self.scheme);
        }
    }

    /// Becomes equal to `other`, in the memory that it has.
    pub fn copy_from(&mut self, other: &Self) {
        let Self { scheme, constraints, numbers, bodies, of_bodies, of_world } = self;
        scheme.clone_from(&other.scheme);
        constraints.clone_from(&other.constraints);
        numbers.clone_from(&other.numbers);
        bodies.clone_from(&other.bodies);
        of_bodies.clone_from(&other.of_bodies);
        of_world.clone_from(&other.of_world);
    }

    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty() && self.of_bodies.is_empty() && self.of_world.is_empty()
    }

    /// Whether it is that of the scheme with this key.
    pub fn is_of(&self, scheme: &str) -> bool {
        self.scheme == scheme
    }

    /// The numbers of a constraint, if it is remembered.
    pub fn of(&self, constraint: ConstraintId) -> Option<&[f64]> {
        let place = self.constraints.binary_search(&constraint).ok()?;
        let each = self.numbers.len() / self.constraints.len();
        self.numbers.get(place * each..(place + 1) * each)
    }

    /// Whether something is remembered of exactly these bodies and constraints.
    pub fn is_about(
        &self,
        bodies: &[BodyId],
        mut constraints: impl ExactSizeIterator<Item = ConstraintId>,
    ) -> bool {
        self.bodies == bodies
            && self.constraints.len() == constraints.len()
            && constraints.all(|id| self.constraints.binary_search(&id).is_ok())
    }

    /// The numbers of a body, if it is remembered.
    pub fn of_body(&self, body: BodyId) -> Option<&[f64]> {
        let place = self.bodies.binary_search(&body).ok()?;
        let each = self.of_bodies.len() / self.bodies.len();
        self.of_bodies.get(place * each..(place + 1) * each)
    }

    /// Appends the numbers of a body behind all that are remembered; every body has as many.
    pub fn push_body(&mut self, body: BodyId, numbers: &[f64]) {
        self.bodies.push(body);
        self.of_bodies.extend_from_slice(numbers);
    }

    /// The contacts between two pieces, with their numbers.
    pub fn contacts_between(
        &self,
        pair: ([BodyId; 2], [u32; 2]),
    ) -> impl Iterator<Item = (ContactId, &[f64])> + Clone {
        let start = self.constraints.partition_point(|id| match id {
            ConstraintId::Contact(id) => id.pair() < pair,
            _ => true,
        });
        let each = self.numbers.len() / self.constraints.len().max(1);
        let own = self.constraints[start..].iter().map_while(move |id| match id {
            ConstraintId::Contact(id) if id.pair() == pair => Some(*id),
            _ => None,
        });
        own.zip(self.numbers[start * each..].chunks(each.max(1)))
    }

    /// Replaces the numbers of a constraint; every constraint has as many.
    pub fn put(&mut self, constraint: ConstraintId, numbers: &[f64]) {
        let each = numbers.len();
        // They mostly come in their order.
        let is_last = self.constraints.last().is_none_or(|last| *last < constraint);
        let place =
            if is_last { Err(self.constraints.len()) } else { self.constraints.binary_search(&constraint) };
        match place {
            Ok(place) => self.numbers[place * each..(place + 1) * each].copy_from_slice(numbers),
            Err(place) => {
                self.constraints.insert(place, constraint);
                self.numbers.splice(place * each..place * each, numbers.iter().copied());
            }
        }
    }

    /// Forgets the contacts of a body.
    pub fn forget_contacts_of(&mut self, body: BodyId) {
        let each = self.numbers.len() / self.constraints.len().max(1);
        let is_kept =
            |id: &ConstraintId| !matches!(id, ConstraintId::Contact(id) if id.bodies.contains(&body));
        let kept =
            self.constraints.iter().zip(self.numbers.chunks(each.max(1))).filter(|(id, _)| is_kept(id));
        self.numbers = kept.flat_map(|(_, numbers)| numbers).copied().collect();
        self.constraints.retain(is_kept);
    }

    /// Whether the constraints are in their order, and have as many numbers each, as they are when a step has written them.
    #[cfg(feature = "serde")]
    pub fn is_sound(&self) -> bool {
        let fits = |count: usize, numbers: usize| numbers.is_multiple_of(count);
        fits(self.constraints.len(), self.numbers.len())
            && fits(self.bodies.len(), self.of_bodies.len())
            && self.constraints.is_sorted_by(|one, next| one < next)
            && self.bodies.is_sorted_by(|one, next| one < next)
    }

    /// Everything that is remembered, as numbers of which the order says whose they are.
    pub fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        self.of_world.iter().chain(&self.of_bodies).chain(&self.numbers).copied()
    }
}

/// Names with their numbers, if the names are in their order and have as many numbers each.
fn in_order<T: PartialOrd>(all: Vec<(T, Vec<f64>)>) -> Option<(Vec<T>, Vec<f64>)> {
    let (names, numbers): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    let each = numbers.first().map_or(0, Vec::len);
    let sound = numbers.iter().all(|own| own.len() == each) && names.is_sorted_by(|one, next| one < next);
    sound.then(|| (names, numbers.into_iter().flatten().collect()))
}
