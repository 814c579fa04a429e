//! Standard output and standard error, written without panicking if they are closed.

use serde::Serialize;
use std::io::{self, Write};

/// Writes a text to standard output.
pub(super) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Writes a value to standard output as JSON; numbers that are not finite become null.
pub(super) fn print_json(value: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string_pretty(value)?;
    print(&format!("{text}\n"))
}

/// Writes lines to standard error, ignoring errors: there is nowhere left to report them.
pub(super) fn complain(lines: &[String]) {
    let mut err = io::stderr().lock();
    for line in lines {
        let _ = writeln!(err, "{line}");
    }
}

/// Lines of label and value, the values aligned.
pub(super) fn aligned(rows: &[(String, String)]) -> String {
    let width = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or_default();
    rows.iter().map(|(label, value)| format!("{label:width$}  {value}\n")).collect()
}

/// A measured number with four significant digits.
pub(super) fn figure(x: f64) -> String {
    if x == 0.0 || (1e-2..1e4).contains(&x.abs()) {
        let digits = if x == 0.0 { 0 } else { (3 - x.abs().log10().floor() as i32).max(0) };
        format!("{x:.*}", digits as usize)
    } else {
        format!("{x:.3e}")
    }
}
