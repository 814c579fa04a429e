//! The commands: one file each, with its arguments.

mod benchmarks;
mod beside;
mod challenge;
mod corpus;
mod creep;
mod engines;
mod figures;
mod parallel;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Recomputes what driftlab's pages say of its schemes and solvers.
#[derive(Debug, Parser)]
#[command(name = "driftlab-evidence", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Recompute every published figure: data, pictures, and a table of what is reproduced
    Figures(figures::Arguments),
    /// Compare the schemes that imitate engines with the engines' own figures, and print or write the table
    Engines(engines::Arguments),
    /// Run Box2D and Rapier themselves beside ours on the scenes that engines are asked about, judged by one yardstick
    Beside(beside::Arguments),
    /// Run every scheme on the multibody community's benchmarks: the time step and the time that each needs for the error allowed
    Benchmarks(benchmarks::Arguments),
    /// Run every scheme on the pendulum challenge: how long each follows the true motion, its energy, its rods, its cost
    Challenge(challenge::Arguments),
    /// Run every scheme on a box that friction could hold: how fast it creeps downhill, and which term makes it
    Creep(creep::Arguments),
    /// Measure how much each method of the solver `auto` contributes, on random worlds whose steps are hard to solve
    Corpus(corpus::Arguments),
}

/// Runs the program with the process's arguments: exit status 0, or 2 and what is wrong on stderr.
pub fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Figures(arguments) => figures::run(&arguments),
        Command::Engines(arguments) => engines::run(&arguments),
        Command::Beside(arguments) => beside::run(&arguments),
        Command::Benchmarks(arguments) => benchmarks::run(&arguments),
        Command::Challenge(arguments) => challenge::run(&arguments),
        Command::Creep(arguments) => creep::run(&arguments),
        Command::Corpus(arguments) => corpus::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(2)
        }
    }
}

/// The path of the page `name` in the folder `out`, which is made; fails where it could not be written after hours of computing.
fn begin(out: &Path, name: &str) -> Result<PathBuf> {
    fs::create_dir_all(out).with_context(|| out.display().to_string())?;
    let page = out.join(name);
    probe(&page)?;
    Ok(page)
}

/// Fails if the file cannot be written; leaves what is in it.
fn probe(path: &Path) -> Result<()> {
    let opened = OpenOptions::new().append(true).create(true).open(path);
    opened.map(drop).with_context(|| path.display().to_string())
}

/// Writes a whole file.
fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    fs::write(path, bytes).with_context(|| path.display().to_string())
}

/// Writes a text to standard output. A reader that leaves before the end is no error.
fn print(text: &str) -> Result<()> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error).context("standard output"),
        _ => Ok(()),
    }
}
