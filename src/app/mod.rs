//! The window: a canvas, a panel and a plot around a running world.
//!
//! [`Model`](model::Model) is everything that is shown: runs ([`Simulation`](simulation::Simulation)), of which one is active,
//! their [`Player`](player::Player), and the view. Panels and canvas read the model and an egui context, without a call to
//! macroquad, so that tests drive them without a display. What a person does there becomes an [`Intent`](intent::Intent), and
//! only `apply` carries intents out. Steps are made behind one interface, [`Engine`](engine::Engine), in a separate thread if
//! there are threads, so that no frame waits for a step. Only `shell` uses the window: it passes in keys and time, and writes
//! pictures.

pub mod account;
mod apply;
pub mod arrangement;
pub mod camera;
mod canvas;
mod choices;
pub mod clock;
pub mod commands;
pub mod comparison;
mod elided;
pub mod engine;
pub mod fonts;
pub mod forecast;
pub mod format;
pub mod framing;
pub mod history;
pub mod intent;
pub mod languages;
pub mod map;
pub mod model;
mod options;
pub mod outline;
pub mod panels;
pub mod player;
pub mod plot_view;
pub mod pointer;
pub mod prose;
pub mod push;
pub mod recorder;
pub mod remedy;
mod setting;
pub mod shelf;
mod shell;
pub mod side_tab;
pub mod simulation;
pub mod solve_view;
pub mod states;
pub mod theme;
pub mod tours;
pub mod trail;
pub mod trouble;
pub mod typed;
pub mod typical;
pub mod view;

pub use options::{FIRST_SCENE, OpenScene, Options};
pub use shell::run;
