//! A mixed problem written out as a plain linear complementarity problem with a dense matrix, to be looked at, saved, and solved
//! by the methods for dense problems; and the way back from z to λ. The conversion of the rows is that of `polyhedral.rs`.

use crate::lcp::dense::{LcpProblem, ProblemError};
use crate::lcp::direct::equations::Equations;
use crate::lcp::pivoting::polyhedral::{Polyhedral, Unknown};
use crate::lcp::problem::mixed::{Law, MixedProblem};

/// The meaning of an unknown z of the plain problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlainUnknown {
    /// λ of the row grows by `sign` z; the condition beside it is the row's w.
    Impulse {
        /// Index of the row.
        row: usize,
        /// 1 or −1.
        sign: f64,
    },
    /// The multiplier of the upper bound of a row's λ.
    Ceiling {
        /// Index of the row.
        row: usize,
    },
    /// γ of a friction row: its slip; the condition beside it is μ λ_n − |λ| ≥ 0.
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
        let named = |unknown: &Unknown| match *unknown {
            Unknown::Impulse { row, sign } => PlainUnknown::Impulse { row, sign },
            Unknown::Ceiling { row, .. } => PlainUnknown::Ceiling { row },
            Unknown::Cone { row, .. } => PlainUnknown::Cone { row },
        };
        self.polyhedral.unknowns.iter().map(named).collect()
    }

    /// Returns λ of the mixed problem's rows for a solution z, with the eliminated equations satisfied.
    pub fn multipliers(&mut self, z: &[f64]) -> Vec<f64> {
        let Self { mixed, equations, polyhedral } = self;
        polyhedral.multipliers(mixed, equations, z)
    }
}
