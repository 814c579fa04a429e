//! The contacts that the position corrections of a step have pushed, and which of them have ended apart.

use super::motion::Motion;
use super::step_context::StepContext;
use crate::detect::Contact;
use crate::model::Frame;

/// The contacts that corrections of a step have pushed.
#[derive(Debug, Default)]
pub(crate) struct CorrectedContacts {
    /// In the order of their identities, each with Σλ, kg m.
    contacts: Vec<(Contact, f64)>,
}

impl CorrectedContacts {
    /// Forgets the step before.
    pub fn clear(&mut self) {
        self.contacts.clear();
    }

    /// Adds λ of a contact.
    pub fn add(&mut self, contact: &Contact, lambda: f64) {
        match self.contacts.binary_search_by_key(&contact.id, |(known, _)| known.id) {
            Ok(at) => self.contacts[at].1 += lambda,
            Err(at) if lambda > 0.0 => self.contacts.insert(at, (*contact, lambda)),
            Err(_) => {}
        }
    }

    /// Σλ of a contact.
    pub fn of(&self, contact: &Contact) -> f64 {
        let found = self.contacts.binary_search_by_key(&contact.id, |(known, _)| known.id);
        found.map_or(0.0, |at| self.contacts[at].1.max(0.0))
    }

    /// The pushed contacts whose gap is larger than `tolerance` at the present pose.
    pub fn apart<'a>(
        &'a self,
        context: &'a StepContext<'_>,
        motion: &'a Motion,
        tolerance: f64,
    ) -> impl Iterator<Item = &'a Contact> {
        let corrected = self.contacts.iter().filter(|(_, lambda)| *lambda > 0.0);
        let gap = move |contact: &Contact| {
            let [a, b] = contact.bodies().map(|body| Frame::new(motion.q[body], motion.v[body]));
            contact.gap(context.world.bodies(), &a, &b).phi
        };
        corrected.map(|(contact, _)| contact).filter(move |contact| gap(contact) > tolerance)
    }
}
