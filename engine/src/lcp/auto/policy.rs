//! The policy of the solver `auto`: a table of rules, tried from top to bottom until one of them solves the island.
//!
//! Five methods take part, each for what it is good at:
//!
//! | method | good at | leaves |
//! |---|---|---|
//! | ldlt | equations alone, exactly, redundant ones included | everything else |
//! | newton | states that hold from the step before, or nearly: the least time at every size (`benches/solvers.rs`) | cycles where friction changes many states at once |
//! | homotopy | a few dozen contacts that change: as many pivots as there are changes | paths that are long or lead away |
//! | interior | any number of changes, since it needs no states to start from; proofs that there is no solution | folds of the central path, which are walked round at a cost |
//! | lemke | what is left, as long as its matrix can be stored; a ray says why forces may have no solution | large islands |
//!
//! In a pile that is struck, newton, homotopy and interior each fail on a tenth of the problems, and hardly two on the same.
//! So each is stopped early, where others are likely to be quicker; newton, homotopy and interior are later tried again with more
//! effort and from another start. `docs/solvers.md` measures what each method is worth; `driftlab list solvers` prints the table.

use crate::lcp::dense::lemke;
use crate::lcp::direct::equations;
use crate::lcp::homotopy::PathEffort;
use crate::lcp::info::SolverInfo;
use crate::lcp::interior::InteriorEffort;
use crate::lcp::newton::NewtonEffort;
use crate::lcp::problem::trail::Start;
use crate::lcp::{homotopy, interior, newton};
use std::fmt;

/// One attempt: on which islands it is made, from which λ, by which method with which effort, and why there.
pub(crate) struct Rule {
    pub when: Guard,
    pub from: Start,
    pub by: Method,
    reason: &'static str,
}

const fn rule(when: Guard, from: Start, by: Method, reason: &'static str) -> Rule {
    Rule { when, from, by, reason }
}

/// The rules, in their order.
pub(crate) static RULES: [Rule; 10] = {
    use Guard::*;
    use Method::*;
    use Start::*;
    [
        rule(EquationsAlone, Own, Ldlt, "exact, and redundant joints share the load"),
        rule(Any, WarmStart, Newton(FIRST_STEPS), "most steps are like the last, and end here"),
        rule(Friction, Best, Homotopy(FIRST_PATHS), "few states change: as few pivots"),
        rule(Any, WarmStart, Interior(TO_THE_FIRST_FOLD), "many states change at once"),
        rule(Far(FAR), Own, Proof, "without a solution all that follows is in vain"),
        rule(Sparse, Best, Homotopy(FROM_INSIDE), "begins where the central path has ended"),
        rule(RowsAbove(SMALL), Best, Homotopy(LAST_PATHS), "another κ, and another chance"),
        rule(Any, WarmStart, NewtonToTheEnd, "slow progress is progress"),
        rule(RowsAbove(SMALL), LastEnd, Interior(ROUND_ALL_FOLDS), "newton cycles among like states"),
        rule(RowsUpTo(TABLEAU), LastEnd, Lemke, "ends at a solution, or with a ray that says why"),
    ]
};

/// Newton's steps before another method is called, with friction and without. The next one takes 10 to 40 factorisations: with friction, where
/// steps may cycle, no more than that are worth a try; without, they cannot, and slow progress is still progress.
const FIRST_STEPS: [NewtonEffort; 2] = [
    NewtonEffort { factorisations: 20, stall: 3, ..NewtonEffort::FULL },
    NewtonEffort { factorisations: 40, stall: 7, ..NewtonEffort::FULL },
];
/// Most rows of a small island, 50 contacts with friction: where no impulse is known, Newton's steps take it up layer by layer as quickly as all
/// at once, and where newton has failed to its end, lemke costs less than the way round the folds.
pub(crate) const SMALL: usize = 100;
/// Rows per body from which an island is crowded: dozens of bodies lie on one another, in a pile a dozen. Paths of 2,100 pieces each
/// visit all rows.
pub(crate) const CROWD: usize = 40;
/// Paths from where Newton's steps have come to: those that end mostly do so within 200 pieces. Of 313 first paths in struck pyramids of
/// 210 boxes 88 were longer, 9 ms each; two thirds of these are known by their pace after 50 pieces, and so are 3 of the 61 that end later
/// than that.
const FIRST_PATHS: PathEffort =
    PathEffort { first: 200, pieces: 600, failures: 2, persistent: false, trial: 50, ..PathEffort::FULL };
