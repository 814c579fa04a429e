//! The ways in which a command can fail, each with its exit status.

use std::io;
use std::path::Path;
use std::process::ExitCode;

/// The command line or a scene is wrong.
pub(super) const WRONG: u8 = 2;
/// A certificate is not passed.
const NOT_PASSED: u8 = 1;
/// The simulation failed numerically.
const NUMERICAL: u8 = 3;
/// The simulation went on, but has blown up on the way.
const BLOWN_UP: u8 = 4;

/// A message for stderr, and the exit status that belongs to it.
#[derive(Debug)]
pub(super) enum Failure {
    /// The command line, a file or a scene is wrong; one line each.
    Wrong(Vec<String>),
    /// A certificate is forged, or its run does not solve the exercise.
    NotPassed(String),
    /// The simulation failed, or a problem has no solution.
    Numerical(String),
    /// The simulation made all its steps, but their numbers have lost their meaning on the way.
    BlownUp(String),
    /// A signal ended the command: the exit status, and what was reached.
    Interrupted(u8, String),
}

impl Failure {
    pub fn wrong(line: impl Into<String>) -> Self {
        Self::Wrong(vec![line.into()])
    }

    /// A file that could not be read or written.
    pub fn file(path: &Path, error: &io::Error) -> Self {
        Self::wrong(format!("{}: {error}", path.display()))
    }

    /// A table that could not be written.
    pub fn csv(path: &Path, error: &csv::Error) -> Self {
        match error.kind() {
            csv::ErrorKind::Io(error) => Self::file(path, error),
            _ => Self::wrong(format!("{}: {error}", path.display())),
        }
    }

    /// Prints and returns the exit status.
    pub fn report(self) -> ExitCode {
        match self {
            Self::Wrong(lines) => {
                super::output::complain(&lines);
                WRONG.into()
            }
            Self::NotPassed(line) => {
                super::output::complain(&[line]);
                NOT_PASSED.into()
            }
            Self::Numerical(lines) => {
                super::output::complain(&lines.lines().map(str::to_owned).collect::<Vec<_>>());
                NUMERICAL.into()
            }
            Self::BlownUp(lines) => {
                super::output::complain(&lines.lines().map(str::to_owned).collect::<Vec<_>>());
                BLOWN_UP.into()
            }
            Self::Interrupted(status, line) => {
                super::output::complain(&[line]);
                status.into()
            }
        }
    }
}

impl From<io::Error> for Failure {
    /// An error of standard output; errors of files are made by [`Failure::file`], which names the file.
    fn from(error: io::Error) -> Self {
        Self::wrong(format!("standard output: {error}"))
    }
}
