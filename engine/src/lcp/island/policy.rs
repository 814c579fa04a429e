//! The policy of the solver `auto`: a table of attempts, made from top to bottom until one of them solves the island.
//!
//! `driftlab list solvers` prints the table. The reason for its order is what each method is good at:
//!
//! | method | good at | leaves |
//! |---|---|---|
//! | newton | states that hold from the step before, or nearly: the least time at every size (`benches/solvers.rs`) | cycles where friction changes many states at once |
//! | dantzig | small islands: exact, ends where another order of the rows leads round what stopped the first | a cost that grows with the cube of the rows |
//! | homotopy | a few dozen contacts that change: as many pivots as there are changes | paths that are long or lead away |
//! | interior | any number of changes, since it needs no states to start from | folds of the central path, which are walked round at a cost |
//! | proof | problems without a solution, or with none within reach, which no other method can end | nothing else |
//! | lemke | what is left, as long as its matrix can be stored | large islands |
//! | lemke, rows that yield | problems on whose path lemke meets a ray (`yielding.rs`) | nothing else |
//!
//! In a pile that is struck, newton, homotopy and interior each fail on a tenth of the problems, and hardly two on the same.
//! So each is stopped early, where others are likely to be quicker; newton and homotopy are later tried again with more effort
//! and from another start. `docs/solvers.md` measures what each attempt is worth.

use crate::lcp::bodies::homotopy::PathEffort;
use crate::lcp::bodies::interior::InteriorEffort;
use crate::lcp::bodies::newton::NewtonEffort;
use crate::lcp::bodies::{homotopy, interior, newton};
use crate::lcp::delassus::equations;
use crate::lcp::dense::{dantzig, lemke};
use crate::lcp::info::SolverInfo;
use crate::lcp::mixed::trail::Start;
use std::fmt;

/// One attempt: when it is made, from which λ, by which method with which effort.
pub(super) struct Attempt {
    pub when: Guard,
    pub from: Start,
    pub by: Method,
}

/// On which islands an attempt is made.
#[derive(Clone, Copy, Debug)]
pub(super) enum Guard {
    /// It is crowded: so many rows for each of its bodies, or more.
    Crowded(usize),
    /// It is not.
    NotCrowded(usize),
    /// Every row is an equation.
    EquationsAlone,
    /// There is friction.
    Friction,
    /// There is none.
    NoFriction,
    /// So many rows at most.
    RowsUpTo(usize),
    /// More rows than so many.
    RowsAbove(usize),
    /// More rows than so many, with friction, and λ = 0 is all that is known: a first step.
    ColdAbove(usize),
    /// There is friction, and no proof yet that the island has no solution.
    FrictionUnproved,
    /// The opposite of the guard before.
    NoFrictionOrProved,
    /// There is no proof yet that the island has no solution.
    Unproved,
    /// It is proved that the island has no solution; or the best residual is above this share of the problem's speed, standing still does not
    /// meet the rows, and every velocity on the central path missed them by more than that share as well.
    ProvedOrAbove(f64),
}

/// What an attempt does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Method {
    /// The factorisation of the equations.
    Ldlt,
    /// All that touches as equations.
    Sticking,
    /// Newton's steps.
    Newton(NewtonEffort),
    /// Newton's method to its end, with its own proof of infeasibility and the least violation.
    NewtonToTheEnd,
    /// Dantzig's method to its end.
    Dantzig,
    /// Piecewise linear paths.
    Homotopy(PathEffort),
    /// The central path.
    Interior(InteriorEffort),
    /// The interior point's proof that there is no solution, and then the least violation.
    Proof,
    /// Lemke's method to its end.
    Lemke,
    /// Rows that yield, by Lemke's method, and that yield no more in the end.
    Yielding,
}

