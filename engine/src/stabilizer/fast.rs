//! Pairs that would pass through each other within a step: their contacts, and which have done so all the same.
//!
//! What moves farther in a step than the thinner of two is thick, and meets the other on the way, is in the problem with its free travel φ/h
//! (`detect/fast.rs`), under every scheme and at both levels, without being asked for. That goes by the velocities with which the step
//! begins, all that is known then. What an impact, a motor or a force of the same step sends through a wall is not found, and explicit
//! integrators move by the velocity before the solve, or by the mean of several. So what a step has come to is looked at once more: pairs
//! that have passed through each other are counted and named in its report.

use super::constraints::Constraints;
use super::motion::Motion;
use super::span::Span;
use crate::constraint::Touch;
use crate::detect::Contact;
use crate::model::World;

/// How many pairs of bodies have passed through each other, and the first of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Passages {
    pub count: usize,
    pub first: Option<[usize; 2]>,
}

impl Constraints {
    /// Leaves out the contacts that fast pairs do not have yet: the features of one pose say nothing about where such a pair will be, and
    /// those that meet are found on their ways.
    pub fn leave_fast(&mut self, span: &Span<'_>, motion: &Motion) {
        let (distance, h) = (self.active.distance, span.h);
        let (detector, frames) = (&self.detector, self.rows.frames());
        let early = |contact: &Contact, touch: &Touch| {
            touch.row.g > distance && detector.is_fast(contact, frames, h)
        };
        let pairs = || self.contacts.iter().zip(self.touches.contacts());
        if !pairs().any(|(contact, touch)| early(contact, touch)) {
            return;
        }
        let kept: Vec<_> = pairs()
            .filter(|(contact, touch)| !early(contact, touch))
            .map(|(contact, _)| *contact)
            .collect();
        *self.contacts_mut() = kept;
        self.evaluate_same_contacts(span.world, motion);
    }

    /// Puts the contacts of fast pairs among those found at the present pose, and evaluates all rows if there are any.
    pub fn take_fast(&mut self, span: &Span<'_>, motion: &Motion) {
        let reach = [span.h, self.active.distance];
        let fast = self.detector.find_fast(span.world, self.rows.frames(), reach);
        if fast.is_empty() {
            return;
        }
        let fast = fast.to_vec();
        overtake(self.contacts_mut(), fast.iter());
        self.evaluate_same_contacts(span.world, motion);
    }

    /// The pairs that pass through each other where the bodies of `world` move to the poses of `motion`.
    pub fn passages(&mut self, world: &World, motion: &Motion) -> Passages {
        let mut pairs = Vec::new();
        self.detector.find_passages(world, &motion.q, |pair| pairs.push(pair));
        pairs.sort_unstable();
        pairs.dedup();
        Passages { count: pairs.len(), first: pairs.first().map(|pair| pair.map(|body| body as usize)) }
    }
}

/// Puts contacts that are missing into the list, in the order of their identities.
pub(super) fn overtake<'a>(contacts: &mut Vec<Contact>, missing: impl Iterator<Item = &'a Contact>) {
    for contact in missing {
        if let Err(at) = contacts.binary_search_by_key(&contact.id, |known| known.id) {
            contacts.insert(at, *contact);
        }
    }
}
