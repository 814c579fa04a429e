//! Rows of hinges, reused from one solve to the next: only their lever arms and right-hand sides change.
//!
//! ```text
//! J = [ −1  0   z_a,x | 1  0  z_b,x ]        z: the third columns, m
//!     [  0 −1   z_a,y | 0  1  z_b,y ]        J v + b = 0, b in m/s
//! ```
//!
//! The rows of two hinges differ in z and b alone. While the joints of a world stay the same, these 48 bytes of a hinge are kept in a list
//! of their own, from which `lcp/delassus/pins.rs` solves and the ledger reads. The 208 bytes of its two rows keep older numbers, and are updated
//! when they are read: by another solver, a record, a failure.

use super::posed::Posed;
use crate::constraint::{Row, Rows};
use crate::lcp::{MixedProblem, MixedRow, PinRows};
use crate::model::Edition;
use std::borrow::Cow;

/// The hinges' rows with which a problem begins.
#[derive(Debug, Default)]
pub(super) struct Standing {
    /// The edition of the world whose hinges these are.
    hinges: Edition,
    /// How many rows of the last problem that was solved can be reused.
    count: usize,
    /// z and b by hinge, where the rows have not been updated; else empty.
    latest: Vec<PinRows>,
}

impl Standing {
    /// Begins a new problem.
    pub fn begin(&mut self) {
        self.latest.clear();
    }

    /// Poses the joints with the right-hand sides `bias`, if the first of the `standing` rows of the last problem are those of the same hinges;
    /// returns whether they are.
    pub fn pose(&mut self, rows: &Rows, standing: usize, bias: impl Fn(&Row) -> f64) -> bool {
        let count = std::mem::take(&mut self.count);
        let reusable = rows.are_of(&mut self.hinges) && count == rows.joints().len() && count <= standing;
        let Some(hinges) = rows.hinges().filter(|_| reusable) else { return false };
        self.count = count;
        self.latest.extend(hinges.iter().map(|[x, y]| PinRows {
            a: [x.ja.z, y.ja.z],
            b: [x.jb.z, y.jb.z],
            bias: [bias(x), bias(y)],
        }));
        true
    }

    /// The first `count` rows have been solved, and can be reused.
    pub fn keep(&mut self, count: usize) {
        self.count = count;
    }

    /// The rows cannot be reused.
    pub fn forget(&mut self) {
        self.count = 0;
    }

    /// z and b by hinge, if `rows` are those of the hinges alone and have not been updated.
    pub fn latest_of_all(&self, rows: &[MixedRow]) -> Option<&[PinRows]> {
        (!self.latest.is_empty() && 2 * self.latest.len() == rows.len()).then_some(&self.latest)
    }

    /// Updates the rows.
    pub fn update(&mut self, posed: &mut Posed) {
        if !self.latest.is_empty() {
            write(&self.latest, &mut posed.change().rows);
            self.latest.clear();
        }
    }

    /// The problem with its rows updated.
    pub fn updated<'a>(&self, problem: &'a MixedProblem) -> Cow<'a, MixedProblem> {
        if self.latest.is_empty() {
            return Cow::Borrowed(problem);
        }
        let mut problem = problem.clone();
        write(&self.latest, &mut problem.rows);
        Cow::Owned(problem)
    }
}

fn write(latest: &[PinRows], rows: &mut [MixedRow]) {
    latest.iter().zip(rows.as_chunks_mut::<2>().0).for_each(|(latest, rows)| latest.write(rows));
}
