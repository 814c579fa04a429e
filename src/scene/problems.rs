//! What is wrong with a file: the problems, their collection in file order, and the wording of some of them.

use super::expected::Trace;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt;

/// Characters of a key, a name or a text that an error quotes at most.
pub(super) const QUOTED: usize = 40;

/// Work that reading a scene may cost: about 2.4 s, one concave polygon of 2,100 vertices or nine of 1,000.
pub(crate) const MOST_EFFORT: f64 = 1e10;

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
        let message = shown(&self.message);
        if self.path.is_empty() {
            f.write_str(&message)
        } else {
            write!(f, "{}: {message}", shown(&self.path))
        }
    }
}

/// Whether a character could command a terminal, forge a line or turn the reading direction: control characters except the tab,
/// line and paragraph separators, and Unicode's bidirectional formatting characters [Boucher & Anderson 2021].
pub fn is_unsafe(c: char) -> bool {
    const SEPARATORS_AND_DIRECTIONS: [std::ops::RangeInclusive<char>; 4] =
        ['\u{61c}'..='\u{61c}', '\u{200e}'..='\u{200f}', '\u{2028}'..='\u{202e}', '\u{2066}'..='\u{2069}'];
    (c.is_control() && c != '\t') || SEPARATORS_AND_DIRECTIONS.iter().any(|range| range.contains(&c))
}

/// A text from a file as it may be shown: characters that are [unsafe](is_unsafe) are escaped, `\u{1b}`.
pub fn shown(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unsafe(c) { safe.extend(c.escape_unicode()) } else { safe.push(c) }
    }
    Cow::Owned(safe)
}

/// The beginning of a text, for an error message.
pub(super) fn brief(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

impl std::error::Error for Problem {}

/// The problems found so far, with their places in the file, and the work that reading the file has cost.
#[derive(Debug, Default)]
pub(super) struct Log {
    problems: RefCell<Vec<(usize, Problem)>>,
    effort: Cell<f64>,
    /// What is asked of the file's values, where that is noted.
    trace: Option<Trace>,
}

impl Log {
    /// A log that notes as well what is asked of the values.
    pub fn traced() -> Self {
        Self { trace: Some(Trace::default()), ..Self::default() }
    }

    pub fn trace(&self) -> Option<&Trace> {
        self.trace.as_ref()
    }

    /// Notes a problem at byte `offset`.
    pub fn note(&self, offset: usize, path: String, message: String) {
        self.problems.borrow_mut().push((offset, Problem { path, message }));
    }

    /// Adds to the work that the file costs, in steps of 0.24 ns; whether the sum is still allowed.
    pub fn spend(&self, effort: f64) -> bool {
        self.effort.set(self.effort.get() + effort);
        self.effort.get() <= MOST_EFFORT
    }

    /// Whether nothing has been found.
    pub fn is_empty(&self) -> bool {
        self.problems.borrow().is_empty()
    }

    /// Whether there are so few problems that a suggestion for the next one will be read.
    pub fn is_short(&self) -> bool {
        /// Problems with suggestions at most: each compares a name with all others.
        const SUGGESTIONS: usize = 50;
        self.problems.borrow().len() < SUGGESTIONS
    }

    /// All of them in file order.
    pub fn into_problems(self) -> Vec<Problem> {
        let mut found = self.problems.into_inner();
        found.sort_by_key(|(offset, _)| *offset);
        found.into_iter().map(|(_, problem)| problem).collect()
    }
}

/// The name that `word` is most likely a misspelling of.
pub fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const ALIKE: f64 = 0.8; // Jaro–Winkler similarity, as clap's suggestions use
    // What is compared can be quoted whole. The time grows with the product of the two lengths.
    let is_short = |name: &str| name.chars().nth(QUOTED).is_none();
    if !is_short(word) {
        return None;
    }
    let names = names.filter(|name| is_short(name));
    let scored = names.map(|name| (strsim::jaro_winkler(word, name), name));
    scored.filter(|(score, _)| *score > ALIKE).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}
