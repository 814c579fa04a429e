//! `driftlab-evidence figures`: recomputes every published figure and writes it to a folder.
//!
//! Figures and cases of the comparison are independent of each other. They are computed on as many threads as there are cores and
//! written afterwards in their own order, so that the files do not depend on the threads. Times per step are measured
//! last, on a single thread, and written to separate files.

use super::parallel::in_parallel;
use super::{begin, print, write};
use crate::comparison::{self, CASES, Comparison, Timing};
use crate::reproduction::{self, Drawing, Figure, Judgement, markdown};
use anyhow::{Context, Result, bail};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The table of all statements.
const TABLE: &str = "figures.md";

/// The id of the comparison of the schemes under `--only`.
const COMPARISON: &str = "comparison";

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Folder for the files, created if missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Compute only the figures with these ids; `comparison` is the comparison of the schemes
    #[arg(long, value_name = "ID", num_args = 1..)]
    only: Vec<String>,
    /// Number of threads; one per core if not given. The files do not depend on it
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let figures = chosen(&arguments.only)?;
    let out = &arguments.out;
    let table = begin(out, TABLE)?;
    let threads = arguments.threads.or_else(|| std::thread::available_parallelism().ok());
    let drawings = in_parallel("figures", &figures, threads, |figure| {
        let drawing =
            reproduction::scene_of(figure).and_then(|scene| reproduction::recompute(figure, &scene));
        drawing.context(figure.id)
    })?;
    for document in drawings.iter().flat_map(|drawing| &drawing.documents) {
        write(&out.join(&document.name), &document.bytes)?;
    }
    let drawn: Vec<(&Figure, &Drawing)> = figures.iter().copied().zip(&drawings).collect();
    if !drawn.is_empty() {
        write(&table, markdown(&drawn))?;
        print(&summary(&drawn, &table))?;
    }
    if arguments.only.is_empty() || arguments.only.iter().any(|id| id == COMPARISON) {
        compare(arguments, threads)?;
    }
    Ok(())
}

fn compare(arguments: &Arguments, threads: Option<NonZeroUsize>) -> Result<()> {
    let out = &arguments.out;
    let cases: Vec<_> = CASES.iter().collect();
    let all: Vec<Comparison> =
        in_parallel("cases compared", &cases, threads, |case| comparison::compute(case).context(case.id))?;
    write(&out.join("comparison.md"), comparison::markdown(&all))?;
    write(&out.join("comparison.csv"), comparison::csv(&all))?;
    let start = Instant::now();
    let timings: Vec<Timing> = in_parallel("cases timed", &cases, None, |case| {
        let scene = comparison::scene_of(case).context(case.id)?;
        Ok(comparison::time_per_step(case, &scene, &|| start.elapsed().as_secs_f64()))
    })?;
    let timed: Vec<(&Comparison, &Timing)> = all.iter().zip(&timings).collect();
    write(&out.join("comparison-timings.csv"), comparison::timings_csv(&timed))?;
    write(&out.join("equal-cost.md"), comparison::equal_cost(&timed))?;
    for (comparison, timing) in timed {
        let documents = comparison::work_precision(comparison, timing).context(comparison.case.id)?;
        documents.iter().try_for_each(|document| write(&out.join(&document.name), &document.bytes))?;
    }
    print(&format!("schemes compared: {}\n", out.join("comparison.md").display()))
}

fn chosen(only: &[String]) -> Result<Vec<&'static Figure>> {
    let all: Vec<&Figure> = reproduction::all().collect();
    let ids: Vec<&str> = all.iter().map(|figure| figure.id).chain([COMPARISON]).collect();
    if let Some(unknown) = only.iter().find(|id| !ids.contains(&id.as_str())) {
        let expected = ids.join(", ");
        bail!("--only: no figure is named '{unknown}' (expected {expected})");
    }
    let wanted = |figure: &&Figure| only.is_empty() || only.iter().any(|id| id == figure.id);
    Ok(all.into_iter().filter(wanted).collect())
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
