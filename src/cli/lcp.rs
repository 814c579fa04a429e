//! `driftlab lcp`: solves complementarity problems from a file with one JSON object per line.
//!
//! ```text
//! {"id": "a", "M": [[2, 1], [1, 2]], "q": [-5, -6]}      in: w = M z + q, dense rows
//! {"id":"a","z":[…],"w":[…],"residual":…,"pivots":3}     out: a solution
//! {"id":"b","error":"ray","infeasible":true,"direction":[…],"pivots":2}   or why there is none
//! ```
//!
//! A problem may name its rows, `"rows": ["contact: box – floor, normal", …]`; its answer then repeats them.
//!
//! With `--pivots` an answer also says how a pivoting method came to it (z1 is z of the first row, z0 the covering variable):
//!
//! ```text
//! "path":[{"enters":"z0","leaves":"w3","ratio":9.0},…]     and "unblocked":"z3" where nothing stops a variable
//! ```
//!
//! A file whose first line is a number alone is one problem in the plain text of Siconos: n, M row by row, q. With `--write`
//! the problems are written as such a text (`FILE.dat`) or as lines of JSON, and nothing is solved.
//!
//! The whole input is read and checked before anything is solved. Numbers read back to the same f64.

use super::arguments::LcpArguments;
use super::failure::Failure;
use super::files::{guard_input, write};
use super::output::{json_text, print};
use crate::experiment::{ProblemLine, dat_of_problem, is_dat, problem_line, problem_of_dat};
use crate::files::{MOST_PROBLEM_BYTES, STANDARD, read_text, text_within};
use crate::lcp::{self, LcpError, LcpProblem, LcpSolver, Path as PivotPath, Pivots, Solution};
use crate::parameter::Values;
use serde_json::{Value, json};
use std::path::Path;

/// A problem with the id that its answer repeats.
struct NamedProblem {
    line: usize,
    id: Value,
    problem: LcpProblem,
    /// The names of its rows, if it has any.
    names: Option<Vec<String>>,
}

/// Runs the command.
pub(super) fn run(arguments: &LcpArguments) -> Result<(), Failure> {
    let (solver, values) =
        solver_from(&arguments.solver).map_err(|message| Failure::wrong(format!("--solver: {message}")))?;
    let file = &arguments.file;
    let mut unsolved = Vec::new();
    let problems = read(file, &text_of(file)?)?;
    if let Some(path) = &arguments.write {
        guard_input(Some(Path::new(file)), "the file", &[("--write", &arguments.write)])?;
        return write(path, written(path, &problems)?.as_bytes());
    }
    for NamedProblem { line, id, problem, names } in problems {
        let mut record = arguments.pivots.then(Pivots::default);
        let solved = solver.solve_recording(&problem, &values, record.as_mut());
        let mut answer = match &solved {
            Ok(solution) => answer(&id, solution),
            Err(error) => refusal(&id, error),
        };
        if let Some(names) = names {
            answer["rows"] = json!(names);
        }
        if let Some(record) = &record {
            add_path(&mut answer, record.path());
        }
        print(&format!("{}\n", json_text(answer.to_string())))?;
        if let Err(error) = solved {
            unsolved.push(format!("{file}:{line}: {error}"));
        }
    }
    if unsolved.is_empty() { Ok(()) } else { Err(Failure::Numerical(unsolved.join("\n"))) }
}

/// The problems as a text for that path.
fn written(path: &Path, problems: &[NamedProblem]) -> Result<String, Failure> {
    if path.extension().is_some_and(|extension| extension == "dat") {
        let [NamedProblem { problem, .. }] = problems else {
            return Err(Failure::wrong(format!(
                "--write: a .dat holds one problem, found {}",
                problems.len()
            )));
        };
        return Ok(dat_of_problem(problem));
    }
    let line = |NamedProblem { id, problem, names, .. }: &NamedProblem| {
        let rows: Vec<_> = (0..problem.n()).map(|row| problem.row(row)).collect();
        let mut line = json!({ "id": id, "M": rows, "q": problem.q() });
        if let Some(names) = names {
            line["rows"] = json!(names);
        }
        format!("{}\n", json_text(line.to_string()))
    };
    Ok(problems.iter().map(line).collect())
}

