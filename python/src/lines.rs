//! The lines of a simulation's recording.

use crate::errors::value;
use crate::simulation::Simulation;
use driftlab::experiment::recording::RunRecorder;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// The lines of a recording of a simulation (docs/RECORDING.md), which the caller writes.
#[pyclass(frozen, module = "driftlab")]
pub struct Lines {
    recorder: Mutex<RunRecorder<Vec<u8>>>,
}

#[pymethods]
impl Lines {
    #[new]
    fn new(simulation: &Bound<'_, Simulation>) -> PyResult<Self> {
        let state = simulation.get().lock()?;
        let recorder = RunRecorder::new(Vec::new(), &state.scene(), &state.run).map_err(value)?;
        Ok(Self { recorder: Mutex::new(recorder) })
    }

    /// What is to be written first: the world as it was when the recording began.
    fn begin(&self) -> PyResult<String> {
        self.taken()
    }

    /// The line of the last step that the simulation has made.
    fn add(&self, simulation: &Bound<'_, Simulation>) -> PyResult<String> {
        let state = simulation.get().lock()?;
        let mut recorder = self.recorder.lock().unwrap_or_else(PoisonError::into_inner);
        recorder.add(&state.run).map_err(value)?;
        drop(recorder);
        self.taken()
    }
}

impl Lines {
    fn taken(&self) -> PyResult<String> {
        let mut recorder = self.recorder.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(String::from_utf8(std::mem::take(recorder.get_mut()))?)
    }
}
