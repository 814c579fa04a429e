//! Whose problem a step could not solve.

use super::ConstraintId;
use crate::lcp::{MixedError, Trail};
use std::fmt;

/// Most bodies, and most constraints, that a message names; it counts the others.
const MOST_NAMED: usize = 6;

/// The island at which a solve failed, or the rows whose numbers are not finite: bodies that rows connect with each other, and the solvers that were tried on it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Unsolved {
    /// Key of the solver that was asked for.
    pub asked: &'static str,
    /// Number of its scalar rows.
    pub rows: usize,
    /// Whether one of them slides in a given direction: forces may then have no solution, as impulses always do.
    pub slides: bool,
    /// Its constraints, each with the indices of its bodies, in the order of the rows.
    pub concerned: Vec<(ConstraintId, [usize; 2])>,
    /// The attempts.
    pub trail: Trail,
}

impl Unsolved {
    /// The indices of its bodies, ascending.
    pub fn bodies(&self) -> Vec<usize> {
        let mut bodies: Vec<_> = self.concerned.iter().flat_map(|(_, bodies)| *bodies).collect();
        bodies.sort_unstable();
        bodies.dedup();
        bodies
    }

    /// What goes on where forces of sliding contacts have no solution, or none was found on any path; else nothing.
    pub fn goes_on(&self, error: &MixedError) -> &'static str {
        match error {
            MixedError::Ray { .. } | MixedError::NoSolution { .. } if self.slides => {
                "; at the acceleration level sliding friction may leave no solution (Painlevé's paradox), while impulses have one: \
                 a scheme at the velocity level, such as anitescu_hart, goes on"
            }
            _ => "",
        }
    }

    /// In words: bodies and constraints as the caller names them, the solver asked for, and the attempts.
    pub fn words(
        &self,
        body: impl Fn(usize) -> String,
        constraint: impl Fn(ConstraintId, [usize; 2]) -> String,
    ) -> String {
        let bodies = listed(&self.bodies(), |&index| body(index));
        let constraints = listed(&self.concerned, |&(id, bodies)| constraint(id, bodies));
        let mut text =
            format!("asked for '{}'; {} rows between {bodies}: {constraints}", self.asked, self.rows);
        if !self.trail.attempts().is_empty() {
            text += &format!("; tried: {}", self.trail);
        }
        text
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

/// By index.
impl fmt::Display for Unsolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let constraint = |id: ConstraintId, _| match id {
            ConstraintId::Joint(index) => format!("joint {index}"),
            ConstraintId::Nonholonomic(index) => format!("velocity constraint {index}"),
            ConstraintId::Spring(index) => format!("spring {index}"),
            ConstraintId::Grab => "mouse".to_owned(),
            ConstraintId::Motor(index) => format!("motor of joint {index}"),
            ConstraintId::LowerLimit(index) => format!("lower limit of joint {index}"),
            ConstraintId::UpperLimit(index) => format!("upper limit of joint {index}"),
            ConstraintId::Contact(_) => "contact".to_owned(),
        };
        write!(f, "{}", self.words(|index| format!("body {index}"), constraint))
    }
}
