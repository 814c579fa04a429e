//! The variables of a linear complementarity problem, and the record of the exchanges of a pivoting method, which
//! changes no bit of the result.
//!
//! Lemke's method may follow several paths and Dantzig's may be run several times (see their files): each is a [`Path`], and one
//! of them led to the result.

use crate::lcp::dense::problem::Variable;
use crate::lcp::dense::scaled::Scaled;

/// One exchange: a variable becomes basic in place of another one.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Pivot {
    /// The variable that becomes basic.
    pub entering: Variable,
    /// The variable that it replaces, which is zero from now on.
    pub leaving: Variable,
    /// The driven variable: in Lemke's method always the entering one.
    pub driven: Variable,
    /// The value that the driven variable has reached from zero, in the unit of the given problem: in Lemke's method the least
    /// ratio of the ratio test.
    pub ratio: f64,
    /// The values of the basic variables at this point, and of the one that is driven, in the units of the given problem. Empty
    /// unless they are asked for.
    pub values: Vec<(Variable, f64)>,
}

/// One attempt from its beginning to its end.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Path {
    /// The exchanges, in order.
    pub pivots: Vec<Pivot>,
    /// A variable that nothing blocks, if the path ends on a ray: it may grow for ever.
    pub unblocked: Option<Variable>,
}

/// All paths of a solve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pivots {
    pub(in crate::lcp) paths: Vec<Path>,
    decisive: usize,
    valued: bool,
}

impl Pivots {
    /// A record that also keeps the values of the basic variables after each pivot.
    pub fn with_values() -> Self {
        Self { valued: true, ..Self::default() }
    }

    /// All paths, in the order in which they were followed; none where there was nothing to pivot.
    pub fn paths(&self) -> &[Path] {
        &self.paths
    }

    /// The path whose end is the result.
    pub fn path(&self) -> Option<&Path> {
        self.paths.get(self.decisive)
    }

    /// Begins another path.
    pub(super) fn begin(&mut self) {
        self.paths.push(Path::default());
    }

    /// Marks the last path as the one that led to the result.
    pub(super) fn decide(&mut self) {
        self.decisive = self.paths.len().saturating_sub(1);
    }

    /// Records that nothing blocks this variable, which ends the path.
    pub(super) fn unblocked(&mut self, variable: Variable) {
        if let Some(path) = self.paths.last_mut() {
            path.unblocked = Some(variable);
        }
    }

    /// Records an exchange, the driven variable with its value, and the `values` of the variables there.
    pub(super) fn record(
        &mut self,
        scaled: &Scaled,
        [entering, leaving]: [Variable; 2],
        driven: (Variable, f64),
        values: impl Iterator<Item = (Variable, f64)>,
    ) {
        let unscaled =
            |(variable, value): (Variable, f64)| (variable, scaled.unscaled_value(variable, value));
        let values = if self.valued { values.map(unscaled).collect() } else { Vec::new() };
        let (driven, ratio) = unscaled(driven);
        let pivot = Pivot { entering, leaving, driven, ratio, values };
        if let Some(path) = self.paths.last_mut() {
            path.pivots.push(pivot);
        }
    }
}
