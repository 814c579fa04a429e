//! The policy of the solver `auto`: a table of rules, tried from top to bottom until one of them solves the island.
//!
//! In a struck pile, newton, homotopy and interior each fail on a tenth of the problems, and two rarely fail on the same one.
//! So each is stopped early, where others are likely to be quicker; all three are later tried again with more
//! effort and from another start. `evidence/docs/solvers.md` says what each method is good at and measures what it is worth;
//! `driftlab list solvers` prints the table.

use crate::lcp::dense::lemke;
use crate::lcp::direct::equations;
use crate::lcp::homotopy::PathEffort;
use crate::lcp::info::{Effort, SolverInfo};
use crate::lcp::interior::InteriorEffort;
use crate::lcp::newton::NewtonEffort;
use crate::lcp::problem::acceptance::mass_ratio;
use crate::lcp::problem::mixed::MixedProblem;
use crate::lcp::problem::trail::Start;
use crate::lcp::{homotopy, interior, newton, nncg};

/// One attempt: on which islands it is made, from which λ, by which method with which effort, and for which reason.
pub(crate) struct Rule {
    pub when: Guard,
    pub from: Start,
    pub by: AttemptMethod,
    reason: &'static str,
}

const fn rule(when: Guard, from: Start, by: AttemptMethod, reason: &'static str) -> Rule {
    Rule { when, from, by, reason }
}

/// The rules, in their order.
pub(crate) static RULES: [Rule; 10] = {
    use AttemptMethod::*;
    use Guard::*;
    use Start::*;
    [
        rule(EquationsAlone, Own, Ldlt, "exact, and redundant joints share the load"),
        rule(Near(CLOSE), WarmStart, Newton(FIRST_STEPS), "most steps are like the last, and end here"),
        rule(LooseAndFar(CLOSE), WarmStart, Descent(FROM_SWEEPS), "sweeps find most states, paths more"),
        rule(FrictionUnswept, Best, Homotopy(FIRST_PATHS), "few states change: as few pivots"),
        rule(Any, WarmStart, Interior(TO_A_FOLD), "many states change at once"),
        rule(Far(FAR), Own, Proof, "without a solution all that follows is in vain"),
        rule(Sparse, Best, Homotopy(FROM_INSIDE), "begins where the central path has ended"),
        rule(SparseAbove(SMALL), Best, Homotopy(LAST_PATHS), "another κ, and another chance"),
        rule(Any, WarmStart, NewtonToTheEnd, "slow progress is progress"),
        rule(RowsUpTo(TABLEAU), LastEnd, Lemke, "a solution, or a search of all states, or a ray"),
    ]
};

/// The rules where the effort is bounded, in islands of more than [`SMALL`] rows without joints ([`Policy::is_bounded`]); the
/// last one accepts what leaves at most [`CEILING`], and beyond it the exact rules follow. No rule takes more work than 40
/// factorisations or 100 sweeps, and only the first one takes factorisations in islands of more than [`AFFORDABLE`] rows.
///
/// [`Policy::is_bounded`]: super::automatic::Policy::is_bounded
pub(crate) static BOUNDED_RULES: [Rule; 8] = {
    use AttemptMethod::*;
    use Guard::*;
    use Start::*;
    [
        rule(Near(AT_REST), WarmStart, Newton(FIRST_STEPS), "at rest the last impulses hold, or nearly"),
        rule(Uneven, WarmStart, Newton(FIRST_STEPS), "sweeps lose their way among unequal masses"),
        rule(Uneven, WarmStart, Interior(BRIEFLY_TO_A_FOLD), "sweeps lose their way among unequal masses"),
        rule(Any, WarmStart, Sweeps(TOO_MUCH), "a digit or two at a known cost"),
        rule(Even, LastEnd, Newton(FIRST_STEPS), "what can be seen is worth an attempt"),
        rule(Even, LastEnd, Interior(BRIEFLY_TO_A_FOLD), "what can be seen is worth an attempt"),
        rule(FarUpTo(FAR, AFFORDABLE), Own, Proof, "without a solution sweeps would press on for ever"),
        rule(Any, LastEnd, Sweeps(CEILING), "as much may be left where nothing cheaper leaves less"),
    ]
};

