//! The arguments of `driftlab import` and `driftlab export`.

use crate::import::Format;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `driftlab import`.
#[derive(Debug, Args)]
#[command(
    after_help = "What the scene does not contain, or contains otherwise, is printed, a line each with its place in the file.\n\
                        Example: driftlab import robot.xml -o robot.json"
)]
pub(in crate::cli) struct ImportArguments {
    /// File of the other program
    pub file: PathBuf,
    /// Write the scene to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Format of the file, if its contents do not show it: rube, box2d, mjcf, algodoo
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub from: Option<Format>,
    /// Refuse a file of which anything is left out
    #[arg(long)]
    pub strict: bool,
}

/// Arguments of `driftlab export`.
#[derive(Debug, Args)]
pub(in crate::cli) struct ExportArguments {
    /// Scene file, or the key of a shipped scene
    pub scene: String,
    /// Write the model to this file instead of standard output
    #[arg(short, long, value_name = "FILE.xml")]
    pub out: Option<PathBuf>,
    /// Refuse a scene of which anything is left out
    #[arg(long)]
    pub strict: bool,
}

fn format(text: &str) -> Result<Format, String> {
    let keys = Format::ALL.map(Format::key);
    Format::ALL
        .into_iter()
        .find(|format| format.key() == text)
        .ok_or_else(|| format!("expected one of {}", keys.join(", ")))
}
