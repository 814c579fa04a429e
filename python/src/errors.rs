//! Errors, worded as the command line words them.

use driftlab::scene::Problem;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::fmt::Display;

pyo3::create_exception!(
    driftlab,
    SceneError,
    PyValueError,
    "A scene is wrong. The text has a line for each problem; `problems` is a list of (path, message), with the JSON path of each."
);
pyo3::create_exception!(
    driftlab,
    StepError,
    PyRuntimeError,
    "A step failed; the world is as it was before it. `result` has what a run recorded until then."
);

pyo3::create_exception!(
    driftlab,
    BusyError,
    PyRuntimeError,
    "Something is being stepped already: by another thread, or by the step that has called the present callback."
);

/// What is said where a simulation is asked while it is being stepped.
pub fn busy() -> PyErr {
    BusyError::new_err(
        "the simulation is being stepped, by another thread or by the step that has called this callback (expected one thread at a time, \
         which a lock of its own may see to, and no steps from a callback)",
    )
}

/// All problems of a scene, a line each, behind the scene's title.
pub fn scene_error(py: Python<'_>, title: Option<&str>, problems: &[Problem]) -> PyErr {
    let prefix = title.map_or_else(String::new, |title| format!("{title}: "));
    let lines: Vec<_> = problems.iter().map(|problem| format!("{prefix}{problem}")).collect();
    let error = SceneError::new_err(lines.join("\n"));
    let pairs: Vec<_> = problems.iter().map(|own| (own.path.clone(), own.message.clone())).collect();
    match error.value(py).setattr("problems", pairs) {
        Ok(()) => error,
        Err(other) => other,
    }
}

/// An argument that is wrong, by its name.
pub fn wrong(argument: &str) -> impl Fn(String) -> PyErr + '_ {
    move |message| PyValueError::new_err(format!("{argument}: {message}"))
}

/// A value that is wrong, in the words of its error.
pub fn value(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
