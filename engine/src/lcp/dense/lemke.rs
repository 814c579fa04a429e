//! Lemke's complementary pivoting: the reference solver.
//!
//! **Problem**: z ≥ 0, w = M z + q ≥ 0, zᵀw = 0, dense.
//!
//! **Tableau**: w − M z − d z₀ = q, d = e, of which a block is kept (`tableau.rs`). z₀ enters at the row of the smallest q and
//! makes all basic variables non-negative. From then on the variable that enters is the complement of the one that has just left,
//! so of each pair (z_k, w_k) at most one is basic and zᵀw = 0 throughout: the *almost complementary* path. It ends when z₀
//! leaves, at a solution, or when nothing blocks the entering variable, on a secondary ray.
//!
//! **Ratio test**: among the rows of least ratio q̄ᵢ/dᵢ, dᵢ > 0, the lexicographically least (q̄, B⁻¹)ᵢ/dᵢ leaves.
//! Every basis then occurs once: the path cannot cycle, however degenerate the problem.
//!
//! **Classes**: solves every problem with a P-, strictly copositive or positive definite matrix; for
//! copositive-plus ones (semidefinite, and Anitescu & Potra's frictional contact with its consistent rows) it
//! solves exactly the feasible ones, and the ray's direction proves the others infeasible. For other matrices
//! it may end on a ray although a solution exists.
//!
//! **Failure**: [`LcpError::Ray`], with the certificate where there is one; [`LcpError::PivotLimit`] (the path can
//! be exponentially long); [`LcpError::Inaccurate`] where rounding has spoilt the result.
//!
//! Source: [Lemke 1965]; [Cottle, Pang & Stone 1992, §4.4 and §4.9]; [Anitescu & Potra 1997].
//!
//! Departures:
//! 1. M and q are first equilibrated by powers of two (`scaled.rs`), so the covering vector is e in those units.
//! 2. Ratios count as equal where rounding of q̄ cannot tell them apart [Harris 1973]; of those rows z₀'s goes
//!    first, else the path runs past the solution and ends on a spurious ray; among the others a
//!    pivot that is tiny beside the largest is passed over.
//! 3. Every column is checked against M; the tableau is computed afresh where one fails and before a ray is
//!    believed; the solution is refined with M, from a fresh factorisation where that is not enough.
//! 4. If that fails, ends on a ray without a certificate, or does not end soon (ties that rounding leaves open may
//!    make it cycle), other paths are followed: with frequent refreshing, other tolerances, and in place of e a covering
//!    vector d with entries from 1 upwards, which is as valid and meets other ties.

use super::tableau;
use crate::lcp::dense::pivots::Pivots;
use crate::lcp::dense::problem::{LcpError, LcpProblem, Solution, Variable};
use crate::lcp::dense::scaled::Scaled;
use crate::lcp::dense::tableau::{Column, Tableau};
use crate::lcp::info::{ACCEPTED, PIVOTS_PER_ROW, SolverInfo, pivot_limit};
use crate::math::largest;
use crate::parameter::Values;

pub(in crate::lcp) static INFO: SolverInfo = SolverInfo {
    key: "lemke",
    name: "Lemke",
    summary: "Complementary pivoting with a covering vector and the lexicographic ratio test; the reference for \
              dense problems.",
    source: "Lemke 1965; Cottle, Pang & Stone 1992, §4.4",
    parameters: &[PIVOTS_PER_ROW],
};

/// Rounding error of q̄, relative to its largest entry (of order 1 at the start): that of the exchanges between two
/// refreshes, with two decades to spare.
const ZERO_VALUE: f64 = 1e-12;
/// Among tied rows, pivots below this share of the largest are passed over: dividing by one would lose half of the digits.
const TINY_PIVOT: f64 = 1e-7;
/// Ratios of B⁻¹ that differ by less than this share of the largest are equal: ten times the rounding of q̄, of which
/// each is a quotient.
const EQUAL_RATIOS: f64 = 1e-11;
/// Pivots per row after which an attempt is taken to go in a circle among ties that rounding leaves open: a path
/// that ends usually takes about one.
const LONG_PATH: usize = 4;
/// Fractional parts of its multiples fill the unit interval evenly.
const GOLDEN_RATIO: f64 = 0.618_033_988_749_894_9;

