//! `driftlab judge A B --first-difference`: the first step at which two recordings differ.

use super::unread;
use crate::cli::failure::Failure;
use crate::cli::open;
use crate::cli::output::{aligned, print, print_json};
use crate::experiment::judge::{BEYOND, Compared, Difference, first_difference};
use crate::numbers::{four_digits, shortest};
use std::path::Path;

/// Compares two files, and tells where they part.
pub(super) fn tell_difference(a: &Path, b: &Path, as_json: bool) -> Result<(), Failure> {
    let mut recordings = [open::recording(a)?, open::recording(b)?];
    let [one, other] = &mut recordings;
    let compared = first_difference(one, other)
        .map_err(|(which, problems)| unread(if which == 0 { a } else { b }, &problems))?;
    if as_json {
        return Ok(print_json(&compared)?);
    }
    Ok(print(&aligned(&words(&compared)))?)
}

fn words(compared: &Compared) -> Vec<(String, String)> {
    let mut rows = vec![("compared".to_owned(), format!("{} steps", compared.steps))];
    let mut told = |label: &str, found: &[Difference]| {
        let Some(first) = found.first() else { return };
        rows.push((label.to_owned(), format!("step {}, {} s", first.step, four_digits(first.time))));
        rows.extend(found.iter().map(|own| {
            let [one, other] = own.values.map(shortest);
            let (unit, size) = (own.unit, four_digits(own.roundings));
            (format!("  {}", own.what), format!("{one} and {other} {unit}, {size} rounding units apart"))
        }));
    };
    let steps = [&compared.first, &compared.beyond].map(|found| found.first().map(|own| own.step));
    if steps[0] != steps[1] {
        told("first difference", &compared.first);
    }
    told(&format!("first beyond {BEYOND} units"), &compared.beyond);
    if compared.first.is_empty() {
        rows.push(("first difference".to_owned(), "none: the same numbers in every step".to_owned()));
    } else if compared.beyond.is_empty() {
        rows.push((
            format!("first beyond {BEYOND} units"),
            "none: they differ by rounding alone".to_owned(),
        ));
    }
    rows.extend(compared.notes.iter().map(|note| ("note".to_owned(), note.clone())));
    rows
}
