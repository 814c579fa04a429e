//! Reading the lines of a recording: what the types cannot say is checked here, with the path of each problem.

use super::problem::{PRINTED, RecordingProblem, quoted};
use super::stretch::Stretch;
use crate::method::Method;
use crate::scene::{FORMAT as SCENE_FORMAT, Problem, Scene, nearest};
use driftlab_probe::format::{Acted, Contact, FORMAT, Header, Impulse, Step};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// Steps of a scene whose recording states no time step, s.
const DEFAULT_STEP: f64 = 1e-2;
/// By how much the length of a normal may differ from 1: what is left of single precision.
const UNIT: f64 = 1e-3;

/// The first line, and the scene in it.
pub(super) fn header(line: &[u8]) -> Result<(Header, Scene), Vec<RecordingProblem>> {
    let text = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    let wrong = |path: &str, message: String| vec![RecordingProblem::at(1, path, message)];
    // A file of something else is told by its format alone.
    let format = serde_json::from_slice::<Map<String, Value>>(text).ok();
    let format = format.as_ref().and_then(|keys| keys.get("format"));
    if format != Some(&json!(FORMAT)) {
        let found = match format {
            Some(format) => format.to_string(),
            None if text.trim_ascii_start().starts_with(b"{") => "no such key".to_owned(),
            None => quoted(text),
        };
        return Err(wrong("format", format!("expected \"{FORMAT}\", found {found}")));
    }
    let header: Header = parsed(text, 1)?;
    if let Some(h) = header.time_step.filter(|h| h.is_nan() || *h <= 0.0) {
        return Err(wrong("time_step", format!("expected a number of seconds greater than 0, found {h}")));
    }
    let mut keys: Map<String, Value> = serde_json::from_str(header.scene.get())
        .map_err(|error| wrong("scene", format!("expected an object {{\"bodies\": …}}: {error}")))?;
    keys.entry("format").or_insert_with(|| json!(SCENE_FORMAT));
    keys.entry("name").or_insert_with(|| json!(header.engine.name));
    let settings = keys.entry("settings").or_insert_with(|| json!({}));
    if let Some(settings) = settings.as_object_mut() {
        let h = header.time_step.map(|h| json!(h));
        let own = settings.get("time_step").cloned();
        settings.insert("time_step".to_owned(), h.or(own).unwrap_or(json!(DEFAULT_STEP)));
        // Joints and contacts stay closed where the recording states no scheme.
        let scheme = Method::post_stabilization().stabilizer.info().key;
        settings.entry("stabilizer").or_insert_with(|| json!({ "kind": scheme }));
    }
    let within = |problem: Problem| {
        let separator = if problem.path.is_empty() { "" } else { "." };
        RecordingProblem::at(1, format!("scene{separator}{}", problem.path), problem.message)
    };
    let scene = Scene::parse(&Value::Object(keys).to_string());
    let scene = scene.map_err(|problems| problems.into_iter().map(within).collect::<Vec<_>>())?;
    Ok((header, scene))
}

/// A line behind the first one, as far as its own text goes.
pub(super) fn step(line: &[u8], number: u64) -> Result<Step, Vec<RecordingProblem>> {
    parsed(line, number)
}

fn parsed<T: DeserializeOwned>(line: &[u8], number: u64) -> Result<T, Vec<RecordingProblem>> {
    // The path costs time, and is of interest only where something is wrong.
    if let Ok(value) = serde_json::from_slice(line) {
        return Ok(value);
    }
    let mut reader = serde_json::Deserializer::from_slice(line);
    let read = serde_path_to_error::deserialize::<_, T>(&mut reader);
    let read = read.map_err(|error| (error.path().to_string(), error.into_inner().to_string()));
    let told = |(path, message): (String, String)| {
        let path = if path == "." { String::new() } else { path };
        // The line's own number is the file's.
        let message = message.replace(" at line 1 column", " at column");
        vec![RecordingProblem::at(number, path, with_suggestion(message))]
    };
    let value = read.map_err(told)?;
    reader.end().map_err(|error| told((String::new(), error.to_string() + PRINTED)))?;
    Ok(value)
}

