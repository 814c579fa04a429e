//! Dense linear complementarity problems.

use crate::attentive::attend;
use crate::errors::{value, wrong};
use driftlab::lcp::{COMPLEMENTARITY, LcpError, LcpProblem, complementarity};
use driftlab::parameter::Values;
use driftlab::scene::nearest;
use numpy::{AllowTypeChange, IntoPyArray, PyArrayLike1, PyArrayLike2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Solves w = M z + q ≥ 0, z ≥ 0, zᵀw = 0: the fields of a solution, or those of the reason why there is none, with
/// `error` among them.
#[pyfunction]
#[pyo3(signature = (m, q, method, parameters))]
pub fn solve_lcp<'py>(
    py: Python<'py>,
    m: PyArrayLike2<'py, f64, AllowTypeChange>,
    q: PyArrayLike1<'py, f64, AllowTypeChange>,
    method: &str,
    parameters: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyDict>> {
    let keys = || COMPLEMENTARITY.iter().map(|solver| solver.info().key);
    let solver = complementarity(method).ok_or_else(|| {
        let meant =
            nearest(method, keys()).map_or_else(String::new, |own| format!("; did you mean '{own}'?"));
        let all: Vec<_> = keys().collect();
        wrong("method")(format!("unknown solver '{method}' (expected one of {}{meant})", all.join(", ")))
    })?;
    let mut values = Values::defaults(solver.info().parameters);
    for (key, text) in crate::options::parameters(Some(parameters))? {
        values.set_text(&key, &text).map_err(value)?;
    }
    let (rows, columns) = m.as_array().dim();
    if rows != columns || rows != q.as_array().len() {
        let entries = q.as_array().len();
        return Err(value(format!(
            "M: expected {entries} × {entries}, a row for every entry of q, found {rows} × {columns}"
        )));
    }
    let entries = m.as_array().iter().copied().collect();
    let problem = LcpProblem::new(entries, q.as_array().to_vec()).map_err(value)?;
    let solved = attend(py, move |_| solver.solve(&problem, &values))?;
    let answer = PyDict::new(py);
    match solved {
        Ok(solution) => {
            answer.set_item("residual", solution.residual)?;
            answer.set_item("pivots", solution.pivots)?;
            answer.set_item("z", solution.z.into_pyarray(py))?;
            answer.set_item("w", solution.w.into_pyarray(py))?;
        }
        Err(error) => {
            answer.set_item("error", error.to_string())?;
            if let LcpError::Ray { direction, infeasible, .. } = error {
                answer.set_item("direction", direction.into_pyarray(py))?;
                answer.set_item("infeasible", infeasible)?;
            }
        }
    }
    Ok(answer)
}
