//! The arguments of `driftlab converge`.

use crate::cli::arguments::{Posing, picture, positive};
use clap::Args;
use std::path::PathBuf;

/// A scheme, with level and integrator among its parameters where they are its own.
#[derive(Debug, Args)]
#[command(
    after_help = "A scheme takes `level` and `integrator` beside its own parameters: `none,integrator=rk4` is Runge-Kutta \
                        at the acceleration level, so that several integrators can be compared.\n\
                        Errors that the reference does not resolve, and errors as large as the motion, are marked in the \
                        table and have no part in the fitted orders.\n\
                        Example: driftlab converge six-link-chain --schemes none anitescu_hart rattle none,integrator=rk4 \
                        --reference rk4 --plot orders.png"
)]
pub(in crate::cli) struct ConvergeArguments {
    /// Scene file, or the key of a shipped scene
    pub scene: String,
    /// Schemes, each as KIND[,key=value…]; all of them if not given
    #[arg(long, value_name = "KIND[,…]", num_args = 1..)]
    pub schemes: Vec<String>,
    /// Time steps, s: VALUE,VALUE,… each of which divides the largest, or FROM:TO:log:COUNT (or lin), each rounded to do
    /// so; the scene's, its half, quarter, eighth and sixteenth if not given
    #[arg(long, value_name = "RANGE")]
    pub h: Option<String>,
    /// Simulated time, s (overrules the scene's duration); rounded to a multiple of the largest time step
    #[arg(long, value_name = "S", value_parser = positive, allow_negative_numbers = true)]
    pub time: Option<f64>,
    #[command(flatten)]
    pub posing: Posing,
    /// What errors are measured against: rattle, rk4 (none,integrator=rk4) or any scheme; rattle if not given, and rk4 where
    /// RATTLE does not treat the scene
    #[arg(long, value_name = "KIND[,…]")]
    pub reference: Option<String>,
    /// Time steps of the reference in the smallest of the others, an even number
    #[arg(long, value_name = "N", value_parser = refinement, default_value = "32")]
    pub refine: u64,
    /// Write errors and orders, a row for each scheme and time step
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write the time per step and per run, which no two runs agree on, beside the errors
    #[arg(long, value_name = "FILE")]
    pub timings: Option<PathBuf>,
    /// Draw the errors over the time step and over the computing time into this .svg or .png file
    #[arg(long, value_name = "FILE", value_parser = picture)]
    pub plot: Option<PathBuf>,
    /// Print the table as JSON
    #[arg(long)]
    pub json: bool,
}

/// The reference is made at twice its time step, too, to see how far it moves.
fn refinement(text: &str) -> Result<u64, String> {
    /// Larger numbers are typing errors: they would take millions of steps for one.
    const MOST: u64 = 1_000_000;
    match text.parse::<u64>() {
        Ok(number) if (2..=MOST).contains(&number) && number % 2 == 0 => Ok(number),
        _ => Err(format!("expected an even number from 2 to {MOST}")),
    }
}
