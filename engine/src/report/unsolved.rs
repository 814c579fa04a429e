//! The constraints and bodies whose problem a step could not solve.

use super::ConstraintId;
use crate::lcp::{MixedError, Trail};
use crate::model::BodyId;
use std::fmt;

/// Most bodies that a message names; it counts the others.
const MOST_NAMED: usize = 3;

/// The island at which a solve failed, or the rows whose numbers are not finite: bodies that rows connect with each other, and
/// the solvers that were tried on it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Unsolved {
    /// Key of the method's solver.
    pub asked: &'static str,
    /// Number of its scalar rows.
    pub rows: usize,
    /// Whether one of them slides in a given direction: forces may then have no solution, as impulses always do.
    pub slides: bool,
    /// Its constraints, each with its bodies, in the order of the rows.
    pub concerned: Vec<(ConstraintId, [BodyId; 2])>,
    /// The attempts.
    pub trail: Trail,
}

impl Unsolved {
    /// Its bodies, in the order in which they were added.
    pub fn bodies(&self) -> Vec<BodyId> {
        let mut bodies: Vec<_> = self.concerned.iter().flat_map(|(_, bodies)| *bodies).collect();
        bodies.sort_unstable();
        bodies.dedup();
        bodies
    }

    /// Says that the problem is not solved, and why: one sentence, with bodies as the caller names them.
    pub fn sentence(&self, error: &MixedError, body: impl Fn(BodyId) -> String) -> String {
        format!("the problem of {} is not solved: {error}{}", self.words(body), self.paradox(error))
    }

    /// Why forces of sliding contacts may have no solution, where none was found; else nothing.
    fn paradox(&self, error: &MixedError) -> &'static str {
        match error {
            MixedError::Ray { .. } | MixedError::NoSolution { .. } if self.slides => {
                " (Painlevé's paradox: sliding friction at the acceleration level; impulses, at the velocity level, have one)"
            }
            _ => "",
        }
    }

    /// Its constraints by their kinds and its bodies as the caller names them: `2 joints and 1 limit between 'a', 'b'`.
    pub fn words(&self, body: impl Fn(BodyId) -> String) -> String {
        const KINDS: [[&str; 2]; 7] = [
            ["joint", "joints"],
            ["velocity constraint", "velocity constraints"],
            ["spring", "springs"],
            ["motor", "motors"],
            ["limit", "limits"],
            ["contact", "contacts"],
            ["pull of the mouse", "pulls of the mouse"],
        ];
        let mut counts = [0; KINDS.len()];
        for (id, _) in &self.concerned {
            counts[match id {
                ConstraintId::Joint(_) => 0,
                ConstraintId::Nonholonomic(_) => 1,
                ConstraintId::Spring(_) => 2,
                ConstraintId::Motor(_) => 3,
                ConstraintId::LowerLimit(_) | ConstraintId::UpperLimit(_) => 4,
                ConstraintId::Contact(_) => 5,
                ConstraintId::Grab => 6,
            }] += 1;
        }
        let counted = |(count, [one, many]): (usize, [&str; 2])| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            more => Some(format!("{more} {many}")),
        };
        let counted: Vec<_> = counts.into_iter().zip(KINDS).filter_map(counted).collect();
        let constraints = match counted.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => "the constraints".to_owned(),
        };
        format!("{constraints} between {}", listed(&self.bodies(), |&id| body(id)))
    }
}

/// The first of a list by name, and how many follow.
fn listed<T>(list: &[T], name: impl Fn(&T) -> String) -> String {
    let named: Vec<_> = list.iter().take(MOST_NAMED).map(name).collect();
    match list.len() - named.len() {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

/// By id.
impl fmt::Display for Unsolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(|id| format!("body {id}")))
    }
}
