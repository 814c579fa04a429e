//! `driftlab benchmarks`: every scheme on the multibody community's benchmarks, as a page and a table.

use super::arguments::BenchmarksArguments;
use super::failure::Failure;
use super::files;
use super::output::print;
use crate::experiment::benchmarks::{BENCHMARKS, compute, csv, markdown};
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
    let table = out.join("benchmarks.csv");
    files::write(&table, &csv(&results).map_err(|error| Failure::csv(&table, &error))?)?;
    let text = markdown(&results);
    files::write(&page, text.as_bytes())?;
    Ok(print(&text)?)
}
