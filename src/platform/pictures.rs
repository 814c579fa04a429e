//! Pictures of plots: the desktop has the library that draws the published figures, a page does without.

use crate::figure::Chart;

/// Extensions of the pictures that a plot can be saved as.
pub(crate) const PICTURES: &[&str] = if cfg!(feature = "figures") { &["svg", "png"] } else { &[] };

/// The bytes of a picture of `chart`, a file with that extension.
///
/// # Errors
/// Why it could not be drawn.
#[cfg(feature = "figures")]
pub(crate) fn drawn(chart: &Chart, extension: &str) -> Result<Vec<u8>, String> {
    use crate::figure::canvas::Format;
    /// Parts of a pixel to which a line is drawn in an SVG file.
    const FINE: u32 = 8;
    let format = if extension == "svg" { Format::Svg } else { Format::Png };
    crate::figure::draw(chart, format, FINE).map_err(|error| error.to_string())
}

/// Why a page draws none.
#[cfg(not(feature = "figures"))]
pub(crate) fn drawn(_chart: &Chart, extension: &str) -> Result<Vec<u8>, String> {
    Err(format!("a page draws no {extension} files (expected csv)"))
}
