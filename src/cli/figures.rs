//! `driftlab figures`: every published figure computed again, into a folder.
//!
//! The figures are computed on as many threads as there are cores and written afterwards in their own order. They share
//! nothing, so the files are the same whoever computes which. Threads of the standard library do: there are a few
//! dozen parts of very different length, handed out one by one, which is all that a pool would do.

use super::arguments::FiguresArguments;
use super::failure::Failure;
use super::files;
use super::output::print;
use crate::experiment::figures::{self, Document, Drawing, Figure, Judgement, markdown};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The table of all statements.
const TABLE: &str = "figures.md";

/// Runs the command.
pub(super) fn run(arguments: &FiguresArguments) -> Result<(), Failure> {
    let figures = chosen(&arguments.only)?;
    fs::create_dir_all(&arguments.out).map_err(|error| Failure::file(&arguments.out, &error))?;
    let table = arguments.out.join(TABLE);
    files::probe(&table).map_err(|error| Failure::file(&table, &error))?;
    let threads = arguments.threads.or_else(|| std::thread::available_parallelism().ok());
    let drawings = in_parallel(&figures, threads, |figure| {
        let drawing = figures::scene_of(figure).and_then(|scene| figures::recompute(figure, &scene));
        drawing.map_err(|error| Failure::wrong(format!("{}: {error}", figure.id)))
    })?;
    for document in drawings.iter().flat_map(|drawing| &drawing.documents) {
        write(&arguments.out, document)?;
    }
    let drawn: Vec<(&Figure, &Drawing)> = figures.iter().copied().zip(&drawings).collect();
    let text = markdown(&drawn);
    write(&arguments.out, &Document { name: TABLE.to_owned(), bytes: text.into_bytes() })?;
    Ok(print(&summary(&drawn, &table))?)
}

fn chosen(only: &[String]) -> Result<Vec<&'static Figure>, Failure> {
    let all: Vec<&Figure> = figures::all().collect();
    let ids = || all.iter().map(|figure| figure.id).collect::<Vec<_>>().join(", ");
    if let Some(unknown) = only.iter().find(|id| !all.iter().any(|figure| figure.id == **id)) {
        return Err(Failure::wrong(format!("--only: no figure is named '{unknown}' (expected {})", ids())));
    }
    let wanted = |figure: &&Figure| only.is_empty() || only.iter().any(|id| id == figure.id);
    Ok(all.into_iter().filter(wanted).collect())
}

/// What `work` makes of each item, in the order of the items, whichever thread did it; the first failure in that order.
fn in_parallel<I: Sync, T: Send>(
    items: &[I],
    threads: Option<NonZeroUsize>,
    work: impl Fn(&I) -> Result<T, Failure> + Sync,
) -> Result<Vec<T>, Failure> {
    let bar = ProgressBar::new(items.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} figures, {elapsed}") {
        bar.set_style(style);
    }
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return done };
            done.push((index, work(item)));
            bar.inc(1);
        }
    };
    let mut done = std::thread::scope(|scope| {
        let count = threads.map_or(1, NonZeroUsize::get).min(items.len());
        let workers: Vec<_> = (0..count).map(|_| scope.spawn(worker)).collect();
        let join = |handle: std::thread::ScopedJoinHandle<'_, Vec<(usize, Result<T, Failure>)>>| {
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().flat_map(join).collect::<Vec<_>>()
    });
    bar.finish_and_clear();
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

fn write(folder: &Path, document: &Document) -> Result<(), Failure> {
    let path = folder.join(&document.name);
    files::replace(&path, |file| {
        file.write_all(&document.bytes).map_err(|error| Failure::file(&path, &error))
    })
}

/// What is said on standard output: how many statements came out, and which did not.
fn summary(drawn: &[(&Figure, &Drawing)], table: &Path) -> String {
    let statements: Vec<_> = drawn.iter().flat_map(|(_, drawing)| &drawing.statements).collect();
    let not = statements.iter().filter(|s| matches!(s.judgement, Judgement::NotReproduced(_)));
    let lines: String =
        not.clone().map(|s| format!("not reproduced: {}: {}\n", s.source, s.text)).collect();
    let (all, not) = (statements.len(), not.count());
    format!("{} of {all} statements reproduced, {not} not; {}\n{lines}", all - not, table.display())
}
