//! The layout of a saved scene: one line per body, joint or spring; numbers that read back to the same f64.

use glam::DVec2;
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{self, Write};

/// A number; shortest spelling that reads back to the same bits.
pub(super) fn number(x: f64) -> Value {
    json!(x)
}

/// `[x, y]`.
pub(super) fn pair(v: DVec2) -> Value {
    json!([v.x, v.y])
}

/// An object with these keys, in this order.
pub(super) fn object(keys: Vec<(&str, Value)>) -> Value {
    Value::Object(keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

/// The file's text: a line per top-level key, and per element of a top-level array of objects.
pub(super) fn text(keys: &[(&str, Value)]) -> String {
    let lines: Vec<String> = keys.iter().map(|(key, value)| entry(key, value)).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

fn entry(key: &str, value: &Value) -> String {
    match value {
        Value::Array(items) if items.first().is_some_and(Value::is_object) => {
            let lines: Vec<String> = items.iter().map(|item| format!("    {}", line(item))).collect();
            format!("  \"{key}\": [\n{}\n  ]", lines.join(",\n"))
        }
        // An object with parts of several lines, which only what a window shows is.
        Value::Object(parts) if parts.values().any(is_long) => {
            let lines: Vec<String> =
                parts.iter().map(|(key, value)| indented(&entry(key, value))).collect();
            format!("  \"{key}\": {{\n{}\n  }}", lines.join(",\n"))
        }
        _ => format!("  \"{key}\": {}", line(value)),
    }
}

/// Whether a part of an object holds bodies.
fn is_long(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(is_long),
        Value::Object(parts) => parts.contains_key("settings") || parts.contains_key("bodies"),
        _ => false,
    }
}

fn indented(lines: &str) -> String {
    format!("  {}", lines.replace('\n', "\n  "))
}

fn line(value: &Value) -> String {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Spaced);
    // Neither a Vec nor a Value can fail to be written; an empty text would fail the next load loudly.
    match value.serialize(&mut serializer) {
        Ok(()) => String::from_utf8(bytes).unwrap_or_default(),
        Err(_) => String::new(),
    }
}

/// `{ "a": [1, 2] }` on one line.
struct Spaced;

impl serde_json::ser::Formatter for Spaced {
    fn begin_array_value<W: ?Sized + Write>(&mut self, w: &mut W, first: bool) -> io::Result<()> {
        w.write_all(if first { b"" } else { b", " })
    }

    fn begin_object<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        w.write_all(b"{ ")
    }

    fn end_object<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        w.write_all(b" }")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, w: &mut W, first: bool) -> io::Result<()> {
        w.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        w.write_all(b": ")
    }
}
