//! `driftlab mark`: computes the certificates of a class anew, and lists what comes of them as CSV.
//!
//! Exit status: 0 all passed; 1 some failed or are forged; 2 some are no certificates of known exercises, or the command line is
//! wrong.

use super::arguments::MarkArguments;
use super::failure::Failure;
use super::files::Sink;
use super::output::{print, tell};
use crate::files::{MOST_PROBLEM_BYTES, STANDARD, is_standard, read_text, text_within};
use crate::workbench::library::marking::{Mark, Marked, judge, mark};
use crate::workbench::library::tours::{Tour, add_folder, exercise, shipped};
use crate::workbench::link::Link;
use std::io::stdin;
use std::path::Path;

/// Columns, in order.
const COLUMNS: [&str; 6] = ["name", "chapter", "exercise", "result", "figure", "reason"];
/// What spreadsheets take for a formula at the beginning of a cell.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Runs the command.
pub(super) fn run(arguments: &MarkArguments) -> Result<(), Failure> {
    let tours = tours(arguments.tours.as_deref())?;
    let links = links(&arguments.links)?;
    if let (Some(key), Some(by)) = (&arguments.exercise, &arguments.by) {
        return certify(&tours, key, by, &links);
    }
    let marked: Vec<Marked> = links.iter().map(|link| mark(&tours, link)).collect();
    let path = arguments.csv.as_deref().unwrap_or(Path::new(STANDARD));
    let sink = Sink::create(path).map_err(|error| Failure::file(path, &error))?;
    write(&marked, sink).map_err(|error| Failure::csv(path, &error))?;
    let count = |mark: Mark| marked.iter().filter(|own| own.mark == mark).count();
    let [passed, failed, forged, unreadable] =
        [Mark::Passed, Mark::Failed, Mark::Forged, Mark::Unreadable].map(count);
    let told =
        format!("certificates: {passed} passed, {failed} failed, {forged} forged, {unreadable} unreadable");
    if unreadable > 0 {
        return Err(Failure::wrong(told));
    }
    if failed + forged > 0 {
        return Err(Failure::NotPassed(told));
    }
    Ok(tell(&format!("{told}\n"), is_standard(path))?)
}

/// The shipped tours, and those of a folder.
pub(super) fn tours(folder: Option<&Path>) -> Result<Vec<Tour>, Failure> {
    let mut tours = shipped().map_err(Failure::wrong)?;
    let Some(folder) = folder else { return Ok(tours) };
    let problems = add_folder(&mut tours, folder).map_err(|error| Failure::file(folder, &error))?;
    if problems.is_empty() { Ok(tours) } else { Err(Failure::Wrong(problems)) }
}

/// The links of the arguments: links as they are, and the lines of files.
fn links(given: &[String]) -> Result<Vec<String>, Failure> {
    let mut links = Vec::new();
    for text in given {
        if Link::is_one(text) {
            links.push(text.clone());
            continue;
        }
        let path = Path::new(text);
        let read = if is_standard(path) {
            text_within(stdin().lock(), MOST_PROBLEM_BYTES)
        } else {
            read_text(path, MOST_PROBLEM_BYTES)
        };
        let lines = read.map_err(|error| {
            Failure::wrong(format!(
                "{text}: {error} (expected a link, a file with a link in each line, or {STANDARD})"
            ))
        })?;
        links.extend(lines.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned));
    }
    Ok(links)
}

fn write(marked: &[Marked], sink: Sink) -> csv::Result<()> {
    let mut writer = csv::Writer::from_writer(sink);
    writer.write_record(COLUMNS)?;
    for Marked { by, chapter, exercise, mark, figures, reason } in marked {
        writer.write_record(
            [by, chapter, exercise, mark.word(), figures, reason].map(|text: &str| cell(text)),
        )?;
    }
    let sink = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    Ok(sink.finish()?)
}

/// A text as a cell that no spreadsheet computes.
fn cell(text: &str) -> String {
    if text.starts_with(FORMULA) { format!("'{text}") } else { text.to_owned() }
}

/// Judges runs as attempts at an exercise, and prints the certificates of those that solve it.
fn certify(tours: &[Tour], key: &str, by: &str, links: &[String]) -> Result<(), Failure> {
    let (_, _, exercise) = exercise(tours, key).ok_or_else(|| {
        Failure::wrong(format!("--exercise: no exercise is called '{key}' (see driftlab list exercises)"))
    })?;
    for text in links {
        let link = Link::parse(text).map_err(Failure::Wrong)?;
        let (proof, missed) = judge(exercise, &link).map_err(Failure::NotPassed)?;
        match missed {
            None => print(&format!("{}\n", proof.certificate(by)))?,
            Some(why) => return Err(Failure::NotPassed(format!("{key}: {why}"))),
        }
    }
    Ok(())
}
