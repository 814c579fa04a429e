//! Errors as CSV, which are the same bytes in every run, and computing times as CSV, which are not.

use super::{Cell, Convergence, Kind, MethodErrors};
use crate::numbers::shortest;
use std::io::Write;

/// Writes a row for each method and time step: errors, orders between neighbouring time steps, what the reference
/// resolves, and why a run failed.
///
/// # Errors
/// Errors of the writer.
pub fn csv<W: Write>(writer: W, convergence: &Convergence) -> csv::Result<()> {
    let mut writer = csv::Writer::from_writer(writer);
    let named = |suffix: &'static str| Kind::ALL.map(|kind| format!("{}_{suffix}", kind.key()));
    let mut header = ["scheme", "level", "integrator", "time_step", "steps"].map(str::to_owned).to_vec();
    header.extend([named("error"), named("order"), named("resolution")].into_iter().flatten());
    header.push("failure".to_owned());
    writer.write_record(header)?;
    for line in &convergence.lines {
        let orders = Kind::ALL.map(|kind| convergence.orders(line, kind));
        for (index, cell) in line.cells.iter().enumerate() {
            let mut row = start(line);
            row.extend([shortest(cell.h), cell.steps.to_string()]);
            row.extend(Kind::ALL.map(|kind| optional(error(cell, kind))));
            row.extend(orders.iter().map(|orders| optional(orders[index])));
            row.extend(Kind::ALL.map(|kind| shortest(convergence.resolution(kind))));
            row.push(cell.errors.clone().err().unwrap_or_default());
            writer.write_record(row)?;
        }
    }
    Ok(writer.flush()?)
}

/// Writes a row for each method and time step: median time of a step (µs), time of the run (s), and its errors.
///
/// # Errors
/// Errors of the writer.
pub fn timings_csv<W: Write>(writer: W, convergence: &Convergence) -> csv::Result<()> {
    let mut writer = csv::Writer::from_writer(writer);
    let mut header = ["scheme", "level", "integrator", "time_step", "steps"].map(str::to_owned).to_vec();
    header.extend(["step_us", "run_s"].map(str::to_owned));
    header.extend(Kind::ALL.map(|kind| format!("{}_error", kind.key())));
    writer.write_record(header)?;
    for line in &convergence.lines {
        for cell in &line.cells {
            let mut row = start(line);
            row.extend([shortest(cell.h), cell.steps.to_string()]);
            row.extend([shortest(cell.step_us), shortest(cell.total)]);
            row.extend(Kind::ALL.map(|kind| optional(error(cell, kind))));
            writer.write_record(row)?;
        }
    }
    Ok(writer.flush()?)
}

/// The columns that say which method it is.
fn start(line: &MethodErrors) -> Vec<String> {
    let integrator = line.integrator().map_or("", |integrator| integrator.key());
    [line.label.as_str(), line.method.level.key(), integrator].map(str::to_owned).to_vec()
}

fn error(cell: &Cell, kind: Kind) -> Option<f64> {
    cell.errors.as_ref().ok().map(|errors| errors[kind])
}

fn optional(value: Option<f64>) -> String {
    value.map_or_else(String::new, shortest)
}
