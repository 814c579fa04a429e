//! A mixed problem written out as a plain linear complementarity problem with a dense matrix, to be looked at, saved, and solved
//! by the methods for dense problems; and the way back from z to λ. The conversion of the rows is that of `polyhedral.rs`.

use crate::lcp::dense::{LcpProblem, ProblemError};
use crate::lcp::direct::equations::Equations;
use crate::lcp::pivoting::polyhedral::{PlainUnknown, Polyhedral};
use crate::lcp::problem::mixed::{Law, MixedProblem};

/// A mixed problem as a plain one: equations eliminated, friction by two directions and its cone.
pub struct PlainForm {
    mixed: MixedProblem,
    equations: Equations,
    polyhedral: Polyhedral,
}

impl PlainForm {
    /// The plain form of `problem`, whose equations are eliminated. Equations alone leave nothing: see [`PlainForm::split`].
    /// Absent where a number is not finite.
    pub fn new(problem: MixedProblem) -> Option<Self> {
        let mut equations = Equations::default();
        equations.factor(&problem).ok()?;
        let polyhedral = Polyhedral::new(&problem, &mut equations)?;
        Some(Self { mixed: problem, equations, polyhedral })
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
        self.polyhedral.unknowns.len()
    }

    /// Whether nothing is left once the equations are eliminated.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The plain problem, dense.
    ///
    /// # Errors
    /// A number that is not finite.
    pub fn problem(&self) -> Result<LcpProblem, ProblemError> {
        let (n, plain) = (self.len(), &self.polyhedral.plain);
        let mut m = vec![0.0; n * n];
        for i in 0..n {
            for (j, entry) in plain.m.row(i).iter() {
                m[i * n + j] = entry;
            }
        }
        LcpProblem::new(m, plain.q.clone())
    }

    /// Returns the meaning of the unknowns, in their order.
    pub fn unknowns(&self) -> Vec<PlainUnknown> {
        self.polyhedral.unknowns.clone()
    }

    /// Returns λ of the mixed problem's rows for a solution z, with the eliminated equations satisfied.
    pub fn multipliers(&mut self, z: &[f64]) -> Vec<f64> {
        let Self { mixed, equations, polyhedral } = self;
        polyhedral.multipliers(mixed, equations, z)
    }
}
