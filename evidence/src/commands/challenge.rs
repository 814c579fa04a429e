//! `driftlab-evidence challenge`: every scheme on the pendulum challenge, as a page with its picture and a table.

use super::{begin, print, write};
use crate::challenge::{compute, csv, draw, markdown};
use anyhow::{Context, Result};
use clap::Args;
use driftlab::figure::canvas::Format;
use std::path::PathBuf;
use std::time::Instant;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Folder for the page, its picture and the table, created if missing
    #[arg(long, value_name = "DIR", default_value = "challenge")]
    out: PathBuf,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let out = &arguments.out;
    let page = begin(out, "challenge.md")?;
    let start = Instant::now();
    let challenge = compute(&|| start.elapsed().as_secs_f64()).context("challenge")?;
    let picture = |format| draw(&challenge, format);
    write(&out.join("challenge.png"), picture(Format::Png)?)?;
    write(&out.join("challenge.svg"), picture(Format::Svg)?)?;
    let table = out.join("challenge.csv");
    write(&table, csv(&challenge).with_context(|| table.display().to_string())?)?;
    let text = markdown(&challenge);
    write(&page, &text)?;
    print(&text)
}
