//! The contact graph: for every pair of pieces that may come within reach, the features that may touch, with their gaps.
//!
//! What has been found on a pair depends on the poses of its two bodies and on how far was looked. It is kept and serves every
//! call that looks no farther, until one of the bodies has moved; the velocity-product terms of its gaps until the velocity of one
//! has changed. So the contacts of the end of a step, which the report measures, are those with which the next step begins.

use super::gap::{Contact, Gap};
use super::shapes::{Change, Shapes};
use super::{Found, Pair};

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
    rates: bool,
    /// Edges of each core that had the largest separation when they were last sought: they are asked first, which changes
    /// nothing of what is found.
    likely: [u32; 2],
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

    /// Makes `link` know the contacts of `pair` up to `margin`, m; looks up to `far` where it has to look.
    pub fn fit(
        &mut self,
        link: &mut Link,
        pair: &Pair<'_>,
        shapes: &Shapes,
        margin: f64,
        far: impl Fn() -> f64,
    ) {
        // Written so that NaN is looked for.
        if link.margin >= margin {
            if !link.rates && link.count > 0 {
                for candidate in self.all[link.slot as usize].iter_mut().take(link.count as usize) {
                    candidate.gap = pair.gap(&candidate.contact);
                }
                link.rates = true;
            }
            return;
        }
        let margin = margin.max(far());
        (link.margin, link.count, link.rates) = (margin, 0, true);
        if pair.is_above(margin) {
            link.separation = f64::INFINITY;
            return;
        }
        let mut likely = link.likely;
        link.separation = pair.touch(shapes, margin, &mut likely, |features, normal| {
            if link.slot == NONE {
                link.slot = self.all.len() as u32;
                self.all.push(Default::default());
            }
            self.all[link.slot as usize][link.count as usize] = pair.candidate(features, normal);
            link.count += 1;
        });
        link.likely = likely;
    }
}
