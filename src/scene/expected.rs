//! What the reader asks of each value of a file, noted while it reads: of that the schema is made.

use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Names of what is defined by the tables of schemes and solvers.
pub(super) const STABILIZER: &str = "stabilizer";
pub(super) const SOLVER: &str = "solver";

/// Parts of a file that are read as the scene's own are: the beginnings of their paths, and those of the latter.
const SAME: [(&str, &str); 3] =
    [("window.beside[].settings", "settings"), ("window.beside[].world.", ""), ("window.start.", "")];

/// What the reader expects of a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expected {
    Number(Range),
    Text,
    /// A text that is not empty.
    Name,
    /// One of these.
    Word(Vec<String>),
    Bool,
    /// True, false, 1 or 0.
    Switch,
    Null,
    /// An array, of so many elements if that is fixed.
    Array(Option<usize>),
    /// What the schema defines by this name.
    Defined(&'static str),
}

/// Which numbers are accepted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    whole: bool,
    negative: bool,
    zero: bool,
    above_one: bool,
}

impl Range {
    /// The range of a reader's condition, found by asking it.
    pub fn of(accept: impl Fn(f64) -> bool) -> Self {
        /// Large enough for every condition that has no upper limit, and the number next to 1.
        const LARGE: f64 = 1e9;
        let any = |numbers: &[f64]| numbers.iter().any(|number| accept(*number));
        Self {
            whole: any(&[0.0, 1.0, LARGE]) && !any(&[0.5, 1.5, LARGE + 0.5]),
            negative: any(&[-0.5, -1.0, -LARGE]),
            zero: accept(0.0),
            above_one: !accept(1.0) || !accept(0.5) || any(&[1.0 + f64::EPSILON, LARGE]),
        }
    }

    /// What one of both accepts.
    fn or(self, other: Self) -> Self {
        Self {
            whole: self.whole && other.whole,
            negative: self.negative || other.negative,
            zero: self.zero || other.zero,
            above_one: self.above_one || other.above_one,
        }
    }

    pub fn schema(self) -> Value {
        let mut schema = Map::new();
        schema.insert("type".to_owned(), json!(if self.whole { "integer" } else { "number" }));
        if !self.negative {
            let limit = if self.zero { "minimum" } else { "exclusiveMinimum" };
            schema.insert(limit.to_owned(), json!(0));
        }
        if !self.above_one {
            schema.insert("maximum".to_owned(), json!(1));
        }
        Value::Object(schema)
    }
}

/// An object that was read: the keys that its reader asked for and demanded, and the texts that they had.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub asked: BTreeSet<&'static str>,
    pub required: BTreeSet<&'static str>,
    pub texts: BTreeMap<String, String>,
}

/// A value of the file, wherever it stands.
#[derive(Debug, Default)]
pub(super) struct Place {
    pub expected: Vec<Expected>,
    pub objects: Vec<Read>,
    /// What is expected, in words.
    pub said: Option<String>,
}

/// What the reader has asked of each value, by the value's path without indices.
#[derive(Debug, Default)]
pub(super) struct Trace(RefCell<BTreeMap<String, Place>>);

impl Trace {
    pub fn expect(&self, path: &str, expected: Expected) {
        let mut places = self.0.borrow_mut();
        let known = &mut places.entry(place(path)).or_default().expected;
        let alike = |own: &&mut Expected| std::mem::discriminant(*own) == std::mem::discriminant(&expected);
        match (known.iter_mut().find(alike), expected) {
            (Some(Expected::Number(own)), Expected::Number(range)) => *own = own.or(range),
            (Some(Expected::Word(own)), Expected::Word(words)) => {
                let new = words.into_iter().filter(|word| !own.contains(word)).collect::<Vec<_>>();
                own.extend(new);
            }
            (Some(Expected::Array(own)), Expected::Array(length)) if *own != length => *own = None,
            (Some(_), _) => {}
            (None, expected) => known.push(expected),
        }
    }

    pub fn say(&self, path: &str, expected: &str) {
        let mut places = self.0.borrow_mut();
        places.entry(place(path)).or_default().said.get_or_insert_with(|| expected.to_owned());
    }

    /// All that has been noted, which begins anew.
    pub fn take(&self) -> BTreeMap<String, Place> {
        self.0.take()
    }

    pub fn object(&self, path: &str, read: Read) {
        self.0.borrow_mut().entry(place(path)).or_default().objects.push(read);
    }
}

/// A path without indices, as that of the scene's own part.
pub(super) fn place(path: &str) -> String {
    let mut bare = String::new();
    for part in path.split_inclusive('[') {
        let digits = part.find(']').filter(|_| !bare.is_empty()).unwrap_or(0);
        bare += &part[digits..];
    }
    let same = SAME.iter().find_map(|(from, to)| Some(format!("{to}{}", bare.strip_prefix(from)?)));
    same.unwrap_or(bare)
}
