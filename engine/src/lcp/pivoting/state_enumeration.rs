//! Tries every combination of states of a small island: the solution, or the proof that there is none.
//!
//! In forces, where bodies slide in a given direction, a problem may have no solution although no row contradicts another one
//! [Painlevé 1895], and Lemke's path may end on a ray although there is one. In the plain form of `polyhedral.rs` every solution
//! belongs to a complementary basis α,
//!
//! ```text
//! M_αα z_α = −q_α ,   z_α ≥ 0 ,   w_β = M_βα z_α + q_β ≥ 0
//! ```
//!
//! and if each basis has a component that is negative beyond rounding, or a system that contradicts itself, there is none. For
//! friction (β₁, β₂, γ) five bases are enough: none; β₁ or β₂ (it sticks); β₁ and γ, or β₂ and γ (it slides). β₁ and β₂ together
//! give no other λ. A basis that is singular but consistent, or negative only within rounding, leaves the question open.

use super::polyhedral::{PlainUnknown, Polyhedral};
use crate::lcp::direct::equations::Equations;
use crate::lcp::info::ACCEPTED;
use crate::lcp::problem::acceptance::Acceptance;
use crate::lcp::problem::mixed::MixedProblem;
use crate::math::largest;

/// Most combinations, times the cube of the unknowns: where a run would otherwise end, about a second; and where it continues in
/// any case.
pub(crate) const AT_THE_END: usize = 400_000_000;
pub(crate) const ON_THE_WAY: usize = 4_000_000;
/// A component is negative if it is below −`CERTAIN` times its terms, half of the digits, since a proof must not depend on
/// rounding. A pivot is zero below `DEPENDENT` times the largest entry: five of the sixteen digits allow for the rounding of a
/// few unknowns.
const CERTAIN: f64 = 1e-7;
const DEPENDENT: f64 = 1e-11;

/// The result of trying the combinations.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Enumeration {
    /// One of them is a solution: its λ by row.
    Solution(Vec<f64>),
    /// None of this number of combinations, or of groups of them (`branches/`), is a solution.
    NoSolution(usize),
    /// There are too many, or rounding leaves some of them open.
    Open,
}

/// Tries every combination of states of `problem`, if these are no more work than `most`.
pub(crate) fn exhaust(problem: &MixedProblem, acceptance: &Acceptance, most: usize) -> Enumeration {
    let mut equations = Equations::default();
    let posed = equations.factor(problem).ok().and_then(|()| Polyhedral::new(problem, &mut equations));
    let Some(posed) = posed else { return Enumeration::Open };
    let choices = choices(&posed.unknowns);
    let n = posed.unknowns.len();
    let count = choices.iter().try_fold(1_usize, |count, bases| count.checked_mul(bases.len()));
    let Some(count) = count.filter(|&count| count.saturating_mul(n.pow(3)) <= most) else {
        return Enumeration::Open;
    };
    let mut open = false;
    for number in 0..count {
        let mut alpha = Vec::new();
        let mut rest = number;
        for bases in &choices {
            alpha.extend_from_slice(&bases[rest % bases.len()]);
            rest /= bases.len();
        }
        match examine(&posed, &alpha) {
            Basis::Excluded => {}
            Basis::Open => open = true,
            Basis::Candidate(z) => {
                let lambda = posed.multipliers(problem, &mut equations, &z);
                let residual = problem.residual(&lambda);
                if acceptance.admits(problem, &lambda, residual, ACCEPTED) {
                    return Enumeration::Solution(lambda);
                }
                open = true;
            }
        }
    }
    if open { Enumeration::Open } else { Enumeration::NoSolution(count) }
}

/// The result of examining a complementary basis.
enum Basis {
    /// No solution.
    Excluded,
    /// Undecided because of rounding or a singular system.
    Open,
    /// z of a basis that is not negative beyond rounding.
    Candidate(Vec<f64>),
}

/// Returns the bases of each unknown, or of the three unknowns of a friction row together.
fn choices(unknowns: &[PlainUnknown]) -> Vec<Vec<Vec<usize>>> {
    let mut cone = vec![None; unknowns.len()];
    for (j, unknown) in unknowns.iter().enumerate() {
        if let PlainUnknown::Cone { .. } = unknown {
            cone[j - 2] = Some(j);
        }
    }
    let mut choices = Vec::new();
    let mut j = 0;
    while j < unknowns.len() {
        if let Some(gamma) = cone[j] {
            choices.push(vec![vec![], vec![j], vec![j + 1], vec![j, gamma], vec![j + 1, gamma]]);
            j = gamma + 1;
        } else {
            choices.push(vec![vec![], vec![j]]);
            j += 1;
        }
    }
    choices
}

fn examine(posed: &Polyhedral, alpha: &[usize]) -> Basis {
    let (m, q) = (&posed.plain.m, &posed.plain.q);
    let mut block = Vec::with_capacity(alpha.len() * (alpha.len() + 1));
    for &i in alpha {
        m.gather(i, alpha, &mut block);
        block.push(-q[i]);
    }
    let x = match eliminate(&mut block, alpha.len()) {
        Ok(x) => x,
        Err(basis) => return basis,
    };
    let top = largest(x.iter().copied());
    if x.iter().any(|&x| x < -CERTAIN * top) {
        return Basis::Excluded;
    }
    let mut z = vec![0.0; q.len()];
    alpha.iter().zip(&x).for_each(|(&j, &x)| z[j] = x.max(0.0));
    for (i, q) in q.iter().enumerate() {
        let (mut w, mut terms) = (*q, q.abs());
        for (j, m) in m.row(i).iter() {
            w += m * z[j];
            terms += (m * z[j]).abs();
        }
        if w < -CERTAIN * terms {
            return Basis::Excluded;
        }
    }
    Basis::Candidate(z)
}

/// Gaussian elimination with full pivoting of n rows of n + 1 numbers, the last the right-hand side; rows are first scaled to 1.
fn eliminate(a: &mut [f64], n: usize) -> Result<Vec<f64>, Basis> {
    let width = n + 1;
    for row in a.chunks_exact_mut(width) {
        let top = largest(row[..n].iter().copied());
        if top > 0.0 {
            row.iter_mut().for_each(|x| *x /= top);
        }
    }
    let scale = largest(a.chunks_exact(width).map(|row| row[n]));
    let mut columns: Vec<usize> = (0..n).collect();
    for k in 0..n {
        let entries = (k..n).flat_map(|i| (k..n).map(move |j| (i, j)));
        let size = |&(i, j): &(usize, usize)| a[i * width + j].abs();
        let best = entries.max_by(|x, y| size(x).total_cmp(&size(y)));
        let Some((i, j)) = best.filter(|best| size(best) > DEPENDENT) else {
            let left = largest((k..n).map(|i| a[i * width + n]));
            return Err(if left > CERTAIN * scale { Basis::Excluded } else { Basis::Open });
        };
        (0..width).for_each(|c| a.swap(i * width + c, k * width + c));
        (0..n).for_each(|r| a.swap(r * width + j, r * width + k));
        columns.swap(j, k);
        for r in k + 1..n {
            let factor = a[r * width + k] / a[k * width + k];
            (k..width).for_each(|c| a[r * width + c] -= factor * a[k * width + c]);
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|c| a[k * width + c] * x[columns[c]]).sum();
        x[columns[k]] = (a[k * width + n] - sum) / a[k * width + k];
    }
    Ok(x)
}
