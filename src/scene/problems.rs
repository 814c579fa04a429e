//! What is wrong with a file: the problems, their collection in file order, and the wording of some of them.

use std::cell::RefCell;
use std::fmt;

/// One thing that is wrong with a scene file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where in the JSON, e.g. `bodies[3].shapes[0].radius`; empty for the file as a whole.
    pub path: String,
    /// What was expected and what was found.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}

impl std::error::Error for Problem {}

/// The problems found so far, with their places in the file.
#[derive(Debug, Default)]
pub(super) struct Log(RefCell<Vec<(usize, Problem)>>);

impl Log {
    /// Notes a problem at byte `offset`.
    pub fn note(&self, offset: usize, path: String, message: String) {
        self.0.borrow_mut().push((offset, Problem { path, message }));
    }

    /// Whether nothing has been found.
    pub fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    /// All of them in file order.
    pub fn into_problems(self) -> Vec<Problem> {
        let mut found = self.0.into_inner();
        found.sort_by_key(|(offset, _)| *offset);
        found.into_iter().map(|(_, problem)| problem).collect()
    }
}

/// The message about parts of the format that only a later version supports.
pub(super) fn not_available(what: &str) -> String {
    format!("'{what}' is not available in this version")
}

/// The name that `word` is most likely a misspelling of.
pub(crate) fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const ALIKE: f64 = 0.8; // Jaro–Winkler similarity, as clap's suggestions use
    let scored = names.map(|name| (strsim::jaro_winkler(word, name), name));
    scored.filter(|(score, _)| *score > ALIKE).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}
