//! The canvas on which figures are drawn: the font, and the bytes of an SVG or a PNG file.

use crate::scene::shown;
use image::codecs::png::PngEncoder;
use image::{ColorType, ImageEncoder};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};
use std::sync::OnceLock;
use thiserror::Error;

/// The embedded font's family.
pub const FONT: &str = "DejaVu Sans";

/// What kind of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Scalable.
    Svg,
    /// Pixels.
    Png,
}

/// A figure that could not be drawn.
#[derive(Debug, Error)]
#[error("the figure could not be drawn: {0}")]
pub struct PlotError(String);

/// An error of the drawing library.
pub fn failed(error: impl std::fmt::Display) -> PlotError {
    PlotError(error.to_string())
}

/// The bytes of an SVG file of `size` px that `draw` draws with `fine` pixels for one.
///
/// # Errors
/// [`PlotError`], if the drawing library fails.
pub fn svg(
    size: (u32, u32),
    fine: u32,
    draw: impl FnOnce(DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), PlotError>,
) -> Result<Vec<u8>, PlotError> {
    install_font()?;
    let (mut text, large) = (String::new(), (fine * size.0, fine * size.1));
    draw(SVGBackend::with_string(&mut text, large).into_drawing_area())?;
    // The picture's own size; the box that is seen keeps the fine numbers.
    let of = |(width, height): (u32, u32)| format!("width=\"{width}\" height=\"{height}\"");
    Ok(without_controls(&text.replacen(&of(large), &of(size), 1)).into_bytes())
}

/// An SVG text in which the characters that XML 1.0 forbids, and those that would command a terminal, are escaped as text.
fn without_controls(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(shown).collect();
    lines.join("\n").replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

/// The bytes of a PNG file of `size` px that `draw` draws.
///
/// # Errors
/// [`PlotError`], if the drawing library fails.
pub fn png(
    size: (u32, u32),
    draw: impl FnOnce(DrawingArea<BitMapBackend<'_>, Shift>) -> Result<(), PlotError>,
) -> Result<Vec<u8>, PlotError> {
    install_font()?;
    let (width, height) = size;
    let mut pixels = vec![0; (3 * width * height) as usize];
    draw(BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area())?;
    let mut bytes = Vec::new();
    PngEncoder::new(&mut bytes).write_image(&pixels, width, height, ColorType::Rgb8).map_err(failed)?;
    Ok(bytes)
}

fn install_font() -> Result<(), PlotError> {
    static INSTALLED: OnceLock<bool> = OnceLock::new();
    let bytes = include_bytes!("../../assets/fonts/DejaVuSans.ttf");
    let installed = *INSTALLED.get_or_init(|| register_font(FONT, FontStyle::Normal, bytes).is_ok());
    installed.then_some(()).ok_or_else(|| failed("the embedded font could not be loaded"))
}
