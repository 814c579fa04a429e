//! Texts and numbers as the window shows and takes them.

pub mod format;
pub mod number_parser;
pub mod parametrizations;
pub mod prose;
