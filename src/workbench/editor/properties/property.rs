//! A number described, with how it is read and changed; and the words of which the tables are made.

use crate::model::ModelError;
use crate::parameter::{Parameter, ParameterKind};

/// A number of a body, a joint, a spring or a velocity constraint.
pub struct Property<T: 'static> {
    /// Its name, unit, range and meaning.
    pub parameter: Parameter,
    pub(super) get: fn(&T) -> Option<f64>,
    pub(super) set: fn(&mut T, f64) -> Result<(), ModelError>,
}

impl<T> Clone for Property<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Property<T> {}

impl<T> Property<T> {
    /// Its value; none where `item` has no such number.
    pub fn of(&self, item: &T) -> Option<f64> {
        (self.get)(item)
    }

    /// Gives `item` another value. What else a world asks of it is checked where it is put into one.
    ///
    /// # Errors
    /// A value outside the range, or one with which the item has no physical meaning. The item is then as it was.
    pub fn set(&self, item: &mut T, value: f64) -> Result<(), ModelError> {
        let Parameter { name, minimum, maximum, kind, .. } = self.parameter;
        let whole = matches!(kind, ParameterKind::Integer | ParameterKind::Choice(_));
        let fits = value.is_finite() && (minimum..=maximum).contains(&value);
        if !fits || whole && value.fract() != 0.0 {
            let expected = match (minimum > f64::MIN, maximum < f64::MAX) {
                _ if whole => "a whole number in its range",
                (true, true) => "a number from 0 to 1",
                (true, false) if minimum > 0.0 => "a finite number greater than 0",
                (true, false) => "a finite number, 0 or more",
                _ => "a finite number",
            };
            return Err(ModelError::OutOfRange { quantity: name, expected, value });
        }
        (self.set)(item, value)
    }
}

/// A real number of any sign.
pub(super) const fn real(
    key: &'static str,
    name: &'static str,
    symbol: &'static str,
    unit: &'static str,
    meaning: &'static str,
) -> Parameter {
    let [minimum, maximum, default] = [f64::MIN, f64::MAX, 0.0];
    Parameter { key, name, symbol, unit, minimum, maximum, default, kind: ParameterKind::Linear, meaning }
}

/// The number as one that is greater than 0.
pub(super) const fn positive(parameter: Parameter) -> Parameter {
    Parameter { minimum: f64::MIN_POSITIVE, kind: ParameterKind::Logarithmic, default: 1.0, ..parameter }
}

/// The number as one that is 0 or more.
pub(super) const fn not_negative(parameter: Parameter) -> Parameter {
    Parameter { minimum: 0.0, kind: ParameterKind::Logarithmic, ..parameter }
}

/// One of several words.
pub(super) const fn choice(
    key: &'static str,
    name: &'static str,
    words: &'static [&'static str],
    meaning: &'static str,
) -> Parameter {
    let (maximum, kind) = ((words.len() - 1) as f64, ParameterKind::Choice(words));
    Parameter { minimum: 0.0, maximum, kind, ..real(key, name, "", "", meaning) }
}

pub(super) const YES: &[&str] = &["no", "yes"];

pub(super) fn is(value: f64) -> bool {
    value != 0.0
}

pub(super) fn as_number(value: bool) -> f64 {
    f64::from(u8::from(value))
}

/// A number that is a place in the item, where the item has it.
macro_rules! place {
    ($parameter:expr, |$item:ident| $place:expr $(, if $when:expr)?) => {
        Property {
            parameter: $parameter,
            get: |$item| (true $(&& $when)?).then(|| $place),
            set: |$item, value| {
                $place = value;
                Ok(())
            },
        }
    };
}

/// A number that is a place in the part of the item that the pattern names, where the item is like it; `$read` and
/// `$write` turn what is there into a number and back.
macro_rules! part {
    ($parameter:expr, $pattern:pat => $place:expr) => {
        part!($parameter, $pattern => $place, std::convert::identity, std::convert::identity)
    };
    ($parameter:expr, $pattern:pat => $place:expr, $read:expr, $write:expr) => {
        Property {
            parameter: $parameter,
            get: |item| match item {
                $pattern => Some($read($place)),
                _ => None,
            },
            set: |item, value| {
                if let $pattern = item {
                    $place = $write(value);
                }
                Ok(())
            },
        }
    };
}

pub(super) use {part, place};
