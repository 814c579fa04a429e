//! Checked reading of a JSON tree: it carries the path, collects every problem, and continues after each.
//!
//! Readers return `None` where something was wrong and has been noted; a caller reads all of its keys before
//! it gives up, so that one mistake does not hide the next. The allowed keys of an object are those that
//! its reader asked for: there is no other list of them.

use super::expected::{Expected, Range, Read};
use super::json::{Node, Value};
use super::problems::{Log, brief};
use super::synonyms::{is_synonym, suggestion};
use glam::DVec2;
use std::cell::RefCell;
use std::fmt;

/// A value of the file with its path.
#[derive(Clone)]
pub(super) struct Cursor<'n> {
    node: &'n Node<'n>,
    path: String,
    log: &'n Log,
}

impl<'n> Cursor<'n> {
    pub fn root(node: &'n Node<'n>, log: &'n Log) -> Self {
        Self { node, path: String::new(), log }
    }

    /// A text of its own that a file has under this key.
    pub fn part(key: &str, node: &'n Node<'n>, log: &'n Log) -> Self {
        Self { node, path: key.to_owned(), log }
    }

    /// Reads this value, but records its problems in `log`.
    pub fn quietly<'q>(&self, log: &'q Log) -> Cursor<'q>
    where
        'n: 'q,
    {
        Cursor { node: self.node, path: self.path.clone(), log }
    }

    /// Notes a problem with this value.
    pub fn problem(&self, message: impl Into<String>) {
        self.log.note(self.node.offset, self.path.clone(), message.into());
    }

    /// Adds to the work that the whole file costs; whether the sum is still allowed.
    pub fn spend(&self, effort: f64) -> bool {
        self.log.spend(effort)
    }

    /// Whether a suggestion for a problem with this value will be read.
    pub fn may_suggest(&self) -> bool {
        self.log.is_short()
    }

    /// Notes what is expected of this value, where that is noted.
    pub fn expects(&self, what: impl FnOnce() -> Expected) {
        if let Some(trace) = self.log.trace() {
            trace.expect(&self.path, what());
        }
    }

    fn unexpected<T>(&self, expected: impl fmt::Display) -> Option<T> {
        self.problem(format!("expected {expected}, found {}", self.node.value));
        None
    }

    /// A finite number that `accept` accepts; `expected` says in words which those are.
    pub fn number_that(&self, expected: &str, accept: impl Fn(f64) -> bool) -> Option<f64> {
        self.expects(|| Expected::Number(Range::of(&accept)));
        match self.node.value {
            Value::Number(text) => match text.parse::<f64>() {
                Ok(number) if number.is_finite() && accept(number) => Some(number),
                Ok(number) if !number.is_finite() => {
                    self.unexpected(format_args!("{expected} within the range of a 64-bit float"))
                }
                _ => self.unexpected(expected),
            },
            _ => self.unexpected(expected),
        }
    }

    pub fn number(&self) -> Option<f64> {
        self.number_that("a number", |_| true)
    }

    pub fn positive(&self) -> Option<f64> {
        self.number_that("a number greater than 0", |x| x > 0.0)
    }

    pub fn not_negative(&self) -> Option<f64> {
        self.number_that("a number, 0 or more", |x| x >= 0.0)
    }

    /// A whole number from 0 to 2⁵³, up to which an f64 is exact.
    pub fn count(&self) -> Option<u64> {
        const LARGEST: f64 = 9_007_199_254_740_992.0; // 2⁵³
        let whole = |x: f64| (0.0..=LARGEST).contains(&x) && x.fract() == 0.0;
        self.number_that("a whole number, 0 or more", whole).map(|x| x as u64)
    }

    /// A whole number of 32 bits.
    pub fn integer(&self) -> Option<i32> {
        let (low, high) = (f64::from(i32::MIN), f64::from(i32::MAX));
        let whole = |x: f64| (low..=high).contains(&x) && x.fract() == 0.0;
        self.number_that("a whole number", whole).map(|x| x as i32)
    }

    /// A whole number of 32 bits without a sign.
    pub fn unsigned(&self) -> Option<u32> {
        let whole = |x: f64| (0.0..=f64::from(u32::MAX)).contains(&x) && x.fract() == 0.0;
        self.number_that("a whole number from 0 to 4294967295", whole).map(|x| x as u32)
    }

    pub fn boolean(&self) -> Option<bool> {
        self.expects(|| Expected::Bool);
        match self.node.value {
            Value::Bool(value) => Some(value),
            _ => self.unexpected("true or false"),
        }
    }

    /// True or false, or 1 or 0.
    pub fn switch(&self) -> Option<bool> {
        self.expects(|| Expected::Switch);
        match self.node.value {
            Value::Bool(value) => Some(value),
            Value::Number(text) if text.parse() == Ok(1.0) => Some(true),
            Value::Number(text) if text.parse() == Ok(0.0) => Some(false),
            _ => self.unexpected("true, false, 1 or 0"),
        }
    }

    pub fn text(&self) -> Option<&'n str> {
        self.expects(|| Expected::Text);
        match &self.node.value {
            Value::Text(text) => Some(text),
            _ => self.unexpected("a text"),
        }
    }

    /// A text that is not empty.
    pub fn name(&self) -> Option<&'n str> {
        self.expects(|| Expected::Name);
        match &self.node.value {
            Value::Text(text) if !text.trim().is_empty() => Some(text),
            _ => self.unexpected("a text that is not empty"),
        }
    }

    /// One of a set of named things.
    pub fn one_of<T: Copy>(&self, what: &str, named: &[(&str, T)]) -> Option<T> {
        let names = || named.iter().map(|(name, _)| *name).collect::<Vec<_>>();
        self.expects(|| Expected::Word(names().into_iter().map(str::to_owned).collect()));
        let Value::Text(text) = &self.node.value else {
            return self.unexpected(format_args!("{what}: {}", names().join(", ")));
        };
        let found = named.iter().find(|(name, _)| name == text).map(|(_, thing)| *thing);
        if found.is_none() {
            let (value, names) = (&self.node.value, names());
            // Where only one name is possible there is nothing to suggest.
            let may_suggest = self.may_suggest() && names.len() > 1;
            let suggestion = if may_suggest { suggestion(text, &names) } else { String::new() };
            self.problem(format!("expected {what}: {}, found {value}{suggestion}", names.join(", ")));
        }
        found
    }

    /// Whether it is a number, in or out of range.
    pub fn is_number(&self) -> bool {
        matches!(self.node.value, Value::Number(_))
    }

    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        let is_null = matches!(self.node.value, Value::Null);
        if is_null {
            self.expects(|| Expected::Null);
        }
        is_null
    }

    /// Whether it is a text.
    pub fn is_text(&self) -> bool {
        matches!(self.node.value, Value::Text(_))
    }

    /// Whether it is an object.
    pub fn is_object(&self) -> bool {
        matches!(self.node.value, Value::Object(_))
    }

    pub fn is_array(&self) -> bool {
        matches!(self.node.value, Value::Array(_))
    }

    /// The elements of an array.
    pub fn items(&self, expected: &str) -> Option<Vec<Self>> {
        self.expects(|| Expected::Array(None));
        self.elements(expected)
    }

    fn elements(&self, expected: &str) -> Option<Vec<Self>> {
        match &self.node.value {
            Value::Array(items) => {
                let cursor =
                    |(index, node)| Self { node, path: format!("{}[{index}]", self.path), log: self.log };
                Some(items.iter().enumerate().map(cursor).collect())
            }
            _ => self.unexpected(expected),
        }
    }

    /// Exactly `N` elements.
    pub fn exactly<const N: usize>(&self, expected: &str) -> Option<[Self; N]> {
        self.expects(|| Expected::Array(Some(N)));
        match self.elements(expected)?.try_into() {
            Ok(items) => Some(items),
            Err(_) => self.unexpected(expected),
        }
    }

    /// `[x, y]`.
    pub fn vector(&self) -> Option<DVec2> {
        let [x, y] = self.exactly("two numbers [x, y]")?;
        let (x, y) = (x.number(), y.number());
        Some(DVec2::new(x?, y?))
    }

    /// `[x, y]`, both greater than 0.
    pub fn positive_vector(&self) -> Option<DVec2> {
        let [x, y] = self.exactly("two numbers greater than 0")?;
        let (x, y) = (x.positive(), y.positive());
        Some(DVec2::new(x?, y?))
    }

    /// A direction as a unit vector: one that is of unit length to rounding is taken bit for bit.
    pub fn direction(&self) -> Option<DVec2> {
        const ROUNDING: f64 = 1e-12;
        let vector = self.vector()?;
        let length = vector.length();
        if !(length.is_finite() && length > f64::MIN_POSITIVE) {
            return self.unexpected("a direction [x, y] that is not [0, 0]");
        }
        let unit = (length - 1.0).abs() <= ROUNDING;
        Some(if unit { vector } else { vector / length })
    }

    /// A list of points.
    pub fn points(&self) -> Option<Vec<DVec2>> {
        let items = self.items("an array of points [x, y]")?;
        let points: Vec<_> = items.iter().map(Self::vector).collect();
        points.into_iter().collect()
    }

    /// An object; duplicate keys are reported.
    pub fn object(&self, expected: &str) -> Option<Object<'n>> {
        let Value::Object(entries) = &self.node.value else {
            return self.unexpected(expected);
        };
        let mut seen: Vec<&str> = entries.iter().map(|(key, _)| key.as_str()).collect();
        seen.sort_unstable();
        for (index, (key, node)) in entries.iter().enumerate() {
            let count =
                seen.partition_point(|k| *k <= key.as_str()) - seen.partition_point(|k| *k < key.as_str());
            if count > 1 && entries[..index].iter().any(|(earlier, _)| earlier == key) {
                self.log.note(node.offset, self.join(key), "this key occurs twice".into());
            }
        }
        if let Some(trace) = self.log.trace() {
            trace.say(&self.path, expected);
        }
        Some(Object {
            cursor: self.clone(),
            entries,
            asked: RefCell::default(),
            required: RefCell::default(),
        })
    }

    fn join(&self, key: &str) -> String {
        let key = brief(key);
        if self.path.is_empty() { key.into_owned() } else { format!("{}.{key}", self.path) }
    }
}

