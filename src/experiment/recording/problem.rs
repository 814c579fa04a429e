//! What is wrong with a recording, and where.

use crate::scene::shown;
use std::fmt;

/// What is wrong with a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordingProblem {
    /// The line, from 1; none where the file as a whole is wrong.
    pub line: Option<u64>,
    /// Where in the line's JSON, e.g. `contacts[2].normal`; empty for the line as a whole.
    pub path: String,
    /// What was expected, and what was found.
    pub message: String,
}

impl RecordingProblem {
    /// A problem of the file as a whole.
    pub(super) fn whole(message: impl Into<String>) -> Self {
        Self { line: None, path: String::new(), message: message.into() }
    }

    /// A problem at a place of a line.
    pub(super) fn at(line: u64, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { line: Some(line), path: path.into(), message: message.into() }
    }
}

impl fmt::Display for RecordingProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if !self.path.is_empty() {
            write!(f, "{}: ", shown(&self.path))?;
        }
        f.write_str(&shown(&self.message))
    }
}

impl std::error::Error for RecordingProblem {}

/// Characters of a wrong line that are quoted.
const QUOTED: usize = 40;

/// The beginning of a line that is none of a recording; where it is no JSON, with what is the reason as a rule.
pub(super) fn quoted(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    let mut own: String = text.chars().take(QUOTED).collect();
    if own.len() < text.len() {
        own.push('…');
    }
    let printed = if text.starts_with('{') { "" } else { PRINTED };
    format!("\"{own}\"{printed}")
}

/// Why there may be text between the lines.
pub(super) const PRINTED: &str = ": does the program print to the standard output, too?";