/// Newton's steps before another method is called. The next one takes 10 to 40 factorisations: with friction, where steps may
/// cycle, no more than that are worth a try; without, they cannot, and slow progress is still progress.
const FIRST_STEPS: [NewtonEffort; 2] = [
    NewtonEffort { factorisations: 20, stall: 3, ..NewtonEffort::FULL },
    NewtonEffort { factorisations: 40, stall: 7, ..NewtonEffort::FULL },
];
/// Rows per body of a crowded island, in which dozens of bodies lie on one another; in a pile there are a dozen. Newton's steps and the
/// central path come there before anything else, and behind them Newton's steps to their end: paths of 2,100 pieces each visit all rows.
const CROWD: usize = 40;
/// Of 300 disks at one place, 89,700 rows, newton takes 23 factorisations; where they lie near one another, hundreds.
const CROWDED_STEPS: NewtonEffort = NewtonEffort { factorisations: 30, ..NewtonEffort::FULL };
/// The central path of a crowd. A body there has to get away from hundreds of others, many times as fast as one row alone asks: it begins with
/// a hundred times the impulse that each row would take alone, and with ten times its speed. Where the path ends short, it is near enough
/// for newton: of 300 disks within 1 mm over a floor, 1,821 factorisations become 281.
const CROWDED_PATH: InteriorEffort = InteriorEffort { impulse: 1e2, speed: 1e1, ..InteriorEffort::FULL };
/// Most rows of an island in which Dantzig's method, whose cost grows with their cube, comes before the methods over the bodies:
/// 50 contacts with friction.
const SMALL: usize = 100;
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
/// to within this share, and no proof is sought any more.
const FAR: f64 = 1e-3;
/// Paths from where the central path has ended. κ is small at first, since that point lies between the states and not on them: the smaller κ, the
/// shorter the paths. The hard problems of struck pyramids under `auto` take, in the median, 15 ms of 210 boxes under
/// `post_stabilization` and 132 ms of 820 under `none` with κ = 1e4, 14 and 115 with 1e3, 12 and 94 with 1e2, 13 and 86 with 10.
const FROM_INSIDE: PathEffort =
    PathEffort { kappa: 1e2, first: 200, pieces: 2000, failures: 8, persistent: true, ..PathEffort::FULL };
/// The central path round all its folds, where everything before has stalled near a solution. Bodies that touch at two points with
/// nearly equal normals leave rows of which only one can stick, and the others tell which by 1e-6 of the speed and less: methods that
/// go by states cycle among these, while the path takes a fold for each, some 400 factorisations for 55 boxes, 1000 for 210.
const ROUND_ALL_FOLDS: InteriorEffort = InteriorEffort { factorisations: 1500, ..InteriorEffort::FULL };
/// Newton's method to its end in islands of more than [`DENSE`] rows, where other methods follow: of piles that overlap it made its 1,500
/// factorisations in vain wherever 200 had not halved the residual.
pub(super) const LAST_STEPS: NewtonEffort = NewtonEffort { stall: 200, ..NewtonEffort::FULL };
/// Paths from the best that is known. In islands of more than [`DENSE`] rows they come before newton's method to its end and the way round all
/// folds as well: of twelve problems of 820 boxes that paths of 2,000 pieces had left they solve nine, 0.23 s each, where newton takes 0.45 s
/// for two of twelve and the folds 1.5 s for three of ten.
const LAST_PATHS: PathEffort =
    PathEffort { kappa: 1e4, first: 300, pieces: 8000, failures: 60, persistent: true, ..PathEffort::FULL };
/// Most rows of an island for which Lemke's method is tried, whose tableau is dense: 100 contacts. A pivot among twice as many takes
/// 2 ms, and of 26 such islands that nobody else had solved it solved none.
pub(super) const TABLEAU: usize = 200;
/// Most rows of an island in which rows that yield are an attempt of their own, in the step and in each of its parts: two runs of Lemke's
/// method, 0.1 s each among 200 rows. Larger islands, up to [`TABLEAU`], get the same at the end, where the parts have failed as well
/// (`Yielding::least`): of 15 bodies with 204 rows, no solution and no proof, steps took 2.2 s, half of it in these attempts, all in vain.
const YIELDING: usize = SMALL;
/// Most rows of an island that is small enough to try everything, whatever is known about it: 200 contacts.
pub(super) const DENSE: usize = 400;

/// Paths at the end of a solution by a method over the bodies, for what is left of its residual.
pub(super) const POLISH: PathEffort =
    PathEffort { kappa: 1e7, first: 60, pieces: 200, failures: 4, persistent: true, ..PathEffort::FULL };
/// Paths seek this share of the residual that counts as solved.
pub(super) const SOUGHT: f64 = 0.1;

