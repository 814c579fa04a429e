//! `driftlab benchmarks`: every scheme on the multibody community's benchmarks, as a page with its picture and a table.

use super::arguments::BenchmarksArguments;
use super::failure::Failure;
use super::files;
use super::output::print;
use crate::experiment::Format;
use crate::experiment::benchmarks::{BENCHMARKS, compute, csv, draw, markdown};
use std::fs;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(arguments: &BenchmarksArguments) -> Result<(), Failure> {
    let out = &arguments.out;
    fs::create_dir_all(out).map_err(|error| Failure::file(out, &error))?;
    let page = out.join("benchmarks.md");
    files::probe(&page).map_err(|error| Failure::file(&page, &error))?;
    let start = Instant::now();
    let clock = || start.elapsed().as_secs_f64();
    let mut results = Vec::new();
    for benchmark in &BENCHMARKS {
        let lines = compute(benchmark, &clock);
        results.push((benchmark, lines.map_err(|error| Failure::wrong(format!("benchmarks: {error}")))?));
    }
    let picture = |format| draw(&results, format).map_err(|error| Failure::wrong(error.to_string()));
    files::write(&out.join("benchmarks.png"), &picture(Format::Png)?)?;
    files::write(&out.join("benchmarks.svg"), &picture(Format::Svg)?)?;
    let table = out.join("benchmarks.csv");
    files::write(&table, &csv(&results).map_err(|error| Failure::csv(&table, &error))?)?;
    let text = markdown(&results);
    files::write(&page, text.as_bytes())?;
    Ok(print(&text)?)
}
