//! The arguments of `driftlab judge` and `driftlab fork`.

use super::super::values::not_negative;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    after_help = "Each figure is defined in docs/RECORDING.md. What a recording does not tell is not judged, and it is said so. \
                        A bad engine is no error: the exit status is 0 for every recording that can be read.\n\
                        Example: driftlab judge box2d.jsonl.gz rapier.jsonl --report page.html"
)]
pub(in super::super) struct JudgeArguments {
    /// Recordings
    #[arg(required = true, value_name = "FILE.jsonl")]
    pub files: Vec<PathBuf>,
    /// Print all figures as JSON, those of each joint and each two bodies that touch among them
    #[arg(long)]
    pub json: bool,
    /// Write the figures of every step
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write a page with figures, tables and definitions
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// Tell the first step at which two recordings differ, in which body or row, and by how much
    #[arg(long, conflicts_with_all = ["csv", "report", "step"])]
    pub first_difference: bool,
    /// Tell the problem of this step with its exact solution, and by how much the recording misses it row by row
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["csv", "report"])]
    pub step: Option<u64>,
    /// Scheme that poses that problem in place of the recording's own: KIND[,key=value…]
    #[arg(long, value_name = "KIND[,…]", requires = "step")]
    pub stabilizer: Option<String>,
}

#[derive(Debug, Args)]
pub(in super::super) struct ForkArguments {
    /// Recording
    #[arg(value_name = "FILE.jsonl")]
    pub file: PathBuf,
    /// The world after the last step up to this time, s
    #[arg(long, value_name = "T", value_parser = not_negative, required_unless_present = "step")]
    pub at: Option<f64>,
    /// The world after this step; 0 is the one before the first
    #[arg(long, value_name = "N", conflicts_with = "at")]
    pub step: Option<u64>,
    /// Write the scene to this file instead of standard output
    #[arg(short, long, value_name = "SCENE.json")]
    pub out: Option<PathBuf>,
}
