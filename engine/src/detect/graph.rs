//! The contact graph: for every pair of pieces that may come within reach, the features that may touch, with their gaps.
//!
//! What has been found on a pair depends on the poses of its two bodies and on how far was looked. It is kept and serves every
//! call that looks no farther, until one of the bodies has moved; the velocity-product terms of its gaps until the velocity of one
//! has changed. So the contacts of the end of a step, which the report measures, are those with which the next step begins.

use super::Found;
use super::gap::{Contact, Gap};
use super::shapes::Change;

/// Most contacts of a pair of convex pieces.
const MOST: usize = 2;
/// Marks a pair without a slot.
const NONE: u32 = u32::MAX;

/// Two pieces that may touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// Indices of the pieces, the first one smaller.
    pub leaves: [u32; 2],
    /// Where its contacts are.
    pub slot: u32,
    /// Number of its contacts.
    pub count: u32,
    /// Contacts with gaps up to here have been looked for, m; NaN where nothing is known at the present pose.
    margin: f64,
    /// Nothing touches with a smaller gap, m.
    pub separation: f64,
    /// Whether the gaps' velocity-product terms are those of the present velocities.
    pub rates: bool,
    /// Edges of each core that had the largest separation when they were last sought: they are asked first, which changes
    /// nothing of what is found.
    pub likely: [u32; 2],
}

/// A contact that is possible at the present pose.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Candidate {
    pub contact: Contact,
    pub gap: Gap,
}

impl Link {
    /// Two pieces of which nothing is known yet.
    pub fn new(leaves: [u32; 2]) -> Self {
        Self {
            leaves,
            slot: NONE,
            count: 0,
            margin: f64::NAN,
            separation: f64::NEG_INFINITY,
            rates: false,
            likely: [0; 2],
        }
    }

    /// Forgets what no longer holds where the two bodies have changed.
    pub fn age(&mut self, [a, b]: [Change; 2]) {
        if a.moved || b.moved {
            self.margin = f64::NAN;
        }
        self.rates &= !(a.sped || b.sped);
    }

    /// Whether contacts with gaps up to `margin`, m, have been looked for at the present pose.
    pub fn knows(&self, margin: f64) -> bool {
        // Written so that nothing is known up to NaN.
        self.margin >= margin
    }

    /// Begins to look for contacts with gaps up to `margin`, m.
    pub fn begin(&mut self, margin: f64) {
        (self.margin, self.count, self.rates) = (margin, 0, true);
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        *self = Self::new(self.leaves);
    }
}

/// The contacts of the pairs on which some have been found.
#[derive(Debug, Default)]
pub(super) struct Slots {
    all: Vec<[Candidate; MOST]>,
}

impl Slots {
    /// Gives all places back; no link may refer to one any more.
    pub fn clear(&mut self) {
        self.all.clear();
    }

    /// One of the contacts of a link.
    pub fn get(&self, slot: u32, which: u32) -> &Candidate {
        &self.all[slot as usize][which as usize]
    }

    /// The contact that was found.
    pub fn of(&self, found: &Found) -> &Candidate {
        self.get(found.slot, found.which)
    }

    /// The contacts of a link.
    pub fn of_link_mut(&mut self, link: &Link) -> &mut [Candidate] {
        match link.slot {
            NONE => &mut [],
            slot => &mut self.all[slot as usize][..link.count as usize],
        }
    }

    /// Adds a contact to those of a link.
    pub fn push(&mut self, link: &mut Link, candidate: Candidate) {
        if link.slot == NONE {
            link.slot = self.all.len() as u32;
            self.all.push(Default::default());
        }
        self.all[link.slot as usize][link.count as usize] = candidate;
        link.count += 1;
    }
}
