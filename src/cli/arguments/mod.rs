//! The arguments of all commands, as clap reads them and prints them under `--help`.

mod converge;
mod import;
mod judge;
mod teaching;

pub(super) use converge::ConvergeArguments;
pub(super) use import::{ExportArguments, ImportArguments};
pub(super) use judge::{ForkArguments, JudgeArguments};
pub(super) use teaching::{CourseArguments, MarkArguments};

use super::options::{Over, Posing, Stepping};
use super::values::{not_negative, picture, positive, screenshot};
use crate::experiment::choice::{integrator, level};
use crate::experiment::sweep::Shard;
use crate::method::{Integrator, Level};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Threads of a sweep at most: each looks for work in the queues of all others, a time that grows with their square (5,000 short
/// runs: 0.6 s with 2 threads, more than 40 s with 3,000).
const MOST_JOBS: i64 = 256;

/// A sandbox for how rigid-body simulations enforce their constraints.
///
/// Without a command, opens the window.
#[derive(Debug, Parser)]
#[command(name = "driftlab", version, args_conflicts_with_subcommands = true)]
#[command(
    after_help = "Exit status: 0 success, 1 a certificate that is not passed, 2 error in the command line or the scene, 3 the simulation failed or a problem has no \
                        solution, 4 a run blew up: an error or a change of energy beyond 10⁶ times the scene's scale."
)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub window: WindowArguments,
}

#[derive(Debug, Args)]
pub(super) struct WindowArguments {
    /// Scene file, the key of a shipped scene, a recording, or a link
    pub scene: Option<String>,
    /// Open the state that a link describes: an address, or its fragment '#scene=…'
    #[arg(long, value_name = "LINK", conflicts_with_all = ["scene", "play", "paused"])]
    pub link: Option<String>,
    /// Address of the page that copied links lead to [env: DRIFTLAB_LINK_BASE; default: the window's setting, else the
    /// published page]
    #[arg(long, value_name = "URL")]
    pub link_base: Option<String>,
    /// Show what a page embeds: canvas, plot, one slider and one line of text
    #[arg(long)]
    pub embed: bool,
    /// Play back the poses in this CSV file beside the scene (see `driftlab measure --help`); once per file
    #[arg(long, value_name = "TRAJECTORY.csv", requires = "scene")]
    pub beside: Vec<PathBuf>,
    /// Draw this many frames, then quit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub frames: Option<u64>,
    /// Write the last frame to this PNG file
    #[arg(long, value_name = "FILE", value_parser = screenshot, requires = "frames")]
    pub shot: Option<PathBuf>,
    /// Start running (the default, unless the scene was saved paused)
    #[arg(long, conflicts_with = "paused")]
    pub play: bool,
    /// Start paused
    #[arg(long)]
    pub paused: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run a scene without a window and print a summary
    Run(RunArguments),
    /// Run a scene under several stabilizers and print a table
    Compare(CompareArguments),
    /// Measure the errors of a trajectory that another program has computed of a scene, beside the scene's own run
    Measure(MeasureArguments),
    /// Judge every step of recordings, of whatever engine: errors, momentum, contacts, energy
    Judge(JudgeArguments),
    /// Write the world at a frame of a recording as a scene, which any scheme continues
    Fork(ForkArguments),
    /// Measure the errors and orders of schemes over the time step, against a converged reference
    Converge(ConvergeArguments),
    /// Run a scene at every combination of some parameters and write a row for each run, and a map
    Sweep(SweepArguments),
    /// Join the parts of a sweep to the file that the unsplit sweep would write
    Merge(MergeArguments),
    /// Map where a scheme is stable, from its step linearised about the scene's state
    Stability(StabilityArguments),
    /// Report every error of scene files and recordings
    Check(CheckArguments),
    /// Follow a recording in the window while another program is writing it
    Watch(WatchArguments),
    /// List the shipped scenes, the stabilizers or the solvers, with all parameters, or the exercises of the course
    List(ListArguments),
    /// Print the JSON Schema of scene files, by which editors complete and check them
    Schema(SchemaArguments),
    /// Convert a scene of another program: R.U.B.E. JSON, a dump of Box2D, planar MJCF, Algodoo
    Import(ImportArguments),
    /// Convert a scene to MJCF, MuJoCo's XML
    Export(ExportArguments),
    /// Solve linear complementarity problems, one JSON object {"id", "M", "q"} per line
    Lcp(LcpArguments),
    /// Write the tours as a page or as slides: HTML with the live sandbox in every step, or Markdown with pictures
    Course(CourseArguments),
    /// Compute certificates of exercises anew and list them as CSV: passed, failed, forged or unreadable
    Mark(MarkArguments),
    /// Print completions for a shell
    Completions(CompletionsArguments),
    /// Print the man page, or write those of all commands
    Man(ManArguments),
}

