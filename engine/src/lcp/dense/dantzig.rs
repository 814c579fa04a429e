//! Dantzig's principal pivoting: rows are satisfied one at a time.
//!
//! **Problem**: z ≥ 0, w = M z + q ≥ 0, zᵀw = 0, dense.
//!
//! **Invariant**: the rows fall into C (clamped: w = 0, z ≥ 0 basic) and N (z = 0, w basic). A row i of N with
//! wᵢ < 0 is *driven*: zᵢ grows from 0 and drags the others along,
//!
//! ```text
//! Δz_C = −M_CC⁻¹ M_Ci Δzᵢ ,   Δw_N = M_NC Δz_C + M_Ni Δzᵢ
//! ```
//!
//! until wᵢ = 0, and i joins C, or until a z of C or a w ≥ 0 of N would turn negative: that row changes sides and
//! zᵢ grows on. Rows that are satisfied stay so. Column i of the tableau (`tableau.rs`, without z₀) holds −Δ for
//! the present C, and each change of sides is one principal pivot that updates M_CC⁻¹: the incremental factorisation
//! in its explicit form.
//!
//! **Classes**: symmetric positive semidefinite matrices of any rank and P-matrices. In the former Δwᵢ = 0
//! means M Δz = 0; if nothing blocks, Δz ≥ 0 with qᵀΔz < 0 proves the problem infeasible.
//!
//! **Failure**: [`LcpError::Ray`] as said, [`LcpError::NotApplicable`] as soon as a principal pivot shows that M
//! is of neither class, [`LcpError::PivotLimit`], [`LcpError::Inaccurate`].
//!
//! Source: [Cottle & Dantzig 1968]; [Baraff 1994, §4]; [Cottle, Pang & Stone 1992, §4.2 and §4.3].
//!
//! Departures:
//! 1. The problem is equilibrated by powers of two, ties are taken within rounding, the tableau is refreshed
//!    and the solution factorised afresh, all as in Lemke's method.
//! 2. Of tied rows the driven one goes first, then the least index: the rule that ends cycling in the
//!    degenerate case for these classes [Chang 1979].
//! 3. The most negative row is driven first, which takes fewer pivots than the order of the rows; each drive
//!    satisfies one row for good, whichever it is.
//! 4. [Baraff 1994] also treats friction, whose bound moves with the normal force; this method does not.

use super::tableau;
use crate::lcp::dense::pivots::Pivots;
use crate::lcp::dense::problem::{LcpError, LcpProblem, Solution, Variable};
use crate::lcp::dense::scaled::Scaled;
use crate::lcp::dense::tableau::{Column, Tableau};
use crate::lcp::info::{PIVOTS_PER_ROW, SolverInfo, pivot_limit};
use crate::math::largest;
use crate::parameter::Values;

pub(in crate::lcp) static INFO: SolverInfo = SolverInfo {
    key: "dantzig",
    name: "Dantzig",
    summary: "Principal pivoting that satisfies one row after the other; for symmetric positive semidefinite \
              matrices and P-matrices.",
    source: "Cottle & Dantzig 1968; Baraff 1994",
    parameters: &[PIVOTS_PER_ROW],
};

/// Rounding error of the values, relative to the largest (of order 1 at the start), as in `lemke.rs`.
const ZERO_VALUE: f64 = 1e-12;
/// Exchanges between refreshes at first, or n if that is larger: a refresh costs as much as n exchanges, and 64 add some 1e-14.
const REFRESH_AFTER: usize = 64;
/// Rates and pivots below this share of the column's largest (at least 1) are rounding: H drifts by no more (`tableau.rs`).
const ZERO_RATE: f64 = 1e-10;
/// Further attempts where the first fails: exchanges between refreshes, and [`ZERO_RATE`] replaced by a smaller and a larger
/// share, since the first may have taken a small rate for rounding, or rounding for a rate.
const OTHERS: [(usize, f64); 2] = [(16, 1e-12), (16, 1e-8)];

