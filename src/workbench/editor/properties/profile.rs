//! The numbers of a profile, by its kind; a table's points are those of its file.

use crate::model::Profile;

/// The kinds; off is none.
pub(super) const KINDS: &[&str] = &["off", "constant", "ramp", "sine", "table"];

/// The place of a profile's kind in [`KINDS`].
pub(super) fn kind_of(profile: Option<&Profile>) -> f64 {
    match profile {
        None => 0.0,
        Some(Profile::Constant(_)) => 1.0,
        Some(Profile::Ramp { .. }) => 2.0,
        Some(Profile::Sine { .. }) => 3.0,
        Some(_) => 4.0,
    }
}

/// A profile of that kind: from 0 to 1 in a second, or a sine of a second.
pub(super) fn of_kind(kind: f64) -> Option<Profile> {
    match kind as u8 {
        1 => Some(Profile::Constant(1.0)),
        2 => Some(Profile::Ramp { from: 0.0, to: 1.0, start: 0.0, end: 1.0 }),
        3 => Some(Profile::Sine { mean: 0.0, amplitude: 1.0, frequency: 1.0, phase: 0.0 }),
        4 => Profile::table(&[[0.0, 0.0], [1.0, 1.0]], false).ok(),
        _ => None,
    }
}

/// A number of a profile.
#[derive(Clone, Copy)]
pub(super) enum Number {
    Value,
    From,
    To,
    Start,
    End,
    Mean,
    Amplitude,
    Frequency,
    Phase,
}

/// Where the profile has that number.
pub(super) fn place(profile: &mut Profile, number: Number) -> Option<&mut f64> {
    match (profile, number) {
        (Profile::Constant(value), Number::Value) => Some(value),
        (Profile::Ramp { from, .. }, Number::From) => Some(from),
        (Profile::Ramp { to, .. }, Number::To) => Some(to),
        (Profile::Ramp { start, .. }, Number::Start) => Some(start),
        (Profile::Ramp { end, .. }, Number::End) => Some(end),
        (Profile::Sine { mean, .. }, Number::Mean) => Some(mean),
        (Profile::Sine { amplitude, .. }, Number::Amplitude) => Some(amplitude),
        (Profile::Sine { frequency, .. }, Number::Frequency) => Some(frequency),
        (Profile::Sine { phase, .. }, Number::Phase) => Some(phase),
        _ => None,
    }
}

/// That number's value.
pub(super) fn number(profile: Option<&Profile>, number: Number) -> Option<f64> {
    place(&mut profile?.clone(), number).copied()
}
