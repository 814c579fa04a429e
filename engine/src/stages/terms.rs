//! The terms in which a scheme says what it asks of the stages, and a step's problem as it is recorded: types that
//! `method` and `step` publish, apart from the stages, whose modules publish nothing but their heads.

use crate::lcp::MixedProblem;

/// g̈ + 2α ġ + β² g = 0 in joint rows; with e and its integral in non-holonomic ones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Oscillator {
    /// 1/s.
    pub alpha: f64,
    /// 1/s.
    pub beta: f64,
    /// Which errors of non-holonomic rows their integral holds when it is used.
    pub integral: Quadrature,
}

/// Which errors are in ∫ e dt when it is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quadrature {
    /// The present one too.
    Present,
    /// Only the errors of the steps before.
    Late,
    /// None: the term is left out, and the sum stays unchanged.
    #[default]
    Off,
}

/// The term of a scheme's contact row in the gap, which decides how far ahead contacts are found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum GapTerm {
    /// The row has no gap term, or one for overlaps alone: contacts within the contact tolerance.
    #[default]
    Touching,
    /// The row has no gap term, and the scheme corrects positions after the step: contacts that a step's fall could close, too.
    Corrected,
    /// The row has the gap's free travel in it: contacts within the active distance.
    Travelling,
    /// The same, and contacts within this distance, m, in any case.
    Speculative(f64),
    /// The row acts on overlaps alone, in substeps that share the contacts found when the step begins.
    Substeps,
}

impl GapTerm {
    /// Whether contacts that do not touch yet are in the problem, with their free travel, or in its substeps.
    pub fn travels(self) -> bool {
        matches!(self, Self::Travelling | Self::Speculative(_) | Self::Substeps)
    }
}

/// The metric in which a position correction is shortest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// dpᵀ M dp: the least kinetic energy [Cline & Pai 2003, eq. 14].
    Mass,
    /// dpᵀ dp [Cline & Pai 2003, eqs. 12 and 13].
    Identity,
}

/// A problem of a step, before it was solved.
#[derive(Clone, Debug)]
pub struct PosedProblem {
    /// Bodies and rows.
    pub problem: MixedProblem,
    /// λ by row that the solver starts from.
    pub warm: Vec<f64>,
    /// Attempts that its hardest island took; `None` if it was left unsolved.
    pub attempts: Option<usize>,
}