/// Solves `problem`; the pivots go into `record`.
pub(in crate::lcp) fn solve(
    problem: &LcpProblem,
    values: &Values,
    record: &mut Pivots,
) -> Result<Solution, LcpError> {
    if problem.q().iter().all(|&q| q >= 0.0) {
        return Ok(tableau::at_rest(problem));
    }
    let scaled = Scaled::new(problem);
    let limit = pivot_limit(values, problem.n());
    let mut run = |(refresh_after, zero_rate)| {
        record.begin();
        // The last attempt counts.
        record.decide();
        PrincipalPivoting {
            problem,
            scaled: &scaled,
            tableau: Tableau::new(&scaled, Vec::new()),
            refresh_after,
            zero_rate,
            pivots: 0,
            limit,
            record,
        }
        .run()
    };
    let mut ended = run((REFRESH_AFTER.max(problem.n()), ZERO_RATE));
    for other in OTHERS {
        if !matches!(ended, Err(LcpError::Inaccurate { .. } | LcpError::NotApplicable { .. })) {
            break;
        }
        ended = run(other);
    }
    ended
}

/// The event that stops the driven variable.
enum Event {
    /// wᵢ reaches zero when zᵢ has reached this value.
    Satisfied { at: f64 },
    /// Another row has to change sides when zᵢ has reached this value.
    Blocked { row: usize, at: f64 },
    /// Nothing stops it: a ray.
    Free,
}

struct PrincipalPivoting<'p> {
    problem: &'p LcpProblem,
    scaled: &'p Scaled,
    tableau: Tableau<'p>,
    refresh_after: usize,
    zero_rate: f64,
    pivots: usize,
    limit: usize,
    record: &'p mut Pivots,
}

