//! The plain problem of the room's head, made of a mixed one, with a dense matrix to be looked at and saved; and the way back
//! from z to λ.

use crate::lcp::dense::LcpProblem;
use crate::lcp::direct::equations::Equations;
use crate::lcp::info::{ACCEPTED, ROUNDED_SUM};
use crate::lcp::problem::acceptance::Acceptance;
use crate::lcp::problem::mixed::{Law, MixedProblem};
use glam::DVec3;

/// A row to which the equations leave less than this share of its Aᵢᵢ is held by them: beside two rows of an equation that differ
/// by 1e-2 in direction, rounding leaves 1e-11.
pub(crate) const HELD: f64 = 1e-10;

/// The meaning of an unknown z of the plain problem, a column of its matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlainUnknown {
    /// λ of the row grows by `sign` z; the condition beside it is the row's w.
    Impulse {
        /// Index of the row.
        row: usize,
        /// 1 or −1.
        sign: f64,
    },
    /// The multiplier of the upper bound of a row's λ, whose impulse is the unknown before.
    Ceiling {
        /// Index of the row.
        row: usize,
    },
    /// γ of a friction row: its slip; the condition beside it is μ λ_n − |λ| ≥ 0. The two unknowns before are β₁ and β₂.
    Cone {
        /// Index of the row.
        row: usize,
    },
}

impl PlainUnknown {
    /// The row of the mixed problem that it belongs to.
    pub fn row(self) -> usize {
        match self {
            Self::Impulse { row, .. } | Self::Ceiling { row } | Self::Cone { row } => row,
        }
    }
}

/// A mixed problem as a plain one: equations eliminated, friction by two directions and its cone.
pub struct PlainForm {
    mixed: MixedProblem,
    equations: Equations,
    plain: LcpProblem,
    /// The meaning of each column.
    unknowns: Vec<PlainUnknown>,
    /// λ at z = 0 of the rows that are not equations.
    offset: Vec<f64>,
    /// By unknown √Aᵢᵢ of its row, before the elimination: the rounding of an entry of M is some ε times the product of two of
    /// these, however small the entry is.
    pub(crate) sizes: Vec<f64>,
}

impl PlainForm {
    /// The plain form of `mixed`, whose equations are eliminated. Equations alone leave nothing: see [`PlainForm::split`].
    /// Absent where a number is not finite, or a friction row is not directly behind its normal row.
    pub fn new(mixed: MixedProblem) -> Option<Self> {
        if !mixed.is_in_order() {
            return None;
        }
        let (problem, mut equations) = (&mixed, Equations::default());
        equations.factor(problem).ok()?;
        let (unknowns, mut offset) = unknowns(problem);
        let n = unknowns.len();
        drag(problem, &mut offset);
        let mut v = Vec::new();
        equations.complete(problem, &mut offset, &mut v);
        let mut q = vec![0.0; n];
        for (q, unknown) in q.iter_mut().zip(&unknowns) {
            *q = match *unknown {
                PlainUnknown::Impulse { row, sign } => sign * problem.w(row, &v, &offset),
                PlainUnknown::Ceiling { row } | PlainUnknown::Cone { row } => match problem.rows[row].law {
                    Law::Bounded { lower, upper } => upper - lower,
                    // The constant part of λ_n.
                    Law::Friction { normal, coefficient } => coefficient * offset[normal],
                    _ => 0.0,
                },
            };
        }
        let m = matrix(problem, &mut equations, &unknowns);
        if !equations.rows.is_empty() {
            let tolerance = Acceptance::of(problem).tolerance(ACCEPTED);
            for (i, q) in q.iter_mut().enumerate() {
                if q.abs() <= tolerance && m[i * n..][..n].iter().all(|entry| *entry == 0.0) {
                    *q = 0.0;
                }
            }
        }
        let size = |unknown: &PlainUnknown| match *unknown {
            PlainUnknown::Impulse { row, .. } => problem.rows[row].diagonal(&problem.inverse_mass).sqrt(),
            _ => 0.0,
        };
        let sizes = unknowns.iter().map(size).collect();
        Some(Self { plain: LcpProblem::new(m, q).ok()?, mixed, equations, unknowns, offset, sizes })
    }

