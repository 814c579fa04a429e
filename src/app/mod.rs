//! The window: a canvas, a panel and a plot around one running world.
//!
//! [`Model`](model::Model) is everything that is shown; the panels and the canvas are functions of it and an
//! egui context, without a call to macroquad, so that tests drive them without a display. Only `shell` knows
//! the window: it passes keys and time in, and carries pictures out.

pub mod camera;
mod canvas;
pub mod clock;
pub mod commands;
pub mod fonts;
pub mod format;
pub mod framing;
pub mod history;
pub mod model;
mod options;
pub mod outline;
pub mod panels;
pub mod plot_view;
pub mod pointer;
pub mod push;
pub mod shelf;
mod shell;
pub mod simulation;
pub mod snapshots;
mod switching;
pub mod tape;
pub mod theme;
pub mod tours;
pub mod view;

pub use options::{FIRST_SCENE, OpenScene, Options};
pub use shell::run;
