//! Numbers as people read them: three or four digits, powers of ten as superscripts, units with prefixes.

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

/// `value` to `digits` significant digits, in plain or exponent form, whichever is shorter to read.
pub fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return if value.is_nan() {
            "–"
        } else if value > 0.0 {
            "∞"
        } else {
            "−∞"
        }
        .to_owned();
    }
    let exponent = value.abs().log10().floor() as i32;
    let decimals = digits as i32 - 1 - exponent;
    match exponent {
        -3..=4 => trim(signed(format!("{value:.*}", decimals.max(0) as usize))),
        _ => {
            let mantissa = trim(signed(format!("{:.*}", digits - 1, value / 10f64.powi(exponent))));
            match mantissa.strip_suffix('1') {
                Some(sign @ ("" | "−")) => format!("{sign}{}", power(exponent)),
                _ => format!("{mantissa}·{}", power(exponent)),
            }
        }
    }
}

/// As [`significant`], with zeros for the digits of a large number that do not count: 3433.5 with two is 3400. For a number whose
/// last digits would change from frame to frame.
pub fn rounded(value: f64, digits: usize) -> String {
    let text = format!("{value:.*e}", digits.saturating_sub(1));
    significant(text.parse().unwrap_or(value), digits)
}

/// The text of a number with a minus sign, which is as wide as a digit, in the place of a hyphen.
fn signed(text: String) -> String {
    text.replace('-', "−")
}

fn trim(text: String) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// 10ⁿ with superscript digits.
pub fn power(exponent: i32) -> String {
    let digits = exponent.to_string();
    let superscript = digits.chars().map(|c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32(u32::from('⁰') + (u32::from(digit) - u32::from('0'))).unwrap_or(digit),
    });
    format!("10{}", superscript.collect::<String>())
}

/// A number with a fixed number of digits for live figures, so that their width does not change: 1.23·10⁻⁴ or 12.3.
pub fn live(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return significant(value, 3);
    }
    let exponent = value.abs().log10().floor() as i32;
    match exponent {
        -2..=3 => signed(format!("{value:.*}", (2 - exponent).max(0) as usize)),
        _ => signed(format!("{:.2}·{}", value / 10f64.powi(exponent), power(exponent))),
    }
}

/// Prefixes of the metre that are used for lengths.
const LENGTHS: [(f64, &str); 6] =
    [(1e3, "km"), (1.0, "m"), (1e-2, "cm"), (1e-3, "mm"), (1e-6, "µm"), (1e-9, "nm")];

/// A length in m with a suitable prefix: 20 cm, 5 mm.
pub fn length(metres: f64) -> String {
    prefixed(metres, &LENGTHS)
}

/// Prefixes of the second.
const TIMES: [(f64, &str); 3] = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")];

/// A duration in s with a suitable prefix: 1 ms, 20 µs.
pub fn duration(seconds: f64) -> String {
    prefixed(seconds, &TIMES)
}

/// Prefixes of the newton.
const FORCES: [(f64, &str); 5] = [(1e6, "MN"), (1e3, "kN"), (1.0, "N"), (1e-3, "mN"), (1e-6, "µN")];

/// A force in N with a suitable prefix: 2.5 kN, 40 mN.
pub fn force(newtons: f64) -> String {
    prefixed(newtons, &FORCES)
}

/// Reads a length with or without its unit, m.
pub fn metres(text: &str) -> Option<f64> {
    with_prefix(text, &LENGTHS)
}

/// Reads a force with or without its unit, N.
pub fn newtons(text: &str) -> Option<f64> {
    with_prefix(text, &FORCES)
}

/// Reads a duration with or without its unit, s.
pub fn seconds(text: &str) -> Option<f64> {
    with_prefix(&text.replace("us", "µs"), &TIMES)
}

/// Reads a number with one of `units`, the longest that matches, or without a unit.
fn with_prefix(text: &str, units: &[(f64, &str)]) -> Option<f64> {
    let text = text.trim();
    let fitting = units.iter().filter_map(|(size, unit)| Some((text.strip_suffix(unit)?, size)));
    let (number, size) = fitting.min_by_key(|(rest, _)| rest.len()).unwrap_or((text, &1.0));
    Some(number.trim().replace('−', "-").parse::<f64>().ok()? * size)
}

fn prefixed(value: f64, units: &[(f64, &str)]) -> String {
    let fitting = units.iter().find(|(size, _)| value.abs() >= size * (1.0 - 1e-9));
    match fitting.or(units.last()) {
        Some((size, unit)) => format!("{} {unit}", significant(value / size, 3)),
        None => significant(value, 3),
    }
}

/// The largest of 1, 2, 5 × 10ⁿ that is not above `value`.
pub fn round_down(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let lead = value / power;
    let step = [5.0, 2.0, 1.0].into_iter().find(|step| lead >= step * (1.0 - 1e-9));
    step.unwrap_or(1.0) * power
}
