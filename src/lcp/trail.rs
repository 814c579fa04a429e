//! The trail of a solve: who was tried, in which order, how long, and how each attempt ended.

use std::fmt;

/// Most attempts that are kept; `auto` makes fewer.
const MOST: usize = 12;

/// How an attempt ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// With a solution.
    #[default]
    Solved,
    /// With the proof that there is no solution.
    Infeasible,
    /// With the least violation of a problem that has none.
    LeastViolation,
    /// Without one: the residual stayed too large, the path ended on a ray, or the method refused the problem.
    Left,
}

impl Ending {
    /// Its name in files.
    pub fn key(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Infeasible => "infeasible",
            Self::LeastViolation => "least_violation",
            Self::Left => "left",
        }
    }
}

/// One attempt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attempt {
    /// Key of the solver.
    pub solver: &'static str,
    /// Pivots, factorisations or sweeps.
    pub iterations: usize,
    /// How it ended.
    pub ending: Ending,
}

/// The attempts on one problem, in their order. Prints as `newton:23:left dantzig:12:solved`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    attempts: [Attempt; MOST],
    count: usize,
}

impl Trail {
    /// The attempts.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts[..self.count]
    }

    /// One attempt, that of the only method there was.
    pub(crate) fn of(solver: &'static str, iterations: usize) -> Self {
        let mut trail = Self::default();
        trail.add(solver, iterations, Ending::Solved);
        trail
    }

    /// All iterations together.
    pub fn iterations(&self) -> usize {
        self.attempts().iter().map(|attempt| attempt.iterations).sum()
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn add(&mut self, solver: &'static str, iterations: usize, ending: Ending) {
        if let Some(place) = self.attempts.get_mut(self.count) {
            *place = Attempt { solver, iterations, ending };
            self.count += 1;
        }
    }

    /// The longer of two, the first where they are alike.
    pub(crate) fn longer(self, other: Self) -> Self {
        let length = |trail: &Self| (trail.count, trail.iterations());
        if length(&other) > length(&self) { other } else { self }
    }
}

impl fmt::Display for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Attempt { solver, iterations, ending }) in self.attempts().iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            write!(f, "{space}{solver}:{iterations}:{}", ending.key())?;
        }
        Ok(())
    }
}
