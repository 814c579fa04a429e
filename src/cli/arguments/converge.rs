//! The arguments of `driftlab converge`.

use crate::cli::options::Posing;
use crate::cli::values::{picture, positive};
use clap::Args;
use std::path::PathBuf;

/// Arguments of `driftlab converge`; `level` and `integrator` may be among a scheme's parameters.
#[derive(Debug, Args)]
#[command(
    after_help = "A scheme takes `level` and `integrator` in addition to its own parameters: `none,integrator=rk4` is Runge-Kutta \
                        at the acceleration level, so that several integrators can be compared.\n\
                        Errors that the reference does not resolve, and errors as large as the motion, are marked in the \
                        table and excluded from the fitted orders.\n\
                        Example: driftlab converge six-link-chain --schemes none anitescu_hart rattle none,integrator=rk4 \
                        --reference rk4 --plot orders.png"
)]
pub(in crate::cli) struct ConvergeArguments {
    /// Scene file, or the key of a shipped scene
    pub scene: String,
    /// Schemes, each as KIND[,key=value…]; all of them if not given
    #[arg(long, visible_alias = "stabilizers", value_name = "KIND[,…]", num_args = 1..)]
    pub schemes: Vec<String>,
    /// Time steps, s: VALUE,VALUE,… each of which divides the largest, or FROM:TO:log:COUNT (or lin), rounded so that each
    /// divides the largest; if not given, the scene's time step, its half, quarter, eighth and sixteenth
    #[arg(long, value_name = "RANGE")]
    pub h: Option<String>,
    /// Simulated time, s (overrides the scene's duration); rounded to a multiple of the largest time step
    #[arg(long, value_name = "S", value_parser = positive, allow_negative_numbers = true)]
    pub time: Option<f64>,
    #[command(flatten)]
    pub posing: Posing,
    /// Scheme against which errors are measured: rattle, rk4 (none,integrator=rk4) or any other; if not given, rattle, or rk4
    /// where RATTLE does not support the scene
    #[arg(long, value_name = "KIND[,…]")]
    pub reference: Option<String>,
    /// Steps of the reference per smallest time step, an even number
    #[arg(long, value_name = "N", value_parser = refinement, default_value = "32")]
    pub refine: u64,
    /// Write errors and orders, a row for each scheme and time step
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write the times per step and per run, which differ from run to run, and the errors
    #[arg(long, value_name = "FILE")]
    pub timings: Option<PathBuf>,
    /// Draw the errors over the time step and over the computing time into this .svg or .png file
    #[arg(long, value_name = "FILE", value_parser = picture)]
    pub plot: Option<PathBuf>,
    /// Print the table as JSON
    #[arg(long)]
    pub json: bool,
}

/// Reads `--refine`: even, because the reference is also computed at twice its time step, to measure its own error.
fn refinement(text: &str) -> Result<u64, String> {
    /// Larger numbers are taken for typing errors: they ask for more than a million reference steps per step.
    const MOST: u64 = 1_000_000;
    match text.parse::<u64>() {
        Ok(number) if (2..=MOST).contains(&number) && number % 2 == 0 => Ok(number),
        _ => Err(format!("expected an even number from 2 to {MOST}")),
    }
}
