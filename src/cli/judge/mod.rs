//! `driftlab judge`: the error of every step of recordings, of whatever engine.

mod difference;
mod problem;
mod report;
mod steps;

use super::arguments::JudgeArguments;
use super::failure::Failure;
use super::files::{self, any_standard};
use super::open;
use super::output::{aligned, json, tell};
use crate::experiment::judge::words::words;
use crate::experiment::judge::{Judge, Judged};
use crate::experiment::recording::RecordingProblem;
use crate::scene::shown;
use serde::Serialize;
use std::path::Path;
use steps::Table;

/// Runs the command.
pub(super) fn run(arguments: &JudgeArguments) -> Result<(), Failure> {
    let JudgeArguments { files, json: as_json, csv, report, first_difference, step, .. } = arguments;
    let outputs = [("--csv", csv), ("--report", report)];
    for file in files {
        files::guard_input(Some(file), "the recording", &outputs)?;
    }
    if *first_difference {
        let [a, b] = &files[..] else {
            let message = format!("--first-difference: expected two recordings, found {}", files.len());
            return Err(Failure::wrong(message));
        };
        return difference::tell_difference(a, b, *as_json);
    }
    if let Some(step) = step {
        for file in files {
            problem::tell_problem(file, *step, arguments.stabilizer.as_deref(), *as_json)?;
        }
        return Ok(());
    }
    let standard = any_standard(&outputs);
    let mut table = csv.as_deref().map(Table::create).transpose()?;
    let mut all = Vec::new();
    for file in files {
        let judged = judge(file, table.as_mut())?;
        if !*as_json {
            let name = shown(&file.display().to_string()).into_owned();
            let gap = if all.is_empty() { "" } else { "\n" };
            tell(&format!("{gap}{}", aligned(&words(&name, &judged))), standard)?;
        }
        all.push((file.display().to_string(), judged));
    }
    table.map_or(Ok(()), Table::finish)?;
    if let Some(path) = report {
        files::write(path, report::page(&all)?.as_bytes())?;
    }
    if *as_json {
        let told: Vec<_> = all.iter().map(|(file, judged)| Told { file, judged }).collect();
        tell(&(json(&told)? + "\n"), standard)?;
    }
    Ok(())
}

/// What `--json` prints of a file.
#[derive(Serialize)]
struct Told<'a> {
    file: &'a str,
    #[serde(flatten)]
    judged: &'a Judged,
}

/// Judges a file, and writes its steps into the table.
fn judge(file: &Path, mut table: Option<&mut Table>) -> Result<Judged, Failure> {
    let name = file.display().to_string();
    let mut recording = open::recording(file)?;
    let mut judge = Judge::new(&recording);
    for place in 0..recording.times().len() {
        let figures = judge.step(&mut recording, place).map_err(|problems| unread(file, &problems))?;
        if let Some(table) = &mut table {
            table.add(&name, &figures.numbers())?;
        }
    }
    Ok(judge.finish())
}

/// What is wrong with a line of a file.
fn unread(file: &Path, problems: &[RecordingProblem]) -> Failure {
    let name = file.display().to_string();
    Failure::Wrong(problems.iter().map(|problem| format!("{}: {problem}", shown(&name))).collect())
}
