//! `driftlab-evidence engines`: the schemes that imitate engines beside the engines' own figures.

use super::parallel::in_parallel;
use super::{begin, print, write};
use crate::engines::{self, Case, Compared};
use anyhow::Result;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The page.
const PAGE: &str = "engines.md";

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Folder for the page engines.md, created if missing, in place of printing the table
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of threads; one per core if not given. The table does not depend on it
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let page = arguments.out.as_ref().map(|folder| begin(folder, PAGE)).transpose()?;
    let cases = engines::cases()?;
    let threads = arguments.threads.or_else(|| std::thread::available_parallelism().ok());
    let compared = in_parallel("runs", &cases, threads, |case| Ok(case.compare()?))?;
    let all: Vec<(&Case, &[Compared])> = cases.iter().zip(compared.iter().map(Vec::as_slice)).collect();
    if let Some(page) = &page {
        write(page, engines::markdown(&all))?;
    }
    let table = if page.is_none() { engines::markdown(&all) + "\n" } else { String::new() };
    print(&(table + &engines::lines(&all)))
}
