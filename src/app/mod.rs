//! The window: a canvas, a panel and a plot around a running world.
//!
//! Panels and canvas read the [`Model`](crate::workbench::model::Model) and an egui context, without a call to macroquad, so
//! that tests drive them without a display. Only `shell` uses the window: it passes in keys and time, and writes pictures.

mod canvas;
pub mod course;
pub mod frame;
pub mod keys;
pub mod map_colours;
pub mod panels;
pub mod screen;
mod shell;
pub mod text;
pub mod theme;

pub use shell::run;
