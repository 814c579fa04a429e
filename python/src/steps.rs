//! What Python gives as numbers of steps and as keys of a scene file.

use crate::errors::wrong;
use driftlab::experiment::choice::MOST_STEPS;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

/// Largest record of a run, bytes.
const MOST_BYTES: u64 = 1 << 40;

/// A number of steps.
pub struct Steps(pub u64);

impl<'a, 'py> FromPyObject<'a, 'py> for Steps {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let expected = format!("expected a number of steps from 0 to {MOST_STEPS:e}");
        let is_whole = given.hasattr("__index__")? && !given.is_instance_of::<PyBool>();
        if !is_whole {
            let name = given.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "{expected}, found {} of type {name}",
                given.repr()?
            )));
        }
        let found = given.extract::<u64>().ok().filter(|steps| *steps <= MOST_STEPS);
        found.map(Self).ok_or_else(|| wrong("steps")(format!("{expected}, found {}", &*given)))
    }
}

/// Refuses a run whose record, a row of so many bytes for each step, no machine holds.
pub fn few_enough(steps: u64, row: usize) -> PyResult<()> {
    let bytes = steps.saturating_mul(row as u64);
    if bytes <= MOST_BYTES {
        return Ok(());
    }
    let most = MOST_BYTES / row as u64;
    Err(wrong("steps")(format!(
        "the record of {steps} steps has {:.3e} bytes (expected {most} steps at most, or Simulation.step, which records nothing)",
        bytes as f64
    )))
}

/// Keywords as keys of a scene file, with some more.
pub fn keys<'py>(
    py: Python<'py>,
    given: Option<&Bound<'py, PyDict>>,
    more: &[(&str, &str)],
) -> PyResult<Bound<'py, PyDict>> {
    let keys = given.map_or_else(|| Ok(PyDict::new(py)), |own| own.copy())?;
    more.iter().try_for_each(|(key, text)| keys.set_item(key, text))?;
    Ok(keys)
}
