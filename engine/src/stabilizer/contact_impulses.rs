//! The impulses of a step's contacts, in the order of their identities, for the ledger.

use crate::detect::Contact;
use crate::model::ContactId;
use crate::report::{ConstraintId, ConstraintImpulse, MOST_MULTIPLIERS};

/// The impulse of a contact, with what the world remembers of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactEntry {
    pub contact: Contact,
    pub friction: f64,
    /// Whether it was in the last problem of the dynamics.
    pub posed: bool,
    pub impulse: ConstraintImpulse,
}

/// Impulses by contact.
#[derive(Debug, Default)]
pub(super) struct ContactImpulses {
    /// In the order of their identities.
    entries: Vec<ContactEntry>,
    /// Which of them was asked for last.
    last: usize,
}

impl ContactImpulses {
    /// None is listed.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Becomes `other`, in the memory that it has.
    pub fn copy_from(&mut self, other: &Self) {
        self.entries.clone_from(&other.entries);
    }

    /// Of every contact that is listed.
    pub fn impulses(&self) -> impl Iterator<Item = &ConstraintImpulse> {
        self.entries.iter().map(|entry| &entry.impulse)
    }

    /// The contacts of the last problem, and those of an earlier one that pushed.
    pub fn posed_or_pushed(&self) -> impl Iterator<Item = &ContactEntry> {
        let pushed =
            |entry: &&ContactEntry| entry.posed || entry.impulse.multipliers != [0.0; MOST_MULTIPLIERS];
        self.entries.iter().filter(pushed)
    }

    /// No contact has been posed yet in the problem that follows.
    pub fn begin_problem(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.posed = false);
    }

    /// Lists a contact, and returns its impulse; `posed` if it is in the problem of the dynamics.
    pub fn list(&mut self, contact: &Contact, friction: f64, posed: bool) -> &mut ConstraintImpulse {
        let entry = ContactEntry {
            contact: *contact,
            friction,
            posed,
            impulse: ConstraintImpulse::none(ConstraintId::Contact(contact.id), contact.bodies(), 2),
        };
        // In the order in which they are found.
        let is_next = self.entries.last().is_none_or(|last| last.contact.id < contact.id);
        let place = if is_next {
            self.entries.push(entry);
            self.entries.len() - 1
        } else {
            match self.entries.binary_search_by_key(&contact.id, |entry| entry.contact.id) {
                Ok(place) => {
                    let ContactEntry { impulse, posed: before, .. } = self.entries[place];
                    self.entries[place] = ContactEntry { impulse, posed: posed || before, ..entry };
                    place
                }
                Err(place) => {
                    self.entries.insert(place, entry);
                    place
                }
            }
        };
        &mut self.entries[place].impulse
    }

    /// The impulse of a contact that is listed. They are asked for in their order, mostly, each as often as it has rows.
    pub fn impulse_mut(&mut self, id: &ContactId) -> Option<&mut ConstraintImpulse> {
        let Self { entries, last } = self;
        *last = find(entries, *last, |entry| &entry.contact.id, id)?;
        entries.get_mut(*last).map(|entry| &mut entry.impulse)
    }
}

/// Index of `id` in a list that is sorted by it: sought first at and behind `last`.
pub(super) fn find<T>(
    list: &[T],
    last: usize,
    key: impl Fn(&T) -> &ContactId,
    id: &ContactId,
) -> Option<usize> {
    let near = (last..list.len()).take(2).find(|&at| key(&list[at]) == id);
    near.or_else(|| list.binary_search_by_key(id, |item| *key(item)).ok())
}
