//! The arguments of all commands, as clap reads them and prints them under `--help`.

use super::converge::ConvergeArguments;
use crate::experiment::Format;
use crate::experiment::sweep::Shard;
use crate::stabilizer::{Integrator, Level};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// A sandbox in which rigid-body simulations keep their constraints, or drift.
///
/// Without a command, opens the window.
#[derive(Debug, Parser)]
#[command(name = "driftlab", version, args_conflicts_with_subcommands = true)]
#[command(
    after_help = "Exit status: 0 done, 2 command line or scene wrong, 3 the simulation failed or a problem has no solution."
)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub window: WindowArguments,
}

#[derive(Debug, Args)]
pub(super) struct WindowArguments {
    /// Scene file, or the key of a shipped scene
    pub scene: Option<String>,
    /// Draw this many frames, then quit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub frames: Option<u64>,
    /// Write the last frame to this PNG file
    #[arg(long, value_name = "FILE", value_parser = screenshot, requires = "frames")]
    pub shot: Option<PathBuf>,
    /// Start running (the default)
    #[arg(long, conflicts_with = "paused")]
    pub play: bool,
    /// Start paused
    #[arg(long)]
    pub paused: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run a scene without a window and print what came of it
    Run(RunArguments),
    /// Run a scene under several stabilizers and print one table
    Compare(CompareArguments),
    /// Measure the errors and orders of schemes over the time step, against a converged reference
    Converge(ConvergeArguments),
    /// Run a scene at every combination of some parameters: a row each, and a map
    Sweep(SweepArguments),
    /// Join the parts of a sweep to the file that one run of it writes
    Merge(MergeArguments),
    /// Map where a scheme is stable, from its step linearised where the scene stands
    Stability(StabilityArguments),
    /// Compute every published figure again: data, pictures, and a table of what comes out
    Figures(FiguresArguments),
    /// Report every error of scene files
    Check(CheckArguments),
    /// List the shipped scenes, the stabilizers or the solvers, with all parameters
    List(ListArguments),
    /// Solve linear complementarity problems, one JSON object {"id", "M", "q"} a line
    Lcp(LcpArguments),
}

/// How long and how a scene is stepped.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct Stepping {
    /// Simulated time, s (overrules the scene's duration)
    #[arg(long, value_name = "S", conflicts_with = "steps", value_parser = positive)]
    #[arg(allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Number of steps (overrules the scene's duration)
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// Time step, s (overrules the scene's)
    #[arg(long, value_name = "H", value_parser = positive, allow_negative_numbers = true)]
    pub dt: Option<f64>,
    #[command(flatten)]
    pub posing: Posing,
}

/// How a step's problem is posed and solved.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct Posing {
    /// Solver, with parameters: KIND[,key=value…]
    #[arg(long, value_name = "KIND[,…]")]
    pub solver: Option<String>,
    /// Level at which the constraints are posed
    #[arg(long, value_parser = level)]
    pub level: Option<Level>,
    /// Integrator at the acceleration level
    #[arg(long, value_parser = integrator)]
    pub integrator: Option<Integrator>,
    /// Gap below which a contact is in the problem of schemes that keep its free travel, m
    #[arg(long, value_name = "M", value_parser = not_negative, allow_negative_numbers = true)]
    pub active_distance: Option<f64>,
    /// Steps of travel at the present speeds within which a contact is in the problem, too
    #[arg(long, value_name = "STEPS", value_parser = not_negative, allow_negative_numbers = true)]
    pub active_travel: Option<f64>,
    /// Gap below which a contact is active in schemes that do not, m
    #[arg(long, value_name = "M", value_parser = not_negative, allow_negative_numbers = true)]
    pub contact_tolerance: Option<f64>,
}

