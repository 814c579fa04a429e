//! Box2D's own recordings: Box2D replays them in a process of its own, since a damaged one ends it, and what comes of it is
//! opened.

use driftlab_peers::{Error, Limits, convert_in_child, run_child};
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use tempfile::NamedTempFile;

/// The word by which this program is started as that process.
const COMMAND: &str = "replay-box2d";

/// What that process does, if the program's arguments say that it is one.
pub(crate) fn replay(arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let mut arguments = arguments.skip(1).peekable();
    arguments.next_if(|word| word == COMMAND)?;
    Some(run_child(&arguments.collect::<Vec<_>>()))
}

/// Replays a recording of Box2D's: the file with what came of it, and what is worth knowing of that.
///
/// # Errors
/// A file that Box2D does not take, or nothing of which can be read.
pub(super) fn replayed(path: &Path) -> io::Result<(NamedTempFile, Vec<String>)> {
    let output = NamedTempFile::new()?;
    let program = std::env::current_exe()?;
    let notes = match convert_in_child(&program, &[COMMAND], path, output.path(), Limits::default()) {
        Ok(told) => told.notes,
        // What stands before the damage is worth seeing.
        Err(
            error @ (Error::Died { step: 1.., .. }
            | Error::Late { step: 1.., .. }
            | Error::Large { step: 1.., .. }),
        ) => vec![error.to_string()],
        Err(error) => return Err(io::Error::other(error.to_string())),
    };
    Ok((output, notes))
}
