//! `driftlab figures`: recomputes every published figure and writes it to a folder.
//!
//! Figures and cases of the comparison are independent of each other. They are computed on as many threads as there are cores and
//! written afterwards in their own order, so that the files do not depend on the threads. Times per step are measured
//! last, on a single thread, and written to separate files.

use super::arguments::FiguresArguments;
use super::failure::Failure;
use super::files;
use super::output::print;
use super::parallel::in_parallel;
use crate::experiment::comparison::{self, CASES, Comparison, Timing};
use crate::experiment::reproduction;
use crate::experiment::reproduction::{Document, Drawing, Figure, Judgement, markdown};
use std::fs;
use std::path::Path;
use std::time::Instant;

/// The table of all statements.
const TABLE: &str = "figures.md";

/// The id of the comparison of the schemes under `--only`.
const COMPARISON: &str = "comparison";

/// Runs the command.
pub(super) fn run(arguments: &FiguresArguments) -> Result<(), Failure> {
    let figures = chosen(&arguments.only)?;
    fs::create_dir_all(&arguments.out).map_err(|error| Failure::file(&arguments.out, &error))?;
    let table = arguments.out.join(TABLE);
    files::probe(&table).map_err(|error| Failure::file(&table, &error))?;
    let threads = arguments.threads.or_else(|| std::thread::available_parallelism().ok());
    let drawings = in_parallel("figures", &figures, threads, |figure| {
        let drawing =
            reproduction::scene_of(figure).and_then(|scene| reproduction::recompute(figure, &scene));
        drawing.map_err(|error| Failure::wrong(format!("{}: {error}", figure.id)))
    })?;
    for document in drawings.iter().flat_map(|drawing| &drawing.documents) {
        write(&arguments.out, document)?;
    }
    let drawn: Vec<(&Figure, &Drawing)> = figures.iter().copied().zip(&drawings).collect();
    if !drawn.is_empty() {
        write_text(&arguments.out, TABLE, markdown(&drawn))?;
        print(&summary(&drawn, &table))?;
    }
    if arguments.only.is_empty() || arguments.only.iter().any(|id| id == COMPARISON) {
        compare(arguments, threads)?;
    }
    Ok(())
}

fn compare(arguments: &FiguresArguments, threads: Option<std::num::NonZeroUsize>) -> Result<(), Failure> {
    let out = &arguments.out;
    let cases: Vec<_> = CASES.iter().collect();
    let wrong = |id: &str, error: String| Failure::wrong(format!("{id}: {error}"));
    let all: Vec<Comparison> = in_parallel("cases compared", &cases, threads, |case| {
        comparison::compute(case).map_err(|error| wrong(case.id, error.to_string()))
    })?;
    write_text(out, "comparison.md", comparison::markdown(&all))?;
    write_text(out, "comparison.csv", comparison::csv(&all))?;
    let start = Instant::now();
    let timings: Vec<Timing> = in_parallel("cases timed", &cases, None, |case| {
        let scene = comparison::scene_of(case).map_err(|error| wrong(case.id, error.to_string()))?;
        Ok(comparison::time_per_step(case, &scene, &|| start.elapsed().as_secs_f64()))
    })?;
    let timed: Vec<(&Comparison, &Timing)> = all.iter().zip(&timings).collect();
    write_text(out, "comparison-timings.csv", comparison::timings_csv(&timed))?;
    write_text(out, "equal-cost.md", comparison::equal_cost(&timed))?;
    for (comparison, timing) in timed {
        let documents = comparison::work_precision(comparison, timing);
        let documents = documents.map_err(|error| wrong(comparison.case.id, error.to_string()))?;
        documents.iter().try_for_each(|document| write(out, document))?;
    }
    Ok(print(&format!("schemes compared: {}\n", out.join("comparison.md").display()))?)
}

fn write_text(folder: &Path, name: &str, text: String) -> Result<(), Failure> {
    write(folder, &Document { name: name.to_owned(), bytes: text.into_bytes() })
}

fn chosen(only: &[String]) -> Result<Vec<&'static Figure>, Failure> {
    let all: Vec<&Figure> = reproduction::all().collect();
    let ids: Vec<&str> = all.iter().map(|figure| figure.id).chain([COMPARISON]).collect();
    if let Some(unknown) = only.iter().find(|id| !ids.contains(&id.as_str())) {
        let expected = ids.join(", ");
        return Err(Failure::wrong(format!(
            "--only: no figure is named '{unknown}' (expected {expected})"
        )));
    }
    let wanted = |figure: &&Figure| only.is_empty() || only.iter().any(|id| id == figure.id);
    Ok(all.into_iter().filter(wanted).collect())
}

fn write(folder: &Path, document: &Document) -> Result<(), Failure> {
    let path = folder.join(&document.name);
    files::write(&path, &document.bytes)
}

/// The text for standard output: how many statements are reproduced, and which are not.
fn summary(drawn: &[(&Figure, &Drawing)], table: &Path) -> String {
    let statements: Vec<_> = drawn.iter().flat_map(|(_, drawing)| &drawing.statements).collect();
    let not = statements.iter().filter(|s| matches!(s.judgement, Judgement::NotReproduced(_)));
    let lines: String =
        not.clone().map(|s| format!("not reproduced: {}: {}\n", s.source, s.text)).collect();
    let (all, not) = (statements.len(), not.count());
    format!("{} of {all} statements reproduced, {not} not; {}\n{lines}", all - not, table.display())
}
