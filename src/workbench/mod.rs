//! The workbench: everything that the window keeps and does, without drawing it.
//!
//! [`Model`](model::Model) is everything that is shown: runs ([`LiveRun`](runs::live_run::LiveRun)), of which
//! one is active, their [`Player`](runs::player::Player), and the view. What a person does becomes
//! an [`Intent`](intent::Intent), and only `apply` carries intents out. Steps are made behind one interface,
//! [`Engine`](engine::Engine), in a separate thread if there are threads, so that no frame waits for a step.

mod apply;
pub mod command;
pub mod editor;
pub mod engine;
pub mod exercise;
pub mod file_kind;
pub mod intent;
pub mod library;
pub mod link;
pub mod map;
pub mod model;
pub mod options;
pub mod runs;
pub mod settings;
pub mod stage;
pub mod text;
pub mod view_state;
pub mod watched;
