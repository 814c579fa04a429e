//! What all figures share: the font, the size, the two file formats.

use image::codecs::png::PngEncoder;
use image::{ColorType, ImageEncoder};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};
use std::sync::OnceLock;
use thiserror::Error;

/// Width and height, px.
pub(super) const SIZE: (u32, u32) = (1440, 750);
pub(super) const FONT: &str = "DejaVu Sans";

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

pub(super) fn failed(error: impl std::fmt::Display) -> PlotError {
    PlotError(error.to_string())
}

/// A figure, whatever it is drawn on.
pub(super) trait Figure {
    fn draw<B: DrawingBackend>(&self, area: DrawingArea<B, Shift>) -> Result<(), PlotError>;
}

/// The bytes of a figure's file.
pub(super) fn render(figure: &impl Figure, format: Format) -> Result<Vec<u8>, PlotError> {
    install_font()?;
    match format {
        Format::Svg => {
            let mut text = String::new();
            figure.draw(SVGBackend::with_string(&mut text, SIZE).into_drawing_area())?;
            Ok(text.into_bytes())
        }
        Format::Png => {
            let (width, height) = SIZE;
            let mut pixels = vec![0; (3 * width * height) as usize];
            figure.draw(BitMapBackend::with_buffer(&mut pixels, SIZE).into_drawing_area())?;
            encode_png(&pixels)
        }
    }
}

fn install_font() -> Result<(), PlotError> {
    static INSTALLED: OnceLock<bool> = OnceLock::new();
    let bytes = include_bytes!("../../assets/fonts/DejaVuSans.ttf");
    let installed = *INSTALLED.get_or_init(|| register_font(FONT, FontStyle::Normal, bytes).is_ok());
    installed.then_some(()).ok_or_else(|| failed("the embedded font is not one"))
}

fn encode_png(pixels: &[u8]) -> Result<Vec<u8>, PlotError> {
    let mut bytes = Vec::new();
    let (width, height) = SIZE;
    PngEncoder::new(&mut bytes).write_image(pixels, width, height, ColorType::Rgb8).map_err(failed)?;
    Ok(bytes)
}