impl PrincipalPivoting<'_> {
    fn run(mut self) -> Result<Solution, LcpError> {
        while let Some(i) = self.unsatisfied() {
            self.drive(i)?;
        }
        tableau::solution(self.problem, self.scaled, &self.tableau, self.pivots)
    }

    fn slack(&self) -> f64 {
        ZERO_VALUE * largest(self.tableau.rhs.iter().copied()).max(1.0)
    }

    /// Returns the row of N whose w is most negative.
    fn unsatisfied(&self) -> Option<usize> {
        let mut least = -self.slack();
        let mut found = None;
        for i in 0..self.scaled.n() {
            if let Some(row) = self.tableau.row(Variable::W(i))
                && self.tableau.rhs[row] < least
            {
                least = self.tableau.rhs[row];
                found = Some(i);
            }
        }
        found
    }

    /// Lets zᵢ grow until wᵢ = 0.
    fn drive(&mut self, i: usize) -> Result<(), LcpError> {
        let mut z = 0.0;
        loop {
            if self.pivots >= self.limit {
                return Err(LcpError::PivotLimit { pivots: self.pivots });
            }
            if self.tableau.exchanges >= self.refresh_after {
                self.tableau.refresh();
            }
            let Some(own) = self.tableau.row(Variable::W(i)) else {
                return Err(self.not_applicable("a driven row has lost its variable"));
            };
            let mut column = self.tableau.column(Variable::Z(i));
            let mut event = self.next_event(&column, own, z)?;
            if matches!(event, Event::Free) && self.tableau.exchanges > 0 {
                self.tableau.refresh();
                column = self.tableau.column(Variable::Z(i));
                event = self.next_event(&column, own, z)?;
            }
            self.pivots += 1;
            match event {
                Event::Satisfied { at } => {
                    self.note(&column, own, Variable::Z(i), (i, at));
                    self.tableau.exchange(own, Variable::Z(i), &column);
                    return Ok(());
                }
                Event::Blocked { row, at } => {
                    z = at;
                    self.change_sides(&column, row, i, at)?;
                }
                Event::Free => {
                    self.record.unblocked(Variable::Z(i));
                    return Err(self.ray(&column, i));
                }
            }
        }
    }

    /// Returns the event that stops zᵢ, whose present value is `z`.
    fn next_event(&self, column: &Column, own: usize, z: f64) -> Result<Event, LcpError> {
        let n = self.scaled.n();
        let rate = |row: usize| -column.entries[row];
        let value = |row: usize| self.tableau.rhs[row] + z * rate(row);
        let least_rate = self.zero_rate * largest((0..n).map(rate)).max(1.0);
        let slack = self.slack().max(ZERO_VALUE * largest((0..n).map(value)));
        if rate(own) < -least_rate {
            return Err(self.not_applicable("a principal pivot is negative"));
        }
        // A w that has not been satisfied yet may stay negative.
        let kept = |&row: &usize| {
            row != own && (value(row) >= -slack || matches!(self.tableau.basic[row], Variable::Z(_)))
        };
        let blocking = (0..n).filter(kept).filter(|&row| rate(row) < -least_rate);
        let above = |row: usize| if value(row) > 0.0 { value(row) } else { 0.0 };
        let own_step =
            if rate(own) > least_rate { (-value(own) / rate(own)).max(0.0) } else { f64::INFINITY };
        let reach =
            blocking.clone().map(|row| (above(row) + slack) / -rate(row)).fold(f64::INFINITY, f64::min);
        if own_step <= reach {
            return Ok(if own_step.is_finite() {
                Event::Satisfied { at: z + own_step }
            } else {
                Event::Free
            });
        }
        let step = |row: usize| above(row) / -rate(row);
        let tied = blocking.filter(|&row| step(row) <= reach);
        let first = tied.min_by_key(|&row| index(self.tableau.basic[row]));
        Ok(first.map_or(Event::Free, |row| Event::Blocked { row, at: z + step(row) }))
    }

    /// Records, before the exchange, that `entering` replaces the variable of `row` where the driven zᵢ has the value
    /// `at`; `column` is that of zᵢ.
    fn note(&mut self, column: &Column, row: usize, entering: Variable, (i, at): (usize, f64)) {
        let Self { scaled, tableau, record, .. } = self;
        let here = tableau.basis().zip(&column.entries);
        let here = here.map(|((variable, value), entry)| (variable, value - at * entry));
        let driven = (Variable::Z(i), at);
        record.record(scaled, [entering, tableau.basic[row]], driven, here.chain([driven]));
    }

    /// Moves the pair of `row` from C to N or back, where the driven zᵢ has the value `at`.
    fn change_sides(
        &mut self,
        of_driven: &Column,
        row: usize,
        driven: usize,
        at: f64,
    ) -> Result<(), LcpError> {
        let partner = self.tableau.basic[row].complement();
        if self.tableau.row(partner).is_some() {
            return Err(self.not_applicable("both variables of a pair are basic"));
        }
        let column = self.tableau.column(partner);
        let least = self.zero_rate * largest(column.entries.iter().copied());
        // The rate at which one of the pair grows with the other: positive in both classes.
        let own = -column.entries[row];
        if own.is_nan() || own <= least {
            return Err(self.not_applicable("a principal pivot is not positive"));
        }
        self.note(of_driven, row, partner, (driven, at));
        self.tableau.exchange(row, partner, &column);
        Ok(())
    }

    fn ray(&self, column: &Column, i: usize) -> LcpError {
        let rate = |k: usize| match self.tableau.row(Variable::Z(k)) {
            _ if k == i => 1.0,
            Some(row) => -column.entries[row],
            None => 0.0,
        };
        let dz: Vec<f64> = (0..self.scaled.n()).map(rate).map(|x| if x > 0.0 { x } else { 0.0 }).collect();
        if let Some(direction) = self.scaled.certificate(self.problem, &dz) {
            LcpError::Ray { pivots: self.pivots, direction, infeasible: true }
        } else {
            // In both classes a ray is a proof.
            self.not_applicable("a row that cannot be satisfied gives no proof of infeasibility")
        }
    }

    fn not_applicable(&self, reason: &'static str) -> LcpError {
        LcpError::NotApplicable { reason, pivots: self.pivots }
    }
}

fn index(variable: Variable) -> usize {
    match variable {
        Variable::W(k) | Variable::Z(k) => k,
        Variable::Covering => usize::MAX,
    }
}