/// The central path up to its first fold, and few of Newton's steps there: a piecewise linear path from that point takes less than
/// the way round the fold.
const TO_THE_FIRST_FOLD: InteriorEffort = InteriorEffort {
    factorisations: 1,
    crossover: NewtonEffort { factorisations: 10, ..InteriorEffort::FULL.crossover },
    ..InteriorEffort::FULL
};
/// A residual above this share of the problem's speed may be one that no λ removes: contradictions leave a share of the order of one.
/// Smaller ones are left to the proof with which newton ends. Where the rows ask for speeds, as those of `anitescu_hart` do, struck pyramids have
/// large residuals of friction alone: in a hundred throws 107 steps sought a proof, and none was found. In 80 of them the central path has met the rows
/// to within this share, and no proof is sought.
const FAR: f64 = 1e-3;
/// Paths from where the central path has ended. κ is small at first, since that point lies between the states and not on them: the smaller κ, the
/// shorter the paths. The hard problems of struck pyramids under `auto` take, in the median, 15 ms of 210 boxes under
/// `post_stabilization` and 132 ms of 820 under `none` with κ = 1e4, 14 and 115 with 1e3, 12 and 94 with 1e2, 13 and 86 with 10.
const FROM_INSIDE: PathEffort =
    PathEffort { kappa: 1e2, first: 200, pieces: 2000, failures: 8, persistent: true, ..PathEffort::FULL };
/// Newton's method to its end in islands of more than [`DENSE`] rows, where other methods follow: of piles that overlap it made its 1,500
/// factorisations in vain wherever 200 had not halved the residual.
pub(crate) const LAST_STEPS: NewtonEffort = NewtonEffort { stall: 200, ..NewtonEffort::FULL };
/// The central path round all its folds, where everything before has stalled near a solution. Bodies that touch at two points with
/// nearly equal normals leave rows of which only one can stick, and the others tell which by 1e-6 of the speed and less: methods that
/// go by states cycle among these, while the path takes a fold for each, some 400 factorisations for 55 boxes, 1000 for 210.
const ROUND_ALL_FOLDS: InteriorEffort = InteriorEffort { factorisations: 1500, ..InteriorEffort::FULL };
/// Paths from the best that is known: of twelve problems of 820 boxes that paths of 2,000 pieces had left they solve nine, 0.23 s each, where
/// newton takes 0.45 s for two of twelve and the folds 1.5 s for three of ten.
const LAST_PATHS: PathEffort =
    PathEffort { kappa: 1e4, first: 300, pieces: 8000, failures: 60, persistent: true, ..PathEffort::FULL };
/// Most rows of an island for which Lemke's method is tried, whose tableau is dense: 100 contacts. A pivot among twice as many takes
/// 2 ms, and of 26 such islands that nobody else had solved it solved none.
pub(crate) const TABLEAU: usize = 200;
/// Most rows of an island that is small enough to try everything, whatever is known about it: 200 contacts, twice [`TABLEAU`].
pub(crate) const DENSE: usize = 400;
/// Paths at the end of a solution by a method over the bodies, for what is left of its residual: from a solution they are short at a
/// large κ, which takes all but 1e-7 of the residual away.
pub(crate) const POLISH: PathEffort =
    PathEffort { kappa: 1e7, first: 60, pieces: 200, failures: 4, persistent: true, ..PathEffort::FULL };
