//! `driftlab lcp`: solves complementarity problems from a file with one JSON object per line.
//!
//! ```text
//! {"id": "a", "M": [[2, 1], [1, 2]], "q": [-5, -6]}      in: w = M z + q, dense rows
//! {"id":"a","z":[…],"w":[…],"residual":…,"pivots":3}     out: a solution
//! {"id":"b","error":"ray","infeasible":true,"direction":[…],"pivots":2}   or why there is none
//! ```
//!
//! With `--pivots` an answer also says how a pivoting method came to it (z1 is z of the first row, z0 the covering variable):
//!
//! ```text
//! "path":[{"enters":"z0","leaves":"w3","ratio":9.0},…]     and "unblocked":"z3" where nothing stops a variable
//! ```
//!
//! The whole input is read and checked before anything is solved. Numbers read back to the same f64.

use super::arguments::LcpArguments;
use super::failure::Failure;
use super::files::STANDARD;
use super::output::{json_text, print};
use crate::files::{MOST_PROBLEM_BYTES, read_text, text_within};
use crate::lcp::{self, LcpError, LcpProblem, LcpSolver, Path as PivotPath, Pivots, Solution};
use crate::parameter::Values;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value, json};
use std::fmt;
use std::path::Path;

/// A problem with the id that its answer repeats.
struct Posed {
    line: usize,
    id: Value,
    problem: LcpProblem,
}

/// Runs the command.
pub(super) fn run(arguments: &LcpArguments) -> Result<(), Failure> {
    let (solver, values) =
        solver_from(&arguments.solver).map_err(|message| Failure::wrong(format!("--solver: {message}")))?;
    let file = &arguments.file;
    let mut unsolved = Vec::new();
    for Posed { line, id, problem } in read(file, &text_of(file)?)? {
        let mut record = arguments.pivots.then(Pivots::default);
        let solved = solver.solve_recording(&problem, &values, record.as_mut());
        let mut answer = match &solved {
            Ok(solution) => answer(&id, solution),
            Err(error) => refusal(&id, error),
        };
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

/// Reads `KIND[,key=value…]`.
fn solver_from(text: &str) -> Result<(&'static dyn LcpSolver, Values), String> {
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
fn read(file: &str, text: &str) -> Result<Vec<Posed>, Failure> {
    let (mut problems, mut wrong) = (Vec::new(), Vec::new());
    for (index, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let line = index + 1;
        match parse(text) {
            Ok((id, problem)) => problems.push(Posed { line, id: id.unwrap_or(json!(line)), problem }),
            Err(found) => wrong.extend(found.into_iter().map(|what| format!("{file}:{line}: {what}"))),
        }
    }
    if wrong.is_empty() { Ok(problems) } else { Err(Failure::Wrong(wrong)) }
}

/// The problem of one line, or its errors: `path: what was expected, what was found`.
fn parse(text: &str) -> Result<(Option<Value>, LcpProblem), Vec<String>> {
    let not_json = |error: serde_json::Error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        vec![format!("column {}: not JSON: {message}", error.column())]
    };
    if !text.trim_start().starts_with('{') {
        let found = kind(&serde_json::from_str(text).map_err(not_json)?);
        return Err(vec![format!("expected an object {{\"id\", \"M\", \"q\"}}, found {found}")]);
    }
    let Members(entries) = serde_json::from_str(text).map_err(not_json)?;
    let (mut members, mut wrong) = (Map::new(), Vec::new());
    for (key, value) in entries {
        if members.contains_key(&key) {
            wrong.push(format!("{key}: this key occurs twice"));
        }
        members.insert(key, value);
    }
    let id = members.remove("id");
    if let Some(id) = id.as_ref().filter(|id| !(id.is_string() || id.is_number())) {
        wrong.push(format!("id: expected a text or a number, found {}", kind(id)));
    }
    let q = take(&mut members, "q", &mut wrong);
    // If q is not an array, the expected size of M is unknown.
    let size = q.as_array().map(Vec::len);
    let q = numbers(&q, "q", &mut wrong);
    let rows = take(&mut members, "M", &mut wrong);
    let m = match &rows {
        Value::Null => Vec::new(),
        Value::Array(rows) => {
            if let Some(n) = size.filter(|&n| n != rows.len()) {
                let found = rows.len();
                wrong.push(format!("M: expected {n} rows, one for each entry of q, found {found}"));
            }
            let row = |(i, row): (usize, &Value)| {
                let path = format!("M[{i}]");
                let before = wrong.len();
                let row = numbers(row, &path, &mut wrong);
                if let Some(n) = size.filter(|&n| n != row.len() && wrong.len() == before) {
                    wrong.push(format!("{path}: expected {n} numbers, found {}", row.len()));
                }
                row
            };
            rows.iter().enumerate().flat_map(row).collect()
        }
        other => {
            wrong.push(format!("M: expected an array of rows, found {}", kind(other)));
            Vec::new()
        }
    };
    wrong.extend(members.keys().map(|key| format!("{key}: unknown key (expected id, M, q)")));
    if !wrong.is_empty() {
        return Err(wrong);
    }
    match LcpProblem::new(m, q) {
        Ok(problem) => Ok((id, problem)),
        Err(error) => Err(vec![error.to_string()]),
    }
}

/// The member `key`; if it is missing, null, and an error is added to `wrong`.
fn take(members: &mut Map<String, Value>, key: &str, wrong: &mut Vec<String>) -> Value {
    let value = members.remove(key).unwrap_or_default();
    if value.is_null() {
        wrong.push(format!("{key}: missing"));
    }
    value
}

fn numbers(value: &Value, path: &str, wrong: &mut Vec<String>) -> Vec<f64> {
    let items = match value {
        Value::Null => return Vec::new(),
        Value::Array(items) => items,
        other => {
            wrong.push(format!("{path}: expected an array of numbers, found {}", kind(other)));
            return Vec::new();
        }
    };
    let number = |(i, item): (usize, &Value)| {
        item.as_f64().unwrap_or_else(|| {
            wrong.push(format!("{path}[{i}]: expected a number, found {}", kind(item)));
            0.0
        })
    };
    items.iter().enumerate().map(number).collect()
}

fn kind(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("an array of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
        other => other.to_string(),
    }
}

fn answer(id: &Value, solution: &Solution) -> Value {
    let Solution { z, w, residual, pivots } = solution;
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

/// The members of an object, duplicate keys included, which a map would hide.
struct Members(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Members;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}