/// Newton's steps before another method is called, with friction and without. The next method takes 10 to 40 factorisations. With
/// friction steps may cycle, so that no more than these are worth a try; without, they cannot cycle, and slow progress is
/// accepted.
const FIRST_STEPS: [NewtonEffort; 2] = [
    NewtonEffort { factorisations: 20, stall: 3, ..NewtonEffort::FULL },
    NewtonEffort { factorisations: 40, stall: 7, ..NewtonEffort::FULL },
];
/// Residual of the warm start, as a share of the problem's speed, above which Newton's first steps are in vain in more than
/// [`TABLEAU`] rows with friction: of 588 such islands of boxes being poured they solved 2.
pub(crate) const CLOSE: f64 = 1e-3;
/// Residual of the warm start, likewise, up to which Newton's steps are worth their factorisations where the effort is bounded:
/// in that pour they solved 28 of 28 islands below 1e-9, and 2 of 588 above 1e-6.
const AT_REST: f64 = 1e-6;
/// Residual of sweeps, likewise, above which an attempt by factorisations follows: an error that can be seen. One in a hundred is
/// larger in struck pyramids, none in boxes and disks that are poured.
const TOO_MUCH: f64 = 3e-2;
/// Residual of sweeps, likewise, above which nothing is accepted.
const CEILING: f64 = 0.1;
/// Ratio of masses in an island above which sweeps are not the first attempt: the number of sweeps for a digit grows
/// with its root.
const EVEN_MASSES: f64 = 30.0;
/// Most rows of an island in which a bounded effort includes the central path: 40 factorisations then take some 10 ms.
pub(crate) const AFFORDABLE: usize = 2000;
/// The central path in that effort, and few of Newton's steps behind it.
const BRIEFLY_TO_A_FOLD: InteriorEffort = InteriorEffort { stretch: 30, ..TO_A_FOLD };
/// Sweeps where the effort is bounded: where the warm start is far off; where it is within [`CLOSE`], since a pile that comes to
/// rest is swept in every step; and without friction. With 50 sweeps instead of 100 poured boxes creep for ever.
pub(crate) const SWEEPS: usize = 100;
pub(crate) const SWEEPS_NEARBY: usize = 30;
pub(crate) const SWEEPS_WITHOUT_FRICTION: usize = 50;
/// Rows per body up to which the impulses of a pile are nearly unique: disks and boxes that have been poured have 4 to
/// 5, a pyramid has 8. Where they are not, sweeps lead to impulses far from those of the last step, and the paths of
/// the next step are long.
pub(crate) const LOOSE: usize = 6;
/// Paths from the end of sweeps. κ is small, since sweeps leave all w a little off.
const FROM_SWEEPS: PathEffort = PathEffort { kappa: 1e2, ..FIRST_PATHS };
/// Most rows of a small island: 50 contacts with friction. Where no impulse is known, Newton's steps solve such an island layer
/// by layer as quickly as all at once.
pub(crate) const SMALL: usize = 100;
/// Rows per body from which an island is crowded: dozens of bodies overlap one another, while a pile has a dozen rows per body.
/// Each of a path's up to 2,100 pieces visits all rows, which costs too much there.
pub(crate) const CROWD: usize = 40;
/// Paths from the best λ of Newton's steps: those that end mostly do so within 200 pieces. Of 313 first paths in struck pyramids
/// of 210 boxes 88 were longer, 9 ms each. After 50 pieces the pace identifies two thirds of these, and wrongly 3 of the 61 that
/// end later.
const FIRST_PATHS: PathEffort =
    PathEffort { first: 200, pieces: 600, failures: 2, persistent: false, trial: 50, ..PathEffort::FULL };
