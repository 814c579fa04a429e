//! `driftlab-evidence benchmarks`: every scheme on the multibody community's benchmarks, as a page with its picture and a table.

use super::{begin, print, write};
use crate::benchmarks::{BENCHMARKS, compute, csv, draw, markdown};
use anyhow::{Context, Result};
use clap::Args;
use driftlab::figure::canvas::Format;
use std::path::PathBuf;
use std::time::Instant;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Folder for the page, its picture and the table, created if missing
    #[arg(long, value_name = "DIR", default_value = "benchmarks")]
    out: PathBuf,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let out = &arguments.out;
    let page = begin(out, "benchmarks.md")?;
    let start = Instant::now();
    let clock = || start.elapsed().as_secs_f64();
    let mut results = Vec::new();
    for benchmark in &BENCHMARKS {
        let lines = compute(benchmark, &clock);
        results.push((benchmark, lines.context("benchmarks")?));
    }
    let picture = |format| draw(&results, format);
    write(&out.join("benchmarks.png"), picture(Format::Png)?)?;
    write(&out.join("benchmarks.svg"), picture(Format::Svg)?)?;
    let table = out.join("benchmarks.csv");
    write(&table, csv(&results).with_context(|| table.display().to_string())?)?;
    let text = markdown(&results);
    write(&page, &text)?;
    print(&text)
}
