//! The runs behind the window: the main run and its forks in lockstep, their recorded states and figures, the player, and what
//! is said of a run that fails.

pub mod arrow_scale;
pub mod checkpoints;
pub(super) mod choices;
pub mod clock;
pub mod comparison;
pub mod failure;
pub mod force_balance;
pub mod forecast;
pub mod history;
pub mod live_run;
pub mod played;
pub mod player;
pub mod recorder;
pub mod remedy;
pub mod sag_and_creep;
pub mod setting;
pub mod undo;
