//! The contact graph: for every pair of pieces that may come within reach, the features that may touch, with their gaps.
//!
//! What has been found on a pair depends on the poses of its two bodies and on how far was looked. It is kept and serves every
//! call that looks no farther, until one of the bodies has moved; the velocity-product terms of its gaps until the velocity of one
//! has changed. So the contacts of the end of a step, which the report measures, are those with which the next step begins.

use super::gap::{Contact, Gap};
use super::shapes::Change;
use crate::model::ContactId;

/// Most contacts of a pair of convex pieces.
pub(super) const MOST: usize = 2;
/// Number of lists of contacts that are kept beside each other.
pub(super) const LISTS: usize = 2;
/// Marks a pair without a slot.
const NONE: u32 = u32::MAX;

/// Two pieces that may touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// Indices of the pieces, the first one smaller, and of their bodies.
    pub leaves: [u32; 2],
    pub bodies: [u32; 2],
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
    /// What it gives to each of the lists.
    gives: [Given; LISTS],
}

/// Which contacts of a pair are on a list.
#[derive(Clone, Copy, Debug)]
struct Given {
    /// A bit each.
    which: u8,
    /// Whether the boxes are so near that contacts have been looked for.
    near: bool,
    /// They are the ones within reach for every reach from the first up to below the second, m; NaN where that is not known.
    within: [f64; 2],
    /// Their features.
    features: [[u32; 2]; MOST],
}

impl Given {
    const NOTHING: Self = Self { which: 0, near: false, within: [f64::NAN; 2], features: [[0; 2]; MOST] };
}

/// A contact that is possible at the present pose.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Candidate {
    pub contact: Contact,
    pub gap: Gap,
    /// Whether it is within a reach of zero.
    pub touches: bool,
}

/// A contact on a list: where its slot is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub id: ContactId,
    pub slot: u32,
    pub which: u32,
}

impl Link {
    /// Two pieces of which nothing is known yet.
    pub fn new(leaves: [u32; 2], bodies: [u32; 2]) -> Self {
        Self {
            leaves,
            bodies,
            slot: NONE,
            count: 0,
            margin: f64::NAN,
            separation: f64::NEG_INFINITY,
            rates: false,
            likely: [0; 2],
            gives: [Given::NOTHING; LISTS],
        }
    }

    /// Forgets what no longer holds where the two bodies have changed.
    pub fn age(&mut self, [a, b]: [Change; 2]) {
        if a.moved || b.moved {
            self.margin = f64::NAN;
            self.gives.iter_mut().for_each(|given| given.within = [f64::NAN; 2]);
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
        self.gives.iter_mut().for_each(|given| given.within = [f64::NAN; 2]);
    }

    /// Whether what it gives to `list` is within `margin`, m, too, and nothing else is.
    pub fn holds(&self, list: usize, margin: f64) -> bool {
        let Given { which, near, within: [from, below], .. } = self.gives[list];
        margin >= from && margin < below && (!near || self.knows(margin)) && (self.rates || which == 0)
    }

    /// Gives nothing to `list`, where the boxes are `apart`, m, beyond reach. Whether it gave something else before.
    pub fn give_nothing(&mut self, list: usize, apart: f64) -> bool {
        self.give(list, Given { within: [f64::NEG_INFINITY, apart], ..Given::NOTHING })
    }

    fn give(&mut self, list: usize, given: Given) -> bool {
        let before = std::mem::replace(&mut self.gives[list], given);
        (before.which, before.features) != (given.which, given.features)
    }

    /// Whether it gives any contact to `list`.
    pub fn gives_any(&self, list: usize) -> bool {
        self.gives[list].which != 0
    }

    /// How many contacts it gives to `list`.
    pub fn number_given(&self, list: usize) -> usize {
        self.gives[list].which.count_ones() as usize
    }

    /// Which of its contacts it gives to `list`.
    pub fn given(&self, list: usize) -> impl Iterator<Item = u32> + use<> {
        let given = self.gives[list].which;
        (0..MOST as u32).filter(move |which| given & (1 << which) != 0)
    }
}

/// The contacts of the pairs on which some have been found.
#[derive(Debug, Default)]
pub(super) struct Slots {
    all: Vec<[Candidate; MOST]>,
    /// Entries of `all` whose pair no longer exists.
    free: Vec<u32>,
}

impl Slots {
    /// Gives all places back; no link may refer to one any more.
    pub fn clear(&mut self) {
        self.all.clear();
        self.free.clear();
    }

    /// Gives the place of a link back, which is no more.
    pub fn release(&mut self, link: &Link) {
        if link.slot != NONE {
            self.free.push(link.slot);
        }
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

    /// Gives those contacts of `link` to `list` that are within `margin`, m, where the boxes are `apart`, m. Whether it gave others
    /// before.
    pub fn give(&mut self, link: &mut Link, list: usize, [apart, margin]: [f64; 2]) -> bool {
        let nearest = apart.max(link.separation);
        let mut given = Given { near: true, ..Given::NOTHING };
        let (mut from, mut below) = (nearest, f64::INFINITY);
        if link.separation > margin {
            below = link.separation;
        } else {
            for (which, candidate) in self.of_link_mut(link).iter_mut().enumerate() {
                let phi = candidate.gap.phi;
                // Written so that NaN is kept.
                if phi > margin {
                    below = below.min(phi);
                } else {
                    given.which |= 1 << which;
                    given.features[which] = candidate.contact.id.features;
                    from = from.max(phi);
                }
                let parted = phi > 0.0;
                candidate.touches = nearest <= 0.0 && !parted;
            }
        }
        // Nothing becomes more where one looks less far.
        given.within = [if given.which == 0 { f64::NEG_INFINITY } else { from }, below];
        link.give(list, given)
    }

    /// Adds a contact to those of a link.
    pub fn push(&mut self, link: &mut Link, candidate: Candidate) {
        if link.slot == NONE {
            link.slot = self.free.pop().unwrap_or(self.all.len() as u32);
            if link.slot as usize == self.all.len() {
                self.all.push(Default::default());
                self.free.reserve(self.all.len());
            }
        }
        self.all[link.slot as usize][link.count as usize] = candidate;
        link.count += 1;
    }
}