/// A misspelt key gets the word that was meant.
fn with_suggestion(message: String) -> String {
    let words: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let [found, expected @ ..] = words.as_slice() else { return message };
    match nearest(found, expected.iter().copied()).filter(|_| message.starts_with("unknown field")) {
        Some(meant) => format!("no key is named '{found}' here (did you mean '{meant}'?)"),
        None => message,
    }
}

/// Checks a line against those who are there from it on.
pub(super) fn check(step: &Step, stretch: &Stretch, number: u64) -> Result<(), Vec<RecordingProblem>> {
    let mut own = Checked { stretch, number, problems: Vec::new() };
    own.states("q", &step.q);
    step.v.iter().for_each(|v| own.states("v", v));
    if let Some(h) = step.h.filter(|h| h.is_nan() || *h <= 0.0) {
        own.wrong("h", format!("expected a number of seconds greater than 0, found {h}"));
    }
    step.acted.iter().flatten().enumerate().for_each(|(place, acted)| own.acted(place, acted));
    step.contacts.iter().flatten().enumerate().for_each(|(place, contact)| own.contact(place, contact));
    own.impulses("external", step.external.iter().flatten());
    own.impulses("hand", step.hand.iter());
    if own.problems.is_empty() { Ok(()) } else { Err(own.problems) }
}

struct Checked<'a> {
    stretch: &'a Stretch,
    number: u64,
    problems: Vec<RecordingProblem>,
}

impl Checked<'_> {
    fn wrong(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.problems.push(RecordingProblem::at(self.number, path, message));
    }

    fn states(&mut self, key: &str, states: &[Option<[f64; 3]>]) {
        let bodies = &self.stretch.bodies;
        if states.len() != bodies.len() {
            let (expected, found) = (bodies.len(), states.len());
            return self
                .wrong(key, format!("expected {expected} entries, one for each body, found {found}"));
        }
        for (body, (id, state)) in bodies.iter().zip(states).enumerate() {
            match (id, state) {
                (Some(_), None) => {
                    self.wrong(
                        format!("{key}[{body}]"),
                        "expected three numbers, found null, but it has not gone",
                    );
                    return;
                }
                (None, Some(_)) => {
                    self.wrong(format!("{key}[{body}]"), "expected null, since that body has gone");
                    return;
                }
                _ => (),
            }
        }
    }

    fn acted(&mut self, place: usize, acted: &Acted) {
        let path = format!("acted[{place}]");
        let Stretch { joints, springs, nonholonomic, .. } = self.stretch;
        let named = [
            ("joint", acted.joint, joints.iter().map(Option::is_some).collect::<Vec<_>>()),
            ("spring", acted.spring, springs.iter().map(Option::is_some).collect()),
            ("nonholonomic", acted.nonholonomic, nonholonomic.iter().map(Option::is_some).collect()),
        ];
        if named.iter().filter(|(_, number, _)| number.is_some()).count() != 1 {
            self.wrong(path.clone(), "expected one of joint, spring and nonholonomic");
        }
        for (key, number, there) in named {
            let Some(number) = number else { continue };
            if there.get(number) != Some(&true) {
                self.wrong(format!("{path}.{key}"), format!("nothing with the number {number} is there"));
            }
        }
        if acted.part.is_some() && acted.joint.is_none() {
            self.wrong(format!("{path}.part"), "joints alone have parts");
        }
        self.impulses(&format!("{path}.on"), acted.on.iter());
    }

    fn contact(&mut self, place: usize, contact: &Contact) {
        let path = format!("contacts[{place}]");
        for (end, body) in contact.bodies.into_iter().enumerate() {
            self.body(&format!("{path}.bodies[{end}]"), body);
        }
        let [x, y] = contact.normal;
        let length = x.hypot(y);
        if (length - 1.0).abs() > UNIT {
            self.wrong(format!("{path}.normal"), format!("expected a length of 1, found {length}"));
        }
        self.impulses(&format!("{path}.on"), contact.on.iter());
    }

    fn impulses<'a>(&mut self, path: &str, impulses: impl Iterator<Item = &'a Impulse>) {
        for (place, impulse) in impulses.enumerate() {
            self.body(&format!("{path}[{place}][0]"), impulse.0);
        }
    }

    fn body(&mut self, path: &str, body: usize) {
        if self.stretch.bodies.get(body).copied().flatten().is_none() {
            self.wrong(path, format!("no body with the number {body} is there"));
        }
    }
}
