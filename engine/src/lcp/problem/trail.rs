//! The trail of a solve: the solvers tried on an island, their starts, iterations and residuals, and why each attempt ended.

use std::fmt;

/// Most attempts that are kept; the solver `auto` makes fewer.
const MOST: usize = 16;

/// Why an attempt ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Ending {
    /// It found a solution.
    #[default]
    Solved,
    /// The problem has no solution, and this is its least violation.
    LeastViolation,
    /// No solution was found, and none is excluded; the rows are violated as little as their regularisation allows.
    Yielded,
    /// The residual is more than 1e-9 of the problem's speed: the rounding of impulses between bodies of very unequal masses.
    Nearly,
    /// Its effort was bounded, and what it left is accepted although it is no solution.
    Approximate,
    /// Sweeps have reached the tolerance that was set, which is larger than what counts as solved.
    WithinTolerance,
    /// It proved that the problem has no solution.
    Infeasible,
    /// It looked for the proof that the problem has no solution, and found none.
    Unproved,
    /// It proved that every solution changes a velocity by more than ten times the problem's speed.
    OutOfReach,
    /// The residual no longer fell.
    Stalled,
    /// Its pivots, factorisations or pieces were used up.
    OutOfIterations,
    /// A path did not lead to its end, or turned back for good.
    PathLost,
    /// A path ended on a ray that proves nothing.
    Ray,
    /// Rounding spoilt the final basis.
    Inaccurate,
    /// The method does not apply to the problem, which may have turned out on the way.
    Refused,
}

impl Ending {
    /// Its name in JSON.
    pub fn key(self) -> &'static str {
        self.names()[0]
    }

    /// Its name in the trail's column of a CSV, where all ways to fail are `left`.
    fn brief_key(self) -> &'static str {
        match self {
            Self::Solved
            | Self::LeastViolation
            | Self::Yielded
            | Self::Nearly
            | Self::Approximate
            | Self::WithinTolerance
            | Self::Infeasible => self.key(),
            _ => "left",
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        self.names()[1]
    }

    fn names(self) -> [&'static str; 2] {
        match self {
            Self::Solved => ["solved", "solved"],
            Self::LeastViolation => ["least_violation", "least violation"],
            Self::Yielded => ["yielded", "least violation, unproved"],
            Self::Nearly => ["nearly", "nearly solved"],
            Self::Approximate => ["approximate", "approximate"],
            Self::WithinTolerance => ["within_tolerance", "within the tolerance that was set"],
            Self::Infeasible => ["infeasible", "proved infeasible"],
            Self::Unproved => ["unproved", "no proof found"],
            Self::OutOfReach => ["out_of_reach", "no solution within reach"],
            Self::Stalled => ["stalled", "stalled"],
            Self::OutOfIterations => ["out_of_iterations", "out of iterations"],
            Self::PathLost => ["path_lost", "path lost"],
            Self::Ray => ["ray", "ray"],
            Self::Inaccurate => ["inaccurate", "spoilt by rounding"],
            Self::Refused => ["refused", "refused"],
        }
    }
}

/// Which λ an attempt starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Start {
    /// One of its own, or none at all.
    #[default]
    Own,
    /// The warm start.
    WarmStart,
    /// The λ with the least residual that the attempt before has visited.
    Best,
    /// The λ left by the last attempt that ran to its end.
    LastEnd,
}

impl Start {
    /// Its name in JSON.
    pub fn key(self) -> &'static str {
        self.names()[0]
    }

    /// In words.
    pub fn words(self) -> &'static str {
        self.names()[1]
    }

    fn names(self) -> [&'static str; 2] {
        match self {
            Self::Own => ["own", "its own start"],
            Self::WarmStart => ["warm_start", "the warm start"],
            Self::Best => ["best", "the best so far"],
            Self::LastEnd => ["last_end", "the last end"],
        }
    }
}

/// One attempt.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Attempt {
    /// Key of the solver.
    pub solver: &'static str,
    /// The λ that it started from.
    pub from: Start,
    /// Pivots, factorisations or sweeps.
    pub iterations: usize,
    /// The residual at its end as a share of the problem's speed, at most; below 1e-9 is solved. Absent where the method has no λ
    /// to show.
    pub residual: Option<f64>,
    /// Why it ended.
    pub ending: Ending,
}

/// The attempts on one island, in their order. Prints as `newton: stalled after 23 at 1.2e-3, homotopy: solved after 12`.
#[derive(Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct Trail {
    /// Those beyond `count` are the default, so that equal trails compare equal.
    attempts: [Attempt; MOST],
    count: usize,
}

/// The attempts that were made.
#[cfg(feature = "serde")]
impl serde::Serialize for Trail {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.attempts())
    }
}

/// Lists the attempts that were made.
impl fmt::Debug for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.attempts()).finish()
    }
}

impl Trail {
    /// The attempts.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts[..self.count]
    }

    /// Returns the trail of a single attempt.
    pub(crate) fn of(solver: &'static str, iterations: usize) -> Self {
        let mut trail = Self::default();
        trail.add(Attempt { solver, iterations, ..Attempt::default() });
        trail
    }

    /// All iterations together.
    pub fn iterations(&self) -> usize {
        self.attempts().iter().map(|attempt| attempt.iterations).sum()
    }

    /// For a column of a CSV: `newton:23:left homotopy:12:solved`.
    pub fn brief(&self) -> String {
        let brief = |own: &Attempt| format!("{}:{}:{}", own.solver, own.iterations, own.ending.brief_key());
        self.attempts().iter().map(brief).collect::<Vec<_>>().join(" ")
    }

    /// Whether it has more attempts, or as many and more iterations.
    pub fn is_longer_than(&self, other: &Self) -> bool {
        let length = |trail: &Self| (trail.count, trail.iterations());
        length(self) > length(other)
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn add(&mut self, attempt: Attempt) {
        if let Some(place) = self.attempts.get_mut(self.count) {
            *place = attempt;
            self.count += 1;
        }
    }

    /// Whether the last attempt has left an approximate solution.
    pub(crate) fn is_approximate(&self) -> bool {
        self.attempts().last().is_some_and(|last| last.ending == Ending::Approximate)
    }

    /// Marks the last attempt as one that violates rows without a proof, with this residual.
    pub(crate) fn yielded(&mut self, residual: f64) {
        if let Some(last) = self.attempts[..self.count].last_mut() {
            (last.ending, last.residual) = (Ending::Yielded, known(residual));
        }
    }

    /// Marks the last attempt's solution as leaving more than counts as solved, or as not finite.
    pub(crate) fn left(&mut self, ending: Ending) {
        if let Some(last) = self.attempts[..self.count].last_mut()
            && last.ending == Ending::Solved
        {
            last.ending = ending;
        }
    }

    /// Sets the residual of the last attempt, once its λ has been judged. A residual that is not finite is no solution.
    pub(crate) fn judge(&mut self, residual: f64) {
        if let Some(last) = self.attempts[..self.count].last_mut() {
            last.residual = known(residual);
        }
        if !residual.is_finite() {
            self.left(Ending::Inaccurate);
        }
    }
}

/// Returns the residual, unless it is not finite.
pub(crate) fn known(residual: f64) -> Option<f64> {
    residual.is_finite().then_some(residual)
}

impl fmt::Display for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, attempt) in self.attempts().iter().enumerate() {
            let Attempt { solver, iterations, residual, ending, .. } = *attempt;
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{solver}: {} after {iterations}", ending.words())?;
            if let (Some(residual), false) = (residual, ending == Ending::Solved) {
                write!(f, " at {residual:.1e}")?;
            }
        }
        Ok(())
    }
}
