//! Files: read within a limit, and written so that an earlier file stays whole until the new one is complete.
//!
//! Used by the command line and by the window, the only parts of the program that touch files.

#[cfg(any(feature = "box2d", feature = "engines"))]
mod box2d;
#[cfg_attr(target_family = "wasm", path = "follow_nothing.rs")]
mod follow;
mod input;
#[cfg(not(target_family = "wasm"))]
mod output;
mod packed;
mod recording;

#[cfg(any(feature = "box2d", feature = "engines"))]
pub(crate) use box2d::replay as replay_box2d;
pub(crate) use follow::Follower;
#[cfg(feature = "app")]
pub(crate) use input::MOST_PROBLEM_BYTES;
pub(crate) use input::{
    MOST_SCENE_BYTES, MOST_TABLE_BYTES, read_bytes, read_file, read_text, text_of, text_within,
};
#[cfg(not(target_family = "wasm"))]
pub(crate) use output::{Output, replace};
#[cfg(feature = "app")]
pub(crate) use output::{actual, is_special};
pub(crate) use packed::Packed;
pub(crate) use recording::{Opened, are_recording, is_recording, open_recording, recording_of};

#[cfg(feature = "app")]
use std::path::Path;

/// The name that stands for standard input or standard output.
#[cfg(not(target_family = "wasm"))]
pub(crate) const STANDARD: &str = "-";

/// Whether a path stands for standard input or standard output.
#[cfg(feature = "app")]
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new(STANDARD)
}

/// What a [`Follower`] has copied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    /// Takes that have begun.
    pub takes: usize,
    /// Bytes of the last one.
    pub bytes: u64,
    /// Whether nothing more will come.
    pub ended: bool,
    /// Why, if something went wrong.
    pub problem: Option<String>,
}