#[derive(Debug, Args)]
pub(super) struct CompletionsArguments {
    /// The shell
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(super) struct ManArguments {
    /// Folder for the pages of the program and of each command
    pub folder: Option<PathBuf>,
}

#[derive(Clone, Debug, Args)]
pub(super) struct RunArguments {
    /// Scene file, or the key of a shipped scene
    pub scene: String,
    /// Stabilizer in place of the scene's, other parameters at their defaults: KIND[,key=value…]; also an engine, box2d or rapier
    #[arg(long, visible_alias = "scheme", value_name = "KIND[,…]")]
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
    /// Write the run as a recording (docs/RECORDING.md), compressed if the name ends in .gz
    #[arg(long, value_name = "FILE.jsonl")]
    pub record: Option<PathBuf>,
    /// Write the final state as a scene that continues with the same bits
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Search every step for impulses or velocities that are not unique; takes longer, does not change the run
    #[arg(long)]
    pub uniqueness: bool,
    /// Print who was tried on the steps' problems, and of a step that fails each body, constraint and attempt
    #[arg(long, conflicts_with = "json")]
    pub verbose: bool,
    /// Print the summary as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(super) struct CompareArguments {
    /// Scene file, or the key of a shipped scene
    pub scene: String,
    /// Stabilizers, each as KIND[,key=value…], or engines, box2d and rapier; all schemes of ours if not given
    #[arg(long, visible_alias = "schemes", value_name = "KIND[,…]", num_args = 1..)]
    pub stabilizers: Vec<String>,
    #[command(flatten)]
    pub stepping: Stepping,
    /// Draw the joint or contact errors over time into this .svg or .png file
    #[arg(long, value_name = "FILE", value_parser = picture)]
    pub plot: Option<PathBuf>,
    /// Write every step of every run, the stabilizer in the first column
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Print who was tried on the steps' problems, and of a step that fails each body, constraint and attempt
    #[arg(long, conflicts_with = "json")]
    pub verbose: bool,
    /// Print the table as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The trajectory is comma-separated, with a header that names the columns time, body, x, y and angle (s, m, rad), and \
                        optionally vx, vy and omega: a row for each time and body, x, y and angle of the body's origin, bodies by \
                        their names in the scene, times ascending. `driftlab run --trace` writes such a file."
)]
pub(super) struct MeasureArguments {
    /// Scene file, or the key of a shipped scene
    pub scene: String,
    /// Poses of the scene's bodies over time
    #[arg(value_name = "TRAJECTORY.csv")]
    pub trajectory: PathBuf,
    /// Stabilizer of the own run in place of the scene's, other parameters at their defaults: KIND[,key=value…]
    #[arg(long, visible_alias = "scheme", value_name = "KIND[,…]")]
    pub stabilizer: Option<String>,
    /// Time step of the own run, s (overrides the scene's)
    #[arg(long, value_name = "H", value_parser = positive, allow_negative_numbers = true)]
    pub dt: Option<f64>,
    #[command(flatten)]
    pub posing: Posing,
    /// Write errors and energies of every sample, in the columns of `driftlab run --csv`
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Print the figures as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Parameters: those of the stabilizer, and dt, gravity, friction, restitution, active_distance, \
                        active_travel, contact_tolerance.\n\
                        Example: driftlab sweep double-pendulum --stabilizer baumgarte_acceleration --time 2 \
                        --over alpha=1:1000:log:40 --over beta=1:1000:log:40 --csv map.csv --plot map.svg\n\
                        If a run fails, the last column of its row says why; the sweep continues and ends with exit status 0."
)]
pub(super) struct SweepArguments {
    /// Scene file, or the key of a shipped scene
    pub scene: String,
    #[command(flatten)]
    pub over: Over,
    /// Stabilizer in place of the scene's, other parameters at their defaults: KIND[,key=value…]
    #[arg(long, visible_alias = "scheme", value_name = "KIND[,…]")]
    pub stabilizer: Option<String>,
    #[command(flatten)]
    pub stepping: Stepping,
    /// Run part K of N only, to be joined by `driftlab merge`
    #[arg(long, value_name = "K/N", value_parser = Shard::parse, conflicts_with = "plot")]
    pub shard: Option<Shard>,
    /// Number of threads, at most 256; all cores if not given. The results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_JOBS))]
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
    after_help = "The full step is linearised about the scene's state, including the loads of its joints. Columns: \
                        the parameters; spectral_radius, of that step, including the modes of the motion itself; \
                        constraint_radius, of its part that acts on the constraint error; closed_form, of a single \
                        constraint without load; stable, judged by spectral_radius at rest and by constraint_radius \
                        in motion.\n\
                        With --unloaded, spectral_radius is that of the constraint error without load or motion, with touching \
                        contacts treated as equations.\n\
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
    #[arg(long, visible_alias = "scheme", value_name = "KIND[,…]")]
    pub stabilizer: Option<String>,
    /// Time step, s (overrides the scene's)
    #[arg(long, value_name = "H", value_parser = positive, allow_negative_numbers = true)]
    pub dt: Option<f64>,
    /// Level at which the constraints are posed
    #[arg(long, value_parser = level)]
    pub level: Option<Level>,
    /// Integrator at the acceleration level
    #[arg(long, value_parser = integrator)]
    pub integrator: Option<Integrator>,
    /// Linearise the constraint error alone, without load or motion
    #[arg(long)]
    pub unloaded: bool,
    /// Linearise about the state that the scene's own scheme reaches after this time, s
    #[arg(long, value_name = "T", value_parser = not_negative, allow_negative_numbers = true)]
    pub at: Option<f64>,
    /// Compute eigenvalues although they take more than a minute
    #[arg(long)]
    pub large: bool,
    /// Write the rows to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Draw the spectral radius as a heat map of two parameters, or over one, into this .svg or .png file
    #[arg(long, value_name = "FILE", value_parser = picture)]
    pub plot: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct CheckArguments {
    /// Scene files, keys of shipped scenes, or recordings
    #[arg(required = true)]
    pub scenes: Vec<String>,
}

#[derive(Debug, Args)]
pub(super) struct SchemaArguments {
    /// That of a recording's lines instead
    #[arg(long)]
    pub recording: bool,
}

#[derive(Debug, Args)]
pub(super) struct WatchArguments {
    /// A file that grows or is replaced; `-`, the standard input; `tcp:127.0.0.1:PORT` or `unix:PATH`, where a program connects
    #[arg(value_name = "FILE|-|ADDRESS")]
    pub recording: String,
    /// Draw this many frames, then quit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub frames: Option<u64>,
    /// Write the last frame to this PNG file
    #[arg(long, value_name = "FILE", value_parser = screenshot, requires = "frames")]
    pub shot: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct ListArguments {
    /// What to list
    #[arg(value_enum)]
    pub what: What,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
    /// With `exercises`: a folder of tours of one's own, whose exercises are listed as well
    #[arg(long, value_name = "FOLDER")]
    pub tours: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct LcpArguments {
    /// File of problems, one per line, or one problem in Siconos' plain text (n, M row by row, q); `-` reads standard input
    #[arg(value_name = "FILE.jsonl")]
    pub file: String,
    /// Solver of complementarity problems, with parameters: KIND[,key=value…]
    #[arg(long, value_name = "KIND[,…]", default_value = "lemke")]
    pub solver: String,
    /// Print each pivot: which variable enters, which leaves, at which ratio; and what grows along a ray
    #[arg(long)]
    pub pivots: bool,
    /// Write the problems to this file, in Siconos' plain text if its name ends in .dat, instead of solving them
    #[arg(long, value_name = "FILE", conflicts_with = "pivots")]
    pub write: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum What {
    /// The shipped scenes
    Scenes,
    /// The schemes that enforce the constraints
    Stabilizers,
    /// The solvers of the step's algebraic problem
    Solvers,
    /// The exercises of the course
    Exercises,
}
