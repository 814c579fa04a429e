//! Parses the values of options: numbers and paths of pictures.

use crate::figure::canvas::Format;
use std::path::{Path, PathBuf};

/// A number above 0.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(number),
        _ => Err("expected a number greater than 0".to_owned()),
    }
}

/// A number of at least 0.
pub(super) fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => Err("expected a number, 0 or more".to_owned()),
    }
}

/// The path of a picture to be drawn.
pub(super) fn picture(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    format_of(&path)?;
    Ok(path)
}

/// The path of a PNG file.
pub(super) fn screenshot(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match format_of(&path) {
        Ok(Format::Png) => Ok(path),
        Ok(Format::Svg) | Err(_) => Err("expected a file name that ends in .png".to_owned()),
    }
}

/// The picture format given by a file's extension.
pub(super) fn format_of(path: &Path) -> Result<Format, String> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some(svg) if svg.eq_ignore_ascii_case("svg") => Ok(Format::Svg),
        Some(png) if png.eq_ignore_ascii_case("png") => Ok(Format::Png),
        _ => Err("expected a file name that ends in .svg or .png".to_owned()),
    }
}