/// An object that remembers which keys were asked for.
pub(super) struct Object<'n> {
    cursor: Cursor<'n>,
    entries: &'n [(String, Node<'n>)],
    asked: RefCell<Vec<&'static str>>,
    /// Those of them that have to be there.
    required: RefCell<Vec<&'static str>>,
}

impl<'n> Object<'n> {
    /// The object as a value, for problems of the whole.
    pub fn cursor(&self) -> &Cursor<'n> {
        &self.cursor
    }

    /// The value of an optional key.
    pub fn get(&self, key: &'static str) -> Option<Cursor<'n>> {
        if !self.asked.borrow().contains(&key) {
            self.asked.borrow_mut().push(key);
        }
        let (_, node) = self.entries.iter().find(|(own, _)| own == key)?;
        Some(Cursor { node, path: self.cursor.join(key), log: self.cursor.log })
    }

    /// The value of a key that must be there.
    pub fn require(&self, key: &'static str, expected: &str) -> Option<Cursor<'n>> {
        let found = self.get(key);
        if let Some(trace) = self.cursor.log.trace() {
            trace.say(&self.cursor.join(key), expected);
            self.required.borrow_mut().push(key);
        }
        if found.is_none() {
            let path = self.cursor.join(key);
            let asked = self.asked.borrow();
            let other = |own: &str| !asked.contains(&own) && is_synonym(own, key);
            let called = self.entries.iter().find(|(own, _)| other(own));
            let called = called
                .map_or_else(String::new, |(own, _)| format!("; '{}' is called '{key}' here", brief(own)));
            let message = format!("this key is missing (expected {expected}{called})");
            self.cursor.log.note(self.cursor.node.offset, path, message);
        }
        found
    }

    /// The value of an optional key as `read` reads it, or `default` if the key is not there.
    pub fn or<T>(
        &self,
        key: &'static str,
        default: T,
        read: impl FnOnce(&Cursor<'n>) -> Option<T>,
    ) -> Option<T> {
        self.get(key).map_or(Some(default), |cursor| read(&cursor))
    }

    /// The value of an optional key as `read` reads it. The outer `None` is a problem, the inner an absence.
    pub fn maybe<T>(
        &self,
        key: &'static str,
        read: impl FnOnce(&Cursor<'n>) -> Option<T>,
    ) -> Option<Option<T>> {
        self.get(key).map_or(Some(None), |cursor| read(&cursor).map(Some))
    }

    /// Reports every key that no reader asked for.
    pub fn finish(self) {
        let mut asked = self.asked.borrow().clone();
        if let Some(trace) = self.cursor.log.trace() {
            let text = |(key, node): &(String, Node<'_>)| match &node.value {
                Value::Text(text) => Some((key.clone(), text.clone())),
                _ => None,
            };
            let texts = self.entries.iter().filter_map(text).collect();
            let required = self.required.borrow().iter().copied().collect();
            trace.object(
                &self.cursor.path,
                Read { asked: asked.iter().copied().collect(), required, texts },
            );
        }
        for (key, node) in self.entries {
            if asked.contains(&key.as_str()) {
                continue;
            }
            asked.sort_unstable();
            let message = match suggestion(key, &asked).as_str() {
                "" => format!("unknown key (expected {})", asked.join(", ")),
                suggestion => format!("unknown key{suggestion}"),
            };
            self.cursor.log.note(node.offset, self.cursor.join(key), message);
        }
    }

    /// The keys that are present, with their values, except `but_for`.
    pub fn others(&self, but_for: &str) -> Vec<(&'n str, Cursor<'n>)> {
        let cursor = |(key, node): &'n (String, Node<'n>)| {
            (key.as_str(), Cursor { node, path: self.cursor.join(key), log: self.cursor.log })
        };
        self.entries.iter().filter(|(key, _)| key != but_for).map(cursor).collect()
    }
}
