//! How numbers are written: for files in full, in a terminal in few digits, in figures and the window as people set them,
//! with superscripts, a minus sign as wide as a digit, and units with prefixes.

/// Shortest decimal that reads back to the same bits, with an exponent where that is shorter; empty for a number that
/// is not finite.
pub fn shortest(x: f64) -> String {
    let magnitude = x.abs();
    if !x.is_finite() {
        String::new()
    } else if x == 0.0 || (1e-5..1e16).contains(&magnitude) {
        format!("{x}")
    } else {
        format!("{x:e}")
    }
}

/// The nearest number of so many significant digits.
pub fn to_digits(x: f64, digits: usize) -> f64 {
    format!("{x:.*e}", digits.saturating_sub(1)).parse().unwrap_or(x)
}

/// A number in four digits at most, as a line in a terminal names it.
pub fn short(x: f64) -> String {
    let rounded = to_digits(x, 4);
    if rounded == 0.0 || (1e-3..1e5).contains(&rounded.abs()) {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

/// A measured number with four significant digits, zeros included, as tables in a terminal align it; a word for one that
/// is not finite.
pub fn four_digits(x: f64) -> String {
    if !x.is_finite() {
        "overflow".to_owned()
    } else if x == 0.0 || (1e-2..1e4).contains(&x.abs()) {
        let digits = if x == 0.0 { 0 } else { (3 - x.abs().log10().floor() as i32).max(0) };
        format!("{x:.*}", digits as usize)
    } else {
        format!("{x:.3e}")
    }
}

/// To `digits` significant digits at most, in plain or exponent form, whichever is shorter to read: 0.25, −3·10⁻⁵.
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

/// To `decimals` digits behind the point at most: −0.25.
pub fn plain(value: f64, decimals: usize) -> String {
    match trim(signed(format!("{value:.decimals$}"))) {
        zero if zero == "−0" => "0".to_owned(),
        text => text,
    }
}

/// As [`significant`], with zeros for the digits of a large number that do not count: 3433.5 with two is 3400. For a number whose
/// last digits would change from frame to frame.
pub fn rounded(value: f64, digits: usize) -> String {
    significant(to_digits(value, digits), digits)
}

/// With a fixed number of digits for live figures, so that their width does not change: 1.23·10⁻⁴ or 12.3.
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

/// The text of a number with a minus sign, which is as wide as a digit, in the place of a hyphen.
fn signed(text: String) -> String {
    text.replace('-', "−")
}

fn trim(text: String) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// 10ⁿ.
pub fn power(exponent: i32) -> String {
    format!("10{}", raised(exponent))
}

/// A whole number as an exponent.
pub fn raised(number: i32) -> String {
    let raised = |c: char| match c {
        '-' => '⁻',
        digit => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize - '0' as usize],
    };
    number.to_string().chars().map(raised).collect()
}

/// The largest of 1, 2, 5 × 10ⁿ that is not above `value`.
pub fn round_down(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let lead = value / power;
    let step = [5.0, 2.0, 1.0].into_iter().find(|step| lead >= step * (1.0 - 1e-9));
    step.unwrap_or(1.0) * power
}

/// The smallest of 1, 2, 5 × 10ⁿ that is not below `value`.
pub fn round_up(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    [1.0, 2.0, 5.0].map(|lead| lead * power).into_iter().find(|step| *step >= value).unwrap_or(10.0 * power)
}

/// Prefixes of the metre that are used for lengths.
const LENGTHS: [(f64, &str); 6] =
    [(1e3, "km"), (1.0, "m"), (1e-2, "cm"), (1e-3, "mm"), (1e-6, "µm"), (1e-9, "nm")];
/// Prefixes of the second.
const TIMES: [(f64, &str); 3] = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")];
/// Prefixes of the newton.
const FORCES: [(f64, &str); 5] = [(1e6, "MN"), (1e3, "kN"), (1.0, "N"), (1e-3, "mN"), (1e-6, "µN")];

/// A length in m with a suitable prefix: 20 cm, 5 mm.
pub fn length(metres: f64) -> String {
    prefixed(metres, &LENGTHS)
}

/// A duration in s with a suitable prefix: 1 ms, 20 µs.
pub fn duration(seconds: f64) -> String {
    prefixed(seconds, &TIMES)
}

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
