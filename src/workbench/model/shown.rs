//! How figures are shown.

use super::problem::FileProblem;
use crate::workbench::runs::comparison::Order;
use crate::workbench::text::parametrizations::Languages;
use crate::workbench::view_state::plot_view::PlotView;
use crate::workbench::view_state::solve_view::SolveView;

/// How figures are shown: plots, the solved problem, parameters and the table.
#[derive(Debug, Default)]
pub struct Shown {
    /// How the plots are shown.
    pub plot: PlotView,
    /// How the last step's problem is shown.
    pub solve: SolveView,
    /// A problem from a file, which is shown in its place.
    pub problem: Option<FileProblem>,
    /// In which language parameters are shown.
    pub languages: Languages,
    /// How the table of the comparison is sorted.
    pub order: Option<Order>,
}
