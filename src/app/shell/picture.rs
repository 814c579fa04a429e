//! Pictures of the window, as PNG files.

use crate::platform::files::{place_for_picture, replace};
use anyhow::Context;
use image::{ImageBuffer, ImageOutputFormat, Rgb};
use macroquad::prelude::get_screen_data;
use std::io::Cursor;
use std::path::{Path, PathBuf};

/// Writes the screen's contents; to be called after everything has been drawn.
pub(super) fn write(path: &Path) -> anyhow::Result<()> {
    let screen = get_screen_data();
    let (width, height) = (u32::from(screen.width), u32::from(screen.height));
    // The graphics card's rows run from the bottom up, and its alpha channel is not wanted.
    let pixel = |x: u32, y: u32| {
        let at = 4 * ((height - 1 - y) as usize * width as usize + x as usize);
        match screen.bytes.get(at..at + 3) {
            Some(rgb) => Rgb([rgb[0], rgb[1], rgb[2]]),
            None => Rgb([0, 0, 0]),
        }
    };
    let picture = ImageBuffer::from_fn(width, height, pixel);
    let mut png = Cursor::new(Vec::new());
    let encoded = picture.write_to(&mut png, ImageOutputFormat::Png);
    let told = || format!("cannot write {}", path.display());
    encoded.with_context(told)?;
    replace(path, png.get_ref()).with_context(told)
}

/// Writes a picture under the next free name in the folder for pictures, or in the current one.
pub(super) fn write_next() -> anyhow::Result<PathBuf> {
    let path = place_for_picture()?;
    write(&path)?;
    Ok(path)
}