    /// The plain form that keeps the equations: λ = z⁺ − z⁻ with w ≥ 0 ⊥ z⁺ ≥ 0 and −w ≥ 0 ⊥ z⁻ ≥ 0, so that w = 0.
    pub fn split(mut problem: MixedProblem) -> Option<Self> {
        for row in problem.rows.iter_mut().filter(|row| row.law == Law::Equation) {
            row.law = Law::Bounded { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
        }
        Self::new(problem)
    }

    /// Number of unknowns.
    pub fn len(&self) -> usize {
        self.unknowns.len()
    }

    /// Whether nothing is left once the equations are eliminated.
    pub fn is_empty(&self) -> bool {
        self.unknowns.is_empty()
    }

    /// The plain problem.
    pub fn problem(&self) -> &LcpProblem {
        &self.plain
    }

    /// Returns the meaning of the unknowns, in their order.
    pub fn unknowns(&self) -> Vec<PlainUnknown> {
        self.unknowns.clone()
    }

    /// Returns λ of the mixed problem's rows for a solution z, with the eliminated equations satisfied.
    pub fn multipliers(&mut self, z: &[f64]) -> Vec<f64> {
        let mut lambda = self.offset.clone();
        for &row in &self.equations.rows {
            lambda[row as usize] = 0.0;
        }
        self.add(z, &mut lambda);
        for (lambda, offset) in lambda.iter_mut().zip(&self.offset) {
            if lambda.abs() <= ROUNDED_SUM * f64::EPSILON * offset.abs() {
                *lambda = 0.0;
            }
        }
        drag(&self.mixed, &mut lambda);
        self.equations.complete(&self.mixed, &mut lambda, &mut Vec::new());
        lambda
    }

    /// Returns the direction dz by row of the mixed problem, its largest entry 1.
    pub(crate) fn direction(&mut self, dz: &[f64]) -> Vec<f64> {
        let mut direction = vec![0.0; self.mixed.rows.len()];
        self.add(dz, &mut direction);
        drag(&self.mixed, &mut direction);
        let mut still = self.mixed.clone();
        still.free.iter_mut().for_each(|v| *v = DVec3::ZERO);
        still.rows.iter_mut().for_each(|row| row.bias = 0.0);
        self.equations.complete(&still, &mut direction, &mut Vec::new());
        let top = crate::math::largest(direction.iter().copied());
        if top > 0.0 {
            direction.iter_mut().for_each(|x| *x /= top);
        }
        direction
    }

    fn add(&self, z: &[f64], lambda: &mut [f64]) {
        for (z, unknown) in z.iter().zip(&self.unknowns) {
            if let PlainUnknown::Impulse { row, sign } = *unknown {
                lambda[row] += sign * z;
            }
        }
    }
}

/// Sets λ = s λ_n of sliding rows.
fn drag(problem: &MixedProblem, lambda: &mut [f64]) {
    for (row, data) in problem.rows.iter().enumerate() {
        if let Law::Sliding { normal, coefficient } = data.law {
            lambda[row] = coefficient * lambda[normal];
        }
    }
}

/// Returns the unknowns in the order of the rows, and λ where all of them are zero.
fn unknowns(problem: &MixedProblem) -> (Vec<PlainUnknown>, Vec<f64>) {
    let both_signs = |row: usize| [1.0, -1.0].map(|sign| PlainUnknown::Impulse { row, sign });
    let mut unknowns = Vec::new();
    let mut offset = vec![0.0; problem.rows.len()];
    let mut bounded_below = vec![false; problem.rows.len()];
    for (row, data) in problem.rows.iter().enumerate() {
        match data.law {
            Law::Equation | Law::Friction { .. } | Law::Sliding { .. } => {}
            Law::Unilateral => {
                bounded_below[row] = true;
                unknowns.push(PlainUnknown::Impulse { row, sign: 1.0 });
            }
            Law::Bounded { lower, upper } if lower == upper => offset[row] = lower,
            Law::Bounded { lower, upper } if lower.is_finite() => {
                offset[row] = lower;
                bounded_below[row] = true;
                unknowns.push(PlainUnknown::Impulse { row, sign: 1.0 });
                if upper.is_finite() {
                    unknowns.push(PlainUnknown::Ceiling { row });
                }
            }
            Law::Bounded { upper, .. } if upper.is_finite() => {
                offset[row] = upper;
                unknowns.push(PlainUnknown::Impulse { row, sign: -1.0 });
            }
            // An equation by another name: two signs that never meet a bound.
            Law::Bounded { .. } => unknowns.extend(both_signs(row)),
        }
    }
    for (row, data) in problem.rows.iter().enumerate() {
        let Law::Friction { normal, coefficient } = data.law else { continue };
        if bounded_below[normal] && coefficient > 0.0 {
            unknowns.extend(both_signs(row));
            unknowns.push(PlainUnknown::Cone { row });
        }
    }
    (unknowns, offset)
}

/// Computes M, row by row: how the rates w of the rows change with λ of one of them while the equations stay satisfied.
fn matrix(problem: &MixedProblem, equations: &mut Equations, unknowns: &[PlainUnknown]) -> Vec<f64> {
    // By row: its unknowns, and by unknown its row in the cone's or the ceiling's condition.
    let mut of_row = vec![Vec::new(); problem.rows.len()];
    let mut limits = vec![Vec::new(); unknowns.len()];
    for (j, unknown) in unknowns.iter().enumerate() {
        match *unknown {
            PlainUnknown::Impulse { row, sign } => of_row[row].push((j, sign)),
            PlainUnknown::Ceiling { .. } => limits[j - 1].push((j, -1.0)),
            PlainUnknown::Cone { row } => {
                if let Law::Friction { normal, coefficient } = problem.rows[row].law
                    && let Some((normal, _)) = of_row[normal].first()
                {
                    limits[*normal].push((j, coefficient));
                }
                limits[j - 2].push((j, -1.0));
                limits[j - 1].push((j, -1.0));
            }
        }
    }
    // The two directions of a friction row have the same column but for the sign.
    let mut answers: Vec<Vec<f64>> = vec![Vec::new(); problem.rows.len()];
    let (mut dv, mut more) = (Vec::new(), Vec::new());
    for row in (0..problem.rows.len()).filter(|&row| !of_row[row].is_empty()) {
        equations.response(problem, row, 1.0, &mut dv);
        if let Some(coefficient) = dragged(problem, row) {
            equations.response(problem, row + 1, coefficient, &mut more);
            dv.iter_mut().zip(&more).for_each(|(dv, more)| *dv += *more);
        }
        answers[row].extend(problem.rows.iter().map(|row| row.rate(&dv)));
        answers[row][row] += problem.rows[row].compliance;
    }
    release(problem, equations, &mut answers);
    let n = unknowns.len();
    let mut m = vec![0.0; n * n];
    for (j, unknown) in unknowns.iter().enumerate() {
        match *unknown {
            PlainUnknown::Impulse { row, sign } => {
                for (i, w) in answers[row].iter().enumerate() {
                    // Without −0, which a file would show.
                    of_row[i].iter().for_each(|&(i, turned)| m[i * n + j] = turned * sign * w + 0.0);
                }
                limits[j].iter().for_each(|&(i, share)| m[i * n + j] = share);
            }
            PlainUnknown::Ceiling { .. } => m[(j - 1) * n + j] = 1.0,
            PlainUnknown::Cone { .. } => {
                m[(j - 2) * n + j] = 1.0;
                m[(j - 1) * n + j] = 1.0;
            }
        }
    }
    m
}

/// λ / λ_n of the sliding row behind `normal`, if there is one.
fn dragged(problem: &MixedProblem, normal: usize) -> Option<f64> {
    match problem.rows.get(normal + 1)?.law {
        Law::Sliding { coefficient, .. } => Some(coefficient),
        _ => None,
    }
}

/// Sets the entries of rows and columns that the equations hold to zero, but for the compliance.
///
/// A normal row with sliding friction pushes along J_n + s J_t and constrains J_n v: the equations may hold the one and not the
/// other, and Aᵢᵢ = J_n W (J_n + s J_t)ᵀ may vanish where they hold neither.
fn release(problem: &MixedProblem, equations: &mut Equations, answers: &mut [Vec<f64>]) {
    if equations.rows.is_empty() {
        return;
    }
    let mobility = |i: usize| problem.rows[i].diagonal(&problem.inverse_mass) - problem.rows[i].compliance;
    let mut alone = Vec::new();
    let mut held = vec![[false; 2]; answers.len()];
    for (row, column) in answers.iter().enumerate().filter(|(_, column)| !column.is_empty()) {
        let own = column[row] - problem.rows[row].compliance;
        let (mut asked, mut pushed, mut free) = (own, own, mobility(row));
        if let Some(share) = dragged(problem, row) {
            equations.response(problem, row, 1.0, &mut alone);
            asked = problem.rows[row].rate(&alone);
            pushed += share * column[row + 1];
            free += share * share * mobility(row + 1);
        }
        held[row] = [asked <= HELD * mobility(row), pushed <= HELD * free];
    }
    for (row, column) in answers.iter_mut().enumerate() {
        let [_, pushes] = held[row];
        for (i, w) in column.iter_mut().enumerate().filter(|(i, _)| pushes || held[*i][0]) {
            *w = if i == row { problem.rows[row].compliance } else { 0.0 };
        }
    }
}
