//! `driftlab sweep`: runs a scene at every combination of some parameters.
//!
//! The runs are independent, so that the threads may take them in any order; the rows are written in the order of their
//! index. The bytes are the same for any number of threads. It uses rayon because its map keeps the order and balances runs
//! of unequal length.

use super::arguments::SweepArguments;
use super::failure::Failure;
use super::files;
use super::map::{check_values, completed, grid, write_sweep};
use super::open;
use super::output::complain;
use super::progress::bar;
use crate::experiment::choice::MOST_STEPS;
use crate::experiment::sweep::{Head, Length, Shard, Table, run_point};
use crate::experiment::{Grid, Study};
use rayon::prelude::*;
use std::num::NonZeroUsize;

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
    let bar = bar(indices.len() as u64, "runs");
    let point = |index: &u64| {
        let row = run_point(&study, &grid, length, *index);
        bar.inc(1);
        row
    };
    // More threads than points would wait for nothing.
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = arguments.jobs.map_or_else(cores, usize::from).min(indices.len()).max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Failure::wrong(format!("--jobs: {error}")))?;
    let rows = pool.install(|| indices.par_iter().map(point).collect());
    bar.finish_and_clear();
    let head = Head::new(&study, &grid, length, shard);
    write_sweep(&Table { head, rows }, csv.as_deref(), plot.as_deref())
}

/// Says before the first run at how many points constraint errors grow by themselves, by the closed form of the scheme, and at which first.
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
