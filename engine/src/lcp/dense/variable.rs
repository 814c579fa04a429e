//! The variables of a linear complementarity problem, by which pivots are told.

use std::fmt;

/// A variable of w = M z + q, to which Lemke's method adds the covering variable z₀.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// w of that row, counted from 0.
    W(usize),
    /// z of that row, counted from 0.
    Z(usize),
    /// z₀.
    Covering,
}

impl Variable {
    /// The partner, of which one of the two is zero.
    pub fn complement(self) -> Self {
        match self {
            Self::W(k) => Self::Z(k),
            Self::Z(k) => Self::W(k),
            Self::Covering => Self::Covering,
        }
    }
}

/// As the literature counts: z1 is z of the first row, z0 the covering variable.
impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::W(k) => write!(f, "w{}", k + 1),
            Self::Z(k) => write!(f, "z{}", k + 1),
            Self::Covering => write!(f, "z0"),
        }
    }
}