/// Paths seek this share of the residual that counts as solved, so that rounding in the judgement does not undo it.
pub(crate) const SOUGHT: f64 = 0.1;

/// On which islands an attempt is made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Guard {
    /// On all.
    Any,
    /// Every row is an equation.
    EquationsAlone,
    /// There is friction, and it is not crowded.
    Friction,
    /// It is not crowded: fewer than [`CROWD`] rows for each of its bodies.
    Sparse,
    /// So many rows at most.
    RowsUpTo(usize),
    /// More rows than so many.
    RowsAbove(usize),
    /// The best residual is above this share of the problem's speed, standing still does not meet the rows, and every velocity on the
    /// central path missed them by more than that share as well.
    Far(f64),
}

/// What an attempt does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Method {
    /// The factorisation of the equations.
    Ldlt,
    /// Newton's steps, with so much effort where there is friction, and with so much without. From λ = 0 in an island of more than [`SMALL`] rows
    /// with friction, a pile's first step, all that touches is first taken as equations.
    Newton([NewtonEffort; 2]),
    /// Newton's method to its end, with its own proof of infeasibility and the least violation.
    NewtonToTheEnd,
    /// Piecewise linear paths.
    Homotopy(PathEffort),
    /// The central path.
    Interior(InteriorEffort),
    /// The interior point's proof that there is no solution, and then the least violation.
    Proof,
    /// Lemke's method to its end.
    Lemke,
}

impl Method {
    /// Whose method it is.
    pub const fn info(&self) -> &'static SolverInfo {
        match self {
            Self::Ldlt => &equations::INFO,
            Self::Newton(_) | Self::NewtonToTheEnd => &newton::INFO,
            Self::Homotopy(_) => &homotopy::INFO,
            Self::Interior(_) | Self::Proof => &interior::INFO,
            Self::Lemke => &lemke::INFO,
        }
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => write!(f, "any"),
            Self::EquationsAlone => write!(f, "equations alone"),
            Self::Friction => write!(f, "with friction, fewer than {CROWD} rows per body"),
            Self::Sparse => write!(f, "fewer than {CROWD} rows per body"),
            Self::RowsUpTo(most) => write!(f, "up to {most} rows"),
            Self::RowsAbove(few) => write!(f, "more than {few} rows"),
            Self::Far(share) => {
                write!(
                    f,
                    "residual, and violation on the central path, above {share:e} of the speed, and standing still is no solution"
                )
            }
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ldlt => write!(f, "one factorisation"),
            Self::NewtonToTheEnd => {
                write!(f, "to its end: {}, ", NewtonEffort::FULL)?;
                write!(
                    f,
                    "in more than {DENSE} rows at most {} in which the residual does not halve; ",
                    LAST_STEPS.stall
                )?;
                write!(f, "then a proof of its own")
            }
            Self::Newton([friction, without]) => write!(f, "{friction}; without friction {without}"),
            Self::Homotopy(effort) => write!(f, "{effort}"),
            Self::Interior(effort) => write!(f, "{effort}"),
            Self::Proof => write!(f, "proof of infeasibility, then the least violation"),
            Self::Lemke => write!(f, "to its end"),
        }
    }
}

/// A rule of the policy of `auto`, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyRow {
    /// On which islands the attempt is made.
    pub when: String,
    /// Which λ it starts from.
    pub from: &'static str,
    /// Key of the solver.
    pub solver: &'static str,
    /// How long it goes on.
    pub effort: String,
    /// Why it is made there.
    pub reason: &'static str,
}

/// The policy of `auto`: its rules in their order. The first attempt that solves an island ends it.
pub fn policy() -> impl Iterator<Item = PolicyRow> {
    RULES.iter().map(|rule| PolicyRow {
        when: rule.when.to_string(),
        from: rule.from.words(),
        solver: rule.by.info().key,
        effort: rule.by.to_string(),
        reason: rule.reason,
    })
}
