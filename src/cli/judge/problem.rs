//! `driftlab judge FILE --step N`: the problem of a step, row by row.

use super::unread;
use crate::cli::failure::Failure;
use crate::cli::open;
use crate::cli::output::{print, print_json};
use crate::experiment::judge::{NoProblem, StepProblem};
use crate::method::Method;
use crate::numbers::four_digits;
use crate::scene::{shown, stabilizer_from};
use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Value, json};
use std::path::Path;

/// Tells the problem of step `number`, posed by the scheme of that text or by the recording's own.
pub(super) fn tell_problem(
    file: &Path,
    number: u64,
    scheme: Option<&str>,
    as_json: bool,
) -> Result<(), Failure> {
    let name = file.display().to_string();
    let mut recording = open::recording(file)?;
    let steps = recording.times().len() as u64;
    if number > steps {
        return Err(Failure::wrong(format!("--step: {} has {steps} steps", shown(&name))));
    }
    let settings = &recording.scene().settings;
    let wrong = |message: String| Failure::wrong(format!("--stabilizer: {message}"));
    let method = scheme
        .map(|text| stabilizer_from(text, settings.time_step).map(Method::new).map_err(wrong))
        .transpose()?;
    let posed_by = method.as_ref().unwrap_or(&settings.method).stabilizer.info().key;
    let found = StepProblem::of(&mut recording, number as usize - 1, method);
    let found = found.map_err(|why| match why {
        NoProblem::Unread(problems) => unread(file, &problems),
        NoProblem::NotPosed(why) => Failure::Numerical(format!(
            "{}: step {number}: no problem under '{posed_by}': {why} (--stabilizer names another scheme)",
            shown(&name)
        )),
    })?;
    if as_json {
        return Ok(print_json(&value(&found, number, posed_by))?);
    }
    let [lost, bare] = found.unmatched;
    let mut text =
        format!("{}, step {number}: its problem under '{posed_by}'\n{}\n", shown(&name), table(&found));
    if lost > 0 {
        text.push_str(&format!("{lost} contacts of the recording push where the problem has no row\n"));
    }
    if bare > 0 {
        text.push_str(&format!(
            "{bare} contacts of the problem are none of the recording's: λ counts as 0\n"
        ));
    }
    Ok(print(&text)?)
}

fn table(found: &StepProblem) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(["row", "b₀", "A_ii", "λ exact", "λ recorded", "w recorded", "residual", ""]);
    for row in 0..found.exact.rows().len() {
        let reading = &found.exact.rows()[row].reading;
        let theirs = found.theirs[row].map_or("–".to_owned(), four_digits);
        table.add_row([
            shown(&found.exact.name(&found.world, row)).into_owned(),
            four_digits(found.exact.given(row)),
            four_digits(found.exact.entry(row, row)),
            four_digits(reading.lambda),
            theirs,
            four_digits(found.w[row]),
            four_digits(found.residual[row]),
            found.exact.state(row).words().to_owned(),
        ]);
    }
    for column in table.column_iter_mut().skip(1).take(6) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn value(found: &StepProblem, number: u64, posed_by: &str) -> Value {
    let rows = (0..found.exact.rows().len()).map(|row| {
        let reading = &found.exact.rows()[row].reading;
        json!({
            "row": found.exact.name(&found.world, row),
            "state": found.exact.state(row).words(),
            "given": found.exact.given(row),
            "matrix": found.exact.entries(row),
            "bounds": reading.bounds,
            "exact": { "lambda": reading.lambda, "w": reading.w, "residual": reading.residual },
            "recorded": { "lambda": found.theirs[row], "w": found.w[row], "residual": found.residual[row] },
        })
    });
    json!({
        "step": number,
        "stabilizer": posed_by,
        "rows": rows.collect::<Value>(),
        "contacts_without_row": found.unmatched[0],
        "rows_without_contact": found.unmatched[1],
    })
}
