//! The part of Thyme, Algodoo's language, in which it writes scenes: assignments, blocks of them, and calls with named values.
//!
//! ```text
//! Sim -> { gravityStrength = 9.8; airSwitch = true };
//! Scene.addCircle { radius := 0.5; pos := [1, 2]; onHit := (e)=>{} };
//! ```
//!
//! Programs are not run: a value that is one is kept as such, and whether it does anything.

use std::collections::BTreeMap;

/// Lists in lists at most.
const MOST_DEPTH: usize = 16;
/// Numbers, texts and lists of a file at most.
const MOST_VALUES: usize = 8_000_000;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Number(f64),
    Bool(bool),
    Text(String),
    List(Vec<Value>),
    /// A function or an expression; whether it is more than an empty function.
    Program {
        acts: bool,
    },
}

/// A call or a block of assignments.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub line: usize,
    /// `Scene.addBox`, `Sim`, …
    pub name: String,
    pub values: BTreeMap<String, Value>,
}

/// Reads all blocks, one after the other.
pub(super) struct Reader<'t> {
    rest: &'t [u8],
    line: usize,
    values: usize,
}

impl<'t> Reader<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { rest: text.as_bytes(), line: 1, values: 0 }
    }

    /// The next block; none at the end.
    ///
    /// # Errors
    /// The line and what was expected there.
    pub fn block(&mut self) -> Result<Option<Block>, (usize, String)> {
        loop {
            self.space();
            if self.rest.is_empty() {
                return Ok(None);
            }
            let line = self.line;
            let name = self.word();
            self.space();
            if name.is_empty() {
                // Punctuation between statements, or a character that begins none.
                self.next();
                continue;
            }
            if self.eat(b"->") {
                self.space();
            }
            if self.rest.first() == Some(&b'{') {
                let values = self.assignments()?;
                return Ok(Some(Block { line, name, values }));
            }
            if self.eat(b":=") || self.eat(b"=") {
                let value = self.value(0)?;
                let (block, key) = name.rsplit_once('.').unwrap_or(("", &name));
                let values = BTreeMap::from([(key.to_owned(), value)]);
                return Ok(Some(Block { line, name: block.to_owned(), values }));
            }
        }
    }

    /// `{ key := value; … }`.
    fn assignments(&mut self) -> Result<BTreeMap<String, Value>, (usize, String)> {
        let begun = self.line;
        self.next();
        let mut values = BTreeMap::new();
        loop {
            self.space();
            match self.rest.first() {
                None => return Err((begun, "expected '}' for the block that begins here".to_owned())),
                Some(b'}') => {
                    self.next();
                    return Ok(values);
                }
                Some(_) => {}
            }
            let key = self.word();
            self.space();
            if key.is_empty() {
                self.next();
            } else if self.eat(b":=") || self.eat(b"=") {
                let value = self.value(0)?;
                values.insert(key, value);
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, (usize, String)> {
        self.values += 1;
        if self.values > MOST_VALUES {
            return Err((self.line, format!("expected at most {MOST_VALUES} values")));
        }
        if depth > MOST_DEPTH {
            return Err((self.line, format!("expected at most {MOST_DEPTH} lists in one another")));
        }
        self.space();
        let value = match self.rest.first() {
            Some(b'"') => {
                let start = self.rest;
                self.text();
                let inside = &start[1..start.len() - self.rest.len()];
                let inside = inside.strip_suffix(b"\"").unwrap_or(inside);
                Value::Text(String::from_utf8_lossy(inside).into_owned())
            }
            Some(b'[') => {
                self.next();
                let mut items = Vec::new();
                loop {
                    self.space();
                    match self.rest.first() {
                        None => return Err((self.line, "expected ']'".to_owned())),
                        Some(b']') => {
                            self.next();
                            break Value::List(items);
                        }
                        Some(b',') => self.next(),
                        Some(_) => items.push(self.value(depth + 1)?),
                    }
                }
            }
            _ => return Ok(self.plain(depth)),
        };
        self.space();
        // What continues is an expression: `[1, 2] * k`.
        Ok(if self.ends(depth) { value } else { self.program() })
    }

    /// A number, a truth value or a program.
    fn plain(&mut self, depth: usize) -> Value {
        let end = self.rest.iter().position(|c| b";,]}{(\"\n".contains(c)).unwrap_or(self.rest.len());
        let word = std::str::from_utf8(&self.rest[..end]).unwrap_or_default().trim();
        let value = match word {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            "NaN" | "nan" => Some(Value::Number(f64::NAN)),
            "+inf" | "inf" => Some(Value::Number(f64::INFINITY)),
            "-inf" => Some(Value::Number(f64::NEG_INFINITY)),
            word => word.parse().ok().filter(|number: &f64| number.is_finite()).map(Value::Number),
        };
        if let Some(value) = value {
            self.rest = &self.rest[end..];
            self.space();
            if self.ends(depth) {
                return value;
            }
        }
        self.program()
    }

    /// Whether a value ends here.
    fn ends(&self, depth: usize) -> bool {
        match self.rest.first() {
            None => true,
            Some(c) if depth > 0 => b",]".contains(c),
            Some(c) => b";}".contains(c),
        }
    }

    /// Passes over a program, up to the end of its statement, or of its place in a list.
    fn program(&mut self) -> Value {
        let mut open = 0_usize;
        let (mut body, mut acts) = (false, false);
        loop {
            self.space();
            let Some(c) = self.rest.first().copied() else { break };
            match c {
                b'{' | b'(' | b'[' => open += 1,
                b'}' | b')' | b']' if open == 0 => break,
                b'}' | b')' | b']' => open -= 1,
                b';' | b',' if open == 0 => break,
                _ => {}
            }
            // `(e)=>{}` does nothing: what stands between its braces is empty.
            acts |= body && c != b'}';
            body |= c == b'{';
            if c == b'"' {
                self.text();
            } else {
                self.next();
            }
        }
        Value::Program { acts: acts || !body }
    }

    fn text(&mut self) {
        self.next();
        while let Some(c) = self.rest.first().copied() {
            self.next();
            match c {
                b'"' => return,
                b'\\' => self.next(),
                _ => {}
            }
        }
    }

    fn word(&mut self) -> String {
        let is_word = |c: &u8| c.is_ascii_alphanumeric() || b"_.".contains(c);
        let end = self.rest.iter().position(|c| !is_word(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        String::from_utf8_lossy(word).into_owned()
    }

    /// White space and comments.
    fn space(&mut self) {
        loop {
            match self.rest {
                [b'/', b'/', ..] => {
                    let end = self.rest.iter().position(|c| *c == b'\n').unwrap_or(self.rest.len());
                    self.rest = &self.rest[end..];
                }
                [b'/', b'*', ..] => {
                    while !self.rest.is_empty() && !self.rest.starts_with(b"*/") {
                        self.next();
                    }
                    self.eat(b"*/");
                }
                [c, ..] if c.is_ascii_whitespace() => self.next(),
                _ => return,
            }
        }
    }

    fn eat(&mut self, what: &[u8]) -> bool {
        let rest = self.rest.strip_prefix(what);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn next(&mut self) {
        if let Some((c, rest)) = self.rest.split_first() {
            self.line += usize::from(*c == b'\n');
            self.rest = rest;
        }
    }
}
