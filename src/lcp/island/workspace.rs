//! The memory that solving a step's problem takes.

use super::reading::IslandReading;
use super::split::{Island, Islands};
use crate::lcp::bodies::homotopy::Homotopy;
use crate::lcp::bodies::interior::Interior;
use crate::lcp::bodies::newton::Newton;
use crate::lcp::bodies::space::BodySpace;
use crate::lcp::delassus::equations::Equations;
use crate::lcp::delassus::matrix::Delassus;
use crate::lcp::mixed::trail::Trail;
use glam::DVec3;

/// Memory of the solvers of mixed problems: buffers and symbolic factors, kept while the rows' pattern stays. A
/// used one gives the same bits as a fresh one.
#[derive(Debug, Default)]
pub struct MixedWorkspace {
    /// Of a problem of equations alone.
    pub(super) system: Delassus,
    pub(super) islands: Islands,
    /// The island that is being solved.
    pub(super) island: Island,
    /// By island: its equations.
    pub(super) equations: Vec<Equations>,
    /// By island: all its equations where some depend on others, for which these stand back while it is solved.
    pub(super) redundancy: Vec<Equations>,
    pub(super) space: BodySpace,
    pub(super) newton: Newton,
    pub(super) homotopy: Homotopy,
    pub(super) interior: Interior,
    /// λ for a method whose failure must leave the warm start as it is.
    pub(super) spare: Vec<f64>,
    pub(super) rhs: Vec<f64>,
    pub(super) v: Vec<DVec3>,
    pub(super) residuals: Vec<f64>,
    /// Of the present island.
    pub(super) trail: Trail,
    /// What came of each island of the last solve.
    pub(super) readings: Vec<IslandReading>,
    /// Whether that was a system of equations, which counts as one island.
    pub(super) is_system: bool,
}