/// The central path up to its first fold, and few of Newton's steps there: a piecewise linear path from that point costs less
/// than following the central path round the fold.
const TO_A_FOLD: InteriorEffort = InteriorEffort {
    crossover: NewtonEffort { factorisations: 10, ..InteriorEffort::FULL.crossover },
    ..InteriorEffort::FULL
};
/// A residual above this share of the problem's speed may be one that no λ removes: contradictory rows leave a share of the order
/// of one. Smaller ones are left to the proof with which newton ends. Where rows ask for speeds, as those of `anitescu_hart` do,
/// struck pyramids have large residuals of friction alone: in a hundred throws 107 steps sought a proof and none found one. In 80
/// of these steps the central path had met the rows to within this share, which is why no proof is then sought.
const FAR: f64 = 1e-3;
/// Paths from the end of the central path. κ is small at first, since that point lies between the states and not on them: the
/// smaller κ, the shorter the paths. Median times of `auto` on the hard problems of struck pyramids, with 210 boxes under
/// `post_stabilization` and with 820 under `none`: 15 and 132 ms with κ = 1e4, 14 and 115 with 1e3, 12 and 94 with 1e2, 13 and 86
/// with 10.
const FROM_INSIDE: PathEffort =
    PathEffort { kappa: 1e2, first: 200, pieces: 2000, failures: 8, persistent: true, ..PathEffort::FULL };
/// Newton's method to its end in islands of more than [`DENSE`] rows, where other methods follow. In piles that overlap all its
/// 1,500 factorisations were in vain wherever 200 had not halved the residual.
pub(crate) const LAST_STEPS: NewtonEffort = NewtonEffort { stall: 200, ..NewtonEffort::FULL };
/// Paths from the best λ so far. Of twelve problems of 820 boxes that paths of 2,000 pieces had not solved these solve nine, in
/// 0.23 s each; newton takes 0.45 s for two of twelve.
const LAST_PATHS: PathEffort =
    PathEffort { kappa: 1e4, first: 300, pieces: 8000, failures: 60, persistent: true, ..PathEffort::FULL };
/// Most rows of an island for which Lemke's method is tried, whose tableau is dense: 100 contacts. With twice as many rows a
/// pivot takes 2 ms, and of 26 such islands that no other method had solved it solved none.
pub(crate) const TABLEAU: usize = 200;
/// Most rows of an island that is small enough to try everything, whatever is known about it: 200 contacts, twice [`TABLEAU`].
pub(crate) const DENSE: usize = 400;
/// Paths that polish the solution of a method over the bodies. From a solution they are short even at a large κ, which removes
/// all but 1e-7 of the residual.
pub(crate) const POLISH: PathEffort =
    PathEffort { kappa: 1e7, first: 60, pieces: 200, failures: 4, persistent: true, ..PathEffort::FULL };
/// Paths seek this share of the residual that counts as solved, so that rounding cannot make the judgement reject the solution.
pub(crate) const SOUGHT: f64 = 0.1;

/// On which islands an attempt is made; [`Guard::words`] says which these are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Guard {
    Any,
    EquationsAlone,
    /// Where the effort is exact the residual of the warm start is not evaluated, and the guard holds, in islands of at
    /// most [`TABLEAU`] rows, in those without friction, in crowded ones, and in a pile's first step.
    Near(f64),
    LooseAndFar(f64),
    FrictionUnswept,
    Uneven,
    Even,
    Sparse,
    SparseAbove(usize),
    RowsUpTo(usize),
    Far(f64),
    FarUpTo(f64, usize),
}

/// Whether the masses of a problem's bodies differ by at most [`EVEN_MASSES`].
pub(crate) fn is_even(problem: &MixedProblem) -> bool {
    mass_ratio(&problem.inverse_mass) <= EVEN_MASSES
}

/// The method of an attempt: [`AttemptMethod::info`] names its solver, [`AttemptMethod::effort`] says when it is given up.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AttemptMethod {
    Ldlt,
    /// With the first effort where there is friction, with the second where there is none. In a pile's first step, λ =
    /// 0 in an island of more than [`SMALL`] rows with friction, all contacts are first taken as equations.
    Newton([NewtonEffort; 2]),
    NewtonToTheEnd,
    /// Piecewise linear paths to the solution.
    Homotopy(PathEffort),
    /// The central path.
    Interior(InteriorEffort),
    /// Sweeps, then paths from their end.
    Descent(PathEffort),
    /// Sweeps, accepted as approximate if they leave at most this share of the problem's speed.
    Sweeps(f64),
    /// Proof that there is no solution, then the least violation.
    Proof,
    Lemke,
}

