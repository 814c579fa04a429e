//! Descriptions of tunable parameters: the vocabulary that the tables of schemes and solvers share.
//!
//! The scene format, the command line, `driftlab list`, the window's sliders and the tests all read these
//! descriptions, so that a parameter's range and default stand in one place.

use thiserror::Error;

/// How a parameter's value is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParameterKind {
    /// A real number that spans decades: a logarithmic slider suits it.
    Logarithmic,
    /// A real number on a linear scale.
    Linear,
    /// An upper bound that spans decades; at its largest value nothing is bounded.
    Bound,
    /// A whole number.
    Integer,
    /// One of several words; the stored value is the word's index.
    Choice(&'static [&'static str]),
}

/// One tunable number of a scheme or a solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Name in scene files and on the command line.
    pub key: &'static str,
    /// Name for people, in one or two words.
    pub name: &'static str,
    /// Symbol in the literature, empty where there is none.
    pub symbol: &'static str,
    /// SI unit, empty where the parameter has none.
    pub unit: &'static str,
    /// Smallest value that is accepted.
    pub minimum: f64,
    /// Largest value that is accepted.
    pub maximum: f64,
    /// Default value.
    pub default: f64,
    /// Real, integer or a choice of words.
    pub kind: ParameterKind,
    /// One sentence that says what it does, with its source.
    pub meaning: &'static str,
}

/// A real number on a linear scale, without its meaning.
pub(crate) const fn linear(
    key: &'static str,
    name: &'static str,
    symbol: &'static str,
    unit: &'static str,
    [minimum, maximum]: [f64; 2],
    default: f64,
) -> Parameter {
    Parameter {
        key,
        name,
        symbol,
        unit,
        minimum,
        maximum,
        default,
        kind: ParameterKind::Linear,
        meaning: "",
    }
}

/// A real number that spans decades, without its meaning.
pub(crate) const fn logarithmic(
    key: &'static str,
    name: &'static str,
    symbol: &'static str,
    unit: &'static str,
    range: [f64; 2],
    default: f64,
) -> Parameter {
    Parameter { kind: ParameterKind::Logarithmic, ..linear(key, name, symbol, unit, range, default) }
}

/// A whole number without unit, without its meaning.
pub(crate) const fn integer(
    key: &'static str,
    name: &'static str,
    symbol: &'static str,
    range: [f64; 2],
    default: f64,
) -> Parameter {
    Parameter { kind: ParameterKind::Integer, ..linear(key, name, symbol, "", range, default) }
}

/// One of several words, the first by default, without its meaning.
pub(crate) const fn choice(
    key: &'static str,
    name: &'static str,
    symbol: &'static str,
    words: &'static [&'static str],
) -> Parameter {
    let kind = ParameterKind::Choice(words);
    Parameter { kind, ..linear(key, name, symbol, "", [0.0, (words.len() - 1) as f64], 0.0) }
}

/// Gives an enum of words the list of them, and each its name.
macro_rules! words {
    ($own:ident { $($word:ident: $key:literal),+ }) => {
        impl $own {
            /// All of them, in the order of the panel.
            pub const ALL: [Self; [$($key),+].len()] = [$(Self::$word),+];

            /// Name in scene files and on the command line.
            pub fn key(self) -> &'static str {
                match self {
                    $(Self::$word => $key),+
                }
            }
        }
    };
}
pub(crate) use words;

/// A value that a [`Parameter`] does not accept.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ParameterError {
    /// No parameter has that name.
    #[error("unknown parameter '{key}' (expected {expected})")]
    Unknown {
        /// The name that was given.
        key: String,
        /// The names that exist.
        expected: String,
    },
    /// The number lies outside the accepted range, or the word is none of the choices.
    #[error("{key} = {value} is out of range (expected {expected})")]
    OutOfRange {
        /// The parameter.
        key: &'static str,
        /// What was given.
        value: String,
        /// The accepted values in words.
        expected: String,
    },
}

impl Parameter {
    /// The parameter with this meaning.
    pub(crate) const fn meaning(self, meaning: &'static str) -> Self {
        Self { meaning, ..self }
    }

    /// Whether the parameter is a bound and `value` bounds nothing.
    pub fn is_unbounded(&self, value: f64) -> bool {
        self.kind == ParameterKind::Bound && value >= self.maximum
    }

    /// The accepted values in words, as error messages and `driftlab list` print them.
    pub fn range(&self) -> String {
        match self.kind {
            ParameterKind::Choice(words) => words.join(" or "),
            ParameterKind::Integer => {
                format!("a whole number from {} to {}", self.minimum, self.maximum)
            }
            _ if self.maximum.is_infinite() => format!("a number of at least {}", self.minimum),
            _ => format!("a number from {} to {}", self.minimum, self.maximum),
        }
    }

