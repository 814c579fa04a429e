//! The embedded fonts: Inter for text, DejaVu Sans for every mathematical sign that Inter lacks and for
//! equations as a whole.
//!
//! Inter's digits have different widths, and egui does not know a font's features: the embedded files map the digits to
//! those of the feature `tnum`, which all have the same width, so that numbers do not jitter as they change.

use crate::app::theme::{EQUATION_FAMILY, HEADING_FAMILY};
use egui_macroquad::egui::{Context, FontData, FontDefinitions, FontFamily};
use std::sync::Arc;

const TEXT: &str = "Inter";
const STRONG: &str = "Inter SemiBold";
const MATHEMATICS: &str = "DejaVu Sans";

/// Gives egui the fonts.
pub fn install(ctx: &Context) {
    ctx.set_fonts(definitions());
}

/// The families and the fonts behind them.
pub fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let data: [(&str, &'static [u8]); 3] = [
        (TEXT, include_bytes!("../../../assets/fonts/Inter-Regular.otf")),
        (STRONG, include_bytes!("../../../assets/fonts/Inter-SemiBold.otf")),
        (MATHEMATICS, include_bytes!("../../../assets/fonts/DejaVuSans.ttf")),
    ];
    for (name, bytes) in data {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    let text = fonts.families.entry(FontFamily::Proportional).or_default();
    text.splice(0..0, [TEXT.to_owned(), MATHEMATICS.to_owned()]);
    let symbols = text.clone();
    fonts.families.entry(FontFamily::Monospace).or_default().push(MATHEMATICS.to_owned());
    let with_fallback = |first: &str| {
        let mut family = vec![first.to_owned()];
        family.extend(symbols.iter().filter(|name| *name != first).cloned());
        family
    };
    fonts.families.insert(FontFamily::Name(HEADING_FAMILY.into()), with_fallback(STRONG));
    fonts.families.insert(FontFamily::Name(EQUATION_FAMILY.into()), with_fallback(MATHEMATICS));
    fonts
}
