//! How many contacts, and pairs of pieces near one another, are found at most.
//!
//! A contact takes some 2 kB in a step: the detector's own features and gap, its two rows, the solver's. Where shapes lie on one another
//! their number is the square of that of the shapes, so it is counted while they are found, before memory is taken for all of them.

use std::fmt;

/// Most contacts that are found at once: 1 GB in a step. A dense pile of 100,000 boxes has 400,000.
pub const MOST_CONTACTS: usize = 1 << 19;
/// Most pairs of pieces whose enlarged boxes meet, 128 B each.
pub const MOST_PAIRS: usize = 1 << 21;

/// Which limit was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Crowded {
    /// Contacts within reach.
    Contacts,
    /// Pairs of convex pieces near one another, whether they touch or not.
    Pairs,
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
    /// Indices of the two bodies that have the most of those counted.
    pub bodies: [usize; 2],
    /// How many these two have.
    pub between: usize,
}

impl Crowd {
    /// Counts the pairs of bodies in `counted`, and finds the pair with the most entries.
    pub(super) fn new(of: Crowded, limit: usize, mut counted: Vec<[u32; 2]>) -> Self {
        counted.sort_unstable();
        let runs = counted.chunk_by(|a, b| a == b);
        let most = runs.fold(&counted[..0], |most, run| if run.len() > most.len() { run } else { most });
        let bodies = most.first().map_or([0; 2], |bodies| bodies.map(|body| body as usize));
        Self { of, counted: counted.len(), limit, bodies, between: most.len() }
    }

    /// The error as a sentence, with what to do about it; `body` names a body by its index.
    pub fn words(&self, body: impl Fn(usize) -> String) -> String {
        let Self { of, counted, limit, bodies, between } = self;
        let what = match of {
            Crowded::Contacts => "contacts",
            Crowded::Pairs => "pairs of shapes near one another",
        };
        let [a, b] = bodies.map(body);
        format!(
            "expected at most {limit} {what}, found {counted} and perhaps more, {between} of them between {a} and {b} (move bodies apart, \
             give them fewer shapes, or one negative group, in which none collide)"
        )
    }
}

impl fmt::Display for Crowd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(|body| format!("body {body}")))
    }
}
