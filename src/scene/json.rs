//! JSON text as a tree in which every value records its position in the file.
//!
//! `serde_json::Value` drops duplicate keys, stops at a number that overflows and records no positions. This tree
//! keeps all three, so that a file's errors can all be reported, in file order. The parsing itself is serde_json's.

use super::problems::{QUOTED, brief};
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// Largest nesting depth of arrays and objects; the format itself needs seven levels.
const MAX_DEPTH: usize = 32;

/// A value and the byte at which it starts.
#[derive(Debug)]
pub(super) struct Node<'t> {
    pub offset: usize,
    pub value: Value<'t>,
}

/// The value itself.
#[derive(Debug)]
pub(super) enum Value<'t> {
    Null,
    Bool(bool),
    /// As it is spelled; the reader rejects what does not fit into an f64.
    Number(&'t str),
    Text(String),
    Array(Vec<Node<'t>>),
    /// In file order, duplicate keys included.
    Object(Vec<(String, Node<'t>)>),
}

impl<'t> Node<'t> {
    /// Reads `text`.
    ///
    /// # Errors
    /// What is wrong and at which line and column.
    pub fn parse(text: &'t str) -> Result<Self, String> {
        let raw: &RawValue = serde_json::from_str(text).map_err(|error| syntax(text, 0, &error))?;
        Self::build(text, raw, 0)
    }

    fn build(text: &'t str, raw: &'t RawValue, depth: usize) -> Result<Self, String> {
        let own = raw.get();
        // `own` is a slice of `text`: the distance of their starts is its place in the file.
        let offset = (own.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let fail = |error: serde_json::Error| syntax(text, offset, &error);
        let nested = matches!(own.as_bytes().first(), Some(b'{' | b'['));
        if nested && depth >= MAX_DEPTH {
            let (line, column) = place(text, offset);
            return Err(format!(
                "line {line}, column {column}: nested too deeply (expected at most {MAX_DEPTH} levels)"
            ));
        }
        let value = match own.as_bytes().first() {
            Some(b'{') => {
                let Members(members) = serde_json::from_str(own).map_err(fail)?;
                let build = |(key, raw)| Ok((key, Self::build(text, raw, depth + 1)?));
                Value::Object(members.into_iter().map(build).collect::<Result<_, String>>()?)
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(own).map_err(fail)?;
                let build = |raw| Self::build(text, raw, depth + 1);
                Value::Array(items.into_iter().map(build).collect::<Result<_, String>>()?)
            }
            Some(b'"') => Value::Text(serde_json::from_str(own).map_err(fail)?),
            Some(b't') => Value::Bool(true),
            Some(b'f') => Value::Bool(false),
            Some(b'n') => Value::Null,
            _ => Value::Number(own),
        };
        Ok(Self { offset, value })
    }
}

impl fmt::Display for Value<'_> {
    /// What was found, in the words of an error message.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(text) if text.len() <= QUOTED => f.write_str(text),
            Self::Number(text) => write!(f, "{}…", &text[..QUOTED]),
            Self::Text(text) => write!(f, "\"{}\"", brief(text)),
            Self::Array(items) => write!(f, "an array of {}", items.len()),
            Self::Object(_) => f.write_str("an object"),
        }
    }
}

/// The members of an object in file order.
struct Members<'t>(Vec<(String, &'t RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Members<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry().map_err(de::Error::custom)? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// Line and column, from 1, of byte `offset`.
fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

/// serde_json's message with the position in the whole file; its own position counts from `offset`.
fn syntax(text: &str, offset: usize, error: &serde_json::Error) -> String {
    let (line, column) = place(text, offset);
    let (line, column) = match error.line() {
        0 | 1 => (line, column + error.column().saturating_sub(1)),
        below => (line + below - 1, error.column()),
    };
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    format!("line {line}, column {column}: not JSON: {message}")
}
