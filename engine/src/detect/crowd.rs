//! Limits of what is found at once, and who exceeds them.

use crate::model::{BodyId, World};
use std::fmt;

/// Most contacts that are found at once: 1 GB in a step. A dense pile of 100,000 boxes has 400,000.
pub const MOST_CONTACTS: usize = 1 << 19;
/// Most pairs of pieces whose enlarged boxes meet, 128 B each; and most of those that stand beside each other or
/// overlap for ever.
pub const MOST_PAIRS: usize = 1 << 21;
/// Most pairs of edges of pieces that stand beside each other or overlap for ever, of which one may hide the other:
/// some 5 ns each.
pub(super) const MOST_EDGES: usize = 1 << 28;
/// Most pairs of boxes that are looked at in one search, those of bodies that do not collide included: they take no
/// memory, and some 10 ns.
pub(super) const MOST_LOOKS: usize = 1 << 26;

/// Which limit was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Crowded {
    /// Contacts within reach.
    Contacts,
    /// Pairs of convex pieces near one another, whether they touch or not.
    Pairs,
    /// Pairs of edges of pieces that stand beside one another.
    Edges,
}

/// More contacts, or pairs of pieces, than are found at once. Counting ends there: there may be more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Crowd {
    /// Which limit was exceeded.
    pub of: Crowded,
    /// How many were counted.
    pub counted: usize,
    /// How many there may be.
    pub limit: usize,
    /// The two bodies that have the most of those counted.
    pub bodies: [BodyId; 2],
    /// How many these two have.
    pub between: usize,
}

impl Crowd {
    /// Counts the pairs of bodies of `world` in `counted`, by index, and finds the pair with the most entries.
    pub(super) fn new(of: Crowded, limit: usize, counted: Vec<[u32; 2]>, world: &World) -> Self {
        Self::weighed(of, limit, counted.into_iter().map(|bodies| (bodies, 1)).collect(), world)
    }

    /// Does the same where an entry stands for a number of them.
    pub(super) fn weighed(
        of: Crowded,
        limit: usize,
        mut counted: Vec<([u32; 2], usize)>,
        world: &World,
    ) -> Self {
        counted.sort_unstable();
        let runs = counted.chunk_by(|a, b| a.0 == b.0);
        let weight = |run: &[([u32; 2], usize)]| run.iter().map(|(_, number)| number).sum::<usize>();
        let weighed = runs.map(|run| (weight(run), run[0].0));
        let most = weighed.fold((0, [0; 2]), |most, run| if run.0 > most.0 { run } else { most });
        let bodies = most.1.map(|body| world.body_ids()[body as usize]);
        Self { of, counted: weight(&counted), limit, bodies, between: most.0 }
    }

    /// The error as a sentence, with what to do about it; `body` names a body.
    pub fn words(&self, body: impl Fn(BodyId) -> String) -> String {
        let Self { of, counted, limit, bodies, between } = self;
        let what = match of {
            Crowded::Contacts => "contacts",
            Crowded::Pairs => "pairs of shapes near one another",
            Crowded::Edges => "pairs of edges of shapes beside one another",
        };
        let most = match bodies {
            [a, b] if a == b => format!("within {}", body(*a)),
            [a, b] => format!("between {} and {}", body(*a), body(*b)),
        };
        format!(
            "expected at most {limit} {what}, found {counted} and perhaps more, {between} of them {most} (move bodies apart, \
             give them fewer shapes, or one negative group, in which none collide)"
        )
    }
}

impl fmt::Display for Crowd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(|body| format!("body {body}")))
    }
}
