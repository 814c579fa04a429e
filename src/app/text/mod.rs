//! Texts and numbers as the window shows and takes them, and the fonts in which they are set.

pub(super) mod elided;
pub mod fonts;
pub mod format;
pub mod number_parser;
pub mod parametrizations;
pub mod prose;
