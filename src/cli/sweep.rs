//! `driftlab sweep`: runs a scene at every combination of some parameters.
//!
//! The runs are independent, so that the threads may take them in any order; the rows are written in the order of their
//! index. The bytes are the same for any number of threads. It uses rayon because its map keeps the order and balances runs
//! of unequal length.
//!
//! While they are made, each row that is done is kept in `FILE.csv.partial`: a sweep that was interrupted and is
//! started again makes the others.

use super::arguments::SweepArguments;
use super::failure::Failure;
use super::files;
use super::map::{check_values, completed, grid, write_sweep};
use super::open;
use super::output::complain;
use super::progress::bar;
use crate::experiment::choice::MOST_STEPS;
use crate::experiment::sweep::{Head, Length, MEASURED, Shard, Table, rows, run_point};
use crate::experiment::{Grid, Study};
use crate::files::{MOST_TABLE_BYTES, is_special, is_standard, read_text};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Runs the command.
pub(super) fn run(arguments: &SweepArguments) -> Result<(), Failure> {
    let SweepArguments { stepping, csv, plot, .. } = arguments;
    let source = open::open(&arguments.scene)?;
    let mut scene = source.parse()?;
    let grid = grid(&arguments.over, plot.as_deref())?;
    stepping.apply(&mut scene)?;
    let text = completed(arguments.stabilizer.as_deref(), &grid).or(arguments.stabilizer.clone());
    scene.settings.method = stepping.posing.method(&scene, "--stabilizer", text.as_deref())?;
    let methods = std::slice::from_ref(&scene.settings.method);
    stepping.posing.check(methods, &scene, text.is_some().then_some("--stabilizer"))?;
    complain(&stepping.posing.solver_notes(methods, &scene.world));
    let length = match stepping.steps {
        Some(steps) => Length::Steps(steps),
        None => Length::Time(stepping.time),
    };
    let study = Study::new(scene, arguments.stabilizer.clone());
    check_values(&grid, |settings| {
        let steps = length.steps(&study.at(settings)?.settings);
        let few = steps <= MOST_STEPS;
        few.then_some(()).ok_or_else(|| format!("more than {MOST_STEPS:e} steps at {settings:?}"))
    })?;
    files::guard(&source, &[("--csv", csv), ("--plot", plot)])?;
    let shard = arguments.shard.unwrap_or(Shard::WHOLE);
    let indices: Vec<u64> = shard.indices(grid.points()).collect();
    warn_of_instability(&study, &grid, &indices);
    let head = Head::new(&study, &grid, length, shard);
    let mut done = Done::open(csv.as_deref(), &head, indices.len())?;
    let mut rows = std::mem::take(&mut done.rows);
    let due: Vec<u64> = indices.iter().copied().filter(|index| !rows.contains_key(index)).collect();
    let bar = bar(due.len() as u64, "runs");
    let point = |index: &u64| {
        let row = run_point(&study, &grid, length, *index);
        bar.inc(1);
        done.keep(&row).map(|()| (*index, row))
    };
    // More threads than points would wait for nothing.
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = arguments.jobs.map_or_else(cores, usize::from).min(due.len()).max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Failure::wrong(format!("--jobs: {error}")))?;
    let made: Result<Vec<_>, Failure> = pool.install(|| due.par_iter().map(point).collect());
    bar.finish_and_clear();
    rows.extend(made?);
    let rows = indices.iter().filter_map(|index| rows.remove(index)).collect();
    write_sweep(&Table { head, rows }, csv.as_deref(), plot.as_deref())?;
    done.remove()
}

/// The rows that are done, in a file beside the one that they are for.
struct Done {
    /// Those of an earlier start.
    rows: BTreeMap<u64, Vec<String>>,
    /// None where the rows go to standard output or a device.
    file: Option<(PathBuf, Mutex<File>)>,
}

impl Done {
    /// Reads what an earlier start has left of the part that goes to `csv`, and says so.
    fn open(csv: Option<&Path>, head: &Head, points: usize) -> Result<Self, Failure> {
        let Some(csv) = csv.filter(|path| !is_standard(path) && !is_special(path)) else {
            return Ok(Self { rows: BTreeMap::new(), file: None });
        };
        let mut path = csv.to_owned().into_os_string();
        path.push(".partial");
        let path = PathBuf::from(path);
        let failed = |error: io::Error| Failure::file(&path, &error);
        let text = match read_text(&path, MOST_TABLE_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(failed(error)),
        };
        let shown = path.display();
        let wrong = |message: String| Failure::wrong(format!("{shown}: {message}"));
        let mut rows = rows::read(&text, head).map_err(wrong)?;
        let width = head.over.len() + 1 + MEASURED.len();
        rows.retain(|_, row| row.len() == width);
        if !rows.is_empty() {
            complain(&[format!(
                "note: {} of {points} rows are in {shown}; the others are made",
                rows.len()
            )]);
        }
        // Written anew, so that no line is added to one that was cut off.
        let mut whole = rows::first_line(head).map_err(wrong)?;
        for row in rows.values() {
            whole += &rows::line(row).map_err(wrong)?;
        }
        files::write(&path, whole.as_bytes())?;
        let file = OpenOptions::new().append(true).open(&path).map_err(failed)?;
        Ok(Self { rows, file: Some((path, Mutex::new(file))) })
    }

    /// Keeps a row.
    fn keep(&self, row: &[String]) -> Result<(), Failure> {
        let Some((path, file)) = &self.file else { return Ok(()) };
        let line = rows::line(row).map_err(Failure::wrong)?;
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(line.as_bytes()).map_err(|error| Failure::file(path, &error))
    }

    /// Removes the file once all rows are where they belong.
    fn remove(self) -> Result<(), Failure> {
        let Some((path, _)) = self.file else { return Ok(()) };
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Failure::file(&path, &error)),
            _ => Ok(()),
        }
    }
}

/// Says before the first run at how many points constraint errors grow by themselves, by the closed form of the scheme,
/// and at which first.
fn warn_of_instability(study: &Study, grid: &Grid, indices: &[u64]) {
    let unstable = |index: &u64| {
        let settings = study.at(&grid.at(*index)).ok()?.settings;
        settings.method.instability(settings.time_step)
    };
    let mut found = indices.iter().filter_map(unstable);
    if let Some(first) = found.next() {
        let (count, all) = (1 + found.count(), indices.len());
        complain(&[format!("warning: {count} of {all} points are unstable, the first: {first}")]);
    }
}
