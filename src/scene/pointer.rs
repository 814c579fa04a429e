//! The recorded pointer, read and written: the top-level key `interaction`.

use super::interaction::{GRAB_RADIUS, GRAB_STRENGTH, Interaction, Sample, Tool};
use super::keys;
use super::reader::Cursor;
use super::write::{number, object};
use glam::DVec2;
use serde_json::{Value, json};

/// How a sample looks.
const SAMPLE: &str = "[t, x, y, pressed], or [t, x, y, pressed, strength]";

/// Reads `interaction`.
pub(super) fn read(cursor: &Cursor<'_>) -> Option<Interaction> {
    let keys = cursor.object("an interaction {\"tool\": …, \"samples\": […]}")?;
    let tools = Tool::ALL.map(|tool| (tool.key(), tool));
    let tool = keys.require("tool", "a tool: repel, grab").and_then(|c| c.one_of("a tool", &tools));
    let (strength, radius) = match tool {
        Some(Tool::Repel) => (
            keys.require("strength", "a number of N greater than 0").and_then(|c| c.positive()),
            keys.require("radius", "a number of m greater than 0").and_then(|c| c.positive()),
        ),
        // For an unknown tool, only what every tool would refuse is checked.
        Some(Tool::Grab) | None => (
            keys.or("strength", GRAB_STRENGTH, Cursor::positive),
            keys.or("radius", GRAB_RADIUS, Cursor::not_negative),
        ),
    };
    let samples = keys.require("samples", "an array of samples").and_then(|c| samples(&c));
    let held = keys.or("keys", Vec::new(), held);
    keys.finish();
    Some(Interaction { tool: tool?, strength: strength?, radius: radius?, samples: samples?, keys: held? })
}

fn samples(cursor: &Cursor<'_>) -> Option<Vec<Sample>> {
    let mut latest = None;
    let mut read = Vec::new();
    for item in cursor.items("an array of samples")? {
        let sample = sample(&item, latest);
        latest = sample.map_or(latest, |sample| Some(sample.time));
        read.push(sample);
    }
    // Collected last, so that every sample is read.
    read.into_iter().collect()
}

/// One sample; its time must be later than `latest`, s.
fn sample(cursor: &Cursor<'_>, latest: Option<f64>) -> Option<Sample> {
    let items = cursor.items(SAMPLE)?;
    let ([t, x, y, pressed], strength) = match items.as_slice() {
        [t, x, y, pressed] => ([t, x, y, pressed], None),
        [t, x, y, pressed, strength] => ([t, x, y, pressed], Some(strength)),
        _ => {
            cursor.problem(format!("expected {SAMPLE}, found an array of {}", items.len()));
            return None;
        }
    };
    let time = match latest {
        Some(latest) => {
            let expected = format!("a time later than that of the sample before, {latest}");
            t.number_that(&expected, |time| time > latest)
        }
        None => t.not_negative(),
    };
    let (x, y, pressed) = (x.number(), y.number(), pressed.switch());
    let strength = match strength {
        Some(strength) => strength.positive().map(Some),
        None => Some(None),
    };
    Some(Sample { time: time?, at: DVec2::new(x?, y?), pressed: pressed?, strength: strength? })
}

/// The keys that are held, from their times on.
fn held(cursor: &Cursor<'_>) -> Option<Vec<(f64, u64)>> {
    let (mut latest, mut read) = (None, Vec::new());
    for item in cursor.items("an array of [t, [key, …]]")? {
        let [time, keys] = item.exactly("[t, [key, …]]")?;
        let time = match latest {
            Some(latest) => {
                let expected = format!("a time later than that of the element before, {latest}");
                time.number_that(&expected, |time| time > latest)
            }
            None => time.not_negative(),
        };
        latest = time.or(latest);
        read.push(time.zip(keys::read_held(&keys)));
    }
    read.into_iter().collect()
}

/// Writes `interaction`.
pub(super) fn write(interaction: &Interaction) -> Value {
    let Interaction { tool, strength, radius, samples, keys } = interaction;
    let mut all = vec![
        ("tool", json!(tool.key())),
        ("strength", number(*strength)),
        ("radius", number(*radius)),
        ("samples", samples.iter().map(write_sample).collect()),
    ];
    if !keys.is_empty() {
        let each = |(time, held): &(f64, u64)| json!([number(*time), keys::write_held(*held)]);
        all.push(("keys", keys.iter().map(each).collect()));
    }
    object(all)
}

fn write_sample(sample: &Sample) -> Value {
    let Sample { time, at, pressed, strength } = sample;
    let mut items = vec![number(*time), number(at.x), number(at.y), json!(pressed)];
    items.extend(strength.map(number));
    items.into()
}
