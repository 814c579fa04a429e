//! `driftlab engines`: the schemes that imitate engines beside the engines' own figures.

use super::arguments::EnginesArguments;
use super::failure::Failure;
use super::files;
use super::output::print;
use super::parallel::in_parallel;
use crate::experiment::engines::{self, Case, Compared};
use std::fs;

/// The page.
const PAGE: &str = "engines.md";

/// Runs the command.
pub(super) fn run(arguments: &EnginesArguments) -> Result<(), Failure> {
    let wrong = |error: engines::EngineError| Failure::wrong(error.to_string());
    let page = arguments.out.as_ref().map(|folder| folder.join(PAGE));
    if let (Some(folder), Some(page)) = (&arguments.out, &page) {
        fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
        files::probe(page).map_err(|error| Failure::file(page, &error))?;
    }
    let cases = engines::cases().map_err(wrong)?;
    let threads = arguments.threads.or_else(|| std::thread::available_parallelism().ok());
    let compared = in_parallel("runs", &cases, threads, |case| case.compare().map_err(wrong))?;
    let all: Vec<(&Case, &[Compared])> = cases.iter().zip(compared.iter().map(Vec::as_slice)).collect();
    if let Some(page) = &page {
        files::write(page, engines::markdown(&all).as_bytes())?;
    }
    let table = if page.is_none() { engines::markdown(&all) + "\n" } else { String::new() };
    Ok(print(&(table + &engines::lines(&all)))?)
}
