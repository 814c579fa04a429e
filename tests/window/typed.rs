//! Numbers as people type them.

use driftlab::workbench::text::number_parser::number;

fn reads(text: &str, unit: &str, expected: f64) {
    let found = number(text, unit).unwrap_or_else(|why| panic!("'{text}' in '{unit}': {why}"));
    assert!((found - expected).abs() <= 1e-12 * expected.abs(), "'{text}' in '{unit}' is read as {found}");
}

/// Decimal points and commas, powers of ten as people and as the panel write them.
#[test]
fn numbers_are_read_in_many_spellings() {
    for (text, expected) in [
        ("1.5", 1.5),
        ("1,5", 1.5),
        ("  -0,005 ", -0.005),
        ("0,125", 0.125),
        ("−2", -2.0),
        ("+3", 3.0),
        (".5", 0.5),
        ("1e3", 1e3),
        ("1.5E-4", 1.5e-4),
        ("2·10⁻⁴", 2e-4),
        ("1·10⁶", 1e6),
        ("3*10^5", 3e5),
        ("12,3456", 12.3456),
        ("20 %", 0.2),
        ("1/60", 1.0 / 60.0),
        ("3 / 4", 0.75),
    ] {
        reads(text, "", expected);
    }
}

/// Units behind a number are accepted in any spelling, and with a prefix where the unit has some.
#[test]
fn units_are_read() {
    for (text, unit, expected) in [
        ("50 1/s", "1/s", 50.0),
        ("50 s⁻¹", "1/s", 50.0),
        ("50s^-1", "s⁻¹", 50.0),
        ("50 /s", "s⁻¹", 50.0),
        ("2·10³ 1/s", "1/s", 2e3),
        ("14 ms", "s", 0.014),
        ("1,5 ms", "s", 0.0015),
        ("2 kHz", "Hz", 2e3),
        ("3 mm", "m", 0.003),
        ("3 m", "m or rad", 3.0),
        ("3 rad", "m or rad", 3.0),
        ("7 rad/s", "rad/s", 7.0),
        ("1/60 s", "s", 1.0 / 60.0),
        ("30°", "rad", std::f64::consts::FRAC_PI_6),
        ("-90 deg", "rad", -std::f64::consts::FRAC_PI_2),
    ] {
        reads(text, unit, expected);
    }
}

/// What cannot be read is refused with a reason that names it.
#[test]
fn refusals_say_why() {
    for (text, unit, part) in [
        ("abc", "", "'abc' is not a number"),
        ("", "", "Nothing is typed"),
        ("nan", "", "not a number"),
        ("inf", "", "not a number"),
        ("5 kg", "1/s", "the unit is 1/s"),
        ("5 s", "", "no unit"),
        ("1,000", "", "may mean 1.000 or 1000"),
        ("1.000,5", "", "several marks"),
        ("1,2,3", "", "several marks"),
        ("-", "", "not a number"),
    ] {
        let why = number(text, unit).expect_err(text);
        assert!(why.contains(part), "'{text}': {why}");
    }
}
