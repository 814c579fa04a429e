//! The rows of hinges that a problem was solved for stay where they stand; of the next ones only the arms and the right-hand sides are
//! others, and these are kept beside them, half a hundred bytes a hinge instead of two hundred, until somebody asks for the rows.

use crate::constraint::{Row, Rows};
use crate::lcp::{MixedProblem, MixedRow, PinRows};
use crate::model::Edition;
use std::borrow::Cow;

/// The rows that a problem begins with, where they are those of hinges.
#[derive(Debug, Default)]
pub(super) struct Standing {
    /// The world whose hinges' rows the problem begins with, and how many of them have stood there since it was last solved.
    hinges: Edition,
    count: usize,
    /// What is other in them now, by hinge; while nothing is, none.
    ahead: Vec<PinRows>,
}

impl Standing {
    /// How many rows the next problem can take over, before its joints are posed. What they asked for last is of no more use.
    pub fn begin(&mut self) -> usize {
        self.ahead.clear();
        self.count
    }

    /// Poses joints with the right-hand side `bias`, if those of `posed` are the rows of the same hinges.
    pub fn pose(&mut self, rows: &Rows, posed: &[MixedRow], bias: impl Fn(&Row) -> f64) -> bool {
        let count = std::mem::take(&mut self.count);
        let stand = rows.are_of(&mut self.hinges) && [count, posed.len()] == [rows.joints().len(); 2];
        let Some(hinges) = rows.hinges().filter(|_| stand) else { return false };
        self.count = count;
        self.ahead.extend(hinges.iter().map(|[x, y]| PinRows {
            a: [x.ja.z, y.ja.z],
            b: [x.jb.z, y.jb.z],
            bias: [bias(x), bias(y)],
        }));
        true
    }

    /// Rows have been solved of which the first `count` may stand where they are.
    pub fn keep(&mut self, count: usize) {
        self.count = count;
    }

    /// The rows are to be written anew.
    pub fn forget(&mut self) {
        self.count = 0;
    }

    /// What is other in `rows` now, by hinge, if these are all the rows.
    pub fn ahead_of_all(&self, rows: &[MixedRow]) -> Option<&[PinRows]> {
        (!self.ahead.is_empty() && 2 * self.ahead.len() == rows.len()).then_some(&self.ahead)
    }

    /// Writes it into them.
    pub fn settle(&mut self, rows: &mut [MixedRow]) {
        write(&self.ahead, rows);
        self.ahead.clear();
    }

    /// The problem with it.
    pub fn settled<'a>(&self, problem: &'a MixedProblem) -> Cow<'a, MixedProblem> {
        if self.ahead.is_empty() {
            return Cow::Borrowed(problem);
        }
        let mut problem = problem.clone();
        write(&self.ahead, &mut problem.rows);
        Cow::Owned(problem)
    }
}

fn write(ahead: &[PinRows], rows: &mut [MixedRow]) {
    ahead.iter().zip(rows.as_chunks_mut::<2>().0).for_each(|(ahead, rows)| ahead.write(rows));
}
