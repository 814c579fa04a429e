//! Where the lines of a recording begin, and their times: all that is kept of a file of any length.
//!
//! A line begins with `{"t":…`, so that its time is read without the rest of it. Lines that may say that something came or went
//! are noted, since they change who is there from then on.

use super::problem::{RecordingProblem, quoted};
use memchr::memmem;
use std::io::BufRead;
use std::ops::Range;

/// Bytes of a line at most: 400,000 bodies.
const MOST_LINE_BYTES: u64 = 64 << 20;

/// The lines of a recording behind the first one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Index {
    /// Bytes of the first line.
    pub header_bytes: u64,
    /// Where each line begins, and where the last one ends, in bytes from the file's beginning.
    starts: Vec<u64>,
    /// Time of each, s.
    pub times: Vec<f64>,
    /// Those that may say that something came or went.
    pub changes: Vec<usize>,
    /// Lines of the file so far, empty ones too.
    lines: u64,
    /// Number of each in the file, from 1: empty lines may stand between them.
    numbers: Vec<u64>,
    /// Bytes behind the last whole line.
    pub cut_off: u64,
}

impl Index {
    /// The first line of a file, and the index of the lines behind it.
    ///
    /// # Errors
    /// A file that cannot be read or has no line.
    pub fn begin(reader: &mut impl BufRead) -> Result<(Self, Vec<u8>), RecordingProblem> {
        let mut first = Vec::new();
        let whole = read_line(reader, &mut first, 1)?;
        if first.is_empty() {
            return Err(RecordingProblem::whole("an empty file (expected a recording's first line)"));
        }
        let header_bytes = first.len() as u64;
        let first = if whole { first[..first.len() - 1].to_vec() } else { first };
        let own = Self { header_bytes, starts: vec![header_bytes], lines: 1, ..Self::default() };
        Ok((own, first))
    }

    /// Reads on from [`Index::end`] to the end of what there is.
    ///
    /// # Errors
    /// A file that cannot be read; a line without a time, or with an earlier one than the line before. The lines before it are
    /// kept.
    pub fn extend(&mut self, reader: &mut impl BufRead) -> Result<(), RecordingProblem> {
        let mut line = Vec::new();
        let (came, went) = (memmem::Finder::new("\"came\""), memmem::Finder::new("\"went\""));
        loop {
            line.clear();
            let number = self.lines + 1;
            let whole = read_line(reader, &mut line, number)?;
            // The last line may lack its end, but not a part of its text.
            let is_cut = !whole && serde_json::from_slice::<serde::de::IgnoredAny>(&line).is_err();
            self.cut_off = if is_cut { line.len() as u64 } else { 0 };
            if is_cut || line.is_empty() {
                return Ok(());
            }
            let end = self.end() + line.len() as u64;
            self.lines = number;
            if line.iter().all(u8::is_ascii_whitespace) {
                self.skip_to(end);
                continue;
            }
            let time = time_of(&line, number)?;
            if let Some(before) = self.times.last().filter(|before| time < **before) {
                let message = format!("{time} s follows {before} s (expected ascending times)");
                return Err(RecordingProblem::at(number, "t", message));
            }
            if came.find(&line).is_some() || went.find(&line).is_some() {
                self.changes.push(self.times.len());
            }
            self.times.push(time);
            self.numbers.push(number);
            self.starts.push(end);
        }
    }

    /// Where the next line begins, in bytes from the file's beginning.
    pub fn end(&self) -> u64 {
        self.starts.last().copied().unwrap_or_default()
    }

    /// The bytes of a line.
    pub fn bytes(&self, place: usize) -> Range<u64> {
        self.starts[place]..self.starts[place + 1]
    }

    /// The number of a line in its file, from 1.
    pub fn number(&self, place: usize) -> u64 {
        self.numbers[place]
    }

    /// Leaves an empty line out: the line behind it begins later.
    fn skip_to(&mut self, end: u64) {
        if let Some(last) = self.starts.last_mut() {
            *last = end;
        }
    }
}

/// Reads a line with its end; whether it has one.
fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>, number: u64) -> Result<bool, RecordingProblem> {
    let wrong = |message: String| RecordingProblem::at(number, "", message);
    let read = std::io::Read::take(&mut *reader, MOST_LINE_BYTES).read_until(b'\n', line);
    read.map_err(|error| wrong(error.to_string()))?;
    if line.len() as u64 == MOST_LINE_BYTES {
        return Err(wrong(format!("too long (expected at most {} MiB)", MOST_LINE_BYTES >> 20)));
    }
    Ok(line.last() == Some(&b'\n'))
}

/// The time with which a line begins, s.
fn time_of(line: &[u8], number: u64) -> Result<f64, RecordingProblem> {
    /// Bytes in which the first key and its number stand.
    const BEGINNING: usize = 64;
    let begins = || {
        let text = &line[..line.len().min(BEGINNING)];
        let text = text[..text.iter().position(|byte| !byte.is_ascii()).unwrap_or(text.len())].to_owned();
        let text = String::from_utf8(text).ok()?;
        let text = text.trim_start().strip_prefix('{')?.trim_start().strip_prefix("\"t\"")?;
        let text = text.trim_start().strip_prefix(':')?.trim_start().to_owned();
        let end = text.find([',', '}', ' ', '\t', '\r', '\n'])?;
        text[..end].parse::<f64>().ok().filter(|time| time.is_finite())
    };
    begins().ok_or_else(|| {
        let expected = "expected {\"t\": time in s, …}, with the time as its first key";
        RecordingProblem::at(number, "", format!("{expected}, found {}", quoted(line)))
    })
}
