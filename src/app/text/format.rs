//! Numbers and parameters as the window shows them.

pub use crate::numbers::*;
use crate::parameter::{Parameter, ParameterKind};

/// Name and symbol, as a slider is labelled: readers who have not read the paper do not know the symbol.
pub fn label(parameter: &Parameter) -> String {
    format!("{} {}", parameter.name, parameter.symbol).trim_end().to_owned()
}

/// A parameter's value with its unit, to `digits` significant digits; the word of a choice; 'no limit' for a bound that
/// bounds nothing.
pub fn parameter(parameter: &Parameter, value: f64, digits: usize) -> String {
    if let Some(word) = parameter.word(value) {
        return word.to_owned();
    }
    if parameter.is_unbounded(value) {
        return "no limit".to_owned();
    }
    let whole = parameter.kind == ParameterKind::Integer;
    let number = if whole { format!("{value:.0}") } else { significant(value, digits) };
    if parameter.unit.is_empty() { number } else { format!("{number} {}", parameter.unit) }
}
