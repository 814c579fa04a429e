//! Numbers with their derivatives in every direction of the state, and the linear problem that every stage of a step solves,
//! differentiated.
//!
//! ```text
//! y = y* + W Jᵀλ ,    J y + C λ + b = 0
//!
//! δy = δy* + W (Σ λᵢGᵢ) δq + W Jᵀδλ ,    J δy + C δλ + (yᵀG) δq + δb = 0
//! ```
//!
//! y are velocities, accelerations or corrections of positions, W = M⁻¹ or the identity, C the compliances of springs.
//! Σ λᵢGᵢ is the geometric stiffness of the load λ. Both lines have the matrix A + C = J W Jᵀ + C: it is the engine's,
//! with its factors, and dependent rows are solved as the engine solves them.

use super::super::StabilityError;
use super::rows::Curved;
use crate::constraint::Row;
use crate::internal::{Delassus, largest};
use crate::lcp::{Law, MixedRow};
use glam::DVec3;

/// A vector per body.
pub(super) type Field = Vec<DVec3>;

/// A value and its derivative in each direction.
#[derive(Clone, Debug)]
pub(super) struct Jet<T> {
    pub value: T,
    pub slopes: Vec<T>,
}

impl Jet<Field> {
    /// self ← self + factor · other.
    pub fn add(&mut self, factor: f64, other: &Self) {
        let add = |x: &mut Field, dx: &Field| x.iter_mut().zip(dx).for_each(|(x, dx)| *x += factor * *dx);
        add(&mut self.value, &other.value);
        self.slopes.iter_mut().zip(&other.slopes).for_each(|(x, dx)| add(x, dx));
    }

    /// Zero, with as many bodies and directions.
    pub fn zero_like(&self) -> Self {
        let zero = vec![DVec3::ZERO; self.value.len()];
        Self { slopes: vec![zero.clone(); self.slopes.len()], value: zero }
    }
}

/// Rows with A + C factorised.
pub(super) struct System<'w> {
    pub rows: Vec<Curved>,
    inverse_mass: &'w [DVec3],
    matrix: Delassus,
    /// The largest part of a differentiated right-hand side that contradicts dependent rows, as a fraction of it.
    pub conflict: f64,
}

impl<'w> System<'w> {
    /// Factorises; `compliance` is c of a row.
    ///
    /// # Errors
    /// A matrix that is not finite.
    pub fn new(
        rows: Vec<Curved>,
        inverse_mass: &'w [DVec3],
        compliance: impl Fn(&Curved) -> f64,
    ) -> Result<Self, StabilityError> {
        let equation = |curved: &Curved| {
            let Row { a, b, ja, jb, further, .. } = curved.row;
            let (law, compliance) = (Law::Equation, compliance(curved));
            MixedRow { a, b, ja, jb, bias: 0.0, compliance, law, further }
        };
        let equations: Vec<MixedRow> = rows.iter().map(equation).collect();
        let mut matrix = Delassus::default();
        matrix.factor(rows.len(), |i| &equations[i], inverse_mass).ok_or(StabilityError::NotFinite)?;
        Ok(Self { rows, inverse_mass, matrix, conflict: 0.0 })
    }

    /// Adds W Jᵀλ to y such that J y + C λ + b = 0, with all derivatives; `q` is the pose of the rows. Returns λ.
    pub fn solve(&mut self, q: &Jet<Field>, y: &mut Jet<Field>, b: &Jet<Vec<f64>>) -> Jet<Vec<f64>> {
        let count = self.rows.len();
        let mut lambda = Jet { value: vec![0.0; count], slopes: vec![vec![0.0; count]; q.slopes.len()] };
        let Self { rows, inverse_mass, matrix, conflict } = self;
        let rhs: Vec<f64> = rows.iter().zip(&b.value).map(|(row, b)| -(row.along(&y.value) + b)).collect();
        matrix.solve(&rhs, &mut lambda.value);
        push(rows, inverse_mass, &lambda.value, &mut y.value);
        let sweeps: Vec<_> = rows.iter().map(|row| row.sweep(&y.value)).collect();
        for (direction, dq) in q.slopes.iter().enumerate() {
            let (dy, db) = (&mut y.slopes[direction], &b.slopes[direction]);
            stiffen(rows, inverse_mass, &lambda.value, dq, dy);
            let turned = rows.iter().zip(&sweeps).zip(db);
            let rhs: Vec<f64> =
                turned.map(|((row, sweep), db)| -(row.along(dy) + row.times(sweep, dq) + db)).collect();
            let left = matrix.solve(&rhs, &mut lambda.slopes[direction]);
            *conflict = largest([*conflict, left / largest(rhs.iter().copied().chain([1.0]))]);
            push(rows, inverse_mass, &lambda.slopes[direction], dy);
        }
        lambda
    }
}

/// y ← y + W Jᵀλ.
pub(super) fn push(rows: &[Curved], inverse_mass: &[DVec3], lambda: &[f64], y: &mut [DVec3]) {
    rows.iter().zip(lambda).for_each(|(curved, lambda)| curved.row.push(*lambda, inverse_mass, y));
}

/// δy ← δy + W (Σ λᵢGᵢ) δq.
pub(super) fn stiffen(
    rows: &[Curved],
    inverse_mass: &[DVec3],
    lambda: &[f64],
    dq: &[DVec3],
    dy: &mut [DVec3],
) {
    for (curved, lambda) in rows.iter().zip(lambda) {
        for (body, turned) in curved.turned(dq) {
            dy[body] += inverse_mass[body] * turned * *lambda;
        }
    }
}
