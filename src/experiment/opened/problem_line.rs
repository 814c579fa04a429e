//! A complementarity problem as a line of JSON: `{"id": "a", "M": [[2, 1], [1, 2]], "q": [-5, -6]}`, with the names of
//! its rows in `"rows"` if it has any.

use crate::lcp::LcpProblem;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// What a line holds.
pub struct ProblemLine {
    /// A text or a number by which the problem is known.
    pub id: Option<Value>,
    /// The problem w = M z + q.
    pub problem: LcpProblem,
    /// The names of its rows.
    pub names: Option<Vec<String>>,
}

/// The problem of one line, or the line's errors: `path: what was expected, what was found`.
///
/// # Errors
/// All errors of the line.
pub fn problem_line(text: &str) -> Result<ProblemLine, Vec<String>> {
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
    let names = members.remove("rows");
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
    let names = names.and_then(|names| texts(&names, "rows", size, &mut wrong));
    wrong.extend(members.keys().map(|key| format!("{key}: unknown key (expected id, rows, M, q)")));
    if !wrong.is_empty() {
        return Err(wrong);
    }
    match LcpProblem::new(m, q) {
        Ok(problem) => Ok(ProblemLine { id, problem, names }),
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

/// Reads one text for each row of the problem.
fn texts(value: &Value, path: &str, size: Option<usize>, wrong: &mut Vec<String>) -> Option<Vec<String>> {
    let Some(items) = value.as_array() else {
        wrong.push(format!("{path}: expected an array of texts, found {}", kind(value)));
        return None;
    };
    if let Some(n) = size.filter(|&n| n != items.len()) {
        let found = items.len();
        wrong.push(format!("{path}: expected {n} names, one for each entry of q, found {found}"));
    }
    let mut text = |(i, item): (usize, &Value)| {
        item.as_str().map(str::to_owned).unwrap_or_else(|| {
            wrong.push(format!("{path}[{i}]: expected a text, found {}", kind(item)));
            String::new()
        })
    };
    Some(items.iter().enumerate().map(&mut text).collect())
}

fn kind(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("an array of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
        other => other.to_string(),
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
