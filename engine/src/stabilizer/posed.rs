//! A problem posed where the one solved last stands: only what is another is written, and whether anything is.
//!
//! A pile at rest poses the same rows in every step. Each is compared with the one that stands in its place; while W, v* and all rows so far agree to
//! the bit, nothing is written or copied, and at the end the problem is the one that was solved last, which `answer.rs` asks. From the
//! first difference on, be it v* of one body, rows are written without a comparison.

use crate::lcp::{MixedProblem, MixedRow};
use glam::DVec3;

/// A problem, complete once [`Posed::end`] has been called.
#[derive(Debug, Default)]
pub(super) struct Posed {
    mixed: MixedProblem,
    /// So many rows have been posed.
    next: usize,
    /// Whether bodies and rows are those that were solved last.
    intact: bool,
    /// The rounding, by its bits, and whether bodies come to rest, of what was solved last.
    solved: (u64, bool),
}

impl Posed {
    /// Begins a problem about bodies with W = `weight` that move with `free`; none: that are at rest.
    pub fn begin(&mut self, weight: &[DVec3], free: Option<&[DVec3]>) {
        let Self { mixed, next, intact, .. } = self;
        *next = 0;
        let same = |x: &[DVec3], y: &[DVec3]| {
            x.len() == y.len()
                && x.iter()
                    .zip(y)
                    .all(|(x, y)| x.to_array().map(f64::to_bits) == y.to_array().map(f64::to_bits))
        };
        let rests = |v: &DVec3| v.to_array().map(f64::to_bits) == [0; 3];
        *intact = *intact
            && same(&mixed.weight, weight)
            && free.map_or_else(|| mixed.free.iter().all(rests), |free| same(&mixed.free, free));
        if !*intact {
            mixed.weight.clear();
            mixed.weight.extend_from_slice(weight);
            mixed.free.clear();
            match free {
                Some(free) => mixed.free.extend_from_slice(free),
                None => mixed.free.resize(weight.len(), DVec3::ZERO),
            }
        }
        (mixed.rounding, mixed.rests) = (0.0, false);
    }

    /// The next row.
    #[inline(always)]
    pub fn pose(&mut self, row: MixedRow) {
        match self.mixed.rows.get_mut(self.next) {
            Some(last) if self.intact && last.is_to_the_bit(&row) => {}
            Some(last) => {
                *last = row;
                self.intact = false;
            }
            None => {
                self.mixed.rows.push(row);
                self.intact = false;
            }
        }
        self.next += 1;
    }

    /// The next rows.
    pub fn pose_all(&mut self, rows: impl Iterator<Item = MixedRow>) {
        rows.for_each(|row| self.pose(row));
    }

    /// The first `count` rows stay as they are.
    pub fn leave(&mut self, count: usize) {
        self.next = count;
    }

    /// How many rows have been posed.
    pub fn len(&self) -> usize {
        self.next
    }

    /// All rows have been posed.
    pub fn end(&mut self) {
        if self.next < self.mixed.rows.len() {
            self.mixed.rows.truncate(self.next);
            self.intact = false;
        }
    }

    /// What the right-hand sides are rounded by.
    pub fn round_by(&mut self, rounding: f64) {
        self.mixed.rounding = rounding;
    }

    /// Says that bodies come to rest.
    pub fn let_rest(&mut self) {
        self.mixed.rests = true;
    }

    /// The problem. Until its end, rows behind those posed are older ones.
    pub fn mixed(&self) -> &MixedProblem {
        &self.mixed
    }

    /// The problem, to be changed.
    pub fn change(&mut self) -> &mut MixedProblem {
        self.intact = false;
        &mut self.mixed
    }

    /// Whether it is to the bit the problem of the last [`Posed::note_solved`].
    pub fn is_solved(&self) -> bool {
        self.intact && self.terms() == self.solved
    }

    /// It has been solved.
    pub fn note_solved(&mut self) {
        (self.intact, self.solved) = (true, self.terms());
    }

    fn terms(&self) -> (u64, bool) {
        (self.mixed.rounding.to_bits(), self.mixed.rests)
    }
}
