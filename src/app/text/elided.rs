//! Texts that end in an ellipsis where they do not fit: a name that is merely cut can be read as another one.

use egui_macroquad::egui::text::{LayoutJob, TextWrapping};
use egui_macroquad::egui::{Color32, FontId, Galley, Painter};
use std::sync::Arc;

/// A line of text that is at most `width` points wide.
pub(crate) fn elided(
    painter: &Painter,
    text: impl Into<String>,
    font: FontId,
    color: Color32,
    width: f32,
) -> Arc<Galley> {
    let mut line = LayoutJob::simple_singleline(text.into(), font, color);
    line.wrap = TextWrapping::truncate_at_width(width.max(0.0));
    painter.layout_job(line)
}
