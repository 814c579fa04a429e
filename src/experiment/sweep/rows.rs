//! The rows of a part that is being run, a line each as soon as it is done, so that a part that is interrupted goes on from them:
//!
//! ```text
//! # driftlab-sweep-rows/1 {"id":"…","scene":"…",…,"part":1,"parts":3}
//! 5a3c0f11 ["3","10","0.02","0","1e-9","0.5","600","0.6",""]
//! ```
//!
//! In front of each row stands the CRC-32 of its text: a line that was cut off is no row.

use super::Head;
use std::collections::BTreeMap;

/// What the file begins with.
const MARK: &str = "# driftlab-sweep-rows/1 ";

/// The first line, with its end.
///
/// # Errors
/// Errors of the writer.
pub fn first_line(head: &Head) -> Result<String, String> {
    let head = serde_json::to_string(head).map_err(|error| error.to_string())?;
    Ok(format!("{MARK}{head}\n"))
}

/// The line of a row, with its end.
///
/// # Errors
/// Errors of the writer.
pub fn line(row: &[String]) -> Result<String, String> {
    let text = serde_json::to_string(row).map_err(|error| error.to_string())?;
    Ok(format!("{:08x} {text}\n", crc32fast::hash(text.as_bytes())))
}

/// The rows that are done, by their index in the grid; lines that are not whole count as not done.
///
/// # Errors
/// A file of another sweep, or of another part.
pub fn read(text: &str, head: &Head) -> Result<BTreeMap<u64, Vec<String>>, String> {
    let first = first_line(head)?;
    let Some(lines) = text.strip_prefix(&first) else {
        // Nothing but the beginning of the first line: interrupted before its first row.
        let is_cut = first.starts_with(text);
        let other = "holds rows of another sweep or part (expected the arguments that it was begun with, or another --csv; remove it to begin anew)";
        return if is_cut { Ok(BTreeMap::new()) } else { Err(other.to_owned()) };
    };
    let row = |line: &str| {
        let (crc32, text) = line.split_once(' ')?;
        let is_whole = u32::from_str_radix(crc32, 16).ok()? == crc32fast::hash(text.as_bytes());
        let row: Vec<String> = serde_json::from_str(text).ok().filter(|_| is_whole)?;
        Some((row.first()?.parse().ok()?, row))
    };
    Ok(lines.lines().filter_map(row).collect())
}
