//! `driftlab challenge`: every scheme on the pendulum challenge, as a page with its picture and a table.

use super::arguments::ChallengeArguments;
use super::failure::Failure;
use super::files;
use super::output::print;
use crate::experiment::Format;
use crate::experiment::challenge::{compute, csv, draw, markdown};
use std::fs;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(arguments: &ChallengeArguments) -> Result<(), Failure> {
    let out = &arguments.out;
    fs::create_dir_all(out).map_err(|error| Failure::file(out, &error))?;
    let page = out.join("challenge.md");
    files::probe(&page).map_err(|error| Failure::file(&page, &error))?;
    let start = Instant::now();
    let challenge = compute(&|| start.elapsed().as_secs_f64())
        .map_err(|error| Failure::wrong(format!("challenge: {error}")))?;
    let picture = |format| draw(&challenge, format).map_err(|error| Failure::wrong(error.to_string()));
    files::write(&out.join("challenge.png"), &picture(Format::Png)?)?;
    files::write(&out.join("challenge.svg"), &picture(Format::Svg)?)?;
    let table = out.join("challenge.csv");
    files::write(&table, &csv(&challenge).map_err(|error| Failure::csv(&table, &error))?)?;
    let text = markdown(&challenge);
    files::write(&page, text.as_bytes())?;
    Ok(print(&text)?)
}
