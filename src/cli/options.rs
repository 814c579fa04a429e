//! Groups of options that several commands share.

use super::values::{not_negative, positive};
use crate::experiment::choice::{effort, integrator, level};
use crate::method::{Effort, Integrator, Level};
use clap::Args;

/// How long and how a scene is stepped.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct Stepping {
    /// Simulated time, s (overrides the scene's duration)
    #[arg(long, value_name = "S", conflicts_with = "steps", value_parser = positive)]
    #[arg(allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Number of steps (overrides the scene's duration)
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// Time step, s (overrides the scene's)
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
    /// Effort of the solver auto: as much as solutions take, or a bounded number of operations, and approximate solutions
    #[arg(long, value_parser = effort)]
    pub effort: Option<Effort>,
    /// Level at which the constraints are posed
    #[arg(long, value_parser = level)]
    pub level: Option<Level>,
    /// Integrator at the acceleration level
    #[arg(long, value_parser = integrator)]
    pub integrator: Option<Integrator>,
    /// Gap below which a contact is active in schemes with a gap term in the contact row, m
    #[arg(long, value_name = "M", value_parser = not_negative, allow_negative_numbers = true)]
    pub active_distance: Option<f64>,
    /// In schemes with a gap term, contacts that could close within this many steps at current speeds are active, too
    #[arg(long, value_name = "STEPS", value_parser = not_negative, allow_negative_numbers = true)]
    pub active_travel: Option<f64>,
    /// Change the start velocities as little as possible so that they fit all joints and velocity constraints
    #[arg(long)]
    pub consistent: bool,
    /// Gap below which a contact is active in schemes without a gap term, m
    #[arg(long, value_name = "M", value_parser = not_negative, allow_negative_numbers = true)]
    pub contact_tolerance: Option<f64>,
}

/// The ranges of a map.
#[derive(Debug, Args)]
pub(super) struct Over {
    /// Parameter and its values: KEY=FROM:TO:log:COUNT, KEY=FROM:TO:lin:COUNT or KEY=VALUE,VALUE,…; once per parameter
    #[arg(long = "over", value_name = "KEY=RANGE", required = true)]
    pub ranges: Vec<String>,
}