#[derive(Debug, Args)]
pub(super) struct RunArguments {
    /// Scene file, or the key of a shipped scene
    pub scene: String,
    /// Stabilizer in place of the scene's, other parameters at their defaults: KIND[,key=value…]
    #[arg(long, value_name = "KIND[,…]")]
    pub stabilizer: Option<String>,
    #[command(flatten)]
    pub stepping: Stepping,
    /// Write errors, energies and solver figures of every step
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write every body's pose and velocity at every step
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Write the impulse, point and state of every contact, joint, limit, motor and spring at every step
    #[arg(long, value_name = "FILE")]
    pub impulses: Option<PathBuf>,
    /// Write the final state as a scene that continues to the same bits
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Examine every step for other solutions: impulses or velocities that are not unique; takes longer, changes nothing
    #[arg(long)]
    pub uniqueness: bool,
    /// Print the summary as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(super) struct CompareArguments {
    /// Scene file, or the key of a shipped scene
    pub scene: String,
    /// Stabilizers, each as KIND[,key=value…]; all of them if not given
    #[arg(long, value_name = "KIND[,…]", num_args = 1..)]
    pub stabilizers: Vec<String>,
    #[command(flatten)]
    pub stepping: Stepping,
    /// Draw the joint or contact errors over time into this .svg or .png file
    #[arg(long, value_name = "FILE", value_parser = picture)]
    pub plot: Option<PathBuf>,
    /// Write every step of every run, the stabilizer in the first column
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Print the table as JSON
    #[arg(long)]
    pub json: bool,
}