/// Reads `KIND[,key=value…]`.
fn solver_from(text: &str) -> Result<(&'static LcpSolver, Values), String> {
    let mut parts = text.split(',');
    let kind = parts.next().unwrap_or_default();
    let solver = lcp::complementarity(kind).ok_or_else(|| {
        let kinds: Vec<_> = lcp::COMPLEMENTARITY.iter().map(|solver| solver.info().key).collect();
        format!("unknown solver '{kind}' (expected one of {})", kinds.join(", "))
    })?;
    let mut values = Values::defaults(solver.info().parameters);
    for part in parts {
        let (key, value) =
            part.split_once('=').ok_or_else(|| format!("expected key=value, found '{part}'"))?;
        values.set_text(key, value).map_err(|error| error.to_string())?;
    }
    Ok((solver, values))
}

fn text_of(file: &str) -> Result<String, Failure> {
    let path = Path::new(file);
    let read = match file {
        STANDARD => text_within(std::io::stdin().lock(), MOST_PROBLEM_BYTES),
        _ => read_text(path, MOST_PROBLEM_BYTES),
    };
    read.map_err(|error| Failure::file(path, &error))
}

/// All problems, or all errors of the text, one line each; empty lines are skipped.
fn read(file: &str, text: &str) -> Result<Vec<NamedProblem>, Failure> {
    if is_dat(text) {
        let problem = problem_of_dat(text).map_err(|what| Failure::wrong(format!("{file}: {what}")))?;
        return Ok(vec![NamedProblem { line: 1, id: json!(1), problem, names: None }]);
    }
    let (mut problems, mut wrong) = (Vec::new(), Vec::new());
    for (index, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let line = index + 1;
        match problem_line(text) {
            Ok(ProblemLine { id, problem, names }) => {
                problems.push(NamedProblem { line, id: id.unwrap_or(json!(line)), problem, names });
            }
            Err(found) => wrong.extend(found.into_iter().map(|what| format!("{file}:{line}: {what}"))),
        }
    }
    if wrong.is_empty() { Ok(problems) } else { Err(Failure::Wrong(wrong)) }
}

fn answer(id: &Value, solution: &Solution) -> Value {
    let Solution { z, w, residual, pivots, .. } = solution;
    json!({ "id": id, "z": z, "w": w, "residual": residual, "pivots": pivots })
}

fn refusal(id: &Value, error: &LcpError) -> Value {
    match error {
        LcpError::Ray { pivots, direction, infeasible } => {
            json!({ "id": id, "error": "ray", "infeasible": infeasible, "direction": direction, "pivots": pivots })
        }
        LcpError::PivotLimit { pivots } => json!({ "id": id, "error": "pivot_limit", "pivots": pivots }),
        LcpError::Inaccurate { residual, pivots } => {
            json!({ "id": id, "error": "inaccurate", "residual": residual, "pivots": pivots })
        }
        LcpError::NotApplicable { reason, pivots } => {
            json!({ "id": id, "error": "not_applicable", "reason": reason, "pivots": pivots })
        }
        other => json!({ "id": id, "error": other.to_string() }),
    }
}

/// Adds the pivots that led to the answer.
fn add_path(answer: &mut Value, path: Option<&PivotPath>) {
    let pivots = path.map_or(&[][..], |path| &path.pivots);
    let told = pivots.iter().map(|pivot| {
        let (enters, leaves) = (pivot.entering.to_string(), pivot.leaving.to_string());
        json!({ "enters": enters, "leaves": leaves, "ratio": pivot.ratio })
    });
    answer["path"] = told.collect();
    if let Some(variable) = path.and_then(|path| path.unblocked) {
        answer["unblocked"] = json!(variable.to_string());
    }
}