impl AttemptMethod {
    /// The solver whose method it is.
    pub const fn info(&self) -> &'static SolverInfo {
        match self {
            Self::Ldlt => &equations::INFO,
            Self::Newton(_) | Self::NewtonToTheEnd => &newton::INFO,
            Self::Homotopy(_) => &homotopy::INFO,
            Self::Interior(_) | Self::Proof => &interior::INFO,
            Self::Descent(_) | Self::Sweeps(_) => &nncg::INFO,
            Self::Lemke => &lemke::INFO,
        }
    }

    /// When the attempt is given up, in words.
    fn effort(&self) -> String {
        match self {
            Self::Ldlt => "one factorisation".to_owned(),
            Self::NewtonToTheEnd => format!(
                "to its end: {}, in more than {DENSE} rows at most {} in which the residual does not halve; then a proof of its own",
                NewtonEffort::FULL.words(),
                LAST_STEPS.stall
            ),
            Self::Newton([friction, without]) => {
                format!("{}; without friction {}", friction.words(), without.words())
            }
            Self::Homotopy(effort) => effort.words(),
            Self::Interior(effort) => effort.words(),
            Self::Descent(effort) => format!("{SWEEPS} sweeps, then {}", effort.words()),
            Self::Sweeps(most) => {
                format!(
                    "{SWEEPS} sweeps, within {CLOSE:e} of the speed {SWEEPS_NEARBY}, without friction {SWEEPS_WITHOUT_FRICTION}; approximate where at most {most:e} of the speed is left"
                )
            }
            Self::Proof => "proof of infeasibility, then the least violation".to_owned(),
            Self::Lemke => "to its end".to_owned(),
        }
    }
}

impl Guard {
    /// In words.
    fn words(&self) -> String {
        match self {
            Self::Any => "any".to_owned(),
            Self::EquationsAlone => "equations alone".to_owned(),
            Self::Near(share) => format!(
                "residual of the warm start at most {share:e} of the speed, or unasked: up to {TABLEAU} rows, no friction, or a first step"
            ),
            Self::LooseAndFar(share) => format!(
                "residual of the warm start, which is asked of more than {TABLEAU} rows with friction, above {share:e} of the speed, fewer than {LOOSE} rows per body"
            ),
            Self::FrictionUnswept => {
                format!("with friction, fewer than {CROWD} rows per body, not swept before")
            }
            Self::Uneven => {
                format!("up to {AFFORDABLE} rows, masses that differ by more than {EVEN_MASSES}")
            }
            Self::Even => format!("up to {AFFORDABLE} rows, masses that differ by at most {EVEN_MASSES}"),
            Self::Sparse => format!("fewer than {CROWD} rows per body"),
            Self::SparseAbove(few) => format!("more than {few} rows, fewer than {CROWD} rows per body"),
            Self::RowsUpTo(most) => format!("up to {most} rows"),
            Self::Far(share) => format!(
                "residual, and violation on the central path, above {share:e} of the speed, and standing still is no solution"
            ),
            Self::FarUpTo(share, most) => format!("up to {most} rows, {}", Self::Far(*share).words()),
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
    /// When the attempt is given up.
    pub effort: String,
    /// Why the attempt is made there.
    pub reason: &'static str,
}

/// The policy of `auto` at an effort: its rules in their order. The first attempt that solves an island ends it.
/// Bounded rules are those for islands of more than 100 rows; where none of them applies, the exact ones follow.
pub fn policy(effort: Effort) -> impl Iterator<Item = PolicyRow> {
    let rules: &[Rule] = match effort {
        Effort::Exact => &RULES,
        Effort::Bounded => &BOUNDED_RULES,
    };
    rules.iter().map(|rule| PolicyRow {
        when: rule.when.words(),
        from: rule.from.words(),
        solver: rule.by.info().key,
        effort: rule.by.effort(),
        reason: rule.reason,
    })
}