/// The attempts, in their order.
pub(super) static ATTEMPTS: [Attempt; 19] = {
    use Guard::*;
    use Method::*;
    use Start::*;
    [
        Attempt { when: EquationsAlone, from: Own, by: Ldlt },
        Attempt { when: Crowded(CROWD), from: WarmStart, by: Newton(CROWDED_STEPS) },
        Attempt { when: Crowded(CROWD), from: WarmStart, by: Interior(CROWDED_PATH) },
        Attempt { when: Crowded(CROWD), from: Best, by: NewtonToTheEnd },
        Attempt { when: ColdAbove(SMALL), from: WarmStart, by: Sticking },
        Attempt { when: Friction, from: WarmStart, by: Newton(FIRST_STEPS[0]) },
        Attempt { when: NoFriction, from: WarmStart, by: Newton(FIRST_STEPS[1]) },
        Attempt { when: RowsUpTo(SMALL), from: WarmStart, by: Dantzig },
        Attempt { when: FrictionUnproved, from: Best, by: Homotopy(FIRST_PATHS) },
        Attempt { when: FrictionUnproved, from: WarmStart, by: Interior(TO_THE_FIRST_FOLD) },
        Attempt { when: NoFrictionOrProved, from: Best, by: Interior(TO_THE_FIRST_FOLD) },
        Attempt { when: ProvedOrAbove(FAR), from: Own, by: Proof },
        Attempt { when: Unproved, from: Best, by: Homotopy(FROM_INSIDE) },
        Attempt { when: RowsAbove(DENSE), from: Best, by: Homotopy(LAST_PATHS) },
        Attempt { when: NotCrowded(CROWD), from: WarmStart, by: NewtonToTheEnd },
        Attempt { when: RowsAbove(SMALL), from: LastEnd, by: Interior(ROUND_ALL_FOLDS) },
        Attempt { when: RowsAbove(SMALL), from: Best, by: Homotopy(LAST_PATHS) },
        Attempt { when: RowsUpTo(TABLEAU), from: LastEnd, by: Lemke },
        Attempt { when: RowsUpTo(YIELDING), from: Own, by: Yielding },
    ]
};

impl Method {
    /// Whose method it is.
    pub fn info(&self) -> &'static SolverInfo {
        match self {
            Self::Ldlt => &equations::INFO,
            Self::Sticking | Self::Newton(_) | Self::NewtonToTheEnd => &newton::INFO,
            Self::Dantzig => &dantzig::INFO,
            Self::Homotopy(_) => &homotopy::INFO,
            Self::Interior(_) | Self::Proof => &interior::INFO,
            Self::Lemke | Self::Yielding => &lemke::INFO,
        }
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crowded(rows) => write!(f, "crowded: {rows} rows per body and more"),
            Self::NotCrowded(rows) => write!(f, "fewer than {rows} rows per body"),
            Self::EquationsAlone => write!(f, "equations alone"),
            Self::Friction => write!(f, "with friction"),
            Self::NoFriction => write!(f, "without friction"),
            Self::RowsUpTo(most) => write!(f, "up to {most} rows"),
            Self::RowsAbove(few) => write!(f, "more than {few} rows"),
            Self::ColdAbove(few) => write!(f, "with friction, more than {few} rows, no warm start"),
            Self::FrictionUnproved => write!(f, "with friction, not proved infeasible"),
            Self::NoFrictionOrProved => write!(f, "without friction, or proved infeasible"),
            Self::Unproved => write!(f, "not proved infeasible"),
            Self::ProvedOrAbove(share) => {
                write!(
                    f,
                    "proved infeasible; or residual, and violation on the central path, above {share:e} of the speed, and \
                     standing still is no solution"
                )
            }
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ldlt => write!(f, "one factorisation"),
            Self::Sticking => write!(f, "all that touches as equations"),
            Self::Newton(effort) => write!(f, "{effort}"),
            Self::NewtonToTheEnd => {
                write!(f, "to its end: {}, ", NewtonEffort::FULL)?;
                write!(
                    f,
                    "in more than {DENSE} rows at most {} in which the residual does not halve; ",
                    LAST_STEPS.stall
                )?;
                write!(f, "then a proof of its own")
            }
            Self::Dantzig => write!(f, "to its end, in six orders of the rows"),
            Self::Homotopy(effort) => write!(f, "{effort}"),
            Self::Interior(effort) => write!(f, "{effort}"),
            Self::Proof => write!(f, "proof of infeasibility, then the least violation"),
            Self::Lemke => write!(f, "to its end"),
            Self::Yielding => write!(f, "with rows that yield, and less with each step"),
        }
    }
}

/// A row of the policy of `auto`, in words.
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
}

/// The policy of `auto`: its attempts in their order. The first that solves an island ends it.
pub fn policy() -> impl Iterator<Item = PolicyRow> {
    ATTEMPTS.iter().map(|attempt| PolicyRow {
        when: attempt.when.to_string(),
        from: attempt.from.words(),
        solver: attempt.by.info().key,
        effort: attempt.by.to_string(),
    })
}