/// The tolerances and the covering vector of one path.
struct LemkePath {
    /// Most exchanges between refreshes; the tableau asks for more by itself where it has drifted.
    refresh_after: usize,
    /// Entries of the entering column below this share of its largest are rounding: of a decade or two more than exchanges leave.
    zero_entry: f64,
    /// The covering vector's entries lie between 1 and 1 + spread.
    spread: f64,
}

/// The paths, each followed where the one before has failed: the textbook's; other ties; then tableaus that are computed afresh
/// before rounding adds up, with a larger and a smaller share that counts as rounding. Of 2,061 random problems that the first
/// one leaves, nearly all on a ray, the second solves 15 and proves that 3 have no solution; the third 3 and 2; the last 7 and 2.
const ATTEMPTS: [LemkePath; 4] = [
    LemkePath { refresh_after: 512, zero_entry: 1e-11, spread: 0.0 },
    LemkePath { refresh_after: 512, zero_entry: 1e-11, spread: 1.0 },
    LemkePath { refresh_after: 16, zero_entry: 1e-9, spread: 0.3 },
    LemkePath { refresh_after: 4, zero_entry: 1e-13, spread: 3.0 },
];

/// Solves `problem`; the pivots go into `record`.
pub(in crate::lcp) fn solve(
    problem: &LcpProblem,
    values: &Values,
    record: &mut Pivots,
) -> Result<Solution, LcpError> {
    solve_scaled(problem, Scaled::new, values, record)
}

/// Solves `problem` as the numbers that `scale` makes of it.
pub(in crate::lcp) fn solve_scaled(
    problem: &LcpProblem,
    scale: fn(&LcpProblem) -> Scaled,
    values: &Values,
    record: &mut Pivots,
) -> Result<Solution, LcpError> {
    if problem.q().iter().all(|&q| q >= 0.0) {
        return Ok(tableau::at_rest(problem));
    }
    let scaled = scale(problem);
    let limit = pivot_limit(values, problem.n());
    let short = LONG_PATH.saturating_mul(problem.n()).min(limit);
    let lost = |ended: &Result<Solution, LcpError>| match ended {
        Err(LcpError::PivotLimit { pivots }) => *pivots < limit,
        _ => false,
    };
    let [first, others @ ..] = &ATTEMPTS;
    let mut ended = walk(problem, &scaled, first, short, record);
    record.decide();
    for attempt in others {
        let doubtful =
            matches!(ended, Err(LcpError::Inaccurate { .. } | LcpError::Ray { infeasible: false, .. }));
        if !(doubtful || lost(&ended)) {
            break;
        }
        let again = walk(problem, &scaled, attempt, short, record);
        // A ray says more than an attempt that rounding has spoilt.
        if !(matches!(ended, Err(LcpError::Ray { .. }))
            && matches!(again, Err(LcpError::Inaccurate { .. } | LcpError::PivotLimit { .. })))
        {
            ended = again;
            record.decide();
        }
    }
    // Some paths are long without any ties.
    if lost(&ended) {
        ended = walk(problem, &scaled, first, limit, record);
        record.decide();
    }
    ended
}

/// Follows one almost complementary path.
fn walk(
    problem: &LcpProblem,
    scaled: &Scaled,
    attempt: &LemkePath,
    limit: usize,
    record: &mut Pivots,
) -> Result<Solution, LcpError> {
    record.begin();
    let n = scaled.n();
    let covering: Vec<f64> =
        (1..=n).map(|i| 1.0 + attempt.spread * (i as f64 * GOLDEN_RATIO).fract()).collect();
    let first = first_row(&scaled.q, &covering);
    let mut tableau = Tableau::new(scaled, covering.clone());
    let mut left = tableau.basic[first];
    let z0 = Variable::Covering;
    let column = tableau.column(z0);
    tableau.exchange(first, z0, &column);
    record.record(scaled, [z0, left], (z0, tableau.rhs[first]), tableau.basis());
    for pivots in 1..limit {
        if tableau.exchanges >= attempt.refresh_after {
            tableau.refresh();
        }
        let entering = left.complement();
        if tableau.row(entering).is_some() {
            return Err(LcpError::Inaccurate { residual: f64::NAN, pivots });
        }
        let mut column = tableau.column(entering);
        let mut row = leaving_row(&tableau, &column, attempt.zero_entry);
        if row.is_none() && tableau.exchanges > 0 {
            tableau.refresh();
            column = tableau.column(entering);
            row = leaving_row(&tableau, &column, attempt.zero_entry);
        }
        let Some(row) = row else {
            record.unblocked(entering);
            return Err(ray(problem, scaled, &tableau, &covering, (entering, &column), pivots)?);
        };
        left = tableau.basic[row];
        tableau.exchange(row, entering, &column);
        record.record(scaled, [entering, left], (entering, tableau.rhs[row]), tableau.basis());
        if left == Variable::Covering {
            return tableau::solution(problem, scaled, &tableau, pivots + 1);
        }
    }
    Err(LcpError::PivotLimit { pivots: limit })
}

