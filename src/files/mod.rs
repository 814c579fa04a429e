//! Files: read within a limit, and written so that an earlier file stays whole until the new one is complete.
//!
//! Used by the command line and by the window, the only parts of the program that touch files.

mod input;
#[cfg(not(target_family = "wasm"))]
mod output;
#[cfg(not(target_family = "wasm"))]
mod recording;

#[cfg(feature = "app")]
pub(crate) use input::MOST_PROBLEM_BYTES;
pub(crate) use input::{
    MOST_SCENE_BYTES, MOST_TABLE_BYTES, read_bytes, read_file, read_text, text_of, text_within,
};
#[cfg(not(target_family = "wasm"))]
pub(crate) use output::replace;
#[cfg(feature = "app")]
pub(crate) use output::{Output, actual, is_special};
#[cfg(not(target_family = "wasm"))]
pub(crate) use recording::{is_recording, open_recording};

#[cfg(feature = "app")]
use std::path::Path;

/// The name that stands for standard input or standard output.
#[cfg(feature = "app")]
pub(crate) const STANDARD: &str = "-";

/// Whether a path stands for standard input or standard output.
#[cfg(feature = "app")]
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new(STANDARD)
}
