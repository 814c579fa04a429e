//! One scalar equation g(q) = 0 with its derivatives, and the unit of its error.

use glam::DVec3;

/// The unit of a constraint's error.
///
/// ```
/// use driftlab::prelude::*;
///
/// assert_eq!([Unit::Metre, Unit::Radian, Unit::SquareMetre].map(Unit::symbol), ["m", "rad", "m²"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Unit {
    /// m.
    #[default]
    Metre,
    /// rad.
    Radian,
    /// m², of the squared distance.
    SquareMetre,
}

impl Unit {
    /// The unit's symbol.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Metre => "m",
            Self::Radian => "rad",
            Self::SquareMetre => "m²",
        }
    }
}

/// One scalar equation g(q) = 0 with its derivatives at (q, v).
///
/// ```
/// use driftlab::prelude::*;
///
/// /// Body b stays above body a: g = x_b − x_a.
/// fn above(a: &Frame, b: &Frame) -> Equation {
///     Equation { g: b.position.x - a.position.x, ja: -DVec3::X, jb: DVec3::X, k: 0.0, unit: Unit::Metre }
/// }
///
/// let [a, b] = [1.0, 1.5].map(|x| Frame::new(DVec3::new(x, 0.0, 0.0), DVec3::ZERO));
/// assert_eq!(above(&a, &b).g, 0.5);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Equation {
    /// The error g.
    pub g: f64,
    /// ∂g/∂(x, y, θ) of body a.
    pub ja: DVec3,
    /// ∂g/∂(x, y, θ) of body b.
    pub jb: DVec3,
    /// k = J̇ v.
    pub k: f64,
    /// The unit of g.
    pub unit: Unit,
}

impl Equation {
    /// A row that acts on no body.
    pub(crate) const NONE: Self =
        Self { g: 0.0, ja: DVec3::ZERO, jb: DVec3::ZERO, k: 0.0, unit: Unit::Metre };
}