/// Returns the row of the smallest q/d; of equal ones the last, whose (q, I)/d is lexicographically least.
fn first_row(q: &[f64], d: &[f64]) -> usize {
    let smaller = |best: usize, i: usize| if q[i] / d[i] <= q[best] / d[best] { i } else { best };
    (0..q.len()).fold(0, smaller)
}

/// Returns the row that blocks the variable of `column` first, by the lexicographic ratio test.
fn leaving_row(tableau: &Tableau, column: &Column, zero_entry: f64) -> Option<usize> {
    let (rhs, entries) = (&tableau.rhs, &column.entries);
    let value = |i: usize| if rhs[i] > 0.0 { rhs[i] } else { 0.0 };
    let least_entry = zero_entry * largest(entries.iter().copied()).max(1.0);
    let slack = ZERO_VALUE * largest(rhs.iter().copied()).max(1.0);
    let blocking = (0..rhs.len()).filter(|&i| entries[i] > least_entry);
    // The largest step that keeps every basic variable above −slack.
    let reach = blocking.clone().map(|i| (value(i) + slack) / entries[i]).fold(f64::INFINITY, f64::min);
    // Rows of the least ratio, then those among them that the columns of B⁻¹ so far do not tell apart.
    let mut rows: Vec<usize> = blocking.filter(|&i| value(i) / entries[i] <= reach).collect();
    if let Some(covering) = tableau.row(Variable::Covering).filter(|row| rows.contains(row)) {
        return Some(covering);
    }
    let top = largest(rows.iter().map(|&i| entries[i]));
    rows.retain(|&i| entries[i] >= TINY_PIVOT * top);
    for k in 0..rhs.len() {
        if rows.len() < 2 {
            break;
        }
        if let Some(row) = tableau.row(Variable::W(k)) {
            // Column k of B⁻¹ is that row's unit vector, and its ratio the only one above zero.
            rows.retain(|&i| i != row);
        } else if let Some(inverse) = tableau.inverse_column(k, &rows) {
            let ratios: Vec<f64> = rows.iter().zip(inverse).map(|(&i, x)| x / entries[i]).collect();
            let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
            let most = least + EQUAL_RATIOS * largest(ratios.iter().copied()).max(1.0);
            let mut of_rows = ratios.into_iter();
            rows.retain(|_| of_rows.next().is_some_and(|ratio| ratio <= most));
        }
    }
    rows.first().copied()
}

/// Returns the secondary ray along `entering`, or the reason to reject it; a solution if z₀ is zero already.
fn ray(
    problem: &LcpProblem,
    scaled: &Scaled,
    tableau: &Tableau,
    covering: &[f64],
    (entering, column): (Variable, &Column),
    pivots: usize,
) -> Result<LcpError, LcpError> {
    let inaccurate =
        || LcpError::Inaccurate { residual: problem.residual(&scaled.unscaled(&tableau.z())), pivots };
    let rate = |variable: Variable| match tableau.row(variable) {
        _ if variable == entering => 1.0,
        Some(row) => -column.entries[row],
        None => 0.0,
    };
    // Slightly negative values, which the ratio test let pass, are rounded zeros.
    let positive = |x: f64| if x > 0.0 { x } else { 0.0 };
    let dz: Vec<f64> = (0..scaled.n()).map(|k| positive(rate(Variable::Z(k)))).collect();
    let dz0 = positive(rate(Variable::Covering));
    let top = largest(dz.iter().copied().chain([dz0]));
    for (i, d) in covering.iter().enumerate() {
        let dw = scaled.row(i).iter().zip(&dz).map(|(m, dz)| m * dz).sum::<f64>() + d * dz0;
        if dw.is_nan() || dw < -ACCEPTED * top {
            return Err(inaccurate());
        }
    }
    let certificate = scaled.certificate(problem, &dz);
    let infeasible = certificate.is_some();
    let direction = certificate.unwrap_or_else(|| scaled.unscaled_direction(&dz));
    Ok(LcpError::Ray { pivots, direction, infeasible })
}