/// The ranges of a map.
#[derive(Debug, Args)]
pub(super) struct Over {
    /// Parameter and its values: KEY=FROM:TO:log:COUNT, KEY=FROM:TO:lin:COUNT or KEY=VALUE,VALUE,…; once per parameter
    #[arg(long = "over", value_name = "KEY=RANGE", required = true)]
    pub ranges: Vec<String>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Parameters: those of the stabilizer, and dt, gravity, friction, restitution, active_distance, \
                        active_travel, contact_tolerance.\n\
                        Example: driftlab sweep double-pendulum --stabilizer baumgarte_acceleration --time 2 \
                        --over alpha=1:1000:log:40 --over beta=1:1000:log:40 --csv map.csv --plot map.svg\n\
                        A run that fails is a row whose last column says why; the sweep goes on and ends with 0."
)]
pub(super) struct SweepArguments {
    /// Scene file, or the key of a shipped scene
    pub scene: String,
    #[command(flatten)]
    pub over: Over,
    /// Stabilizer in place of the scene's, other parameters at their defaults: KIND[,key=value…]
    #[arg(long, value_name = "KIND[,…]")]
    pub stabilizer: Option<String>,
    #[command(flatten)]
    pub stepping: Stepping,
    /// Run part K of N only, to be joined by `driftlab merge`
    #[arg(long, value_name = "K/N", value_parser = Shard::parse, conflicts_with = "plot")]
    pub shard: Option<Shard>,
    /// Threads; all cores if not given. Their number changes no byte of the results
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Write the rows to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Draw the largest error as a heat map of two parameters, or over one, into this .svg or .png file
    #[arg(long, value_name = "FILE", value_parser = picture)]
    pub plot: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct MergeArguments {
    /// Files that `driftlab sweep --shard` wrote, in any order
    #[arg(required = true, value_name = "PART")]
    pub parts: Vec<PathBuf>,
    /// Write the rows to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Draw the largest error as a heat map of two parameters, or over one, into this .svg or .png file
    #[arg(long, value_name = "FILE", value_parser = picture)]
    pub plot: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The full step is linearised about the state in which the scene stands, with the load of its joints. Columns: the \
                        parameters; spectral_radius, of that step, the motion's own modes included; constraint_radius, of the part \
                        of it that is the constraint error; closed_form, of one constraint without load; stable: by \
                        the first at rest, by the second in motion.\n\
                        With --unloaded, spectral_radius is that of the constraint error without load or motion, contacts that \
                        touch taken as equations.\n\
                        `--stabilizer soft,hertz=…,damping_ratio=…,sweeps=…,relax=on` maps Box2D's soft constraints, too.\n\
                        Example: driftlab stability double-pendulum --stabilizer baumgarte_acceleration --dt 0.01 \
                        --over alpha=1:1000:log:40 --over beta=1:1000:log:40 --csv map.csv --plot map.svg"
)]
pub(super) struct StabilityArguments {
    /// Scene file, or the key of a shipped scene
    pub scene: String,
    #[command(flatten)]
    pub over: Over,
    /// Stabilizer in place of the scene's, other parameters at their defaults: KIND[,key=value…], or soft[,…]
    #[arg(long, value_name = "KIND[,…]")]
    pub stabilizer: Option<String>,
    /// Time step, s (overrules the scene's)
    #[arg(long, value_name = "H", value_parser = positive, allow_negative_numbers = true)]
    pub dt: Option<f64>,
    /// Level at which the constraints are posed
    #[arg(long, value_parser = level)]
    pub level: Option<Level>,
    /// Integrator at the acceleration level
    #[arg(long, value_parser = integrator)]
    pub integrator: Option<Integrator>,
    /// Linearise the constraint error alone, as if nothing were loaded or moved
    #[arg(long)]
    pub unloaded: bool,
    /// Linearise the scene where its own scheme has brought it after this time, s
    #[arg(long, value_name = "T", value_parser = not_negative, allow_negative_numbers = true)]
    pub at: Option<f64>,
    /// Write the rows to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Draw the spectral radius as a heat map of two parameters, or over one, into this .svg or .png file
    #[arg(long, value_name = "FILE", value_parser = picture)]
    pub plot: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct FiguresArguments {
    /// Folder for the files; made where there is none
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Only these figures, by their ids; `comparison` is the comparison of the schemes
    #[arg(long, value_name = "ID", num_args = 1..)]
    pub only: Vec<String>,
    /// Threads; one per core if not given. The files are the same
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
}

#[derive(Debug, Args)]
pub(super) struct CheckArguments {
    /// Scene files, or keys of shipped scenes
    #[arg(required = true)]
    pub scenes: Vec<String>,
}

#[derive(Debug, Args)]
pub(super) struct ListArguments {
    /// What to list
    #[arg(value_enum)]
    pub what: What,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(super) struct LcpArguments {
    /// File of problems, a line each; `-` reads standard input
    #[arg(value_name = "FILE.jsonl")]
    pub file: String,
    /// Solver of complementarity problems, with parameters: KIND[,key=value…]
    #[arg(long, value_name = "KIND[,…]", default_value = "lemke")]
    pub solver: String,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum What {
    /// The shipped scenes
    Scenes,
    /// The schemes that keep the constraints
    Stabilizers,
    /// The solvers of the step's algebraic problem
    Solvers,
}

pub(super) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(number),
        _ => Err("expected a number greater than 0".to_owned()),
    }
}

fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => Err("expected a number, 0 or more".to_owned()),
    }
}

pub(super) fn level(text: &str) -> Result<Level, String> {
    named(text, &Level::ALL.map(|level| (level.key(), level)))
}

pub(super) fn integrator(text: &str) -> Result<Integrator, String> {
    named(text, &Integrator::ALL.map(|integrator| (integrator.key(), integrator)))
}

fn named<T: Copy>(text: &str, all: &[(&str, T)]) -> Result<T, String> {
    let keys: Vec<_> = all.iter().map(|(key, _)| *key).collect();
    let found = all.iter().find(|(key, _)| *key == text);
    found.map(|(_, thing)| *thing).ok_or_else(|| format!("expected {}", keys.join(", ")))
}

pub(super) fn picture(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    super::compare::format_of(&path)?;
    Ok(path)
}

fn screenshot(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match super::compare::format_of(&path) {
        Ok(Format::Png) => Ok(path),
        Ok(Format::Svg) | Err(_) => Err("expected a file name that ends in .png".to_owned()),
    }
}
