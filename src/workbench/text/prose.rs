//! Texts of scenes, tables and the engine as the window shows them: names instead of keys, and one notation of numbers.

use super::format::significant;
use crate::lcp;
use crate::peers;

/// Digits of a number in a text.
const DIGITS: usize = 4;

/// `text` as a person reads it in the window. Scene files and messages are written for terminals and pages, too: they put a
/// scheme's or a solver's key between backticks, for which its name is shown, and write powers of ten as `1.5e-4`.
pub fn prose(text: &str) -> String {
    numbers(&names(text))
}

/// `text` with a capital letter.
pub fn capitalised(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

/// Names instead of the keys between backticks; what is no key is shown without them.
fn names(text: &str) -> String {
    let pieces = text.split('`').enumerate();
    pieces.map(|(index, piece)| if index % 2 == 1 { name(piece) } else { piece }).collect()
}

fn name(key: &str) -> &str {
    let scheme = peers::all().map(|(_, scheme)| scheme.info()).find(|info| info.key == key);
    let solver = lcp::solvers().map(|solver| solver.info()).find(|info| info.key == key);
    scheme.map(|info| info.name).or(solver.map(|info| info.name)).unwrap_or(key)
}

/// Numbers with the minus sign and the powers of ten of every other number of the window: −0.04 or 1.5·10⁻⁴.
fn numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        let inside_word = before.chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
        let digits = from.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(from.len());
        let length = exponent(&from[digits..]).map_or(digits, |power| digits + power);
        let (number, after) = from.split_at(length);
        out.push_str(before);
        // A hyphen before a number is its sign, unless a word or another number stands before it.
        if let Some(text) = out.strip_suffix('-')
            && !text.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ')')
        {
            out.truncate(text.len());
            out.push('−');
        }
        match number.parse::<f64>() {
            Ok(value) if length > digits && !inside_word => out.push_str(&significant(value, DIGITS)),
            _ => out.push_str(number),
        }
        rest = after;
    }
    out + rest
}

/// Length of the exponent that `text` begins with, if it does.
fn exponent(text: &str) -> Option<usize> {
    let power = text.strip_prefix('e')?;
    let digits = power.strip_prefix(['-', '+']).unwrap_or(power);
    let count = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let ends = !digits[count..].starts_with(|c: char| c.is_alphanumeric());
    (count > 0 && ends).then_some(text.len() - digits.len() + count)
}
