//! Profiles, read and written: `{"profile": "constant" | "ramp" | "sine" | "table", …}`, where a number is accepted that can
//! change with
//! the time. `scale`, 1 by default, multiplies all of its values.

use super::reader::{Cursor, Object};
use super::write::{number, object};
use crate::model::Profile;
use serde_json::{Value, json};

/// Largest number of points of a table.
const MOST_POINTS: usize = 100_000;

#[derive(Clone, Copy)]
enum Kind {
    Constant,
    Ramp,
    Sine,
    Table,
}

const KINDS: &[(&str, Kind)] =
    &[("constant", Kind::Constant), ("ramp", Kind::Ramp), ("sine", Kind::Sine), ("table", Kind::Table)];
/// How a table is interpolated: whether by a spline.
const INTERPOLATIONS: &[(&str, bool)] = &[("linear", false), ("cubic", true)];

/// A number, or a profile with its scale.
pub(super) fn driven(
    cursor: &Cursor<'_>,
    fixed: impl FnOnce(&Cursor<'_>) -> Option<f64>,
) -> Option<(f64, Option<Profile>)> {
    if !cursor.is_object() {
        return fixed(cursor).map(|number| (number, None));
    }
    let (scale, profile) = read(cursor)?;
    Some((scale, Some(profile)))
}

/// p(t) itself: a profile times its scale, or a number.
pub(super) fn absolute(cursor: &Cursor<'_>) -> Option<Profile> {
    match driven(cursor, |c| c.number())? {
        (scale, Some(profile)) => Some(if scale == 1.0 { profile } else { profile.scaled(scale, 0.0) }),
        (number, None) => Some(Profile::Constant(number)),
    }
}

/// The profile of a length where there is one in place of a number.
pub(super) fn of_length(cursor: &Cursor<'_>) -> Option<Option<Profile>> {
    if !cursor.is_object() {
        return Some(None);
    }
    let profile = absolute(cursor)?;
    let least = profile.least();
    if least <= 0.0 {
        cursor.problem(format!("expected lengths greater than 0 at all times, found {least}"));
        return None;
    }
    Some(Some(profile))
}

/// A length: a number, or the first one of a profile, whose problems [`of_length`] notes.
pub(super) fn length(cursor: &Cursor<'_>) -> Option<f64> {
    if !cursor.is_object() {
        return cursor.positive();
    }
    let quiet = super::problems::Log::default();
    of_length(&cursor.quietly(&quiet))?.map(|own| own.value(0.0))
}

/// A profile with its scale.
pub(super) fn read(cursor: &Cursor<'_>) -> Option<(f64, Profile)> {
    let keys = cursor.object("a profile {\"profile\": \"ramp\", …}")?;
    let kind =
        keys.require("profile", "a kind of profile").and_then(|c| c.one_of("a kind of profile", KINDS))?;
    let scale = keys.or("scale", 1.0, Cursor::number);
    let needed = |key| keys.require(key, "a number").and_then(|c| c.number());
    let profile = match kind {
        Kind::Constant => needed("value").map(Profile::Constant),
        Kind::Ramp => {
            let (from, to, start) =
                (keys.or("from", 0.0, Cursor::number), needed("to"), keys.or("start", 0.0, Cursor::number));
            let end = needed("end");
            let later = start.zip(end).is_none_or(|(start, end)| start < end);
            if let (false, Some(cursor)) = (later, keys.get("end")) {
                cursor.problem("expected a time later than 'start', s");
            }
            let ramp = || Some(Profile::Ramp { from: from?, to: to?, start: start?, end: end? });
            if later { ramp() } else { None }
        }
        Kind::Sine => {
            let mean = keys.or("mean", 0.0, Cursor::number);
            let (amplitude, phase) = (needed("amplitude"), keys.or("phase", 0.0, Cursor::number));
            let frequency = keys.require("frequency", "a number greater than 0").and_then(|c| c.positive());
            let sine = || {
                Some(Profile::Sine {
                    mean: mean?,
                    amplitude: amplitude?,
                    frequency: frequency?,
                    phase: phase?,
                })
            };
            sine()
        }
        Kind::Table => table(&keys),
    };
    keys.finish();
    Some((scale?, profile?))
}

fn table(keys: &Object<'_>) -> Option<Profile> {
    let points = keys.require("points", "an array of [time, value]");
    let cubic = keys.or("interpolation", false, |c| c.one_of("an interpolation", INTERPOLATIONS));
    let cursor = points?;
    let items = cursor.items("an array of [time, value]")?;
    if !(2..=MOST_POINTS).contains(&items.len()) {
        cursor.problem(format!("expected 2 to {MOST_POINTS} points [time, value], found {}", items.len()));
        return None;
    }
    let read: Vec<_> = items.iter().map(|item| item.vector().map(|point| point.to_array())).collect();
    let points: Vec<[f64; 2]> = read.into_iter().collect::<Option<_>>()?;
    if let Some(late) = (1..points.len()).find(|&i| points[i][0] <= points[i - 1][0]) {
        items[late].problem(format!(
            "expected a time later than {}, that of the point before, s",
            points[late - 1][0]
        ));
        return None;
    }
    match Profile::table(&points, cubic?) {
        Ok(table) => Some(table),
        Err(error) => {
            cursor.problem(error.to_string());
            None
        }
    }
}

/// A length, or the profile that drives it.
pub(super) fn written_length(length: f64, profile: Option<&Profile>) -> (&'static str, Value) {
    ("length", profile.map_or_else(|| number(length), |own| written(1.0, Some(own))))
}

/// A number, or that number times a profile.
pub(super) fn written(scale: f64, profile: Option<&Profile>) -> Value {
    let Some(profile) = profile else { return number(scale) };
    let mut keys = Vec::new();
    match profile {
        Profile::Constant(value) => {
            keys.extend([("profile", json!("constant")), ("value", number(*value))])
        }
        Profile::Ramp { from, to, start, end } => {
            keys.push(("profile", json!("ramp")));
            keys.extend(
                [("from", from), ("to", to), ("start", start), ("end", end)]
                    .map(|(key, x)| (key, number(*x))),
            );
        }
        Profile::Sine { mean, amplitude, frequency, phase } => {
            keys.push(("profile", json!("sine")));
            let numbers =
                [("mean", mean), ("amplitude", amplitude), ("frequency", frequency), ("phase", phase)];
            keys.extend(numbers.map(|(key, x)| (key, number(*x))));
        }
        Profile::Table(table) => {
            let interpolation = if table.is_cubic() { "cubic" } else { "linear" };
            let points: Vec<Value> = table.points().iter().map(|point| json!(point.map(number))).collect();
            keys.extend([
                ("profile", json!("table")),
                ("interpolation", json!(interpolation)),
                ("points", json!(points)),
            ]);
        }
        _ => {}
    }
    if scale != 1.0 {
        keys.push(("scale", number(scale)));
    }
    object(keys)
}
