//! The kinds of profiles and their numbers; a table's points are beside them.

use super::property::{Property, choice, positive, real};
use crate::model::Profile;
use crate::parameter::Parameter;

/// What a profile is by its kind: [`kind_of`] and [`of_kind`] know their places.
pub const KIND: Parameter = choice(
    "profile",
    "profile",
    &["constant", "ramp", "sine", "table"],
    "How the number that it drives changes with the time.",
);

/// The same where there may be none.
pub const KIND_OR_OFF: Parameter =
    choice("profile", "profile", &["off", "constant", "ramp", "sine", "table"], KIND.meaning);

/// The place of a profile's kind in [`KIND`].
pub fn kind_of(profile: &Profile) -> f64 {
    match profile {
        Profile::Constant(_) => 0.0,
        Profile::Ramp { .. } => 1.0,
        Profile::Sine { .. } => 2.0,
        _ => 3.0,
    }
}

/// A profile of that kind, at first of a second: it is `value`, goes from one of the two numbers to the other, or swings
/// about the first by their difference.
pub fn of_kind(kind: f64, value: f64, [from, to]: [f64; 2]) -> Option<Profile> {
    match kind as u8 {
        0 => Some(Profile::Constant(value)),
        1 => Some(Profile::Ramp { from, to, start: 0.0, end: 1.0 }),
        2 => Some(Profile::Sine { mean: from, amplitude: to - from, frequency: 1.0, phase: 0.0 }),
        3 => Profile::table(&[[0.0, from], [1.0, to]], false).ok(),
        _ => None,
    }
}

/// A number of one kind of profile, in the unit of what is driven unless it states another.
macro_rules! number {
    ($parameter:expr, $kind:ident, $field:ident) => {
        Property {
            parameter: $parameter,
            get: |profile| match profile {
                Profile::$kind { $field, .. } => Some(*$field),
                _ => None,
            },
            set: |profile, value| {
                if let Profile::$kind { $field, .. } = profile {
                    *$field = value;
                }
                Ok(())
            },
        }
    };
}

const fn driven(key: &'static str, meaning: &'static str) -> Parameter {
    real(key, key, "", "", meaning)
}

/// The numbers of a profile.
pub static PROFILE: [Property<Profile>; 9] = [
    Property {
        parameter: driven("value", "At all times."),
        get: |profile| match profile {
            Profile::Constant(value) => Some(*value),
            _ => None,
        },
        set: |profile, value| {
            *profile = Profile::Constant(value);
            Ok(())
        },
    },
    number!(driven("from", "Up to the start."), Ramp, from),
    number!(driven("to", "From the end on."), Ramp, to),
    number!(real("start", "start", "", "s", "When it begins to change."), Ramp, start),
    number!(real("end", "end", "", "s", "When it has changed."), Ramp, end),
    number!(driven("mean", "About which it swings."), Sine, mean),
    number!(driven("amplitude", "By how much it swings to either side."), Sine, amplitude),
    number!(positive(real("frequency", "frequency", "f", "Hz", "Swings per second.")), Sine, frequency),
    number!(real("phase", "phase", "φ", "rad", "Of the sine at the time 0."), Sine, phase),
];
