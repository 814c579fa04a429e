//! Standard output and standard error, written without panicking if they are closed, and without control characters that a
//! scene's names could send to a terminal.

use crate::scene::{is_unsafe, shown};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Lines of errors at most; the rest are counted.
const MOST_LINES: usize = 50;

/// Whether the reader of standard output has closed the pipe. What is written to it from then on is lost, and the
/// command goes on to its exit status.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether somebody may still read standard output.
pub(super) fn is_read() -> bool {
    !CLOSED.load(Ordering::Relaxed)
}

/// What was written, where a closed pipe is no error.
fn unless_closed<T>(written: io::Result<T>, lost: T) -> io::Result<T> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            CLOSED.store(true, Ordering::Relaxed);
            Ok(lost)
        }
        written => written,
    }
}

/// Writes a text to standard output.
pub(super) fn print(text: &str) -> io::Result<()> {
    unless_closed(write_lines(&mut io::stdout().lock(), text), ())
}

/// Writes a text for people: to standard output, or to standard error if data are written to standard output.
pub(super) fn tell(text: &str, data_on_standard_output: bool) -> io::Result<()> {
    if !data_on_standard_output {
        return print(text);
    }
    // There is nowhere left to report errors of standard error.
    let _ = write_lines(&mut io::stderr().lock(), text);
    Ok(())
}

/// Writes lines without control characters.
fn write_lines(out: &mut impl Write, text: &str) -> io::Result<()> {
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        out.write_all(shown(line).as_bytes())?;
        out.write_all(end.as_bytes())?;
    }
    out.flush()
}

/// A value as JSON, numbers that are not finite as null.
pub(super) fn json(value: &impl Serialize) -> io::Result<String> {
    Ok(json_text(serde_json::to_string_pretty(value)?))
}

/// JSON in which the characters that [`shown`] escapes, and that can stand in texts only, are escaped in the way of JSON.
pub(super) fn json_text(text: String) -> String {
    let escape = |c: char| {
        if c != '\n' && is_unsafe(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() }
    };
    if text.contains(is_unsafe) { text.chars().map(escape).collect() } else { text }
}

/// Writes a value to standard output as JSON.
pub(super) fn print_json(value: &impl Serialize) -> io::Result<()> {
    print(&format!("{}\n", json(value)?))
}

/// Writes lines to standard error, ignoring errors: there is nowhere left to report them.
pub(super) fn complain(lines: &[String]) {
    let mut err = io::stderr().lock();
    for line in lines.iter().take(MOST_LINES) {
        let _ = write_lines(&mut err, &format!("{line}\n"));
    }
    if let Some(more) = lines.len().checked_sub(MOST_LINES).filter(|more| *more > 0) {
        let _ = writeln!(err, "and {more} more errors");
    }
}

/// Standard output for data: bytes as they are into a file or a pipe; on a terminal, without control characters.
#[derive(Default)]
pub(super) struct Screen {
    /// The beginning of a character whose other bytes have not come yet.
    begun: Vec<u8>,
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut out = io::stdout().lock();
        if !out.is_terminal() {
            return unless_closed(out.write(bytes), bytes.len());
        }
        self.begun.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.begun) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        };
        let rest = self.begun.split_off(whole);
        let text = String::from_utf8(std::mem::replace(&mut self.begun, rest)).unwrap_or_default();
        write_lines(&mut out, &text)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_closed(io::stdout().lock().flush(), ())
    }
}

/// Lines of label and value, the values aligned.
pub(super) fn aligned(rows: &[(String, String)]) -> String {
    let rows: Vec<_> = rows.iter().map(|(label, value)| (shown(label), shown(value))).collect();
    let width = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or_default();
    rows.iter().map(|(label, value)| format!("{label:width$}  {value}\n")).collect()
}
