//! Numbers as people type them: with a decimal point or comma, with a power of ten, as a fraction, with a unit behind.
//!
//! What cannot be read is refused with a sentence that says why. **A decimal comma is read as a point**: `1,5` is 1.5.
//! Only where a comma could also separate thousands, as in `1,000`, the text is refused, since both readings are common.

/// Prefixes of the units that have them.
const PREFIXES: [(&str, f64); 7] =
    [("k", 1e3), ("M", 1e6), ("G", 1e9), ("m", 1e-3), ("µ", 1e-6), ("u", 1e-6), ("n", 1e-9)];
/// Units that are written with prefixes.
const PREFIXED: [&str; 4] = ["s", "m", "N", "Hz"];

/// The number that `text` spells, in `unit`: with or without that unit behind it, or with a prefix before it.
///
/// # Errors
/// Why it cannot be read, as a sentence.
pub fn number(text: &str, unit: &str) -> Result<f64, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("Nothing is typed.".to_owned());
    }
    let plain = pointed(text)?;
    let Some((number, rest)) = leading_number(&plain).map(divided) else {
        return Err(format!("'{text}' is not a number."));
    };
    match scale(rest.trim(), unit) {
        Some(factor) => Ok(number * factor),
        None if unit.is_empty() => {
            Err(format!("'{}' is no part of a number; this one has no unit.", rest.trim()))
        }
        None => Err(format!("'{}' is not a unit here; the unit is {unit}.", rest.trim())),
    }
}

/// The text with a decimal point in the place of a decimal comma.
///
/// # Errors
/// A comma that may separate thousands, or several.
pub fn pointed(text: &str) -> Result<String, String> {
    let Some((before, after)) = text.split_once(',') else { return Ok(text.to_owned()) };
    if after.contains(',') || before.contains('.') || after.contains('.') {
        return Err(format!("'{text}' has several marks; write the number with one decimal point."));
    }
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
    let whole = before.trim_start_matches(['+', '-', '−']);
    let grouped = digits(after) == 3 && (1..=3).contains(&whole.len()) && !whole.starts_with('0');
    if grouped {
        let (decimal, thousands) = (text.replacen(',', ".", 1), text.replacen(',', "", 1));
        return Err(format!("'{text}' may mean {decimal} or {thousands}; write one of these."));
    }
    Ok(text.replacen(',', ".", 1))
}

/// The longest number at the beginning of the text, and what follows it.
fn leading_number(text: &str) -> Option<(f64, &str)> {
    let text = text.strip_prefix('+').unwrap_or(text);
    let (sign, text) = match text.strip_prefix(['-', '−']) {
        Some(rest) => (-1.0, rest),
        None => (1.0, text),
    };
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    // From the longest beginning that is ASCII and may be a number down to a single digit.
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8()).rev();
    let found = ends.filter_map(|end| Some((text[..end].parse::<f64>().ok()?, end))).next();
    let (mantissa, end) = found?;
    let (power, rest) = power_of_ten(&text[end..]);
    Some((sign * mantissa * power, rest))
}

/// A fraction as its value, and what follows it: `1/60 s`.
fn divided((number, rest): (f64, &str)) -> (f64, &str) {
    let under = rest.trim_start().strip_prefix('/').map(str::trim_start).and_then(leading_number);
    under
        .filter(|(under, _)| *under != 0.0)
        .map_or((number, rest), |(under, after)| (number / under, after))
}

/// A factor ·10⁻⁴, ×10^-4 or *10^-4, as the panel writes it, or 1.
fn power_of_ten(text: &str) -> (f64, &str) {
    let after = text.trim_start().trim_start_matches(['·', '×', '*', 'x']).trim_start();
    let Some(exponent) = after.strip_prefix("10").filter(|_| after.len() < text.len()) else {
        return (1.0, text);
    };
    let exponent = exponent.strip_prefix('^').unwrap_or(exponent);
    let is_part = |c: char| plain_digit(c).is_some();
    let end = exponent.find(|c| !is_part(c)).unwrap_or(exponent.len());
    let digits: String = exponent[..end].chars().filter_map(plain_digit).collect();
    match digits.parse::<i32>() {
        Ok(n) => (10f64.powi(n), &exponent[end..]),
        Err(_) => (1.0, text),
    }
}

/// The digit or sign that a superscript or plain character stands for.
fn plain_digit(c: char) -> Option<char> {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    match c {
        '⁻' | '-' | '−' => Some('-'),
        '0'..='9' => Some(c),
        _ => RAISED.iter().position(|raised| *raised == c).and_then(|n| char::from_digit(n as u32, 10)),
    }
}

/// The factor of what is typed behind a number; none if it is no unit of this number.
fn scale(typed: &str, unit: &str) -> Option<f64> {
    if typed.is_empty() {
        return Some(1.0);
    }
    if unit.is_empty() {
        return (typed == "%").then_some(0.01);
    }
    if unit == "rad" && matches!(typed, "°" | "deg") {
        return Some(1f64.to_radians());
    }
    let typed = spelled(typed);
    // "m or rad" is a number in either.
    unit.split(" or ").map(spelled).find_map(|unit| {
        if typed == unit {
            return Some(1.0);
        }
        let prefix = typed.strip_suffix(unit.as_str()).filter(|_| PREFIXED.contains(&unit.as_str()))?;
        PREFIXES.iter().find(|(name, _)| *name == prefix).map(|(_, factor)| *factor)
    })
}

/// A unit in one spelling: `1/s`, `/s`, `s^-1` and `s⁻¹` are the same.
fn spelled(unit: &str) -> String {
    let flat: String = unit.chars().filter(|c| !c.is_whitespace() && *c != '^').collect();
    let flat: String = flat.chars().map(|c| plain_digit(c).unwrap_or(c)).collect();
    match flat.strip_prefix("1/").or_else(|| flat.strip_prefix('/')) {
        Some(below) => format!("{below}-1"),
        None => flat,
    }
}
