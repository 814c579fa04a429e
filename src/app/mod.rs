//! The window: a canvas, a panel and a plot around a running world.
//!
//! [`Model`](model::Model) is everything that is shown: runs ([`LiveRun`](runs::live_run::LiveRun)), of which
//! one is active, their [`Player`](runs::player::Player), and the view. Panels and canvas read the model and an egui
//! context, without a call to macroquad, so that tests drive them without a display. What a person does there becomes
//! an [`Intent`](intent::Intent), and only `apply` carries intents out. Steps are made behind one interface,
//! [`Engine`](engine::Engine), in a separate thread if there are threads, so that no frame waits for a step. Only
//! `shell` uses the window: it passes in keys and time, and writes pictures.

mod apply;
mod canvas;
pub mod commands;
pub mod course;
pub mod editor;
pub mod engine;
pub mod intent;
pub mod link;
pub mod map;
pub mod model;
mod options;
pub mod panels;
pub mod runs;
pub mod settings;
mod shell;
pub mod text;
pub mod theme;
pub mod view_state;

pub use options::{FIRST_SCENE, OpenScene, OpenTable, Options};
pub use runs::comparison::MOST_FORKS;
pub use shell::run;
