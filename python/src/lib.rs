//! The compiled part of the Python package `driftlab`: scenes, runs, experiments and the complementarity solvers, with
//! arrays in numpy.
//!
//! Everything that computes is the library's own; here are the names, shapes and errors that Python sees. What only
//! arranges results (tables, plots, executors, environments) is written in Python beside it, in `../driftlab`.

mod attentive;
mod columns;
mod converge;
mod errors;
mod fleet;
mod lcp;
mod lines;
mod maps;
mod options;
mod queries;
mod report;
mod scene;
mod simulation;
mod state;
mod steps;

use pyo3::prelude::*;

/// The compiled part of `driftlab`.
#[pymodule]
mod _driftlab {
    use numpy::PyArray1;
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::converge::converge_csv;
    #[pymodule_export]
    use crate::errors::{BusyError, SceneError, StepError};
    #[pymodule_export]
    use crate::fleet::Fleet;
    #[pymodule_export]
    use crate::lcp::solve_lcp;
    #[pymodule_export]
    use crate::lines::Lines;
    #[pymodule_export]
    use crate::maps::{Sweep, merge_parts, part_of, stability_map};
    #[pymodule_export]
    use crate::report::StepReport;
    #[pymodule_export]
    use crate::scene::{Scene, scenes, schemes, schemes_at, solvers};
    #[pymodule_export]
    use crate::simulation::Simulation;

    /// Loads NumPy's interface with the module: a signal that comes while it is loaded later would be a panic.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        PyArray1::<f64>::zeros(module.py(), 0, false);
        Ok(())
    }
}
