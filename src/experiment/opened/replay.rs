//! A step's problem solved once more by Lemke's or Dantzig's method for dense problems, with each pivot written down.
//!
//! | method | poses |
//! |---|---|
//! | Lemke | the rows of one island: equations eliminated, friction by two directions and its cone |
//! | Dantzig | the same with friction and motors held at the λ that the step found, since it needs a symmetric matrix |
//!
//! Both start cold, as the step's own solver, which may be another one and starts warm, does not.

use super::OpenedProblem;
use crate::lcp::{
    self, Law, LcpError, LcpProblem, MixedProblem, Path, Pivots, PlainForm, PlainUnknown, Solution,
    Variable,
};
use crate::parameter::Values;

/// Most unknowns of a problem that is replayed: some hundred contacts, whose pivots take some hundredths of a second.
pub const MOST_REPLAYED: usize = 400;

/// The method that is watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Watched {
    /// Complementary pivoting.
    #[default]
    Lemke,
    /// Principal pivoting.
    Dantzig,
}

impl Watched {
    /// Both, in the order in which they are offered.
    pub const ALL: [Self; 2] = [Self::Lemke, Self::Dantzig];

    /// Its key in the table of solvers.
    pub fn key(self) -> &'static str {
        match self {
            Self::Lemke => "lemke",
            Self::Dantzig => "dantzig",
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lemke => "Lemke",
            Self::Dantzig => "Dantzig",
        }
    }
}

/// Why there is nothing to replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoReplay {
    /// All rows are equations.
    Linear,
    /// The plain problem would have so many unknowns.
    TooLarge(usize),
    /// A number is not finite.
    NotFinite,
}

/// A solve that can be looked at pivot by pivot.
#[derive(Clone, Debug)]
pub struct Replay {
    problem: LcpProblem,
    unknowns: Vec<PlainUnknown>,
    path: Path,
    paths: usize,
    ended: Result<Solution, LcpError>,
}

impl Replay {
    /// Replays `problem` by that method.
    pub fn of(problem: LcpProblem, watched: Watched) -> Self {
        let mut record = Pivots::with_values();
        let ended = match lcp::complementarity(watched.key()) {
            Some(solver) => {
                let values = Values::defaults(solver.info().parameters);
                solver.solve_recording(&problem, &values, Some(&mut record))
            }
            None => Err(LcpError::NotApplicable { reason: "no such solver", pivots: 0 }),
        };
        let path = record.path().cloned().unwrap_or_default();
        Self { problem, unknowns: Vec::new(), path, paths: record.paths().len(), ended }
    }

    /// Replays the island of row `i` of a step's problem.
    ///
    /// # Errors
    /// Why there is nothing to replay.
    pub fn of_island(opened: &OpenedProblem, i: usize, watched: Watched) -> Result<Self, NoReplay> {
        let own = opened.rows()[i].reading.island;
        let rows: Vec<usize> =
            (0..opened.rows().len()).filter(|&i| opened.rows()[i].reading.island == own).collect();
        let problem = part(opened, &rows, watched);
        if problem.is_linear() {
            return Err(NoReplay::Linear);
        }
        // Each row that is no equation has an unknown at least: what is too large for certain is not factorised.
        let least = problem.rows.iter().filter(|row| row.law != Law::Equation).count();
        if least > MOST_REPLAYED {
            return Err(NoReplay::TooLarge(least));
        }
        let form = PlainForm::new(problem).ok_or(NoReplay::NotFinite)?;
        if form.is_empty() {
            return Err(NoReplay::Linear);
        }
        if form.len() > MOST_REPLAYED {
            return Err(NoReplay::TooLarge(form.len()));
        }
        let unknowns = form.unknowns().into_iter().map(|unknown| moved(unknown, &rows)).collect();
        Ok(Self { unknowns, ..Self::of(form.problem().clone(), watched) })
    }

    /// The plain problem that was solved.
    pub fn problem(&self) -> &LcpProblem {
        &self.problem
    }

    /// What its unknowns stand for, by rows of the step's problem; empty without one.
    pub fn unknowns(&self) -> &[PlainUnknown] {
        &self.unknowns
    }

    /// The path that led to the result.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many paths were walked before a result was accepted.
    pub fn paths(&self) -> usize {
        self.paths
    }

    /// The result.
    pub fn ended(&self) -> &Result<Solution, LcpError> {
        &self.ended
    }

    /// The variables that are not nonbasic after `pivots` exchanges, with their values; at the beginning w = q.
    pub fn values(&self, pivots: usize) -> Vec<(Variable, f64)> {
        match pivots.checked_sub(1).and_then(|at| self.path.pivots.get(at)) {
            Some(pivot) => pivot.values.clone(),
            None => self.problem.q().iter().enumerate().map(|(i, q)| (Variable::W(i), *q)).collect(),
        }
    }
}

/// The rows that are replayed.
fn part(opened: &OpenedProblem, rows: &[usize], watched: Watched) -> MixedProblem {
    let mut within = vec![0; opened.rows().len()];
    rows.iter().enumerate().for_each(|(at, &i)| within[i] = at);
    let mut part = opened.problem().clone();
    part.rows = rows
        .iter()
        .map(|&i| {
            let mut row = opened.problem().rows[i];
            let held = opened.rows()[i].reading.lambda;
            match &mut row.law {
                Law::Friction { .. } | Law::Sliding { .. } if watched == Watched::Dantzig => {
                    row.law = Law::Bounded { lower: held, upper: held };
                }
                Law::Bounded { lower, upper }
                    if watched == Watched::Dantzig && lower.is_finite() && upper.is_finite() =>
                {
                    (*lower, *upper) = (held, held);
                }
                Law::Friction { normal, .. } | Law::Sliding { normal, .. } => *normal = within[*normal],
                Law::Equation | Law::Unilateral | Law::Bounded { .. } => {}
            }
            row
        })
        .collect();
    part
}

/// The unknown by the row of the whole problem.
fn moved(unknown: PlainUnknown, rows: &[usize]) -> PlainUnknown {
    match unknown {
        PlainUnknown::Impulse { row, sign } => PlainUnknown::Impulse { row: rows[row], sign },
        PlainUnknown::Ceiling { row } => PlainUnknown::Ceiling { row: rows[row] },
        PlainUnknown::Cone { row } => PlainUnknown::Cone { row: rows[row] },
    }
}