    /// Returns `value` if it is acceptable.
    ///
    /// # Errors
    /// [`ParameterError::OutOfRange`] for a number outside the range, one that is not finite, or a fraction where a
    /// whole number is expected.
    pub fn check(&self, value: f64) -> Result<f64, ParameterError> {
        let whole = matches!(self.kind, ParameterKind::Integer | ParameterKind::Choice(_));
        let within = value.is_finite() && (self.minimum..=self.maximum).contains(&value);
        if within && (!whole || value.fract() == 0.0) {
            return Ok(value);
        }
        Err(self.out_of_range(value))
    }

    /// The error that it does not accept `value`.
    pub fn out_of_range(&self, value: impl ToString) -> ParameterError {
        ParameterError::OutOfRange { key: self.key, value: value.to_string(), expected: self.range() }
    }

    /// Reads a value as spelled on a command line: a number, or one of the words of a choice.
    ///
    /// # Errors
    /// [`ParameterError::OutOfRange`].
    pub fn parse(&self, text: &str) -> Result<f64, ParameterError> {
        match self.kind {
            ParameterKind::Choice(words) => {
                let index = words.iter().position(|word| *word == text);
                index.map(|index| index as f64).ok_or_else(|| self.out_of_range(format_args!("'{text}'")))
            }
            _ => self.check(text.trim().parse().unwrap_or(f64::NAN)),
        }
    }

    /// The word of a choice, or nothing for a number.
    pub fn word(&self, value: f64) -> Option<&'static str> {
        match self.kind {
            ParameterKind::Choice(words) => words.get(value as usize).copied(),
            _ => None,
        }
    }
}

/// The values of a list of parameters, in the list's order, each within its range, and which of them were set.
///
/// Two of them are equal if their numbers are.
#[derive(Clone, Debug)]
pub struct Values {
    parameters: &'static [Parameter],
    values: Vec<f64>,
    /// Whether somebody has set the value; the others are defaults.
    set: Vec<bool>,
}

impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        self.parameters == other.parameters && self.values == other.values
    }
}

impl Values {
    /// Every parameter at its default.
    pub fn defaults(parameters: &'static [Parameter]) -> Self {
        let values = parameters.iter().map(|p| p.default).collect();
        Self { parameters, values, set: vec![false; parameters.len()] }
    }

    /// Gives every parameter that nobody has set the value of `default`, moved into its range.
    pub(crate) fn default_to(&mut self, default: impl Fn(&Parameter) -> f64) {
        let unset = self.parameters.iter().zip(&mut self.values).zip(&self.set).filter(|(_, set)| !**set);
        for ((parameter, value), _) in unset {
            *value = default(parameter).clamp(parameter.minimum, parameter.maximum);
        }
    }

    /// The descriptions.
    pub fn parameters(&self) -> &'static [Parameter] {
        self.parameters
    }

    /// The numbers, in the order of the descriptions.
    pub fn numbers(&self) -> &[f64] {
        &self.values
    }

    /// Each description with its present number.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Parameter, f64)> + '_ {
        self.parameters.iter().zip(self.values.iter().copied())
    }

    /// The value of `key`, if there is such a parameter.
    pub fn get(&self, key: &str) -> Option<f64> {
        self.iter().find(|(p, _)| p.key == key).map(|(_, value)| value)
    }

    /// The value of `parameter`, which must be one of this list's. Schemes and solvers read their own numbers this
    /// way: a misspelt description does not compile, whereas a misspelt key would.
    pub fn of(&self, parameter: &Parameter) -> f64 {
        let value = self.get(parameter.key);
        debug_assert!(value.is_some(), "'{}' is not in this list of parameters", parameter.key);
        value.unwrap_or(parameter.default)
    }

    /// Sets `key` to `value`.
    ///
    /// # Errors
    /// An unknown key, or a value outside the parameter's range; the values stay as they were.
    pub fn set(&mut self, key: &str, value: f64) -> Result<(), ParameterError> {
        let index = self.index(key)?;
        self.values[index] = self.parameters[index].check(value)?;
        self.set[index] = true;
        Ok(())
    }

    /// Sets `key` to the value that `text` spells, as on a command line.
    ///
    /// # Errors
    /// As for [`Values::set`], or a word that is no choice.
    pub fn set_text(&mut self, key: &str, text: &str) -> Result<(), ParameterError> {
        let value = self.parameters[self.index(key)?].parse(text)?;
        self.set(key, value)
    }

    fn index(&self, key: &str) -> Result<usize, ParameterError> {
        self.parameters.iter().position(|p| p.key == key).ok_or_else(|| {
            let names: Vec<_> = self.parameters.iter().map(|p| p.key).collect();
            let expected = if names.is_empty() { "no parameters".to_owned() } else { names.join(", ") };
            ParameterError::Unknown { key: key.to_owned(), expected }
        })
    }
}
